package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
)

// addResponse adds what a seat says in a phase of a round.
func addResponse(s *debate.Session, round int, seat int, phase string, side debate.Stance, more func(*debate.Statement)) {
	for len(s.History) < round {
		s.History = append(s.History, debate.Round{Number: len(s.History) + 1, Began: noon, Ended: noon})
	}
	r := &s.History[round-1]
	r.Manifest.Rounds = s.Rounds
	id, at := s.Seats[seat-1].ID, 0
	var ids []agents.ID
	for _, p := range s.Seats {
		ids = append(ids, p.ID)
	}
	for _, step := range s.Mode.Steps(ids, round, s.Rounds) {
		if step.Phase == phase && slices.Contains(step.Seats, id) {
			at = step.Index
		}
	}
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	sure := 0.6
	st := debate.Statement{Body: "So.", Position: "As " + s.Seats[seat-1].Name + " sees it.", Stance: side, Confidence: &sure}
	if more != nil {
		more(&st)
	}
	r.Responses = append(r.Responses, debate.Response{
		Turn:  agents.Turn{Session: s.ID, Round: round, Step: at, Attempt: 1, Agent: id},
		State: debate.TurnDone, Role: role.Name, Phase: phase, Statement: st,
	})
}

func TestHeader_saysWhatBallotsVotesAndScoresDecide(t *testing.T) {
	ranks := func(ballots ...[]string) func(*debate.Session) {
		return func(s *debate.Session) {
			for i := range ballots {
				addResponse(s, 1, i+1, "", debate.Yes, nil)
			}
			for i, b := range ballots {
				addResponse(s, 1, i+1, "ranking", debate.Yes, func(st *debate.Statement) { st.Ranking = b })
			}
		}
	}
	for _, c := range []struct {
		name, mode string
		seats      int
		play       func(*debate.Session)
		want       string
	}{
		{
			"one is first", "council", 3, ranks([]string{"2", "3"}, []string{"3", "1"}, []string{"2", "1"}),
			"Ranked first by points: Seat2, first on 2 of 3 ballots",
		},
		{"two are", "council", 4, ranks([]string{"2", "3", "4"}, []string{"1", "3", "4"}, []string{"1", "2", "4"},
			[]string{"2", "1", "3"}), "Tied for first by points: Seat1 and Seat2"},
		{
			"all are", "council", 3, ranks([]string{"2", "3"}, []string{"3", "1"}, []string{"1", "2"}),
			"Tie of all three by points per ballot",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sessionWithStances(t, c.mode, make([]debate.Stance, c.seats)...)
			s.History = nil
			for i := range s.Seats {
				s.Seats[i].Name = "S" + string(s.Seats[i].ID[1:])
			}
			c.play(&s)
			v, err := chairProvider{}.judge().Conclude(t.Context(), s, ignoreEvents)
			if err != nil {
				t.Fatal(err)
			}
			h := report.Headline(v, s)
			if !strings.HasPrefix(h, c.want+" · ") {
				t.Errorf("the header is %s, want it to begin with %s", h, c.want)
			}
		})
	}
}

// Both teams judge the exchange after it: what they hold then is of the verdict.
func TestConclude_keepsWhatTheTeamsHoldAfterTheExchange(t *testing.T) {
	s := sessionWithStances(t, "red-team-blue-team", make([]debate.Stance, 3)...)
	s.History, s.Rounds = nil, 2
	for round := 1; round <= 2; round++ {
		for _, phase := range []string{"", "cross-evaluation"} {
			for seat := range 3 {
				addResponse(&s, round, seat+1, phase, debate.Yes, func(st *debate.Statement) {
					if phase != "" {
						st.Stance, st.Position = debate.No, st.Position+" In the end."
					}
				})
			}
		}
	}
	x := &s.History[1].Responses[5]
	x.State, x.Statement = debate.TurnFailed, debate.Statement{}
	v, err := chairProvider{}.judge().Conclude(t.Context(), s, ignoreEvents)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range v.PhasePositions {
		got = append(got, strings.Join([]string{w.Name, w.Role, w.Phase, string(w.Stance), w.Position}, "|"))
	}
	if want := []string{
		"seat1|blue team|cross-evaluation|no|As seat1 sees it. In the end.",
		"seat2|red team|cross-evaluation|no|As seat2 sees it. In the end.",
	}; !slices.Equal(got, want) {
		t.Errorf("views\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if v.Final.Majority != debate.SideNo || v.Final.Votes[debate.SideNo] != 2 || v.Final.Votes[debate.SideYes] > 0 {
		t.Errorf("what the roles state is counted: %+v", v.Final)
	}
	if s = sessionWithStances(t, "council", debate.Yes, debate.No, debate.Yes); s.Mode.Name == "council" {
		for seat := range 3 {
			addResponse(&s, 1, seat+1, "ranking", debate.Yes, nil)
		}
		if v, err = (chairProvider{}).judge().Conclude(t.Context(), s, ignoreEvents); err != nil || len(v.PhasePositions) > 0 {
			t.Errorf("%v: ballots are views: %+v", err, v.PhasePositions)
		}
	}
}
