package markdown

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"roundtable/internal/text"
)

// maxTarget is how many bytes of an address are shown; data URLs can have any length.
const maxTarget = 300

// inline collects the inline content of a node as rich text.
type inline struct {
	richText
	src []byte
	cut string // marks omitted text
}

func (l *layout) inline(n ast.Node, st style) richText {
	t := inline{src: l.src, cut: l.r.styles.cut}
	t.children(n, st)
	return t.richText
}

func (t *inline) children(n ast.Node, st style) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t.node(c, st)
	}
}

func (t *inline) node(n ast.Node, st style) {
	switch n := n.(type) {
	case *ast.Text:
		t.plain(n, st)
	case *ast.String:
		t.add(string(n.Value), st)
	case *ast.CodeSpan:
		t.code(n, st)
	case *ast.Emphasis:
		if n.Level > 1 {
			t.children(n, st|strong)
		} else {
			t.children(n, st|emphasis)
		}
	case *east.Strikethrough:
		// Many terminals cannot strike text through, and without that it would say the
		// opposite, so the tildes stay.
		t.add("~~", markStyle(st))
		t.children(n, st|strike)
		t.add("~~", markStyle(st))
	case *ast.Link:
		t.link(n, n.Destination, "", st)
	case *ast.Image:
		t.link(n, n.Destination, "image", st)
	case *ast.AutoLink:
		label := string(n.Label(t.src))
		if isWeb(string(n.URL(t.src))) {
			st = withRole(linkRole, st)
		}
		t.add(label, st)
	case *ast.RawHTML:
		t.html(n, st)
	case *east.TaskCheckBox:
		// list draws it as the marker of its item
	default:
		t.children(n, st)
	}
}

func (t *inline) plain(n *ast.Text, st style) {
	v := n.Segment.Value(t.src)
	if n.IsRaw() {
		t.add(string(v), st)
	} else {
		t.add(unescape(v), st)
	}
	switch {
	case n.HardLineBreak():
		t.add("\n", st)
	case n.SoftLineBreak():
		t.soft = true // a blank, or nothing between wide characters, whose scripts write without blanks
	}
}

// code keeps the backticks, in a style of their own: without colour nothing else would
// show where the code ends.
func (t *inline) code(n *ast.CodeSpan, st style) {
	t.add("`", markStyle(st))
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c, ok := c.(*ast.Text); ok {
			v := string(c.Segment.Value(t.src))
			t.add(strings.ReplaceAll(v, "\n", " "), withRole(codeRole, st))
		}
	}
	t.add("`", markStyle(st))
}

// link adds the text of a link or an image, followed by its address.
func (t *inline) link(n ast.Node, dest []byte, unnamed string, st style) {
	target := unescape(dest)
	web := isWeb(target)
	text := st
	if web {
		text = withRole(linkRole, st)
	}
	from := len(t.text)
	t.children(n, text)
	if label := strings.TrimSpace(t.text[from:]); label == "" {
		if unnamed == "" {
			unnamed, target = target, ""
		}
		t.add(t.truncate(unnamed), text)
	} else if sameTarget(label, target) {
		return
	}
	if target != "" && !strings.HasPrefix(target, "#") {
		t.add(" ("+t.truncate(target)+")", withRole(targetRole, st))
	}
}

// truncate cuts an address to maxTarget bytes.
func (t *inline) truncate(target string) string {
	if len(target) <= maxTarget {
		return target
	}
	return strings.ToValidUTF8(target[:maxTarget], "") + t.cut
}

// html adds a tag as it is written. Only <br> becomes a line break, since tables have
// no other way to write one.
func (t *inline) html(n *ast.RawHTML, st style) {
	var b strings.Builder
	for i := range n.Segments.Len() {
		s := n.Segments.At(i)
		b.Write(s.Value(t.src))
	}
	if strings.EqualFold(strings.Trim(b.String(), "</ >"), "br") {
		t.add("\n", st)
		return
	}
	t.add(strings.ReplaceAll(b.String(), "\n", " "), st)
}

// withRole returns a style in another role, keeping its flags.
func withRole(r, st style) style { return r | st&(flags-1) }

func markStyle(st style) style { return withRole(markRole, st) }

// isWeb reports whether an address is an http or https URL.
func isWeb(target string) bool {
	scheme, _, ok := strings.Cut(target, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// sameTarget reports whether the text of a link already is its address.
func sameTarget(label, target string) bool {
	trim := func(s string) string {
		for _, p := range []string{"https://", "http://", "mailto:"} {
			if len(s) >= len(p) && strings.EqualFold(s[:len(p)], p) {
				s = s[len(p):]
				break
			}
		}
		return strings.TrimSuffix(s, "/")
	}
	return trim(label) == trim(target)
}

// maxEntity is the length of the longest entity that is resolved.
const maxEntity = 34

// unescape resolves backslash escapes and entities. Entities that stand for anything
// but visible characters stay as they are written, so that they cannot bring back what
// was removed from the text.
func unescape(v []byte) string {
	if bytes.IndexByte(v, '\\') < 0 && bytes.IndexByte(v, '&') < 0 {
		return string(v)
	}
	var b strings.Builder
	for i := 0; i < len(v); {
		switch {
		case v[i] == '\\' && i+1 < len(v) && util.IsPunct(v[i+1]):
			b.WriteByte(v[i+1])
			i += 2
			continue
		case v[i] == '&':
			if s, n := entity(v[i:]); n > 0 {
				b.WriteString(s)
				i += n
				continue
			}
		}
		b.WriteByte(v[i])
		i++
	}
	return b.String()
}

// entity returns what the entity at the start of v stands for, and its length; 0 if
// there is none to resolve.
func entity(v []byte) (string, int) {
	end := bytes.IndexByte(v[:min(len(v), maxEntity)], ';')
	if end < 2 {
		return "", 0
	}
	name := string(v[1:end])
	s := ""
	if name[0] == '#' {
		s = numeric(name[1:])
	} else if e, ok := util.LookUpHTML5EntityByName(name); ok {
		s = string(e.Characters)
	}
	s = strings.Map(visible, s)
	if s == "" || strings.ContainsRune(s, unicode.ReplacementChar) {
		return "", 0
	}
	return s, end + 1
}

// numeric returns the character of a numeric entity; "" if it is invalid.
func numeric(digits string) string {
	base := 10
	if digits != "" && (digits[0] == 'x' || digits[0] == 'X') {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 21)
	if err != nil || n > unicode.MaxRune {
		return ""
	}
	return string(rune(n))
}

// visible maps blanks of any kind to a space, and characters that are invisible or
// combine with others to U+FFFD.
func visible(r rune) rune {
	switch {
	case unicode.Is(unicode.Zs, r):
		return ' '
	case !unicode.IsPrint(r) || unicode.In(r, unicode.M, unicode.Other_Default_Ignorable_Code_Point):
		return unicode.ReplacementChar
	}
	return r
}

// richText is plain text with the styles of its runs. It is wrapped as plain text and
// styled line by line, since each line has to set its styles again.
type richText struct {
	text string
	runs []styleRun
	soft bool // a soft line break is pending
}

type styleRun struct {
	end int // its end; it begins at the end of the run before
	st  style
}

// add appends text in a style, after a pending soft break.
func (t *richText) add(s string, st style) {
	if s == "" {
		return
	}
	if t.soft {
		t.soft = false
		if !betweenWide(t.text, s) {
			t.add(" ", st)
		}
	}
	t.text += s
	if n := len(t.runs); n > 0 && t.runs[n-1].st == st {
		t.runs[n-1].end = len(t.text)
		return
	}
	t.runs = append(t.runs, styleRun{len(t.text), st})
}

// citation is what a text cites in square brackets, such as [C1] or [F1:120-140, F2].
var citation = text.Regexp(`\[[CF]\d[CF\d:,;&/ –-]{0,198}\]`)

func (t *richText) styleCitations() {
	if !strings.Contains(t.text, "[C") && !strings.Contains(t.text, "[F") {
		return
	}
	for _, at := range citation().FindAllStringIndex(t.text, -1) {
		if next, _ := utf8.DecodeRuneInString(t.text[at[1]:]); next >= utf8.RuneSelf && !isWide(next) && !unicode.IsSpace(next) {
			continue // it may be a mark that belongs to the bracket
		}
		var runs []styleRun
		from := 0
		for _, r := range t.runs {
			for _, end := range []int{min(at[0], r.end), min(at[1], r.end), r.end} {
				if end <= from {
					continue
				}
				st := r.st
				if from >= at[0] && end <= at[1] && st&^(flags-1) == textRole {
					st = withRole(linkRole, st)
				}
				runs, from = append(runs, styleRun{end, st}), end
			}
		}
		t.runs = runs
	}
}

func (t *richText) appendText(o richText) {
	from := 0
	for _, r := range o.runs {
		t.add(o.text[from:r.end], r.st)
		from = r.end
	}
}

// betweenWide reports whether two texts meet in wide characters.
func betweenWide(before, after string) bool {
	b, _ := utf8.DecodeLastRuneInString(before)
	a, _ := utf8.DecodeRuneInString(after)
	return isWide(b) && isWide(a)
}

// isWide reports whether a character takes two cells.
func isWide(r rune) bool {
	return r >= 0x1100 && ansi.StringWidth(string(r)) == 2
}

// cluster is a grapheme cluster: a character as the reader sees it.
type cluster struct {
	from, to int
	cells    int
}

// clusters iterates over the characters of a text. A cluster never crosses the end of
// a run, since styles are written between runs.
func (t *richText) clusters(yield func(cluster) bool) {
	i := 0
	for _, r := range t.runs {
		for i < r.end {
			c := nextCluster(t.text[:r.end], i)
			if !yield(c) {
				return
			}
			i = c.to
		}
	}
}

// nextCluster returns the character that begins at byte i.
func nextCluster(s string, i int) cluster {
	if s[i] < utf8.RuneSelf && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
		cells := 1
		if s[i] == '\n' {
			cells = 0
		}
		return cluster{i, i + 1, cells}
	}
	c, cells := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
	return cluster{i, i + len(c), cells}
}

// write writes a range of the text in its styles.
func (t *richText) write(b *strings.Builder, r *Renderer, from, to int) {
	start := 0
	for _, run := range t.runs {
		if start >= to {
			return
		}
		if run.end > from {
			b.WriteString(r.render(t.text[max(start, from):min(run.end, to)], run.st))
		}
		start = run.end
	}
}
