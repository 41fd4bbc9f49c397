package report_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/report"
	"roundtable/internal/testing/must"
	"roundtable/internal/text"
)

// hostile are texts that would like to be more than that.
var hostile = []string{
	"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</style><script>alert(1)</script>",
	"</title></head><body onload=alert(1)>",
	"<!-- <!-- ", "--> ]]>", "{{.Nonce}}", "</article></section></main><h2>Forged</h2>", "<style>*{display:none}</style>",
	"<base href=http://evil.example>",
	"&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62;", "javascript:alert(1)",
	"[x](javascript:alert(1)) [y](data:text/html,<b>) [z](HTTP://evil.example \"t\\\" onclick=alert(1)\")",
	"![p](http://evil.example/p.png) ![q][r]\n\n[r]: http://evil.example/q.png",
	"[D1]: http://evil.example\n[Ada]: http://evil.example \"t\"", "[C1]: http://evil.example", "<http://evil.example/?a=\"onclick=x>",
	"# Forged\n\n## Verdict\n\n**Full verdict**\n\n---\n", "\n\n> out\n\nof it\n=====\n", "`````\n# Forged\n",
	"```text\n```\n# Forged\n~~~\n", "~~~\n</code></pre>", "    code <b>\n\n\tmore",
	"| a | b |\n| - | :-: |\n| <i> | `|` |", "- [ ] task\n1. one\n   2. two\n99999. far", "1. x", "- x", "+ x", "---",
	"===", ">", "> > ", "[0](HTTP://\")", "a|b\\|c", "\\", "`", "**", "a  \nb\\\nc",
	"<a title=\"`\"> `<script>`", "<div>\n```\n<script>\n```\n</div>", "\\<b> \\\\<b> \\`<b>`", "`<b>` ``<i>` <u>``",
	"<?php x ?> <!DOCTYPE x> <![CDATA[x]]>", "www.evil.example me@evil.example https://evil.example/<b>",
	"\x1b]0;owned\a\x1b[2J \u202eright\u2066\u200b \xff\xfe \x00", "a\r\n# b\rc\u2028# d\u0085# e", "x\ty", "́",
	strings.Repeat("[", 600), strings.Repeat("> ", 100) + "x", strings.Repeat("- ", 100) + "x",
	strings.Repeat("*a **b ", 150), strings.Repeat("<a", 150), strings.Repeat("`x``", 150), strings.Repeat("\\",
		199) + "<b>", "[a](<b> \"c) ![d](", "[^1]: note\n\n[^1]", "<details open ontoggle=alert(1)>",
	"&#1;&#27;]0;x&#7; &#x202e;right &#x338;", "\u0338<b>",
}

// withText returns the session with text in the place of every string; with words,
// also in that of the words that have a meaning.
func withText(s debate.Session, text string, words bool) debate.Session {
	var fill func(reflect.Value)
	fill = func(v reflect.Value) {
		switch k := v.Kind(); {
		case k == reflect.String:
			if words || v.Type() == reflect.TypeFor[string]() {
				v.SetString(text)
			}
		case k == reflect.Pointer:
			if !v.IsNil() {
				fill(v.Elem())
			}
		case k == reflect.Slice:
			for i := range v.Len() {
				fill(v.Index(i))
			}
		case k == reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					fill(v.Field(i))
				}
			}
		}
	}
	fill(reflect.ValueOf(&s).Elem())
	return s
}

// Words that have a meaning are replaced too; FuzzHostileText leaves them as they are.
func TestHostileText_staysText(t *testing.T) {
	want := shapeOf(t, withText(ranked(), "word", true))
	for i, text := range hostile {
		t.Run(fmt.Sprint(i), func(t *testing.T) { checkShape(t, withText(ranked(), text, true), text, want) })
	}
}

func FuzzHostileText(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	short := func(text string) debate.Session { // to be quick
		s := needsContext()
		s.History[0].Responses = s.History[0].Responses[:1]
		s.Seats, s.Light, s.Notices = s.Seats[:1], nil, nil
		return withText(s, text, false)
	}
	want := shapeOf(f, short("word"))
	f.Fuzz(func(t *testing.T, text string) { checkShape(t, short(text), text, want) })
}

// shape is how an export is built, texts aside.
type shape struct {
	heads   int    // of the second level, in HTML
	outline string // of the Markdown
}

func shapeOf(t testing.TB, s debate.Session) shape {
	t.Helper()
	r := report.Of(s, report.Options{})
	page, markdown := written(t, r, report.HTML), written(t, r, report.Markdown)
	return shape{bytes.Count(page, []byte("<h2 ")), outline(markdown)}
}

// checkShape checks that a session with a text in all places is built like one with a
// harmless one.
func checkShape(t *testing.T, s debate.Session, content string, want shape) {
	t.Helper()
	if strings.TrimSpace(text.Sanitize(content)) == "" {
		return // what is empty is left out
	}
	r, raw := report.Of(s, report.Options{}), map[report.Format][]byte{}
	for _, f := range report.Formats() {
		raw[f] = written(t, r, f)
		if i := bytes.IndexFunc(raw[f], func(r rune) bool {
			return r != '\n' && r != '\t' && r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e'
		}); i >= 0 {
			t.Errorf("%s holds a control at %d: %q", f, i, raw[f][max(0, i-20):min(len(raw[f]), i+20)])
		}
	}
	problems(t, raw[report.HTML], want.heads)
	checkMarkdown(t, raw[report.Markdown])
	cites := len(cite.In(content+"["+strings.Trim(content, "[] ")+"]").Requests) > 0 // what cites is a source more
	if got := outline(raw[report.Markdown]); got != want.outline && !cites {
		t.Errorf("the document is built otherwise:\n%s\nwant\n%s\n%s", got, want.outline, raw[report.Markdown])
	}
}

// elements are all that a page may be made of, with their attributes. No text chooses one.
var elements = map[string]string{
	"html": "lang", "head": "", "meta": "charset http-equiv content name", "link": "rel href", "title": "", "style": "",
	"body": "", "nav": "aria-label", "main": "", "h1": "", "h2": "id", "h3": "", "h4": "", "h5": "", "h6": "", "p": "id",
	"ul": "", "ol": "start", "li": "", "a": "href id", "strong": "", "em": "", "del": "", "code": "class", "pre": "", "blockquote": "", "hr": "", "br": "",
	"details": "", "summary": "", "table": "", "thead": "", "tbody": "", "tr": "",
	"th": "", "td": "",
}

// problems fails for all that a page holds and should not.
func problems(t *testing.T, page []byte, wantHeads int) {
	t.Helper()
	root := must.Get(html.Parse(bytes.NewReader(page)))(t)
	heads, ids, links := 0, map[string]bool{}, map[string]bool{}
	for n := range root.Descendants() {
		switch n.Type {
		case html.CommentNode:
			t.Errorf("there is a comment: %q", n.Data)
		case html.ElementNode:
			if n.Data == "h2" && len(n.Attr) > 0 {
				heads++
			}
			if n.Data == "a" { // those of a source to what cites it stand in it
				links[attr(n, "id")+attr(n.Parent, "id")+attr(n, "href")] = true
			}
			allowed, known := elements[n.Data]
			if !known {
				t.Errorf("there is a <%s>", n.Data)
			}
			for _, a := range n.Attr {
				attribute(t, n, a, strings.Fields(allowed), ids)
			}
		case html.ErrorNode, html.TextNode, html.DocumentNode, html.DoctypeNode, html.RawNode:
		}
	}
	for link := range links {
		from, to, _ := strings.Cut(link, "#")
		if back := to + "#" + from; !ids[to] || from != "" && !links[back] {
			t.Errorf("%q leads to %q, and %q is not there", from, to, back)
		}
	}
	if heads != wantHeads {
		t.Errorf("there are %d headings of the second level, want %d", heads, wantHeads)
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func attribute(t *testing.T, n *html.Node, a html.Attribute, allowed []string, ids map[string]bool) {
	t.Helper()
	if !slices.Contains(allowed, a.Key) {
		t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
	}
	switch a.Key {
	case "class":
		if a.Val != "language-text" {
			t.Errorf("<%s> is of class %q", n.Data, a.Val)
		}
	case "href":
		if n.Data == "a" && !strings.HasPrefix(a.Val, "#") || n.Data == "link" && a.Val != "data:," {
			t.Errorf("<%s> leads to %q", n.Data, a.Val)
		}
	case "id":
		if ids[a.Val] {
			t.Errorf("%q is an id twice", a.Val)
		}
		ids[a.Val] = true
	}
}

var commonmark = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser()

// outline is what stands at the top level of a Markdown document: its headings with
// their level, and what else there is by its kind. Foreign text is in quotations or
// in code, and may be in either.
func outline(raw []byte) string {
	var b strings.Builder
	root := commonmark.Parse(gmtext.NewReader(raw))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			fmt.Fprintf(&b, "heading %d\n", n.Level)
		case *ast.Blockquote, *ast.FencedCodeBlock:
			b.WriteString("foreign\n")
		case *ast.List:
			fmt.Fprintf(&b, "list of %d\n", n.ChildCount())
		default:
			fmt.Fprintf(&b, "%s of %d\n", n.Kind(), tableRows(n))
		}
	}
	return b.String()
}

func tableRows(n ast.Node) int {
	if n.Kind().String() != "Table" {
		return 0
	}
	return n.ChildCount()
}

// checkMarkdown fails for Markdown that is more than text.
func checkMarkdown(t *testing.T, raw []byte) {
	t.Helper()
	_ = ast.Walk(commonmark.Parse(gmtext.NewReader(raw)), func(n ast.Node, entering bool) (ast.WalkStatus, error) { // it never fails
		switch n := n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock, *ast.Image, *ast.LinkReferenceDefinition:
			if entering {
				t.Errorf("there is a %s in %s", n.Kind(), raw)
			}
		}
		return ast.WalkContinue, nil
	})
}
