package setup_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/tui/setup"
)

// questionForm returns a form with the mode that was asked for alone.
func questionForm(t *testing.T, change func(*debate.Mode)) *setup.Form {
	t.Helper()
	o := testOptions()
	o.Modes = o.Modes[:1]
	change(&o.Modes[0])
	f := formOf(o, 80, 30)
	f.Prefill("Which one?", "", 0)
	return f
}

// The row goes through all kinds of questions; a choice has a row for its options.
func TestForm_choosesTheKindOfQuestion(t *testing.T) {
	f := questionForm(t, func(*debate.Mode) {})
	focusOn(f, "Kind")
	for _, want := range []struct {
		kind debate.QuestionKind
		said string
	}{
		{debate.QuestionOpen, "open, each names its answer"},
		{debate.QuestionYesNo, "yes or no"},
		{debate.QuestionChoice, "one of the options"},
		{debate.QuestionEstimate, "a number"},
		{debate.QuestionOpen, "open, each names its answer"},
	} {
		sees(t, f, "▸ Kind        "+want.said)
		if row := strings.Contains(shown(f), "Options"); row != (want.kind == debate.QuestionChoice) {
			t.Errorf("%s: there is a row for options: %v", want.kind, row)
		}
		if row := strings.Contains(shown(f), "Unit "); row != (want.kind == debate.QuestionEstimate) {
			t.Errorf("%s: there is a row for a unit: %v", want.kind, row)
		}
		if want.kind != debate.QuestionChoice && want.kind != debate.QuestionEstimate {
			if s, err := f.Session(); err != nil || s.Question != want.kind || s.Mode.Options != nil {
				t.Errorf("%q with the options %q, %v; want %q", s.Question, s.Mode.Options, err, want.kind)
			}
		}
		f.Change(1)
	}
	f.Change(-2)
	sees(t, f, "▸ Kind        a number")
}

func TestForm_needsTheOptionsOfAChoice(t *testing.T) {
	f := questionForm(t, func(*debate.Mode) {})
	focusOn(f, "Kind")
	f.Change(2)
	sees(t, f, "  Options     type at least two, separated by ;")
	for typed, want := range map[string]string{
		"":             "enter at least two options, with ; between them",
		"Go; Zig; go ": `options: "Go" and "go" are the same`,
	} {
		focusOn(f, "Topic")
		focusOn(f, "Options")
		f.HandleKey(press("ctrl+u"))
		typeInto(f, typed)
		focusOn(f, "Rounds")
		if _, err := f.Session(); err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", typed, err, want)
		}
		if !f.Typing() {
			t.Errorf("%q: the options do not have the focus", typed)
		}
		sees(t, f, "▸ Options")
	}
	f.HandleKey(press("ctrl+u"))
	typeInto(f, "Postgres; SQLite")
	s, err := f.Session()
	if err != nil || s.Question != debate.QuestionChoice || strings.Join(s.Mode.Options, "|") != "Postgres|SQLite" {
		t.Errorf("%q among %q, %v", s.Question, s.Mode.Options, err)
	}
	focusOn(f, "Kind")
	f.Change(1)
	if s, err := f.Session(); err == nil || s.Mode.Options != nil {
		t.Errorf("the options stay with an estimate: %q, %v", s.Mode.Options, err)
	}
	f.Change(-1)
}

// An estimate needs the unit of its number, or the word for none.
func TestForm_needsTheUnitOfAnEstimate(t *testing.T) {
	f := questionForm(t, func(*debate.Mode) {})
	focusOn(f, "Kind")
	f.Change(3)
	sees(t, f, "  Unit        such as weeks, or none for a bare count")
	for _, c := range []struct{ typed, unit, refused string }{
		{"", "", "an estimate needs its unit, such as weeks, or none for a bare count"},
		{"12", "", `"12" is no unit; give a word or a sign, such as weeks, or none for a bare count`},
		{strings.Repeat("w", 41), "", `a unit has at most 40 characters, "` + strings.Repeat("w", 41) + `" has 41`},
		{" people  per year ", "people per year", ""},
		{"None", "", ""},
	} {
		focusOn(f, "Topic")
		focusOn(f, "Unit")
		f.HandleKey(press("ctrl+u"))
		typeInto(f, c.typed)
		s, err := f.Session()
		switch {
		case c.refused != "" && (err == nil || err.Error() != c.refused):
			t.Errorf("%q: %v; want %s", c.typed, err, c.refused)
		case c.refused == "" && (err != nil || s.Question != debate.QuestionEstimate || s.Unit != c.unit):
			t.Errorf("%q: %q in %q, %v", c.typed, s.Question, s.Unit, err)
		}
		sees(t, f, "▸ Unit")
	}
}

// A kind that the mode or the options set is shown, and cannot have the focus.
func TestForm_showsAFixedKind(t *testing.T) {
	both := []string{"do it", "leave it"}
	for _, c := range []struct {
		name   string
		change func(*debate.Mode)
		row    string
		kind   debate.QuestionKind
	}{
		{"by the mode", func(m *debate.Mode) { m.Question = debate.QuestionYesNo }, "yes or no   set by the mode", debate.QuestionYesNo},
		{
			"to the mode's options", func(m *debate.Mode) { m.Question, m.Options = debate.QuestionChoice, both },
			"one of the options   set by the mode", debate.QuestionChoice,
		},
		{
			"by options of the command line",
			func(m *debate.Mode) { m.Options = both },
			"one of the options   set by the options", debate.QuestionChoice,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := questionForm(t, c.change)
			focusOn(f, "Mode")
			sees(t, f, "  Kind        "+c.row)
			for range 12 {
				f.Next(1)
				misses(t, f, "▸ Kind")
			}
			if s, err := f.Session(); err != nil || s.Question != c.kind {
				t.Errorf("%q, %v", s.Question, err)
			}
		})
	}
}

// Roles that argue yes or no leave yes-no and open; the user's choice comes back with
// another mode.
func TestForm_offersWhatSuitsTheRoles(t *testing.T) {
	o := testOptions()
	o.Modes[1].Roles = []debate.Role{{Name: "for", Stance: debate.Yes, Brief: "For."}, {Name: "against", Stance: debate.No, Brief: "Against."}}
	o.Question = debate.QuestionEstimate
	f := formOf(o, 80, 30)
	focusOn(f, "Kind")
	sees(t, f, "Kind        a number")
	focusOn(f, "Mode")
	f.Change(1)
	sees(t, f, "Kind        open, each names its answer")
	focusOn(f, "Kind")
	f.Change(1)
	sees(t, f, "Kind        yes or no")
	f.Change(1)
	sees(t, f, "Kind        open, each names its answer")
	focusOn(f, "Mode")
	f.Change(-1)
	sees(t, f, "Kind        open, each names its answer")
}

// A topic is kept as it was written, in characters, and what does not fit is said.
func TestForm_topicKeepsWhatWasWritten(t *testing.T) {
	const written = "می\u200cخواهم 👩\u200d👩\u200d👧"
	for name, x := range map[string]struct{ paste, want, says, shows string }{
		"joiners": {paste: written, want: written},
		"too long": {
			paste: strings.Repeat("字", 65_600), want: strings.Repeat("字", 65_536), shows: "65,536 characters",
			says: "A topic has at most 65,536 characters in 10,000 lines.",
		},
	} {
		f := formOf(testOptions(), 100, 40)
		told := fmt.Sprintf("%+v", f.Paste(x.paste))
		if x.says == "" && strings.Contains(told, "at most") || !strings.Contains(told, x.says) {
			t.Errorf("%s: it says %s", name, told)
		}
		if refused := fmt.Sprintf("%+v", f.HandleKey(press("Z"))); x.says != "" && !strings.Contains(refused, x.says) {
			t.Errorf("%s: the next key says %s", name, refused)
		}
		f.HandleKey(press("backspace"))
		if x.says != "" {
			x.want = strings.TrimSuffix(x.want, "字")
			x.shows = "65,535 characters"
		}
		s, err := f.Session()
		if err != nil || s.Topic != x.want {
			t.Errorf("%s: %d characters, want %d: %v", name, len([]rune(s.Topic)), len([]rune(x.want)), err)
		}
		sees(t, f, x.shows)
		restored := setup.NewForm(colors(), nil)
		if err := restored.Restore(f.Draft()); err != nil || restored.Topic() != x.want {
			t.Errorf("%s: restored %d characters: %v", name, len([]rune(restored.Topic())), err)
		}
	}
}
