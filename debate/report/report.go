// Package report says what a session came to, and writes it as Markdown, JSON, one
// HTML page or a decision record.
//
// A Report holds all words, figures and tables once; Conclusion is the part of it
// about the verdict. The formats are thin renderers of a Report, and the text output
// and the verdict screen are renderers of a Conclusion: they add headings and layout,
// and no wording. Receipt is the same for one request that a model was sent.
//
// It imports debate and the pure rules around it; goldmark parses the Markdown that
// models write. It must not know where sessions are stored or where its output goes.
// The same session gives the same bytes. All text of models, tools and users
// is made safe first. What is incomplete says so, at the top and where something is
// missing.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Format is a file format of exports.
type Format string

// The formats of a whole debate, which are also the extensions of their files.
const (
	Markdown Format = "md"
	JSON     Format = "json"
	HTML     Format = "html"
)

// Formats returns the formats of a whole debate.
func Formats() []Format { return []Format{Markdown, JSON, HTML} }

// Options change how a session is reported.
type Options struct {
	Live   bool // a program has the session open and may still change it
	Redact bool // mask what looks like a key or a password

	// Response returns a response of the session with its texts, for those that the session
	// has in outline; nil if it has none. It is called for one at a time, while the report
	// is written.
	Response func(agents.Turn) (debate.Response, error)
}

// Report is a session in data, words and tables.
type Report struct {
	Document

	Name     string // the title, or the topic
	Banner   string // what the debate came to; begins with "Partial." if there is no verdict
	Progress string // how many rounds were played
	Answers  string // how the question is answered; "" if the session does not say
	Origin   string // which session it was forked from; "" for none
	Import   string // which export it was imported from; "" for none

	Conclusion   *Conclusion // nil without a verdict
	Agreement    []Agreement // one for each round
	Participants Table
	Citations    Table
	Files        Table   // of the evidence
	Cited        []Cited // citations of the evidence
	Spending     Table

	whole func(Response) (Response, error) // returns a response with its texts
}

// Of returns the report of a session.
func Of(s debate.Session, o Options) Report {
	safe := scrub(withSafeEvidence(s, o.Redact), o.clean)
	d := documentOf(safe, o.Live)
	markOutlined(d, s)
	d.Redacted = o.Redact || s.Imported != nil && s.Imported.Redacted
	d.Evidence = evidenceOf(safe, s.Evidence, o.Redact)
	d.CitedLines = citedLines(safe, d.Evidence)
	r := Report{
		Document: d, Name: name(d), Banner: banner(d), Progress: progress(d), Answers: Answers(safe), Origin: origin(d),
		Import:    importOrigin(d),
		Agreement: agreementOf(safe), Participants: participants(d), Citations: citations(d), Spending: spending(d),
		Files: evidenceTable(d), Cited: citedOf(safe, d.names()), whole: wholeResponses(safe, o),
	}
	if v := safe.Verdict; v != nil {
		c := conclude(*v, safe)
		r.Conclusion = &c
	}
	return r
}

// clean makes text safe, and masks secrets if they are to be.
func (o Options) clean(content string) string {
	cleaned := text.Sanitize(content)
	if o.Redact {
		cleaned = redact(cleaned)
	}
	if cleaned == content { // a copy would double the memory
		return content
	}
	return cleaned
}

// markOutlined notes the turns whose texts the session leaves out, by the ids that they have
// in it.
func markOutlined(d Document, s debate.Session) {
	for i, r := range s.History {
		for j, x := range r.Responses {
			if x.Outlined {
				d.History[i].Responses[j].outlined = &x.Turn
			}
		}
	}
}

// wholeResponses returns a function that returns the response of a document with its texts,
// which a session in outline does not have.
func wholeResponses(safe debate.Session, o Options) func(Response) (Response, error) {
	q := verdict.SidesOf(safe)
	return func(x Response) (Response, error) {
		if x.outlined == nil {
			return x, nil
		}
		whole, err := o.Response(*x.outlined)
		return responseOf(safe, q, scrub(whole, o.clean), o.Live), err
	}
}

// Write writes the report in a format, part by part: it has neither all of it
// in memory nor more than one of the texts that the session left out.
func (r Report) Write(w io.Writer, f Format) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	var err error
	switch f {
	case Markdown:
		err = r.writeMarkdown(buffered)
	case JSON:
		err = r.writeJSON(buffered)
	case HTML:
		err = r.writeHTML(buffered)
	case ADR:
		err = r.writeADR(buffered)
	default:
		return fmt.Errorf("export: there is no format %q", string(f))
	}
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return fmt.Errorf("export session %s: %w", r.ID, err)
	}
	return nil
}

// FileName returns the usual name of an exported session.
func FileName(id string, f Format) string {
	name := "roundtable-" + strings.TrimSpace(text.Line(id))
	if f == ADR {
		return name + "-adr." + string(Markdown)
	}
	return name + "." + string(f)
}
