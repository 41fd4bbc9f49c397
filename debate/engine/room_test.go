package engine_test

import (
	"slices"
	"strings"
	"testing"

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
	h.askingAgain()
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

func TestRoom_thatDoesNotSufficeIsToldWithTheKeyThatRaisesIt(t *testing.T) {
	t.Parallel()
	for name, k := range auxiliaryKinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked, evs, s := playAuxiliary(t, k, 1_000_000, func(s *debate.Session) { s.Seats[0].ContextWindow = 0 })
			got := k.failure(evs, s)
			if k.succeeds(s) || !strings.Contains(got, "was cut at max_tokens before any text arrived. Raise max_tokens or lower reasoning_effort") {
				t.Errorf("told was %q", got)
			}
			if !slices.Contains(outputLimits(asked), k.room) {
				t.Errorf("asked with room for %v, want %d", outputLimits(asked), k.room)
			}
		})
	}
}

func TestRoom_aHigherLimitOfTheAgentHolds(t *testing.T) {
	t.Parallel()
	k := auxiliaryKinds()["comparison"]
	asked, _, _ := playAuxiliary(t, k, 0, func(s *debate.Session) { s.Light.MaxTokens = 9000 })
	if len(asked) == 0 || asked[0].MaxTokens != 9000 {
		t.Errorf("asked with room for %v", outputLimits(asked))
	}
}

func outputLimits(asked []agents.Request) []int {
	var out []int
	for _, r := range asked {
		out = append(out, r.MaxTokens)
	}
	return out
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
				return append([]agents.Chunk{{Event: c.retry}}, chunks...), err
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
