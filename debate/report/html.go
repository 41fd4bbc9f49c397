package report

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"net/url"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	"roundtable/debate"
	"roundtable/internal/text"
)

//go:embed page.html
var pageText string

//go:embed page.css
var style string

// page is the template of the HTML export; it escapes all but what markdownHTML makes.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"prose": markdownHTML, "stated": orNotStated, "when": timestamp, "upper": text.Capitalize,
		"counted": text.Count, "tone": cssClass, "warned": withWarningSign, "texts": noticeTexts,
		"cautions": func() string { return CautionsTitle },
	}).Parse(pageText))
})

type pageData struct {
	Report
	links
	Style  template.CSS
	Policy string
	Brief  bool
}

func (r Report) writeHTML(w io.Writer) error {
	sum := sha256.Sum256([]byte(style))
	policy := "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
	l := links{}
	if !r.inBrief {
		l = linksOf(r)
	}
	p, err := page().Clone()
	if err != nil {
		return err
	}
	p.Funcs(template.FuncMap{"prose": l.Prose})
	return p.Execute(w, pageData{r, l, template.CSS(style), policy, r.inBrief}) //nolint:gosec // our own
}

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

// htmlRenderer renders Markdown as HTML that loads nothing; only targets of links become attributes.
var htmlRenderer = renderer.NewRenderer(renderer.WithNodeRenderers(
	util.Prioritized(safeRenderer{}, 100),
	util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
	util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
	util.Prioritized(html.NewRenderer(html.WithWriter(safeWriter{html.DefaultWriter})), 1000),
))

// markdownHTML renders a model's Markdown; what is too complex to parse is shown as it is.
func markdownHTML(s string) template.HTML {
	src := []byte(s)
	var b bytes.Buffer
	if root, ok := parse(src); ok && htmlRenderer.Render(&b, src, root) == nil {
		return template.HTML(b.String()) //nolint:gosec // every node escapes its text
	}
	return template.HTML("<pre>" + template.HTMLEscapeString(s) + "</pre>") //nolint:gosec // escaped
}

// safeWriter makes text safe after character references such as &#8238; are resolved.
type safeWriter struct{ html.Writer }

// Write resolves references, escapes the text and makes it safe.
func (r safeWriter) Write(w util.BufWriter, src []byte) {
	var b bytes.Buffer
	buffer := bufio.NewWriterSize(&b, 64)
	r.Writer.Write(buffer, src)
	_ = buffer.Flush()                           // cannot fail: b is in memory
	_, _ = w.WriteString(text.Clean(b.String())) // the renderer checks the error of w itself
}

// safeRenderer renders the nodes that could affect more than their own text.
type safeRenderer struct{}

// RegisterFuncs registers the kinds of nodes it renders.
func (t safeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHeading, t.heading)
	reg.Register(ast.KindHTMLBlock, t.htmlBlock)
	reg.Register(ast.KindRawHTML, t.rawHTML)
	reg.Register(ast.KindFencedCodeBlock, t.code)
	reg.Register(ast.KindLink, t.link)
	reg.Register(ast.KindImage, t.image)
	reg.Register(ast.KindAutoLink, t.autoLink)
}

func (safeRenderer) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	level := string("456666"[min(max(n.(*ast.Heading).Level, 1), 6)-1])
	if entering {
		return write(w, "<h"+level+">")
	}
	return write(w, "</h"+level+">\n")
}

func (safeRenderer) htmlBlock(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.HTMLBlock)
	var b strings.Builder
	for _, line := range block.Lines().Sliced(0, block.Lines().Len()) {
		b.Write(line.Value(src))
	}
	if block.HasClosure() {
		b.Write(block.ClosureLine.Value(src))
	}
	return write(w, "<p class=\"raw\">"+template.HTMLEscapeString(strings.TrimSpace(b.String()))+"</p>\n")
}

func (safeRenderer) rawHTML(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	raw := n.(*ast.RawHTML)
	for i := range raw.Segments.Len() {
		s := raw.Segments.At(i)
		if status, err := write(w, template.HTMLEscapeString(string(s.Value(src)))); err != nil {
			return status, err
		}
	}
	return ast.WalkSkipChildren, nil
}

// code omits the language, which would become an attribute.
func (safeRenderer) code(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return write(w, "</code></pre>\n")
	}
	var b strings.Builder
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		b.Write(line.Value(src))
	}
	return write(w, "<pre><code>"+template.HTMLEscapeString(b.String()))
}

func (safeRenderer) link(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	target := string(n.(*ast.Link).Destination)
	switch {
	case entering && isWeb(target):
		return write(w, anchor(target))
	case entering:
		return ast.WalkContinue, nil
	case isWeb(target):
		return write(w, "</a>"+targetNote(target, textOf(n, src)))
	}
	return write(w, targetNote(target, textOf(n, src)))
}

// image renders an image as a link, so that nothing is loaded.
func (safeRenderer) image(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	target := string(n.(*ast.Image).Destination)
	alt := "image"
	if words := textOf(n, src); words != "" {
		alt += ": " + words
	}
	text := template.HTMLEscapeString(alt)
	if isWeb(target) {
		text = anchor(target) + text + "</a>"
	}
	_, err := w.WriteString(text + targetNote(target, ""))
	return ast.WalkSkipChildren, err
}

func (safeRenderer) autoLink(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := n.(*ast.AutoLink)
	label := template.HTMLEscapeString(string(link.Label(src)))
	if target := string(link.URL(src)); isWeb(target) {
		return write(w, anchor(target)+label+"</a>")
	}
	return write(w, label)
}

func anchor(target string) string {
	return `<a href="` + template.HTMLEscapeString(escapedURL(target)) + `" rel="noopener noreferrer nofollow">`
}

// targetNote shows the target of a link unless its text already does.
func targetNote(target, text string) string {
	if target == "" || target == text {
		return ""
	}
	return ` <span class="target">(` + template.HTMLEscapeString(target) + ")</span>"
}

func textOf(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if t, ok := c.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(src))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// isWeb reports whether a target, as it is written, is an address of the web.
func isWeb(target string) bool {
	u, err := url.Parse(escapedURL(target))
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

func escapedURL(target string) string { return string(util.URLEscape([]byte(target), true)) }

func write(w util.BufWriter, text string) (ast.WalkStatus, error) {
	_, err := w.WriteString(text)
	return ast.WalkContinue, err
}
