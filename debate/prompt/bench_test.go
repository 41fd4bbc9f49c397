package prompt_test

import (
	"fmt"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
)

// sessionWithRounds is a session of eight seats in which so many rounds have been played, and
// one more has begun.
func sessionWithRounds(t testing.TB, rounds int) debate.Session {
	t.Helper()
	s := debate.Session{
		ID: "s", Topic: "Is it so?", Nonce: "n", Rounds: rounds + 1,
		Mode: debate.Mode{Order: debate.Parallel, Rules: "r", First: "f", Later: "l", Last: "z"},
	}
	for i := range 8 {
		id := agents.ID(fmt.Sprintf("m%d", i))
		s.Seats = append(s.Seats, agents.Profile{ID: id, Name: string(id), Model: "m"})
	}
	for n := 1; n <= rounds+1; n++ {
		m, _, err := s.Begin(debate.Focus{})
		if err != nil {
			t.Fatal(err)
		}
		r := debate.Round{Number: n, Manifest: m, Hash: m.Hash()}
		if n <= rounds {
			r.Ended = time.Unix(1, 0)
			for _, p := range s.Seats {
				r.Responses = append(r.Responses, debate.Response{
					Turn: agents.Turn{Session: s.ID, Round: n, Attempt: 1, Agent: p.ID}, State: debate.TurnDone,
					Statement: debate.Statement{Body: debatetest.Prose(string(p.ID), 1200), Position: "So it is."},
				})
			}
		}
		s.History = append(s.History, r)
	}
	return s
}

func promptLength(t testing.TB, s debate.Session) int {
	n := len(s.History)
	snap, err := prompt.NewSnapshot(s, n)
	if err != nil {
		t.Fatal(err)
	}
	step := s.Mode.Steps(s.History[n-1].Manifest.Seats, n, s.Rounds)[0]
	return len(prompt.Member(s.Mode, snap, step, s.Seats[3]).Messages()[1].Text)
}

func TestPrompt_costsWhatItHolds(t *testing.T) {
	allocs := map[int]float64{}
	for _, rounds := range []int{10, 20, 40} {
		s := sessionWithRounds(t, rounds)
		allocs[rounds] = testing.AllocsPerRun(3, func() { promptLength(t, s) })
	}
	for _, rounds := range []int{10, 20} {
		if ratio := allocs[2*rounds] / allocs[rounds]; ratio > 2.3 {
			t.Errorf("%d rounds allocate %.0f times, %d rounds %.0f: more than in proportion", rounds, allocs[rounds], 2*rounds, allocs[2*rounds])
		}
	}
}

func BenchmarkPrompt(b *testing.B) {
	for _, rounds := range []int{1, 10, 25, 50} {
		s := sessionWithRounds(b, rounds)
		b.Run(fmt.Sprintf("%d rounds of 8 seats", rounds), func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n = promptLength(b, s)
			}
			b.SetBytes(int64(n))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(8*rounds), "ns/statement")
		})
	}
}
