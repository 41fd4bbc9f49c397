package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/modes"
	"roundtable/debate/report"
)

// sessionWithStances is a session of one round in a built-in mode, in which the seats state
// these sides.
func sessionWithStances(t *testing.T, mode string, sides ...debate.Stance) debate.Session {
	t.Helper()
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	m, err := modes.Find(all, mode)
	if err != nil {
		t.Fatal(err)
	}
	s := debate.Session{ID: "s", Topic: "So?", Mode: m, Rounds: 1}
	r := debate.Round{Number: 1, Began: noon, Ended: noon}
	for i, side := range sides {
		id := agents.ID(fmt.Sprint("seat", i+1))
		s.Seats = append(s.Seats, agents.Profile{ID: id, Name: string(id)})
		sure := 0.5
		r.Responses = append(r.Responses, debate.Response{
			Turn: agents.Turn{Session: "s", Round: 1, Step: i, Attempt: 1, Agent: id}, State: debate.TurnDone,
			Statement: debate.Statement{Body: "So.", Position: "So.", Stance: side, Confidence: &sure},
		})
	}
	s.History = []debate.Round{r}
	return s
}

func TestTally_leavesOutStancesThatARolePrescribes(t *testing.T) {
	judge := engine.NewJudge(func(agents.Profile) (agents.Provider, error) { return nil, fmt.Errorf("nobody") })
	for _, c := range []struct {
		name  string
		mode  string
		sides []debate.Stance
		votes map[debate.Side]int
		level *float64
	}{
		{
			"for and against do not vote", "devils-advocate",
			[]debate.Stance{debate.Yes, debate.No, debate.Yes, debate.Yes},
			map[debate.Side]int{debate.SideYes: 2},
			new(float64(1)),
		},
		{
			"one evaluator is no agreement", "devils-advocate",
			[]debate.Stance{debate.Yes, debate.No, debate.Yes},
			map[debate.Side]int{debate.SideYes: 1},
			nil,
		},
		{"nobody votes", "devils-advocate", []debate.Stance{debate.Yes, debate.No}, map[debate.Side]int{}, nil},
		{
			"who only asks does not vote", "socratic",
			[]debate.Stance{debate.Yes, debate.No, debate.No},
			map[debate.Side]int{debate.SideNo: 2},
			new(float64(1)),
		},
		{
			"in others all vote", "delphi",
			[]debate.Stance{debate.Yes, debate.No, debate.No},
			map[debate.Side]int{debate.SideYes: 1, debate.SideNo: 2},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sessionWithStances(t, c.mode, c.sides...)
			v, err := judge.Conclude(t.Context(), s, func(agents.Turn, agents.Profile, agents.Progress) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.votes, v.Baseline.Votes); diff != "" || v.Baseline.None != (len(c.votes) == 0) {
				t.Errorf("baseline %+v (-want +got):\n%s", v.Baseline, diff)
			}
		})
	}
}

// Seats that speak for a role state sides, which are no votes: the header must not
// say that they stated none, nor call one vote an agreement.
func TestHeader_countsOnlySeatsThatVote(t *testing.T) {
	judge := engine.NewJudge(func(agents.Profile) (agents.Provider, error) { return nil, fmt.Errorf("nobody") })
	for _, c := range []struct {
		name  string
		mode  string
		sides []debate.Stance
		want  string
	}{
		{
			"one evaluator", "devils-advocate",
			[]debate.Stance{debate.Yes, debate.No, debate.Yes},
			"Yes, the only vote; 2 of 3 seats do not vote in this mode",
		},
		{
			"evaluators agree", "devils-advocate",
			[]debate.Stance{debate.Yes, debate.No, debate.Yes, debate.Yes},
			"Yes, 2 of 2 votes; 2 of 4 seats do not vote in this mode",
		},
		{
			"who only asks", "socratic",
			[]debate.Stance{debate.Yes, debate.No, debate.Yes},
			"Split: no 1, yes 1; 1 of 3 seats does not vote in this mode",
		},
		{"all vote", "delphi", []debate.Stance{debate.Yes, debate.No, debate.No}, "No, 2 of 3 votes"},
		{"nobody votes", "devils-advocate", []debate.Stance{debate.Yes, debate.No}, "No vote: the roles prescribe every side"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sessionWithStances(t, c.mode, c.sides...)
			v, err := judge.Conclude(t.Context(), s, func(agents.Turn, agents.Profile, agents.Progress) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			if got := report.Headline(v, s); !strings.HasPrefix(got, c.want+" · ") {
				t.Errorf("header %q, want it to begin with %q", got, c.want)
			}
		})
	}
}
