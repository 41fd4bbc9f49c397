package engine_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/debatetest"
)

// sessionWithLight gives a session a light model.
func (h *harness) sessionWithLight(s debate.Session) debate.Session {
	h.Helper()
	s.ID, s.Light = "", &agents.Profile{ID: "light", Name: "Light", Provider: "test", Model: "light"}
	s, err := h.store.Create(h.Context(), s)
	if err != nil {
		h.Fatal(err)
	}
	return s
}

// withOptions gives a mode that compares options its own ones, so that no model is asked
// for them.
func withOptions(t *testing.T, m debate.Mode) debate.Mode {
	t.Helper()
	if len(m.Options) == 0 {
		return m
	}
	m, err := m.WithList(debate.OptionsList, m.Options)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFill_theLightModelNamesPerspectivesOnceAndTheyStay(t *testing.T) {
	t.Parallel()
	named := 0
	light := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if !strings.Contains(req.Messages[1].Text, `{"perspectives": ["`) {
			return replyText(`{"level": 1}`)(n, req)
		}
		named++
		return replyText("Here:\n```json\n{\"perspectives\": [\"the law\\u0007 of\\n land\", \"money\", \"money\"]}\n```")(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"light": light, "m1": replyText("So."), "m2": replyText("So."), "m3": replyText("So.")})
	evs, s := h.run(h.sessionWithLight(h.seatedSession("expert-panel", 2, 3)))
	_, s = h.run(s)
	if named != 1 || strings.Join(s.Mode.Perspectives, "|") != "the law of land|money" {
		t.Errorf("it was asked %d times, perspectives %q", named, s.Mode.Perspectives)
	}
	for _, r := range s.History {
		for i, want := range []string{"the law of land", "money", "the law of land"} {
			if got := r.Responses[i].Role; got != want {
				t.Errorf("round %d, seat %d looks from %q, want %q", r.Number, i+1, got, want)
			}
		}
	}
	if n := noticesByCode(evs)["lists"]; len(n) != 1 || n[0].Text != "Light chose for this question: perspectives the law of land, money." {
		t.Errorf("notices %+v", n)
	}
	for _, m := range []string{"m1", "m2"} {
		for _, req := range h.provider.requests(m) {
			if strings.Contains(req.Messages[0].Text, "You are the chair") {
				continue
			}
			if want := map[string]string{"m1": "the law of land", "m2": "money"}[m]; !strings.Contains(req.Messages[1].Text,
				"Your role: "+want+". ") {
				t.Errorf("%s is not told %q:\n%s", m, want, req.Messages[1].Text)
			}
		}
	}
}

func TestFill_whatFailsLeavesTheModesOwn(t *testing.T) {
	t.Parallel()
	own := debatetest.Mode(t, "expert-panel").Perspectives
	for name, c := range map[string]struct {
		light replyFunc
		why   string
	}{
		"no list":      {replyText(`{"views": ["a", "b"]}`), "the answer has no perspectives"},
		"one entry":    {replyText(`{"perspectives": ["a"]}`), "the answer has no perspectives"},
		"no JSON":      {replyText("law and money"), "the answer has no perspectives"},
		"out of order": {replyFailing("down"), "down"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"light": c.light, "m1": replyText("So."), "m2": replyText("So.")})
			evs, s := h.run(h.sessionWithLight(h.seatedSession("expert-panel", 1, 2)))
			if strings.Join(s.Mode.Perspectives, "|") != strings.Join(own, "|") {
				t.Errorf("perspectives %q", s.Mode.Perspectives)
			}
			if n := noticesByCode(evs)["lists"]; len(n) != 1 || !strings.Contains(n[0].Text,
				"did not name what the mode asks for ("+c.why+"). Using the mode's own: perspectives "+own[0]) {
				t.Errorf("notices %+v", n)
			}
		})
	}
}

func TestFill_asksNobodyForWhatIsGivenOrWithoutALightModel(t *testing.T) {
	t.Parallel()
	asked := 0
	light := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if strings.Contains(req.Messages[0].Text, "You prepare a structured debate") {
			asked++
			if strings.Contains(req.Messages[1].Text, `"options"`) {
				t.Errorf("it is asked for what was given:\n%s", req.Messages[1].Text)
			}
		}
		return replyText(`{"criteria": ["fast", "cheap"], "options": ["X", "Y"]}`)(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"light": light, "m1": replyText("So."), "m2": replyText("So.")})
	s := h.seatedSession("tradeoff", 1, 2)
	var err error
	if s.Mode, err = s.Mode.WithList(debate.OptionsList, []string{"A", "B"}); err != nil {
		t.Fatal(err)
	}
	given := s.Mode
	_, s = h.run(h.sessionWithLight(s))
	if asked != 1 || strings.Join(s.Mode.Options, "") != "AB" || strings.Join(s.Mode.Criteria, " ") != "fast cheap" {
		t.Errorf("asked %d times: %q by %q", asked, s.Mode.Options, s.Mode.Criteria)
	}
	if given, err = given.WithList(debate.CriteriaList, []string{"cost"}); err != nil {
		t.Fatal(err)
	}
	both := h.seatedSession("tradeoff", 1, 2)
	both.Mode = given
	_, s = h.run(h.sessionWithLight(both))
	if asked != 1 || strings.Join(s.Mode.Criteria, "") != "cost" {
		t.Errorf("asked %d times: %q", asked, s.Mode.Criteria)
	}
	h.run(h.seatedSession("expert-panel", 1, 2))
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

func TestFill_theFirstSeatNamesOptionsWithoutALightModelOrTheRoundFails(t *testing.T) {
	t.Parallel()
	const named = `{"options": ["Postgres", "SQLite"], "criteria": ["cost", "speed"]}`
	var asked []string
	first := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if !strings.Contains(req.Messages[0].Text, "You prepare a structured debate") {
			return replyText("So.")(n, req)
		}
		asked = append(asked, req.Messages[1].Text)
		if len(asked) == 1 {
			return replyText("Postgres or SQLite")(n, req)
		}
		return replyText(named)(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"m1": first, "m2": replyText("So.")})
	s := h.seatedSession("tradeoff", 1, 2)
	_, s, err := drain(h.engine.Start(t.Context(), s))
	const want = "round 1 has no options to compare\n- Seat1: Named no options to compare (the answer has no options). " +
		"Try again, or give them in a new debate."
	if err == nil || err.Error() != want {
		t.Errorf("the run ended with %v, want %s", err, want)
	}
	if n := len(h.provider.requests("m2")); n > 0 || len(s.Mode.Given) > 0 {
		t.Errorf("seat 2 was asked %d times, lists given: %v", n, s.Mode.Given)
	}
	evs, s := h.run(s) // the unreadable answer is not taken for the new one
	if len(asked) != 2 || strings.Join(s.Mode.Options, "|") != "Postgres|SQLite" || strings.Join(s.Mode.Criteria, "|") != "cost|speed" {
		t.Errorf("asked %d times: options %q, criteria %q", len(asked), s.Mode.Options, s.Mode.Criteria)
	}
	if n := noticesByCode(evs)["lists"]; len(n) != 1 ||
		n[0].Text != "Seat1 chose for this question: options Postgres, SQLite; criteria cost, speed." {
		t.Errorf("notices %+v", n)
	}
	if s.Verdict == nil || len(s.History[0].Responses) != 2 {
		t.Errorf("verdict %v, %d responses", s.Verdict, len(s.History[0].Responses))
	}
}

func TestFill_isTriedAgainByAResumedRunButNotOnceSomebodyHasSpoken(t *testing.T) {
	t.Parallel()
	stop := make(chan func(), 1)
	light := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			(<-stop)()
		}
		return replyText(`{"perspectives": ["first", "second"]}`)(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"light": light, "m1": replyText("So."), "m2": replyText("So.")})
	s := h.sessionWithLight(h.seatedSession("expert-panel", 1, 2))
	run := h.engine.Start(t.Context(), s)
	stop <- run.Stop
	_, s, err := drain(run)
	if err == nil || len(s.History) != 1 || len(s.History[0].Responses) > 0 {
		t.Fatalf("the run was not stopped: %v", err)
	}
	_, s = h.run(s)
	if got := s.History[0].Responses[0].Role; got != "first" || s.LightAttempt < 2 {
		t.Errorf("seat 1 looks from %q after attempt %d of the light model", got, s.LightAttempt)
	}
	if _, err := h.store.SetMode(t.Context(), s.ID, s.Mode); err == nil {
		t.Error("the mode could be changed after members have spoken")
	}
}
