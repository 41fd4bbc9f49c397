package agents

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
)

type writtenCall struct {
	tool string
	args string // one JSON object; "" if they cannot be read
	text string // what was written
}

// callMarks begin the calls that models write.
var callMarks = []string{
	"<tool_call>", "<function=", "<|python_tag|>", // Hermes, Qwen, GLM, Llama 3
	"<function_calls>", "<invoke name=", "<minimax:tool_call>", // Claude, MiniMax
	"<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", // DeepSeek
	"<|tool_calls_section_begin|>", "<|tool_call_begin|>", // Kimi
	"<|channel|>commentary to=", "<|tool_call>", "[TOOL_CALLS]", // gpt-oss, Gemma 4, Mistral
}

const maxWritten = 64

// writtenCalls returns the calls in a text, and the text without them. A call begins a line with
// a mark, within a paragraph, or is JSON alone. Those in a fence do not count unless the
// fence has nothing else and ends the text.
func writtenCalls(text string, offered []ToolSpec) (calls []writtenCall, rest string) {
	if !slices.ContainsFunc(offered, func(s ToolSpec) bool { return strings.Contains(text, s.Name) }) {
		return nil, text
	}
	var out strings.Builder
	var around fence
	opened, inside := 0, 0 // in out, and in text
	for at, looked := 0, 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		before, next := around, min(len(text), at+len(line)+1)
		around = around.after(line)
		switch {
		case before.size == 0 && around.size > 0:
			opened, inside = out.Len(), next
		case around.size == 0 && before.size > 0 && strings.TrimSpace(text[next:]) == "":
			body := strings.TrimSpace(text[inside:at])
			if found, size := callsAt(body, offered); len(found) > 0 && size == len(body) {
				return append(calls, found...), strings.TrimSpace(out.String()[:opened])
			}
		case around.size == 0 && before.size == 0 && looked < maxWritten:
			begin := next - len(strings.TrimLeft(text[at:next], " \t"))
			if begin < next && strings.IndexByte("<[{", text[begin]) >= 0 {
				looked++
			}
			if found, size := callsAt(text[begin:], offered); len(found) > 0 {
				calls, at = append(calls, found...), begin+size
				continue
			}
		}
		out.WriteString(text[at:next])
		at = next
	}
	return calls, strings.TrimSpace(out.String())
}

// memberName matches the name of a tool in JSON, and word one in other forms.
var (
	memberName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`"(?:name|tool|tool_name|function|action)"\s*:\s*"([^"\n]+)"`)
	})
	word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([\w-]+)`) })
)

func beginsWithMark(text string) bool {
	return slices.ContainsFunc(callMarks, func(m string) bool { return strings.HasPrefix(text, m) })
}

// callsAt returns the calls at the beginning of a text, and where they end.
func callsAt(text string, offered []ToolSpec) (calls []writtenCall, size int) {
	name, marked := word(), beginsWithMark(text)
	switch {
	case marked:
		text, _, _ = strings.Cut(text, "\n\n")
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		name, text = memberName(), firstValue(text)
	default:
		return nil, 0
	}
	at := 0
	for len(calls) < maxWritten {
		m := name.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		spec, ok := offeredTool(text[at+m[2]:at+m[3]], offered)
		if at += m[1]; !ok {
			continue
		}
		args, length := argumentsAt(text[at:])
		if args == "" && !marked {
			break
		}
		calls = append(calls, writtenCall{tool: spec.Name, args: args})
		if at += length; args == "" {
			if end := strings.LastIndexByte(text, '>') + 1; end > at {
				at = end
			} else {
				at = len(text)
			}
			break
		}
		if !marked {
			continue
		}
		at += len(closing().FindString(text[at:]))
		if next := strings.TrimLeft(text[at:], " \t\r\n,"); !strings.HasPrefix(next, "{") && !beginsWithMark(next) {
			break
		}
	}
	if size = len(text); marked {
		size = at
	}
	for i := range calls {
		calls[i].text = strings.TrimSpace(text[:size])
	}
	return calls, size
}

// parameter matches an argument that tags are around, callEnd the end of a call with such, and
// closing what follows the arguments of any call.
var (
	parameter = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)<(?:parameter(?:\s+name)?=["']?|arg_key>)([\w-]+)` +
			`(?:["']?>|</arg_key>\s*<arg_value>)(.*?)</(?:parameter|arg_value)>`)
	})
	callEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`</(?:invoke|function|tool_call)>`) })
	closing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^(?:[\\s\\]}\"']*(?:</[^<>\n]*>|<[|｜][^<>\n]*(?:end|eom_id)[|｜]>|" +
			"<\\|call\\|>|<tool_call\\|>|```))*[\\]}\"']*")
	})
)

// argumentsAt returns the arguments behind a name as a JSON object, "" if unreadable, and their end.
func argumentsAt(text string) (args string, size int) {
	begin := strings.IndexByte(text, '{')
	tagged := text
	if end := callEnd().FindStringIndex(text); end != nil {
		tagged = text[:end[0]]
	}
	if tags := parameter().FindAllStringSubmatchIndex(tagged, -1); tags != nil && (begin < 0 || tags[0][0] < begin) {
		members := map[string]string{}
		for _, p := range tags {
			members[text[p[2]:p[3]]] = strings.Trim(text[p[4]:p[5]], "\n")
			size = p[1]
		}
		raw, _ := json.Marshal(members) // texts can always be encoded
		return string(raw), size
	}
	if begin < 0 || strings.Contains(text[:begin], "}") {
		return "", 0
	}
	args = firstValue(text[begin:])
	return args, begin + len(args)
}

func firstValue(text string) string {
	var raw json.RawMessage
	if json.NewDecoder(strings.NewReader(text)).Decode(&raw) != nil {
		return ""
	}
	return string(raw)
}
