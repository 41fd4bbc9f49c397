package debate

import (
	"slices"
	"strconv"
	"strings"
)

// DiffLine is a line of a diff: a unified or a context diff, as diff and git write them, or a
// combined one.
type DiffLine struct {
	Op      DiffOp
	Section int    // of lines on one file, counted from 1
	File    string // that it belongs to: its new name, or the old one if it was removed
	OldFile string // its name before, if that was another one
	Line    int    // in the new file, and of removed lines in the old one; 0 outside of hunks
	Signs   int    // bytes before the text of the line, of lines with a number
}

// DiffOp is what a line of a diff says.
type DiffOp byte

// What lines of a diff say. The zero value is what is no part of a hunk.
const (
	DiffOther   DiffOp = 0
	DiffFile    DiffOp = 'f' // the first line on a file
	DiffHunk    DiffOp = '@' // the first line of a hunk
	DiffContext DiffOp = ' '
	DiffAdded   DiffOp = '+'
	DiffRemoved DiffOp = '-'
	DiffMeta    DiffOp = 'm' // a change of a name or a mode
	DiffUnshown DiffOp = 'u' // a change that the diff does not show
	DiffLeft    DiffOp = 'l' // that the file does not count
)

// What lines begin with that our own diffs have after the first one on a file.
const (
	DiffNotShown   = "shown to no seat: "
	DiffNotCounted = "not counted: "
)

// Changes reports whether the line says what has changed.
func (l DiffLine) Changes() bool {
	return l.Op == DiffAdded || l.Op == DiffRemoved || l.Op == DiffMeta || l.Op == DiffUnshown
}

// Path returns the name of the file that has the line: of a removed line the old one.
func (l DiffLine) Path() string {
	if l.Op == DiffRemoved && l.OldFile != "" {
		return l.OldFile
	}
	return l.File
}

// DiffPlace returns the lines of a file that lines of a diff are: those of the new file, or
// those of the old one if all of them were removed. Of lines of several files they are those
// of the first. The place has no line if no line is part of a hunk.
func DiffPlace(lines []DiffLine) (at CodePlace) {
	section := 0
	kept := slices.ContainsFunc(lines, func(l DiffLine) bool { return l.Line > 0 && l.Op != DiffRemoved })
	for _, l := range lines {
		if l.Line == 0 || kept == (l.Op == DiffRemoved) {
			continue
		}
		if at.Line == 0 {
			section, at.File, at.Line, at.Old = l.Section, l.Path(), l.Line, !kept
		}
		if l.Section == section {
			at.End = l.Line
		}
	}
	return at
}

// ParseDiff returns what the lines of a diff say, one for each line of the text. The counts
// of a hunk say where it ends, so that a removed line "-- x" is not taken for a header.
func ParseDiff(text string) []DiffLine {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	p := diffParser{out: make([]DiffLine, len(lines))}
	for i, line := range lines {
		if p.inHunk(i, line) || p.inPart(i, line) {
			continue
		}
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		p.header(i, line, next)
	}
	p.name()
	return p.out
}

type diffParser struct {
	out     []DiffLine
	headers []int // lines outside of hunks that still lack the names of their file
	section int
	names   diffNames
	old     []diffCount
	new     diffCount
	part    byte // of a context diff: DiffRemoved or DiffAdded
}

// diffCount is the next line of one file, and how many lines of it a hunk still has.
type diffCount struct{ next, left int }

func (c *diffCount) take() int {
	c.next, c.left = c.next+1, c.left-1
	return c.next - 1
}

// inHunk reads a line of a hunk. A combined diff has a column for each of the old files.
func (p *diffParser) inHunk(i int, line string) bool {
	more := p.new.left > 0
	for _, c := range p.old {
		more = more || c.left > 0
	}
	if !more || p.part != 0 {
		return false
	}
	signs := line + strings.Repeat(" ", len(p.old)) // some programs take the blanks off an empty line
	signs = signs[:len(p.old)]
	l := p.line(DiffContext)
	l.Signs = len(p.old)
	switch {
	case line != "" && line[0] == '\\': // the file has no newline at its end
		p.out[i] = p.line(DiffOther)
		return true
	case strings.Trim(signs, " +-") != "": // the counts are wrong
		p.new, p.old = diffCount{}, nil
		return false
	case strings.Contains(signs, "-"):
		l.Op = DiffRemoved
	case strings.Contains(signs, "+"):
		l.Op = DiffAdded
	}
	has := byte(' ')
	if l.Op == DiffRemoved {
		has = '-'
	} else {
		l.Line = p.new.take()
	}
	for j := range p.old {
		if signs[j] != has {
			continue
		}
		if n := p.old[j].take(); l.Line == 0 {
			l.Line = n
		}
	}
	p.out[i] = l
	return true
}

// inPart reads a line of a context diff, which shows the old lines and then the new ones.
func (p *diffParser) inPart(i int, line string) bool {
	count := &p.new
	if p.part == byte(DiffRemoved) && len(p.old) > 0 {
		count = &p.old[0]
	}
	if p.part == 0 || count.left < 1 || len(line) < 2 || line[1] != ' ' || !strings.Contains(" !+-", line[:1]) {
		return false
	}
	l := p.line(DiffOp(p.part))
	l.Line, l.Signs = count.take(), 2
	if line[0] == ' ' {
		l.Op = DiffContext
		if p.part == byte(DiffRemoved) {
			l = p.line(DiffOther)
		}
	}
	p.out[i] = l
	return true
}

func (p *diffParser) line(op DiffOp) DiffLine {
	file, old := p.names.resolve()
	return DiffLine{Op: op, Section: p.section, File: file, OldFile: old}
}

func (p *diffParser) header(i int, line, next string) {
	word, rest, _ := strings.Cut(line, " ")
	first := i > 0 && p.out[i-1].Op == DiffFile
	switch {
	case word == "diff" || word == "Index:":
		p.begin(i)
		p.names.begin(rest)
	case strings.HasPrefix(line, "***************"):
		p.part = 0
		p.mark(i, DiffHunk)
		return
	case word == "***" && strings.HasSuffix(line, " ****"):
		p.beginPart(DiffRemoved, strings.TrimSuffix(rest, " ****"))
	case word == "---" && strings.HasSuffix(line, " ----"):
		p.beginPart(DiffAdded, strings.TrimSuffix(rest, " ----"))
	case word == "---" && strings.HasPrefix(next, "+++ ") || word == "***" && strings.HasPrefix(next, "--- "):
		if len(p.headers) == 0 || p.names.minus != "" {
			p.begin(i)
		}
		p.names.minus = fileName(rest)
	case (word == "+++" || word == "---") && p.names.minus != "" && p.names.plus == "":
		p.names.plus = fileName(rest)
	case first && strings.HasPrefix(line, DiffNotCounted):
		p.out[i].Op = DiffLeft
	case strings.HasPrefix(word, "@@"):
		if p.hunk(strings.Fields(line), len(word)-1) {
			p.mark(i, DiffHunk)
			return
		}
	default:
		p.extended(i, line, rest, first)
	}
	p.headers = append(p.headers, i)
}

func (p *diffParser) extended(i int, line, rest string, first bool) {
	has := func(begins ...string) bool {
		return slices.ContainsFunc(begins, func(b string) bool { return strings.HasPrefix(line, b) })
	}
	switch {
	case p.names.minus != "" && !has("Binary files ", "Only in "):
	case has("rename from "):
		p.names.from, p.out[i].Op = plainName(strings.TrimPrefix(rest, "from ")), DiffMeta
	case has("rename to "):
		p.names.to, p.out[i].Op = plainName(strings.TrimPrefix(rest, "to ")), DiffMeta
	case has("old mode ", "new mode ", "new file mode ", "deleted file mode "):
		p.out[i].Op = DiffMeta
	case has("Only in ") || has("Binary files ", "Files ") && strings.HasSuffix(line, " differ"):
		if !p.names.header || p.names.minus != "" {
			p.begin(i)
			p.names.beginUnshown(line)
		}
		p.names.header, p.out[i].Op = false, DiffUnshown
	case line == "GIT binary patch", first && has(DiffNotShown):
		p.out[i].Op = DiffUnshown
	}
}

func (p *diffParser) mark(i int, op DiffOp) {
	p.name()
	p.out[i] = p.line(op)
}

func (p *diffParser) begin(i int) {
	p.name()
	p.section++
	p.names, p.part, p.out[i].Op = diffNames{}, 0, DiffFile
}

// name gives the lines before a hunk, or before the next file, their name.
func (p *diffParser) name() {
	for _, i := range p.headers {
		p.out[i] = p.line(p.out[i].Op)
	}
	p.headers = nil
}

// beginPart begins the old or the new lines of a hunk of a context diff, such as "1,5".
func (p *diffParser) beginPart(part DiffOp, lines string) {
	first, last, two := strings.Cut(lines, ",")
	from, err := strconv.Atoi(first)
	to := from
	if two && err == nil {
		to, err = strconv.Atoi(last)
	}
	if err != nil || to < from || from < 0 {
		return
	}
	c := diffCount{from, to - from + 1}
	p.part = byte(part)
	if part == DiffRemoved {
		p.old, p.new = []diffCount{c}, diffCount{}
	} else {
		p.new = c
	}
}

// hunk reads the first line of a hunk, such as "@@ -1,5 +1,6 @@".
func (p *diffParser) hunk(fields []string, parents int) bool {
	if parents < 1 || len(fields) < parents+2 {
		return false
	}
	old := make([]diffCount, parents)
	for j := range old {
		c, ok := diffRange(fields[1+j], "-")
		if !ok {
			return false
		}
		old[j] = c
	}
	c, ok := diffRange(fields[1+parents], "+")
	if ok {
		p.old, p.new, p.part = old, c, 0
	}
	return ok
}

// diffRange reads where a hunk begins and how many lines it has, such as "-12,5".
func diffRange(s, sign string) (c diffCount, ok bool) {
	s, ok = strings.CutPrefix(s, sign)
	if !ok {
		return c, false
	}
	from, count, counted := strings.Cut(s, ",")
	next, err := strconv.Atoi(from)
	left := 1
	if counted && err == nil {
		left, err = strconv.Atoi(count)
	}
	return diffCount{next, left}, err == nil && next >= 0 && left >= 0
}
