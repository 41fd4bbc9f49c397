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

func TestRead_readsJSONLAndCSV(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"yes or no", `{"input": "Is 7 prime?", "target": "Yes"}`, "yes-no [] [Yes] map[]"},
		{"a choice", `{"input": "Who?", "choices": ["Ada", "Bob"], "target": "bob"}`, "choice [Ada Bob] [Bob] map[]"},
		{"any of", `{"input": "Where?", "target": ["Bern", "Berne"]}`, "open [] [Bern Berne] map[]"},
		{"a number", `{"input": "How many?", "target": 12}`, "estimate [] [12] map[]"},
		{"true", `{"input": "So?", "target": true}`, "yes-no [] [yes] map[]"},
		{"no number", `{"input": "Who lives here?", "target": "10 Downing Street"}`, "open [] [10 Downing Street] map[]"},
		{"a fact for all questions", `{"input": "So?", "target": "no", "facts": "It failed."}`, "yes-no [] [no] map[*:It failed.]"},
		{"facts by words", `{"input": "So?", "target": "no", "facts": {"load": "It failed."}}`, "yes-no [] [no] map[load:It failed.]"},
		{"commas", "input,target,choices\n\"Who, then?\",Ada,\"Ada, Bob\"\n", "choice [Ada Bob] [Ada] map[]"},
		{"semicolons, names in any case", "Id;INPUT; Target ;facts\n1;So, or not?;yes;\"{\"\"load\"\": 3}\"\n", "yes-no [] [yes] map[load:3]"},
		{"tabs", "\xef\xbb\xbfinput\ttarget\nHow many?\t12 weeks\n", "estimate [] [12 weeks] map[]"},
	} {
		items, bad, err := eval.Read([]byte(c.raw))
		if err != nil || len(items) != 1 || len(bad) != 0 {
			t.Errorf("%s: %+v, %+v, %v", c.name, items, bad, err)
			continue
		}
		it := items[0]
		if got := fmt.Sprintf("%s %v %v %v", it.Kind, it.Options, it.Right, it.Facts); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRead_namesEveryRowThatCannotBeRead(t *testing.T) {
	items, bad, err := eval.Read([]byte(`{"input": "Good?", "target": "yes"}

{"input": "Good?", "target": "no", "facts": "x"}
{"input": "No target?"}
{"input": "", "target": "x"}
{broken
{"input": "Two?", "target": "yes"} {}
{"input": [{"role": "user", "content": "y"}], "target": "x"}
{"input": "Which?", "choices": ["a", "b"], "target": "c"}
{"input": "Which?", "choices": ["` + strings.Repeat("a", 500) + `", "b"], "target": "b"}
{"input": "F?", "target": "yes", "facts": {"users": []}}
{"input": "G?", "target": "yes", "facts": 3}
{"input": "` + strings.Repeat("a", debate.MaxTopic+1) + `", "target": "yes"}
`))
	reasons := []string{
		"that of line 1", "no target", "no input", "not one JSON object", "not one JSON object", "no input", `"c" is none of the choices`,
		"options", "is no text", "neither a text nor", "more than",
	}
	if err != nil || len(items) != 1 || len(bad) != len(reasons) {
		t.Fatalf("%d read, %d not: %+v, %v", len(items), len(bad), bad, err)
	}
	for i, why := range reasons {
		if bad := bad[i]; bad.Line != i+3 || !strings.Contains(bad.String(), why) {
			t.Errorf("%s, want %d: %s", bad, i+3, why)
		}
	}
	items, bad, _ = eval.Read([]byte("input,target\nA?,yes\nB?\n\"C\"x,yes\nD?,no\n"))
	if len(items) != 2 || len(bad) != 2 || bad[0].Line != 3 || bad[1].Line != 4 || items[1].Line != 5 {
		t.Errorf("%+v, %+v", items, bad)
	}
	for _, raw := range []string{"", " \n", "[{}]", "\xff\xfe", "question,answer\nA?,yes\n"} {
		if items, bad, err := eval.Read([]byte(raw)); err == nil {
			t.Errorf("%q is %+v, %+v", raw, items, bad)
		}
	}
}

func TestItem_answersFromItsFacts(t *testing.T) {
	it := item(t, `"target": "yes", "facts": {"users": "10", "users peak": "40", "*": "ask again"}`)
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
		sub.Content != "not in the data set" {
		t.Errorf("%+v", sub)
	}
	if sub, ok := it.Match(ledger.Request{ID: "C1", State: ledger.Released}); ok {
		t.Errorf("%+v", sub)
	}
}

// item reads a question with some fields.
func item(t *testing.T, fields string) eval.Item {
	t.Helper()
	items, bad, err := eval.Read([]byte(`{"input": "X?", ` + fields + "}"))
	if err != nil || len(items) != 1 {
		t.Fatal(bad, err)
	}
	return items[0]
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"input": "X?", "target": "yes", "choices": ["a", "b"], "facts": {"a": "b"}}`,
		"input,target\n\"A\",b\n", "input;target\nA;1e999\n", "\"\n\"\"", `{"input": "1", "target": 1e999}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		items, _, err := eval.Read(raw)
		if err != nil {
			return
		}
		for _, it := range items {
			if it.Question == "" || len(it.Right) == 0 {
				t.Errorf("%+v", it)
			}
			if _, err := json.Marshal(it); err != nil {
				t.Error(err)
			}
		}
	})
}
