package debate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

func hidden(t *testing.T, seats ...agents.Profile) debate.Session {
	return debate.Session{Mode: builtinMode(t, "delphi"), Seats: seats, Chair: &agents.Profile{ID: "boss", Name: "Bosse", Model: "big-one"}}
}

func TestScrubbed_hidesWholeWordsInWhateverCase(t *testing.T) {
	s := hidden(t, agents.Profile{ID: "ada", Name: "Ada", Model: "maker/gpt-5-mini"}, agents.Profile{ID: "rené", Name: "René van Dyk", Model: "o3"}, agents.Profile{ID: "ада", Name: "Ада", Model: "o3"})
	for text, want := range map[string]string{
		"Ada, ADA and ada's":              "Participant 1, Participant 1 and Participant 1's",
		"Adam and Canada and ada1":        "Adam and Canada and ada1",
		"RENÉ VAN DYK agrees; René too":   "Participant 2 agrees; Participant 2 too",
		"Rene\u0301 van Dyk":              "Participant 2",
		"Renée":                           "Renée",
		"АДА права":                       "Participant 3 права",
		"I run on GPT-5-mini.":            "I run on [a model].",
		"maker/gpt-5-mini, not gpt-5-min": "[a model], not gpt-5-min",
		"o3 has O3, not o33":              "[a model] has [a model], not o33",
		"Bosse and boss on big-one":       "the chair and the chair on [a model]",
		"**Ada**_ada_\"ada\"":             "**Participant 1**_Participant 1_\"Participant 1\"",
		"ada\xffada":                      "Participant 1\xffParticipant 1",
		"":                                "",
	} {
		if got := s.Scrubbed(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	s.Mode = builtinMode(t, "collaborative")
	if got := s.Scrubbed("Ada"); got != "Ada" {
		t.Errorf("where names are shown Ada becomes %q", got)
	}
}

func TestScrubbed_takesTheLongestOfNamesThatBeginAlike(t *testing.T) {
	s := hidden(t, agents.Profile{ID: "ann", Name: "Ann", Model: "m1"}, agents.Profile{ID: "ann-lee", Name: "Ann Lee", Model: "m1-large"})
	if got, want := s.Scrubbed("Ann Lee met Ann; Ann Leed; m1-large, m1"), "Participant 2 met Participant 1; Participant 1 Leed; [a model], [a model]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAdmits_refusesNamesThatCannotBeHidden(t *testing.T) {
	m := builtinMode(t, "delphi")
	ok := agents.Profile{ID: "ada", Name: "Ada"}
	for name, c := range map[string]struct {
		other agents.Profile
		want  string
	}{
		"a short name":                    {agents.Profile{ID: "bodo", Name: "Bo"}, `the name "Bo" is too short`},
		"a short id":                      {agents.Profile{ID: "b", Name: "Bodo"}, `the name "b" is too short`},
		"none":                            {agents.Profile{ID: "bodo", Name: "Bodo"}, ""},
		"letters that take several bytes": {agents.Profile{ID: "лев", Name: "Лев"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := m.Admits([]agents.Profile{ok, c.other})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if err := builtinMode(t, "collaborative").Admits([]agents.Profile{ok, {ID: "b", Name: "B"}}); err != nil {
		t.Errorf("where names are shown: %v", err)
	}
	tb := newTable(t, map[string]line{"ab": says("So."), "cd": says("So.")})
	if _, _, err := play(tb.engine.Start(t.Context(), tb.session("delphi", 1, "ab", "cd"))); err == nil || tb.models.count() > 0 {
		t.Errorf("a round was begun all the same: %v, %d calls", err, tb.models.count())
	}
}

func TestMode_ofAnOlderSessionIsPlayedAsItWas(t *testing.T) {
	const stored = `{"name":"adversarial","summary":"s","use":"u","min_seats":2,"max_seats":8,"rounds":2,"order":"sequential",
		"roles":[{"name":"proponent","stance":"yes","brief":"For."},{"name":"opponent","stance":"no","brief":"Against."}],
		"rules":"r","first":"f","later":"l","last":"z","asking":"a","decision":"vote"}`
	var m debate.Mode
	if err := json.Unmarshal([]byte(stored), &m); err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
	if steps := m.Steps([]agents.ID{"a", "b", "c"}, 1, 2); len(steps) != 3 || steps[2].Phase != "" || m.Sees() != debate.SeesSeats {
		t.Errorf("steps %+v, sees %s", steps, m.Sees())
	}
	if r, _ := m.RoleOf(3, 3); r.Name != "proponent" {
		t.Errorf("seat 3 is %q", r.Name)
	}
	again, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(again), "visibility") || strings.Contains(string(again), "phases") {
		t.Errorf("what it did not say is said now: %s", again)
	}
}
