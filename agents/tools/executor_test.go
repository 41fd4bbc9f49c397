package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/internal/testing/must"
)

func specOf(name, schema string) agents.ToolSpec {
	return agents.ToolSpec{Name: name, Description: "A tool.", Schema: json.RawMessage(schema)}
}

// running returns a tool that runs a function of the test.
func running(name string, run func(ctx context.Context, tc tools.Context, args json.RawMessage) (tools.Output, error)) tools.Tool {
	return tools.Tool{Spec: specOf(name, `{"type":"object"}`), Run: run}
}

// named returns a tool that does nothing.
func named(name string) tools.Tool {
	return running(name, func(context.Context, tools.Context, json.RawMessage) (tools.Output, error) {
		return tools.Output{Text: "done", Summary: "did it"}, nil
	})
}

// questionLog keeps the questions of all agents.
type questionLog struct {
	asked []asked
	err   error
}

type asked struct {
	turn agents.Turn
	call string
	q    tools.Question
}

func (d *questionLog) Request(_ context.Context, turn agents.Turn, call string, q tools.Question) (tools.Output, error) {
	if d.err != nil {
		return tools.Output{}, d.err
	}
	d.asked = append(d.asked, asked{turn, call, q})
	return tools.Output{Text: "queued for " + string(turn.Agent), Summary: "C1"}, nil
}

func executor(t testing.TB, d *questionLog, ts ...tools.Tool) *tools.Executor {
	t.Helper()
	return must.Get(tools.NewExecutor(tools.Sources{Requests: d}, ts...))(t)
}

var ada = agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}

func run(t testing.TB, e *tools.Executor, name, args string) agents.ToolResult {
	return e.Execute(t.Context(), ada, ada.ToolCall(1), agents.ToolCall{ID: "x", Name: name, Args: args})
}

func TestExecutor_sendsToolsInTheOrderOfTheirNames(t *testing.T) {
	var got []string
	for _, spec := range executor(t, nil, named("b"), tools.RequestContext(), named("a")).Specs() {
		got = append(got, spec.Name)
	}
	if want := []string{"a", "b", agents.RequestContextName}; !slices.Equal(got, want) {
		t.Errorf("sent: %v, want %v", got, want)
	}
}

func TestNewExecutor_refusesToolsThatCannotBeOffered(t *testing.T) {
	for _, c := range []struct {
		name string
		ts   []tools.Tool
		want string
	}{
		{"two of a name", []tools.Tool{named("a"), named("b"), named("a")}, "two tools are named a"},
		{"a schema that is not JSON", []tools.Tool{{Spec: specOf("a", "{")}}, "schema of tool a"},
		{"a schema that is none", []tools.Tool{{Spec: specOf("a", `{"$ref":"#/nowhere"}`)}}, "schema of tool a"},
	} {
		if _, err := tools.NewExecutor(tools.Sources{}, c.ts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: err = %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestExecute_whatGoesWrongIsAResultForTheModel(t *testing.T) {
	panics := running("panics", func(context.Context, tools.Context, json.RawMessage) (tools.Output, error) { panic("ouch") })
	fails := running("fails", func(context.Context, tools.Context, json.RawMessage) (tools.Output, error) {
		return tools.Output{}, errors.New("no\nsuch file")
	})
	strict := named("strict")
	strict.Spec.Schema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string","maxLength":3}},"required":["n"]}`)
	e := executor(t, nil, panics, fails, strict, named("hidden"))
	e.Withhold("hidden", "not in the final round 3 of 3")
	if specs := e.Specs(); len(specs) != 3 {
		t.Errorf("offered: %+v", specs)
	}
	huge := strings.Repeat("x", 1<<20)
	for _, c := range []struct{ name, tool, args, want string }{
		{"unknown tool", "rm", "{}", `no tool named "rm". Available: fails, panics, strict.`},
		{"unknown tool with a huge name", huge, "{}", "no tool named"},
		{"withheld tool", "hidden", "{}", "not in the final round 3 of 3"},
		{"not JSON", "strict", `{"n":`, "not JSON"},
		{"two values", "strict", `{"n":1}{"n":2}`, "not JSON"},
		{"no arguments where some are needed", "strict", "  ", "n"},
		{"null", "strict", "null", "object"},
		{"a list", "strict", "[1]", "object"},
		{"wrong type", "strict", `{"n":"1"}`, "/properties/n"},
		{"too long", "strict", `{"n":1,"s":"` + huge + `"}`, "more than 3"},
		{"panic", "panics", "{}", "internal error in the tool: ouch"},
		{"error of the tool", "fails", "{}", "no\nsuch file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := run(t, e, c.tool, c.args)
			if got.Status != agents.ToolError || !strings.Contains(got.Text, c.want) {
				t.Errorf("result = %s %q, want an error with %q", got.Status, got.Text, c.want)
			}
			if len(got.Text) > 2000 || got.Summary == "" || strings.Contains(got.Summary, "\n") {
				t.Errorf("the text has %d bytes; the summary is %q, want a line", len(got.Text), got.Summary)
			}
		})
	}
}

func TestExecute_anOutputWithAnErrorIsTheWholeResult(t *testing.T) {
	long := strings.Repeat("x", 5000)
	fails := running("fails", func(_ context.Context, tc tools.Context, _ json.RawMessage) (tools.Output, error) {
		return tools.Output{Text: tc.Foreign("server x", long), Summary: "x failed"}, errors.New("failed")
	})
	fence := func(label, text string) string { return "<" + label + ">" + text + "<end>" }
	for _, c := range []struct {
		name  string
		fence func(label, text string) string
		want  string
	}{{"marked", fence, "<server x>" + long + "<end>"}, {"without a fence", nil, long}} {
		e := must.Get(tools.NewExecutor(tools.Sources{Fence: c.fence}, fails))(t)
		if got := run(t, e, "fails", "{}"); got.Status != agents.ToolError || got.Text != c.want || got.Summary != "x failed" {
			t.Errorf("%s: %s, %d bytes, %q", c.name, got.Status, len(got.Text), got.Summary)
		}
	}
}

func TestExecute_stopsAToolAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := executor(t, nil, running("slow", func(ctx context.Context, _ tools.Context, _ json.RawMessage) (tools.Output, error) {
			<-ctx.Done()
			return tools.Output{}, ctx.Err()
		}))
		begun := time.Now()
		got := run(t, e, "slow", "{}")
		if took := time.Since(begun); took != tools.Timeout {
			t.Errorf("stopped after %s, want %s", took, tools.Timeout)
		}
		if got.Status != agents.ToolError || !strings.Contains(got.Text, "slow did not finish within 1m0s") {
			t.Errorf("result = %+v", got)
		}
	})
}

func TestExecute_identityIsTheTurnsAndNeverTheArguments(t *testing.T) {
	d := &questionLog{}
	e := executor(t, d, tools.RequestContext())
	args := `{"turn":{"agent":"eve"},"query":"Why?","reason":"So."}`
	r := e.Execute(t.Context(), ada, ada.ToolCall(6), agents.ToolCall{ID: "x", Name: "request_context", Args: args})
	if r.Status != agents.ToolError || !strings.Contains(r.Text, "it takes priority, query, reason and refresh") {
		t.Errorf("%s: %+v", args, r)
	}
	args = `{"agent_id":"eve","query":"Why?","reason":"It decides.","priority":"optional","refresh":true}`
	got := e.Execute(t.Context(), ada, ada.ToolCall(7), agents.ToolCall{ID: "../../x", Name: "request_context", Args: args})
	if got.Status != agents.ToolOK || got.Text != "queued for ada" || got.Summary != "C1" {
		t.Fatalf("result = %+v", got)
	}
	want := []asked{{ada, "r1.s0.ada.a1.t7", tools.Question{Query: "Why?", Reason: "It decides.", Priority: "optional", Refresh: true}}}
	if diff := cmp.Diff(want, d.asked, cmp.AllowUnexported(asked{})); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestRequestContext_anErrorOfTheRequesterIsToldToTheModel(t *testing.T) {
	e := executor(t, &questionLog{err: errors.New("too many context requests: 3 are allowed")}, tools.RequestContext())
	got := run(t, e, agents.RequestContextName, `{"query":"Why?","reason":"r"}`)
	if got.Status != agents.ToolError || got.Text != "too many context requests: 3 are allowed" {
		t.Errorf("result = %+v", got)
	}
}

func TestRequestContext_schemaNamesTheFieldAtFault(t *testing.T) {
	e := executor(t, &questionLog{}, tools.RequestContext())
	for _, c := range []struct{ args, field string }{
		{`{"reason":"r"}`, "query"},
		{`{"query":"q"}`, "reason"},
		{`{"query":"","reason":"r"}`, "query"},
		{`{"query":"q","reason":""}`, "reason"},
		{`{"query":"` + strings.Repeat("é", 1001) + `","reason":"r"}`, "query"},
		{`{"query":"q","reason":"` + strings.Repeat("é", 501) + `"}`, "reason"},
		{`{"query":"q","reason":"r","priority":"urgent"}`, "priority"},
		{`{"query":"q","reason":"r","refresh":"yes"}`, "refresh"},
		{`{"query":["q"],"reason":"r"}`, "query"},
	} {
		if got := run(t, e, agents.RequestContextName, c.args); got.Status != agents.ToolError || !strings.Contains(got.Text, c.field) {
			t.Errorf("%.60s: result = %s %q, want an error that names %s", c.args, got.Status, got.Text, c.field)
		}
	}
	full := `{"query":"` + strings.Repeat("é", 1000) + `","reason":"` + strings.Repeat("é", 500) + `"}`
	if got := run(t, e, agents.RequestContextName, full); got.Status != agents.ToolOK {
		t.Errorf("at the limits: %+v", got)
	}
}

func FuzzExecute(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"query":"q","reason":"r"}`, `{"query":"q","reason":"r","priority":"required","refresh":false}`,
		`{"query":1e999}`, `{"query":"q","query":""}`, `{"Query":"q","reason":"r","query":"x"}`, "{\"query\":\"\xff\",\"reason\":\"\\ud800\"}", `{"query":"q","reason":"r"} x`, strings.Repeat("[", 20000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, args string) {
		d := &questionLog{}
		e := executor(t, d, tools.RequestContext())
		got := run(t, e, agents.RequestContextName, args)
		switch {
		case got.Status == agents.ToolError && len(d.asked) == 0:
		case got.Status == agents.ToolOK && len(d.asked) == 1:
			if a := d.asked[0]; a.turn != ada || !utf8.ValidString(a.q.Query) {
				t.Fatalf("asked = %+v", a)
			}
		default:
			t.Fatalf("%q: %+v after %d questions", args, got, len(d.asked))
		}
		if strings.Contains(got.Text, "internal error") {
			t.Fatalf("%q made the tool panic: %s", args, got.Text)
		}
	})
}
