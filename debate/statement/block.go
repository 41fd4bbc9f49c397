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
	var p ProseStream
	return strings.TrimSpace(p.Write(text + "\n"))
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
	quoted     bool // it is in a quotation, see markQuoted
	repaired   bool
	truncated  bool   // the text ends before it does
	cutMember  string // name of the member in which it ends
	listCut    bool   // which is a list whose complete entries are read
}

// note says what of the block was repaired or could not be read; "" if nothing was.
func (b jsonBlock) note() string {
	switch {
	case b.listCut:
		return "its list of " + b.cutMember + " is incomplete"
	case b.cutMember != "":
		return "its JSON block was cut off at " + strconv.Quote(text.Head(b.cutMember, maxQuotedLength))
	case b.truncated:
		return "its JSON block was cut off"
	case b.repaired:
		return "its JSON block was repaired"
	}
	return ""
}

// counts reports whether a block is the structured part of a statement. In a fence of
// another language it is only with two of the names: it may be a style sheet.
func (b jsonBlock) counts() bool { return b.known > 1 || (b.last || b.fenced) && !b.foreign }

// finder finds the objects of a text that count, and the prose around them. Those count
// that have two of the names, or one if they are fenced or last. It continues where it
// stopped once the text has grown.
type finder struct {
	text   string
	names  []string // of members that count
	grows  bool     // what may become a block is left for later
	inside bool     // the text ends within an object
	work   int      // how many bytes may still be looked at
	fences fences
	at     int         // up to where objects were looked for
	blocks []jsonBlock // in their order
	done   int         // how many of them are left out of the prose
	end    int         // of the last object with a known name
	prose  []byte      // of the text before from
	from   int
	gap    bool // a block is between the prose and from
}

// A text is looked at workFactor times and minWork bytes more, until no further
// object is read in it. Every loop over a text counts its bytes in finder.work.
const (
	workFactor   = 6
	minWork      = 128 << 10 // enough to repair the longest block, see maxBuffered
	decodePasses = 2         // over an object: to check its JSON, and to read its members
)

// findBlocks finds the objects of a whole text.
func findBlocks(text string, names []string) *finder {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	f := &finder{text: text, names: names, work: workFactor*len(text) + minWork}
	f.find(len(text))
	f.markQuoted()
	return f
}

// find reads to an offset, or to what may become a block.
func (f *finder) find(end int) {
	f.inside = false
	for f.at < end && f.work >= 0 {
		n := strings.IndexAny(f.text[f.at:end], "{[")
		if n < 0 {
			f.work -= end - f.at
			f.at = end
			break
		}
		f.work -= n + 1
		f.at += n
		if start, ended := f.read(end); !ended {
			f.settle(start)
			return
		}
	}
	if f.grows {
		end = f.at
	}
	f.passFences(end)
	start, language, open := f.opening(end)
	switch {
	case open && f.grows:
		end = start
	case open && language == "json":
		f.blocks = append(f.blocks, jsonBlock{start: start, end: end, fenced: true, truncated: true})
	}
	f.settle(end)
}

// read reads the object at f.at, if any, and moves on. While the text grows it does not
// if what follows the end may belong to the object, and returns where that begins.
func (f *finder) read(end int) (start int, ended bool) {
	at := f.at
	f.passFences(at)
	next := f.fences.next
	if next.size > 0 {
		end = min(end, next.start)
	}
	f.at++
	if f.text[at] == '[' {
		inner := strings.TrimLeft(f.text[at+1:end], " \t\r\n")
		f.work -= end - at - len(inner)
		if inner != "" && inner[0] != '{' {
			return at, true
		}
	}
	s := &jsonScanner{text: f.text[:end], from: at, at: at, closed: next.size > 0, work: &f.work, names: f.names}
	cutOff, ok := s.scan()
	if !ok {
		return at, true
	}
	b := jsonBlock{end: s.at, truncated: cutOff}
	var language string
	b.start, language, b.fenced = f.opening(at)
	b.foreign = language != "" && !strings.HasPrefix(language, "json")
	if f.grows && !s.closed && (cutOff || s.named > 0 && f.skip(b.end, "}], \t\r\n`~") >= end) {
		f.at, f.inside = at, cutOff
		return b.start, false
	}
	unfinished := cutOff && b.fenced && !s.closed && (language == "json" || language == "" && f.text[at] == '{')
	if s.named > 0 && f.decode(&b, s) || unfinished {
		if b.fenced {
			f.closeFence(&b, next)
		}
		f.blocks, f.end = append(f.blocks, b), b.end
	} else if cutOff {
		return at, true
	}
	f.at = b.end
	return at, true
}

// skip returns the offset of the first other character.
func (f *finder) skip(at int, characters string) int {
	end := len(f.text) - len(strings.TrimLeft(f.text[at:], characters))
	f.work -= end - at
	return end
}

// closeFence extends a block by the fence that closes it, even an incomplete one, with the
// brackets too many before that.
func (f *finder) closeFence(b *jsonBlock, next fenceLine) {
	at := f.skip(b.end, "}], \t\r\n")
	end := f.skip(at, "`~")
	if another := next.size > 0 && !next.plain && at >= next.start; !another && (end-at >= 3 || end == len(f.text)) {
		b.end = end
	}
}

// decode reads the members of what was scanned. It returns false if it has none that
// count.
func (f *finder) decode(b *jsonBlock, s *jsonScanner) bool {
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
	f.work -= depth * len(raw)
	b.members, b.known = members, countNames(members, f.names)
	if len(s.cut) > depth {
		b.cutMember = s.cut[depth]
		name := strings.ToLower(b.cutMember)
		if b.listCut = slices.Contains(listMembers, name); b.listCut {
			b.members[name] = completeEntries(b.members[name], len(s.cut) > depth+2)
		} else {
			delete(b.members, name)
		}
	}
	b.truncated = b.truncated && !(s.closed && b.cutMember == "")
	return b.known > 0
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
	f.work -= len(part)
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
// or of the last block if none has. What is in a quotation is not it if there is another,
// nor what prose has after a fenced block.
func (f *finder) chosen() int {
	chosen, highest := len(f.blocks)-1, 0
	for i, b := range f.blocks {
		rank := 1
		if b.fenced || b.last {
			rank = 2
		}
		if !b.quoted {
			rank += 2
		}
		if rank >= highest && countNames(b.members, f.names) > 0 {
			chosen, highest = i, rank
		}
	}
	return chosen
}

// markQuoted marks the blocks on lines that begin with ">", and those in quotation marks.
func (f *finder) markQuoted() {
	looked, quotes := 0, false
	for i, b := range f.blocks {
		before := f.text[looked:b.start]
		f.work -= len(before)
		if n := strings.LastIndexByte(before, '\n'); n >= 0 || i == 0 {
			quotes = strings.HasPrefix(f.text[f.skip(looked+n+1, " \t"):], ">")
		}
		looked = b.start
		f.blocks[i].quoted = b.quoted || quotes || f.inQuotationMarks(b)
	}
}

// markShown marks the blocks that repeat one of the texts that the speaker was shown,
// whose lines may be numbered.
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

// inQuotationMarks reports whether quotation marks stand around a block.
func (f *finder) inQuotationMarks(b jsonBlock) bool {
	before := strings.TrimRightFunc(f.text[max(0, b.start-maxQuotationSpace):b.start], unicode.IsSpace)
	behind := strings.TrimLeftFunc(f.text[b.end:min(len(f.text), b.end+maxQuotationSpace)], unicode.IsSpace)
	opening, _ := utf8.DecodeLastRuneInString(before)
	closing, _ := utf8.DecodeRuneInString(behind)
	return strings.ContainsRune(quotationMarks, opening) && strings.ContainsRune(quotationMarks, closing)
}

// isBlank reports whether a text has white space alone. Unlike strings.TrimSpace it looks
// no further than the first other character.
func isBlank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}

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
