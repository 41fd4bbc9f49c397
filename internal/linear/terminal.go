package linear

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"roundtable/internal/crash"
	"roundtable/internal/text"
)

// maxLine is the maximum length of a line, in bytes.
const maxLine = 1 << 20

// line is a line of input, or the error that ended the input.
type line struct {
	text string
	err  error
}

// lines reads lines, each when it is asked for: between two of them another program may
// read the terminal.
type lines struct {
	wanted chan struct{}
	read   chan line
	asked  bool // a line is being read
}

func newLines(r io.Reader) *lines {
	l := &lines{wanted: make(chan struct{}, 1), read: make(chan line, 1)}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine)
	scanner.Split(completeLines)
	crash.Go(func() {
		for range l.wanted {
			if !scanner.Scan() {
				err := scanner.Err()
				if err == nil {
					err = io.EOF
				}
				l.read <- line{err: err}
				return
			}
			l.read <- line{text: scanner.Text()}
		}
	}, func(p *crash.Panic) { l.read <- line{err: p} })
	return l
}

// completeLines splits input at line breaks. What follows the last one was not
// entered, so it is no line.
func completeLines(data []byte, atEOF bool) (int, []byte, error) {
	advance, token, err := bufio.ScanLines(data, false)
	if atEOF && token == nil {
		return len(data), nil, err
	}
	return advance, token, err
}

// next asks for a line, unless one is being read, and returns where it arrives.
func (l *lines) next() <-chan line {
	if !l.asked {
		l.asked = true
		l.wanted <- struct{}{}
	}
	return l.read
}

// dropTyped discards what was typed before now.
func (p *Program) dropTyped() {
	if p.DropInput == nil {
		return
	}
	p.DropInput()
	select {
	case l := <-p.in.read:
		if p.in.got(); l.err != nil { // the next read reports it
			p.in.asked = true
			p.in.read <- l
		}
	default:
	}
}

// stop ends the reading, at the latest with the line that is being read.
func (l *lines) stop() { close(l.wanted) }

// got is called with each line that has arrived.
func (l *lines) got() { l.asked = false }

// readLine returns the next line that the user enters. Meanwhile the events of a run are
// written. It returns errQuit when the input has ended or the user quits, and errRunEnded
// when the run has ended before a line came.
func (p *Program) readLine(ctx context.Context) (string, error) {
	warned := false
	for {
		if p.out.err != nil {
			return "", errQuit
		}
		select {
		case <-ctx.Done():
			return "", errQuit
		case <-p.Interrupts:
			if p.open == nil || !p.open.Running() || warned {
				return "", errQuit
			}
			warned = true
			p.say("%s ctrl+c again quits, anything else goes on.", p.open.Unfinished())
		case ev, ok := <-p.open.events():
			p.handle(ev, ok)
			if !ok && !p.out.held {
				return "", errRunEnded
			}
		case l := <-p.in.next():
			p.in.got()
			switch {
			case errors.Is(l.err, bufio.ErrTooLong):
				p.say("Not taken: the line is longer than 1 MB, and the input cannot be read further.")
				return "", errQuit
			case l.err != nil:
				return "", errQuit
			case !utf8.ValidString(l.text):
				p.say("Not taken: the line is not UTF-8.")
			default:
				return text.SanitizeInput(l.text), nil
			}
		}
	}
}

// ask returns the answer to a question of one line. Nothing else is written meanwhile.
// An empty line is the preset one.
func (p *Program) ask(ctx context.Context, question, preset string) (string, error) {
	p.out.held = true
	defer p.out.release()
	if preset != "" {
		question += " [" + preset + "]"
	}
	for {
		p.say("%s", question)
		p.out.write("> ")
		raw, err := p.readLine(ctx)
		content := strings.TrimSpace(raw)
		switch {
		case err != nil:
			return "", err
		case content == "/quit":
			return "", errQuit
		case content == "/back":
			return "", errCancelled
		case p.isCommand(content):
			p.say("Not possible here. /back leaves this, /quit quits.")
		default:
			return cmp.Or(content, preset), nil
		}
	}
}

// isCommand reports whether a line is a command, rather than a path that begins with a
// slash.
func (p *Program) isCommand(content string) bool {
	name, _, _ := strings.Cut(content, " ")
	if _, ok := otherNames()[name]; ok || p.open == nil {
		return ok
	}
	return slices.ContainsFunc(p.commands(), func(c command) bool { return c.name == name })
}

// confirm asks for yes or no. An empty line is the preset answer.
func (p *Program) confirm(ctx context.Context, question, preset string) (bool, error) {
	for {
		said, err := p.ask(ctx, question+" yes or no", preset)
		if err != nil {
			return false, err
		}
		switch strings.ToLower(said) {
		case "yes":
			return true, nil
		case "no":
			return false, nil
		}
		p.say("Type yes or no.")
	}
}

// Writer writes text without escape sequences and without characters that draw: lines,
// boxes, blocks, dots and arrows become ASCII. A character that is not complete waits for
// its rest.
type Writer struct {
	W    io.Writer
	mu   sync.Mutex
	rest []byte
}

// Write writes p.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := append(w.rest, p...)
	n := complete(all)
	w.rest = slices.Clone(all[n:])
	if _, err := io.WriteString(w.W, Plain(string(all[:n]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// complete returns the length of p without the beginning of a character at its end.
func complete(p []byte) int {
	for back := 1; back <= min(len(p), utf8.UTFMax); back++ {
		if at := len(p) - back; utf8.RuneStart(p[at]) {
			if !utf8.FullRune(p[at:]) {
				return at
			}
			break
		}
	}
	return len(p)
}

// Plain returns s without escape characters and with ASCII in place of what draws.
func Plain(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return r == '\x1b' || r >= 0x80 })
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		if out, ok := ascii(r); ok {
			b.WriteString(out)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// ascii returns the replacement of a character that draws or controls; ok is false for all
// others.
func ascii(r rune) (out string, ok bool) {
	switch {
	case r == '\x1b' || r >= 0x80 && r <= 0x9f: // controls
		return "", true
	case r == '─' || r == '━' || r == '═' || r == '┄' || r == '┅' || r == '┈' || r == '┉' || r == '╌' || r == '╍':
		return "-", true
	case r == '│' || r == '┃' || r == '║' || r == '┆' || r == '┇' || r == '┊' || r == '┋' || r == '╎' || r == '╏':
		return "|", true
	case r >= 0x2500 && r <= 0x257f: // corners and crossings
		return "+", true
	case r >= 0x2580 && r <= 0x259f, r >= 0x1fb00 && r <= 0x1fbff: // blocks, and parts of them
		return "#", true
	case r >= 0x25a0 && r <= 0x25ff: // squares, triangles and circles
		return "*", true
	case r == 0x2800:
		return " ", true
	case r > 0x2800 && r <= 0x28ff: // braille patterns
		return ".", true
	case r == '…':
		return "...", true
	case r == '·':
		return "-", true
	case r == '←':
		return "<-", true
	case r == '→':
		return "->", true
	}
	return "", false
}

// output is where the program writes. While it is held, what is written is kept back, so
// that nothing comes between the lines of an answer.
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

// write writes s at once.
func (o *output) write(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s)
	}
}

// release writes what was kept back.
func (o *output) release() {
	o.held = false
	o.write(o.kept.String())
	o.kept.Reset()
}
