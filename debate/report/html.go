package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	source "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"roundtable/debate"
	"roundtable/internal/text"
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
	root := markdown.Parser().Parse(source.NewReader(src))
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
	plain := strings.ReplaceAll(body.String(), string(wordJoiner), "")
	p.Body = template.HTML(linkCitations(plain, m.sources)) //nolint:gosec // rendered from escaped text
	return page().Execute(w, p)
}

// sourceMark is replaced by links to the places that cite a source.
const sourceMark = `<p id="source-%d"></p>`

var (
	// parts of a page in which nothing is linked, such as code and the name of a source, and those that may cite
	pagePart  = text.Regexp(`(?s)<code.*?</code>|<p>[^<]*</p>\s*<p id="source|<[^>]*>|Cites: [^<]*|\[[^\[\]<>]*\]`)
	citedPart = text.Regexp(`[^,;&\[\]]+`)
)

// linkCitations links what is cited and the places that cite it, both ways.
func linkCitations(body string, sources []string) string {
	places, n := make([]string, len(sources)), 0
	body = pagePart().ReplaceAllStringFunc(body, func(part string) string {
		if part[0] == '<' {
			return part
		}
		return citedPart().ReplaceAllStringFunc(part, func(words string) string {
			name := strings.TrimSpace(strings.TrimPrefix(words, "Cites: "))
			g, _ := debate.ParseCitationGroup(name)
			all := append(g.Requests, text.Each(append(g.Evidence, g.Files...), debate.Citation.String)...)
			at := slices.IndexFunc(sources, func(source string) bool { return slices.Contains(all, source) })
			if at < 0 {
				return words
			}
			n++
			places[at] += fmt.Sprintf(` <a href="#cite-%d">%[1]d</a>`, n)
			link := fmt.Sprintf(`<a id="cite-%d" href="#source-%d">%s</a>`, n, at, name)
			return strings.Replace(words, name, link, 1)
		})
	})
	for i, place := range places {
		if place != "" {
			place = fmt.Sprintf("<p id=\"source-%d\">Cited at%s</p>", i, place)
		}
		body = strings.Replace(body, fmt.Sprintf(sourceMark, i), place, 1)
	}
	return body
}

type foldRenderer struct{}

var ourHTML = text.Regexp(`^(<details><summary>[\w, ]*</summary>|</details>|<p id="source-\d+"></p>)\s*$`)

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
