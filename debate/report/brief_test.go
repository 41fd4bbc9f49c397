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
	"roundtable/internal/testing/must"
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
	snap := must.Get(prompt.NewSnapshot(s, 2))(t)
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
