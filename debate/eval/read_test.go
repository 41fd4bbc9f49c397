package eval_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/eval"
	"roundtable/debate/ledger"
)

func read(t *testing.T, raw, columns string) eval.Set {
	t.Helper()
	var c eval.Columns
	if columns != "" {
		var err error
		if c, err = eval.ParseColumns(columns); err != nil {
			t.Fatal(err)
		}
	}
	s, err := eval.Read([]byte(raw), c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRead_readsTheFormatsOfOthers(t *testing.T) {
	for _, c := range []struct{ name, raw, columns, want string }{
		{"Inspect, yes or no", `{"input": "Is 7 prime?", "target": "Yes"}`, "", "yes-no [] answer=Yes"},
		{"Inspect, a letter", `{"input": "Who?", "choices": ["Ada", "Bob"], "target": "B"}`, "", "choice [Ada Bob] answer=Bob"},
		{"Inspect, any of", `{"input": "Where?", "target": ["Bern", "Berne"]}`, "", "open [] answer=Bern|Berne"},
		{"a conversation of one", `{"input": [{"role": "user", "content": "Where?"}], "ideal": "Bern"}`, "", "open [] answer=Bern"},
		{"a number", `{"input": "How many?", "ideal": 12}`, "", "estimate [] answer=12"},
		{"true", `{"input": "So?", "ideal": true}`, "", "yes-no [] answer=yes"},
		{
			"promptfoo", `{"vars": {"q": "Where?"}, "assert": [{"type": "icontains", "value": "bern"}, {"type": "regex", "value": "^B"}]}`,
			"", "open [] icontains=bern regex=^B",
		},
		{"promptfoo as CSV", "question,__expected\nWhere?,icontains: bern\n", "", "open [] icontains=bern"},
		{"promptfoo as CSV, equal", "question,__expected1,__expected2\nWhere?,Bern,contains:B\n", "", "open [] answer=Bern contains=B"},
		{"Inspect as CSV", "input,target,choices\n\"Who, then?\",A,\"Ada,Bob\"\n", "", "choice [Ada Bob] answer=Ada"},
		{"mapped", `{"vars": {"q": "Where?", "x": "y"}, "gold": "Bern"}`, "question=vars.q,target=gold", "open [] answer=Bern"},
		{"long choices", `{"input": "Who?", "choices": ["` + strings.Repeat("a", 50) + `", "b"], "target": "b"}`, "", "choice [A B] answer=B"},
		{"no number", `{"input": "Who lives here?", "target": "10 Downing Street"}`, "", "open [] answer=10 Downing Street"},
	} {
		s := read(t, c.raw, c.columns)
		if len(s.Items) != 1 || len(s.Bad) != 0 {
			t.Errorf("%s: %+v", c.name, s)
			continue
		}
		it := s.Items[0]
		got := fmt.Sprintf("%s %v", it.Kind, it.Options)
		for _, test := range it.Tests {
			got += " " + test.Kind + "=" + strings.Join(test.Any, "|")
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRead_namesEveryRowThatCannotBeRead(t *testing.T) {
	s := read(t, `{"input": "Good?", "target": "yes"}

{"input": "Good?", "target": "yes"}
{"input": "No target?"}
{"input": "", "target": "x"}
{broken
{"input": "Two?", "target": "yes"} {}
{"input": [{"role": "system", "content": "x"}, {"role": "user", "content": "y"}], "target": "x"}
{"vars": {"a": "1", "b": "2"}, "assert": [{"type": "equals", "value": "3"}]}
{"vars": {"a": "1"}, "assert": [{"type": "llm-rubric", "value": "3"}]}
{"vars": {"a": "1"}, "assert": [{"type": "regex", "value": "("}]}
{"input": "Which?", "choices": ["a", "b"], "target": "c"}
{"input": "Which?", "choices": ["a"], "target": "a"}
{"input": "F?", "target": "yes", "facts": {"users": []}}
{"input": "T?", "target": "yes", "tolerance": 1}
`, "")
	if len(s.Items) != 1 || len(s.Bad) != 13 {
		t.Fatalf("%d read, %d not: %+v", len(s.Items), len(s.Bad), s.Bad)
	}
	if lines := eval.BadLines(s.Bad); len(lines) != 11 || lines[10] != "And 3 more." {
		t.Errorf("told as %q", lines)
	}
	for i, why := range []string{
		"the same as line 1", "which answer is right", "no question", "no JSON object", "more than one object", "several messages",
		"2 variables (a, b)", `"llm-rubric" is not read`, "regex", `"c" is none of the choices`, "1 choice;", "is no text", "no number",
	} {
		if bad := s.Bad[i]; bad.Line != i+3 || !strings.Contains(bad.Why, why) {
			t.Errorf("line %d: %s, want %d: %s", bad.Line, bad.Why, i+3, why)
		}
	}
	csv := read(t, "input,target\nA?,yes\nB?\n\"C\"x,yes\nD?,no\n", "")
	if len(csv.Items) != 2 || len(csv.Bad) != 2 || csv.Bad[0].Line != 3 || csv.Bad[1].Line != 4 || csv.Items[1].Line != 5 {
		t.Errorf("%+v", csv)
	}
	for _, raw := range []string{"", " \n", "[{}]", "\xff\xfe"} {
		if s, err := eval.Read([]byte(raw), nil); err == nil {
			t.Errorf("%q is %+v", raw, s)
		}
	}
	for _, columns := range []string{"", "question=a", "question=a,answer=b", "question=a,target="} {
		if c, err := eval.ParseColumns(columns); err == nil {
			t.Errorf("%q is %v", columns, c)
		}
	}
}

func TestItem_answersFromItsFacts(t *testing.T) {
	it := read(t, `{"input": "X?", "target": "yes", "facts": {"users": "10", "users peak": "40", "*": "ask again"}}`, "").Items[0]
	for query, want := range map[string]string{
		"How many users?": "10", "How many Users at the PEAK?": "40", "What does it cost?": "ask again",
	} {
		sub, ok := it.Match(ledger.Request{ID: "C1", Query: query, State: ledger.Pending})
		if !ok || sub.Content != want || sub.Outcome != ledger.Answered || sub.By != eval.Author() {
			t.Errorf("%s: %+v", query, sub)
		}
	}
	it.Facts = map[string]string{"users": "10"}
	if sub, ok := it.Match(ledger.Request{ID: "C1", Query: "The cost?", State: ledger.Pending}); !ok || sub.Outcome != ledger.Unavailable ||
		sub.Content != eval.NotInData {
		t.Errorf("%+v", sub)
	}
	if sub, ok := it.Match(ledger.Request{ID: "C1", State: ledger.Released}); ok {
		t.Errorf("%+v", sub)
	}
}

func TestGrade_followsTheRulesOfLabels(t *testing.T) {
	estimate := func(v float64, unit string) eval.Answer {
		return eval.Answer{Estimate: &debate.Estimate{Value: v, Unit: unit}}
	}
	label := func(s string) eval.Answer { return eval.Answer{Label: s} }
	for _, c := range []struct {
		row    string
		answer eval.Answer
		right  bool
	}{
		{`"target": "yes"`, label("yes"), true},
		{`"target": "no"`, label("yes"), false},
		{`"target": "yes"`, label(""), false},
		{`"target": ["Bern", "Berne"]`, label("**berne**."), true},
		{`"target": "San José"`, label("San Jose"), true},
		{`"target": "C"`, label("C++"), false},
		{`"target": "C#"`, label("C"), false},
		{`"choices": ["Ada", "Bob"], "target": "B"`, label("Bob"), true},
		{`"target": 12`, estimate(12, ""), true},
		{`"target": 12`, estimate(12.5, ""), false},
		{`"target": "12 weeks"`, estimate(12, "week"), true},
		{`"target": "12 weeks"`, estimate(12, "days"), false},
		{`"target": 100, "tolerance": "5%"`, estimate(105, "ms"), true},
		{`"target": 100, "tolerance": 4`, estimate(105, ""), false},
		{`"target": 100`, label("100"), false},
	} {
		it := read(t, `{"input": "X?", `+c.row+"}", "").Items[0]
		if got := it.Grade(c.answer); (got == eval.GradeRight) != c.right {
			t.Errorf("%s by %+v: %s", c.row, c.answer, got)
		}
	}
	it := read(t, `{"vars": {"q": "X?"}, "assert": [{"type": "icontains", "value": "BERN"}, {"type": "regex", "value": "\\d"}]}`, "").Items[0]
	if it.Grade(eval.Answer{Label: "Bern", Text: "Since 1848."}) != eval.GradeRight || it.Grade(label("Bern")) != eval.GradeWrong {
		t.Error("contains and regex are not both tested")
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"input": "X?", "target": "yes", "choices": ["a", "b"], "facts": {"a": "b"}, "tolerance": "5%"}`,
		"input,target\n\"A\",b\n", `{"vars": {"q": [1, {}]}, "assert": [{"type": "regex", "value": "("}]}`, "\"\n\"\"", `{"input": "1", "ideal": 1e999}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := eval.Read(raw, nil)
		if err != nil {
			return
		}
		for _, it := range s.Items {
			it.Grade(eval.Answer{Label: "yes", Estimate: &debate.Estimate{Value: 1}})
			if it.Question == "" || len(it.Tests) == 0 {
				t.Errorf("%+v", it)
			}
			if _, err := json.Marshal(it); err != nil {
				t.Error(err)
			}
		}
	})
}
