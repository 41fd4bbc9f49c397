package eval_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/eval"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// played returns a debate of three seats on a question. Each round is a letter for each seat:
// y and n are votes, ? takes no side, x is unreadable and ! is missing.
func played(t *testing.T, rounds ...string) debate.Session {
	t.Helper()
	f := debatetest.New(t, "collaborative", len(rounds), "Ada", "Bo", "Cy")
	f.Question = debate.QuestionYesNo
	for _, letters := range rounds {
		f.BeginRound("")
		for i, letter := range letters {
			x := f.Response(f.Seats[i].ID)
			switch letter {
			case 'y', 'n', '?':
				x.Statement.Vote = map[rune]string{'y': "yes", 'n': "no", '?': "undecided"}[letter]
			case '!':
				x.State, x.Statement = debate.TurnFailed, debate.Statement{}
				x.Failure = &debate.TurnFailure{Kind: agents.KindBusy, Cause: "so"}
			}
			f.Current().Responses = append(f.Current().Responses, x)
		}
		f.EndRound()
	}
	f.Verdict = &debate.Verdict{}
	return f.Session
}

// scored scores a debate on question n, whose answer is yes.
func scored(t *testing.T, n int, s debate.Session) eval.Result {
	t.Helper()
	it := item(t, `"target": "yes"`)
	it.Line, s.ID = n, fmt.Sprintf("%010d", n)
	r, ok := eval.Score(it, s)
	if !ok {
		t.Fatal("the debate has not come to its end")
	}
	return r
}

func TestScore_gradesEveryArm(t *testing.T) {
	for _, c := range []struct {
		rounds []string
		want   string // of the seats, the vote of round 1 and the panel
	}{
		{[]string{"ynn", "yyn"}, "right wrong wrong wrong right"},
		{[]string{"yn?", "yn?"}, "right wrong undecided undecided undecided"},
		{[]string{"nx!", "nnn"}, "wrong unreadable missing undecided wrong"},
		{[]string{"yy!", "yyy"}, "right right missing right right"},
	} {
		r := scored(t, 1, played(t, c.rounds...))
		var got []string
		for _, arm := range []string{"ada", "bo", "cy", "vote of round 1", "the panel"} {
			got = append(got, string(r.Answers[arm].Grade))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, want %s", c.rounds, got, c.want)
		}
	}
	picked := played(t, "nny", "nny")
	picked.Verdict.Pick = &debate.Pick{Agent: "cy"}
	if a := scored(t, 1, picked).Answers["the pick"]; a.Grade != "right" || a.Answer != "yes" {
		t.Errorf("picked %+v", a)
	}
	open := played(t, "yyy")
	open.Verdict = nil
	if _, ok := eval.Score(eval.Item{}, open); ok {
		t.Error("a debate without a verdict is scored")
	}
}

func TestScore_followsTheRulesOfLabels(t *testing.T) {
	said := func(vote string) debate.Statement { return debate.Statement{Vote: vote} }
	for _, c := range []struct {
		fields string
		said   debate.Statement
		right  bool
	}{
		{`"target": "yes"`, debate.Statement{Vote: "yes"}, true},
		{`"target": "no"`, debate.Statement{Vote: "yes"}, false},
		{`"target": ["Bern", "Berne"]`, said("“berne”."), true},
		{`"target": "C"`, said("C++"), false},
		{`"target": "C#"`, said("C"), false},
		{`"choices": ["Ada", "Bob"], "target": "Bob"`, said("bob"), true},
		{`"choices": ["Ada", "Bob"], "target": "Bob"`, said("Ada"), false},
		{`"target": 12`, said("12"), true},
		{`"target": 12`, said("12.5"), false},
		{`"target": "12 weeks"`, said("12 week"), true},
		{`"target": 100`, said("100"), true},
	} {
		it := item(t, c.fields)
		f := debatetest.New(t, "collaborative", 1, "Ada", "Bo")
		f.Question, f.Mode.Options = it.Kind, it.Options
		f.Unit, _ = it.Kind.UnitFor(it.Unit)
		f.BeginRound("")
		for _, seat := range f.SeatIDs() {
			x := f.Response(seat)
			x.Statement = c.said
			x.Statement.Body, x.Statement.Position = "So.", "So."
			f.Current().Responses = append(f.Current().Responses, x)
		}
		f.EndRound()
		f.Verdict = &debate.Verdict{}
		r, _ := eval.Score(it, f.Session)
		if got := r.Answers["ada"]; (got.Grade == "right") != c.right {
			t.Errorf("%s by %+v: %+v", c.fields, c.said, got)
		}
	}
}

func TestCheck_refusesModesWithoutFreeVotesAtOnce(t *testing.T) {
	for mode, want := range map[string]bool{
		"collaborative": true, "delphi": true, "expert-panel": true,
		"council": false, "adversarial": false, "socratic": false, "devils-advocate": false, "red-team-blue-team": false, "review": false,
	} {
		err := eval.Check(debatetest.New(t, mode, 2, "Ada", "Bo", "Cy", "Di").Session)
		refused := err != nil && strings.HasPrefix(err.Error(), "mode "+mode+" cannot be evaluated: its seats do not all vote at once")
		if (err == nil) != want || refused == want {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

// report returns the report on debates, with as many of each as their number says.
func report(t *testing.T, baseline string, of map[string]int) eval.Report {
	t.Helper()
	results := []eval.Result{}
	for _, rounds := range []string{"yyy yyy", "ynn yyy", "yny yyy", "nyn yyy", "nnn nnn", "ynn nnn", "nny nnn", "yy! yyy"} {
		for range of[rounds] {
			results = append(results, scored(t, len(results)+1, played(t, strings.Fields(rounds)...)))
		}
	}
	r := eval.Report{Name: "set", Mode: "collaborative", Facts: eval.FactsNone, Baseline: baseline, Questions: 50, Bad: []eval.BadRow{}}
	r = eval.NewReport(r, debatetest.New(t, "collaborative", 1, "Ada", "Bo", "Cy").Seats, results)
	validate(t, r)
	return r
}

// The first sentence has the panel, the seat named beforehand and the best one, and never says
// "better" alone where a seat was right more often.
func TestReport_comparesInOneSentence(t *testing.T) {
	for _, c := range []struct {
		name, baseline string
		of             map[string]int
		want           string
	}{
		{
			"a better seat", "bo",
			map[string]int{"yny yyy": 6, "nyn yyy": 0, "yyy yyy": 2, "ynn nnn": 4},
			"The panel was right in 8 of 12, Bo (named beforehand) in 2, the best seat, chosen afterwards, in 12: " +
				"better than Bo (6:0, mid-p 0.02); the best seat alone did better (4:0, mid-p 0.06).",
		},
		{
			"a seat as good", "bo",
			map[string]int{"yny yyy": 6, "yyy yyy": 2},
			"The panel was right in 8 of 8, Bo (named beforehand) in 2, the best seat, chosen afterwards, in 8: " +
				"better than Bo (6:0, mid-p 0.02); the best seat alone did as well (0:0, mid-p 1.00).",
		},
		{
			"the best seat named", "ada",
			map[string]int{"yyy yyy": 6, "nyn yyy": 2},
			"The panel was right in 8 of 8, Ada (named beforehand) in 6, the best seat, chosen afterwards, in 8: " +
				"no difference can be shown from Ada (2:0, mid-p 0.25); the best seat alone did as well (0:0, mid-p 1.00).",
		},
		{
			"worse", "ada",
			map[string]int{"ynn nnn": 6},
			"The panel was right in 0 of 6, Ada (named beforehand) in 6, and no other seat in more: worse than Ada (0:6, mid-p 0.02).",
		},
		{"nothing", "ada", nil, "No question has been played to its end."},
	} {
		if r := report(t, c.baseline, c.of); r.Summary != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, r.Summary, c.want)
		}
	}
}

func TestReport_countsWhatIsMissing(t *testing.T) {
	r := report(t, "ada", map[string]int{"yyy yyy": 10, "ynn yyy": 5, "nny nnn": 5, "yy! yyy": 5})
	if cy := r.Arms[2]; cy.Right != 15 || cy.Grades["missing"] != 5 || cy.Better != 5 || cy.Worse != 10 || cy.Low > 0.42 || cy.High < 0.76 {
		t.Errorf("%+v", cy)
	}
	if r.ToRight != 5 || r.ToWrong != 0 || len(r.Arms) != 5 {
		t.Errorf("%d to right, %d to wrong, %d arms", r.ToRight, r.ToWrong, len(r.Arms))
	}
	// Errors of Ada and Cy: phi of none, 5, 10 and 10 in 25; of Bo with Ada 5, 0, 5, 15, and with Cy 5, 5, 5, 10.
	ada, cy, both := (0.0*10-5*10)/math.Sqrt(5*20*10*15), (5.0*15-0*5)/math.Sqrt(5*20*10*15), (5.0*10-5*5)/math.Sqrt(10*15*10*15)
	if want := 3 / (1 + 2*max(0, (ada+cy+both)/3)); r.Effective == nil || math.Abs(*r.Effective-want) > 1e-12 {
		t.Errorf("worth %v, want %v", *r.Effective, want)
	}
	for _, part := range []string{
		"collaborative, facts none: 25 of 50 questions played", "baseline", "Vote of round 1 to panel: 5 questions wrong to right, 0 right",
	} {
		if !strings.Contains(r.Text(), part) {
			t.Errorf("no %q in\n%s", part, r.Text())
		}
	}
	if few := report(t, "ada", map[string]int{"yyy yyy": 9, "ynn yyy": 5, "nny nnn": 5}); few.Effective != nil {
		t.Error("19 questions tell how far errors correlate")
	}
}

func TestCanShow_saysHowClearlyOneHasToWin(t *testing.T) {
	for n, want := range map[int]string{
		4:  "With 4 questions no difference can be shown.",
		5:  "With 5 questions a difference is shown, if the two differ on 5, from 5:0.",
		12: "With 12 questions a difference is shown, if the two differ on 12, from 10:2.",
		40: "With 40 questions a difference is shown, if the two differ on 8, from 7:1; on 16, from 12:4; on 40, from 27:13.",
	} {
		if got := eval.CanShow(n); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// validate wants a report to be as its schema describes it.
func validate(t *testing.T, r eval.Report) {
	t.Helper()
	raw, err := os.ReadFile("report.schema.json")
	must.Do(t, err)
	var s jsonschema.Schema
	must.Do(t, json.Unmarshal(raw, &s))
	schema, err := s.Resolve(nil)
	must.Do(t, err)
	var doc any
	if raw, err = json.Marshal(r); err == nil {
		err = json.Unmarshal(raw, &doc)
	}
	if err == nil {
		err = schema.Validate(doc)
	}
	if err != nil {
		t.Error(err)
	}
}
