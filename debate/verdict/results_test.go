package verdict_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
)

// sessionWithBallots is a panel of so many seats, each of which ranks the answers of the
// others by the ballots; a nil ballot is a seat that failed in the ranking.
func sessionWithBallots(t *testing.T, ballots [][]int) debate.Session {
	s := scriptedSession(t, "?"+strings.Repeat("|?", len(ballots)-1))
	s.Mode.Phases = []debate.Phase{{
		Name: "ranking", Order: debate.Parallel, Asks: debate.AsksRanking, First: "Rank.",
		Later: "Rank.", Last: "Rank.",
	}}
	for i, order := range ballots {
		cell := "?"
		if order == nil {
			cell = "-"
		}
		x := newResponse(t, s, agents.Turn{Session: s.ID, Round: 1, Step: 1, Attempt: 1, Agent: s.Seats[i].ID}, cell)
		x.Phase = "ranking"
		for _, seat := range order {
			x.Statement.Ranking = append(x.Statement.Ranking, s.Seats[seat].Name)
		}
		s.History[0].Responses = append(s.History[0].Responses, x)
	}
	return s
}

func TestRanking_isExactForEveryScriptedBallot(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 11))
		n := 3 + r.IntN(6)
		ballots := make([][]int, n)
		points, stood := make([]int, n), make([]int, n)
		for i := range ballots {
			if r.IntN(6) == 0 {
				continue
			}
			others := slices.DeleteFunc(r.Perm(n), func(k int) bool { return k == i })
			ballots[i] = others[:1+r.IntN(len(others))]
			for k := range stood {
				if k != i {
					stood[k]++
				}
			}
			for place, seat := range ballots[i] {
				points[seat] += n - 2 - place
			}
		}
		s := sessionWithBallots(t, ballots)
		v := concludeByAda(t, s)
		if !slices.ContainsFunc(ballots, func(b []int) bool { return b != nil }) {
			if v.Results != nil {
				t.Errorf("seed %d: without a ballot there is %+v", seed, v.Results.Ranking)
			}
			continue
		}
		for _, p := range v.Results.Ranking.Places {
			_, seat := s.Seat(p.Agent)
			better := 0
			for i, other := range points {
				if other*stood[seat-1] > points[seat-1]*stood[i] {
					better++
				}
			}
			if stood[seat-1] == 0 {
				better = -1
			}
			if p.Points != points[seat-1] || p.Stood != stood[seat-1] || p.Place != better+1 {
				t.Errorf("seed %d: %s has %d points on %d ballots in place %d, want %d on %d in place %d\n%v", seed, p.Agent, p.Points, p.Stood,
					p.Place, points[seat-1], stood[seat-1], better+1, ballots)
			}
		}
		missing := slices.ContainsFunc(ballots, func(b []int) bool { return b == nil })
		if h := report.Headline(v, s); strings.Contains(h, "missed a turn") != missing ||
			(v.Outcome == debate.OutcomeDegraded) != missing {
			t.Errorf("seed %d: a ballot is missing is %v, the header says %s", seed, missing, h)
		}
	}
}

func TestResults_areTold(t *testing.T) {
	r := &debate.Results{
		Ranking: &debate.Ranking{
			Round: 2,
			Ballots: []debate.Ballot{
				{Agent: "ada", Order: []agents.ID{"brook"}}, {Agent: "brook", Order: []agents.ID{"ada"}}, {Agent: "cy"},
			},
			Places: []debate.Place{{Agent: "ada", Place: 1, Points: 2}, {Agent: "brook", Place: 2, Points: 1}, {Agent: "cy", Place: 2, Points: 1}},
		},
	}
	want := []string{
		"Ranking of round 2, by points per ballot on which an answer could stand, 2 of 3 ballots: 1. ADA, 2; 2. BROOK, 1; 2. CY, 1.",
	}
	if got := verdict.ResultLines(r, func(id agents.ID) string { return strings.ToUpper(string(id)) }); !slices.Equal(got, want) {
		t.Errorf("got %s", strings.Join(got, "\n"))
	}
	if got := verdict.ResultLines((*debate.Results)(nil), func(id agents.ID) string { return fmt.Sprint(id) }); got != nil {
		t.Errorf("without any: %q", got)
	}
}

func TestConclude_tellsTheChairWhatTheBallotsComeTo(t *testing.T) {
	s := sessionWithBallots(t, [][]int{{1, 2}, {2, 0}, {1, 0}})
	s.Mode.Votes = "ranking"
	s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Model: "z"}
	told := ""
	_, err := chairProvider{"z": "So."}.judge().Conclude(t.Context(), s, func(_ agents.Turn, _ agents.Profile, p agents.Progress) error {
		if sending, ok := p.(agents.Sending); ok {
			told = sending.Request.Messages[1].Text
		}
		return nil
	})
	if err != nil || !strings.Contains(told, "Brook first by points, 2 (Cy 1, Ada 0), 3 of 3") {
		t.Errorf("%v: the chair is sent\n%s", err, told)
	}
	v, err := chairProvider{}.judge().Conclude(t.Context(), s, ignoreEvents)
	if err != nil || !strings.Contains(v.Text, "## Ballots, votes and scores\n\n- Ranking of round 1") {
		t.Errorf("%v: the computed report is\n%s", err, v.Text)
	}
}

func TestConclude_namesTheMembersWhereTheChairKnowsLabelsAlone(t *testing.T) {
	s := scriptedSession(t, "yes 1|no 1")
	s.Mode.Label = "Member"
	s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Model: "z"}
	v, err := chairProvider{"z": "member 2 dissents, **Member 1** does not; Member 12 is nobody."}.judge().Conclude(t.Context(), s, ignoreEvents)
	if want := "Brook dissents, **Ada** does not; Member 12 is nobody."; err != nil || v.Text != want {
		t.Errorf("%v: %q, want %q", err, v.Text, want)
	}
}
