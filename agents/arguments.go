package agents

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// ReadCall returns a call with the name of the offered tool that it names, whatever is around
// that ("functions.look:0"), and with its arguments as one JSON object, if what the model
// wrote has one reading. What has none stays as it is.
func ReadCall(call ToolCall, offered []ToolSpec) ToolCall {
	spec, ok := offeredTool(call.Name, offered)
	if !ok {
		return call
	}
	call.Name = spec.Name
	if args, ok := readArguments(call.Args); ok {
		call.Args = unwrapped(args, spec)
	}
	return call
}

// offeredTool returns the tool that a name means: the one with that name, or the only one
// whose name is a part of it between other characters than those of names.
func offeredTool(name string, offered []ToolSpec) (spec ToolSpec, ok bool) {
	name = strings.TrimSpace(name)
	if i := slices.IndexFunc(offered, func(s ToolSpec) bool { return s.Name == name }); i >= 0 {
		return offered[i], true
	}
	found := 0
	for _, s := range offered {
		before, after, in := strings.Cut(name, s.Name)
		start, _ := utf8.DecodeRuneInString(after)
		end, _ := utf8.DecodeLastRuneInString(before)
		if in && (before == "" || !isNameRune(end) || strings.HasSuffix(before, "__")) && (after == "" || !isNameRune(start)) &&
			!strings.ContainsAny(name, " \t\n") {
			spec = s
			found++
		}
	}
	return spec, found == 1
}

func isNameRune(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// Members by which models name a call and its arguments in JSON.
var (
	callNames     = []string{"name", "tool", "tool_name", "function", "function_name", "recipient_name", "action"}
	callArguments = []string{"arguments", "parameters", "args", "params", "input", "tool_input", "action_input", "kwargs"}
)

// unwrapped returns the arguments within an object that has nothing else.
func unwrapped(args string, spec ToolSpec) string {
	known := spec.parameters()
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(args), &members) != nil || len(members) != 1 {
		return args
	}
	for name, value := range members {
		if _, ok := known.Properties[name]; !ok && slices.Contains(callArguments, name) {
			if inner, ok := readArguments(string(value)); ok {
				return inner
			}
		}
	}
	return args
}

type parameters struct {
	Properties map[string]struct {
		Type json.RawMessage `json:"type"`
	} `json:"properties"`
	Required []string `json:"required"`
}

func (s ToolSpec) parameters() parameters {
	var p parameters
	_ = json.Unmarshal(s.Schema, &p) // of a schema in another form nothing is known
	return p
}

const maxEncoded = 3

// readArguments reads arguments in whatever form they have: in a code fence, encoded more
// than once, as the only entry of a list, or written as in JavaScript and Python.
func readArguments(raw string) (object string, ok bool) {
	for range maxEncoded {
		raw = withoutFence(strings.TrimSpace(raw))
		if strings.HasPrefix(raw, "{") && json.Valid([]byte(raw)) {
			return raw, true
		}
		if len(raw) > maxLoose {
			return "", false
		}
		value, end, _ := looseValue(raw)
		var inner string
		var list []json.RawMessage
		switch rest := raw[end:]; {
		case len(aroundObject().FindString(rest)) < len(rest):
			return onlyObject(raw)
		case json.Unmarshal([]byte(value), &inner) == nil:
			raw = inner
		case json.Unmarshal([]byte(value), &list) == nil && len(list) == 1:
			raw = string(list[0])
		default:
			return onlyObject(raw)
		}
	}
	return "", false
}

func withoutFence(text string) string {
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	inner, _ = strings.CutSuffix(strings.TrimSpace(inner), "```")
	if i := strings.IndexAny(inner, "{[\"\n"); i >= 0 && strings.TrimFunc(inner[:i], isNameRune) == "" {
		inner = inner[i:]
	}
	return strings.TrimSpace(inner)
}

// aroundObject matches what does not count beside the only object of a text.
var aroundObject = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[}\],;\s]|//[^\n]*|(?s:/\*.*?\*/)|</[^>]*>)+`)
})

// onlyObject returns the only object of a text. Empty objects before it and copies of it do
// not count.
func onlyObject(text string) (object string, ok bool) {
	for {
		text = text[len(aroundObject().FindString(text)):]
		if text == "" {
			return object, object != ""
		}
		next, end, ok := looseValue(text)
		if !ok || next[0] != '{' || object != "" && object != "{}" && object != next {
			return "", false
		}
		object, text = next, text[end:]
	}
}

// Limits of a value that breaks the rules.
const (
	maxLoose      = 256 << 10 // bytes
	maxLooseDepth = 16
)

// looseToken matches what a value may have besides signs and white space: comments, texts in any
// quotation marks, and words, of which a sign makes names.
var looseToken = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?s://[^\n]*|/\*.*?\*/|` +
		`"""(.*?)"""|'''(.*?)'''|"((?:\\.|[^"\\])*)"|'((?:\\.|\pL'\pL|[^'\\])*)'|“((?:\\.|[^”\\])*)”|` +
		`([\pL\pN_+.-]+)(\s*[:=])?)`)
})

// looseValue reads a value of JSON that may break the rules in ways that leave one reading: raw
// line breaks in texts, other quotation marks, names without them, commas too many, comments,
// the words of Python, and named arguments in round brackets. It returns the value as JSON.
func looseValue(text string) (value string, end int, ok bool) {
	out := &looseWriter{}
	for end < len(text) {
		m := []string{text[end : end+1], 7: ""}
		if strings.IndexByte("{}[],:=() \t\r\n", text[end]) < 0 {
			m = looseToken().FindStringSubmatch(text[end:])
		}
		if m == nil || !out.add(m) {
			return "", end, false
		}
		end += len(m[0])
		if out.depth == 0 && out.Len() > 0 {
			return out.String(), end, json.Valid(out.Bytes())
		}
	}
	return "", end, false
}

type looseWriter struct {
	bytes.Buffer
	depth int
	comma bool // one was read that counts if another value follows
}

func (w *looseWriter) add(m []string) bool {
	word := m[6]
	if python, ok := map[string]string{"True": "true", "False": "false", "None": "null", "undefined": "null"}[word]; ok && m[7] == "" {
		word = python
	}
	switch {
	case m[7] != "":
		w.write(looseString(word) + ":")
	case word != "":
		w.write(word)
		return json.Valid([]byte(word))
	case strings.IndexByte(" \t\r\n\f/", m[0][0]) >= 0:
	case m[0] == ",":
		w.comma = true
	case m[0] == ":" || m[0] == "=":
		w.WriteByte(':')
	case m[0] == "{" || m[0] == "(" || m[0] == "[":
		w.write(strings.Replace(m[0], "(", "{", 1))
		w.depth++
		return w.depth <= maxLooseDepth
	case m[0] == "}" || m[0] == ")" || m[0] == "]":
		w.WriteString(strings.Replace(m[0], ")", "}", 1))
		w.depth, w.comma = w.depth-1, false
	default:
		w.write(looseString(strings.Join(m[1:6], "")))
	}
	return true
}

func (w *looseWriter) write(value string) {
	if before := w.Bytes(); w.comma && len(before) > 0 && strings.IndexByte("{[", before[len(before)-1]) < 0 {
		w.WriteByte(',')
	}
	w.comma = false
	w.WriteString(value)
}

// looseEscape matches what may not be in a text of JSON as it is.
var looseEscape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\\(?:u[0-9a-fA-F]{4}|.)?|["\x00-\x1f]`)
})

// looseString returns a text as JSON. A backslash before any character that needs none is one.
func looseString(s string) string {
	return `"` + looseEscape().ReplaceAllStringFunc(strings.ToValidUTF8(s, "\uFFFD"), func(c string) string {
		switch {
		case len(c) == 6, len(c) == 2 && strings.Contains(`"\/bfnrt`, c[1:]):
			return c
		case c == `\'`, c == "\\\n":
			c = c[1:]
		}
		raw, _ := json.Marshal(c) // a string can always be encoded
		return string(raw[1 : len(raw)-1])
	}) + `"`
}
