package agents_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/internal/testing/must"
)

// askingKit is a toolkit with a tool whose name is an ordinary word, and the tool that asks the
// user.
func askingKit() *kit {
	k := newKit()
	k.specs = append(k.specs,
		agents.ToolSpec{Name: agents.RequestContextName, Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},` +
			`"reason":{"type":"string"},"priority":{"type":"string"},"refresh":{"type":"boolean"}},"required":["query","reason"]}`)},
		agents.ToolSpec{Name: "search", Schema: json.RawMessage(`{"type":"object","properties":{"pattern":{"type":"string"}},"required":["pattern"]}`)})
	return k
}

// ran returns the calls that were run, as the toolkit got them.
func ran(s outcome) []agents.ToolCall {
	var calls []agents.ToolCall
	for _, p := range s.seen {
		if p, ok := p.(agents.ToolDone); ok {
			p.Call.ID = ""
			calls = append(calls, p.Call)
		}
	}
	return calls
}

func TestSpeak_tellsAModelOnceHowToolsAreCalled(t *testing.T) {
	const written = `<tool_call>{"name": "look", "arguments": {"n": 1}}</tool_call>`
	for _, c := range []struct {
		name   string
		acts   []scriptedCompletion
		says   string
		seen   string
		ran    int
		second string // who speaks last in the second request
	}{
		{"then it answers", []scriptedCompletion{text(written), text("I see.")}, "I see.", "Sending Text Completed Sending Text Completed", 0, "user"},
		{"then it calls", []scriptedCompletion{text(written), calls(call("x", "look", "{}")), text("I see.")}, "I see.", "Sending Text Completed Sending Text Completed ToolStarted ToolDone Sending Text Completed", 1, "user"},
		{"then it writes a call again", []scriptedCompletion{text(written), text("Again:\n" + written)}, "Again:", "Sending Text Completed Sending Text Completed", 0, "user"},
		{"after a call", []scriptedCompletion{calls(call("x", "look", "{}")), text(written), text("I see.")}, "I see.", "Sending Text Completed ToolStarted ToolDone Sending Text Completed Sending Text Completed", 1, "tool"},
		{"and its block follows", []scriptedCompletion{text(written + "\n\n```json\n{\"stance\": \"yes\"}\n```"), text("I see.")}, "I see.", "Sending Text Completed Sending Text Completed", 0, "user"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, k := &scriptedProvider{completions: c.acts}, newKit()
			s := speak(t, e, k)
			if s.err != nil || s.reply.Text != c.says || len(k.ran) != c.ran || s.kinds() != c.seen {
				t.Errorf("%+v, %v after %s and %d tools", s.reply, s.err, s.kinds(), len(k.ran))
			}
			sent := e.sent[1].Messages[len(e.sent[1].Messages)-2:]
			if c.second == "user" { // who is told what it wrote
				want := agents.Message{Role: agents.Assistant, Text: c.acts[0].chunks[0].Text}
				if diff := cmp.Diff(want, sent[0]); diff != "" {
					t.Errorf("sent back (-want +got):\n%s", diff)
				}
			}
			if string(sent[1].Role) != c.second {
				t.Errorf("the second request ends with %+v", sent[1])
			}
			told := 0
			for _, m := range e.sent[len(e.sent)-1].Messages {
				told += strings.Count(m.Text, "You wrote a call of look as text.")
			}
			if told != 1 {
				t.Errorf("it was told %d times", told)
			}
			var more []bool
			for _, p := range s.seen {
				if p, ok := p.(agents.Completed); ok {
					more = append(more, p.More)
				}
			}
			if i := slices.Index(more, false); i != len(more)-1 {
				t.Errorf("the turn goes on after its completions: %v", more)
			}
		})
	}
}

const writtenLook = `<tool_call>{"name": "look", "arguments": {}}</tool_call>`

const question = `{"query":"What's the budget?","reason":"It decides.","priority":"required"}`

// writtenForms are forms in which models write calls, each with the same question.
var writtenForms = map[string]string{
	"Hermes, Qwen":       "<tool_call>\n{\"name\": \"request_context\", \"arguments\": " + question + "}\n</tool_call>",
	"Llama 3":            `<|python_tag|>{"type": "function", "name": "request_context", "parameters": ` + question + `}<|eom_id|>`,
	"Llama 3, functions": `<function=request_context>` + question + `</function>`,
	"Mistral":            `[TOOL_CALLS] [{"name": "request_context", "arguments": ` + question + `}]`,
	"Mistral 3":          `[TOOL_CALLS]request_context[ARGS]` + question,
	"DeepSeek":           "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>request_context\n```json\n" + question + "\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
	"DeepSeek 3.1":       "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>request_context<｜tool▁sep｜>" + question + "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
	"Qwen3-Coder":        "<tool_call>\n<function=request_context>\n<parameter=query>\nWhat's the budget?\n</parameter>\n<parameter=reason>\nIt decides.\n</parameter>\n<parameter=priority>\nrequired\n</parameter>\n</function>\n</tool_call>",
	"Gemma 4":            `<|tool_call>call:request_context` + question + `<tool_call|>`,
	"Kimi K2":            "<|tool_calls_section_begin|><|tool_call_begin|>functions.request_context:0<|tool_call_argument_begin|>" + question + "<|tool_call_end|><|tool_calls_section_end|>",
	"harmony":            "<|channel|>commentary to=functions.request_context <|constrain|>json<|message|>" + question + "<|call|>",
	"GLM":                "<tool_call>request_context\n<arg_key>query</arg_key>\n<arg_value>What's the budget?</arg_value>\n<arg_key>reason</arg_key>\n<arg_value>It decides.</arg_value>\n<arg_key>priority</arg_key>\n<arg_value>required</arg_value>\n</tool_call>",
	"MiniMax":            "<minimax:tool_call>\n<invoke name=\"request_context\">\n<parameter name=\"query\">What's the budget?</parameter>\n<parameter name=\"reason\">It decides.</parameter>\n<parameter name=\"priority\">required</parameter>\n</invoke>\n</minimax:tool_call>",
	"Claude":             "<function_calls>\n<invoke name=\"request_context\">\n<parameter name=\"query\">What's the budget?</parameter>\n<parameter name=\"reason\">It decides.</parameter>\n<parameter name=\"priority\">required</parameter>\n</invoke>\n</function_calls>",
	"JSON in a fence":    "```json\n{\"name\": \"request_context\", \"arguments\": " + question + "}\n```",
	"xLAM":               `[{"name": "request_context", "arguments": ` + question + `}]`,
}

func TestSpeak_asksAQuestionThatStaysText(t *testing.T) {
	for name, form := range writtenForms {
		for place, around := range map[string][2]string{
			"alone": {"", ""}, "at the end": {"I lack a figure.\n\n", ""}, "before a block": {"I lack a figure.\n\n", "\n\n```json\n{\"stance\": \"yes\"}\n```"},
		} {
			if around[1] != "" && strings.HasPrefix(form, "```") { // that is a quotation
				continue
			}
			t.Run(name+" "+place, func(t *testing.T) {
				first, second := text(around[0]+form+around[1]), text("Yes.\n"+form)
				e := &scriptedProvider{completions: []scriptedCompletion{first, second, text("So be it.")}}
				s := speak(t, e, askingKit())
				want := []agents.ToolCall{{Name: agents.RequestContextName, Args: question}}
				if diff := cmp.Diff(want, canonical(t, ran(s))); diff != "" || s.err != nil || s.reply.Text != "Yes." || len(e.sent) != 2 {
					t.Errorf("%d requests, %+v, %v (-want +got):\n%s", len(e.sent), s.reply, s.err, diff)
				}
				for _, p := range s.seen {
					if p, ok := p.(agents.ToolDone); ok && p.Result.Summary != "written as text" {
						t.Errorf("it is shown as %q", p.Result.Summary)
					}
				}
			})
		}
	}
}

// canonical returns the calls with the members of their arguments in order.
func canonical(t *testing.T, calls []agents.ToolCall) []agents.ToolCall {
	t.Helper()
	for i := range calls {
		var q struct {
			Query    string `json:"query"`
			Reason   string `json:"reason"`
			Priority string `json:"priority"`
		}
		must.Do(t, json.Unmarshal([]byte(calls[i].Args), &q))
		raw := must.Get(json.Marshal(q))(t)
		calls[i].Args = string(raw)
	}
	return calls
}

func TestSpeak_losesNoQuestionThatWasWritten(t *testing.T) {
	const form = `<tool_call>{"name": "request_context", "arguments": ` + question + `}</tool_call>`
	const unread = "<tool_call>{\"name\": \"request_context\", \"arguments\": {\"query\": \"Who \"pays\" for it?\"}}</tool_call>"
	other := `{"query":"Who?","reason":"It decides.","priority":"required"}`
	tests := []struct {
		name   string
		acts   []scriptedCompletion
		says   string
		asked  []string
		unread string
		fails  bool
	}{
		{"the second answer has no call at all", []scriptedCompletion{text(form), text("Yes.")}, "Yes.", []string{question}, "", false},
		{"the second answer has the call alone", []scriptedCompletion{text(form), text(form), text("Yes.")}, "Yes.", []string{question}, "", false},
		{"the second answer has another one", []scriptedCompletion{text(form), text("Yes.\n" + strings.Replace(form, question, other, 1))}, "Yes.", []string{other}, "", false},
		{"the second answer calls", []scriptedCompletion{text(form), calls(call("x", "request_context", question)), text("Yes.")}, "Yes.", []string{question}, "", false},
		{"the second answer calls another tool", []scriptedCompletion{text(form), calls(call("x", "look", "{}")), text("Yes.")}, "Yes.", []string{"{}", question}, "", false},
		{"a later answer writes one", []scriptedCompletion{text(writtenLook), calls(call("x", "look", "{}")), text("Yes.\n" + form)}, "Yes.", []string{"{}", question}, "", false},
		{
			"no completion follows", append(slices.Repeat([]scriptedCompletion{calls(call("x", "look", "{}"))}, agents.MaxToolIterations), text("Yes.\n"+form)),
			"Yes.", append(slices.Repeat([]string{"{}"}, agents.MaxToolIterations), question), "", false,
		},
		{
			"two of them",
			[]scriptedCompletion{text(form + "\n" + strings.Replace(form, question, other, 1)), text("Yes.")},
			"Yes.",
			[]string{question, other},
			"", false,
		},
		{
			"two of them again, and nothing else", slices.Insert(slices.Repeat([]scriptedCompletion{
				text(form + "\n" + strings.Replace(form, question, other, 1)),
			}, 2), 2, text("Yes.")),
			"Yes.",
			[]string{question, other},
			"", false,
		},
		{"two of them in two formats", slices.Repeat([]scriptedCompletion{
			text("Yes.\n" + `[{"name": "request_context", "parameters": ` + question + `}][TOOL_CALLS]request_context` + other),
		}, 2), "Yes.", []string{question, other}, "", false},
		{"it cannot be read", []scriptedCompletion{text(unread), text("Yes.")}, "Yes.", nil, unread, false},
		{"it cannot be read twice", []scriptedCompletion{text(unread), text("Yes.\n" + unread)}, "Yes.", nil, unread, false},
		{"it can be read the second time", []scriptedCompletion{text(unread), text("Yes.\n" + form)}, "Yes.", []string{question}, "", false},
		{"it has no reason", []scriptedCompletion{text(`<invoke name="request_context"><parameter name="query">Who?</parameter></invoke>`), text("Yes.")}, "Yes.", nil, `<invoke name="request_context"><parameter name="query">Who?</parameter></invoke>`, false},
		{"a real call cannot be read", []scriptedCompletion{calls(call("x", "request_context", `{"query": "Who "pays"?"}`)), text("Yes.")}, "Yes.", []string{`{"query": "Who "pays"?"}`}, `{"query": "Who "pays"?"}`, false},
		{"no answer but another call", []scriptedCompletion{text(writtenLook), text(writtenLook)}, "", nil, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, k := &scriptedProvider{completions: tt.acts}, jsonKit{askingKit()}
			s := speak(t, e, k)
			var asked []string
			for _, c := range ran(s) {
				asked = append(asked, c.Args)
			}
			as := s.reply.Text == tt.says && s.reply.UnreadQuestion == tt.unread && (s.err != nil) == tt.fails
			if diff := cmp.Diff(tt.asked, asked); diff != "" || !as {
				t.Errorf("%+v, %v (-want +got):\n%s", s.reply, s.err, diff)
			}
			if len(e.sent) != len(tt.acts) {
				t.Errorf("%d requests", len(e.sent))
			}
		})
	}
}

// jsonKit refuses arguments that are no JSON.
type jsonKit struct{ *kit }

func (k jsonKit) Execute(ctx context.Context, turn agents.Turn, id string, c agents.ToolCall) agents.ToolResult {
	if !json.Valid([]byte(c.Args)) {
		return agents.ToolResult{Status: agents.ToolError, Text: "not JSON"}
	}
	return k.kit.Execute(ctx, turn, id, c)
}

func TestSpeak_knowsACallThatIsWrittenAsText(t *testing.T) {
	for written, is := range map[string]bool{
		`<tool_call>{"name": "look", "arguments": {}}</tool_call>`:                     true,
		"I look first.\n```json\n{\"tool\": \"look\", \"args\": {\"n\": 1}}\n```":      true,
		"I look first.\n```json\n{\"tool\": \"look\", \"args\": {\"n\": 1}}\n```\nSo.": false,
		`<function=look>{"n": 1}</function>`:                                           true,
		"<function_calls>\n<invoke name=\"look\">\n<parameter name=\"n\">":             true,
		`[TOOL_CALLS] [{"name": "look", "arguments": {}}]`:                             true,
		"<|tool_call_begin|>functions.look:0":                                          true,
		"`look(n=1)`":                                                                  false,
		`<|python_tag|>{"type": "function", "name": "look"}`:                           true,
		"I took a look (see above).":                                                   false,
		"- look (twice)":                                                               false,
		"Look: it is so.":                                                              false,
		`{"name": "Ada", "position": "look"}`:                                          false,
		`<tool_call>{"name": "other"}</tool_call>`:                                     false,
		"{\"name\": \"search\", \"role\": \"critic\"}":                                 false,
	} {
		e := &scriptedProvider{completions: []scriptedCompletion{text(written), text("I see.")}}
		if s := speak(t, e, askingKit()); s.err != nil || (len(e.sent) == 2) != is {
			t.Errorf("%q: %d requests, %v", written, len(e.sent), s.err)
		}
	}
}

// aboutCalls has statements that explain or quote calls.
var aboutCalls = []string{
	"Models call `request_context({\"query\": \"x\", \"reason\": \"y\"})`, or they write it.\n\nI vote yes.",
	"Qwen writes:\n\n```json\n{\"name\": \"request_context\", \"arguments\": {\"query\": \"x\", \"reason\": \"y\"}}\n```\n\nThat is text, no call.",
	"She wrote:\n\n> <tool_call>{\"name\": \"request_context\", \"arguments\": {\"query\": \"x\", \"reason\": \"y\"}}</tool_call>\n\nIt was lost.",
	"Llama's form is “<function=request_context>{\"query\": \"x\", \"reason\": \"y\"}</function>”; Mistral's is \"[TOOL_CALLS]request_context{}\".",
	"Hermes puts <tool_call>{\"name\": \"request_context\", \"arguments\": {\"query\": \"x\", \"reason\": \"y\"}}</tool_call> into its text.",
	"request_context(query, reason, priority) takes three arguments.\nrequest_context (see above) is the tool that asks.",
	"The tool request_context asks you; search finds text; look is the third.\n- search (by pattern)\n- look: at anything",
	"~~~xml\n<invoke name=\"request_context\">\n<parameter name=\"query\">x</parameter>\n</invoke>\n~~~\nis what Claude wrote before tool use.\n\n```json\n{\"position\": \"search\", \"stance\": \"yes\"}\n```",
	"I did not use <request_context> here, since the evidence says it [F1]. A search (pattern) was enough.\n\n```json\n{\"position\": \"Look\", \"choice\": \"search\", \"stance\": \"no\"}\n```",
	"````markdown\n```tool_code\nprint(default_api.request_context(query=\"x\", reason=\"y\"))\n```\n````\nis Gemini's way, to=functions.request_context that of harmony.",
}

func TestSpeak_doesNothingAboutCallsThatAreQuoted(t *testing.T) {
	check := func(statement string, k agents.Toolkit) {
		e := &scriptedProvider{completions: []scriptedCompletion{text(statement), text("Corrected.")}}
		s := speak(t, e, k)
		if s.err != nil || s.reply.Text != statement || s.kinds() != "Sending Text Completed" || s.reply.UnreadQuestion != "" {
			t.Errorf("%q became %q, %v after %s", statement, s.reply.Text, s.err, s.kinds())
		}
	}
	for _, statement := range aboutCalls {
		check(statement, askingKit())
	}
	check(writtenLook, nil) // there are no tools
}

func TestSpeak_readsTheNameAndTheArgumentsOfACallThatHaveOneReading(t *testing.T) {
	for _, name := range []string{
		"request_context", "functions.request_context", "functions.request_context:0", "request_context:0", "default_api.request_context",
		"tools/request_context", "mcp__roundtable__request_context", " request_context ", "request_context()", "request_context<|channel|>json",
	} {
		if got := agents.ReadCall(call("x", name, question), askingKit().specs); got.Name != agents.RequestContextName {
			t.Errorf("%q became %q", name, got.Name)
		}
	}
	for _, name := range []string{"research", "search_files", "request context", "look search", "look.search", ""} {
		if got := agents.ReadCall(call("x", name, question), askingKit().specs); got.Name != name {
			t.Errorf("%q became %q", name, got.Name)
		}
	}
	const lines = `{"query":"One\nTwo","reason":"It decides.","priority":"required"}`
	for args, want := range map[string]string{
		strings.Replace(lines, `\n`, "\n", 1):         lines,
		quoted(strings.Replace(lines, `\n`, "\n", 1)): lines,
		question:                         question,
		quoted(question):                 question, // Granite 4 through vLLM
		quoted(quoted(question)):         question,
		"```json\n" + question + "\n```": question,
		"``` " + question + " ```":       question,
	} {
		if got := agents.ReadCall(call("x", agents.RequestContextName, args), askingKit().specs); compact(got.Args) != compact(want) {
			t.Errorf("%s became %s", args, got.Args)
		}
	}
	for _, args := range []string{
		"", "budget", `{"query": "What does "done" mean?"}`, `{"query": "What`, `{"query": 'the users' budget'}`, question + `{"query": "Who?"}`, `{"query" "x"}`, `{'query': 1}`, `[` + question + `]`, "{}" + question,
		`{"query": What?}`, `[` + question + `,{}]`, strings.Repeat(`{"a":`, 10_000),
	} {
		if got := agents.ReadCall(call("x", agents.RequestContextName, args), askingKit().specs); got.Args != args {
			t.Errorf("%.80s became %.80s", args, got.Args)
		}
	}
}

func quoted(s string) string {
	out, _ := json.Marshal(s)
	return string(out)
}

// compact returns JSON without white space and with its escapes in one form.
func compact(s string) string {
	var v any
	if json.Unmarshal([]byte(s), &v) != nil {
		return s
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// hostileCalls are pieces which, repeated, may make the search for written calls slow.
var hostileCalls = []string{
	"request_context(", "request_context({", "request_context(query=\"", "\nrequest_context(query='a', ", "{", "[", `{"name": "request_context", `,
	`{"name": "request_context"}`, "<request_context>", "<request_context>\n<query>", "<tool_call>", "<tool_call>{\"name\": \"", "<invoke name=\"request_context\">",
	"\n<invoke name=\"request_context\"><parameter name=\"query\">", "[TOOL_CALLS]", "<|tool|>request_context<|x|>", "to=request_context ", "```json\n", "```json\n{\"name\": \"search\"}\n```\n",
	" \n", "\n[request_context(query=1), ", "/* ", "\"request_context\"", "word ", "<arg_key>", "<|a|>request_context<arg_key>", "'''", "`",
}

// FuzzWrittenCalls writes any text. It is corrected at most once, and nothing is added to
// what it says.
func FuzzWrittenCalls(f *testing.F) {
	for _, s := range slices.Concat(hostileCalls, aboutCalls) {
		f.Add(s)
	}
	for _, s := range writtenForms {
		f.Add(s)
		for _, next := range writtenForms { // without anything between them
			f.Add(s + next)
		}
	}
	f.Fuzz(func(t *testing.T, written string) {
		if len(written) > 4<<10 {
			return
		}
		again := text("Yes.\n" + written) // after the correction, too, when calls are taken out of the text
		e := &scriptedProvider{completions: []scriptedCompletion{again, again, text("Yes.")}}
		s := speak(t, e, jsonKit{askingKit()})
		if s.err != nil || len(e.sent) > 3 {
			t.Fatalf("%d requests, %v", len(e.sent), s.err)
		}
		if len(s.reply.Text) > len("Yes.\n"+written) || len(e.sent) == 1 && len(ran(s)) > 0 {
			t.Errorf("%q, after %s", s.reply.Text, s.kinds())
		}
		for _, c := range ran(s) {
			if !json.Valid([]byte(c.Args)) {
				t.Errorf("asks %s", c.Args)
			}
		}
	})
}

// FuzzReadCall reads any name and arguments. What is read is an object for an offered tool, and
// reading it again changes nothing.
func FuzzReadCall(f *testing.F) {
	for _, args := range []string{question, quoted(question), "```json\n{'a': True,}\n```", `{“a”: “b”}`, "{a: 'it\\'s', /* */}", `{"a":"""b"""}`, `[{"arguments":{"query":1}}]`} {
		f.Add("functions.request_context:0", args)
	}
	f.Fuzz(func(t *testing.T, name, args string) {
		specs := askingKit().specs
		got := agents.ReadCall(call("x", name, args), specs)
		if again := agents.ReadCall(got, specs); cmp.Diff(got, again) != "" {
			t.Errorf("%+v became %+v", got, again)
		}
		if got.Args != args && !(json.Valid([]byte(got.Args)) && strings.HasPrefix(got.Args, "{")) {
			t.Errorf("%q became %q", args, got.Args)
		}
		if got.Name != name && !slices.ContainsFunc(specs, func(s agents.ToolSpec) bool { return s.Name == got.Name }) {
			t.Errorf("%q became %q", name, got.Name)
		}
	})
}
