package modes_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/testing/must"
)

// countingMode has a phase and no roles, so that every kind of question is possible.
const countingMode = `name = "mine"
summary = "as I like it"
min_seats = 2
max_seats = 4
order = "parallel"
first = "Begin."
later = "Go on."
last = "End."

[[phases]]
name = "straw poll"
order = "parallel"
last = "Say what you hold."
`

func TestParse_readsHowVotesAreCounted(t *testing.T) {
	for _, c := range []struct {
		name, keys string
		question   debate.QuestionKind
		votes      string
		want       string // of the error
	}{
		{"neither", "", "", "", ""},
		{"a phase", `votes = "straw poll"`, "", "straw poll", ""},
		{"none", `votes = "none"`, "", debate.VotesNone, ""},
		{"a phase in other letters", `votes = "Straw poll"`, "", "", `mine.toml: votes: there is no phase "Straw poll"`},
		{"an estimate", `question = "estimate"`, debate.QuestionEstimate, "", ""},
		{"a choice, whose options come with the question", `question = "choice"`, debate.QuestionChoice, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := modes.Parse("mine.toml", []byte(c.keys+"\n"+countingMode))
			if c.want != "" {
				if err == nil || err.Error() != c.want {
					t.Errorf("%v; want %s", err, c.want)
				}
				return
			}
			if err != nil || m.Question != c.question || m.Votes != c.votes {
				t.Errorf("question %q, votes %q, %v", m.Question, m.Votes, err)
			}
		})
	}
}

func TestQuestionFor_followsModeOptionsAndUser(t *testing.T) {
	fixed := func(kind debate.QuestionKind, options ...string) debate.Mode {
		m := builtin(t, "collaborative")
		m.Name, m.Question, m.Options = "mine", kind, options
		return m
	}
	given := func(name string) debate.Mode {
		return must.Get(builtin(t, name).WithOptions([]string{"A", "B"}))(t)
	}
	roles := func(name string) debate.Mode { // as in a mode file that fixes no kind
		m := builtin(t, name)
		m.Question = debate.QuestionUnset
		return m
	}
	const choice, number, open, yesNo = debate.QuestionChoice, debate.QuestionEstimate, debate.QuestionOpen, debate.QuestionYesNo
	for _, c := range []struct {
		name         string
		mode         debate.Mode
		wanted, want debate.QuestionKind
		err          string
	}{
		{"nothing said", builtin(t, "collaborative"), "", open, ""},
		{"the user's", builtin(t, "delphi"), number, number, ""},
		{"a choice of nothing", builtin(t, "delphi"), choice, "", "a choice needs at least two options"},
		{"options", given("expert-panel"), "", choice, ""},
		{"options, and said", given("delphi"), choice, choice, ""},
		{"options against the user", given("council"), open, "", `options make the question a choice, so it cannot be "open"`},
		{"a motion", builtin(t, "adversarial"), "", yesNo, ""},
		{"nothing said, with roles", roles("adversarial"), "", open, ""},
		{"yes or no, with roles", roles("adversarial"), yesNo, yesNo, ""},
		{"an estimate, with roles", roles("adversarial"), number, "", `the roles of mode adversarial argue yes or no, so the question cannot be "estimate"`},
		{"fixed", fixed(number), "", number, ""},
		{"fixed, and said", fixed(yesNo), yesNo, yesNo, ""},
		{"fixed against the user", fixed(number), open, "", `mode mine sets question = "estimate", so the question cannot be "open"`},
		{"fixed to its options", fixed(choice, "A", "B"), "", choice, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.mode.QuestionFor(c.wanted)
			if got != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("%q, %v; want %q, %q", got, err, c.want, c.err)
			}
		})
	}
}

func TestWithOptions_takesOptionsInEveryModeWithoutSides(t *testing.T) {
	all := must.Get(modes.Builtin())(t)
	sides := map[string]bool{"adversarial": true, "devils-advocate": true, "red-team-blue-team": true}
	for _, m := range all {
		got, err := m.WithOptions([]string{" Go", "Zig\n1 ", ""})
		switch {
		case m.Reviews(), m.Critiques():
			if err == nil {
				t.Errorf("%s takes options", m.Name)
			}
		case sides[m.Name]:
			const end = `, so the question cannot be "choice"`
			if want := "mode " + m.Name + ` sets question = "yes-no"` + end; err == nil || err.Error() != want {
				t.Errorf("%s: %v", m.Name, err)
			}
			m.Question = debate.QuestionUnset
			_, err = m.WithOptions([]string{"Go", "Zig"})
			if want := "the roles of mode " + m.Name + " argue yes or no" + end; err == nil || err.Error() != want {
				t.Errorf("%s: %v", m.Name, err)
			}
		case err != nil || strings.Join(got.Options, "|") != "Go|Zig 1":
			t.Errorf("%s has the options %q, %v", m.Name, got.Options, err)
		}
	}
	m := builtin(t, "collaborative")
	got, err := m.WithOptions([]string{"Go, as it is; Zig;"})
	if err != nil || strings.Join(got.Options, "|") != "Go, as it is|Zig" {
		t.Errorf("separated by semicolons: %q, %v", got.Options, err)
	}
	for _, c := range []struct {
		items []string
		want  string
	}{
		{[]string{"Go"}, "options: a choice needs at least two options"},
		{[]string{"Go", " "}, "options: a choice needs at least two options"},
		{[]string{"C++", "Big  O", "big O"}, `options: "Big O" and "big O" are the same`},
		{[]string{"MySQL", "My SQL"}, `options: "MySQL" and "My SQL" are the same`},
		{[]string{"Go", strings.Repeat("ö", 41)}, `options: "` + strings.Repeat("ö", 41) + `" has 41 characters; the limit is 40`},
		{[]string{"Go", "“Undecided.”"}, `options: "“Undecided.”" is the vote that takes no side; it can be no option`},
		{strings.Split("abcdefghi", ""), "options: 9 entries are too many; the limit is 8"},
	} {
		if _, err := m.WithOptions(c.items); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v; want %s", c.items, err, c.want)
		}
	}
	if got, err := m.WithOptions([]string{"C", "C++", "C#", strings.Repeat("ö", 40)}); err != nil || len(got.Options) != 4 {
		t.Errorf("%q, %v", got.Options, err)
	}
	m.Question = debate.QuestionEstimate
	if _, err := m.WithOptions([]string{"A", "B"}); err == nil ||
		err.Error() != `mode collaborative sets question = "estimate", so the question cannot be "choice"` {
		t.Error(err)
	}
	if _, err := m.WithPerspectives([]string{"cost"}); err == nil {
		t.Error("a mode without perspectives takes some")
	}
}
