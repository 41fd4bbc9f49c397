package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"sync"

	"roundtable/debate"
	"roundtable/internal/text"
)

//go:embed page.html
var pageText string

//go:embed page.css
var style string

// page is the template of the HTML export. It escapes everything by context, except for
// the elements that markdownHTML makes.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"prose": markdownHTML, "stated": orNotStated, "when": timestamp, "upper": text.Capitalize,
		"counted": text.Count, "tone": cssClass, "warned": withWarningSign, "texts": noticeTexts,
	}).Parse(pageText))
})

// pageData is the data of the template.
type pageData struct {
	Report
	Style  template.CSS
	Policy string
}

// Whole returns a response with its texts.
func (p pageData) Whole(x Response) (Response, error) { return p.whole(x) }

// writeHTML writes the report as one page that loads nothing.
func (r Report) writeHTML(w io.Writer) error {
	sum := sha256.Sum256([]byte(style))
	policy := "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
	return page().Execute(w, pageData{r, template.CSS(style), policy}) //nolint:gosec // our own
}

// cssClass returns the class that colors the state of an attempt.
func cssClass(s debate.TurnState) string {
	switch s {
	case debate.TurnDone:
		return "good"
	case debate.TurnFailed:
		return "bad"
	case debate.TurnCancelled, debate.TurnInterrupted, debate.TurnRunning:
	}
	return "open"
}
