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
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
)

func TestBudget6_theOldestAreSummarisedFirstAndAnswersNever(t *testing.T) {
	answer := debatetest.Prose("the user", 3000)
	lines := map[string]line{"a": asks("How many?", long("a", 2500)), "b": long("b", 2500), "light": shortens(25)}
	tb := newTable(t, lines)
	_, s := tb.start(tb.shared("collaborative", 5, light, "a", "b"))
	s = tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: answer})
	_, s = tb.rounds(s, 5)
	for round := 3; round <= 5; round++ {
		for _, seat := range []string{"a", "b"} {
			text := tb.prompt(seat, round)
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
		if c.Form != prompt.FormSummary {
			t.Errorf("%s is handed on as %s", c.Response, c.Form)
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
}

func TestBudget7_aSummaryIsUsedByItsSize(t *testing.T) {
	for _, c := range []struct {
		name    string
		light   line
		form    debate.ExcerptForm
		off     bool // the notice says that it missed its aim
		stored  bool
		percent int
	}{
		{"on target", shortens(25), prompt.FormSummary, false, true, 25},
		{"long", shortens(42), prompt.FormSummary, true, true, 42},
		{"very short", shortens(8), prompt.FormSummary, true, true, 8},
		{"more than half", shortens(60), prompt.FormBeginning, false, false, 0},
		{"blank", says(" \n "), prompt.FormBeginning, false, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := newTable(t, map[string]line{"a": long("a", 5000), "b": long("b", 5000), "light": c.light})
			evs, s := tb.rounds(tb.shared("collaborative", 3, light, "a", "b"), 3)
			got := s.History[2].Responses[0].ContextFit.Excerpts[0]
			if got.Form != c.form || got.OriginalLength != utf8.RuneCountInString(s.History[0].Responses[0].Statement.Body) {
				t.Errorf("copy = %+v, want %s", got, c.form)
			}
			if stored := len(s.Summaries) > 0; stored != c.stored {
				t.Fatalf("summaries kept: %+v", s.Summaries)
			}
			notices := codes(evs)[string(c.form)]
			if len(notices) == 0 || strings.Contains(notices[0].Text, "The aim was") != c.off {
				t.Errorf("notices = %+v", notices)
			}
			if c.stored {
				if p := s.Summaries[0].Ratio() * 100; p < float64(c.percent)-4 || p > float64(c.percent)+4 {
					t.Errorf("the stored ratio is %.0f %%, want about %d", p, c.percent)
				}
			}
		})
	}
}

func TestBudget7_whatIsShortIsNeverShortened(t *testing.T) {
	small := func(s *debate.Session) {
		for i := range s.Seats {
			s.Seats[i].ContextWindow = 2400
		}
		light(s)
	}
	tb := newTable(t, map[string]line{"a": long("a", 380), "b": long("b", 380), "light": shortens(25)})
	_, s := tb.rounds(tb.shared("collaborative", 12, small, "a", "b"), 12)
	if n := len(tb.summaries()); n != 0 {
		t.Errorf("%d summaries of statements under 400 characters", n)
	}
	for _, c := range s.History[11].Responses[0].ContextFit.Excerpts {
		if c.Form != prompt.FormOmitted {
			t.Errorf("%s is handed on as %s", c.Response, c.Form)
		}
	}
}

func TestBudget8_whatASpeakerStatedIsCopiedByCode(t *testing.T) {
	wrong := says("Summary: position no, confidence 0.1, cites [C9]. " + debatetest.Prose("it", 1100))
	tb := newTable(t, map[string]line{"a": long("a", 5000), "b": long("b", 5000), "light": wrong})
	tb.rounds(tb.shared("collaborative", 3, light, "a", "b"), 3)
	text := tb.prompt("b", 3)
	block := text[strings.Index(text, "statement: seat 1"):]
	block = block[:strings.Index(block, " end\n")]
	for _, want := range []string{"Position: a holds it in round 1.", "[summary of 5000 characters]\nSummary: position no", "Cites: a book\n", "Confidence: 0.60   Stance: yes"} {
		if !strings.Contains(block, want) {
			t.Errorf("the summarised statement lacks %q:\n%s", want, block)
		}
	}
}

func TestBudget9_theCallIsBoundedAndMadeByTheLightModelOrTheAuthor(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*debate.Session)
		model  string
		n      int
		bound  int // that max tokens comes to
	}{
		"light model":              {light, "light", 9000, 0},
		"author":                   {func(*debate.Session) {}, "a", 9000, 0},
		"at most 800":              {func(s *debate.Session) { light(s); s.Seats[0].ContextWindow = 14000 }, "light", 24000, 800},
		"at least 200, if shorter": {light, "light", 2300, 200},
	} {
		t.Run(name, func(t *testing.T) {
			talk := with(shortens(25), long("a", c.n))
			tb := newTable(t, map[string]line{"a": talk, "b": with(shortens(25), long("b", 2300)), "light": shortens(25)})
			tb.rounds(tb.shared("collaborative", 4, c.change, "a", "b"), 4)
			i := slices.IndexFunc(tb.summaries(), func(r agents.Request) bool { return strings.Contains(r.Messages[1].Text, "a in round 1") })
			if i < 0 {
				t.Fatal("no summary of what a said in round 1")
			}
			r := tb.summaries()[i]
			if r.Model != c.model || r.Temperature == nil || *r.Temperature != 0.5 || len(r.Tools) != 0 {
				t.Errorf("asked of %s at %v", r.Model, r.Temperature)
			}
			if want := min(max(agents.Tokens(debatetest.Prose("a in round 1", c.n))*3/10, 200), 800); r.MaxTokens != want || c.bound > 0 && want != c.bound {
				t.Errorf("max tokens = %d, want %d", r.MaxTokens, want)
			}
		})
	}
}

// hanging is a provider whose light model never answers.
type hanging struct {
	*scripted
	mu    sync.Mutex
	begun int
}

func (h *hanging) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	if !isSummary(req) {
		return h.scripted.Stream(ctx, req)
	}
	return func(yield func(agents.Chunk, error) bool) {
		h.mu.Lock()
		h.begun++
		h.mu.Unlock()
		<-ctx.Done()
		yield(agents.Chunk{}, ctx.Err())
	}
}

func TestBudget9_aHangingLightModelDelaysARoundByTenSecondsAtMost(t *testing.T) {
	for _, mode := range []string{"collaborative", "adversarial"} {
		synctest.Test(t, func(t *testing.T) {
			tb := newTable(t, map[string]line{"a": long("a", 5000), "b": long("b", 5000), "c": long("c", 5000)})
			h := &hanging{scripted: tb.models}
			tb.speakThrough(h)
			wide := func(s *debate.Session) {
				light(s)
				for i := range s.Seats {
					s.Seats[i].ContextWindow = 10000
				}
			}
			s := tb.shared(mode, 4, wide, "a", "b", "c")
			for range 4 {
				begun := time.Now()
				h.begun = 0
				evs, next := tb.start(s)
				s = next
				if took := time.Since(begun); took > 20*time.Second || len(s.History) < 4 && took > 10*time.Second {
					t.Errorf("%s, round %d took %s", mode, len(s.History), took)
				}
				for _, e := range of[debate.TurnEnded](evs) {
					if e.Response.State != debate.TurnDone {
						t.Errorf("%s, round %d: %s is %s: %+v", mode, len(s.History), e.Response.Turn.Agent, e.Response.State, e.Response.Failure)
					}
				}
				if n := len(codes(evs)["summary_failed"]); n > 1 || n == 1 != (h.begun > 0) {
					t.Errorf("%s, round %d: %d notices of failed summaries after %d calls", mode, len(s.History), n, h.begun)
				}
			}
			if f := s.History[3].Responses[0].ContextFit; f == nil || f.Excerpts[0].Form != prompt.FormBeginning || f.Overflows() {
				t.Errorf("%s: fitting = %+v", mode, f)
			}
		})
	}
}

func TestBudget10_aRunThatIsStoppedAmidASummaryTellsOfNoShortening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, map[string]line{"a": long("a", 5000), "b": long("b", 5000)})
		s := tb.shared("collaborative", 3, func(s *debate.Session) {
			light(s)
			s.Seats[0].ContextWindow, s.Seats[1].ContextWindow = 3500, 3500
		}, "a", "b")
		tb.speakThrough(&hanging{scripted: tb.models})
		_, s = tb.start(s)
		run := tb.engine.Start(t.Context(), s)
		time.AfterFunc(2*time.Second, run.Stop)
		evs, s, err := play(run)
		if !errors.Is(err, debate.ErrStopped) {
			t.Fatalf("err = %v", err)
		}
		if got := codes(evs); len(got) > 0 {
			t.Errorf("nothing was sent, and told was %+v", got)
		}
		if n := len(s.Notices); n > 0 {
			t.Errorf("kept are %+v", s.Notices)
		}
	})
}

func TestBudget10_theChainGoesFromSummaryToPointsToABeginningToNothing(t *testing.T) {
	points := func(n int, req agents.Request) ([]agents.Chunk, error) {
		return says("Three things count.\n\n"+debatetest.Prose("a at length", 2400)+"\n\n- The first thing counts.\n- So does the second.\n\n"+debatetest.Prose("a in the end", 2400))(n, req)
	}
	for name, c := range map[string]struct {
		window int
		light  line
		form   debate.ExcerptForm
		want   string
	}{
		"summary":    {6000, shortens(25), prompt.FormSummary, "[summary of "},
		"key points": {6000, fails("down"), prompt.FormKeyPoints, "characters]\n- The first thing counts.\n- So does the second.\n"},
		"beginning":  {4600, fails("down"), prompt.FormBeginning, "[shortened]\nCites: a book"},
		"left out":   {3500, fails("down"), prompt.FormOmitted, "[left out, since they do not fit: all 2 statements of round 1]"},
	} {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, map[string]line{"a": points, "b": long("b", 5000), "light": c.light})
			_, s := tb.rounds(tb.shared("collaborative", 3, func(s *debate.Session) {
				light(s)
				for i := range s.Seats {
					s.Seats[i].ContextWindow = c.window
				}
			}, "a", "b"), 3)
			text := tb.prompt("a", 3)
			if !strings.Contains(text, c.want) {
				t.Errorf("the prompt lacks %q:\n%.3000s", c.want, text)
			}
			forms := map[debate.ExcerptForm]bool{}
			for _, y := range s.History[2].Responses[0].ContextFit.Excerpts {
				forms[y.Form] = true
			}
			if !forms[c.form] {
				t.Errorf("forms = %v, want %s", forms, c.form)
			}
			for _, x := range s.History[2].Responses {
				if x.State != debate.TurnDone || x.ContextFit.Overflows() {
					t.Errorf("%s is %s: %+v", x.Turn.Agent, x.State, x.Failure)
				}
			}
		})
	}
}

func TestBudget10_aTurnIsNotFailedByShorteningEvenWhenNothingFits(t *testing.T) {
	tb := newTable(t, map[string]line{"a": long("a", 5000), "b": long("b", 5000), "light": fails("down")})
	tiny := func(s *debate.Session) {
		light(s)
		for i := range s.Seats {
			s.Seats[i].ContextWindow = 300
		}
	}
	evs, s := tb.rounds(tb.shared("collaborative", 2, tiny, "a", "b"), 2)
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.State != debate.TurnDone {
				t.Errorf("round %d: %s is %s", r.Number, x.Turn.Agent, x.State)
			}
		}
	}
	if len(codes(evs)["too_long"]) == 0 {
		t.Error("nobody was told that the prompt does not fit")
	}
}
