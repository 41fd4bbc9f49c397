package track_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/ledger"
	"roundtable/debate/statement"
	"roundtable/debate/track"
	"roundtable/debate/verdict"
)

// began is when the first vote of a debate was begun, which tells debates apart.
var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// played returns a debate of a seat for each model. Each round lists the votes in the order of
// the seats, with blanks between them; "-" is a seat without a statement and "?" one without a side.
func played(tb testing.TB, question debate.QuestionKind, models string, rounds ...string) debate.Session {
	tb.Helper()
	names := strings.Fields("Ada Bo Cy Dee Eve")[:len(strings.Fields(models))]
	f := debatetest.New(tb, "collaborative", len(rounds), names...)
	began = began.Add(time.Minute)
	f.ID, f.Question = fmt.Sprintf("s%09d", began.Unix()%1e9), question
	for i, model := range strings.Fields(models) {
		f.Seats[i].Model = model
	}
	for _, votes := range rounds {
		f.BeginRound("")
		for i, label := range strings.Fields(votes) {
			x := f.Response(f.Seats[i].ID)
			x.Began, x.Ended = began.Add(time.Duration(i)*time.Second), began.Add(time.Hour)
			label = strings.ReplaceAll(label, "_", " ")
			c := 0.8
			x.Statement.Confidence = &c
			switch {
			case label == "-":
				x.State, x.Statement = debate.TurnFailed, debate.Statement{}
				x.Failure = &debate.TurnFailure{Kind: agents.KindBusy, Cause: "busy"}
			case label == "?":
				x.Statement.Stance = debate.Neutral
			case question == debate.QuestionYesNo:
				x.Statement.Stance = debate.Stance(label)
			case question == debate.QuestionEstimate:
				x.Statement.Estimate = statement.Separators{}.Estimate(label)
			default:
				x.Statement.Choice = label
			}
			f.Current().Responses = append(f.Current().Responses, x)
		}
		f.EndRound()
	}
	v := verdict.Compute(f.Session)
	f.Verdict = &v
	return f.Session
}

// settled returns the session with an outcome that a person says.
func settled(tb testing.TB, s debate.Session, lines ...string) debate.Session {
	tb.Helper()
	for _, line := range lines {
		v, err := verdict.ReadOutcome(s, line, ledger.ByPerson("command"), began)
		if err != nil {
			tb.Fatalf("%s: %v", line, err)
		}
		s = s.WithSettlement(v)
	}
	return s
}

// row is a count without its rate.
func row(c track.Count) string {
	return fmt.Sprintf("%d:%d mixed %d open %d none %d", c.Right, c.Wrong, c.Mixed, c.Open, c.NoSide)
}

func modelRow(m track.Model) string {
	out := fmt.Sprintf("%s %d:%d against %d with %d differs %d/%d", m.Model, m.Right, m.Wrong, m.Against, m.With, m.Differs, m.Of)
	for _, more := range []struct {
		n    int
		word string
	}{{m.Mixed, "mixed"}, {m.Open, "open"}, {m.Unknown, "unknown"}, {m.Divided, "divided"}, {m.NoSide, "no side"}} {
		if more.n > 0 {
			out += fmt.Sprintf(" %s %d", more.word, more.n)
		}
	}
	return out
}

func byName(rows []track.Row, name string) track.Count {
	return rows[slices.IndexFunc(rows, func(r track.Row) bool { return r.Name == name })].Count
}

func TestFold(t *testing.T) {
	const yesNo, open, choice = debate.QuestionYesNo, debate.QuestionOpen, debate.QuestionChoice
	withOptions := func(s debate.Session) debate.Session {
		var err error
		if s.Mode, err = s.Mode.WithList(debate.OptionsList, []string{"Go", "Rust", "Zig"}); err != nil {
			t.Fatal(err)
		}
		v := verdict.Compute(s)
		s.Verdict = &v
		return s
	}
	fork := func(s debate.Session) debate.Session {
		s.ForkedFrom, s.ID, s.ForkRound, s.Settlements = s.ID, "f"+s.ID[1:], 1, nil
		return s
	}
	origin := settled(t, played(t, yesNo, "a b", "yes yes"), "right")
	changed := played(t, yesNo, "a b c", "yes yes no", "yes yes no")
	other := agents.Profile{ID: "cy", Name: "Cy", Model: "d"}
	changed.SeatChanges = []debate.SeatChange{{Round: 2, Agent: "cy", Was: changed.Seats[2], Now: other}}
	changed.Seats[2].Model = "d"
	superseded := settled(t, played(t, yesNo, "a b", "yes yes"), "right")
	superseded.History = append(superseded.History, debate.Round{Number: 2})
	evaluation := settled(t, played(t, yesNo, "a b", "yes yes"), "right")
	evaluation.Eval = &debate.EvalItem{Name: "few"}
	demo := settled(t, played(t, yesNo, "a b", "yes yes"), "right")
	demo.Seats[0].Provider = debate.DemoProvider
	for _, c := range []struct {
		name     string
		sessions []debate.Session
		summary  string
		division string // of the first votes, with its count
		models   []string
	}{
		{"none", nil, "No verdict has turned out yet.", "unanimous 0:0 mixed 0 open 0 none 0", nil},
		{
			"not settled",
			[]debate.Session{played(t, yesNo, "a b", "yes yes")},
			"No verdict has turned out yet.",
			"unanimous 0:0 mixed 0 open 0 none 0", nil,
		},
		{
			"wrong means the other",
			[]debate.Session{settled(t, played(t, yesNo, "a b c", "yes yes no"), "wrong")},
			"1 settled: 0 right, 1 wrong.", "majority 0:1 mixed 0 open 0 none 0",
			[]string{"c 1:0 against 1 with 0 differs 1/1", "a 0:1 against 0 with 1 differs 0/1", "b 0:1 against 0 with 1 differs 0/1"},
		},
		{
			"a seat without a statement is not unanimous",
			[]debate.Session{settled(t, played(t, yesNo, "a b c", "yes - yes"), "right")},
			"1 settled: 1 right.", "majority 1:0 mixed 0 open 0 none 0",
			[]string{"a 1:0 against 0 with 0 differs 0/1", "c 1:0 against 0 with 0 differs 0/1"},
		},
		{
			"undecided",
			[]debate.Session{settled(t, played(t, yesNo, "a b c", "yes yes ?"), "right")},
			"1 settled: 1 right.", "majority 1:0 mixed 0 open 0 none 0",
			[]string{
				"a 1:0 against 0 with 0 differs 0/1", "b 1:0 against 0 with 0 differs 0/1",
				"c 0:0 against 0 with 0 differs 0/0 no side 1",
			},
		},
		{
			"the first votes count for models, the last ones for the verdict",
			[]debate.Session{settled(t, played(t, yesNo, "a b c", "yes no no", "yes yes yes"), "right")},
			"1 settled: 1 right.", "majority 1:0 mixed 0 open 0 none 0",
			[]string{"a 1:0 against 1 with 0 differs 1/1", "b 0:1 against 0 with 1 differs 0/1", "c 0:1 against 0 with 1 differs 0/1"},
		},
		{
			"a verdict without a side, and what was right",
			[]debate.Session{settled(t, played(t, yesNo, "a b", "yes no"), "no")},
			"1 settled: 0 right, 1 without a side.", "split 0:0 mixed 0 open 0 none 1",
			[]string{"b 1:0 against 0 with 0 differs 0/0", "a 0:1 against 0 with 0 differs 0/0"},
		},
		{
			"copies of a model",
			[]debate.Session{
				settled(t, played(t, yesNo, "a a b", "yes yes no"), "right"), settled(t, played(t, yesNo, "a a b", "yes no no"), "right"),
			},
			"2 settled: 2 right.", "majority 2:0 mixed 0 open 0 none 0",
			[]string{"b 1:1 against 0 with 0 differs 1/2", "a 1:0 against 0 with 0 differs 0/1 divided 1"},
		},
		{
			"the model as it was then",
			[]debate.Session{settled(t, changed, "wrong")},
			"1 settled: 0 right, 1 wrong.",
			"majority 0:1 mixed 0 open 0 none 0",
			[]string{"c 1:0 against 1 with 0 differs 1/1", "a 0:1 against 0 with 1 differs 0/1", "b 0:1 against 0 with 1 differs 0/1"},
		},
		{
			"mixed and open are in no rate",
			[]debate.Session{
				settled(t, played(t, yesNo, "a b", "yes yes"), "mixed"), settled(t, played(t, yesNo, "a b", "yes yes"), "open 6w"),
			},
			"1 settled: 0 right, 1 mixed. Still open: 1.", "unanimous 0:0 mixed 1 open 1 none 0",
			[]string{"a 0:0 against 0 with 0 differs 0/0 mixed 1 open 1", "b 0:0 against 0 with 0 differs 0/0 mixed 1 open 1"},
		},
		{
			"settled twice",
			[]debate.Session{settled(t, played(t, yesNo, "a b", "yes yes"), "wrong", "open 6w", "right")},
			"1 settled: 1 right. Unanimous first votes: 1 of 1 right.", "unanimous 1:0 mixed 0 open 0 none 0",
			[]string{"a 1:0 against 0 with 0 differs 0/1", "b 1:0 against 0 with 0 differs 0/1"},
		},
		{
			"an outcome of an earlier verdict",
			[]debate.Session{superseded},
			"No verdict has turned out yet.",
			"unanimous 0:0 mixed 0 open 0 none 0", nil,
		},
		{
			"a fork has another verdict on the same first votes",
			[]debate.Session{settled(t, fork(origin), "open 6w"), origin},
			"1 settled: 1 right. Unanimous first votes: 1 of 1 right. Still open: 1.", "unanimous 1:0 mixed 0 open 1 none 0",
			[]string{"a 1:0 against 0 with 0 differs 0/1", "b 1:0 against 0 with 0 differs 0/1"},
		},
		{"an evaluation", []debate.Session{evaluation}, "No verdict has turned out yet.", "unanimous 0:0 mixed 0 open 0 none 0", nil},
		{"a demo", []debate.Session{demo}, "No verdict has turned out yet.", "unanimous 0:0 mixed 0 open 0 none 0", nil},
		{
			"a wrong choice: which other option was right is not known",
			[]debate.Session{settled(t, withOptions(played(t, choice, "a b c", "Go Go Rust")), "wrong")},
			"1 settled: 0 right, 1 wrong.", "majority 0:1 mixed 0 open 0 none 0",
			[]string{
				"a 0:1 against 0 with 1 differs 0/1", "b 0:1 against 0 with 1 differs 0/1",
				"c 0:0 against 0 with 0 differs 0/0 unknown 1",
			},
		},
		{
			"another option was right",
			[]debate.Session{settled(t, withOptions(played(t, choice, "a b c", "Go Go Rust")), "Zig")},
			"1 settled: 0 right, 1 wrong.", "majority 0:1 mixed 0 open 0 none 0",
			[]string{"a 0:1 against 0 with 1 differs 0/1", "b 0:1 against 0 with 1 differs 0/1", "c 0:1 against 0 with 0 differs 1/1"},
		},
		{
			"labels that may mean the same",
			[]debate.Session{settled(t, played(t, open, "a b c", "Postgres Postgres pg"), "right")},
			"1 settled: 1 right.", "majority 1:0 mixed 0 open 0 none 0",
			[]string{
				"a 1:0 against 0 with 0 differs 0/1", "b 1:0 against 0 with 0 differs 0/1",
				"c 0:0 against 0 with 0 differs 0/0 unknown 1",
			},
		},
	} {
		got := track.Fold(c.sessions)
		name, want, _ := strings.Cut(c.division, " ")
		if got.Summary != c.summary {
			t.Errorf("%s: %q, want %q", c.name, got.Summary, c.summary)
		}
		if r := row(byName(got.FirstVotes, name)); r != want {
			t.Errorf("%s: first votes %s are %s, want %s", c.name, name, r, want)
		}
		var models []string
		for _, m := range got.Models {
			models = append(models, modelRow(m))
		}
		if !slices.Equal(models, c.models) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(models, "\n"), strings.Join(c.models, "\n"))
		}
	}
	if got := track.Fold([]debate.Session{demo, evaluation}); got.Demos != 1 || !got.Empty() {
		t.Errorf("%+v", got)
	}
}

// A rate is told from five on; the counts always.
func TestFold_tellsRatesFromFiveOn(t *testing.T) {
	var all []debate.Session
	for n := 1; n <= 5; n++ {
		all = append(all, settled(t, played(t, debate.QuestionYesNo, "a b", "yes yes"), map[bool]string{true: "wrong", false: "right"}[n == 2]))
		got := track.Fold(all)
		if got.Verdicts.Right+got.Verdicts.Wrong != n || (got.Verdicts.Rate != nil) != (n == 5) || (got.Models[0].Rate != nil) != (n == 5) {
			t.Errorf("of %d: %+v, %+v", n, got.Verdicts, got.Models)
		}
	}
	got := track.Fold(append(all, settled(t, played(t, debate.QuestionYesNo, "a b", "yes yes"), "mixed")))
	if words := got.Verdicts.Rate.String(); words != "80% (38-96%)" { // scipy: 0.3755, 0.9638
		t.Error(words)
	}
}

func TestFold_keepsFiguresAndFindingsApart(t *testing.T) {
	var all []debate.Session
	for _, was := range []string{"11 weeks", "5 weeks", "open 6w", "20 weeks"} {
		all = append(all, settled(t, played(t, debate.QuestionEstimate, "a b", "8_weeks 12_weeks"), was))
	}
	review := played(t, debate.QuestionOpen, "a b", "? ?")
	review.Verdict.Findings = &debate.Findings{List: []debate.ReviewFinding{
		{ID: "H1", State: debate.FindingOneSeat},
		{ID: "H2", State: debate.FindingConfirmed},
		{ID: "H3", State: debate.FindingConfirmed},
		{ID: "H4", State: debate.FindingConfirmed, MergedInto: "H3"},
	}}
	got := track.Fold(append(all, settled(t, review, "H2=real", "H1=false")))
	if want := "3 estimates settled. 1 review settled. Still open: 1."; got.Summary != want || got.Verdicts.Rate != nil || len(got.Models) > 0 {
		t.Errorf("%q, want %q; %+v", got.Summary, want, got.Models)
	}
	if e := got.Estimates; e.Known != 3 || e.Inside != 1 || e.Ranges != 3 || *e.Error != 50 || len(e.List) != 3 || *e.List[0].Error != -50 {
		raw, _ := json.Marshal(e)
		t.Errorf("%s", raw)
	}
	want := []track.Findings{{debate.FindingConfirmed, 1, 0, 1}, {debate.FindingOneSeat, 0, 1, 0}}
	if !slices.Equal(got.Reviews.Findings, want) {
		t.Errorf("%+v, want %+v", got.Reviews.Findings, want)
	}
}

// By the share of the last votes and the stated confidence of the chair.
func TestFold_calibrates(t *testing.T) {
	sure := 0.92
	s := settled(t, played(t, debate.QuestionYesNo, "a b c d", "yes yes yes no"), "right")
	s.Verdict.Confidence = &sure
	all := []debate.Session{s, settled(t, played(t, debate.QuestionYesNo, "a b", "yes no", "yes yes"), "wrong")}
	got := track.Fold(all)
	for name, want := range map[string]string{
		row(byName(got.Shares, "75-99")):          "1:0 mixed 0 open 0 none 0",
		row(byName(got.Shares, "100")):            "0:1 mixed 0 open 0 none 0",
		row(byName(got.Confidence, "90-100")):     "1:0 mixed 0 open 0 none 0",
		row(byName(got.Confidence, "not_stated")): "0:1 mixed 0 open 0 none 0",
	} {
		if name != want {
			t.Errorf("%s, want %s", name, want)
		}
	}
	all[0].Settlements[0].Author = ledger.Author{Kind: ledger.Assistant, Door: "claude-code"}
	if notes := track.Fold(all).Notes(); !slices.Contains(notes, "1 outcome was said by an assistant, not by you.") {
		t.Errorf("%q", notes)
	}
}
