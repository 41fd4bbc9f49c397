package agents

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// writtenCall is a call of an offered tool that a model wrote into its text.
type writtenCall struct {
	start, end int // of the text
	tool       ToolSpec
	args       string // one JSON object; "" if what was written has not one reading
}

// How often a text is looked at for written calls.
const (
	writtenWork    = 8        // times its length, and
	minWrittenWork = 64 << 10 // bytes
)

// maxTag is the length of the longest tag or token that is looked at, and of the longest
// name of a call.
const maxTag = 200

// writtenCalls returns the calls in a text. Quoted ones do not count: in inline code, in
// quotations and in fences, but for a fence that has nothing else and ends the text.
//
// It knows no format of a model. A call is the name of an offered tool where the name of a
// call is expected, which is a member of JSON, a tag, an attribute, what follows a tag or a
// token, or a line that begins with it, and arguments after it. A name that is an ordinary
// word needs arguments that fit.
func writtenCalls(text string, offered []ToolSpec) []writtenCall {
	if !slices.ContainsFunc(offered, func(s ToolSpec) bool { return strings.Contains(text, s.Name) }) {
		return nil
	}
	r := &callReader{text: text, offered: offered, work: writtenWork*len(text) + minWrittenWork}
	r.read()
	return r.calls
}

// callReader reads the calls of a text.
type callReader struct {
	quoting
	text    string
	offered []ToolSpec
	at      int
	work    int // bytes that may still be looked at
	calls   []writtenCall
	line    int  // where the line begins
	fenced  span // the fence that began last
	content span // what that fence holds
}

// span is a part of a text.
type span struct{ start, end int }

func (r *callReader) read() {
	for r.at < len(r.text) && r.work > 0 {
		if r.fence.mark == 0 && !r.inLine() {
			if calls, end := r.callsAt(r.at); end > r.at {
				r.pass(calls, end)
				continue
			}
		}
		r.step()
	}
	if r.at == len(r.text) {
		r.endText()
	}
}

// pass adds calls, or passes over text that has none.
func (r *callReader) pass(calls []writtenCall, end int) {
	if len(calls) > 0 {
		before := 0 // the end of the call before, whose tokens are not this one's
		if n := len(r.calls); n > 0 {
			before = r.calls[n-1].end
		}
		calls[0].start, calls[len(calls)-1].end = max(before, r.extended(r.at)), end
		for i := 1; i < len(calls); i++ {
			calls[i-1].end, calls[i].start = end, end
		}
		r.calls = append(r.calls, calls...)
	}
	before, _ := utf8.DecodeLastRuneInString(r.text[:end])
	r.line = max(r.line, strings.LastIndexByte(r.text[r.at:end], '\n')+1+r.at)
	r.quoting = quoting{begun: before != '\n', last: before}
	r.at = end
}

// step reads one character.
func (r *callReader) step() {
	outside := r.fence.mark == 0
	n := r.next([]byte(r.text[r.at:min(len(r.text), r.at+utf8.UTFMax)]))
	newline := r.text[r.at] == '\n'
	r.at += n
	r.work -= n
	if newline {
		r.endFence(outside)
		r.line = r.at
	}
}

// endFence notes where a fence begins or ends after a line.
func (r *callReader) endFence(outside bool) {
	switch inside := r.fence.mark != 0; {
	case outside && inside:
		r.fenced, r.content = span{r.line, len(r.text)}, span{r.at, len(r.text)}
	case !outside && !inside:
		r.fenced.end, r.content.end = r.at, r.line
	}
}

// endText reads the fence that ends the text, if it holds calls and nothing else.
func (r *callReader) endText() {
	outside := r.fence.mark == 0
	r.endLine()
	r.endFence(outside)
	if r.fenced.end == 0 || strings.TrimSpace(r.text[r.fenced.end:]) != "" {
		return
	}
	inner := &callReader{text: r.text[r.content.start:r.content.end], offered: r.offered, work: r.work}
	inner.read()
	if rest := withoutCalls(inner.text, inner.calls); len(inner.calls) == 0 || strings.TrimSpace(rest) != "" {
		return
	}
	for i := range inner.calls {
		inner.calls[i].start, inner.calls[i].end = len(r.text), len(r.text)
	}
	inner.calls[0].start = r.fenced.start
	r.calls = append(r.calls, inner.calls...)
}

// withoutCalls returns a text without its written calls.
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

// callsAt returns the calls that begin at an offset, and the offset after them. Without calls
// that is the end of JSON that has none, or the offset itself.
func (r *callReader) callsAt(at int) (calls []writtenCall, end int) {
	switch c := r.text[at]; {
	case c == '{' || c == '[':
		if value, end, ok := r.json(at); ok {
			return r.ifAlone(r.callsIn(value, 0), end)
		}
		if calls, end := r.brokenCall(at); len(calls) > 0 {
			return r.ifAlone(calls, end)
		}
		if c == '[' && isNameRune(rune(r.after(at+1))) {
			if calls, end := r.listAt(at + 1); end > 0 {
				return r.ifAlone(calls, end)
			}
		}
	case c == '<', strings.HasPrefix(r.text[at:], "to=") && r.quoting.last == ' ':
	case !r.begun && isNameRune(rune(c)):
		call, end, ok := r.lineCall(at)
		if !ok {
			return nil, at
		}
		return r.ifAlone([]writtenCall{call}, end)
	default:
		return nil, at
	}
	if calls, end = r.tagCalls(at); len(calls) == 0 {
		return nil, at
	}
	if calls, end = r.ifAlone(calls, end); len(calls) == 0 {
		return nil, at
	}
	return calls, end
}

// after returns the byte at an offset, 0 after the end.
func (r *callReader) after(at int) byte {
	if at >= len(r.text) {
		return 0
	}
	return r.text[at]
}

// ifAlone returns calls unless a sentence continues before or after them, which then mentions
// them.
func (r *callReader) ifAlone(calls []writtenCall, end int) ([]writtenCall, int) {
	if len(calls) == 0 {
		return nil, end
	}
	end = r.skipClosing(end)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(r.text[end:], " \t\r"))
	if unicode.IsLower(next) || next != utf8.RuneError && strings.ContainsRune(",.;:)'\"”»", next) {
		return nil, end
	}
	before := r.text[min(r.line, r.extended(r.at)):r.extended(r.at)]
	words := strings.TrimRight(before, " \t")
	if last, _ := utf8.DecodeLastRuneInString(words); words != before && (unicode.IsLetter(last) || unicode.IsDigit(last) || last == ',') {
		return nil, end
	}
	return calls, end
}

// json reads JSON at an offset.
func (r *callReader) json(at int) (value string, end int, ok bool) {
	l := looseReader{text: r.text[at:]}
	ok = l.value(0)
	r.work -= l.at
	return l.out.String(), at + l.at, ok
}

// callsIn returns the calls that JSON has: an object that names a tool, or a list of such.
func (r *callReader) callsIn(value string, depth int) []writtenCall {
	var list []json.RawMessage
	var members map[string]json.RawMessage
	r.work -= len(value)
	if depth > 3 || r.work < 0 {
		return nil
	}
	if json.Unmarshal([]byte(value), &list) == nil {
		var calls []writtenCall
		for _, entry := range list {
			found := r.callsIn(string(entry), depth+1)
			if len(found) == 0 {
				return nil
			}
			calls = append(calls, found...)
		}
		return calls
	}
	if json.Unmarshal([]byte(value), &members) != nil {
		return nil
	}
	for _, key := range slices.Concat(callNames, []string{"tool_call", "function_call", "tool_calls"}) {
		raw, has := members[key]
		var name string
		if has && json.Unmarshal(raw, &name) != nil {
			if found := r.callsIn(string(raw), depth+1); len(found) > 0 {
				return found
			}
		}
		if spec, ok := offeredTool(name, r.offered); ok {
			return r.checked(spec, argumentsIn(members), true)
		}
	}
	for name, raw := range members {
		if spec, ok := offeredTool(name, r.offered); ok && len(members) == 1 && raw[0] == '{' {
			return r.checked(spec, string(raw), true)
		}
	}
	return nil
}

// argumentsIn returns the arguments in an object that names a tool: those of a known member, or
// all members that do not name the call.
func argumentsIn(members map[string]json.RawMessage) string {
	for _, key := range callArguments {
		if raw, ok := members[key]; ok {
			return string(raw)
		}
	}
	rest := map[string]json.RawMessage{}
	for key, raw := range members {
		if !slices.Contains(callNames, key) && key != "type" && key != "id" && key != "index" {
			rest[key] = raw
		}
	}
	out, _ := json.Marshal(rest) // it was JSON before
	return string(out)
}

// checked returns a call, none if its name is an ordinary word and its arguments do not fit.
func (r *callReader) checked(spec ToolSpec, args string, is bool) []writtenCall {
	object, ok := readArguments(args)
	if ok {
		object = unwrapped(object, spec)
	}
	ordinary := strings.TrimFunc(spec.Name, unicode.IsLower) == ""
	if !is || ordinary && !(ok && spec.parameters().fit(object)) {
		return nil
	}
	return []writtenCall{{tool: spec, args: object}}
}

// fit reports whether an object has the arguments that are required, and no others.
func (p parameters) fit(object string) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &members) != nil {
		return false
	}
	for name := range members {
		if _, ok := p.Properties[name]; !ok && p.Properties != nil {
			return false
		}
	}
	return !slices.ContainsFunc(p.Required, func(name string) bool { return members[name] == nil })
}

// nameAt reads the name of an offered tool at an offset, with what is around it.
func (r *callReader) nameAt(at int) (spec ToolSpec, end int, ok bool) {
	rest := r.text[at:min(len(r.text), at+maxTag)]
	n := strings.IndexFunc(rest, func(c rune) bool { return !isNameRune(c) && !strings.ContainsRune(".:/", c) })
	if n < 0 {
		n = len(rest)
	}
	r.work -= n
	spec, ok = offeredTool(rest[:n], r.offered)
	return spec, at + n, ok
}

// lineCall reads a call that begins a line as in a program: look({"n": 1}), look(n=1) or
// look{"n": 1}, also in print().
func (r *callReader) lineCall(at int) (call writtenCall, end int, ok bool) {
	inner := at
	if strings.HasPrefix(r.text[at:], "print(") {
		inner += len("print(")
	}
	spec, end, ok := r.nameAt(inner)
	if !ok {
		return call, end, false
	}
	args, end, is := r.bracketsAt(end + len(blanksOf(r.text[end:])))
	if inner > at && r.after(end) == ')' {
		end++
	}
	calls := r.checked(spec, args, is)
	if len(calls) == 0 {
		return call, end, false
	}
	return calls[0], end, true
}

// listAt reads calls as in a program up to the end of their list. The end is 0 if that is
// none.
func (r *callReader) listAt(at int) (calls []writtenCall, end int) {
	for {
		call, end, ok := r.lineCall(at)
		if !ok {
			return nil, 0
		}
		calls = append(calls, call)
		rest := strings.TrimLeft(r.text[end:], ", \t\r\n")
		at = len(r.text) - len(rest)
		if strings.HasPrefix(rest, "]") {
			return calls, at + 1
		}
	}
}

// bracketsAt reads arguments in brackets: an object, or the named arguments of a program. Is
// reports that they look like arguments; the text is "" if they have not one reading.
func (r *callReader) bracketsAt(at int) (args string, end int, is bool) {
	l := looseReader{text: r.text[at:]}
	defer func() { r.work -= l.at }()
	switch l.peek() {
	case '{':
		if args, ok := l.object(); ok {
			return args, at + l.at, true
		}
		return "", r.endOfParagraph(at), true
	case '(':
		l.at++
	default:
		return "", at, false
	}
	begin := l.peek()
	_, quoted := l.quote()
	if begin == '{' {
		if args, ok := l.object(); ok && l.peek() == ')' {
			return args, at + l.at + 1, true
		}
	} else if named := namesArgument(l.text[l.at:]); !named && !quoted {
		return "", at, false
	} else if l.out.Reset(); named && l.members(')', "=:", 0) {
		return l.out.String(), at + l.at, true
	}
	return "", r.endOfParagraph(at), true
}

// namesArgument reports whether a text begins with a name and a sign after it.
func namesArgument(text string) bool {
	rest := strings.TrimLeftFunc(text[:min(len(text), maxTag)], isNameRune)
	rest, cut := strings.TrimLeft(rest, " "), len(rest) < min(len(text), maxTag)
	return cut && rest != "" && (rest[0] == '=' || rest[0] == ':')
}

// endOfParagraph returns where arguments end that cannot be read.
func (r *callReader) endOfParagraph(at int) int {
	n := len(r.text) - at
	for _, mark := range []string{"\n\n", "</", "<|", "<｜"} {
		if i := strings.Index(r.text[at:at+n], mark); i >= 0 {
			n = i
		}
	}
	r.work -= n
	return at + n
}

// brokenCall returns a call in JSON that cannot be read, but for the name.
func (r *callReader) brokenCall(at int) (calls []writtenCall, end int) {
	head := r.text[at:min(len(r.text), at+maxTag)]
	if !strings.HasPrefix(strings.TrimLeft(head, "[ \n"), "{") {
		return nil, at
	}
	r.work -= len(head)
	for _, key := range callNames {
		before, after, ok := strings.Cut(head, `"`+key+`"`)
		value := strings.TrimLeft(after, " \t\r\n:")
		if !ok || !strings.HasPrefix(value, `"`) {
			continue
		}
		name := at + len(before) + len(key) + 2 + len(after) - len(value) + 1
		if spec, _, ok := r.nameAt(name); ok {
			return r.checked(spec, "", true), r.endOfParagraph(name)
		}
	}
	return nil, at
}

func blanksOf(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \t\r\n"))] }
