package eval_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/eval"
	"roundtable/debate/verdict"
)

var seats = []eval.Seat{{ID: "ada", Name: "Ada"}, {ID: "bo", Name: "Bo"}, {ID: "cy", Name: "Cy"}}

// played returns a debate of three seats on a question. Each round is a letter for each seat:
// y and n are votes, ? takes no side, x is unreadable, f a refusal and ! a failing provider.
func played(t *testing.T, rounds ...string) debate.Session {
	t.Helper()
	f := debatetest.New(t, "collaborative", len(rounds), "Ada", "Bo", "Cy")
	f.Question = debate.QuestionYesNo
	for _, letters := range rounds {
		f.BeginRound("")
		for i, letter := range letters {
			id := agents.ID(seats[i].ID)
			x := f.Response(id)
			x.Began, x.Ended = debatetest.Began, debatetest.Began.Add(time.Duration(i+1)*time.Second)
			cost := 0.25
			x.Cost, x.Usage, x.Calls = &cost, agents.Usage{Input: 90, Output: 10}, 1
			switch letter {
			case 'y', 'n', '?':
				c := 0.95
				x.Statement.Confidence = &c
				x.Statement.Stance = map[rune]debate.Stance{'y': debate.Yes, 'n': debate.No, '?': debate.Neutral}[letter]
			case 'f', '!':
				kind := map[rune]agents.Kind{'f': agents.KindFilter, '!': agents.KindBusy}[letter]
				x.State, x.Failure, x.Statement = debate.TurnFailed, &debate.TurnFailure{Kind: kind, Cause: "so"}, debate.Statement{}
			}
			f.Current().Responses = append(f.Current().Responses, x)
		}
		f.EndRound()
	}
	v := verdict.Compute(f.Session)
	f.Verdict = &v
	return f.Session
}

func scored(t *testing.T, n int, s debate.Session) eval.Result {
	t.Helper()
	it := read(t, fmt.Sprintf(`{"input": "Question %d?", "target": "yes"}`, n), "").Items[0]
	r, ok := eval.Score(it, s, "ada")
	if !ok {
		t.Fatal("the debate has not come to its end")
	}
	return r
}

func grades(r eval.Result) string {
	var out []string
	for _, o := range r.Outcomes {
		out = append(out, o.Arm+" "+string(o.Grade))
	}
	return strings.Join(out, ", ")
}

func TestScore_gradesEveryArm(t *testing.T) {
	for _, c := range []struct {
		rounds []string
		want   string
	}{
		{[]string{"ynn", "yyn"}, "ada right, bo wrong, cy wrong, vote wrong, weighted wrong, panel right, ceiling right"},
		{[]string{"yn?", "yn?"}, "ada right, bo wrong, cy wrong, vote no_majority, weighted no_majority, panel no_majority, ceiling right"},
		{[]string{"nxf", "nnn"}, "ada wrong, bo unreadable, cy refused, vote no_majority, weighted wrong, panel wrong, ceiling wrong"},
		{[]string{"yy!", "yyy"}, "ada right, bo right, cy lost, vote right, weighted right, panel right, ceiling right"},
	} {
		r := scored(t, 1, played(t, c.rounds...))
		if got := grades(r); got != c.want {
			t.Errorf("%v:\n%s, want\n%s", c.rounds, got, c.want)
		}
	}
	if _, ok := eval.Score(eval.Item{}, debatetest.New(t, "collaborative", 1, "Ada", "Bo").Session, "ada"); ok {
		t.Error("a debate that has not begun is scored")
	}
	r := scored(t, 1, played(t, "ynn", "yyn"))
	vote, _ := r.Outcome(eval.ArmVote)
	panel, _ := r.Outcome(eval.ArmPanel)
	if *vote.Dollars != 0.75 || vote.Tokens != 300 || vote.Seconds != 3 || *panel.Dollars != 1.5 || panel.Tokens != 600 {
		t.Errorf("%+v, %+v", vote, panel)
	}
	if len(r.Turns) != 1 || r.Turns[0].Seat != "bo" || !r.Turns[0].Right || r.Turns[0].By != debate.Conformed {
		t.Errorf("%+v", r.Turns)
	}
}

// The cost and the time of an arm are those of all turns that it takes: failed attempts of the
// seats, and of pick and panel the chair. Pauses do not count.
func TestScore_countsWhatEachArmNeeded(t *testing.T) {
	s := played(t, "ynn", "yyn") // each round at once: Ada for 1 s, Bo for 2 s, Cy for 3 s; a turn costs $0.25
	for n := range s.History {
		for i := range s.History[n].Responses {
			x := &s.History[n].Responses[i]
			x.Began, x.Ended = x.Began.Add(time.Duration(n)*time.Hour), x.Ended.Add(time.Duration(n)*time.Hour)
		}
	}
	failed := s.History[0].Responses[1]
	failed.State, failed.Statement, failed.Failure = debate.TurnFailed, debate.Statement{}, &debate.TurnFailure{Kind: agents.KindBusy}
	failed.Began, failed.Ended = debatetest.Began.Add(-10*time.Second), debatetest.Began.Add(-5*time.Second)
	s.History[0].Responses[1].Turn.Attempt = failed.Turn.Attempt + 1
	s.History[0].Responses = slices.Insert(s.History[0].Responses, 1, failed)
	chair, began := 0.5, debatetest.Began.Add(2*time.Hour)
	s.AuxiliarySpending = []debate.Spending{{Purpose: debate.ForChair, Calls: 1, Usage: agents.Usage{Input: 200}, Cost: &chair}}
	s.AuxiliaryTimes = []debate.Span{{Began: began, Ended: began.Add(7 * time.Second)}}
	v := verdict.Compute(s)
	v.Pick = &debate.Pick{Agent: "bo"}
	s.Verdict = &v
	r := scored(t, 1, s)
	for _, want := range []struct {
		arm     string
		dollars float64
		tokens  int
		seconds float64
	}{
		{"ada", 0.25, 100, 1},
		{"bo", 0.5, 200, 7},
		{eval.ArmVote, 1, 400, 8},
		{eval.ArmCeiling, 1, 400, 8},
		{eval.ArmPick, 2.25, 900, 18},
		{eval.ArmPanel, 2.25, 900, 18},
	} {
		got, ok := r.Outcome(want.arm)
		if !ok || *got.Dollars != want.dollars || got.Tokens != want.tokens || got.Seconds != want.seconds {
			t.Errorf("%s: $%g, %d tokens, %g s; want %v", got.Arm, *got.Dollars, got.Tokens, got.Seconds, want)
		}
	}
}

// again adds answers of Ada to her prompt of round 1, each of 100 tokens.
func again(s debate.Session, stances ...string) debate.Session {
	s.Eval = &debate.EvalItem{Name: "x"}
	for i, stance := range stances {
		x := s.History[0].Responses[0]
		x.Turn.Step, x.Turn.Attempt = debate.FollowUpStep, i+1
		x.Passages = []debate.Passage{{Text: debatetest.Statement("So.", "So.", stance, 0.5)}}
		s.FollowUps = append(s.FollowUps, debate.FollowUp{Question: debate.AgainQuestion, Response: x})
	}
	return s
}

func TestConsistency_asksForWhatTheDebateCost(t *testing.T) {
	s := played(t, "nyy", "nyy") // six answers of 100 tokens
	for n := range 8 {
		if got := eval.AsksAgain(again(s, slices.Repeat([]string{"yes"}, n)...), "ada"); got != (n < 6) {
			t.Errorf("after %d answers: %t", n, got)
		}
	}
	broken := again(s, "yes", "yes")
	broken.FollowUps[1].Response.State = debate.TurnFailed
	if eval.AsksAgain(broken, "ada") {
		t.Error("it is asked again after a failure")
	}
	price, dear := 1.0, 50.0
	priced := played(t, "nyy", "nyy")
	for i := range priced.Seats {
		priced.Seats[i].PriceIn, priced.Seats[i].PriceOut = &price, &price
	}
	if priced.Seats[0].PriceIn = &dear; eval.AsksAgain(again(priced, "yes", "yes"), "ada") {
		t.Error("by money, Ada pays for two answers at most")
	}
	for want, stances := range map[eval.Grade][]string{eval.GradeRight: {"yes", "no", "yes"}, eval.GradeWrong: {"no", "yes"}} {
		r := scored(t, 1, again(s, stances...))
		if o, ok := r.Outcome(eval.ArmConsistency); !ok || o.Grade != want || r.Samples != len(stances) || !r.ByTokens {
			t.Errorf("%v: %+v", stances, o)
		}
	}
	g := eval.NewGroup("collaborative", eval.FactsNone, seats, "ada",
		[]eval.Result{scored(t, 1, again(s, "yes", "no", "yes")), scored(t, 2, again(s, "no")), scored(t, 3, s)}, 0)
	if c := g.Consistency; c == nil || *c != (eval.Consistency{Questions: 2, None: 1, Mean: 2, Least: 1, Most: 3, ByTokens: true}) {
		t.Errorf("%+v", c)
	}
	r := eval.NewReport("set", "three", seats[0], eval.Set{Bad: []eval.BadRow{}}, []eval.Group{g})
	validate(t, r)
	if !strings.Contains(r.Text(), "by tokens, not money): 2.0 answers to a question, 1 to 3; none to 1 question.") {
		t.Error(r.Text())
	}
}

func TestReport_saysWhatCanBeShown(t *testing.T) {
	if got, want := eval.CanShow(50), "With 50 questions: if the two differ on 5, it takes 5:0 to count (10 points); on 10, 9:1 (16); "+
		"on 20, 15:5 (20)."; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got, want := eval.CanShow(4), "With 4 questions, nothing can be shown."; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got, want := eval.CanShow(10), "With 10 questions: if the two differ on fewer than 5, nothing counts; "+
		"on 5, it takes 5:0 to count (50 points)."; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	var results []eval.Result
	for range 27 {
		results = append(results, scored(t, len(results), played(t, "yyy", "yyy")))
	}
	for range 8 { // Ada alone is right, and convinces nobody
		results = append(results, scored(t, len(results), played(t, "ynn", "ynn")))
	}
	for range 10 {
		results = append(results, scored(t, len(results), played(t, "nnn", "yyn")))
	}
	for range 5 {
		results = append(results, scored(t, len(results), played(t, "nny", "nny")))
	}
	g := eval.NewGroup("collaborative", eval.FactsNone, seats, "ada", results, 0)
	set := eval.Set{Items: make([]eval.Item, 50), Bad: []eval.BadRow{}}
	r := eval.NewReport("set", "three", seats[0], set, []eval.Group{g, eval.NewGroup("delphi", eval.FactsAsked, seats, "ada", results[:40], 10)})
	if a := r.Groups[1].Against; a.Pairs != 40 || a.Better+a.Worse != 0 || !a.Adjusted || r.Complete() {
		t.Errorf("%+v", a)
	}
	want := "collaborative, facts none: The panel was right in 37 of 50, Ada alone in 35; they differ on 18 questions, 10 to 8: " +
		"no difference can be shown (McNemar mid-p 0.65)."
	if r.Summary != want {
		t.Errorf("%s\nwant\n%s", r.Summary, want)
	}
	if g.Same.Of != 37 || g.Same.Right != 27 || g.Split.Of != 13 || g.Split.Right != 0 {
		t.Errorf("%+v %+v", g.Same, g.Split)
	}
	if s := g.Seats; s.Pairs != 3 || s.Rho == nil || math.Abs(*s.Effective-3/(1+2**s.Rho)) > 1e-12 || s.SameWrong != s.BothWrong {
		t.Errorf("%+v", s)
	}
	if len(g.Turns) != 1 || g.Turns[0].Count != 20 {
		t.Errorf("%+v", g.Turns)
	}
	ada := r.Groups[0].Arms[0]
	if ada.Versus != nil || ada.Flatter || *ada.Low < 0.56 || ada.Sure.Sure != 50 || ada.Sure.Wrong != 15 || ada.Sure.Brier == nil {
		t.Errorf("%+v %+v", ada, ada.Sure)
	}
	for _, a := range r.Groups[0].Arms {
		if a.Versus != nil && a.Versus.Adjusted == (a.Arm == eval.ArmPanel) {
			t.Errorf("%s: %+v", a.Arm, a.Versus)
		}
	}
	for _, part := range []string{want, "37 of 50", "baseline", "20 answers became right in the debate: changed, no evidence."} {
		if !strings.Contains(r.Text(), part) {
			t.Errorf("no %q in\n%s", part, r.Text())
		}
	}
	validate(t, r)
	var table bytes.Buffer
	if err := r.WriteCSV(&table); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&table).ReadAll()
	if err != nil || len(rows) != 1+90*7 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// validate wants a report to be as its schema describes it.
func validate(t *testing.T, r eval.Report) {
	t.Helper()
	raw, err := os.ReadFile("report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	schema, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
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

func TestReport_hasNoRateOfFewQuestions(t *testing.T) {
	results := []eval.Result{scored(t, 1, played(t, "yy!", "yyy")), scored(t, 2, played(t, "ynn", "ynn"))}
	g := eval.NewGroup("collaborative", eval.FactsNone, seats, "cy", results, 3)
	r := eval.NewReport("set", "three", seats[2], eval.Set{Items: make([]eval.Item, 5), Bad: []eval.BadRow{{Line: 3, Why: "so"}}}, []eval.Group{g})
	validate(t, r)
	panel := g.Arms[5]
	if panel.Arm != eval.ArmPanel || panel.Low != nil || panel.Versus.Pairs != 1 || panel.Versus.Lost != 1 || g.Seats.Rho != nil {
		t.Errorf("%+v %+v", panel, panel.Versus)
	}
	for _, part := range []string{"3 not played to the end", "Line 3 was not read: so.", "1 lost by the provider", "they differ on none", "flattered"} {
		if !strings.Contains(r.Text(), part) {
			t.Errorf("no %q in\n%s", part, r.Text())
		}
	}
}

// Every sentence is true where there is nothing, little, or nothing but equals to compare.
func TestReport_isTrueAtTheEdges(t *testing.T) {
	lost := func(n int) eval.Result {
		s := played(t, "y!!")
		s.Verdict, s.History[0].Ended = nil, time.Time{}
		return scored(t, n, s)
	}
	for name, c := range map[string]struct {
		results []eval.Result
		holds   []string
		never   []string
	}{
		"nothing": {nil, []string{"No question has been played to its end.\nWith 50 questions: "}, []string{"0 of 0", "right in"}},
		"all lost": {
			[]eval.Result{lost(1), lost(2)},
			[]string{"No question can compare the panel with Ada. A provider failed in 2 questions more.", "panel", "2 lost by the provider"},
			[]string{"pick", "unanimous", "0:0", "0.0/0.0", "unknown"},
		},
		"one lost": {
			[]eval.Result{scored(t, 1, played(t, "yyy")), lost(2)},
			[]string{
				"The panel was right in 1 of 1, Ada alone in 1; they differ on none. A provider failed in 1 question more.\n" +
					"With 1 question, nothing can be shown.",
			},
			nil,
		},
		"all right": {
			[]eval.Result{scored(t, 1, played(t, "yyy")), scored(t, 2, played(t, "yyy"))},
			[]string{"they differ on none.", "Where the first votes were unanimous, that vote was right in 2 of 2.", "There are 2 and 0."},
			[]string{"not unanimous", "flattered"},
		},
	} {
		g := eval.NewGroup("collaborative", eval.FactsNone, seats, "ada", append([]eval.Result{}, c.results...), 0)
		r := eval.NewReport("set", "three", seats[0], eval.Set{Items: make([]eval.Item, 50), Bad: []eval.BadRow{}}, []eval.Group{g})
		validate(t, r)
		for _, part := range c.holds {
			if !strings.Contains(r.Text(), part) {
				t.Errorf("%s: no %q in\n%s", name, part, r.Text())
			}
		}
		for _, part := range c.never {
			if strings.Contains(r.Text(), part) {
				t.Errorf("%s: %q in\n%s", name, part, r.Text())
			}
		}
	}
	if err := eval.CheckSeats([]eval.Seat{{ID: "pick"}}); err == nil {
		t.Error("a seat has the id of another arm")
	}
}
