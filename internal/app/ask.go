package app

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"roundtable/debate/ledger"
	"roundtable/internal/crash"
	"roundtable/internal/term"
	"roundtable/internal/text"
)

// CanAsk reports whether a command can ask a question in the terminal.
func (a *App) CanAsk() bool { return IsTerminal(a.Stdin) && IsTerminal(a.Stderr) }

// Converses reports whether a person reads what a command prints, and can answer it.
func (a *App) Converses() bool {
	ci, set := a.Env("CI")
	return a.Answerer("command").Kind == ledger.Person && (!set || ci == "")
}

// Agree asks for yes or no in the terminal. An empty line is a no.
func (a *App) Agree(ctx context.Context, question string) (bool, error) {
	answer, err := a.readLine(ctx, a.Stderr, question+" [y/N] ")
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer))), err
}

// ReadAnswer asks for an answer in the terminal: a line, or all lines that are pasted. What was
// typed before is dropped, since it answers nothing. An empty line, or the end of input, is "".
func (a *App) ReadAnswer(ctx context.Context, prompt string) (string, error) {
	file, ok := fileOf(a.Stdin)
	if drop := a.inputDropper(); drop != nil {
		drop()
	}
	answer, err := a.readLine(ctx, a.Stdout, prompt)
	for err == nil && ok && term.Typed(file) {
		var more string
		more, err = a.readLine(ctx, a.Stdout, "")
		answer += more
	}
	return strings.TrimSpace(text.Clean(answer)), err
}

// readLine reads a line from standard input, with its end.
func (a *App) readLine(ctx context.Context, out io.Writer, prompt string) (string, error) {
	if _, err := fmt.Fprint(out, prompt); err != nil {
		return "", err
	}
	type input struct {
		line string
		err  error
	}
	read := make(chan input, 1)
	crash.Go(func() { // a read of a terminal cannot be interrupted
		line, err := bufio.NewReader(a.Stdin).ReadString('\n')
		read <- input{line, err}
	}, func(*crash.Panic) { read <- input{} })
	select {
	case <-ctx.Done():
		_, err := fmt.Fprintln(out) // the prompt has no end
		return "", cmp.Or(context.Cause(ctx), err)
	case in := <-read:
		if errors.Is(in.err, io.EOF) { // an empty line
			in.err = nil
		}
		return in.line, in.err
	}
}
