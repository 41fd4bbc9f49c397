package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

func TestBudget6_theOldestAreSummarisedFirstAndAnswersNever(t *testing.T) {
	t.Parallel()
	answer := debatetest.Prose("the user", 3000)
	lines := map[string]replyFunc{"a": replyAsking("How many?", replyLong("a", 2500)), "b": replyLong("b", 2500), "light": replySummary(25)}
	h := newHarness(t, lines)
	_, s := h.run(h.smallSession("collaborative", 5, addLight, "a", "b"))
	s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: answer})
	_, s = h.runRounds(s, 5)
	for round := 3; round <= 5; round++ {
		for _, seat := range []string{"a", "b"} {
			text := h.userPrompt(seat, round)
			if !strings.Contains(text, answer) {
				t.Fatalf("round %d, %s: the answer is not whole", round, seat)
			}
			for _, who := range []string{"a", "b"} {
				if whole := debatetest.Prose(fmt.Sprintf("%s in round %d", who, round-1), 2500); !strings.Contains(text, whole) {
					t.Errorf("round %d, %s: the last round is not whole", round, seat)
				}
			}
		}
	}
	stand := map[string]bool{}
	for _, c := range s.History[4].Responses[0].ContextFit.Excerpts {
		stand[c.Response] = true
		if c.Form != debate.FormSummary {
			t.Errorf("%s is passed on as %s", c.Response, c.Form)
		}
	}
	if !stand["r1.s0.a.a1"] || stand["r4.s0.a.a1"] {
		t.Errorf("shortened are %v", stand)
	}
	for _, x := range s.History[4].Responses {
		if x.ContextFit.Overflows() || x.ContextFit.Tokens > x.ContextFit.Limit {
			t.Errorf("%s reads %d tokens of %d", x.Turn.Agent, x.ContextFit.Tokens, x.ContextFit.Limit)
		}
	}
	receipts := must.Get(h.store.Receipts(t.Context(), s.ID))(t)
	for _, r := range receipts {
		if r.Turn.Attempt < 1 {
			t.Errorf("%s", debate.TurnID(r.Turn))
		}
	}
}

func TestBudget7_aSummaryIsUsedByItsSize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		light   replyFunc
		form    debate.ExcerptForm
		stored  bool
		percent int
		failed  string
	}{
		{"on target", replySummary(25), debate.FormSummary, true, 25, ""},
		{"long", replySummary(42), debate.FormSummary, true, 42, ""},
		{"very short", replySummary(8), debate.FormSummary, true, 8, ""},
		{"more than half", replySummary(60), debate.FormBeginning, false, 0, "more than half the statement's length"},
		{"blank", replyText(" \n "), debate.FormBeginning, false, 0, "was empty"},
		{"cut in its thoughts", replyThinking, debate.FormBeginning, false, 0, cutInThoughts},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyLong("b", 5000), "light": c.light})
			evs, s := h.runRounds(h.smallSession("collaborative", 3, addLight, "a", "b"), 3)
			got := s.History[2].Responses[0].ContextFit.Excerpts[0]
			if got.Form != c.form || got.OriginalLength != utf8.RuneCountInString(s.History[0].Responses[0].Statement.Body) {
				t.Errorf("copy = %+v, want %s", got, c.form)
			}
			shown := map[debate.ExcerptForm]string{debate.FormSummary: "[summary of ", debate.FormBeginning: "[shortened]\nCites: a book"}[c.form]
			if text := h.userPrompt("a", 3); !strings.Contains(text, shown) {
				t.Errorf("the prompt lacks %q:\n%.3000s", shown, text)
			}
			if stored := len(s.Summaries) > 0; stored != c.stored {
				t.Fatalf("summaries kept: %+v", s.Summaries)
			}
			told := noticesByCode(evs)
			if notices := told[string(c.form)]; len(notices) == 0 || !strings.Contains(notices[0].Text, " of ") {
				t.Errorf("notices = %+v", notices)
			}
			if failed := told["summary_failed"]; len(failed) > 0 != (c.failed != "") || len(failed) > 0 && !strings.Contains(failed[0].Text, c.failed) {
				t.Errorf("failed: %+v", failed)
			}
			if c.stored {
				sum := s.Summaries[0]
				if p := 100 * float64(sum.Length) / float64(sum.OriginalLength); p < float64(c.percent)-4 || p > float64(c.percent)+4 {
					t.Errorf("the stored ratio is %.0f %%, want about %d", p, c.percent)
				}
			}
		})
	}
}

func TestBudget7_whatIsShortIsNeverShortened(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 380), "b": replyLong("b", 380), "light": replySummary(25)})
	_, s := h.runRounds(h.smallSession("collaborative", 12, withLight(2400), "a", "b"), 12)
	if n := len(h.summaryRequests()); n != 0 {
		t.Errorf("%d summaries of statements under 400 characters", n)
	}
	for _, c := range s.History[11].Responses[0].ContextFit.Excerpts {
		if c.Form != debate.FormOmitted {
			t.Errorf("%s is passed on as %s", c.Response, c.Form)
		}
	}
	const gone = "[left out, since they do not fit: the statements of A, B]"
	if text := h.userPrompt("a", 12); !strings.Contains(text, gone) {
		t.Errorf("the prompt lacks %q:\n%.3000s", gone, text)
	}
}

func TestBudget8_whatASpeakerStatedIsCopiedByCode(t *testing.T) {
	t.Parallel()
	wrong := replyText("Summary: position no, confidence 0.1, cites [C9]. " + debatetest.Prose("it", 1100))
	h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyLong("b", 5000), "light": wrong})
	h.runRounds(h.smallSession("collaborative", 3, addLight, "a", "b"), 3)
	text := h.userPrompt("b", 3)
	block := text[strings.Index(text, "statement: seat 1"):]
	block = block[:strings.Index(block, " end\n")]
	for _, want := range []string{
		"Position: a holds it in round 1.",
		"[summary of 5000 characters]\nSummary: position no", "\nCites: a book\n", "round 1; confidence 0.60; vote: yes\n",
	} {
		if !strings.Contains(block, want) {
			t.Errorf("the summarised statement lacks %q:\n%s", want, block)
		}
	}
}

func TestBudget9_theCallIsBoundedAndMadeByTheLightModelOrTheAuthor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*debate.Session)
		model  string
		n      int
		bound  int // that max tokens comes to
	}{
		"light model":     {addLight, "light", 9000, 0},
		"author":          {func(*debate.Session) {}, "a", 9000, 0},
		"at most 4 x 800": {func(s *debate.Session) { addLight(s); s.Seats[0].ContextWindow = 14000 }, "light", 24000, 3200},
		"at least 2000":   {withLight(4200), "light", 2300, 2000},
	} {
		t.Run(name, func(t *testing.T) {
			talk := replyAlsoSummaries(replySummary(25), replyLong("a", c.n))
			h := newHarness(t, map[string]replyFunc{
				"a": talk, "b": replyAlsoSummaries(replySummary(25), replyLong("b", 2300)),
				"light": replySummary(25),
			})
			h.runRounds(h.smallSession("collaborative", 4, c.change, "a", "b"), 3)
			i := slices.IndexFunc(h.summaryRequests(), func(r agents.Request) bool { return strings.Contains(r.Messages[1].Text, "a in round 1") })
			if i < 0 {
				t.Fatal("no summary of what a said in round 1")
			}
			r := h.summaryRequests()[i]
			if r.Model != c.model || r.Temperature == nil || *r.Temperature != 0.5 || len(r.Tools) != 0 {
				t.Errorf("asked of %s at %v", r.Model, r.Temperature)
			}
			if want := min(max(4*(agents.Tokens(debatetest.Prose("a in round 1", c.n))*3/10), 2000), 3200); r.MaxTokens != want ||
				c.bound > 0 && want != c.bound {
				t.Errorf("max tokens = %d, want %d", r.MaxTokens, want)
			}
		})
	}
}

func TestBudget9_aHangingLightModelDelaysARoundByItsLimitAtMost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyLong("b", 5000), "c": replyLong("c", 5000)})
		light := h.holding(isSummary)
		s := h.smallSession("collaborative", 4, withLight(10800), "a", "b", "c")
		for range 4 {
			begun := time.Now()
			light.held.Store(0)
			evs, next := h.run(s)
			s = next
			if took := time.Since(begun); took > 45*time.Second {
				t.Errorf("round %d took %s", len(s.History), took)
			}
			for _, e := range eventsOf[debate.TurnEnded](evs) {
				if e.Response.State != debate.TurnDone {
					t.Errorf("round %d: %s is %s: %+v", len(s.History), e.Response.Turn.Agent, e.Response.State, e.Response.Failure)
				}
			}
			if n := len(noticesByCode(evs)["summary_failed"]); n > 1 || n == 1 != (light.held.Load() > 0) {
				t.Errorf("round %d: %d notices of failed summaries after %d calls", len(s.History), n, light.held.Load())
			}
		}
		if f := s.History[3].Responses[0].ContextFit; f == nil || f.Excerpts[0].Form != debate.FormBeginning || f.Overflows() {
			t.Errorf("fitting = %+v", f)
		}
	})
}

// Stopping a run does not wait for a provider that hangs (I19), and a prompt that was not sent has no notice.
func TestBudget10_aRunThatIsStoppedAmidASummaryTellsOfNoShortening(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyLong("b", 5000)})
		s := h.smallSession("collaborative", 3, withLight(3900), "a", "b")
		light := h.holding(isSummary)
		_, s = h.run(s)
		run, began := h.engine.Start(t.Context(), s), time.Now()
		time.AfterFunc(2*time.Second, run.Stop)
		evs, s, err := drain(run)
		if took := time.Since(began); !errors.Is(err, debate.ErrStopped) || took > 4*time.Second || light.held.Load() == 0 {
			t.Fatalf("err = %v after %s and %d summaries", err, took, light.held.Load())
		}
		if got := noticesByCode(evs); len(got) > 0 {
			t.Errorf("nothing was sent, and told was %+v", got)
		}
		if n := len(s.Notices); n > 0 {
			t.Errorf("kept are %+v", s.Notices)
		}
	})
}

// The verdict of a debate that is ended amid a summary says what that has used, however late its
// request ends.
func TestSummaries_areCountedInTheVerdictThatEndsThem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyLong("b", 5000), "boss": replyText("So it is.")})
		s := h.smallSession("collaborative", 3, func(s *debate.Session) {
			withLight(3900)(s)
			s.Chair = &agents.Profile{ID: "boss", Name: "Boss", Provider: "test", Model: "boss"} // has room for all
		}, "a", "b")
		light := h.holding(isSummary)
		light.lasts = 5 * time.Second
		_, s = h.run(s)
		run := h.engine.Start(t.Context(), s)
		time.AfterFunc(2*time.Second, run.End)
		_, s, err := drain(run)
		if err != nil || s.Verdict == nil || light.held.Load() == 0 {
			t.Fatalf("%d summaries were begun, verdict %+v, %v", light.held.Load(), s.Verdict, err)
		}
		told := budget.TotalSpending(s)
		s.Verdict = nil
		if used := budget.TotalSpending(s); told.Calls != used.Calls || told.Usage != used.Usage {
			t.Errorf("the verdict says %+v in %d calls, used are %+v in %d", told.Usage, told.Calls, used.Usage, used.Calls)
		}
	})
}

func TestBudget10_aTurnIsNotFailedByShorteningEvenWhenNothingFits(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyLong("b", 5000), "light": replyFailing("down")})
	evs, s := h.runRounds(h.smallSession("collaborative", 2, withLight(300), "a", "b"), 2)
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.State != debate.TurnDone {
				t.Errorf("round %d: %s is %s", r.Number, x.Turn.Agent, x.State)
			}
		}
	}
	if len(noticesByCode(evs)["too_long"]) == 0 {
		t.Error("nobody was told that the prompt does not fit")
	}
}

// The time of a summary does not include its wait for a place at the provider.
func TestSummaries_areTimedFromTheirPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wait, take time.Duration
		made       bool
	}{
		"after a wait":      {31 * time.Second, time.Second, true},
		"too slow":          {0, 31 * time.Second, false},
		"after a long wait": {46 * time.Second, time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, map[string]replyFunc{
					"a": replyLong("a", 5000), "b": replyLong("b", 5000), "c": replyText("c"), "light": replySummary(25),
				})
				h.useProvider(wrapped{h.provider, func(ctx context.Context, req agents.Request, yield func(agents.Chunk, error) bool) bool {
					if req.Model != "light" {
						return true
					}
					if !yield(agents.Chunk{Event: agents.Queued{Waits: true}}, nil) {
						return false
					}
					time.Sleep(c.wait)
					if !yield(agents.Chunk{Event: agents.Alive{Placed: true}}, nil) {
						return false
					}
					time.Sleep(c.take)
					return true
				}})
				_, s := h.runRounds(h.smallSession("collaborative", 4, addLight, "a", "b", "c"), 3)
				if made := len(s.Summaries) > 0; made != c.made {
					t.Errorf("%d summaries were made", len(s.Summaries))
				}
			})
		})
	}
}

// The summaries of a round have 45 seconds, which pass only while one is made.
func TestSummaries_haveTheTimeOfARoundTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		light, seat time.Duration
		made        int
	}{
		"quick":                {time.Second, time.Second, 11},
		"between long answers": {time.Second, 10 * time.Minute, 11},
		"slow":                 {28 * time.Second, time.Second, 10},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, map[string]replyFunc{
					"a": replyLong("a", 3500), "b": replyLong("b", 3500), "c": replyLong("c", 3500), "d": replyLong("d", 3500),
					"light": replySummary(25),
				})
				h.delayed(func(r agents.Request) time.Duration {
					switch {
					case r.Model != "light":
						return c.seat
					case strings.Contains(r.Messages[1].Text, " in round 2 thinks"):
						return c.light
					}
					return 0
				})
				_, s := h.runRounds(h.smallSession("socratic", 4, addLight, "a", "b", "c", "d"), 3)
				if len(s.Summaries) != c.made {
					t.Errorf("%d summaries were made, want %d", len(s.Summaries), c.made)
				}
			})
		})
	}
}

// A setting that the model refuses is left out, and the summary is made all the same.
func TestSummaries_withARefusedSettingAreSentAgain(t *testing.T) {
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
