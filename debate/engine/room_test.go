package engine_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// auxiliaryKind is a kind of request beside the debate.
type auxiliaryKind struct {
	mode     string
	model    string // that is asked
	is       func(agents.Request) bool
	reply    replyFunc
	room     int
	succeeds func(debate.Session) bool
	failure  func(evs []debate.Event, s debate.Session) string
}

func auxiliaryKinds() map[string]auxiliaryKind {
	notice := func(code string) func([]debate.Event, debate.Session) string {
		return func(evs []debate.Event, _ debate.Session) string {
			for _, n := range noticesByCode(evs)[code] {
				return n.Text
			}
			return ""
		}
	}
	return map[string]auxiliaryKind{
		"summary": {
			"collaborative", "light", isSummary, replySummary(25), 2000,
			func(s debate.Session) bool { return len(s.Summaries) > 0 }, notice("summary_failed"),
		},
		"comparison": {
			"review", "light", asksToCompare, replyComparing, 4000,
			func(s debate.Session) bool { return len(s.History[0].Same.Groups) > 0 },
			func(_ []debate.Event, s debate.Session) string { return s.History[0].Same.Ignored },
		},
		"block": {
			"collaborative", "a", asksForBlock, replyText("```json\n{\"position\": \"So.\", \"confidence\": 0.7, \"vote\": \"yes\"}\n```"), 2000,
			func(s debate.Session) bool { return s.History[0].Latest()[0].Statement.Vote == "yes" },
			func(_ []debate.Event, s debate.Session) string {
				return strings.Join(s.History[0].Latest()[0].Statement.Notes, " ")
			},
		},
	}
}

// replyThinking takes all room of a request for its thoughts unless it has a certain room.
func replyThinking(needs int, then replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if req.MaxTokens >= needs {
			return then(n, req)
		}
		return []agents.Chunk{{Reasoning: "Hm."}, {Finish: agents.FinishLength, Usage: &agents.Usage{Input: 10, Output: req.MaxTokens}}}, nil
	}
}

// playAuxiliary plays two rounds in which a kind of request needs some room, and returns
// the requests of that kind.
func playAuxiliary(t *testing.T, k auxiliaryKind, needs int, change func(*debate.Session),
) ([]agents.Request, []debate.Event, debate.Session) {
	t.Helper()
	aside := func(speak replyFunc) replyFunc {
		return func(n int, req agents.Request) ([]agents.Chunk, error) {
			for _, other := range auxiliaryKinds() {
				switch {
				case k.is(req):
					return replyThinking(needs, k.reply)(n, req)
				case other.is(req):
					return other.reply(n, req)
				}
			}
			return speak(n, req)
		}
	}
	a := replyLong("a", 5000)
	if k.model == "a" {
		a = replyText("I hold that it is so.")
	}
	h := newHarness(t, map[string]replyFunc{"a": aside(a), "b": aside(replyLong("b", 5000)), "light": aside(replyText("So."))})
	if k.mode == "review" {
		for name, reply := range reviewers() {
			h.provider.replies[name] = aside(reply)
		}
		evs, s := h.run(h.startReview(func(s *debate.Session) {
			addLight(s)
			s.Light.ReasoningEffort = "high"
			if change != nil {
				change(s)
			}
		}))
		return h.asked(k), evs, s
	}
	h.askingAgain(h.store)
	evs, s := h.runRounds(h.smallSession(k.mode, 3, func(s *debate.Session) {
		addLight(s)
		s.Question, s.Light.ReasoningEffort, s.Seats[0].ReasoningEffort = debate.QuestionYesNo, "high", "high"
		if change != nil {
			change(s)
		}
	}, "a", "b"), 3)
	return h.asked(k), evs, s
}

// asked returns the requests of a kind.
func (h *harness) asked(k auxiliaryKind) []agents.Request {
	return slices.DeleteFunc(h.provider.requests(k.model), func(r agents.Request) bool { return !k.is(r) })
}

func TestRoom_anAnswerThatWasAllThoughtIsAskedOnceMoreWithFourTimesTheRoom(t *testing.T) {
	t.Parallel()
	for name, k := range auxiliaryKinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked, _, s := playAuxiliary(t, k, k.room+1, func(s *debate.Session) { s.Seats[0].ContextWindow = 0 })
			// Two statements may be summarised at the same time: the order between them is open.
			limits := outputLimits(asked)
			slices.Sort(limits)
			half := len(limits) / 2
			want := slices.Concat(slices.Repeat([]int{k.room}, half), slices.Repeat([]int{4 * k.room}, half))
			if half == 0 || !slices.Equal(limits, want) {
				t.Fatalf("asked %d times, with room for %v", len(asked), limits)
			}
			for _, r := range asked {
				if r.ReasoningEffort != "low" {
					t.Errorf("asked with the effort %q", r.ReasoningEffort)
				}
			}
			if !k.succeeds(s) {
				t.Error("the second answer was not used")
			}
		})
	}
}

func TestRoom_thatNeverSufficesIsToldWithTheKeyThatRaisesIt(t *testing.T) {
	t.Parallel()
	for name, k := range auxiliaryKinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked, evs, s := playAuxiliary(t, k, 1_000_000, func(s *debate.Session) { s.Seats[0].ContextWindow = 0 })
			got := k.failure(evs, s)
			if k.succeeds(s) || !strings.Contains(got, "is empty: all of its room went into thinking. Raise max_tokens of ") {
				t.Errorf("told was %q", got)
			}
			for i, r := range asked { // other statements are summarized, and other rounds compared
				if r.MaxTokens > 4*3200 && r.MaxTokens != 4*k.room || len(asked)%2 != 0 {
					t.Errorf("request %d of %d has room for %d", i+1, len(asked), r.MaxTokens)
				}
			}
		})
	}
}

func TestRoom_aHigherLimitOfTheAgentHoldsAndTheBudgetReservesTheSecondRoom(t *testing.T) {
	t.Parallel()
	k := auxiliaryKinds()["comparison"]
	asked, _, _ := playAuxiliary(t, k, 0, func(s *debate.Session) { s.Light.MaxTokens = 9000 })
	if len(asked) == 0 || asked[0].MaxTokens != 9000 {
		t.Errorf("asked with room for %v", outputLimits(asked))
	}
	h := newReview(t, replyThinking(5000, replyComparing))
	_, s := h.run(h.startReview(func(s *debate.Session) {
		addLight(s)
		s.Light.MaxTokens, s.Budget.Tokens = 4000, 15_000
	}))
	if same := s.History[0].Same; len(h.provider.requests("light")) != 1 || !strings.Contains(same.Ignored, "does not allow this call") {
		t.Errorf("asked with room for %v: %+v", outputLimits(h.provider.requests("light")), same)
	}
}

func outputLimits(asked []agents.Request) []int {
	var out []int
	for _, r := range asked {
		out = append(out, r.MaxTokens)
	}
	return out
}

// The second request for a summary has as much time as the first.
func TestRoom_eachRequestForASummaryIsTimed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{
			"a": replyLong("a", 5000), "b": replyLong("b", 5000), "light": replyThinking(5000, replySummary(25)),
		})
		h.useProvider(queuedSummaries{h.provider, 0, 20 * time.Second})
		_, s := h.runRounds(h.smallSession("collaborative", 3, func(s *debate.Session) {
			addLight(s)
		}, "a", "b"), 3)
		if len(s.Summaries) == 0 {
			t.Error("no summary was made")
		}
	})
}

// A setting that the model refuses is left out, and the summary is made all the same.
func TestRoom_aSummaryWithARefusedSettingIsSentAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		retry agents.Retry
		made  bool
	}{
		"refused setting": {agents.Retry{Cause: "does not accept temperature", Try: 1, Of: 1, Adapts: true}, true},
		"busy":            {agents.Retry{Cause: "busy", Try: 1, Of: 4}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			light := func(n int, req agents.Request) ([]agents.Chunk, error) {
				chunks, err := replySummary(25)(n, req)
				return append([]agents.Chunk{{Retry: &c.retry}}, chunks...), err
			}
			h := newHarness(t, map[string]replyFunc{
				"a": replyAlsoSummaries(light, replyLong("a", 5000)), "b": replyAlsoSummaries(light, replyLong("b", 5000)),
			})
			_, s := h.runRounds(h.smallSession("collaborative", 3, nil, "a", "b"), 3)
			if made := len(s.Summaries) > 0; made != c.made {
				t.Errorf("%d summaries were made", len(s.Summaries))
			}
		})
	}
}
