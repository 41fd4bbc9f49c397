package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/oracle"
)

// stoppedPanel is a debate of three rounds at most of which the second one is stopped.
type stoppedPanel struct {
	*harness
	rng   *rand.Rand
	how   string     // budget, signal or hang
	votes [][]string // by round, then by seat
	mute  []bool     // the seats that do not answer in round 2
}

// Stream answers with the vote of the seat's round, or with nothing until the call is cancelled.
func (p *stoppedPanel) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		if asksChair(req) {
			yield(agents.Chunk{Text: "## Conclusion\nSo it is.", Finish: agents.FinishStop}, nil)
			return
		}
		var round int
		if _, err := fmt.Sscanf(textAfter(req.Messages[1].Text, "This is round "), "%d", &round); err != nil {
			yield(agents.Chunk{}, err)
			return
		}
		seat := int(req.Model[0] - 'a')
		if round == 2 && p.mute[seat] {
			<-ctx.Done()
			if p.how == "hang" { // the call ends long after it was cancelled
				time.Sleep(10 * time.Second)
			}
			yield(agents.Chunk{}, ctx.Err())
			return
		}
		vote := p.votes[round-1][seat]
		text := debatetest.Statement("Well.", "It is "+vote+".", vote, 0.7)
		yield(agents.Chunk{Text: text, Usage: &agents.Usage{Input: req.Tokens(), Output: 400}, Finish: agents.FinishStop}, nil)
	}
}

// play plays the first round, and the second one until it is stopped.
func (p *stoppedPanel) play(planned int) debate.Session {
	p.Helper()
	var models []string
	for i := range p.mute {
		models = append(models, string(rune('a'+i)))
	}
	_, s := p.run(p.smallSession("collaborative", planned, func(s *debate.Session) { s.Question = debate.QuestionYesNo }, models...))
	if p.how == "budget" {
		room := debate.Budget{Tokens: 1400*len(p.mute) + 1500 + p.rng.IntN(1800*len(p.mute))}
		s, err := p.store.SetBudget(p.Context(), s.ID, room)
		if err != nil {
			p.Fatal(err)
		}
		_, s, err = drain(p.engine.Start(p.Context(), s))
		var poor *debate.BudgetError
		if err != nil && !errors.As(err, &poor) {
			p.Fatal(err)
		}
		return s
	}
	run := p.engine.Start(p.Context(), s)
	left := len(p.mute) - count(p.mute)
	if left == 0 {
		run.Stop()
	}
	for ev := range run.Events() {
		if end, ok := ev.(debate.TurnEnded); ok && end.Response.State == debate.TurnDone {
			if left--; left == 0 {
				run.Stop()
			}
		}
	}
	s, err := p.store.Repair(p.Context(), s.ID)
	if err != nil {
		p.Fatal(err)
	}
	return s
}

func count(list []bool) (n int) {
	for _, x := range list {
		if x {
			n++
		}
	}
	return n
}

// panel returns what was played in the terms of the oracle.
func (p *stoppedPanel) panel(s debate.Session) oracle.Panel {
	out := oracle.Panel{Planned: s.Rounds, Question: oracle.Question{Kind: "yes-no"}}
	switch {
	case s.Stopped == debate.StoppedByBudget:
		out.Ended = p.how
	case len(s.History) == s.Rounds && !s.Current().Ended.IsZero():
		out.Ended = "plan" // the budget was enough
	}
	var seats []int
	for i, seat := range s.Seats {
		seats = append(seats, i)
		out.Seats = append(out.Seats, oracle.Seat{ID: string(seat.ID), Name: seat.Name, Maker: "m", Model: seat.Model, Asks: true})
	}
	out.Mode = oracle.Mode{Name: "collaborative", Kind: "vote", Blind: true, Phases: []oracle.Phase{
		{Name: "answer", Votes: true, Rounds: "all", Seats: seats},
	}}
	for _, r := range s.History {
		for i, seat := range s.Seats {
			tries := r.AttemptsOf(seat.ID)
			if len(tries) == 0 {
				continue
			}
			turn := oracle.Turn{Round: r.Number, Phase: "answer", Seat: i, State: "running", Maker: "m", Model: seat.Model}
			if tries[len(tries)-1].State == debate.TurnDone {
				turn.State, turn.Vote = "done", &p.votes[r.Number-1][i]
			}
			out.Turns = append(out.Turns, turn)
		}
	}
	return out
}

// A debate that is stopped in its second round counts the newest vote of each seat, says that
// it is not whole, and meets only what no missing vote could change.
func TestStart_whatIsStoppedInRoundTwoIsCountedAsTheOracleCountsIt(t *testing.T) {
	t.Parallel()
	stopped, met := map[string]int{}, 0
	for seed := uint64(1); seed <= 54; seed++ {
		synctest.Test(t, func(t *testing.T) {
			p := &stoppedPanel{rng: rand.New(rand.NewPCG(seed, 23)), how: []string{"budget", "signal", "hang"}[seed%3]}
			seats, planned := 3+p.rng.IntN(3), 2+p.rng.IntN(2)
			for range seats {
				p.mute = append(p.mute, p.how != "budget" && p.rng.IntN(3) == 0)
			}
			if p.how != "budget" {
				p.mute[p.rng.IntN(seats)] = true
			}
			for range 3 {
				var votes []string
				for range seats {
					votes = append(votes, []string{"yes", "yes", "yes", "no", "undecided"}[p.rng.IntN(5)])
				}
				p.votes = append(p.votes, votes)
			}
			p.harness = newHarness(t, nil)
			p.useProvider(p)
			s := p.play(planned)
			isCut := func(x debate.Response) bool { return x.State != debate.TurnDone }
			if len(s.History) == 2 && slices.ContainsFunc(s.History[1].Responses, isCut) {
				stopped[p.how]++
			}
			met += p.check(seed, s)
		})
	}
	if sum := stopped["budget"] + stopped["signal"] + stopped["hang"]; sum < 40 || stopped["budget"] < 8 || met == 0 {
		t.Errorf("stopped in round 2: %v; %d demands are met", stopped, met)
	}
}

// check compares what a session comes to with what the oracle says, and returns the demands that are met.
func (p *stoppedPanel) check(seed uint64, s debate.Session) (met int) {
	played := p.panel(s)
	raw, err := json.Marshal(played)
	if err != nil {
		p.Fatal(err)
	}
	want, err := oracle.Judge(raw)
	if err != nil {
		p.Fatal(err)
	}
	c := verdict.Count(s)
	is, should := c.Result, want.Result
	got := []string{fmt.Sprint(is.Kind, is.Side, is.Count, is.Of, is.Sides, is.Undecided, c.Incomplete)}
	wanted := []string{fmt.Sprint(should.Kind, should.Side, should.Count, should.Of, should.Sides, should.Undecided, want.Incomplete)}
	for _, k := range c.Cautions {
		if k.Missing {
			got = append(got, string(k.ID))
		}
	}
	for _, k := range want.Cautions {
		if slices.Contains([]string{"not_ended", "stopped", "no_vote", "stale_vote", "unreadable_vote"}, k.ID) ||
			k.ID == "missed_turn" && played.Ended != "" {
			wanted = append(wanted, k.ID)
		}
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		p.Errorf("seed %d, %s, votes %v (-oracle +count):\n%s", seed, p.how, p.votes, diff)
	}
	for _, label := range []string{"yes", "no"} {
		is := verdict.Meets(s, verdict.Demand{Label: label})
		if is.Met != oracle.Require(played, label, false, false) {
			p.Errorf("seed %d, %s, votes %v: %q is met: %v, %s", seed, p.how, p.votes, label, is.Met, strings.Join(is.Reasons, "; "))
		}
		if is.Met {
			met++
		}
	}
	return met
}
