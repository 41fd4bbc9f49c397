package report_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	htmlrenderer "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
	"roundtable/internal/text"
)

func TestComment(t *testing.T) {
	compare(t, "review", debatetest.Reviewed(), report.Options{Version: "v1.2.3"}, report.Comment, report.SARIF)
}

// hostileReview returns a review with n findings that have the same words in every field, cut to
// the lengths that a statement allows.
func hostileReview(n int, words string) debate.Session {
	const longTitle, longPlace, longText = 160, 200, 1200
	s := debatetest.Reviewed()
	s.Evidence, s.Verdict.Text, s.Verdict.Notes = nil, words, []string{words}
	first, second := s.History[0].Responses, s.History[1].Responses
	for i := range first {
		first[i].Statement.Findings, second[i].Statement.Judgements = nil, nil
	}
	for i := range n + 1 { // the first is refuted, the others are disputed
		first[0].Statement.Findings = append(first[0].Statement.Findings, debate.Finding{
			Title: fmt.Sprintf("%s %d", text.Head(words, longTitle), i), Where: text.Head(words, longPlace), Severity: debate.SeverityMedium,
			Why: text.Head(words, longText), Fix: text.Head(words, longText),
		})
		for judge, holds := range []debate.Opinion{debate.OpinionYes, debate.OpinionNo} {
			if i == 0 {
				holds = debate.OpinionNo
			}
			judged := &second[judge+1].Statement.Judgements
			*judged = append(*judged, debate.Judgement{Finding: fmt.Sprintf("H%d", i+1), True: holds, Why: text.Head(words, longText)})
		}
	}
	return s
}

func TestComment_isShortAndSaysWhatItCut(t *testing.T) {
	for _, n := range []int{0, 1, 40} {
		for _, words := range []string{"short", strings.Repeat("*long* ", 900), strings.Repeat("&😀@a <b> `", 600), strings.Repeat("`", 5000)} {
			got := string(export(t, hostileReview(n, words), report.Comment, report.Options{}))
			if len(got) >= 60_000 {
				t.Errorf("%d findings of %.10q: %d bytes", n, words, len(got))
			}
			shown := strings.Count(got, " · medium · disputed · ")
			if cut := strings.Contains(got, "a comment has no room for more"); cut != (shown < n) {
				t.Errorf("%d findings of %.10q: %d are shown, cut is %t", n, words, shown, cut)
			}
			if opened, closed := strings.Count(got, "<details>"), strings.Count(got, "</details>"); opened != closed {
				t.Errorf("%d opened, %d closed", opened, closed)
			}
		}
	}
}

// pieces are what foreign texts are made of that would like to be more than text.
var pieces = []string{
	"@octocat", "@org/team", "#12", "GH-12", "gh-7", "o/r#3", "!45", "%7", "~bug", "&12", "$9", ":tada:", "owner/repo@0123abc", "deadbeef1", "1234567",
	"0123456789abcdef0123456789abcdef01234567", "www.evil.example", "WWW.evil.example", "https://evil.example/a?b=c", "ftp://x.example", "mailto:a@b.example", "a@b.example",
	"[x](https://evil.example)", "![p](https://evil.example/p.png)", "[a]: https://evil.example\n", "[a]", "[[wiki]]", "[^1]: note\n", "[^1]", "<https://evil.example>",
	"<b>", "</details>", "<details>", "</summary>", "<script>alert(1)</script>", "<img src=x onerror=y>", "<!-- ", "-->", "<?php ?>", "<![CDATA[", "<div>\n",
	"&commat;octocat", "&#64;octocat", "&num;12", "&lt;b&gt;", "$x^2$", "$$\nx\n$$\n", "`", "``", "```", "```\n", "~~~\n", "````text\n", "\n    code", "\n", "\n\n",
	"> ", ">>>\n", "- ", "1. ", "+ ", "* ", "# ", "---\n", "===\n", "| a | b |\n| - | - |\n| c | d |\n", "- [ ] ", "*", "**", "_", "~", "\\", "\\\\", "\t", " ", "\u2060", "\u200b",
	"/label ~bug\n", "word", "x", "{{.}}", "\r", "\u2028", "😀", "é",
}

func foreignText(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(14) {
		if r.IntN(6) == 0 {
			b.WriteRune(rune(32 + r.IntN(95)))
		} else {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
	}
	return b.String()
}

var (
	// pings match what a forge takes for a person, a reference, an address, a formula or a commit.
	pings = regexp.MustCompile(`[@#!%~&$:][\pL\pN/\[("]|\b(?i:gh-\d|www\.)|[0-9a-fA-F]{7}`)
	gfm   = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithRendererOptions(htmlrenderer.WithUnsafe()))
)

// checkForeign checks that what a forge makes of Markdown has no element that foreign text made,
// and nothing outside of code that notifies somebody or leads elsewhere. It returns how much is
// folded.
func checkForeign(t *testing.T, words string, raw []byte) (folds int) {
	t.Helper()
	var page bytes.Buffer
	must.Do(t, gfm.Convert(raw, &page))
	root := must.Get(html.Parse(&page))(t)
	const ours = " html head body details summary p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del br hr table thead tbody tr th td "
	depth := 0
	var walk func(n *html.Node, code bool)
	walk = func(n *html.Node, code bool) {
		switch {
		case n.Type == html.ElementNode:
			code = code || n.Data == "code"
			if n.Data == "details" {
				folds++
				depth++
				defer func() { depth-- }()
			}
			if !strings.Contains(ours, " "+n.Data+" ") || depth > 1 {
				t.Errorf("%q makes a %s at depth %d", words, n.Data, depth)
			}
		case n.Type == html.CommentNode:
			t.Errorf("%q makes a comment", words)
		case n.Type == html.TextNode && !code && pings.MatchString(n.Data):
			t.Errorf("%q is linked in %q", words, n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, code)
		}
	}
	walk(root, false)
	return folds
}

// What a forge makes of the comment and of the Markdown export has no link, no image and no
// element of foreign text, and no mention.
func TestMarkdown_foreignTextStaysInItsPlace(t *testing.T) {
	texts := []string{
		"@octocat and @org/team, #12, GH-12, o/r#3", "&commat;octocat &#64;octocat &num;12", "</details></details><script>alert(1)</script>",
		"```\n</details>\n@octocat", "`\n# b` @octocat`", "x\n\n</summary>\n\n<img src=x onerror=y>", "> - 1. </blockquote>\n</details>", "\\@octocat \\<b>",
		"~~~\n@octocat\n~~~\n@octocat", "[run](javascript:alert(1)) [*run*](\\javascript:x)", "<details open>", "[run](\njava&#115;cript:x)",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for len(texts) < 200 {
		texts = append(texts, foreignText(r))
	}
	for _, words := range texts {
		if strings.TrimSpace(text.Sanitize(words)) == "" {
			continue // what is empty is left out
		}
		whole := report.Of(hostileReview(2, words), report.Options{})
		folds := checkForeign(t, words, written(t, whole, report.Comment))
		if folds != 4 { // two findings, those refuted, the summary
			t.Errorf("%q: %d are folded", words, folds)
		}
		checkForeign(t, words, written(t, whole, report.Markdown))
		if t.Failed() {
			return
		}
	}
}

// Code of a statement stays whole, with its blank lines and with marks that close nothing.
func TestMarkdown_quotesCodeAsItIs(t *testing.T) {
	for body, want := range map[string]string{
		"```go\nfunc a() {}\n\nfunc b() {}\n```\n\nThen prose.": "> ```text\n> func a() {}\n>\n> func b() {}\n> ```\n>\n> Then prose.\n",
		"~~~\na\n\nb\n~~~\nafter":                               "> ```text\n> a\n>\n> b\n> ```\n> after\n",
		"```x := 1``` is all.\nNext.":                           "is all.\n> Next.\n",
		"````\n```\nin it\n````\nafter":                         "in it\n> ````\n> after\n",
	} {
		s := completed()
		s.Verdict.Text = body
		if got := string(export(t, s, report.Markdown, report.Options{})); !strings.Contains(got, want) {
			_, part, _ := strings.Cut(got, "## Verdict")
			t.Errorf("%q\nis not quoted as\n%s\nin%.600s", body, want, part)
		}
	}
}
