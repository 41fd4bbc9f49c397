package agents

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
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

// parameters are what the schema of a tool says of its arguments.
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

// maxEncoded is how often arguments are encoded at most.
const maxEncoded = 3

// readArguments reads arguments in whatever form they have: in a code fence, encoded more
// than once, as the only entry of a list, or written as in JavaScript and Python.
func readArguments(raw string) (object string, ok bool) {
	for range maxEncoded {
		raw = withoutFence(strings.TrimSpace(raw))
		if strings.HasPrefix(raw, "{") && json.Valid([]byte(raw)) {
			return raw, true
		}
		r := looseReader{text: raw}
		var inner string
		var list []json.RawMessage
		switch {
		case strings.HasPrefix(raw, `"`) && r.value(0) && json.Unmarshal(r.out.Bytes(), &inner) == nil:
			raw = inner
		case json.Unmarshal([]byte(raw), &list) == nil && len(list) == 1:
			raw = string(list[0])
		default:
			return r.only()
		}
	}
	return "", false
}

// withoutFence returns what a code fence around a text holds.
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

// maxLooseDepth is how deep a value is read.
const maxLooseDepth = 16

// looseReader reads JSON that breaks its rules in ways that leave one reading: raw line breaks in texts,
// other quotation marks, names without them, commas too many, comments, and the words of
// Python. It writes the value as JSON.
type looseReader struct {
	text string
	at   int
	out  bytes.Buffer
}

// only returns the only object of the text. Empty objects before it and copies of it do not
// count, nor do brackets and closing tags after it.
func (r *looseReader) only() (object string, ok bool) {
	for {
		r.at = len(r.text) - len(strings.TrimLeft(r.text[r.at:], "}],; \t\r\n"))
		if object != "" && strings.HasPrefix(r.text[r.at:], "</") {
			r.skipTo(">")
			continue
		}
		if r.peek() == 0 {
			return object, object != ""
		}
		next, ok := r.object()
		if !ok || object != "" && object != "{}" && object != next {
			return "", false
		}
		object = next
	}
}

// object reads an object at the place.
func (r *looseReader) object() (object string, ok bool) {
	r.out.Reset()
	if r.peek() != '{' || !r.value(0) {
		return "", false
	}
	return r.out.String(), true
}

// peek returns the next byte after white space and comments, 0 at the end.
func (r *looseReader) peek() byte {
	for r.at < len(r.text) {
		rest := r.text[r.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			r.at++
		case strings.HasPrefix(rest, "//"):
			r.skipTo("\n")
		case strings.HasPrefix(rest, "/*"):
			r.skipTo("*/")
		default:
			return rest[0]
		}
	}
	return 0
}

func (r *looseReader) skipTo(mark string) {
	if n := strings.Index(r.text[r.at:], mark); n >= 0 {
		r.at += n + len(mark)
	} else {
		r.at = len(r.text)
	}
}

func (r *looseReader) value(depth int) bool {
	switch c := r.peek(); {
	case depth > maxLooseDepth || c == 0:
		return false
	case c == '{':
		r.at++
		return r.members('}', ":", depth)
	case c == '[':
		r.at++
		return r.list(depth)
	}
	if _, ok := r.quote(); ok {
		return r.string()
	}
	return r.word()
}

// members reads the members of an object, or the named arguments of a call, up to its
// closing bracket.
func (r *looseReader) members(closing byte, equals string, depth int) bool {
	r.out.WriteByte('{')
	for first := true; ; first = false {
		r.commas()
		switch r.peek() {
		case 0:
			return false
		case closing:
			r.at++
			r.out.WriteByte('}')
			return true
		}
		if !first {
			r.out.WriteByte(',')
		}
		if !r.name() || strings.IndexByte(equals, r.peek()) < 0 {
			return false
		}
		r.at++
		r.out.WriteByte(':')
		if !r.value(depth+1) || !r.follows(closing) {
			return false
		}
	}
}

func (r *looseReader) list(depth int) bool {
	r.out.WriteByte('[')
	for first := true; ; first = false {
		r.commas()
		switch r.peek() {
		case 0:
			return false
		case ']':
			r.at++
			r.out.WriteByte(']')
			return true
		}
		if !first {
			r.out.WriteByte(',')
		}
		if !r.value(depth+1) || !r.follows(']') {
			return false
		}
	}
}

func (r *looseReader) commas() {
	for r.peek() == ',' {
		r.at++
	}
}

// follows reports whether a comma or a closing bracket comes next.
func (r *looseReader) follows(closing byte) bool { return r.peek() == ',' || r.peek() == closing }

// name reads the name of a member.
func (r *looseReader) name() bool {
	if _, ok := r.quote(); ok {
		return r.string()
	}
	rest := r.text[r.at:]
	n := strings.IndexFunc(rest, func(c rune) bool { return !isNameRune(c) })
	if n <= 0 {
		return false
	}
	r.at += n
	r.write(rest[:n])
	return true
}

// quote returns the quotation mark that closes a text at the place.
func (r *looseReader) quote() (closing string, ok bool) {
	rest := r.text[r.at:]
	for _, q := range []string{`"""`, "'''", `"`, "'", "“"} {
		if strings.HasPrefix(rest, q) {
			return strings.ReplaceAll(q, "“", "”"), true
		}
	}
	return "", false
}

// string reads a text. A quotation mark within it that is not escaped leaves two readings,
// unless it is an apostrophe.
func (r *looseReader) string() bool {
	closing, _ := r.quote()
	var text strings.Builder
	for r.at += len(closing); r.at < len(r.text); {
		rest := r.text[r.at:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			r.at += unescape(rest, &text)
		case strings.HasPrefix(rest, closing):
			r.at += len(closing)
			if r.endsValue(r.at) {
				r.write(text.String())
				return true
			}
			last, _ := utf8.DecodeLastRuneInString(text.String())
			next, _ := utf8.DecodeRuneInString(r.text[r.at:])
			if closing != "'" || !unicode.IsLetter(last) || !unicode.IsLetter(next) {
				return false
			}
			text.WriteByte('\'')
		default:
			text.WriteByte(rest[0])
			r.at++
		}
	}
	return false
}

// endsValue reports whether what follows an offset ends a value.
func (r *looseReader) endsValue(at int) bool {
	rest := strings.TrimLeft(r.text[at:], " \t\r\n")
	return rest == "" || strings.IndexByte(",:=}])", rest[0]) >= 0 || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*")
}

// unescape writes the character that an escape means and returns the length of the escape.
// A backslash before any other character is one.
func unescape(text string, to *strings.Builder) int {
	if text[1] == '\'' || text[1] == '\n' {
		to.WriteByte(text[1])
		return 2
	}
	for n := 2; n <= 12 && n <= len(text); n++ { // up to a pair of surrogates
		var c string
		if n == 6 && len(text) >= 12 && text[6:8] == `\u` {
			continue
		}
		if json.Unmarshal([]byte(`"`+text[:n]+`"`), &c) == nil {
			to.WriteString(c)
			return n
		}
	}
	to.WriteByte('\\')
	return 1
}

// word reads a number, true, false or null.
func (r *looseReader) word() bool {
	rest := r.text[r.at:]
	n := strings.IndexAny(rest, ",}]) \t\r\n")
	if n < 0 {
		n = len(rest)
	}
	word := rest[:n]
	switch word {
	case "True", "False":
		word = strings.ToLower(word)
	case "None", "undefined":
		word = "null"
	}
	if !json.Valid([]byte(word)) || word == "" {
		return false
	}
	r.at += n
	r.out.WriteString(word)
	return true
}

func (r *looseReader) write(text string) {
	out, _ := json.Marshal(text) // a string can always be encoded
	r.out.Write(out)
}
