package app

import (
	"io"
	"strings"

	"roundtable/internal/config"
	"roundtable/internal/headless"
	"roundtable/internal/text"
	"roundtable/tui/markdown"
	"roundtable/tui/theme"
)

// page lays text out for the terminal that standard output is, at its width of the moment.
type page struct {
	out      io.Writer
	renderer *markdown.Renderer
}

// widest is the width beyond which lines of text are hard to read.
const widest = 100

// Page returns what lays text out for the terminal that standard output is.
func (a *App) Page(ui config.UI) headless.Page {
	look := Environ(a.Env).theme(ui)
	if t, err := a.Terminal(); err == nil && !a.ReadsLines() {
		look.Profile = t.Profile
	}
	return page{a.Stdout, markdown.New(markdown.NewStyles(theme.New(look)))}
}

func (p page) width() int { return max(20, min(Columns(p.out), widest)) }

// Prose returns a text that leaves room for two spaces before its lines.
func (p page) Prose() headless.Prose { return p.renderer.NewDoc(p.width() - 2) }

// Wrap breaks a line at words. All parts are indented like the line.
func (p page) Wrap(line string) []string {
	rest := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(rest)]
	return text.Each(theme.Wrap(rest, p.width()-len(indent)), func(part string) string { return indent + part })
}
