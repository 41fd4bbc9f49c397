package statement

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/internal/text"
)

var statementMembers = []string{
	"position", "confidence", "stance", "choice", "estimate", "citations", "context_used", "reasoning", "ranking", "scores", "groups",
	"changed_by", "findings", "judgements",
}

// HideStructuredPart returns a text without its structured parts, and without what may
// become one while the text grows.
func HideStructuredPart(text string) string {
	_, prose := splitBlocks(text)
	return prose.text[:prose.pending]
}

func splitBlocks(text string) (found, prose *blockFinder) {
	found = findBlocks(text, statementMembers, workFor(text))
	prose = found
	for len(prose.blocks) > 0 { // without them the parts around them may make another one
		rest := prose.prose()
		if prose.work < outerPasses*len(rest) {
			return found, &blockFinder{text: rest, pending: len(rest), work: prose.work}
		}
		prose = findBlocks(rest, statementMembers, prose.work)
	}
	return found, prose
}

// LastObject returns the members of the last JSON object in a model's answer that has
// one of the names, by their names in lower case. It accepts what Parse does.
func LastObject(answer string, names ...string) (map[string]json.RawMessage, bool) {
	f := findBlocks(answer, names, workFor(answer))
	if len(f.blocks) == 0 {
		return nil, false
	}
	b := f.blocks[f.chosen()]
	return b.members, b.known > 0
}

type jsonBlock struct {
	start, end int                        // with its fences
	members    map[string]json.RawMessage // complete members by their names in lower case
	known      int                        // how many names of members count
	fenced     bool
	foreign    bool // its fence names another language than JSON
	last       bool // only such blocks follow
	quoted     bool // it stands in a quotation, see markQuoted
	repaired   bool
	truncated  bool     // the text ends before it does
	closed     bool     // a fence ends it
	cutMember  string   // name of the member in which it ends
	listCut    bool     // which is a list whose complete entries are read
	unclear    []string // members omitted because the end of their text is uncertain
}

// notes says what of the block was repaired and what could not be read.
func (b jsonBlock) notes() []string {
	var out []string
	name := strconv.Quote(text.Head(b.cutMember, maxQuotedLength))
	switch {
	case b.listCut:
		out = append(out, "its list of "+b.cutMember+" is incomplete")
	case b.closed && b.cutMember != "":
		out = append(out, "its JSON block could not be read from "+name+" on")
	case b.truncated && !b.closed && b.cutMember != "":
		out = append(out, "its JSON block was cut off at "+name)
	case b.truncated && !b.closed:
		out = append(out, "its JSON block was cut off")
	case b.repaired:
		out = append(out, "its JSON block was repaired")
	}
	for _, name := range b.unclear {
		out = append(out, text.Head(name, maxQuotedLength)+" could not be read: its quotes are unclear")
	}
	return out
}

type blockFinder struct {
	text    string
	names   []string // of members that count
	work    int      // see jsonScanner
	fences  []fenceLine
	nested  []span      // where fences stand within an outer one
	blocks  []jsonBlock // those that count, in their order
	pending int         // where what may become a block begins
	broken  bool        // a fenced block with a known name could not be read
}

// A text is looked at workFactor times and minWork bytes more, until no further
// object is read in it. Every loop over a text counts its bytes in blockFinder.work.
const (
	workFactor = 7
	minWork    = 128 << 10 // enough to repair the longest block, see maxBuffered
)

func workFor(text string) int { return workFactor*len(text) + minWork }

// findBlocks finds the objects that count: those with two of the names, or with one if
// they are fenced or last.
func findBlocks(text string, names []string, work int) *blockFinder {
	f := &blockFinder{text: text, names: names, work: work - outerPasses*len(text), pending: len(text)}
	f.fences, f.nested = findFences(text)
	for at := 0; at < len(text) && f.work >= 0; {
		n := strings.IndexAny(text[at:], "{[")
		if n < 0 {
			f.work -= len(text) - at
			break
		}
		f.work -= n + 1
		at = f.read(at + n)
	}
	if n := len(f.fences); n > 0 && f.fences[n-1].opens && isBlank(text[f.fences[n-1].content:]) {
		f.addOpenFences()
	} else if start, ok := growingFence(text); ok {
		f.pending = min(f.pending, start)
	}
	f.blocks = f.countedBlocks()
	f.markQuoted()
	return f
}

// countedBlocks returns the blocks that count. One in a fence of another language does
// with two of the names alone: it may be a style sheet.
func (f *blockFinder) countedBlocks() []jsonBlock {
	var kept []jsonBlock
	end := len(f.text)
	for _, b := range slices.Backward(f.blocks) {
		b.last = isBlank(f.text[b.end:end])
		if b.last {
			end = b.start
		}
		if b.known > 1 || (b.last || b.fenced) && !b.foreign {
			kept = append(kept, b)
		}
	}
	slices.Reverse(kept)
	return kept
}

// chosen returns the index of the block that is read: the last one with one of the names,
// or of the last block if none has. What stands in a quotation is not it if there is
// another, nor what prose has after a fenced block.
func (f *blockFinder) chosen() int {
	for _, quoted := range []bool{false, true} {
		bare := -1
		for i, b := range slices.Backward(f.blocks) {
			switch readable := b.quoted == quoted && countNames(b.members, f.names) > 0; {
			case readable && (b.fenced || b.last && bare < 0):
				return i
			case readable && bare < 0:
				bare = i
			}
		}
		if bare >= 0 {
			return bare
		}
	}
	return len(f.blocks) - 1
}

// markQuoted marks the blocks on lines that begin with ">", those in a fence within an
// outer one, and those in quotation marks.
func (f *blockFinder) markQuoted() {
	if len(f.blocks) < 2 {
		return
	}
	looked, line, marked, n := 0, -1, false, 0
	for i := range f.blocks {
		b := &f.blocks[i]
		before := f.text[looked:b.start]
		f.work -= len(before)
		if at := strings.LastIndexByte(before, '\n'); at >= 0 || line < 0 {
			line = looked + at + 1
			begin := strings.TrimLeft(f.text[line:], " \t")
			f.work -= len(f.text) - line - len(begin)
			marked = strings.HasPrefix(begin, ">")
		}
		looked = b.start
		for n < len(f.nested) && f.nested[n].end <= b.start {
			n++
		}
		b.quoted = marked || n < len(f.nested) && f.nested[n].start <= b.start || f.inQuotationMarks(*b)
	}
}

// markShown marks the blocks that repeat one of the texts that the speaker was shown,
// whose lines may be numbered.
func (f *blockFinder) markShown(shown []string) {
	if len(f.blocks) < 2 || len(shown) == 0 {
		return
	}
	all := withoutSpace(strings.Join(shown, "\n"))
	for i := range f.blocks {
		b := &f.blocks[i]
		object := f.text[b.start:b.end]
		if from, to := strings.IndexByte(object, '{'), strings.LastIndexByte(object, '}'); from >= 0 && from < to {
			b.quoted = b.quoted || strings.Contains(all, withoutSpace(object[from:to+1]))
		}
	}
}

// withoutSpace returns a text without white space and without the numbers of its lines.
func withoutSpace(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		if number, rest, ok := strings.Cut(line, "|"); ok && strings.Trim(number, "0123456789") == "" {
			line = rest
		}
		for word := range strings.FieldsSeq(line) {
			b.WriteString(word)
		}
	}
	return b.String()
}

const (
	quotationMarks    = "\"'“”„‟‘’‚«»‹›「」『』"
	maxQuotationSpace = 8 // bytes of white space within the marks
)

// inQuotationMarks reports whether quotation marks stand around a block.
func (f *blockFinder) inQuotationMarks(b jsonBlock) bool {
	before := strings.TrimRightFunc(f.text[max(0, b.start-maxQuotationSpace):b.start], unicode.IsSpace)
	behind := strings.TrimLeftFunc(f.text[b.end:min(len(f.text), b.end+maxQuotationSpace)], unicode.IsSpace)
	opening, _ := utf8.DecodeLastRuneInString(before)
	closing, _ := utf8.DecodeRuneInString(behind)
	return strings.ContainsRune(quotationMarks, opening) && strings.ContainsRune(quotationMarks, closing)
}

// addOpenFences adds the block that the last fence opens, and those of the fences right
// before it, in which there is nothing either.
func (f *blockFinder) addOpenFences() {
	n, start := len(f.fences)-1, len(f.text)
	f.pending = min(f.pending, f.fences[n].start)
	for n >= 0 && f.fences[n].language == "json" && f.fences[n].opens && isBlank(f.text[f.fences[n].content:start]) {
		start = f.fences[n].start
		n--
	}
	f.pending = min(f.pending, start)
	if start < len(f.text) {
		f.blocks = append(f.blocks, jsonBlock{start: start, end: len(f.text), fenced: true, truncated: true})
	}
}

// isBlank reports whether a text has white space alone. Unlike strings.TrimSpace it looks
// no further than the first other character.
func isBlank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}

// read reads the object at an offset, if any, and returns the offset to continue at.
func (f *blockFinder) read(at int) int {
	n, _ := slices.BinarySearchFunc(f.fences, at+1, func(l fenceLine, at int) int { return l.start - at })
	end := len(f.text)
	if n < len(f.fences) {
		end = f.fences[n].start
	}
	if f.text[at] == '[' {
		inner := strings.TrimLeft(f.text[at+1:end], " \t\r\n")
		f.work -= end - at - len(inner)
		if inner != "" && inner[0] != '{' {
			return at + 1
		}
	}
	s := &jsonScanner{text: f.text[:end], from: at, at: at, work: &f.work, names: f.names}
	b := jsonBlock{start: at}
	if n > 0 && f.fences[n-1].opens && s.skipSpace(f.fences[n-1].content) == at {
		b.start, b.fenced = f.fences[n-1].start, true
		b.foreign = isForeign(f.fences[n-1].language)
		s.closed = end < len(f.text)
	}
	err := s.scan()
	if errors.Is(err, errNoObject) {
		f.broken = f.broken || b.fenced && f.mentions(f.text[at:end])
		return at + 1
	}
	b.truncated = err != nil
	b.closed = b.truncated && s.closed
	if b.truncated && end == len(f.text) {
		f.pending = min(f.pending, b.start)
	}
	b.end = s.at
	unfinished := b.truncated && b.fenced && end == len(f.text) &&
		(f.fences[n-1].language == "json" || f.fences[n-1].language == "" && f.text[at] == '{')
	if s.named > 0 && f.decode(&b, s) || unfinished {
		b.end = f.closeFence(b, n)
		if !b.fenced && !b.truncated {
			f.takeInlineFence(&b)
		}
		f.blocks = append(f.blocks, b)
		return b.end
	}
	f.broken = f.broken || b.fenced && s.named > 0
	if b.truncated {
		return at + 1
	}
	return b.end
}

// mentions reports whether a text has a word that is one of the names.
func (f *blockFinder) mentions(text string) bool {
	f.work -= len(text)
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '_' && !isWordRune(r) }) {
		if slices.Contains(f.names, word) {
			return true
		}
	}
	return false
}

// closeFence returns the end of a block with its closing fence, even an incomplete one,
// and with the brackets too many before that.
func (f *blockFinder) closeFence(b jsonBlock, next int) int {
	rest := strings.TrimLeft(f.text[b.end:], "}], \t\r\n")
	at := len(f.text) - len(rest)
	f.work -= at - b.end
	if !b.fenced || next < len(f.fences) && at >= f.fences[next].start && f.fences[next].opens {
		return b.end
	}
	mark := f.fences[next-1].mark
	n := len(rest) - len(strings.TrimLeft(rest, mark))
	if n >= 3 || n == len(rest) {
		return at + n
	}
	return b.end
}

const maxInlineFence = 64 // with its language

// takeInlineFence extends a block by the fences around it in the middle of a line.
func (f *blockFinder) takeInlineFence(b *jsonBlock) {
	from := 0 // a fence that ends another block opens none
	if n := len(f.blocks); n > 0 {
		from = f.blocks[n-1].end
	}
	before := strings.TrimRight(f.text[:b.start], " \t\r\n")
	line := before[min(len(before), max(from, len(before)-maxInlineFence)):]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	rest := strings.TrimLeft(f.text[b.end:], " \t\r\n")
	f.work -= b.start - len(before) + 2*len(line) + len(f.text) - b.end - len(rest)
	n := strings.LastIndex(line, "```")
	if n < 0 || !strings.HasPrefix(rest, "```") {
		return
	}
	language := strings.TrimSpace(line[n+3:])
	if strings.ContainsFunc(language, func(r rune) bool { return !isWordRune(r) }) {
		return
	}
	b.start = len(before) - len(line) + len(strings.TrimRight(line[:n], "`"))
	b.end = len(f.text) - len(strings.TrimLeft(rest, "`"))
	b.fenced, b.foreign = true, isForeign(strings.ToLower(language))
}

func isForeign(language string) bool { return language != "" && !strings.HasPrefix(language, "json") }

// decode reads the members of what was scanned. It returns false if it has none that
// count.
func (f *blockFinder) decode(b *jsonBlock, s *jsonScanner) bool {
	raw := f.text[s.from:s.at]
	if f.work < decodePasses*len(raw) {
		return false
	}
	f.work -= decodePasses * len(raw)
	if b.truncated || !json.Valid([]byte(raw)) {
		raw, b.repaired = s.repaired(), true
		f.work -= len(raw)
	}
	members, depth := singleObject([]byte(raw), f.names)
	if depth > 0 {
		f.work -= len(raw)
	}
	if b.members, b.known = members, countNames(members, f.names); b.known == 0 {
		return false
	}
	for _, path := range s.unclear {
		if len(path) > depth && !slices.Contains(b.unclear, path[depth]) {
			b.unclear = append(b.unclear, path[depth])
		}
	}
	if len(s.cut) > depth {
		b.cutMember = s.cut[depth]
		name := strings.ToLower(b.cutMember)
		if b.listCut = slices.Contains(listMembers, name); b.listCut {
			b.members[name] = completeEntries(b.members[name], len(s.cut) > depth+2)
		} else {
			delete(b.members, name)
		}
	}
	return true
}

// How often a text is read outside of jsonScanner: decodePasses are to check the JSON of an
// object whose end is known, and to read its members.
const (
	outerPasses  = 2 // over a text: for its fences, and for its prose
	decodePasses = 2
)

// singleObject returns the members of an object, of the last one of a list, or of the only
// member of an object, and its depth.
func singleObject(raw json.RawMessage, names []string) (members map[string]json.RawMessage, depth int) {
	inner := []json.RawMessage{}
	if members = readMembers(raw); countNames(members, names) > 0 {
		return members, 0
	} else if len(members) == 1 {
		for _, value := range members {
			inner = append(inner, value)
		}
	} else if json.Unmarshal(raw, &inner) != nil {
		return members, 0
	}
	for _, value := range slices.Backward(inner) {
		if found := readMembers(value); countNames(found, names) > 0 {
			return found, 1
		}
	}
	return members, 0
}

func countNames(members map[string]json.RawMessage, names []string) int {
	n := 0
	for _, name := range names {
		if _, ok := members[name]; ok {
			n++
		}
	}
	return n
}

// readMembers returns the members of an object by their names in lower case; the last of
// a name counts. It is nil for other values.
func readMembers(raw json.RawMessage) map[string]json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	out := map[string]json.RawMessage{}
	for dec.More() {
		var value json.RawMessage
		name, err := dec.Token()
		if err != nil || dec.Decode(&value) != nil {
			return out
		}
		if word, ok := name.(string); ok {
			out[strings.ToLower(strings.TrimSpace(word))] = value
		}
	}
	return out
}

// prose returns the text without its blocks. The parts around a block become paragraphs.
func (f *blockFinder) prose() string {
	out := make([]byte, 0, len(f.text))
	from := 0
	add := func(part string) {
		switch {
		case isBlank(part):
			return
		case len(out) == 0:
			out = append(out, part...)
			return
		}
		out = append(bytes.TrimRightFunc(out, unicode.IsSpace), "\n\n"...)
		out = append(out, strings.TrimLeftFunc(part, unicode.IsSpace)...)
	}
	for _, b := range f.blocks {
		add(f.text[from:b.start])
		from = b.end
	}
	add(f.text[from:])
	return string(out)
}

// fenceLine is a line that begins with three or more backticks or tildes.
type fenceLine struct {
	start    int    // offset of the line
	content  int    // offset of what follows the fence and its language
	mark     string // "`" or "~"
	size     int    // how often the mark stands there
	language string
	opens    bool
}

// findFences lists the fences of a text. A fence that names a language opens a block
// even if another one is open. Nested is where fences stand within an outer one.
func findFences(text string) (out []fenceLine, nested []span) {
	var outer nesting
	open := "" // the mark of the block that is open
	for start := 0; start < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n
		}
		f, ok := parseFence(text[start:end])
		object := start+f.content < end
		if ok {
			nested = outer.add(nested, f, start, object)
		}
		if ok && (open == "" || open == f.mark) {
			f.opens = f.language != "" || object || open == ""
			f.start, f.content = start, start+f.content
			if open = ""; f.opens {
				open = f.mark
			}
			out = append(out, f)
		}
		start = end + 1
	}
	return out, nested
}

// span is a part of a text.
type span struct{ start, end int }

// nesting finds fences within an outer one, which has another mark or a longer one.
type nesting struct {
	outer fenceLine // that is open; its size is 0 if none is
	inner int       // where the first fence within it begins; -1: there is none
}

// add reads the next fence, and adds what stands within an outer fence that it closes.
func (n *nesting) add(to []span, f fenceLine, start int, object bool) []span {
	same := f.mark == n.outer.mark && f.size >= n.outer.size
	switch {
	case same && f.language == "" && !object: // it closes the outer one
		if n.inner >= 0 {
			to = append(to, span{n.inner, start})
		}
		*n = nesting{}
	case same || n.outer.size == 0: // another one opens
		n.outer, n.inner = f, -1
	case n.inner < 0:
		n.inner = start
	}
	return to
}

// parseFence reads a line as a fence. Its content is what follows a bracket on the line.
func parseFence(line string) (fenceLine, bool) {
	rest := strings.TrimLeftFunc(line, unicode.IsSpace)
	for _, mark := range []string{"`", "~"} {
		if !strings.HasPrefix(rest, mark+mark+mark) {
			continue
		}
		info := strings.TrimLeft(rest, mark)
		size := len(rest) - len(info)
		content := len(line)
		if n := strings.IndexAny(info, "{["); n >= 0 {
			content = len(line) - len(info) + n
			info = info[:n]
		}
		language := strings.ToLower(strings.TrimSpace(info))
		return fenceLine{content: content, mark: mark, size: size, language: language}, !strings.Contains(info, mark)
	}
	return fenceLine{}, false
}

// growingFence finds a last line that may become the fence of a block.
func growingFence(text string) (start int, ok bool) {
	start = strings.LastIndexByte(text, '\n') + 1
	line := strings.TrimLeftFunc(text[start:], unicode.IsSpace)
	return start, line == "`" || line == "``" || line == "~" || line == "~~"
}

const (
	maxBuffered = 16 << 10 // no structured part is longer
	minObject   = 256      // from this length on an open object is read again only where it may end
	streamWork  = 64 << 10 // see ProseStream.work
	maxFence    = 64       // of the line that opens a code block
)

// ProseStream passes on a statement while it streams, without its structured parts. It
// holds text back as long as that may become one, and until the bytes that came since pay
// for reading it again. The zero value is ready to use.
type ProseStream struct {
	buffer []byte // held back
	fence  string // line that opens the code block in which the buffer begins; "" outside code
	inLine bool   // the buffer begins within a line
	open   bool   // the buffer is an object that has not ended
	work   int    // how many bytes were looked at, less workFactor for each that came
}

// Write adds a piece of text and returns what can be shown now.
func (p *ProseStream) Write(piece string) string {
	p.buffer = append(p.buffer, piece...)
	p.work -= workFactor * len(piece)
	if p.open && len(p.buffer) >= minObject && len(p.buffer) < maxBuffered && !strings.ContainsAny(piece, "}]`~\n") ||
		p.work+len(p.buffer) > streamWork && len(p.buffer) < maxBuffered {
		return ""
	}
	before := p.fence
	if p.inLine {
		before += "."
	}
	text := before + string(p.buffer)
	budget := min(workFor(text), max(streamWork-p.work, len(text)))
	f := findBlocks(text, statementMembers, budget)
	p.work += budget - f.work
	end := f.decided()
	if len(text)-len(before) > maxBuffered {
		end = len(text)
	}
	end = max(end, len(before))
	var shown strings.Builder
	from := len(before)
	for _, b := range f.blocks {
		if b.end <= end && b.start >= from {
			shown.WriteString(text[from:b.start])
			from = b.end
		}
	}
	shown.WriteString(text[from:end])
	p.buffer, p.open = append(p.buffer[:0], text[end:]...), end == f.pending
	p.inLine = end > len(p.fence) && text[end-1] != '\n'
	p.fence = f.openFence(end)
	return shown.String()
}

// Peek returns what Write would return for a piece, without adding it. While much is
// held back it returns "".
func (p *ProseStream) Peek(piece string) string {
	if piece == "" || bytes.IndexByte(p.buffer, '\n') >= 0 {
		return ""
	}
	copied := *p
	copied.buffer = bytes.Clone(p.buffer)
	return copied.Write(piece)
}

// decided returns up to where a growing text is certain: its end cannot become a block or
// a fence, and a block at its end is not yet followed by prose.
func (f *blockFinder) decided() int {
	end := f.pending
	for _, b := range slices.Backward(f.blocks) {
		if b.end <= end && !isBlank(f.text[b.end:end]) {
			break
		}
		end = min(end, b.start)
	}
	line := strings.LastIndexByte(f.text, '\n') + 1
	if _, ok := parseFence(f.text[line:]); ok {
		end = min(end, line)
	}
	return end
}

// openFence returns the line that opens the code block in which an offset is.
func (f *blockFinder) openFence(at int) string {
	for i := len(f.fences) - 1; i >= 0; i-- {
		if fence := f.fences[i]; fence.start < at {
			if !fence.opens {
				return ""
			}
			line, _, _ := strings.Cut(f.text[fence.start:min(fence.content, fence.start+maxFence)], "\n")
			return line + "\n"
		}
	}
	return ""
}
