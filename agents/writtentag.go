package agents

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// maxTags is how many tags in a row are looked at.
const maxTags = 16

// nameAttributes are the attributes that name a call.
var nameAttributes = slices.Concat([]string{"invoke", "tool_call"}, callNames)

// tag is a tag such as <invoke name="look">, or a token such as <|call|> or [TOOL_CALLS].
type tag struct {
	end   int    // the offset after it
	inner string // without brackets and the signs next to them
	begin string // its first word
	token bool   // it has signs next to its brackets, or square brackets
	shut  bool   // it closes, or says that something ends
	whole bool   // it has nothing within, as <look/>
}

// tagAt reads the tag at an offset.
func (r *callReader) tagAt(at int) (t tag, ok bool) {
	closing := map[byte]string{'<': ">", '[': "]"}[r.after(at)]
	if closing == "" {
		return t, false
	}
	rest := r.text[at:min(len(r.text), at+maxTag)]
	n := strings.IndexAny(rest, closing+"\n")
	r.work -= max(n, 1)
	if n < 2 || rest[n] == '\n' {
		return t, false
	}
	inside := rest[1:n]
	t = tag{end: at + n + 1, inner: strings.Trim(inside, "|｜/ ")}
	t.token = closing == "]" || strings.Trim(inside, "|｜") != inside
	word := func(c rune) bool { return isNameRune(c) || strings.ContainsRune(".:▁", c) }
	t.begin = t.inner[:len(t.inner)-len(strings.TrimLeftFunc(t.inner, word))]
	ends := strings.Contains(strings.ToLower(inside), "end") || t.inner == "call" || inside[0] != '|' && strings.HasSuffix(inside, "|")
	t.shut = inside[0] == '/' || t.token && ends
	t.whole = strings.HasSuffix(inside, "/")
	return t, t.begin != ""
}

// mayCall reports whether a tag says that a call is within it or after it.
func (t tag) mayCall() bool {
	words := []string{"tool", "call", "func", "invoke", "python", "action"}
	return slices.ContainsFunc(words, func(s string) bool { return strings.Contains(strings.ToLower(t.inner), s) })
}

// attributes returns the attributes of a tag. One without a name, as in <function=look>, has
// that of the tag.
func (t tag) attributes() map[string]string {
	out := map[string]string{}
	for rest := t.inner; ; {
		before, after, ok := strings.Cut(rest, "=")
		if !ok {
			return out
		}
		name := before[strings.LastIndexFunc(before, func(c rune) bool { return !isNameRune(c) })+1:]
		after = strings.TrimLeft(after, " ")
		end := " "
		if after != "" && (after[0] == '"' || after[0] == '\'') {
			end, after = after[:1], after[1:]
		}
		out[name], rest, _ = strings.Cut(after, end)
	}
}

// tagCalls returns the calls in a tag, in what it is around, or after it.
func (r *callReader) tagCalls(at int) (calls []writtenCall, end int) {
	t, ok := r.tagAt(at)
	switch {
	case strings.HasPrefix(r.text[at:], "to="):
		return r.callAfter(at+len("to="), true)
	case !ok || t.shut && !t.whole:
		return nil, at
	}
	if spec, ok := r.namedBy(t); ok {
		return r.elementCall(t, spec)
	}
	after := t.end + len(blanksOf(r.text[t.end:]))
	if next := r.after(after); next == '{' || next == '[' {
		if value, end, ok := r.json(after); ok {
			return r.callsIn(value, 0), end
		}
		if calls, end := r.brokenCall(after); len(calls) > 0 {
			return calls, end
		}
		if next == '[' {
			return r.listAt(after + 1)
		}
	}
	return r.callAfter(after, t.mayCall())
}

// namedBy returns the tool that a tag or one of its attributes names.
func (r *callReader) namedBy(t tag) (spec ToolSpec, ok bool) {
	attributes := t.attributes()
	for _, key := range nameAttributes {
		if spec, ok := offeredTool(attributes[key], r.offered); ok {
			return spec, true
		}
	}
	if t.token {
		return spec, false
	}
	spec, ok = offeredTool(t.begin, r.offered)
	return spec, ok && spec.Name == t.begin
}

// elementCall reads a call that a tag begins. What the element holds are its arguments.
func (r *callReader) elementCall(t tag, spec ToolSpec) (calls []writtenCall, end int) {
	body, end, closed := r.element(t)
	args := r.parametersIn(body, spec)
	if len(args) == 0 && strings.TrimSpace(body) == "" || t.whole {
		args = t.attributes()
		for _, key := range nameAttributes {
			if _, known := spec.parameters().Properties[key]; !known {
				delete(args, key)
			}
		}
	}
	switch object, ok := readArguments(body); {
	case ok:
		return r.checked(spec, object, true), end
	case len(args) > 0:
		return r.checked(spec, typed(args, spec), true), end
	case strings.TrimSpace(body) == "":
		return r.checked(spec, "{}", closed || t.whole), end
	default:
		return r.checked(spec, "", closed), end
	}
}

// element returns what a tag is around: up to the tag that closes it, or to the end of the
// text.
func (r *callReader) element(t tag) (body string, end int, closed bool) {
	rest := r.text[t.end:]
	if t.whole {
		return "", t.end, true
	}
	n := strings.Index(rest, "</"+t.begin)
	if n < 0 {
		r.work -= len(rest)
		return rest, len(r.text), false
	}
	r.work -= n
	end = t.end + n
	if closing, ok := r.tagAt(end); ok {
		return rest[:n], closing.end, true
	}
	return rest[:n], len(r.text), true
}

// parametersIn returns the arguments that tags are around: <parameter name="n">, <parameter=n>,
// <n>, or <arg_key> before <arg_value>.
func (r *callReader) parametersIn(body string, spec ToolSpec) map[string]string {
	inner := &callReader{text: body, work: r.work}
	out, key, known := map[string]string{}, "", spec.parameters().Properties
	for at := 0; inner.work > 0; {
		n := strings.IndexByte(body[at:], '<')
		if n < 0 {
			break
		}
		t, ok := inner.tagAt(at + n)
		at += n + 1
		if !ok || t.shut {
			continue
		}
		name, attributes := t.begin, t.attributes()
		value, end, closed := inner.element(t)
		_, is := known[name]
		for _, attribute := range []string{"name", "parameter", "param", "key"} {
			if n, ok := attributes[attribute]; ok {
				name, is = n, true
			}
		}
		switch value = strings.TrimSuffix(strings.TrimPrefix(value, "\n"), "\n"); {
		case t.begin == "arg_key":
			key = strings.TrimSpace(value)
		case t.begin == "arg_value":
			out[key] = value
		case is || closed && known == nil && !strings.Contains(value, "</"):
			out[name] = value
		default: // around other tags
			continue
		}
		at = end
	}
	r.work = inner.work
	return out
}

// typed returns arguments that came as texts as JSON. What the schema calls a text is one.
func typed(args map[string]string, spec ToolSpec) string {
	out, known := map[string]json.RawMessage{}, spec.parameters().Properties
	for name, value := range args {
		if string(known[name].Type) != `"string"` && json.Valid([]byte(value)) {
			out[name] = json.RawMessage(value)
			continue
		}
		out[name], _ = json.Marshal(value) // a text can always be encoded
	}
	raw, _ := json.Marshal(out)
	return string(raw)
}

// callAfter reads a call whose name is at an offset, after a tag or a token. Its arguments
// may come after other tokens and in a fence. Sure says that it needs none.
func (r *callReader) callAfter(at int, sure bool) (calls []writtenCall, end int) {
	if strings.HasPrefix(r.text[at:], "call:") {
		at += len("call:")
	}
	spec, end, ok := r.nameAt(at)
	if !ok {
		return nil, at
	}
	named := end
	for range maxTags {
		end += len(blanksOf(r.text[end:]))
		if args, after, is := r.bracketsAt(end); is {
			return r.checked(spec, args, true), after
		}
		t, ok := r.tagAt(end)
		switch rest := r.text[end:]; {
		case ok && t.begin == "arg_key":
			body := r.text[end:r.endOfCall(end)]
			return r.checked(spec, typed(r.parametersIn(body, spec), spec), true), end + len(body)
		case ok && t.token && !t.shut:
			end = t.end
		case strings.HasPrefix(rest, "```"):
			end += len(rest) - len(strings.TrimLeftFunc(rest[3:], unicode.IsLetter))
		case strings.HasPrefix(rest, "json"), strings.HasPrefix(rest, "code"):
			end += len("json")
		default:
			return r.checked(spec, "{}", sure), named
		}
	}
	return nil, named
}

// endOfCall returns where a tag closes a call, or the end of the text.
func (r *callReader) endOfCall(at int) int {
	for _, mark := range []string{"</tool_call", "<|", "<tool_call>"} {
		if n := strings.Index(r.text[at:], mark); n >= 0 {
			r.work -= n
			return at + n
		}
	}
	r.work -= len(r.text) - at
	return len(r.text)
}

// skipClosing returns the offset after the tags, tokens and fences that close a call.
func (r *callReader) skipClosing(end int) int {
	for {
		at := end + len(blanksOf(r.text[end:]))
		t, ok := r.tagAt(at)
		switch {
		case ok && t.shut:
			end = t.end
		case strings.HasPrefix(r.text[at:], "```") && strings.Count(r.text[end:at], "\n") < 2 &&
			strings.IndexByte("\n<\x00", r.after(at+3)) >= 0:
			end = at + len("```")
		default:
			return end
		}
	}
}

// extended returns the offset at which the tags and tokens around a call begin.
func (r *callReader) extended(at int) int {
	for range maxTags {
		before := strings.TrimRight(r.text[:at], " \t\r\n")
		before = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(before, "function"), "commentary"), "assistant")
		if !strings.HasSuffix(before, ">") && !strings.HasSuffix(before, "]") {
			return at
		}
		begin := strings.LastIndexAny(before[max(0, len(before)-maxTag):], "<[")
		begin += max(0, len(before)-maxTag)
		t, ok := r.tagAt(max(0, begin))
		if !ok || t.end != len(before) || t.shut && !t.token || !t.mayCall() && (!t.token || r.text[begin] == '[') {
			return at
		}
		at = begin
	}
	return at
}
