package engine_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// replyBlock answers with a text and a JSON block.
func replyBlock(text, block string) replyFunc {
	return replyText(text + "\n\n```json\n" + block + "\n```")
}

// replyByRound answers as the round asks for.
func replyByRound(rounds ...replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		for i, reply := range rounds {
			if strings.Contains(req.Messages[1].Text, "This is round "+string(rune('1'+i))+" of ") {
				return reply(n, req)
			}
		}
		return rounds[len(rounds)-1](n, req)
	}
}

// What a critique comes to: the author's text, who objected, and what the author did about it.
func TestCritique_comesToTheAuthorsText(t *testing.T) {
	t.Parallel()
	draft := replyBlock("The plan.", `{"position":"Go.","confidence":0.7}`)
	final := func(replies string) replyFunc {
		return replyByRound(draft, replyBlock("The better plan.", `{"position":"Go.","confidence":0.8,"replies":[`+replies+`]}`))
	}
	one := replyBlock("Nearly.", `{"position":"Nearly.","concerns":[{"title":"No date","where":"line 2","why":"It slips.","settles":"A date."}]}`)
	none := replyBlock("Fine.", `{"position":"Fine.","concerns":[]}`)
	const accept, ask = `{"concern":"H1","does":"accept","reason":"Dated."}`, `{"concern":"H1","does":"ask","reason":"You know."}`
	for _, c := range []struct {
		name            string
		author, b, c    replyFunc
		line, did, text string
		answered        bool
	}{
		{"answered", final(accept), one, none, "ANN's answer after 2 critics", "accepted", "The better plan.", true},
		{"the user decides", final(ask), one, none, "ANN's answer after 2 critics", "asks you", "The better plan.", false},
		{"ignored", final(""), one, none, "ANN's answer after 2 critics · incomplete (no reply: H1)", "no reply", "The better plan.", false},
		{
			"a critic fails", final(accept), one, replyFailing("down"),
			"ANN's answer after 1 critic · incomplete (no readable concerns: CY)", "accepted", "The better plan.", false,
		},
		{"nothing is wrong", final(""), none, none, "ANN's answer after 2 critics", "", "The better plan.", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, map[string]replyFunc{"ann": c.author, "bo": c.b, "cy": c.c})
			_, s := h.runToVerdict(h.session("critique", 2, "ann", "bo", "cy"))
			conclusion := report.Conclude(s, text.Clean)
			if got := conclusion.Line.String(); got != c.line || s.Verdict.Text != c.text || len(h.provider.requests("ann")) != 2 {
				t.Errorf("%q, %q after %d requests to the author", got, s.Verdict.Text, len(h.provider.requests("ann")))
			}
			did := ""
			for _, row := range conclusion.Table.Rows {
				did += row[len(row)-1]
			}
			if did != c.did {
				t.Errorf("the table is %v", conclusion.Table)
			}
			if f := verdict.Meets(s, verdict.Demand{Label: verdict.CritiqueAnswered}); f.Met != c.answered {
				t.Errorf("--require answered is met: %v %v", f.Met, f.Reasons)
			}
		})
	}
}
