package agents_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
)

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
		{"then it writes a call again", []scriptedCompletion{text(written), text("Again: " + written)}, "Again: " + written, "Sending Text Completed Sending Text Completed", 0, "user"},
		{"after a call", []scriptedCompletion{calls(call("x", "look", "{}")), text(written), text("I see.")}, "I see.", "Sending Text Completed ToolStarted ToolDone Sending Text Completed Sending Text Completed", 1, "tool"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, k := &scriptedProvider{completions: c.acts}, newKit()
			s := speak(t, e, k)
			if s.err != nil || s.reply.Text != c.says || len(k.ran) != c.ran || s.kinds() != c.seen {
				t.Errorf("%+v, %v after %s and %d tools", s.reply, s.err, s.kinds(), len(k.ran))
			}
			if got := e.sent[1].Messages[len(e.sent[1].Messages)-1]; string(got.Role) != c.second {
				t.Errorf("the second request ends with %+v", got)
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

func TestSpeak_sendsBackWhatItCorrects(t *testing.T) {
	e := &scriptedProvider{completions: []scriptedCompletion{text("look({})"), text("I see.")}}
	if s := speak(t, e, newKit()); s.err != nil {
		t.Fatal(s.err)
	}
	want := append(slices.Clone(prompt), agents.Message{Role: agents.Assistant, Text: "look({})"})
	if diff := cmp.Diff(want, e.sent[1].Messages[:3]); diff != "" {
		t.Errorf("the second request (-want +got):\n%s", diff)
	}
}

func TestSpeak_knowsACallThatIsWrittenAsText(t *testing.T) {
	for written, is := range map[string]bool{
		`<tool_call>{"name": "look", "arguments": {}}</tool_call>`:         true,
		"I look first.\n```json\n{\"tool\": \"look\", \"n\": 1}\n```":      true,
		`<function=look>{"n": 1}</function>`:                               true,
		"<function_calls>\n<invoke name=\"look\">\n<parameter name=\"n\">": true,
		"<look><n>1</n></look>":                                            true,
		`[TOOL_CALLS] [{"name": "look", "arguments": {}}]`:                 true,
		"<|tool_call_begin|>functions.look:0":                              true,
		"<｜tool▁sep｜>look\n```json\n{}":                                    true,
		"functions.look({\"n\": 1})":                                       true,
		"`look(n=1)`":                                                      true,
		"look{\"n\":1}":                                                    true,
		`<|python_tag|>{"type": "function", "name": "look"}`:               true,
		"I took a look (see above).":                                       false,
		"- look (twice)":                                                   false,
		"Look: it is so.":                                                  false,
		`{"name": "Ada", "position": "look"}`:                              false,
		`<tool_call>{"name": "other"}</tool_call>`:                         false,
	} {
		e := &scriptedProvider{completions: []scriptedCompletion{text(written), text("I see.")}}
		if s := speak(t, e, newKit()); s.err != nil || (len(e.sent) == 2) != is {
			t.Errorf("%q: %d requests, %v", written, len(e.sent), s.err)
		}
	}
}

func TestSpeak_correctsNothingWithoutTools(t *testing.T) {
	e := &scriptedProvider{completions: []scriptedCompletion{text("look({})"), text("I see.")}}
	if s := speak(t, e, nil); s.err != nil || s.reply.Text != "look({})" {
		t.Errorf("%+v, %v", s.reply, s.err)
	}
}
