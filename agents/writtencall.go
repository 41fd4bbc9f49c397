package agents

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// writtenCall is a call of an offered tool that a model wrote into its text.
type writtenCall struct {
	start, end int // of the text
	tool       string
	args       string // one JSON object; "" if what was written has not one reading
}

// dialects are the marks between which models write calls. What is around several calls is one, too.
var dialects = []struct{ open, close string }{
	{"<tool_call>", "</tool_call>"}, // Hermes, Qwen, GLM
	{"<function=", "</function>"},   // Llama 3, Qwen3-Coder
	{"<invoke name=", "</invoke>"},  // Claude, MiniMax
	{"<function_calls>", "</function_calls>"},
	{"<minimax:tool_call>", "</minimax:tool_call>"},
	{"<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"}, // DeepSeek
	{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"},
	{"<|tool_call_begin|>", "<|tool_call_end|>"}, // Kimi
	{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"},
	{"<|channel|>commentary to=", "<|call|>"}, // gpt-oss
	{"<|python_tag|>", "<|eom_id|>"},          // Llama 3
	{"<|tool_call>", "<tool_call|>"},          // Gemma 4
	{"[TOOL_CALLS]", "</s>"},                  // Mistral
}

// Limits of the search for calls in a text.
const (
	maxWritten = 64  // places that are looked at
	maxHead    = 400 // bytes before the arguments
)

// writtenCalls returns the calls in a text: between the marks of a dialect, or as JSON alone,
// at the beginning of a line. Those in a fence do not count unless the fence has nothing else
// and ends the text.
func writtenCalls(text string, offered []ToolSpec) []writtenCall {
	r := callReader{offered: offered, left: maxWritten}
	return r.read(strings.TrimSpace(text), len(text)-len(strings.TrimLeft(text, " \t\r\n")))
}

type callReader struct {
	offered []ToolSpec
	left    int // places that may still be looked at
}

// read returns the calls in a text that begins at an offset.
func (r *callReader) read(text string, offset int) (calls []writtenCall) {
	add := func(found []writtenCall, begin, end int) {
		for i := range found {
			found[i].start, found[i].end = offset+end, offset+end
		}
		found[0].start = offset + begin
		calls = append(calls, found...)
	}
	var around fence
	opened, inside := 0, 0
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		next := min(len(text), at+len(line)+1)
		before := around
		around = around.after(line)
		switch {
		case before.size == 0 && around.size > 0:
			opened, inside = at, next
		case around.size == 0 && before.size > 0 && next == len(text):
			if found := r.read(text[inside:at], 0); len(found) > 0 && withoutCalls(text[inside:at], found) == "" {
				add(found, opened, next)
			}
		case around.size == 0 && before.size == 0:
			begin := next - len(strings.TrimLeft(text[at:next], " \t"))
			if found, size := r.callsAt(text[begin:]); len(found) > 0 {
				next = begin + size
				add(found, begin, next)
			}
		}
		at = next
	}
	return calls
}

func withoutCalls(text string, calls []writtenCall) string {
	var out strings.Builder
	from := 0
	for _, c := range calls {
		out.WriteString(text[from:c.start])
		from = c.end
	}
	out.WriteString(text[from:])
	return strings.TrimSpace(out.String())
}

// callsAt returns the calls at the beginning of a text, and where they end.
func (r *callReader) callsAt(text string) (calls []writtenCall, size int) {
	named := func(s ToolSpec) bool { return strings.Contains(text, s.Name) }
	if r.left--; r.left < 0 || !slices.ContainsFunc(r.offered, named) {
		return nil, 0
	}
	for _, d := range dialects {
		rest, ok := strings.CutPrefix(text, d.open)
		if !ok {
			continue
		}
		body, _, closed := strings.Cut(rest, d.close)
		size = len(d.open) + len(body) + len(d.close)
		if !closed {
			body, _, _ = strings.Cut(rest, "\n\n")
			size = len(d.open) + len(body)
		}
		if calls = r.read(strings.TrimSpace(body), 0); len(calls) == 0 {
			calls = r.inBody(strings.TrimSpace(body))
		}
		return calls, size
	}
	calls, size = r.inJSON(text)
	if slices.ContainsFunc(calls, func(c writtenCall) bool { return c.args == "" }) {
		return nil, 0
	}
	return calls, size
}

// writtenParameter matches an argument that tags are around.
var writtenParameter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)<(?:parameter(?:\s+name)?=["']?|arg_key>)([\w-]+)` +
		`(?:["']?>|</arg_key>\s*<arg_value>)(.*?)</(?:parameter|arg_value)>`)
})

// writtenName matches the name of a call in JSON that breaks the rules.
var writtenName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:` + strings.Join(callNames, "|") + `)"\s*:\s*"([^"\n]+)"`)
})

// inBody returns the calls between marks: JSON that names a tool, or the name of a tool before
// JSON or tags with its arguments.
func (r *callReader) inBody(body string) []writtenCall {
	head := body
	var args string
	if m := writtenParameter().FindAllStringSubmatchIndex(body, -1); m != nil {
		head = body[:m[0][0]]
		members := map[string]string{}
		for _, p := range m {
			members[body[p[2]:p[3]]] = strings.Trim(body[p[4]:p[5]], "\n")
		}
		raw, _ := json.Marshal(members) // texts can always be encoded
		args = string(raw)
	} else if at := strings.IndexByte(body, '{'); at >= 0 {
		head = body[:at]
		if list := strings.TrimRight(head, " \t\r\n"); list == "" || list == "[" {
			if calls, _ := r.inJSON(body); len(calls) > 0 {
				return calls
			}
			if name := writtenName().FindStringSubmatch(body); name != nil {
				head = name[1]
			}
		} else if args, _ = readArguments(body[at:]); args == "" {
			args, _ = firstValue(body[at:])
		}
	}
	head = strings.Join(strings.Fields(head[:min(len(head), maxHead)]), ":")
	if spec, ok := offeredTool(head, r.offered); ok {
		return []writtenCall{{tool: spec.Name, args: args}}
	}
	return nil
}

// firstValue returns the JSON at the beginning of a text, and where it ends.
func firstValue(text string) (value string, size int) {
	d := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	if d.Decode(&raw) != nil {
		return "", 0
	}
	return string(raw), int(d.InputOffset())
}

// Members by which models name a call and its arguments in JSON.
var (
	callNames     = []string{"name", "tool", "tool_name", "function", "action"}
	callArguments = []string{"arguments", "parameters", "args", "input", "tool_input", "action_input"}
)

// inJSON returns the calls in the JSON at the beginning of a text: an object that names a tool,
// or a list of such.
func (r *callReader) inJSON(text string) (calls []writtenCall, size int) {
	value, size := firstValue(text)
	var list []map[string]json.RawMessage
	if strings.HasPrefix(value, "{") {
		value = "[" + value + "]"
	}
	if json.Unmarshal([]byte(value), &list) != nil {
		return nil, size
	}
	for _, members := range list {
		c := writtenCall{}
		for _, key := range callNames {
			var name string
			if json.Unmarshal(members[key], &name) == nil {
				spec, _ := offeredTool(name, r.offered)
				c.tool = cmp.Or(c.tool, spec.Name)
			}
		}
		for _, key := range callArguments {
			if raw, ok := members[key]; ok && c.args == "" {
				c.args, _ = readArguments(string(raw))
			}
		}
		if c.tool == "" {
			return nil, size
		}
		calls = append(calls, c)
	}
	return calls, size
}
