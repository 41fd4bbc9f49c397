package debate_test

import (
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
)

func TestCitedIn_readsOneGroupsAndRanges(t *testing.T) {
	for text, want := range map[string]string{
		"as [C1] says":                        "C1",
		"[C1, C2] and [C2; C10]":              "C1 C2 C10",
		"[C1 and C3], [C4 & C5], [C6/C7]":     "C1 C3 C4 C5 C6 C7",
		"[C2-C4], [C6–8], [C9 to C10]":        "C2 C3 C4 C6 C7 C8 C9 C10",
		"[C1, C3-C5, C9]":                     "C1 C3 C4 C5 C9",
		"[ c01 ]":                             "C1",
		"[C3-C1], [C1-C900], [C0]":            "",
		"[C1, see above], [RFC 1], [Cx], C1":  "",
		"[C1](https://example.com) is a link": "C1",
		"[C1\n, C2]":                          "",
		"":                                    "",
	} {
		if got := strings.Join(debate.CitedIn(text), " "); got != want {
			t.Errorf("%q cites %q, want %q", text, got, want)
		}
	}
}

func TestFamily_isWhatModelsOfOneMakerHaveInCommon(t *testing.T) {
	for model, want := range map[string]string{
		"gpt-5-mini": "gpt", "openai/gpt-oss:20b": "gpt", "o3-mini": "gpt", "claude-sonnet-4-5": "claude", "llama3.1": "llama", "Llama-3.3-70b": "llama",
		"mixtral-8x7b": "mistral", "gemini-2.5-flash": "gemini", "7b": "", "": "",
	} {
		if got := debate.Family(model); got != want {
			t.Errorf("%s is of %q, want %q", model, got, want)
		}
	}
}

func TestRosterWarnings_tellWhatTiesAPanelAndItsChair(t *testing.T) {
	seat := func(id, model string) agents.Profile {
		return agents.Profile{ID: agents.ID(id), Name: strings.ToUpper(id[:1]) + id[1:], Model: model, Provider: "p"}
	}
	chair := func(id, model string) *agents.Profile { p := seat(id, model); return &p }
	demo := seat("ada", "scripted-1")
	demo.Provider = debate.DemoProvider
	for _, c := range []struct {
		name  string
		seats []agents.Profile
		chair *agents.Profile
		want  []string
	}{
		{"mixed, no chair", []agents.Profile{seat("ada", "gpt-5"), seat("brook", "claude")}, nil, nil},
		{"one family", []agents.Profile{seat("ada", "gpt-5"), seat("brook", "gpt-4")}, nil, []string{debate.OneFamily}},
		{"one is unknown", []agents.Profile{seat("ada", "gpt-5"), seat("brook", "7b")}, nil, nil},
		{"scripted", []agents.Profile{demo, demo}, nil, nil},
		{"the chair is a member", []agents.Profile{seat("ada", "gpt-5"), seat("brook", "claude")}, chair("ada", "gpt-5"), []string{debate.ChairIsMember}},
		{"the chair is outside", []agents.Profile{seat("ada", "gpt-5"), seat("brook", "claude")}, chair("zed", "llama3"), nil},
		{
			"the chair is kin",
			[]agents.Profile{seat("ada", "gpt-5"), seat("brook", "claude"), seat("cy", "o3")},
			chair("zed", "gpt-4"),
			[]string{"The chair is of the same model family as Ada, Cy (gpt)."},
		},
	} {
		s := debate.Session{Seats: c.seats, Chair: c.chair}
		if got := s.RosterWarnings(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLedgerLine_countsThoseWhoCanBeCompared(t *testing.T) {
	s := debate.Session{}
	for _, id := range []agents.ID{"a", "b", "c"} {
		s.Seats = append(s.Seats, agents.Profile{ID: id})
	}
	for _, c := range []struct {
		moves string // seat and change, by round
		want  string
	}{
		{"a missing, a missing, b missing, b missing, c missing, c missing", "Nobody states a side in two rounds: there is nothing to compare."},
		{"a opening, b opening, c opening", "Nobody states a side in two rounds: there is nothing to compare."},
		{"a opening, a held, b opening, b conformed, c opening, c revised", "1 of 3 revised without evidence."},
		{"a opening, a conformed, b missing, b opening, c not_stated, c not_stated", "1 of the 1 who state a side in two rounds revised without evidence."},
	} {
		var v debate.Verdict
		for _, m := range strings.Split(c.moves, ", ") {
			id, change, _ := strings.Cut(m, " ")
			v.Moves = append(v.Moves, debate.Move{Agent: agents.ID(id), Change: debate.Change(change)})
		}
		if got := report.LedgerLine(v, s); got != c.want {
			t.Errorf("%s: %q, want %q", c.moves, got, c.want)
		}
	}
}

func TestLedgerLine_leavesOutWhoseSideIsPrescribed(t *testing.T) {
	v := debate.Verdict{Moves: []debate.Move{
		{Agent: "a", Change: debate.Opening},
		{Agent: "a", Change: debate.Held},
		{Agent: "b", Change: debate.Opening},
		{Agent: "b", Change: debate.Held},
		{Agent: "c", Change: debate.Opening},
		{Agent: "c", Change: debate.Conformed},
	}}
	for want, roles := range map[string][]debate.Role{
		"1 of the 1 with a vote revised without evidence.":             {{Name: "for", Stance: debate.Yes, Fixed: true}, {Name: "against", Stance: debate.No, Fixed: true}, {Name: "judge"}},
		"The roles prescribe every side: there is nothing to compare.": {{Name: "for", Stance: debate.Yes, Fixed: true}},
	} {
		s := debate.Session{Mode: debate.Mode{Roles: roles}, Seats: []agents.Profile{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
		if got := report.LedgerLine(v, s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
