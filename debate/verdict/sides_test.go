package verdict_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/verdict"
)

func TestSides_readsStancesChoicesAndLabels(t *testing.T) {
	const unset, yesNo, choice, open = debate.QuestionUnset, debate.QuestionYesNo, debate.QuestionChoice, debate.QuestionOpen
	for _, c := range []struct {
		kind    debate.QuestionKind
		stance  debate.Stance
		label   string
		want    debate.Side
		options string
	}{
		{unset, "yes", "no", "yes", ""},
		{unset, "", "yes", "", ""},
		{yesNo, "no", "yes", "no", ""},
		{yesNo, "neutral", "yes", "", ""},
		{yesNo, "", "Ja!", "yes", ""},
		{yesNo, "", "はい", "yes", ""},
		{yesNo, "", "não", "no", ""},
		{yesNo, "", "Yes, because it is cheap", "", ""},
		{yesNo, "", "Postgres", "", ""},
		{choice, "", "c++", "C++", "C,C++,C#"},
		{choice, "", "C--", "", "C,C++,C#"},
		{choice, "", "post gres", "Postgres", "Postgres,SQLite"},
		{choice, "", "\"Postgres.\"", "Postgres", "Postgres,SQLite"},
		{choice, "", "Café-au-lait", "cafe au lait", "cafe au lait,tea"},
		{choice, "", "none of these", "", "Postgres,SQLite"},
		{choice, "yes", "", "", "Postgres,SQLite"},
		{choice, "", "a", "A", "A,B"},
		{choice, "", "a*", "A*", "A*,A+"},
		{choice, "", "A*", "A*", "A*,A"},
		{open, "yes", "", "yes", ""},
		{open, "no", "Oui", "Oui", ""}, // alone, it is a label like any other
		{open, "neutral", "", "", ""},
		{open, "", "It depends.", "", ""},
		{open, "", "N/A", "", ""},
		{open, "", "...", "", ""},
		{open, "yes", "—", "yes", ""},
		{open, "", "Neither", "Neither", ""},
		{open, "", " **Postgres**. ", "Postgres", ""},
		{open, "", "“PostgreSQL   17”,", "PostgreSQL 17", ""},
		{open, "", "A*", "A*", ""},
		{open, "", "C#", "C#", ""},
		{open, "", ".NET", ".NET", ""},
		{open, "", "Yes, because it is cheap", "Yes, because it is cheap", ""},
	} {
		s := debate.Session{Question: c.kind}
		if c.options != "" {
			s.Mode.Options = strings.Split(c.options, ",")
		}
		if got := verdict.SidesOf(s).Of(debate.Statement{Stance: c.stance, Choice: c.label}); got != c.want {
			t.Errorf("%q, stance %q, label %q: %q, want %q", c.kind, c.stance, c.label, got, c.want)
		}
	}
}

func TestCheckStatement_notesAChoiceThatIsNotCounted(t *testing.T) {
	for _, c := range []struct {
		kind   debate.QuestionKind
		stance debate.Stance
		choice string
		want   string
	}{
		{debate.QuestionChoice, "", "Postgresql", `choice "Postgresql" is none of the options`},
		{debate.QuestionChoice, "yes", "1. SQLite", `choice "1. SQLite" is none of the options`},
		{debate.QuestionChoice, "", "postgres.", ""},
		{debate.QuestionChoice, "", "none of these", ""},
		{debate.QuestionChoice, "", "", ""},
		{debate.QuestionYesNo, "", "Yes, absolutely", `choice "Yes, absolutely" is not yes or no`},
		{debate.QuestionYesNo, "", "Ja", ""},
		{debate.QuestionYesNo, "neutral", "Postgres", ""},
		{debate.QuestionOpen, "", "Postgresql", ""},
	} {
		s := scriptedSession(t, "?|?")
		s.Question, s.Mode.Options = c.kind, []string{"Postgres", "SQLite"}
		x := s.History[0].Responses[0]
		x.Statement = debate.Statement{Stance: c.stance, Choice: c.choice}
		verdict.CheckStatement(s, &x)
		if got := strings.Join(x.Statement.Notes, "; "); got != c.want {
			t.Errorf("%s, stance %q, choice %q: %q, want %q", c.kind, c.stance, c.choice, got, c.want)
		}
	}
}
