package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
)

// compared is a debate without a verdict, in which the members know one answer.
func compared(id, answer string) debate.Session {
	return debate.Session{
		ID: id, Topic: "Should we?\x1b[2J", Rounds: 2, Mode: debate.Mode{Name: "m"},
		Seats: []agents.Profile{{ID: "ada", Name: "Ada", Provider: "p", Model: "a"}},
		Requests: []ledger.Request{{
			ID: "C1", Key: "cost", Query: "What does it cost?", Round: 1, State: ledger.Released,
			Answers:   []ledger.Answer{{Revision: 1, Outcome: ledger.Answered, Content: answer}},
			Delivered: []ledger.Delivery{{Revision: 1, Round: 2}},
		}},
	}
}

// What a member holds that was silent in the last round is of an earlier one.
func TestCompare_saysWhereAMemberSpokeLast(t *testing.T) {
	t.Parallel()
	a, b := completed(), completed()
	last := &a.History[len(a.History)-1]
	for i := range last.Responses {
		if x := &last.Responses[i]; x.Turn.Agent == "ada" {
			x.State, x.Statement = debate.TurnFailed, debate.Statement{}
		}
	}
	standing := report.Compare(a, b).Seats[0].Standing
	if !strings.HasSuffix(standing[0], ", in round 1") || strings.Contains(standing[1], "in round") {
		t.Errorf("%q", standing)
	}
}

func TestCompare_saysWhatDiffersAndWhatIsMissing(t *testing.T) {
	t.Parallel()
	a, b := compared("a1", "A week.\x1b]0;x\a"), compared("b2", "Two days.")
	b.Mode.Name, b.Seats[0].Model, b.ForkedFrom, b.ForkRound = "n", "z", "a1", 1
	b.ForkChanges = []debate.ForkChange{{Kind: debate.ForkedAnswer, Target: "C1", New: "Two days."}}
	c := report.Compare(a, b)
	var what []string
	for _, d := range c.Changed {
		what = append(what, d.What)
	}
	if got := strings.Join(what, ", "); got != "mode, model of Ada, C1" {
		t.Errorf("differ: %s", got)
	}
	if c.Outcome != "Neither debate has a verdict yet." || len(c.Missing) != 2 {
		t.Errorf("%q, %q", c.Outcome, c.Missing)
	}
	if c.Relation != `b2 is a fork of a1, from round 1: C1 answered "Two days.".` {
		t.Errorf("%q", c.Relation)
	}
	raw, err := json.Marshal(c)
	if err != nil || strings.Contains(string(raw), `\u001b`) {
		t.Errorf("%s, %v", raw, err)
	}
}
