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

	"roundtable/internal/crash"
)

// CanAsk reports whether a command can ask a question in the terminal.
func (a *App) CanAsk() bool { return IsTerminal(a.Stdin) && IsTerminal(a.Stderr) }

// Agree asks for yes or no in the terminal. An empty line is a no.
func (a *App) Agree(ctx context.Context, question string) (bool, error) {
	answer, err := a.readLine(ctx, a.Stderr, question+" [y/N] ")
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer))), err
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
