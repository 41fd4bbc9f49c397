package statement

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/internal/text"
)

// HideStructuredPart returns the prose of a text that may be cut off: without its
// structured parts, and without an object or a fence that is open at its end.
func HideStructuredPart(text string) string {
	f := findBlocks(text, statementMembers)
	return strings.TrimSpace(strings.TrimSuffix(string(f.prose), strings.TrimSpace(f.text[f.open:])))
}

// LastObject returns the members of the last JSON object in a model's answer that has
// one of the names, by their names in lower case. It accepts what Parse does.
func LastObject(answer string, names ...string) (map[string]json.RawMessage, bool) {
	f := findBlocks(answer, names)
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
	truncated  bool   // the text ends before it does
	cutMember  string // name of the member in which it ends
	listCut    bool   // which is a list whose complete entries are read
}

// note says what of a block could not be read as it is; "" for nothing.
func (b jsonBlock) note() string {
	switch {
	case b.listCut:
		return "its list of " + b.cutMember + " is incomplete"
	case b.cutMember != "":
		return "its summary is readable up to " + strconv.Quote(text.Head(b.cutMember, maxQuotedLength))
	case b.truncated:
		return "its summary was cut off"
	case b.repaired:
		return "its summary was repaired"
	}
	return ""
}

// counts reports whether a block is the structured part. Code of another language needs two of the names.
func (b jsonBlock) counts() bool { return b.known > 1 || (b.last || b.fenced) && !b.foreign }

// finder finds the objects of a text that count, and the prose around them. Those count
// that have two of the names, or one if they are fenced or last. It continues where it
// stopped once the text has grown.
type finder struct {
	text   string
	names  []string // of members that count
	grows  bool     // what may become a block is left for later
	work   int      // how many bytes may still be looked at, see workFor
	fences fences
	at     int         // up to where objects were looked for
	open   int         // where the first object or fence begins that has not ended
	blocks []jsonBlock // in their order
	done   int         // how many of them are left out of the prose
	end    int         // of the last one
	prose  []byte      // of the text before from
	from   int
	gap    bool // a block stands behind the prose
}

// A text is looked at workFactor times and minWork bytes more, until no further
// object is read in it. Every loop over a text counts its bytes in finder.work.
const (
	workFactor   = 7
	minWork      = 128 << 10 // enough to repair the longest block, see maxBuffered
	outerPasses  = 2         // over a text: for its fences, and for its prose
	decodePasses = 2         // over an object: to check its JSON, and to read its members
)

func workFor(text string) int { return workFactor*len(text) + minWork }

// findBlocks finds the objects of a whole text.
func findBlocks(text string, names []string) *finder {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	f := &finder{text: text, names: names, work: workFor(text)}
	f.fences.read(text, false)
	f.find(len(text))
	f.markQuoted()
	return f
}

// find reads to an offset, or to what may become a block.
func (f *finder) find(end int) {
	f.work -= outerPasses * (len(f.text) - f.from)
	f.open = len(f.text)
	known := f.text[:end]
	for f.at < end && f.work >= 0 {
		n := strings.IndexByte(f.text[f.at:end], '{')
		if n < 0 {
			f.work -= end - f.at
			f.at = end
			break
		}
		f.work -= n + 1
		f.at += n
		next, start := f.read(f.at, end)
		if next < 0 {
			end = start
			break
		}
		f.at = next
	}
	last, _ := f.fences.around(len(f.text))
	if last.opens && last.start >= f.end && isBlank(known[min(last.content, len(known)):]) {
		f.open = min(f.open, last.start)
		if last.language == "json" && !f.grows {
			f.blocks = append(f.blocks, jsonBlock{start: last.start, end: len(f.text), fenced: true, truncated: true})
		}
	}
	if f.grows {
		end = max(min(end, f.at, f.open), f.end)
	}
	f.settle(end)
}

// settle adds the text before an offset to the prose, without the blocks that count. The
// blocks right before it are the last ones; while the text grows they are left for later.
func (f *finder) settle(end int) {
	n := len(f.blocks)
	for start := end; n > f.done && isBlank(f.text[f.blocks[n-1].end:start]); n-- {
		start = f.blocks[n-1].start
		f.blocks[n-1].last = !f.grows
		if f.grows {
			end = start
		}
	}
	if !f.grows {
		n = len(f.blocks)
	}
	later := f.blocks[n:]
	f.blocks = slices.DeleteFunc(f.blocks[:n], func(b jsonBlock) bool { return !b.counts() })
	for _, b := range f.blocks[f.done:] {
		f.addProse(b.start)
		f.from, f.gap = max(f.from, b.end), true
	}
	f.done = len(f.blocks)
	f.blocks = append(f.blocks, later...)
	f.addProse(end)
}

// addProse adds the text before an offset. The parts around a block become paragraphs.
func (f *finder) addProse(end int) {
	if end <= f.from {
		return
	}
	part := f.text[f.from:end]
	f.from = end
	if f.gap {
		if part = strings.TrimLeftFunc(part, unicode.IsSpace); part == "" {
			return
		}
		if f.prose = bytes.TrimRightFunc(f.prose, unicode.IsSpace); len(f.prose) > 0 {
			part = "\n\n" + part
		}
		f.gap = false
	}
	f.prose = append(f.prose, part...)
}

// chosen returns the index of the block that is read: the last one with one of the names,
// or of the last block if none has. What stands in a quotation is not it if there is
// another, nor what prose has after a fenced block.
func (f *finder) chosen() int {
	chosen, best := len(f.blocks)-1, 0
	for i, b := range f.blocks {
		rank := 1
		if b.fenced || b.last {
			rank++
		}
		if !b.quoted {
			rank += 2
		}
		if countNames(b.members, f.names) > 0 && rank >= best {
			chosen, best = i, rank
		}
	}
	return chosen
}

// markQuoted marks blocks on lines that begin with ">", in a fence that holds other text before them, or in
// quotation marks.
func (f *finder) markQuoted() {
	for i := range f.blocks {
		b := &f.blocks[i]
		line := strings.LastIndexByte(f.text[:b.start], '\n') + 1
		if f.work -= b.start - line; f.work < 0 {
			return
		}
		fence, closing := f.fences.around(b.start)
		nested := !b.fenced && fence.opens && closing.size > 0 && !closing.opens
		b.quoted = nested || strings.HasPrefix(strings.TrimLeft(f.text[line:], " \t"), ">") || f.inQuotationMarks(*b)
	}
}

// markShown marks the blocks that repeat a text the speaker was shown, whose lines may be numbered.
func (f *finder) markShown(shown []string) {
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

func (f *finder) inQuotationMarks(b jsonBlock) bool {
	before := strings.TrimRightFunc(f.text[max(0, b.start-maxQuotationSpace):b.start], unicode.IsSpace)
	behind := strings.TrimLeftFunc(f.text[b.end:min(len(f.text), b.end+maxQuotationSpace)], unicode.IsSpace)
	opening, _ := utf8.DecodeLastRuneInString(before)
	closing, _ := utf8.DecodeRuneInString(behind)
	return strings.ContainsRune(quotationMarks, opening) && strings.ContainsRune(quotationMarks, closing)
}

// isBlank looks no further than the first character that is no space, unlike strings.TrimSpace.
func isBlank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}

// read reads the object at an offset, if any, and returns the offset to continue at; -1
// if that depends on what follows the end, and where the block then begins.
func (f *finder) read(at, end int) (next, start int) {
	fence, closing := f.fences.around(at)
	if closing.size > 0 {
		end = min(end, closing.start)
	}
	s := &jsonScanner{text: f.text[:end], from: at, at: at, work: &f.work, names: f.names}
	b := jsonBlock{start: at}
	if fence.opens && fence.start >= f.end && s.skipSpace(fence.content) == at {
		b.start, b.fenced, b.foreign = fence.start, true, fence.language != "" && !strings.HasPrefix(fence.language, "json")
		s.closed = closing.size > 0
	}
	cutOff, ok := s.scan()
	if !ok {
		return at + 1, at
	}
	b.end, b.truncated = s.at, cutOff && !s.closed // a fence ends what is closed
	if b.truncated && closing.size == 0 {
		f.open = min(f.open, b.start)
	}
	if f.grows && closing.size == 0 && (b.truncated || s.named > 0 && strings.Trim(f.text[b.end:end], "}], \t\r\n`~") == "") {
		return -1, b.start
	}
	unfinished := b.truncated && b.fenced && closing.size == 0 && (fence.language == "json" || fence.language == "")
	if s.named > 0 && f.decode(&b, s) || unfinished {
		f.closeFence(&b, fence, closing)
		f.blocks, f.end = append(f.blocks, b), b.end
		return b.end, b.start
	}
	if cutOff {
		return at + 1, at
	}
	return b.end, at
}

// closeFence extends a block by the fence that closes it, even an incomplete one, with the
// brackets too many before that.
func (f *finder) closeFence(b *jsonBlock, opening, next fenceLine) {
	rest := strings.TrimLeft(f.text[b.end:], "}], \t\r\n")
	at := len(f.text) - len(rest)
	f.work -= at - b.end
	if b.fenced && (!next.opens || at < next.start) {
		if n := len(rest) - len(strings.TrimLeft(rest, opening.mark)); n >= 3 || n == len(rest) {
			b.end = at + n
		}
	}
}

// decode reads the members of what was scanned; false if none counts.
func (f *finder) decode(b *jsonBlock, s *jsonScanner) bool {
	raw := f.text[s.from:s.at]
	if f.work < decodePasses*len(raw) {
		return false
	}
	f.work -= decodePasses * len(raw)
	inEntry := len(s.levels) > 2
	b.cutMember = s.cutMember()
	if !json.Valid([]byte(raw)) {
		raw, b.repaired = s.repaired(), true
		f.work -= len(raw)
	}
	b.members = readMembers([]byte(raw))
	if b.known = countNames(b.members, f.names); b.known == 0 {
		return false
	}
	name := strings.ToLower(b.cutMember)
	if b.listCut = slices.Contains(listMembers, name); b.listCut {
		b.members[name] = completeEntries(b.members[name], inEntry)
	} else {
		delete(b.members, name)
	}
	return true
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

// readMembers returns the members of an object by their names in lower case; of two that
// differ in case, the one in lower case. It is nil for other values.
func readMembers(raw json.RawMessage) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil || all == nil {
		return nil
	}
	out := make(map[string]json.RawMessage, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out[strings.ToLower(strings.TrimSpace(name))] = all[name]
	}
	return out
}
