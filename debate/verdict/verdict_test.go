package verdict_test

import (
	"slices"
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
		{concluded("yes-no"), "wrong no", "", `the verdict is "no": wrong and right was "no" contradict each other`},
		{concluded("yes-no"), "right yes", "", "contradict each other"},
		{concluded("yes-no"), "right no", "right no ", ""},
		{concluded("yes-no"), "open no", "", "what is open has no side"},
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

// An entry of a ranking counts for the one seat that it names, and for none if it names two.
func TestReadBallot_countsWhatNamesOneSeat(t *testing.T) {
	s := debate.Session{Mode: debate.Mode{Label: "Speaker"}}
	for _, name := range []string{"Ada", "Bob", "Cleo"} {
		s.Seats = append(s.Seats, agents.Profile{ID: agents.ID(name), Name: name})
	}
	for entry, want := range map[string]agents.ID{
		"Speaker 2": "Bob", "1. Speaker 2": "Bob", "[Speaker 3]": "Cleo", "Speaker 2: the best by far": "Bob", "Bob": "Bob", "2": "Bob",
		"Speaker 2 or Speaker 3": "", "Speaker 2's answer is worse than Speaker 3's": "", "Speaker 23": "", "nobody": "", "Speaker 1": "",
	} {
		x := debate.Response{Turn: agents.Turn{Agent: "Ada"}, Statement: debate.Statement{Ranking: []string{entry}}}
		order, notes := verdict.ReadBallot(s, x, []agents.ID{"Ada", "Bob", "Cleo"})
		if want == "" && (len(order) > 0 || len(notes) < 2) || want != "" && !slices.Equal(order, []agents.ID{want}) {
			t.Errorf("%q counts for %v, with the notes %q", entry, order, notes)
		}
	}
}

func TestReportOf_takesTheReportApart(t *testing.T) {
	for _, c := range []struct {
		name    string
		reply   agents.Reply
		text    string
		warning string
	}{
		{
			"prose and a block",
			agents.Reply{Text: "## Conclusion\nSo.\n```json\n{\"position\": \"So.\", \"confidence\": 0.7}\n```"},
			"## Conclusion\nSo.", "",
		},
		{"prose alone", agents.Reply{Text: "So."}, "So.", ""},
		{"a block alone", agents.Reply{Text: "```json\n{\"position\": \"Just so.\", \"confidence\": 0}\n```"}, "Just so.", ""},
		{
			"cut at the limit",
			agents.Reply{Text: "So and", Finish: agents.FinishLength},
			"So and",
			"The report was cut at the chair's length limit.",
		},
	} {
		s := scriptedSession(t, "yes 1|no 1")
		v, _ := verdict.ReportOf(s, agents.Profile{ID: "zed", Name: "Zed", Model: "z"}, c.reply)
		if v.Text != c.text || strings.Join(v.Notes, " ") != c.warning {
			t.Errorf("%s: text %q, notes %q", c.name, v.Text, v.Notes)
		}
	}
}

func TestWithoutReport_saysWhy(t *testing.T) {
	said := debate.Response{State: debate.TurnDone, Statement: debate.Statement{Body: "So."}}
	for want, responses := range map[string][]debate.Response{
		"no seat answered": {{State: debate.TurnFailed}}, "no seat can be the chair": {said},
	} {
		s := debate.Session{History: []debate.Round{{Number: 1, Responses: responses}}}
		if got := verdict.WithoutReport(s, nil).Cause; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A seat that spoke from a script makes a demo of the debate, whatever model it has now.
func TestCount_saysDemoOfWhoSpoke(t *testing.T) {
	s := scriptedSession(t, "yes 1|no 1")
	was := s.Seats[0]
	was.Provider = debate.DemoProvider
	s.SeatChanges = []debate.SeatChange{{Round: 2, Agent: was.ID, Was: was, Now: s.Seats[0]}}
	if !verdict.Count(s).Demo {
		t.Error("it is not said to be a demo")
	}
}

func TestStanding_saysWhetherASideIsTheRoles(t *testing.T) {
	roles := []debate.Role{{Name: "for", Stance: debate.Yes, Fixed: true}, {Name: "judge"}}
	own := debate.Phase{Name: "own view", Asks: debate.AsksVote}
	panel := []agents.Profile{{ID: "a"}, {ID: "b"}}
	for _, c := range []struct {
		name  string
		mode  debate.Mode
		kind  debate.QuestionKind
		agent agents.ID
		phase string
		vote  string
		want  string
	}{
		{"no roles", debate.Mode{}, debate.QuestionOpen, "a", "", "Postgres", "votes Postgres"},
		{"a side that the role prescribes", debate.Mode{Roles: roles}, debate.QuestionYesNo, "a", "", "yes", "argues yes"},
		{"a role without a side", debate.Mode{Roles: roles}, debate.QuestionYesNo, "b", "", "no", "votes no"},
		{
			"the voting phase",
			debate.Mode{Roles: roles, Phases: []debate.Phase{own}, Votes: "own view"},
			debate.QuestionYesNo, "a", "own view", "no", "votes no",
		},
		{
			"a team outside the voting phase",
			debate.Mode{
				Roles: []debate.Role{{Name: "red"}, {Name: "blue"}}, Order: debate.ByTeams, Votes: "cross",
				Phases: []debate.Phase{{Name: "cross"}},
			},
			debate.QuestionYesNo, "a", "", "no", "argues no",
		},
		{"an estimate", debate.Mode{}, debate.QuestionEstimate, "a", "", "12 weeks", "estimates 12 weeks"},
		{"undecided", debate.Mode{}, debate.QuestionOpen, "a", "", "", "no side"},
		{"a ballot", debate.Mode{Asks: debate.AsksRanking}, debate.QuestionOpen, "a", "", "", ""},
		{"a mode without votes", debate.Mode{Votes: debate.VotesNone}, debate.QuestionOpen, "a", "", "", ""},
	} {
		s := debate.Session{Mode: c.mode, Question: c.kind, Unit: "weeks", Seats: panel}
		x := debate.Response{Turn: agents.Turn{Agent: c.agent}, Phase: c.phase, Statement: debate.Statement{Vote: c.vote}}
		if got := verdict.Standing(s, x); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
