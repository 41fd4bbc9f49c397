package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/prompt"
)

// speak has a seat say something in a step, with what the step asks for.
func (f *forum) speak(step debate.Step, seat agents.ID) {
	f.Helper()
	who, n := f.Seat(seat)
	role, _ := f.Mode.RoleOf(n, len(f.Seats))
	side := []string{"yes", "no", "neutral"}[n%3]
	if role.Fixed {
		side = string(role.Stance)
	}
	text := structured(fmt.Sprintf("%s speaks in round %d, step %d.", who.Name, f.Current().Number, step.Index), "What "+who.Name+" holds.", side, 0.5+float64(n)/10)
	asked := f.Mode.Asked(step.Phase)
	switch asked {
	case debate.AsksRanking:
		text = strings.Replace(text, `"citations"`, fmt.Sprintf(`"ranking": ["%s %d"], "citations"`, f.Mode.Label, n%3+1), 1)
	case debate.AsksScores:
		text = strings.Replace(text, `"citations"`, `"scores": [{"option": "do it", "criterion": "how hard it is to undo", "score": 7, "reason": "so"}], "citations"`, 1)
	case debate.AsksStance, debate.AsksVote:
	}
	x := debate.Response{
		Turn: agents.Turn{Session: f.ID, Round: f.Current().Number, Step: step.Index, Attempt: 1, Agent: seat},
		Role: role.Name, Phase: step.Phase, State: debate.TurnDone, Finish: agents.FinishStop, Statement: debate.ParseStatement(text),
	}
	x.Statement.Asked = asked
	f.Current().Responses = append(f.Current().Responses, x)
}

// before is the snapshot that a step starts from.
func (f *forum) before(step debate.Step) prompt.Snapshot {
	f.Helper()
	snap, err := prompt.NewSnapshot(f.Session, f.Current().Number)
	if err != nil {
		f.Fatal(err)
	}
	for _, x := range f.Current().Latest() {
		if x.Turn.Step < step.Index {
			snap = snap.With([]debate.Response{x})
		}
	}
	return snap
}

func TestPrompt_ofEveryModeInTheFirstALaterAndTheLastRound(t *testing.T) {
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		f := newForum(t, m.Name, 3, "Adams", "Brook", "Clara", "Diego")
		f.Seats[3].Persona = "You are Diego, and you doubt what Brook says."
		for _, round := range []string{"first", "later", "last"} {
			f.begin("")
			var pages []string
			shown := map[string]bool{}
			for _, step := range f.Mode.Steps(f.Current().Manifest.Seats, f.Current().Number, f.Rounds) {
				for _, seat := range slices.Backward(step.Seats) { // of each role one, who has heard the most
					who, n := f.Seat(seat)
					role, _ := f.Mode.RoleOf(n, len(f.Seats))
					if f.Mode.Divide != debate.NoList {
						role.Name = "" // one is like the other
					}
					if key := step.Phase + "/" + role.Name; !shown[key] {
						shown[key] = true
						pages = append(pages, fmt.Sprintf("##### %s, step %d %s\n%s", who.Name, step.Index, step.Phase, page(prompt.Member(f.Mode, f.before(step), step, who))))
					}
				}
				for _, seat := range step.Seats {
					f.speak(step, seat)
				}
			}
			if round == "first" {
				f.ask("diego", ledger.Question{Query: "What did Adams measure?"})
			}
			f.end()
			if round == "first" {
				f.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Adams is a city."})
			}
			t.Run(m.Name+"/"+round, func(t *testing.T) { golden.RequireEqual(t, strings.Join(pages, "\n")) })
		}
	}
}
