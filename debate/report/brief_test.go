package report_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/report"
	"roundtable/internal/testing/debatetest"
)

func brief(t *testing.T, s debate.Session, f report.Format) string {
	t.Helper()
	return string(export(t, s, f, report.Options{Brief: true}))
}

func TestBrief(t *testing.T) {
	for name, s := range map[string]debate.Session{
		"review": debatetest.Reviewed(), "blocked": needsContext(),
	} {
		t.Run(name+".md", func(t *testing.T) { golden.RequireEqual(t, brief(t, s, report.Markdown)) })
		t.Run(name+".html", func(t *testing.T) {
			_, page, _ := strings.Cut(brief(t, s, report.HTML), "</style>") // the same on every page
			golden.RequireEqual(t, page)
		})
	}
}

// Citations lead to what they name, and that back to the statements.
func TestExport_linksCitationsBothWays(t *testing.T) {
	s := withEvidence()
	s.Verdict.Text += " See `[C1]`, [C1](https://example.org), [C1, F1:4] and [C77]."
	page := string(export(t, s, report.HTML, report.Options{}))
	for _, want := range []string{
		`<code>[C1]</code>`, `nofollow">C1</a>`, `[<a href="#request-C1">C1</a>, <a href="#cited-2">F1:4</a>]`, `[C77]`,
		`id="cited-2">[F1:4] main.go, cited by <a href="#verdict">the verdict</a>`, `Cited by <a href="#said-2-0">Ada, round 2</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("there is no %s", want)
		}
	}
	for _, id := range strings.Split(page, `href="#`)[1:] {
		id, _, _ = strings.Cut(id, `"`)
		if !strings.Contains(page, `id="`+id+`"`) {
			t.Errorf("a link leads to #%s, which is not there", id)
		}
	}
}

func TestExport_saysTheHeadlineOnceAndHashesInJSONOnly(t *testing.T) {
	s := withEvidence()
	for _, f := range report.Formats() {
		got := string(export(t, s, f, report.Options{}))
		if n := strings.Count(got, report.Line(s)); n != 1 && f != report.JSON {
			t.Errorf("%s has the headline %d times", f, n)
		}
		if has := strings.Contains(got, s.Evidence[0].SHA256); has != (f == report.JSON) {
			t.Errorf("%s has the hash: %t", f, has)
		}
	}
}

// A fence is of prompts alone, whoever copies it.
func TestExport_hasNoFenceAndKeepsEmoji(t *testing.T) {
	const family = "👩‍👩‍👧"
	s := completed()
	s.Nonce = "a secret"
	snap, err := prompt.NewSnapshot(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	fenced := snap.Fence("result of notes", "Kept.")
	mark, _, _ := strings.Cut(fenced, " ")
	said := &s.History[0].Responses[0]
	said.Statement.Body = "It says:\n" + fenced + "\nand " + mark + " again " + family + "."
	said.Passages = append([]debate.Passage{{Tools: []debate.ToolRecord{{
		Name: "notes", State: debate.ToolDone, Result: agents.ToolResult{Text: fenced},
	}}}}, said.Passages...)
	for _, f := range report.Formats() {
		got := string(export(t, s, f, report.Options{}))
		if strings.Contains(got, mark) || !strings.Contains(got, "Kept.") {
			t.Errorf("%s: a mark of a prompt is in it, or the text is not", f)
		}
		if !strings.Contains(got, family) {
			t.Errorf("%s: the emoji is taken apart", f)
		}
	}
}
