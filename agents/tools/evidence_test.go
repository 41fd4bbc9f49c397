package tools_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/internal/testing/must"
)

// brought is the evidence of every turn.
type brought []tools.Evidence

func (b brought) Evidence(agents.Turn) []tools.Evidence { return b }

// reading returns an executor with the tools that read evidence, which puts foreign text
// between angle brackets.
func reading(t testing.TB, list ...tools.Evidence) *tools.Executor {
	t.Helper()
	from := tools.Sources{Evidence: brought(list), Fence: func(label, text string) string { return "<" + label + ">\n" + text + "\n</>" }}
	return must.Get(tools.NewExecutor(from, tools.ListEvidence(), tools.ReadEvidence(), tools.SearchEvidence()))(t)
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// record is the statements that a prompt does not have in full.
type record []tools.Statement

func (r record) Shortened(agents.Turn) []tools.Statement { return r }

func TestReadEvidence_readsStatements(t *testing.T) {
	shortened := record{{ID: "R1:Participant 2", Block: "<two>"}, {ID: "R2:Bob", Block: "<bob>"}}
	for _, c := range []struct {
		name, id      string
		said          record
		status        agents.ToolStatus
		text, summary string
	}{
		{"by its id", "R2:Bob", shortened, agents.ToolOK, "<bob>", "R2:Bob"},
		{"as it is cited", "[r1:participant 2]", shortened, agents.ToolOK, "<two>", "R1:Participant 2"},
		{"of another round", "R3:Bob", shortened, agents.ToolError, `your prompt does not have these statements in full: R1:Participant 2, R2:Bob; "R3:Bob" is none of them`, ""},
		{"none is shortened", "R1:Bob", nil, agents.ToolError, "your prompt has all statements that you may see in full", ""},
		{"no round", "R:Bob", shortened, agents.ToolError, "", ""},
		{"no speaker", "R1", shortened, agents.ToolError, "the user has brought no evidence to this debate", ""},
		{"evidence", "F1:1", shortened, agents.ToolError, "the user has brought no evidence to this debate", ""},
	} {
		e := must.Get(tools.NewExecutor(tools.Sources{Statements: c.said}, tools.ReadEvidence()))(t)
		r := e.Execute(t.Context(), agents.Turn{Agent: "one"}, "t1", agents.ToolCall{Name: agents.ReadEvidenceName, Args: fmt.Sprintf(`{"id":%q}`, c.id)})
		if r.Status != c.status || c.text != "" && r.Text != c.text || c.summary != "" && r.Summary != c.summary {
			t.Errorf("%s: %s, %q, %q", c.name, r.Status, r.Text, r.Summary)
		}
	}
}

func TestEvidenceTools(t *testing.T) {
	e := reading(t,
		tools.Evidence{ID: "F1", Name: "main.go", Kind: "file", Text: "package main\n\nfunc main() {}"},
		tools.Evidence{ID: "F2", Name: "evil\nname\x1b[2J", Kind: "diff", Text: lines(3000)},
		tools.Evidence{ID: "F3", Name: "empty", Kind: "file"},
	)
	for _, c := range []struct {
		name, tool, args string
		status           agents.ToolStatus
		want, summary    string
	}{
		{
			"list", tools.ListEvidenceName, `{}`, agents.ToolOK, "<evidence>\n[F1] main.go, file, 3 lines, 28 bytes\n" +
				"[F2] evil name, diff, 3000 lines, 28893 bytes\n[F3] empty, file, 0 lines, 0 bytes\n</>", "F1, F2, F3",
		},
		{
			"all", agents.ReadEvidenceName, `{"id": "F1"}`, agents.ToolOK, "Lines 1 to 3 of 3.\n" +
				"<evidence [F1] main.go, file, 3 lines, 28 bytes>\n1| package main\n2|\n3| func main() {}\n</>", "F1:1-3 of 3 lines",
		},
		{
			"some", agents.ReadEvidenceName, `{"id": " [f2]", "offset": 99, "limit": 2}`, agents.ToolOK, "Lines 99 to 100 of 3000. The next line is 101.\n" +
				"<evidence [F2] evil name, diff, 3000 lines, 28893 bytes>\n99| line 99\n100| line 100\n</>", "F2:99-100 of 3000 lines",
		},
		{
			"as it is cited", agents.ReadEvidenceName, `{"id": "[F2:99-100]"}`, agents.ToolOK, "Lines 99 to 100 of 3000. The next line is 101.\n",
			"F2:99-100 of 3000 lines",
		},
		{"a line", agents.ReadEvidenceName, `{"id": "F1:3"}`, agents.ToolOK, "Lines 3 to 3 of 3.\n", "F1:3-3 of 3 lines"},
		{"no lines", agents.ReadEvidenceName, `{"id": "F1:x"}`, agents.ToolError, `the id "F1:x" is not one such as F1 or F1:10-20`, ""},
		{"unknown argument", agents.ReadEvidenceName, `{"id": "F1", "lines": 3}`, agents.ToolError, `no argument "lines"; it takes id, limit and offset`, ""},
		{"the last", agents.ReadEvidenceName, `{"id": "F2", "offset": 3000, "limit": 9}`, agents.ToolOK, "Lines 3000 to 3000 of 3000.\n", "F2:3000-3000 of 3000 lines"},
		{"2,000 at most", agents.ReadEvidenceName, `{"id": "F2"}`, agents.ToolOK, "Lines 1 to 2000 of 3000. The next line is 2001.\n", "F2:1-2000 of 3000 lines"},
		{"empty", agents.ReadEvidenceName, `{"id": "F3"}`, agents.ToolOK, "F3 is empty.", "F3 is empty"},
		{"after the end", agents.ReadEvidenceName, `{"id": "F1", "offset": 4}`, agents.ToolError, "F1 has 3 lines; the offset 4 is after the last one", ""},
		{"unknown", agents.ReadEvidenceName, `{"id": "../x"}`, agents.ToolError, `there is no evidence "../x"; there is: F1, F2, F3`, ""},
		{"line 0", agents.ReadEvidenceName, `{"id": "F1", "offset": 0}`, agents.ToolError, "offset", ""},
		{"too many", agents.ReadEvidenceName, `{"id": "F1", "limit": 2001}`, agents.ToolError, "limit", ""},
		{"without an id", agents.ReadEvidenceName, `{}`, agents.ToolError, "id", ""},
		{
			"found", tools.SearchEvidenceName, `{"pattern": "(?i)MAIN|^line 2999$"}`, agents.ToolOK,
			"3 lines found.\n<lines found in the evidence>\nF1:1| package main\nF1:3| func main() {}\nF2:2999| line 2999\n</>", "3 lines found",
		},
		{"in one", tools.SearchEvidenceName, `{"pattern": "line 1", "id": "F1"}`, agents.ToolOK, "No line of F1 matches.", "no line found"},
		{"in many", tools.SearchEvidenceName, `{"pattern": "line"}`, agents.ToolOK, "The first 200 lines found; there are more.", "first 200 lines found"},
		{"no expression", tools.SearchEvidenceName, `{"pattern": "a(?=b)"}`, agents.ToolError, "RE2 syntax", ""},
		{"a bomb", tools.SearchEvidenceName, `{"pattern": "((a{1000}){1000}){1000}"}`, agents.ToolError, "RE2 syntax", ""},
		{"blank", tools.SearchEvidenceName, `{"pattern": ""}`, agents.ToolError, "pattern", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, e, c.tool, c.args)
			if r.Status != c.status || !strings.Contains(r.Text, c.want) || strings.HasPrefix(c.want, "<") && r.Text != c.want {
				t.Errorf("%s:\n%s\nwant\n%s", r.Status, r.Text, c.want)
			}
			if c.summary != "" && r.Summary != c.summary || strings.Contains(r.Summary, "\n") {
				t.Errorf("the user reads %q, want %q", r.Summary, c.summary)
			}
		})
	}
	for name, args := range map[string]string{
		tools.ListEvidenceName: `{}`, agents.ReadEvidenceName: `{"id": "F1"}`, tools.SearchEvidenceName: `{"id": "F1", "pattern": "x"}`,
	} {
		r := run(t, reading(t), name, args)
		if r.Status != agents.ToolError || !strings.Contains(r.Text, "brought no evidence") {
			t.Errorf("%s without evidence: %s %q", name, r.Status, r.Text)
		}
	}
}

var shownLine = regexp.MustCompile(`(?m)^(\d+)\|(?: (.*))?$`)

// Reading on from where a read ended gives every line of a text once, each as it is, in
// results of at most 64 KB.
func TestReadEvidence_readsEveryLineOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.SampledFrom([]string{"", "x", "two | words", "ünï", strings.Repeat("wide ", 300), strings.Repeat("ü", 50_000)})
		all := rapid.SliceOfN(one, 1, 300).Draw(t, "lines")
		e := must.Get(tools.NewExecutor(tools.Sources{Evidence: brought{{ID: "F1", Name: "f", Kind: "file", Text: strings.Join(all, "\n") + "\n"}}},
			tools.ReadEvidence()))(t)
		limit := rapid.IntRange(1, 400).Draw(t, "limit")
		next := 1
		for next <= len(all) {
			r := e.Execute(t.Context(), ada, "t1", agents.ToolCall{
				Name: agents.ReadEvidenceName, Args: fmt.Sprintf(`{"id": "F1", "offset": %d, "limit": %d}`, next, limit),
			})
			head, text, _ := strings.Cut(r.Text, "\n")
			if r.Status != agents.ToolOK || len(text) > 64<<10 {
				t.Fatalf("%s, %d bytes: %s", r.Status, len(text), head)
			}
			found := shownLine.FindAllStringSubmatch(text, -1)
			if len(found) == 0 || len(found) > limit {
				t.Fatalf("%d lines from %d", len(found), next)
			}
			for _, m := range found {
				if n, err := strconv.Atoi(m[1]); err != nil || n != next {
					t.Fatalf("line %s comes where %d should", m[1], next)
				}
				want := all[next-1]
				if m[2] != want && !(strings.HasPrefix(want, m[2]) && strings.Contains(head, fmt.Sprintf("The last %d bytes of line %d are left out.", len(want)-len(m[2]), next))) {
					t.Fatalf("line %d is %d bytes of %d: %s", next, len(m[2]), len(want), head)
				}
				next++
			}
			if more := strings.Contains(head, fmt.Sprintf("The next line is %d.", next)); more != (next <= len(all)) {
				t.Fatalf("after line %d of %d: %s", next-1, len(all), head)
			}
		}
	})
}

// What is found stands in the line that it names, and a result stays short however much
// matches.
func TestSearchEvidence_isBounded(t *testing.T) {
	e := reading(t,
		tools.Evidence{ID: "F1", Name: "wide", Kind: "file", Text: strings.Repeat("ü", 500_000) + "needle" + strings.Repeat("ü", 500_000)},
		tools.Evidence{ID: "F2", Name: "many", Kind: "file", Text: strings.Repeat(strings.Repeat("needle ", 100)+"\n", 2000)},
	)
	r := run(t, e, tools.SearchEvidenceName, `{"pattern": "needle"}`)
	if r.Status != agents.ToolOK || len(r.Text) > 40_000 || !strings.Contains(r.Text, "there are more") {
		t.Errorf("%s, %d bytes: %.100s", r.Status, len(r.Text), r.Text)
	}
	first := strings.Split(r.Text, "\n")[2]
	if !strings.HasPrefix(first, "F1:1| … ü") || !strings.Contains(first, "needle") || !strings.HasSuffix(first, "ü …") || len(first) > 350 {
		t.Errorf("the first hit is %q", first)
	}
}

func TestShownLines_areThoseOfTheResult(t *testing.T) {
	e := reading(t,
		tools.Evidence{ID: "F1", Name: "a", Kind: "file", Text: "one\nF9:7| two\n3| three\n" + strings.Repeat("x", 400) + "\n"},
		tools.Evidence{ID: "F2", Name: "b", Kind: "file", Text: strings.Repeat("y", 100_000)},
	)
	for _, c := range []struct{ name, args, want string }{
		{agents.ReadEvidenceName, `{"id": "f1:2-3"}`, "[{F1 2 3}]"},
		{agents.ReadEvidenceName, `{"id": "F1"}`, "[{F1 1 4}]"},
		{agents.ReadEvidenceName, `{"id": "F2"}`, "[]"}, // of its only line there is a part
		{tools.SearchEvidenceName, `{"pattern": "two|three|x"}`, "[{F1 2 3}]"},
		{tools.ListEvidenceName, `{}`, "[]"},
	} {
		r := run(t, e, c.name, c.args)
		if got := fmt.Sprint(tools.ShownLines(c.name, c.args, r.Text)); got != c.want {
			t.Errorf("%s %s: %s, want %s in\n%s", c.name, c.args, got, c.want, r.Text[:min(len(r.Text), 500)])
		}
	}
}
