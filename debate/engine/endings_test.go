package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/report"
	"roundtable/internal/testing/debatetest"
)

// replyHolding states the same in every round.
func replyHolding(stance string, confidence float64) replyFunc {
	return replyText(debatetest.Statement("I stay with it.", "It is so: "+stance+".", stance, confidence))
}

// endAgreed ends a debate in which all agree, blind.
func endAgreed(s *debate.Session) { s.Ends = debate.EndsAgreed }

func endSettled(s *debate.Session) { s.Ends = debate.EndsSettled }

// replyAskingLater asks from its second request on.
func replyAskingLater(query string, then replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			return then(n, req)
		}
		return replyAsking(query, then)(n, req)
	}
}

// runToEnd plays a session until its verdict and returns the number of rounds.
func (h *harness) runToEnd(s debate.Session) (debate.Session, int) {
	h.Helper()
	for s.Verdict == nil {
		_, s = h.run(s)
	}
	return s, len(s.History)
}

func TestEndings_areOffUnlessTheyAreTurnedOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 1), "b": replyHolding("yes", 1)})
	s, n := h.runToEnd(h.smallSession("collaborative", 4, func(*debate.Session) {}, "a", "b"))
	if n != 4 || s.Stopped != debate.NotStopped || s.Verdict.EndReason != "maximum of rounds" {
		t.Errorf("after %d rounds: %q, %q", n, s.Stopped, s.Verdict.EndReason)
	}
}

func TestEndings_agreementEndsTheDebateAndItsReasonIsKept(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyHolding("yes", 0.4)})
	evs, s := h.run(h.smallSession("collaborative", 4, endAgreed, "a", "b"))
	if s.Status() != debate.Complete || s.Stopped != debate.EndedByConsensus || len(s.History) != 1 {
		t.Fatalf("%s, stopped %q after %d rounds", s.Status(), s.Stopped, len(s.History))
	}
	if v := s.Verdict; v.Outcome != debate.OutcomeFull || v.EndReason != "all agree, blind" ||
		v.Stopped != debate.EndedByConsensus {
		t.Errorf("the verdict is %s, ended %q", v.Outcome, v.EndReason)
	}
	if n := noticesByCode(evs)["ended"]; len(n) != 1 || n[0].Text != "Ended: all agree, blind; + debates it." {
		t.Errorf("notices: %+v", noticesByCode(evs))
	}
	read, err := h.store.Session(t.Context(), s.ID)
	if err != nil || read.Stopped != debate.EndedByConsensus || read.Verdict.EndReason != s.Verdict.EndReason ||
		read.Ends != debate.EndsAgreed {
		t.Errorf("read back: %+v, %v", read.Verdict, err)
	}
}

func TestEndings_canBeGoneOnFrom(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyHolding("yes", 0.4)})
	_, s := h.run(h.smallSession("collaborative", 4, endAgreed, "a", "b"))
	s, err := h.store.AddRounds(t.Context(), s.ID, 2)
	if err != nil || s.Rounds != 3 || s.Stopped != debate.NotStopped || s.Verdict != nil {
		t.Fatalf("%d rounds, stopped %q, %v", s.Rounds, s.Stopped, err)
	}
	s, n := h.runToEnd(s)
	if n != 3 || s.Verdict.EndReason != "maximum of rounds" {
		t.Errorf("after %d rounds: %q", n, s.Verdict.EndReason)
	}
}

func TestEndings_whatIsNoAgreementEndsNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		lines map[string]replyFunc
		ends  debate.Ends
	}{
		{"0.95-confident, but opposed", map[string]replyFunc{
			"a": replyHolding("yes", 0.95), "b": replyHolding("no", 0.95),
			"c": replyHolding("yes", 0.95),
		}, debate.EndsAgreed},
		{"opposed, and one of them hardly sure", map[string]replyFunc{"a": replyHolding("yes", 1), "b": replyHolding("no",
			0.01), "c": replyHolding("yes", 1)}, debate.EndsAgreed},
		{"a member is missing", map[string]replyFunc{
			"a": replyHolding("yes", 1), "b": replyFailing("exploded"),
			"c": replyHolding("yes", 1),
		}, debate.EndsAgreed},
		{"one alone is left", map[string]replyFunc{
			"a": replyHolding("yes", 1), "b": replyFailing("exploded"),
			"c": replyFailing("exploded"),
		}, debate.EndsSettled},
		{"sure, without a side", map[string]replyFunc{
			"a": replyHolding("", 1), "b": replyHolding("", 1),
			"c": replyHolding("", 1),
		}, debate.EndsSettled},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, c.lines)
			s := h.smallSession("collaborative", 3, func(s *debate.Session) {
				s.Ends = c.ends
			}, "a", "b", "c")
			s, n := h.runToEnd(s)
			if n != 3 || s.Stopped != debate.NotStopped || s.Verdict.EndReason != "maximum of rounds" {
				t.Errorf("after %d rounds: %q, %q", n, s.Stopped, s.Verdict.EndReason)
			}
			for _, claim := range []string{"all agree", "Consensus"} {
				if headline := report.Headline(*s.Verdict, s); strings.Contains(headline, claim) {
					t.Errorf("the header claims %q: %s", claim, headline)
				}
			}
		})
	}
}

func TestEndings_settledIsThatNoSideChanges(t *testing.T) {
	t.Parallel()
	drifts := func(n int, req agents.Request) ([]agents.Chunk, error) {
		return replyText(debatetest.Statement("So.", "So.", "yes", 0.1+0.2*float64(n)))(n, req)
	}
	flips := func(n int, req agents.Request) ([]agents.Chunk, error) {
		return replyText(debatetest.Statement("So.", "So.", []string{"yes", "no"}[n%2], 0.6))(n, req)
	}
	settles := func(n int, req agents.Request) ([]agents.Chunk, error) {
		return replyText(debatetest.Statement("So.", "So.", []string{"yes", "no", "no"}[min(n, 3)-1], 0.6))(n, req)
	}
	for _, c := range []struct {
		name   string
		b      replyFunc
		rounds int
		ended  string
	}{
		{"all hold", replyHolding("no", 0.5), 2, "no seat changed sides in two rounds"},
		{"one flips", flips, 4, "maximum of rounds"},
		{"one becomes surer", drifts, 2, "no seat changed sides in two rounds"},
		{"one settles", settles, 3, "no seat changed sides in two rounds"},
		{"one states no side", replyHolding("", 0.5), 4, "maximum of rounds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": c.b})
			s, n := h.runToEnd(h.smallSession("collaborative", 4, endSettled, "a", "b"))
			if n != c.rounds || s.Verdict.EndReason != c.ended {
				t.Errorf("after %d rounds: %q, want %d: %q", n, s.Verdict.EndReason, c.rounds, c.ended)
			}
		})
	}
}

func TestEndings_anAbsentMemberKeepsTheOthersFromSettling(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": replyHolding("no", 0.9), "c": replyFailing("exploded")})
	s, n := h.runToEnd(h.smallSession("collaborative", 4, endSettled, "a", "b", "c"))
	if n != 4 || s.Stopped != debate.NotStopped || s.Verdict.Outcome != debate.OutcomeDegraded {
		t.Errorf("after %d rounds: stopped %q, %s", n, s.Stopped, s.Verdict.Outcome)
	}
}

func TestEndings_aRequiredRequestVetoesThem(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"a": replyAskingLater("How many?", replyHolding("yes", 0.9)),
		"b": replyHolding("yes", 0.9),
	})
	_, s := h.run(h.smallSession("collaborative", 3, endSettled, "a", "b"))
	evs, s := h.run(s)
	if s.Status() != debate.NeedsContext || s.Stopped != debate.NotStopped {
		t.Fatalf("%s, stopped %q", s.Status(), s.Stopped)
	}
	want := "No seat changed sides in two rounds, but C1 is required and open, so the debate continues."
	if n := noticesByCode(evs)["ending_vetoed"]; len(n) != 1 || n[0].Text != want {
		t.Errorf("notices: %+v", noticesByCode(evs))
	}
}

// failingNotes is a recorder that cannot keep the notices with a code.
type failingNotes struct {
	engine.Recorder
	code string
}

func (f failingNotes) Note(ctx context.Context, session string, ns ...debate.Notice) error {
	if slices.ContainsFunc(ns, func(n debate.Notice) bool { return n.Code == f.code }) {
		return errFull
	}
	return f.Recorder.Note(ctx, session, ns...)
}

// A run never ends as if nothing had been where what its ending came to is not kept.
func TestEndings_whatCannotBeKeptIsTheRunsError(t *testing.T) {
	t.Parallel()
	for code, asker := range map[string]replyFunc{
		"ending_vetoed": replyAskingLater("How many?", replyHolding("yes", 0.9)),
		"ended":         replyHolding("yes", 0.9),
	} {
		h := newHarness(t, map[string]replyFunc{"a": asker, "b": replyHolding("yes", 0.9)})
		provider := func(agents.Profile) (agents.Provider, error) { return h.provider, nil }
		h.engine = engine.New(engine.Options{
			Recorder: failingNotes{h.store, code}, Provider: provider,
			Tools: []tools.Tool{tools.RequestContext{}},
		})
		s := h.smallSession("collaborative", 3, endSettled, "a", "b")
		if _, s, err := drain(h.engine.Start(t.Context(), s)); err != nil || len(s.History) != 1 {
			t.Fatalf("%s: round 1 ended with %v", code, err)
		}
		s, err := h.store.Session(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		evs, s, err := drain(h.engine.Start(t.Context(), s))
		if !errors.Is(err, errFull) || len(noticesByCode(evs)[code]) > 0 || s.Verdict != nil {
			t.Errorf("%s: the run ended with %v, %+v, verdict %v", code, err, noticesByCode(evs), s.Verdict)
		}
	}
}

// dyingRecorder is a recorder whose process ends as soon as a round has.
type dyingRecorder struct{ engine.Recorder }

func (d dyingRecorder) EndRound(ctx context.Context, session string, n int, c *debate.SameFindings,
	ending debate.StopReason,
) (debate.Session, error) {
	if _, err := d.Recorder.EndRound(ctx, session, n, c, ending); err != nil {
		return debate.Session{}, err
	}
	return debate.Session{}, errFull
}

// An ending is recorded with the round that it comes from: a process that ends in
// between does not make the debate go on.
func TestEndings_outliveTheProcess(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyHolding("yes", 0.4)})
	provider := func(agents.Profile) (agents.Provider, error) { return h.provider, nil }
	mortal := engine.New(engine.Options{Recorder: dyingRecorder{h.store}, Provider: provider})
	s := h.smallSession("collaborative", 4, endAgreed, "a", "b")
	if _, _, err := drain(mortal.Start(t.Context(), s)); !errors.Is(err, errFull) {
		t.Fatalf("the run ended with %v", err)
	}
	s, err := h.store.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, s = h.run(s)
	if s.Status() != debate.Complete || s.Stopped != debate.EndedByConsensus || len(s.History) != 1 ||
		s.Verdict.EndReason != "all agree, blind" {
		t.Errorf("%s, stopped %q after %d rounds", s.Status(), s.Stopped, len(s.History))
	}
}

// An estimate has no side to agree on, and an evaluation plays all rounds.
func TestEndings_areNotForEstimatesAndEvaluations(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*debate.Session){
		"an estimate":   func(s *debate.Session) { s.Question = debate.QuestionEstimate },
		"an evaluation": func(s *debate.Session) { s.Eval = &debate.EvalItem{} },
	} {
		for _, ends := range debate.AllEnds() {
			h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": replyHolding("yes", 0.9)})
			s, n := h.runToEnd(h.smallSession("collaborative", 3, func(s *debate.Session) {
				s.Ends = ends
				change(s)
			}, "a", "b"))
			if n != 3 || s.Stopped != debate.NotStopped {
				t.Errorf("%s that ends %s: %d rounds, stopped %q", name, ends, n, s.Stopped)
			}
		}
	}
}
