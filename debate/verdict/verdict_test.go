package verdict_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

// read returns how a vote is counted in a question.
func read(t testing.TB, kind debate.QuestionKind, st debate.Statement) string {
	f := debatetest.New(t, "collaborative", 1, "Ada", "Bob")
	f.Question, f.Unit, f.Mode.Options = kind, "weeks", []string{"Postgres 17", "the \"old\" one"}
	f.BeginRound("")
	x := f.Response("ada")
	x.Statement = st
	x.Statement.Body = "So."
	f.Current().Responses = append(f.Current().Responses, x)
	v := verdict.Count(f.Session).Votes[0]
	if v.Value != nil {
		return verdict.WordsOf(f.Session, debate.Counted{}).VoteLabel(v)
	}
	return strings.TrimSpace(string(v.State) + " " + string(v.Side))
}

func TestVotes_areReadByTheKindOfTheQuestion(t *testing.T) {
	for _, c := range []struct {
		kind debate.QuestionKind
		vote string
		want string
	}{
		{"yes-no", " YES. ", "read yes"},
		{"yes-no", "“no”", "read no"},
		{"yes-no", "true", "read yes"},
		{"yes-no", "False", "read no"},
		{"yes-no", "\"Undecided.\"", "undecided"},
		{"yes-no", "ja", "unreadable"},
		{"yes-no", "neutral", "unreadable"},
		{"yes-no", "yes, with limits", "unreadable"},
		{"choice", "postgres  17", "read Postgres 17"},
		{"choice", "'the \"OLD\" one'", "read the \"old\" one"},
		{"choice", "Postgres", "unreadable"},
		{"choice", "none", "unreadable"},
		{"choice", "undecided", "undecided"},
		{"open", "Split the team.", "read Split the team"},
		{"open", strings.Repeat("x", 40), "read " + strings.Repeat("x", 40)},
		{"open", strings.Repeat("x", 41), "unreadable"},
		{"open", "n/a", "unreadable"},
		{"open", "…", "unreadable"},
		{"open", "I don’t know yet", "unreadable"},
		{"open", "it depends", "read it depends"},
		{"open", "UNDECIDED", "undecided"},
		{"estimate", "6", "6 weeks"},
		{"estimate", "6.50", "6.5 weeks"},
		{"estimate", "6 Weeks", "6 weeks"},
		{"estimate", "6 days", "unreadable"},
		{"estimate", "4-9", "unreadable"},
		{"estimate", "1e400", "unreadable"},
		{"estimate", "0x10", "unreadable"},
		{"estimate", "-6 week", "-6 weeks"},
		{"estimate", "weeks 6", "6 weeks"},
		{"estimate", "1,200", "unreadable"},
		{"estimate", "6k weeks", "unreadable"},
		{"estimate", "weeks", "unreadable"},
		{"estimate", "undecided", "undecided"},
	} {
		if got := read(t, c.kind, debate.Statement{Vote: c.vote}); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.kind, c.vote, got, c.want)
		}
	}
}

func TestCheckDemand_refusesWhatNoResultCanBe(t *testing.T) {
	session := func(mode string, kind debate.QuestionKind) debate.Session {
		f := debatetest.New(t, mode, 2, "Ada", "Bob", "Cleo")
		f.Question, f.Mode.Options = kind, []string{"Go", "Zig"}
		return f.Session
	}
	for _, c := range []struct {
		s      debate.Session
		label  string
		refuse string
	}{
		{session("collaborative", "yes-no"), "Yes", ""},
		{session("collaborative", "yes-no"), "maybe", "yes or no"},
		{session("collaborative", "yes-no"), "undecided", "no side"},
		{session("collaborative", "choice"), "zig", ""},
		{session("collaborative", "choice"), "C", "Go, Zig"},
		{session("collaborative", "open"), "anything", ""},
		{session("collaborative", "open"), "unsure", "no side"},
		{session("collaborative", "estimate"), "6", "estimate"},
		{session("council", "open"), "Ada", "counts no sides"},
		{session("review", "open"), "clean", ""},
		{session("review", "open"), "no-agreed", ""},
		{session("review", "open"), "yes", "clean or no-agreed"},
	} {
		err := verdict.CheckDemand(c.s, c.label)
		if (err == nil) != (c.refuse == "") || err != nil && !strings.Contains(err.Error(), c.refuse) {
			t.Errorf("%s, %s: %q: %v", c.s.Mode.Name, c.s.Question, c.label, err)
		}
	}
}

func TestAllAgree_endsABlindRoundThatLacksNothing(t *testing.T) {
	asked := func(s debate.Session) debate.Session { return addQuestion(t, s, "ada", "How many?") }
	for _, c := range []struct {
		name   string
		cells  string
		change func(debate.Session) debate.Session
		want   bool
	}{
		{"all for one side", "yes 0.9|yes 0.2|yes", nil, true},
		{"two sides", "yes|yes|no", nil, false},
		{"one undecided", "yes|yes|undecided", nil, false},
		{"one failed", "yes|yes|-", nil, false},
		{"one unreadable", "yes|yes|maybe", nil, false},
		{"one asked", "yes|yes|yes", asked, false},
		{"one model twice", "yes|yes|yes", func(s debate.Session) debate.Session {
			s.Seats[1].Model, s.Seats[1].Provider = "maker/"+s.Seats[0].Model, "another road"
			return s
		}, false},
		{"one seat", "yes", nil, false},
	} {
		s := scriptedSession(t, c.cells)
		s.Rounds = 3
		if c.change != nil {
			s = c.change(s)
		}
		if got := verdict.AllAgree(s); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if s := scriptedSession(t, "yes|yes", "yes|yes"); verdict.AllAgree(s) {
		t.Error("the second round is blind")
	}
}

func TestSettled_looksAtTwoCompleteRounds(t *testing.T) {
	for _, c := range []struct {
		rounds []string
		want   bool
	}{
		{[]string{"yes|no"}, false},
		{[]string{"yes|no", "yes 0.3|no"}, true},
		{[]string{"no|no", "yes|no", "yes|no"}, true},
		{[]string{"yes|no", "yes|yes"}, false},
		{[]string{"yes|no", "yes|-"}, false},
		{[]string{"yes|undecided", "yes|undecided"}, true},
	} {
		if got := verdict.Settled(scriptedSession(t, c.rounds...)); got != c.want {
			t.Errorf("%q: %v", c.rounds, got)
		}
	}
}

func TestSettle_storesWhatSomebodySays(t *testing.T) {
	concluded := func(kind debate.QuestionKind) debate.Session {
		s := scriptedSession(t, "yes|no|no")
		s.Question, s.Verdict, s.Mode.Options = kind, &debate.Verdict{Chair: "ada"}, []string{"Go", "Zig"}
		return s
	}
	none := concluded("yes-no")
	none.Verdict = nil
	for _, c := range []struct {
		s       debate.Session
		line    string
		want    string // outcome, side and note
		refused string
	}{
		{concluded("yes-no"), "right", "right  ", ""},
		{concluded("yes-no"), "wrong yes: seen in production", "wrong yes seen in production", ""},
		{concluded("yes-no"), "mixed no", "mixed no ", ""},
		{concluded("choice"), "wrong zig", "wrong Zig ", ""},
		{concluded("open"), "wrong “Wait.”", "wrong Wait ", ""},
		{concluded("estimate"), "wrong: it took ten", "wrong  it took ten", ""},
		{concluded("yes-no"), "wrong maybe", "", "no side of the question"},
		{concluded("estimate"), "wrong 10", "", "has no side"},
		{concluded("yes-no"), "", "", "right, wrong, mixed or open"},
		{concluded("yes-no"), "perhaps", "", "no outcome"},
		{none, "right", "", "no verdict"},
	} {
		got, err := verdict.ReadOutcome(c.s, c.line, ledger.ByPerson("interface"), noon)
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%q: %v", c.line, err)
			}
			continue
		}
		if said := string(got.Result) + " " + string(got.Side) + " " + got.Note; err != nil || said != c.want {
			t.Errorf("%q: %q, %v", c.line, said, err)
		}
	}
}

func TestReportOf_picksAnAnswerThatStands(t *testing.T) {
	for _, c := range []struct {
		name, pick string
		cells      string
		chair      agents.ID
		want       agents.ID
	}{
		{"by name", "Brook", "yes|no|no", "zed", "brook"},
		{"nobody", "", "yes|no|no", "zed", ""},
		{"two names", "Ada and Brook", "yes|no|no", "zed", ""},
		{"one who failed", "Cy", "yes|no|-", "zed", ""},
		{"one without a vote", "Cy", "yes|no|maybe", "zed", ""},
		{"its own answer", "Ada", "yes|no|no", "ada", ""},
		{"of a member where two others are left", "Cy", "yes|no|no", "ada", "cy"},
		{"of a member where one other is left", "Brook", "yes|no|-", "ada", ""},
	} {
		s := scriptedSession(t, c.cells)
		reply := agents.Reply{Text: "So. {\"position\": \"So.\", \"pick\": \"" + c.pick + "\", \"pick_reason\": \"It counts.\"}", Finish: agents.FinishStop}
		v, _ := verdict.ReportOf(s, agents.Profile{ID: c.chair, Name: "Zed"}, reply)
		s.Verdict = &v
		if got, _ := verdict.PickOf(s, verdict.Count(s)); got != c.want || v.ChairIsMember != (c.chair == "ada") {
			t.Errorf("%s: %q, want %q; a member: %t", c.name, got, c.want, v.ChairIsMember)
		}
	}
}

// Where one seat alone has a vote of its own, its statement is the newest one.
func TestNewestStatements_areThoseOfVoters(t *testing.T) {
	s := scriptedSession(t, "yes|no|yes", "yes|no|no")
	s.Mode.Roles = []debate.Role{{Name: "for", Stance: debate.Yes, Fixed: true}, {Name: "against", Stance: debate.No, Fixed: true}, {Name: "judge"}}
	if all := verdict.NewestStatements(s); len(all) != 1 || all[0].Turn.Agent != "cy" || all[0].Turn.Round != 2 {
		t.Errorf("%+v", all)
	}
}
