package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

//go:embed page.html
var pageText string

//go:embed page.css
var style string

var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

type pageData struct {
	Name, Policy string
	Brief        bool
	Sections     []string
	Style        template.CSS
	Body         template.HTML
}

// writeHTML writes the Markdown, in which foreign text is escaped, as a page that loads nothing.
func (r Report) writeHTML(w io.Writer) error {
	m := &markdownWriter{Report: r, page: true}
	src := []byte(m.text())
	root := markdown.Parser().Parse(text.NewReader(src))
	sum := sha256.Sum256([]byte(style))
	p := pageData{
		Name: r.session.Name(), Brief: r.inBrief, Style: template.CSS(style), //nolint:gosec // our own
		Policy: "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; base-uri 'none'; form-action 'none'",
	}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			p.Sections = append(p.Sections, string(h.Lines().Value(src)))
			h.SetAttributeString("id", fmt.Appendf(nil, "section-%d", len(p.Sections)-1))
		}
	}
	var body strings.Builder
	if err := markdown.Renderer().Render(&body, src, root); err != nil {
		return err
	}
	// A page links nothing by itself, so what breaks references on a forge is in the way of copying.
	p.Body = template.HTML(strings.ReplaceAll(body.String(), string(wordJoiner), "")) //nolint:gosec // rendered from escaped text
	return page().Execute(w, p)
}

type foldRenderer struct{}

var ourHTML = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(<details><summary>[\w, ]*</summary>|</details>)\s*$`)
})

// RegisterFuncs registers what renders blocks of HTML.
func (foldRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHTMLBlock, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if block := n.Lines().Value(src); entering && ourHTML().Match(block) {
			_, err := w.Write(block)
			return ast.WalkContinue, err
		}
		return ast.WalkContinue, nil
	})
}
