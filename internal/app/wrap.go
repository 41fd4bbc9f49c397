package app

import (
	"io"
	"strings"

	"roundtable/tui/theme"
)

// Lines returns standard output for text that is written line by line: where it is a terminal,
// lines are broken at words.
func (a *App) Lines() io.Writer {
	if !IsTerminal(a.Stdout) {
		return a.Stdout
	}
	return wrapper{a.Stdout}
}

type wrapper struct{ out io.Writer }

// Write writes whole lines. All parts of one are indented like it.
func (w wrapper) Write(p []byte) (int, error) {
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		rest := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(rest)]
		for _, part := range theme.Wrap(strings.TrimSuffix(rest, "\n"), max(20, Columns(w.out)-len(indent))) {
			b.WriteString(indent + part + "\n")
		}
	}
	if _, err := io.WriteString(w.out, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}
