package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
)

// holds states the same in every round.
func holds(stance string, confidence float64) line {
	return says(debatetest.Statement("I stay with it.", "It is so: "+stance+".", stance, confidence))
}

// level is an analysis with that level.
func level(of float64) line { return says(fmt.Sprintf(`{"level": %v}`, of)) }

// early lets the light model measure, and ends at a consensus.
func early(s *debate.Session) {
	light(s)
	s.EndConditions = debate.EndConditions{OnConsensus: true}
}

// endsAfter plays a session until its verdict and returns the number of rounds.
func (tb *table) endsAfter(s debate.Session) (debate.Session, int) {
	tb.Helper()
	for s.Verdict == nil {
		_, s = tb.start(s)
	}
	return s, len(s.History)
}

func TestEndings_areOffUnlessTheyAreTurnedOn(t *testing.T) {
	tb := newTable(t, map[string]line{"a": holds("yes", 1), "b": holds("yes", 1), "light": level(1)})
	s, n := tb.endsAfter(tb.shared("collaborative", 4, light, "a", "b"))
	if n != 4 || s.Stopped != debate.NotStopped || s.Verdict.EndReason != "maximum of rounds" {
		t.Errorf("after %d rounds: %q, %q", n, s.Stopped, s.Verdict.EndReason)
	}
}

func TestEndings_aConsensusEndsTheDebateAndItsReasonIsKept(t *testing.T) {
	tb := newTable(t, map[string]line{"a": holds("yes", 0.8), "b": holds("yes", 0.4), "light": level(0.93)})
	evs, s := tb.start(tb.shared("collaborative", 4, early, "a", "b"))
	if s.Status() != debate.Complete || s.Stopped != debate.EndedByConsensus || len(s.History) != 1 {
		t.Fatalf("%s, stopped %q after %d rounds", s.Status(), s.Stopped, len(s.History))
	}
	if v := s.Verdict; v.Outcome != debate.OutcomeFull || v.EndReason != "consensus 0.93 after round 1" || v.Stopped != debate.EndedByConsensus {
		t.Errorf("the verdict is %s, ended %q", v.Outcome, v.EndReason)
	}
	if n := codes(evs)["ended"]; len(n) != 1 || n[0].Text != "Ended: consensus 0.93 after round 1." {
		t.Errorf("notices: %+v", codes(evs))
	}
	read, err := tb.store.Session(t.Context(), s.ID)
	if err != nil || read.Stopped != debate.EndedByConsensus || read.Verdict.EndReason != s.Verdict.EndReason || !read.EndConditions.OnConsensus {
		t.Errorf("read back: %+v, %v", read.Verdict, err)
	}
}

func TestEndings_canBeGoneOnFrom(t *testing.T) {
	tb := newTable(t, map[string]line{"a": holds("yes", 0.8), "b": holds("yes", 0.4), "light": level(0.93)})
	_, s := tb.start(tb.shared("collaborative", 4, early, "a", "b"))
	s, err := tb.store.AddRounds(t.Context(), s.ID, 2)
	if err != nil || s.Rounds != 3 || s.Stopped != debate.NotStopped || s.Verdict != nil {
		t.Fatalf("%d rounds, stopped %q, %v", s.Rounds, s.Stopped, err)
	}
	s, n := tb.endsAfter(s)
	if n != 3 || s.Verdict.EndReason != "maximum of rounds" {
		t.Errorf("after %d rounds: %q", n, s.Verdict.EndReason)
	}
}

func TestEndings_whatIsNoConsensusEndsNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines map[string]line
		ends  debate.EndConditions
	}{
		{"0.95-confident, but opposed", map[string]line{"a": holds("yes", 0.95), "b": holds("no", 0.95), "c": holds("yes", 0.95), "light": level(1)}, debate.EndConditions{OnConsensus: true}},
		{"opposed, and one of them hardly sure", map[string]line{"a": holds("yes", 1), "b": holds("no", 0.01), "c": holds("yes", 1)}, debate.EndConditions{OnConsensus: true}},
		{"a member is missing", map[string]line{"a": holds("yes", 1), "b": fails("exploded"), "c": holds("yes", 1), "light": level(1)}, debate.EndConditions{OnConsensus: true}},
		{"one alone is left", map[string]line{"a": holds("yes", 1), "b": fails("exploded"), "c": fails("exploded"), "light": level(1)}, debate.EndConditions{OnConsensus: true, Convergence: true}},
		{"below the threshold", map[string]line{"a": holds("yes", 1), "b": holds("yes", 1), "c": holds("yes", 1), "light": level(0.94)}, debate.EndConditions{OnConsensus: true, Threshold: 0.95}},
		{"no analysis", map[string]line{"a": holds("yes", 1), "b": holds("yes", 1), "c": holds("yes", 1), "light": says("They agree.")}, debate.EndConditions{OnConsensus: true}},
		{"sure, without a side", map[string]line{"a": holds("", 1), "b": holds("", 1), "c": holds("", 1)}, debate.EndConditions{OnConsensus: true, Convergence: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := newTable(t, c.lines)
			s := tb.shared("collaborative", 3, func(s *debate.Session) {
				if c.lines["light"] != nil {
					light(s)
				}
				s.EndConditions = c.ends
			}, "a", "b", "c")
			s, n := tb.endsAfter(s)
			if n != 3 || s.Stopped != debate.NotStopped || s.Verdict.EndReason != "maximum of rounds" {
				t.Errorf("after %d rounds: %q, %q", n, s.Stopped, s.Verdict.EndReason)
			}
			for _, claim := range []string{"all agree", "Consensus"} {
				if h := report.Headline(*s.Verdict, s); strings.Contains(h, claim) && c.name != "below the threshold" && c.name != "no analysis" {
					t.Errorf("the header claims %q: %s", claim, h)
				}
			}
		})
	}
}

// Panels of all sizes and sides, each of them as sure as can be, never come to a
// consensus while they are opposed, whatever the light model says.
func TestEndings_sureAndOpposedPanelsNeverEndAsConsensus(t *testing.T) {
	s := debate.Session{Rounds: 9, EndConditions: debate.EndConditions{OnConsensus: true, Threshold: 0.5}}
	one := 1.0
	s.History = []debate.Round{{Number: 1, Ended: debatetest.Began}}
	for seats := 2; seats <= debate.MaxSeats; seats++ {
		for answered := 0; answered <= seats; answered++ {
			for _, opposed := range []bool{true, false} {
				s.History[0].Consensus = &debate.Consensus{Level: &one, Answered: answered, Seats: seats, Opposed: opposed}
				want := debate.NotStopped
				if answered == seats && !opposed {
					want = debate.EndedByConsensus
				}
				if got := s.Ending(); got != want {
					t.Errorf("%d of %d answered, opposed %v: %q, want %q", answered, seats, opposed, got, want)
				}
			}
		}
	}
}

func TestEndings_convergenceIsThatEveryPresentMemberHolds(t *testing.T) {
	drifts := func(n int, req agents.Request) ([]agents.Chunk, error) {
		return says(debatetest.Statement("So.", "So.", "yes", 0.1+0.2*float64(n)))(n, req)
	}
	flips := func(n int, req agents.Request) ([]agents.Chunk, error) {
		return says(debatetest.Statement("So.", "So.", []string{"yes", "no"}[n%2], 0.6))(n, req)
	}
	settles := func(n int, req agents.Request) ([]agents.Chunk, error) {
		return says(debatetest.Statement("So.", "So.", []string{"yes", "no", "no"}[min(n, 3)-1], 0.6))(n, req)
	}
	for _, c := range []struct {
		name   string
		b      line
		rounds int
		ended  string
	}{
		{"all hold", holds("no", 0.5), 2, "no position moved in round 2"},
		{"one flips", flips, 4, "maximum of rounds"},
		{"one becomes surer", drifts, 4, "maximum of rounds"},
		{"one settles", settles, 3, "no position moved in round 3"},
		{"one states no side", holds("", 0.5), 4, "maximum of rounds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := newTable(t, map[string]line{"a": holds("yes", 0.9), "b": c.b})
			s, n := tb.endsAfter(tb.shared("collaborative", 4, func(s *debate.Session) { s.EndConditions.Convergence = true }, "a", "b"))
			if n != c.rounds || s.Verdict.EndReason != c.ended {
				t.Errorf("after %d rounds: %q, want %d: %q", n, s.Verdict.EndReason, c.rounds, c.ended)
			}
		})
	}
}

func TestEndings_anAbsentMemberDoesNotKeepTheOthersFromConverging(t *testing.T) {
	tb := newTable(t, map[string]line{"a": holds("yes", 0.9), "b": holds("no", 0.9), "c": fails("exploded")})
	s, n := tb.endsAfter(tb.shared("collaborative", 4, func(s *debate.Session) { s.EndConditions.Convergence = true }, "a", "b", "c"))
	if n != 2 || s.Verdict.Outcome != debate.OutcomeDegraded || !strings.Contains(report.Headline(*s.Verdict, s), "no consensus is claimed") {
		t.Errorf("after %d rounds: %s", n, report.Headline(*s.Verdict, s))
	}
}

func TestEndings_aRequiredRequestVetoesThem(t *testing.T) {
	tb := newTable(t, map[string]line{"a": asks("How many?", holds("yes", 0.9)), "b": holds("yes", 0.9), "light": level(0.93)})
	evs, s := tb.start(tb.shared("collaborative", 3, early, "a", "b"))
	if s.Status() != debate.NeedsContext || s.Stopped != debate.NotStopped {
		t.Fatalf("%s, stopped %q", s.Status(), s.Stopped)
	}
	want := "Consensus 0.93 after round 1, but C1 is required and open: the debate goes on."
	if n := codes(evs)["ending_vetoed"]; len(n) != 1 || n[0].Text != want {
		t.Errorf("notices: %+v", codes(evs))
	}
	evs, s = tb.start(tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "42"}))
	if s.Status() != debate.Complete || s.Stopped != debate.EndedByConsensus || len(codes(evs)["ending_vetoed"]) > 0 {
		t.Errorf("with its answer: %s, stopped %q, %+v", s.Status(), s.Stopped, codes(evs))
	}
}

// forgetful is a recorder that cannot keep the notices with a code.
type forgetful struct {
	engine.Recorder
	code string
}

func (f forgetful) Note(ctx context.Context, session string, ns ...debate.Notice) error {
	if slices.ContainsFunc(ns, func(n debate.Notice) bool { return n.Code == f.code }) {
		return errFull
	}
	return f.Recorder.Note(ctx, session, ns...)
}

// A run never ends as if nothing had been where what its ending came to is not kept.
func TestEndings_whatCannotBeKeptIsTheRunsError(t *testing.T) {
	for code, asker := range map[string]line{"ending_vetoed": asks("How many?", holds("yes", 0.9)), "ended": holds("yes", 0.9)} {
		tb := newTable(t, map[string]line{"a": asker, "b": holds("yes", 0.9), "light": level(0.93)})
		provider := func(agents.Profile) (agents.Provider, error) { return tb.models, nil }
		tb.engine = engine.New(engine.Options{Recorder: forgetful{tb.store, code}, Provider: provider, Tools: []tools.Tool{tools.RequestContext{}}})
		evs, s, err := play(tb.engine.Start(t.Context(), tb.shared("collaborative", 3, early, "a", "b")))
		if !errors.Is(err, errFull) || len(codes(evs)[code]) > 0 || s.Verdict != nil {
			t.Errorf("%s: the run ended with %v, %+v, verdict %v", code, err, codes(evs), s.Verdict)
		}
	}
}

// dies is a recorder whose process ends as soon as a round has.
type dies struct{ engine.Recorder }

func (d dies) EndRound(ctx context.Context, session string, n int, c debate.Consensus) (debate.Session, error) {
	if _, err := d.Recorder.EndRound(ctx, session, n, c); err != nil {
		return debate.Session{}, err
	}
	return debate.Session{}, errFull
}

// An ending is recorded with the round that it comes from: a process that ends in
// between does not make the debate go on.
func TestEndings_outliveTheProcess(t *testing.T) {
	tb := newTable(t, map[string]line{"a": holds("yes", 0.8), "b": holds("yes", 0.4), "light": level(0.93)})
	provider := func(agents.Profile) (agents.Provider, error) { return tb.models, nil }
	mortal := engine.New(engine.Options{Recorder: dies{tb.store}, Provider: provider})
	s := tb.shared("collaborative", 4, early, "a", "b")
	if _, _, err := play(mortal.Start(t.Context(), s)); !errors.Is(err, errFull) {
		t.Fatalf("the run ended with %v", err)
	}
	s, err := tb.store.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, s = tb.start(s)
	if s.Status() != debate.Complete || s.Stopped != debate.EndedByConsensus || len(s.History) != 1 || s.Verdict.EndReason != "consensus 0.93 after round 1" {
		t.Errorf("%s, stopped %q after %d rounds", s.Status(), s.Stopped, len(s.History))
	}
}

func TestEndings_comeInTheirOrder(t *testing.T) {
	tb := newTable(t, map[string]line{"a": holds("yes", 0.9), "b": holds("yes", 0.9), "light": level(0.95)})
	s := tb.shared("collaborative", 2, func(s *debate.Session) {
		early(s)
		s.EndConditions.Convergence = true
	}, "a", "b")
	_, s = tb.start(s)
	if s.Stopped != debate.EndedByConsensus {
		t.Errorf("after round 1: %q", s.Stopped)
	}
	s, err := tb.store.AddRounds(t.Context(), s.ID, 1) // and it is the last one
	if err != nil {
		t.Fatal(err)
	}
	if _, s = tb.start(s); s.Stopped != debate.EndedByConvergence || s.Verdict.EndReason != "no position moved in round 2" {
		t.Errorf("after round 2: %q, %q", s.Stopped, s.Verdict.EndReason)
	}
}

func TestConsensus_isMeasuredAndChargedByTheLightModel(t *testing.T) {
	tb := newTable(t, map[string]line{"a": holds("yes", 0.9), "b": holds("no", 0.9), "light": level(0.4)})
	evs, s := tb.start(tb.shared("collaborative", 2, func(s *debate.Session) {
		light(s)
		price := 1000.0
		s.Light.PriceIn, s.Light.PriceOut = &price, &price
	}, "a", "b"))
	c := s.History[0].Consensus
	if c == nil || c.Level == nil || *c.Level != 0.4 || c.Method != debate.ConsensusByModel || c.Model != "light" || !c.Opposed {
		t.Fatalf("consensus %+v", c)
	}
	if len(s.AuxiliarySpending) != 1 || s.AuxiliarySpending[0].Purpose != debate.ForLight || s.AuxiliarySpending[0].Calls != 1 || *s.AuxiliarySpending[0].Cost <= 0 {
		t.Errorf("it took %+v", s.AuxiliarySpending)
	}
	for _, ev := range of[debate.TurnStarted](evs) {
		if ev.Turn.Step < 0 {
			t.Errorf("the light model is shown as a seat: %+v", ev.Turn)
		}
	}
	_, receipt, err := tb.store.Prompt(t.Context(), s.ID, agents.Turn{Session: s.ID, Round: 1, Step: debate.AnalysisStep, Attempt: 1, Agent: "light"}, 1)
	if err != nil || receipt.Purpose != debate.ForLight || !receipt.Intact {
		t.Errorf("its receipt: %+v, %v", receipt, err)
	}
	asked := len(tb.models.requests("light"))
	if read, err := tb.store.Session(t.Context(), s.ID); err != nil || *read.History[0].Consensus.Level != 0.4 || len(tb.models.requests("light")) != asked {
		t.Errorf("reading measures anew: %v", err)
	}
	_, s = tb.start(s)
	if spent := s.Verdict.Spending; len(spent) != 4 || spent[2].Purpose != debate.ForLight || spent[2].Calls != 2 {
		t.Errorf("the verdict says %+v", spent)
	}
}

func TestConsensus_thatFailsIsUnavailableAndTheRoundCounts(t *testing.T) {
	for _, c := range []struct {
		name  string
		light line
		cause string
	}{
		{"refused", fails("Light is busy."), "Light failed: Light is busy"},
		{"prose", says("They agree."), "Light gave no analysis that can be read: it holds no JSON object"},
		{"a panic", func(int, agents.Request) ([]agents.Chunk, error) { panic("oh") }, "panic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := newTable(t, map[string]line{"a": holds("yes", 0.9), "b": holds("no", 0.9), "light": c.light})
			evs, s := tb.start(tb.shared("collaborative", 2, light, "a", "b"))
			got := s.History[0].Consensus
			if got == nil || got.Method != debate.ConsensusUnavailable || got.Level != nil || !strings.Contains(got.Cause, c.cause) || s.History[0].Ended.IsZero() {
				t.Fatalf("consensus %+v", got)
			}
			if a := of[debate.Assessed](evs); len(a) != 1 || a[0].Consensus.Cause != got.Cause {
				t.Errorf("announced: %+v", a)
			}
			if _, s = tb.start(s); s.Status() != debate.Complete {
				t.Errorf("round 2: %s", s.Status())
			}
		})
	}
}

func TestConsensus_aBudgetThatTheAnalysisCouldPassIsKept(t *testing.T) {
	tb := newTable(t, map[string]line{"a": holds("yes", 0.9), "b": holds("no", 0.9), "light": level(1)})
	s := tb.shared("collaborative", 2, func(s *debate.Session) {
		light(s)
		s.Light.MaxTokens = 50_000
		s.Budget.Tokens = 12_000
	}, "a", "b")
	_, s = tb.start(s)
	if c := s.History[0].Consensus; c.Method != debate.ConsensusUnavailable || !strings.Contains(c.Cause, "The budget of 12000 tokens does not allow this call") || len(tb.models.requests("light")) != 0 {
		t.Errorf("consensus %+v", c)
	}
	if s.Status() != debate.Ready {
		t.Errorf("the session is %s", s.Status())
	}
}

// hangingLight answers its first analysis when it is cancelled, and not before.
type hangingLight struct {
	*scripted
	begun chan struct{}
	once  sync.Once
}

func (h *hangingLight) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	first := false
	if req.Model == "light" {
		h.once.Do(func() { first = true })
	}
	if !first {
		return h.scripted.Stream(ctx, req)
	}
	return func(yield func(agents.Chunk, error) bool) {
		close(h.begun)
		<-ctx.Done()
		yield(agents.Chunk{}, ctx.Err())
	}
}

func TestConsensus_thatIsStoppedIsMeasuredWhenTheRoundIsTakenUpAgain(t *testing.T) {
	tb := newTable(t, map[string]line{"a": holds("yes", 0.9), "b": holds("no", 0.9), "light": level(0.3)})
	h := &hangingLight{scripted: tb.models, begun: make(chan struct{})}
	tb.speakThrough(h)
	run := tb.engine.Start(t.Context(), tb.shared("collaborative", 2, light, "a", "b"))
	go func() {
		<-h.begun
		run.Stop()
	}()
	_, s, err := play(run)
	if !errors.Is(err, debate.ErrStopped) || s.Status() != debate.Interrupted {
		t.Fatalf("%v, %s", err, s.Status())
	}
	_, s = tb.start(s)
	if c := s.History[0].Consensus; c == nil || c.Level == nil || *c.Level != 0.3 {
		t.Errorf("consensus %+v", c)
	}
	if n := len(tb.models.requests("a")); n != 1 {
		t.Errorf("a was asked %d times", n)
	}
}

func TestConsensus_thatTakesTooLongIsUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, map[string]line{"a": holds("yes", 0.9), "b": holds("no", 0.9), "light": level(0.3)})
		tb.speakThrough(&hangingLight{scripted: tb.models, begun: make(chan struct{})})
		began := time.Now()
		_, s := tb.start(tb.shared("collaborative", 2, light, "a", "b"))
		if c := s.History[0].Consensus; c.Method != debate.ConsensusUnavailable || c.Cause != "Light did not answer within 1m0s" || time.Since(began) != time.Minute {
			t.Errorf("after %s: %+v", time.Since(began), c)
		}
		if s.AuxiliarySpending[0].Calls != 1 || s.Status() != debate.Ready {
			t.Errorf("%+v, %s", s.AuxiliarySpending, s.Status())
		}
	})
}
