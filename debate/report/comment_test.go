package report_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	htmlrenderer "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/report"
)

func TestComment(t *testing.T) {
	compare(t, "review", debatetest.Reviewed(), report.Options{}, report.Comment, report.SARIF)
}

// hostileReview returns a review with so many findings whose texts are all the same.
func hostileReview(n int, words string) debate.Session {
	s := debatetest.Reviewed()
	one := s.Verdict.Findings.List[1]
	one.Title, one.Why, one.Fix = words, words, words
	one.Places[0].Text, one.Places[0].Stated, one.Places[0].File = words, words, words
	for i := range one.Judgements {
		one.Judgements[i].Why = words
	}
	s.Verdict.Text, s.Verdict.Headline, s.Verdict.Warnings = words, words, []string{words}
	refuted := one
	refuted.ID, refuted.State = "H0", debate.FindingRefuted
	s.Verdict.Findings.List = []debate.ReviewFinding{refuted}
	for i := range n {
		one.ID = fmt.Sprintf("H%d", i+1)
		s.Verdict.Findings.List = append(s.Verdict.Findings.List, one)
	}
	return s
}

func TestComment_isShortAndSaysWhatItCut(t *testing.T) {
	for _, n := range []int{0, 1, 40, 200} {
		for _, words := range []string{"short", strings.Repeat("*long* ", 900), strings.Repeat("&😀@a <b> `", 600), strings.Repeat("`", 5000)} {
			got := string(export(t, hostileReview(n, words), report.Comment, report.Options{}))
			if len(got) >= 60_000 {
				t.Errorf("%d findings of %.10q: %d bytes", n, words, len(got))
			}
			shown := strings.Count(got, " · medium · disputed · ")
			if cut := strings.Contains(got, "Cut to fit a comment: "); cut != (shown < n) && !strings.Contains(got, "in one line only") {
				t.Errorf("%d findings of %.10q: %d are shown, cut is %t", n, words, shown, cut)
			}
			if opened, closed := strings.Count(got, "<details>"), strings.Count(got, "</details>"); opened != closed {
				t.Errorf("%d opened, %d closed", opened, closed)
			}
		}
	}
}

// leaves reports whether an element is a link to another page.
func leaves(n *html.Node) bool {
	return n.Data == "a" && slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return strings.Contains(a.Val, "://github.com") })
}

// What GitHub makes of the comment has no element of foreign text and nobody's name.
func TestComment_foreignTextStaysInItsPlace(t *testing.T) {
	pings := regexp.MustCompile(`(?i)[@#]\w|\bgh-\d`)
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(htmlrenderer.WithUnsafe()))
	for _, words := range []string{
		"@octocat and @org/team, #12, GH-12, o/r#3", "&commat;octocat &#64;octocat &num;12", "</details></details><script>alert(1)</script>",
		"<!-- ", "```\n</details>\n@octocat", "`\n# b` @octocat`", "x\n\n</summary>\n\n<img src=x onerror=y>", "![p](https://evil.example/p.png)",
		"> - 1. </blockquote>\n</details>", "\\@octocat \\<b>", "[a]: https://evil.example\n[a]", "~~~\n@octocat\n~~~\n@octocat",
		"https://github.com/o/r/issues/3 and [x](https://github.com/o/r/issues/4) www.example.org", "<details open>",
	} {
		var page bytes.Buffer
		if err := gfm.Convert(export(t, hostileReview(2, words), report.Comment, report.Options{}), &page); err != nil {
			t.Fatal(err)
		}
		root, err := html.Parse(&page)
		if err != nil {
			t.Fatal(err)
		}
		depth, folds := 0, 0
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
				if depth > 1 || n.Data == "script" || n.Data == "img" || n.Data == "b" || leaves(n) {
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
		if folds != 4 { // two findings, those refuted, the summary
			t.Errorf("%q: %d are folded", words, folds)
		}
	}
}
