package verdict_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/verdict"
)

// answered returns a session whose last statements have these labels, with a verdict.
func answered(t *testing.T, kind debate.QuestionKind, options []string, labels ...string) debate.Session {
	t.Helper()
	s := scriptedSession(t, strings.TrimSuffix(strings.Repeat("?|", len(labels)), "|"))
	s.Question = kind
	if len(options) > 0 {
		s.Mode.Options = options
		s.Mode.Given = []debate.List{debate.OptionsList}
	}
	for i, label := range labels {
		s.History[0].Responses[i].Statement.Choice = label
	}
	s.Verdict = &debate.Verdict{}
	verdict.Recount(s.Verdict, s)
	return s
}

func TestHasSide_isTheVerdictsSideHoweverItIsNamed(t *testing.T) {
	open := answered(t, debate.QuestionOpen, nil, "Postgres", "PostgreSQL 17", "SQLite")
	unconcluded := answered(t, debate.QuestionOpen, nil, "yes", "yes")
	unconcluded.Verdict = nil
	older := answered(t, debate.QuestionOpen, nil, "yes", "yes")
	older.Verdict.Rules, older.Verdict.Side = 0, nil
	for _, c := range []struct {
		name    string
		session debate.Session
		label   string
		want    bool
	}{
		{"yes", answered(t, debate.QuestionOpen, nil, "yes", "yes", "no"), "Yes", true},
		{"no", answered(t, debate.QuestionOpen, nil, "yes", "yes", "no"), "no", false},
		{"ja", answered(t, debate.QuestionYesNo, nil, "oui", "yes", "no"), "ja", true},
		{"half of the voting seats", answered(t, debate.QuestionYesNo, nil, "yes", "neutral"), "yes", false},
		{"a tie", answered(t, debate.QuestionYesNo, nil, "yes", "no"), "yes", false},
		{"an option", answered(t, debate.QuestionChoice, []string{"C", "C++"}, "c++", "C++", "C"), "c++", true},
		{"another option", answered(t, debate.QuestionChoice, []string{"C", "C++"}, "c++", "C++", "C"), "c", false},
		{"labels that nobody grouped", open, "Postgres", false},
		{"no verdict", unconcluded, "yes", false},
		{"a verdict of an earlier version", older, "yes", true},
	} {
		if got := verdict.HasSide(c.session, c.label); got != c.want {
			t.Errorf("%s: %v, want %v; the verdict is %v", c.name, got, c.want, c.session.Verdict)
		}
	}
}

func TestCheckSide_refusesWhatNoVerdictCanBe(t *testing.T) {
	devils := answered(t, debate.QuestionOpen, nil, "yes", "no")
	devils.Mode.Roles = []debate.Role{{Name: "for", Stance: debate.Yes, Fixed: true}, {Name: "against", Stance: debate.No, Fixed: true}}
	uncounted := answered(t, debate.QuestionOpen, nil, "yes", "no")
	uncounted.Mode.Votes = debate.VotesNone
	ab := answered(t, debate.QuestionChoice, []string{"A", "B"}, "A", "B")
	for _, c := range []struct {
		name    string
		session debate.Session
		label   string
		want    string // in the error; "": none
	}{
		{"a label", answered(t, debate.QuestionOpen, nil, "yes", "no"), "Postgres", ""},
		{"neutral", answered(t, debate.QuestionOpen, nil, "yes", "no"), "It depends", "takes no side"},
		{"punctuation", answered(t, debate.QuestionOpen, nil, "yes", "no"), "??", "takes no side"},
		{"stances of an old session", answered(t, debate.QuestionUnset, nil, "yes", "no"), "Postgres", "with yes or no"},
		{"an option", ab, " b ", ""},
		{"none of the options", ab, "none of these", `"none of these" is none of the options: A; B`},
		{"options that nobody has named yet", answered(t, debate.QuestionChoice, nil, "A", "B"), "C", ""},
		{"an estimate", answered(t, debate.QuestionEstimate, nil, "5", "6"), "5", "a number"},
		{"roles", devils, "yes", "prescribe every side"},
		{"no votes", uncounted, "yes", "counts no sides"},
	} {
		err := verdict.CheckSide(c.session, c.label)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
