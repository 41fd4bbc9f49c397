package report_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
)

// askedAfter is a session with a follow-up that was answered and one that was cut off.
func askedAfter() debate.Session {
	s := completed()
	answer := func(number int, state debate.TurnState, text string) debate.Response {
		return debate.Response{
			Turn:  agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.FollowUpStep, Attempt: number, Agent: s.Seats[0].ID},
			State: state, Passages: []debate.Passage{{Text: text}},
		}
	}
	s.FollowUps = []debate.FollowUp{
		{Question: "Why?", Response: answer(1, debate.TurnDone, "Because\n\n## Verdict\nof \x1b[31mit.")},
		{Question: "And then?", Response: answer(2, debate.TurnRunning, "Half an ans")},
	}
	return s
}

func TestWrite_exportsFollowUps(t *testing.T) {
	for format, want := range map[report.Format][]string{
		report.Markdown: {
			"## Follow-up questions\n", "### 1 to Ada · ✓ done", "> Because", "> ## Verdict",
			"2 to Ada", "interrupted", "**Roundtable stopped before the answer was complete.**", "Partial text, not used:\n\n> Half an ans",
		},
		report.HTML: {
			`">Follow-up questions</h2>`, `">Follow-up questions</a>`, "1 to Ada", "Because", "! interrupted", "Partial text, not used:",
		},
		report.JSON: {`"followups": [`, `"problem": "Roundtable stopped before the answer was complete."`},
	} {
		got := string(export(t, askedAfter(), format, report.Options{}))
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s has no %q:\n%s", format, part, got)
			}
		}
		if strings.Contains(got, "\x1b") {
			t.Errorf("%s has an escape sequence", format)
		}
	}
}
