package debate

import (
	"slices"
	"strconv"
	"strings"
)

// DiffLine is a line of a diff. Changed lines of a context or a combined diff have no numbers.
type DiffLine struct {
	Op      DiffOp
	Section int    // of lines on one file, counted from 1
	File    string // that it belongs to: its new name, or the old one if it was removed
	OldFile string // its name before, if that was another one
	Line    int    // in the new file, and of removed lines in the old one; 0 outside of hunks
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
	DiffMeta    DiffOp = 'm' // a change of a name or a mode, or one without a place
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
		if p.inHunk(i, line) {
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
	out      []DiffLine
	headers  []int // lines outside of hunks that still lack the names of their file
	section  int
	names    diffNames
	old, new diffCount
	signs    int // bytes that lines of a context or combined diff begin with; 0 in a unified one
}

// diffCount is the next line of one file, and how many lines of it a hunk still has.
type diffCount struct{ next, left int }

func (c *diffCount) take() int {
	c.next, c.left = c.next+1, c.left-1
	return c.next - 1
}

// inHunk reads a line of a hunk.
func (p *diffParser) inHunk(i int, line string) bool {
	if p.old.left <= 0 && p.new.left <= 0 {
		return false
	}
	line += " " // some programs take the blanks off an empty line
	l := p.line(DiffOp(line[0]))
	switch l.Op {
	case DiffContext:
		p.old.take()
		l.Line = p.new.take()
	case DiffAdded:
		l.Line = p.new.take()
	case DiffRemoved:
		l.Line = p.old.take()
	case '\\': // the file has no newline at its end
		l.Op = DiffOther
	default: // the counts are wrong
		p.old, p.new = diffCount{}, diffCount{}
		return false
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
	case p.signs > 1 && p.isChange(line): // before what such a line may look like
		p.out[i].Op = DiffMeta
	case word == "---" && strings.HasPrefix(next, "+++ "), word == "***" && strings.HasPrefix(next, "--- ") && !isPart(line):
		if len(p.headers) == 0 || p.names.minus != "" {
			p.begin(i)
		}
		p.names.minus = fileName(rest)
	case p.isChange(line):
		p.out[i].Op = DiffMeta
	case strings.HasPrefix(line, "***************"):
		p.signs = 1
	case strings.HasPrefix(word, "@@@"):
		p.signs = len(word) - 1
	case (word == "+++" || word == "---") && p.names.minus != "" && p.names.plus == "":
		p.names.plus = fileName(rest)
	case first && strings.HasPrefix(line, DiffNotCounted):
		p.out[i].Op = DiffLeft
	case word == "@@" && p.hunk(strings.Fields(line)):
		p.name()
		p.out[i] = p.line(DiffHunk)
		return
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

func (p *diffParser) begin(i int) {
	p.name()
	p.section++
	p.names, p.signs, p.out[i].Op = diffNames{}, 0, DiffFile
}

// name gives the lines before a hunk, or before the next file, their name.
func (p *diffParser) name() {
	for _, i := range p.headers {
		p.out[i] = p.line(p.out[i].Op)
	}
	p.headers = nil
}

// isChange reports whether a line of a context or a combined diff was added, removed or changed.
func (p *diffParser) isChange(line string) bool {
	return strings.ContainsAny(line[:min(p.signs, len(line))], "+-!")
}

// isPart reports whether a line of a context diff says which lines follow, such as "*** 1,5 ****".
func isPart(line string) bool { return strings.Trim(line, "*0123456789, ") == "" }

// hunk reads the first line of a hunk, such as "@@ -1,5 +1,6 @@".
func (p *diffParser) hunk(fields []string) bool {
	if len(fields) < 3 {
		return false
	}
	old, ok := diffRange(fields[1], "-")
	now, ok2 := diffRange(fields[2], "+")
	if ok && ok2 {
		p.old, p.new, p.signs = old, now, 0
	}
	return ok && ok2
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
