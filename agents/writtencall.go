package agents

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
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
	brokenWork     = 4        // times the length of malformed JSON
)

// maxHead is how much is looked at of what a call begins with: its tags or tokens, and its name.
const maxHead = 400

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
	r := &callReader{text: strings.TrimRight(text, " \t\r\n"), offered: offered, work: writtenWork*len(text) + minWrittenWork}
	r.read()
	return r.calls
}

type callReader struct {
	quoting
	text    string
	offered []ToolSpec
	at      int
	work    int // bytes that may still be looked at
	calls   []writtenCall
	line    int // where the line begins
	fenced  int // where the fence begins that was opened last
}

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
	if r.at == len(r.text) && r.fence.mark != 0 {
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

func (r *callReader) step() {
	outside, newline := r.fence.mark == 0, r.text[r.at] == '\n'
	n := r.next([]byte(r.text[r.at:min(len(r.text), r.at+utf8.UTFMax)]))
	r.at += n
	r.work -= n
	if newline {
		if outside && r.fence.mark != 0 {
			r.fenced = r.line
		}
		r.line = r.at
	}
}

// endText reads the fence that ends the text, if it holds calls and nothing else.
func (r *callReader) endText() {
	_, content, _ := strings.Cut(r.text[r.fenced:], "\n")
	if i := strings.LastIndexByte(content, '\n'); i >= 0 && strings.Trim(content[i:], "`~ \n") == "" {
		content = content[:i]
	}
	inner := &callReader{text: content, offered: r.offered, work: r.work}
	inner.read()
	if len(inner.calls) == 0 || withoutCalls(content, inner.calls) != "" {
		return
	}
	for i := range inner.calls {
		inner.calls[i].start, inner.calls[i].end = len(r.text), len(r.text)
	}
	inner.calls[0].start = r.fenced
	r.calls = append(r.calls, inner.calls...)
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

// callForm is a form in which models write calls outside of JSON: an expression whose group is
// the name, and where the arguments are.
type callForm struct {
	begins  *regexp.Regexp
	element bool // in the tag, or in what it is around
	program bool // right after the name, in brackets
}

type callSyntax struct {
	forms     []callForm     // tried in this order
	broken    *regexp.Regexp // JSON up to the name of a call
	calls     *regexp.Regexp // words of a tag or token after which a name alone is a call
	before    *regexp.Regexp // what may be between a name and its arguments
	brackets  *regexp.Regexp // the beginning of arguments in brackets
	parameter *regexp.Regexp // a tag around an argument
	keyed     *regexp.Regexp // the tags before an argument that has its name in a tag of its own
	attribute *regexp.Regexp // an argument in a tag
	unread    *regexp.Regexp // the end of arguments that cannot be read
	last      *regexp.Regexp // the end of arguments in such tags
	opening   *regexp.Regexp // the tags and tokens before a call
	closing   *regexp.Regexp // a tag or a token that closes it
	fence     *regexp.Regexp // a fence that closes it, and what follows that
}

var syntax = sync.OnceValue(func() callSyntax {
	const (
		name  = `([\pL\pN_.:/-]+)`
		may   = `(?:tool|TOOL|call|CALL|func|invoke|python|action)`
		token = `(?:<[|｜][^<>\n]+>|\[[A-Z_]+\]|<[^<>\n/]*` + may + `[^<>\n]*>)\s*`
		tags  = `</[^<>\n]+>|<[|｜][^<>\n]*(?:end|END)[^<>\n]*>|<\|call\|>|<[^<>|｜\n]+[|｜]>|\[/[A-Z_]+\]`
	)
	names := strings.Join(append(slices.Clone(callNames), "invoke", "tool_call"), "|")
	return callSyntax{
		forms: []callForm{
			{begins: regexp.MustCompile(`^<` + name + `(?:\s[^<>\n]*)?>`), element: true},
			{begins: regexp.MustCompile(`^<[^<>\n]*?\b(?:` + names + `)\s*=\s*["']?` + name + `["']?[^<>\n]*>`), element: true},
			{begins: regexp.MustCompile(`^(?:` + token + `)+(?:function\s*` + token + `)?(?:commentary\s+to=|call:)?` + name)},
			{begins: regexp.MustCompile(`^to=` + name)},
			{begins: regexp.MustCompile(`^\[?(?:print\()?` + name + `\s*[({]`), program: true},
		},
		broken:    regexp.MustCompile(`^[\[\s]*\{(?s:.*?)"(?:` + names + `)"\s*:\s*"([^"\n]+)`),
		calls:     regexp.MustCompile(`to=|` + may),
		before:    regexp.MustCompile("^(?:\\s*(?:<[|｜][^<>\n]+>|\\[[A-Z_]+\\]|```[a-z]*|json|code))*\\s*"),
		brackets:  regexp.MustCompile(`^(?:\{|\(\s*(?:\{|["'“]|[\pL\pN_-]+ *[=:]))`),
		parameter: regexp.MustCompile(`<([\w:-]+)(?:\s+name)?(?:\s*=\s*["']?([\w-]+)["']?)?[^<>\n]*>`),
		keyed:     regexp.MustCompile(`^<arg_key>\s*([\w-]+)\s*</arg_key>\s*<arg_value>`),
		attribute: regexp.MustCompile(`([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`),
		unread:    regexp.MustCompile(`\n\n|</|<[|｜]`),
		last:      regexp.MustCompile(`</?tool_call|<[|｜]`),
		opening:   regexp.MustCompile(`(?:` + token + `(?:(?:function|commentary|assistant)\s*)?)+$`),
		closing:   regexp.MustCompile(`^\s*(?:` + tags + `)`),
		fence:     regexp.MustCompile("^[ \t]*\n?[ \t]*```(\n|<|$)"),
	}
})

// callsAt returns the calls that begin at an offset, and the offset after them. Without calls
// that is the end of JSON that has none, or the offset itself.
func (r *callReader) callsAt(at int) (calls []writtenCall, end int) {
	c, rest, begins := r.text[at], r.text[at:], head(r.text[at:])
	if c == '{' || c == '[' && strings.HasPrefix(strings.TrimLeft(begins[1:], " \t\r\n"), "{") {
		value, n, ok := looseValue(rest)
		if r.work -= n; ok {
			return r.ifAlone(r.callsIn(value, 0), at+n)
		}
		r.work -= brokenWork * n // the decoder is slow on malformed JSON, and starts again at the next bracket
		if name := syntax().broken.FindStringSubmatchIndex(begins); name != nil {
			if spec, ok := offeredTool(rest[name[2]:name[3]], r.offered); ok {
				return r.ifAlone(r.checked(spec, ""), r.unread(at+name[3]))
			}
		}
	}
	named := strings.HasPrefix(rest, "to=") && r.quoting.last == ' '
	if !named && c != '<' && c != '[' && (r.begun || !isNameRune(rune(c))) ||
		!slices.ContainsFunc(r.offered, func(s ToolSpec) bool { return strings.Contains(begins, s.Name) }) {
		return nil, at
	}
	if r.work -= len(begins); syntax().closing.MatchString(begins) {
		return nil, at
	}
	for _, form := range syntax().forms {
		if calls, end = r.inForm(form, at); len(calls) > 0 {
			break
		}
	}
	if calls, end = r.ifAlone(calls, end); len(calls) == 0 {
		return nil, at
	}
	return calls, end
}

func (r *callReader) inForm(form callForm, at int) (calls []writtenCall, end int) {
	begins := head(r.text[at:])
	m := form.begins.FindStringSubmatchIndex(begins)
	if m == nil {
		return nil, at
	}
	name := begins[m[2]:m[3]]
	spec, ok := offeredTool(name, r.offered)
	switch begins = begins[:m[1]]; {
	case !ok || m[2] == 1 && form.element && strings.TrimSuffix(name, "/") != spec.Name:
		return nil, at
	case form.element:
		return r.inElement(begins, at+m[1], spec)
	case form.program:
		return r.inProgram(form, at)
	}
	end = at + m[1] + len(syntax().before.FindString(head(r.text[at+m[1]:])))
	if args, after, is := r.bracketsAt(end); is {
		return r.checked(spec, args), after
	}
	if strings.HasPrefix(r.text[end:], "<arg_key>") {
		last := len(r.text)
		if m := syntax().last.FindStringIndex(r.text[end:]); m != nil {
			last = end + m[0]
		}
		args, after := r.parameters(end, last, spec)
		return r.checked(spec, typed(args, spec)), after
	}
	if !syntax().calls.MatchString(begins[:m[2]]) {
		return nil, at
	}
	return r.checked(spec, "{}"), at + m[1]
}

// inElement reads a call that a tag begins. The element around its arguments ends where the tag
// is closed, or with the text.
func (r *callReader) inElement(tag string, at int, spec ToolSpec) (calls []writtenCall, end int) {
	name := tag[1 : 1+strings.IndexAny(tag[1:], " =/>\t")]
	n, whole := strings.Index(r.text[at:], "</"+name), strings.HasSuffix(tag, "/>")
	closed := whole || n >= 0
	switch end = at + n; {
	case whole:
		end = at
	case n < 0:
		end = len(r.text)
	}
	body := r.text[at:end]
	r.work -= len(body)
	args, _ := r.parameters(at, end, spec)
	if len(args) == 0 && strings.TrimSpace(body) == "" {
		for _, m := range syntax().attribute.FindAllStringSubmatch(tag, -1) {
			if _, known := spec.parameters().Properties[m[1]]; known || spec.parameters().Properties == nil {
				args[m[1]] = m[2] + m[3] + m[4]
			}
		}
	}
	switch object, ok := readArguments(body); {
	case ok:
		return r.checked(spec, object), end
	case len(args) > 0:
		return r.checked(spec, typed(args, spec)), end
	case !closed:
		return nil, end
	case strings.TrimSpace(body) == "":
		return r.checked(spec, "{}"), end
	}
	return r.checked(spec, ""), end
}

// parameters returns the arguments that tags are around, as in <parameter name="n">,
// <parameter=n>, <n>, and <arg_key> before <arg_value>, and the offset after them.
func (r *callReader) parameters(at, end int, spec ToolSpec) (args map[string]string, after int) {
	args, after = map[string]string{}, at
	known := spec.parameters().Properties
	for r.work > 0 {
		rest := r.text[at:end]
		m := syntax().parameter.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		tag, name := rest[m[2]:m[3]], ""
		if m[4] >= 0 {
			name = rest[m[4]:m[5]]
		}
		from := m[1]
		if keyed := syntax().keyed.FindStringSubmatch(rest[m[0]:]); keyed != nil {
			tag, name, from = "arg_value", keyed[1], m[0]+len(keyed[0])
		}
		value, _, closed := strings.Cut(rest[from:], "</"+tag)
		r.work -= from + len(value)
		at += from
		if _, is := known[tag]; is || name != "" || closed && known == nil && !strings.Contains(value, "</") {
			args[cmp.Or(name, tag)] = strings.TrimSuffix(strings.TrimPrefix(value, "\n"), "\n")
			at += len(value)
			after = at
		}
	}
	return args, after
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

// inProgram reads calls as in a program, such as look({"n": 1}), look(n=1) or look{"n": 1}, in
// print(), and in a list.
func (r *callReader) inProgram(form callForm, at int) (calls []writtenCall, end int) {
	inList := r.text[at] == '['
	for len(calls) < MaxCallsAtOnce {
		begins := head(r.text[at:])
		m := form.begins.FindStringSubmatchIndex(begins)
		if r.work -= len(begins); m == nil {
			return nil, at
		}
		spec, ok := offeredTool(r.text[at+m[2]:at+m[3]], r.offered)
		args, end, is := r.bracketsAt(at + m[1] - 1)
		if !ok || !is {
			return nil, at
		}
		if strings.HasSuffix(r.text[at:at+m[2]], "print(") && strings.HasPrefix(r.text[end:], ")") {
			end++
		}
		call := r.checked(spec, args)
		calls = append(calls, call...)
		rest := strings.TrimLeft(r.text[end:], ", \t\r\n")
		switch {
		case len(call) == 0:
			return nil, at
		case !inList:
			return calls, end
		case strings.HasPrefix(rest, "]"):
			return calls, len(r.text) - len(rest) + 1
		}
		at = len(r.text) - len(rest)
	}
	return nil, at
}

// bracketsAt reads arguments in brackets: an object, or the named arguments of a program. Is
// reports that they look like arguments; the text is "" if they have not one reading.
func (r *callReader) bracketsAt(at int) (args string, end int, is bool) {
	begins := syntax().brackets.FindString(head(r.text[at:]))
	if begins == "" {
		return "", at, false
	}
	in := 0 // where an object begins that is in round brackets
	if strings.HasSuffix(begins, "{") {
		in = len(begins) - 1
	}
	value, n, ok := looseValue(r.text[at+in:])
	r.work -= n
	rest := strings.TrimLeft(r.text[at+in+n:], " \t\r\n")
	switch {
	case !ok, in > 0 && !strings.HasPrefix(rest, ")"):
		return "", r.unread(at), true
	case in > 0:
		return value, len(r.text) - len(rest) + 1, true
	}
	return value, at + n, true
}

// unread returns where arguments end that cannot be read.
func (r *callReader) unread(at int) int {
	end := len(r.text)
	if m := syntax().unread.FindStringIndex(r.text[at:]); m != nil {
		end = at + m[0]
	}
	r.work -= end - at
	return end
}

// callsIn returns the calls that JSON has: an object that names a tool, or a list of such.
func (r *callReader) callsIn(value string, depth int) (calls []writtenCall) {
	var list []json.RawMessage
	var members map[string]json.RawMessage
	r.work -= len(value)
	switch {
	case depth > 3 || r.work < 0:
		return nil
	case json.Unmarshal([]byte(value), &list) == nil:
		for _, entry := range list {
			found := r.callsIn(string(entry), depth+1)
			if len(found) == 0 {
				return nil
			}
			calls = append(calls, found...)
		}
		return calls
	case json.Unmarshal([]byte(value), &members) != nil:
		return nil
	}
	for _, key := range slices.Concat(callNames, []string{"tool_call", "function_call", "tool_calls"}) {
		var name string
		if json.Unmarshal(members[key], &name) != nil {
			if calls = r.callsIn(string(members[key]), depth+1); len(calls) > 0 {
				return calls
			}
		}
		if spec, ok := offeredTool(name, r.offered); ok {
			return r.checked(spec, argumentsIn(members))
		}
	}
	for name, raw := range members {
		if spec, ok := offeredTool(name, r.offered); ok && len(members) == 1 && raw[0] == '{' {
			return r.checked(spec, string(raw))
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
	rest := maps.Clone(members)
	for _, key := range slices.Concat(callNames, []string{"type", "id", "index"}) {
		delete(rest, key)
	}
	out, _ := json.Marshal(rest) // it was JSON before
	return string(out)
}

// checked returns a call, none if its name is an ordinary word and its arguments do not fit:
// those that are required, and no others.
func (r *callReader) checked(spec ToolSpec, args string) []writtenCall {
	object, ok := readArguments(args)
	if ok {
		object = unwrapped(object, spec)
	}
	var members map[string]json.RawMessage
	if strings.TrimFunc(spec.Name, unicode.IsLower) == "" {
		known := spec.parameters()
		if json.Unmarshal([]byte(object), &members) != nil ||
			slices.ContainsFunc(known.Required, func(name string) bool { return members[name] == nil }) {
			return nil
		}
		for name := range members {
			if _, ok := known.Properties[name]; !ok && known.Properties != nil {
				return nil
			}
		}
	}
	return []writtenCall{{tool: spec, args: object}}
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

// skipClosing returns the offset after the tags, tokens and fences that close a call.
func (r *callReader) skipClosing(end int) int {
	for {
		if m := syntax().fence.FindStringSubmatch(r.text[end:]); m != nil {
			end += len(m[0]) - len(m[1])
		} else if tag := syntax().closing.FindString(r.text[end:]); tag != "" {
			end += len(tag)
		} else {
			return end
		}
	}
}

// extended returns the offset at which the tags and tokens before a call begin.
func (r *callReader) extended(at int) int {
	before := r.text[max(0, at-maxHead/2):at]
	if near := strings.TrimRight(before, " \t\r\n"); near == "" || !strings.ContainsAny(near[len(near)-1:], ">]nty") {
		return at
	}
	r.work -= len(before)
	return at - len(syntax().opening.FindString(before))
}

func head(text string) string { return text[:min(len(text), maxHead)] }
