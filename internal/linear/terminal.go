package linear

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"roundtable/internal/crash"
	"roundtable/internal/text"
)

// readLines sends the lines of r until it ends; what follows the last line break is no line.
func readLines(r io.Reader, done <-chan struct{}) <-chan string {
	read, in := make(chan string), bufio.NewReader(r)
	crash.Go(func() {
		defer close(read)
		for {
			entered, err := in.ReadString('\n')
			if err != nil {
				return
			}
			select {
			case read <- strings.TrimRight(entered, "\r\n"):
			case <-done:
				return
			}
		}
	}, func(*crash.Panic) {}) // the input has ended
	return read
}

// readLine returns the next line that the user enters after a prompt. Meanwhile the events of
// a run are written. It returns errQuit when the input has ended or the user quits, and
// errRunEnded when the run has ended before a line came.
func (p *Program) readLine(ctx context.Context, prompt string) (string, error) {
	p.out.write(prompt)
	for warned := false; p.out.err == nil; {
		select {
		case <-ctx.Done():
			return "", errQuit
		case <-p.Interrupts:
			if p.open == nil || !p.open.Running() || warned {
				return "", errQuit
			}
			warned = true
			p.say("%s ctrl+c again quits, anything else goes on.", p.open.Words().Unfinished())
		case ev, ok := <-p.open.events():
			p.handle(ev, ok)
			if !ok && !p.out.held {
				return "", errRunEnded
			}
		case entered, ok := <-p.in:
			switch {
			case !ok:
				return "", errQuit
			case utf8.ValidString(entered):
				return text.Clean(entered), nil
			}
			p.say("Not taken: the line is not UTF-8.")
		}
	}
	return "", errQuit
}

// ask asks for one line, the preset if it is empty. Nothing else is written meanwhile.
func (p *Program) ask(ctx context.Context, question, preset string) (string, error) {
	p.out.held = true
	defer p.out.release()
	if preset != "" {
		question += " [" + preset + "]"
	}
	for {
		p.say("%s", question)
		said, err := p.readLine(ctx, "> ")
		switch said = strings.TrimSpace(said); {
		case err != nil || said == "/back":
			return "", cmp.Or(err, errCancelled)
		case !strings.HasPrefix(said, "/") || strings.Count(said, "/") > 1: // a path has more
			return cmp.Or(said, preset), nil
		}
		p.say("Not possible here; /back leaves this.")
	}
}

// confirm asks for yes or no. All but yes is no.
func (p *Program) confirm(ctx context.Context, question string) (yes bool, err error) {
	said, err := p.ask(ctx, question+" yes or no", "no")
	yes = strings.EqualFold(said, "yes")
	if err == nil && !yes {
		p.say("Not done.")
	}
	return yes, err
}

// Writer writes text without escape sequences and with ASCII in place of what draws. Each
// write has to be whole characters.
type Writer struct{ W io.Writer }

// Write writes p.
func (w *Writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.W, Plain(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Plain returns s without escape sequences and with ASCII in place of what draws: lines,
// boxes, blocks, dots and arrows.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("·─━═", r):
			return '-'
		case strings.ContainsRune("│┃║", r):
			return '|'
		case r >= 0x2500 && r <= 0x259f, r >= 0x1fb00 && r <= 0x1fbff: // corners and blocks
			return '+'
		case r >= 0x25a0 && r <= 0x25ff, r >= 0x2800 && r <= 0x28ff: // shapes and braille patterns
			return '*'
		}
		return r
	}, strings.NewReplacer("…", "...", "←", "<-", "→", "->").Replace(text.Clean(s)))
}

// output keeps back what is written while it is held, between the lines of an answer.
type output struct {
	w    io.Writer
	held bool
	kept strings.Builder
	err  error // the first error of writing
}

// Write writes p, or keeps it back.
func (o *output) Write(p []byte) (int, error) {
	if o.held {
		return o.kept.Write(p)
	}
	o.write(string(p))
	return len(p), o.err
}

func (o *output) write(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s)
	}
}

func (o *output) release() {
	o.held = false
	o.write(o.kept.String())
	o.kept.Reset()
}
