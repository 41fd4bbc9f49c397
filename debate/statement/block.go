package statement

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/internal/text"
)

// HideStructuredPart returns the prose of a text that may be cut off, without what is open at its end.
func HideStructuredPart(text string) string {
	f := findBlocks(text, statementMembers, workFor(text)).bare()
	return strings.TrimSpace(f.text[:f.open])
}

// LastObject returns the members of the last JSON object with one of the names, by names in lower case.
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
	fence      fenceLine                  // that opens it; its size is 0 for none
	last       bool                       // nothing follows
	quoted     bool                       // it stands in a quotation
	repaired   bool
	truncated  bool   // the text ends before it does
	closed     bool   // a fence ends it
	cutMember  string // name of the member in which it ends
	listCut    bool   // which is a list whose complete entries are read
}

func (b jsonBlock) notes() []string {
	name := strconv.Quote(text.Head(b.cutMember, maxQuotedLength))
	switch {
	case b.listCut:
		return []string{"its list of " + b.cutMember + " is incomplete"}
	case b.truncated && b.cutMember != "":
		return []string{"its summary was cut off at " + name}
	case b.truncated && !b.closed:
		return []string{"its summary was cut off"}
	case b.repaired:
		return []string{"its summary was repaired"}
	}
	return nil
}

// finder finds the blocks of a text, and the prose around them. An object is a block if it
// has two of the names, or one if it is fenced as JSON or nothing follows.
type finder struct {
	text   string
	names  []string // of members that count
	grows  bool     // the text may go on, so that it ends where that may change what is found
	work   int      // how many bytes may still be looked at, see workFor
	open   int      // where the first object or fence begins that has not ended
	blocks []jsonBlock
	broken bool // a fenced block could not be read
}

// A text is looked at workFactor times and minWork bytes more, until no further
// object is read in it. Every loop over a text counts its bytes in finder.work.
const (
	workFactor = 7
	minWork    = 128 << 10 // enough to repair the longest block, see maxHeld
)

func workFor(text string) int { return workFactor*len(text) + minWork }

func findBlocks(text string, names []string, work int) *finder {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	f := &finder{text: text, names: names, work: work}
	f.find()
	f.markQuoted()
	return f
}

// bare returns what is found once no blocks are left: the parts around a block may make another one.
func (f *finder) bare() *finder {
	for len(f.blocks) > 0 {
		f = findBlocks(f.prose(), f.names, f.work)
	}
	return f
}

func (f *finder) prose() string {
	var parts []string
	at := 0
	for _, b := range append(slices.Clip(f.blocks), jsonBlock{start: len(f.text)}) {
		if part := strings.TrimSpace(f.text[at:b.start]); part != "" {
			parts = append(parts, part)
		}
		at = b.end
	}
	return strings.Join(parts, "\n\n")
}

func (f *finder) find() {
	f.open = len(f.text)
	for at := 0; at < len(f.text) && f.work >= 0 && !(f.grows && f.open < len(f.text)); {
		n := strings.IndexByte(f.text[at:], '{')
		if n < 0 {
			f.work -= len(f.text) - at
			break
		}
		f.work -= n + 1
		at = f.read(at + n)
	}
	if f.open < len(f.text) {
		return
	}
	tail := strings.TrimRight(f.text, " \t\r\n")
	f.work -= len(f.text) - len(tail)
	last := tail[max(0, len(tail)-maxFenceLine):]
	last = last[strings.LastIndexByte(last, '\n')+1:]
	end := 0
	if n := len(f.blocks); n > 0 {
		end = f.blocks[n-1].end
	}
	switch fence := fenceBefore(f.text, len(f.text)); {
	case f.grows && (fence.size > 0 || strings.Trim(last, "`~ \t") == ""):
		f.open = max(len(tail)-len(last), end)
	case fence.language == "json" && fence.start >= end:
		f.open = fence.start
		f.blocks = append(f.blocks, jsonBlock{start: f.open, end: len(f.text), fence: fence, truncated: true})
	}
}

// read reads the object at an offset, if any, and returns the offset to go on at.
func (f *finder) read(at int) (next int) {
	b := jsonBlock{start: at, fence: fenceBefore(f.text, at)}
	if n := len(f.blocks); n > 0 && b.fence.start < f.blocks[n-1].end {
		b.fence = fenceLine{}
	}
	s := &scanner{text: f.text, at: at, work: &f.work, names: f.names}
	if b.fence.size > 0 {
		b.start = b.fence.start
		n := strings.Index(f.text[at:], "\n"+strings.Repeat(b.fence.mark, 3))
		if s.closed = n >= 0; s.closed {
			s.text = f.text[:at+n]
		}
		f.work -= len(s.text) - at
	}
	cutOff, ok := s.scan()
	if !ok {
		f.broken = f.broken || b.fence.language == "json"
		return at + 1
	}
	b.end, b.truncated, b.closed = s.at, cutOff, cutOff && s.closed
	open := cutOff && !s.closed
	if open {
		f.open = min(f.open, b.start)
	}
	if !(s.named && f.decode(&b, s, at)) && !(open && b.fence.language == "json") {
		if cutOff || s.named { // of an object in it
			return at + 1
		}
		return b.end
	}
	f.closeFence(&b, at)
	switch {
	case f.grows && (open || b.last):
		f.open = min(f.open, b.start)
	case b.known == 1 && (b.isForeign() || b.fence.size == 0 && !b.last):
	default:
		f.blocks = append(f.blocks, b)
	}
	return b.end
}

// closeFence extends a block by the fence that closes it, even an incomplete one, with the
// brackets too many before that. A fence that names no language and that none closes has
// closed what was before the block.
func (f *finder) closeFence(b *jsonBlock, at int) {
	rest := strings.TrimLeft(f.text[b.end:], "}], \t\r\n")
	f.work -= len(f.text) - b.end - len(rest)
	behind := strings.TrimLeft(rest, "`~")
	n := len(rest) - len(behind)
	ends := strings.TrimLeft(behind, " \t")
	switch {
	case b.fence.size == 0:
	case n == len(rest) || n >= 3 && (ends == "" || strings.IndexByte("\r\n", ends[0]) >= 0):
		b.end, rest = len(f.text)-len(behind), behind
	case b.fence.language == "":
		b.start, b.fence = at, fenceLine{}
	}
	b.last = strings.TrimSpace(rest) == ""
}

func (b jsonBlock) isForeign() bool {
	return b.fence.language != "" && !strings.HasPrefix(b.fence.language, "json")
}

// decode reads the members of what was scanned; false if none counts.
func (f *finder) decode(b *jsonBlock, s *scanner, from int) bool {
	raw := s.text[from:s.at]
	f.work -= 2 * len(raw) // to check its JSON, and to read its members
	if f.work < 0 {
		return false
	}
	if b.truncated || !json.Valid([]byte(raw)) {
		raw, b.repaired = s.repaired(), true
		f.work -= len(raw)
	}
	b.members = readMembers([]byte(raw))
	if b.known = countNames(b.members, f.names); len(s.cut) > 0 {
		b.cutMember = s.cut[0]
		name := strings.ToLower(b.cutMember)
		if b.listCut = slices.Contains(listMembers, name); b.listCut {
			b.members[name] = completeEntries(b.members[name], len(s.cut) > 2)
		} else {
			delete(b.members, name)
		}
	}
	return b.known > 0
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

// readMembers returns the members of an object by their names in lower case; nil for other values.
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

// fenceLine is a line that begins with three or more backticks or tildes.
type fenceLine struct {
	start    int
	mark     string // "`" or "~"
	size     int    // how often the mark is repeated; 0 for no fence
	language string
}

const maxFenceLine = 64

// fenceBefore returns the fence in the line before an offset, but for white space.
func fenceBefore(text string, at int) fenceLine {
	from := max(0, at-maxFenceLine)
	head := strings.TrimRight(text[from:at], " \t\r\n")
	line := strings.LastIndexByte(head, '\n') + 1
	if line == 0 && from > 0 {
		return fenceLine{}
	}
	f := parseFence(head[line:])
	f.start = from + line
	return f
}

// parseFence reads a line as a fence, up to an object that begins in it.
func parseFence(line string) fenceLine {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
		return fenceLine{}
	}
	info := strings.TrimLeft(line, line[:1])
	if strings.Contains(info, line[:1]) {
		return fenceLine{}
	}
	return fenceLine{mark: line[:1], size: len(line) - len(info), language: strings.ToLower(strings.TrimSpace(info))}
}

// chosen returns the index of the block that is read: the last one with one of the names,
// or the last block if none has. What stands in a quotation is not it if there is another,
// nor what prose has after a fenced block.
func (f *finder) chosen() int {
	pick := -1
	for i, b := range f.blocks {
		if countNames(b.members, f.names) == 0 {
			continue
		}
		if pick < 0 || f.blocks[pick].quoted && !b.quoted ||
			f.blocks[pick].quoted == b.quoted && (b.fence.size > 0 || b.last || f.blocks[pick].fence.size == 0) {
			pick = i
		}
	}
	if pick < 0 {
		return len(f.blocks) - 1
	}
	return pick
}

// markQuoted marks blocks on lines that begin with ">", in a nested fence, or in quotation marks.
func (f *finder) markQuoted() {
	if len(f.blocks) < 2 {
		return
	}
	f.work -= len(f.text)
	left := f.blocks
	var outer fenceLine // that is open
	at := 0
	for line := range strings.Lines(f.text) {
		at += len(line)
		for ; len(left) > 0 && left[0].start < at; left = left[1:] {
			b := &left[0]
			b.quoted = strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") || f.inQuotationMarks(*b) ||
				b.fence.size > 0 && outer.size > 0 && (outer.mark != b.fence.mark || outer.size > b.fence.size)
		}
		head, _, object := strings.Cut(line, "{")
		switch fence := parseFence(head); {
		case fence.size == 0 || outer.size > 0 && (fence.mark != outer.mark || fence.size < outer.size):
		case outer.size > 0 && fence.language == "" && !object:
			outer = fenceLine{}
		default:
			outer = fence
		}
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
