// Package report writes a whole session as Markdown, JSON or one HTML page that
// needs nothing else: no script, no server, no network.
//
// It imports debate, its rules below, agents and agents/safetext; goldmark reads
// the Markdown of models. It must not know where the session is stored, nor
// where what it writes will go. The same session gives the same bytes.
//
// All that models, tools and users wrote passes agents/safetext first. What is
// not whole says so: at the top, and in the place of what is missing.
package report

import (
	"fmt"
	"strings"

	"roundtable/agents/safetext"
	"roundtable/debate"
)

// Format is a file format of exports.
type Format string

// The formats. Each is also the ending of its files' names.
const (
	Markdown Format = "md"
	JSON     Format = "json"
	HTML     Format = "html"
)

// Formats lists the formats.
func Formats() []Format { return []Format{Markdown, JSON, HTML} }

// Options say how to write a session.
type Options struct {
	Live   bool // somebody has it open: it may go on while it is written
	Redact bool // mask what looks like a key or a password
}

// Of returns the document of a session, with all text made safe.
func Of(s debate.Session, o Options) Document {
	safe := scrub(s, func(text string) string {
		text = safetext.Text(text)
		if o.Redact {
			text = redact(text)
		}
		return text
	})
	d := documentOf(safe, o.Live)
	d.Redacted = o.Redact
	return d
}

// In returns the document in a format.
func (d Document) In(f Format) ([]byte, error) {
	switch f {
	case Markdown:
		return d.Markdown(), nil
	case JSON:
		return d.JSON()
	case HTML:
		return d.HTML()
	}
	return nil, fmt.Errorf("export: there is no format %q", string(f))
}

// FileName proposes a name for the export of a session.
func FileName(id string, f Format) string {
	return "roundtable-" + strings.TrimSpace(safetext.Line(id)) + "." + string(f)
}
