package debate

import (
	"slices"
	"strconv"
	"strings"
)

// DiffLine is a line of a unified diff, as diff and git write it, or of a combined one.
type DiffLine struct {
	Op   DiffOp
	File string // that it belongs to: its new name, or the old one if it was removed
	Line int    // in the new file, and of removed lines in the old one; 0 outside of hunks
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
)

// Changes reports whether the line was added or removed.
func (l DiffLine) Changes() bool { return l.Op == DiffAdded || l.Op == DiffRemoved }

// DiffPlace returns the lines of a file that lines of a diff are: those of the new file, or
// those of the old one if all of them were removed. Of lines of several files they are those
// of the first. The place has no line if no line is part of a hunk.
func DiffPlace(lines []DiffLine) (at CodePlace) {
	kept := slices.ContainsFunc(lines, func(l DiffLine) bool { return l.Line > 0 && l.Op != DiffRemoved })
	for _, l := range lines {
		if l.Line == 0 || kept == (l.Op == DiffRemoved) {
			continue
		}
		if at.Line == 0 {
			at.File, at.Line, at.Old = l.File, l.Line, !kept
		}
		if l.File == at.File {
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
		p.header(i, line, i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ "))
	}
	p.name()
	return p.out
}

type diffParser struct {
	out     []DiffLine
	headers []int  // lines outside of hunks that still lack the name of their file
	file    string // that the lines belong to, as far as it is known
	named   bool   // by a line that begins with ---
	old     []diffCount
	new     diffCount
}

// diffCount is the next line of one file, and how many lines of it a hunk still has.
type diffCount struct{ next, left int }

func (c *diffCount) take() int {
	c.next, c.left = c.next+1, c.left-1
	return c.next - 1
}

// inHunk reads a line of a hunk. It reports false for other lines. A combined diff has a
// column for each of the old files.
func (p *diffParser) inHunk(i int, line string) bool {
	more := p.new.left > 0
	for _, c := range p.old {
		more = more || c.left > 0
	}
	if !more {
		return false
	}
	signs := line + strings.Repeat(" ", len(p.old)) // some programs take the blanks off an empty line
	signs = signs[:len(p.old)]
	l := DiffLine{Op: DiffContext, File: p.file}
	switch {
	case line != "" && line[0] == '\\': // the file has no newline at its end
		l.Op = DiffOther
		p.out[i] = l
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

func (p *diffParser) header(i int, line string, beforeNew bool) {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case word == "diff" || word == "Index:":
		p.begin(i)
		if at := strings.LastIndex(rest, " b/"); at >= 0 {
			p.file = rest[at+len(" b/"):]
		}
	case word == "---" && beforeNew:
		if len(p.headers) == 0 || p.named {
			p.begin(i)
		}
		p.named = true
		p.setName(rest)
	case word == "+++" && p.named:
		p.setName(rest)
	case word == "rename" && strings.HasPrefix(rest, "to "):
		p.file = rest[len("to "):]
	case strings.HasPrefix(word, "@@"):
		if p.hunk(strings.Fields(line), len(word)-1) {
			p.name()
			p.out[i] = DiffLine{Op: DiffHunk, File: p.file}
			return
		}
	}
	p.headers = append(p.headers, i)
}

// begin begins the lines on the next file.
func (p *diffParser) begin(i int) {
	p.name()
	p.file, p.named, p.out[i].Op = "", false, DiffFile
}

// name gives the lines before a hunk, or before the next file, their name.
func (p *diffParser) name() {
	for _, i := range p.headers {
		p.out[i].File = p.file
	}
	p.headers = nil
}

// setName sets the name of the file from a header line, which names no file as /dev/null.
func (p *diffParser) setName(name string) {
	name, _, _ = strings.Cut(name, "\t") // a time follows
	if plain, err := strconv.Unquote(name); err == nil {
		name = plain
	}
	if name == "/dev/null" {
		return
	}
	if side, path, ok := strings.Cut(name, "/"); ok && len(side) == 1 { // a/ and b/, or other letters that git writes
		name = path
	}
	p.file = name
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
		p.old, p.new = old, c
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
