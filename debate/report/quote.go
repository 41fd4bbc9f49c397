package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(foldRenderer{}, 100))),
)

// Limits of what is parsed. Beyond them text is shown as it is: deep nesting is expensive
// to parse, and prose does not come close.
const (
	maxSource = 256 << 10 // bytes
	maxDepth  = 40        // nodes from the root to a leaf
	maxLine   = 32 << 10  // bytes
)

// parse parses Markdown; ok is false if it exceeds the limits.
func parse(src []byte) (root ast.Node, ok bool) {
	if len(src) > maxSource || tooComplex(src) {
		return nil, false
	}
	root = markdown.Parser().Parse(text.NewReader(src))
	depth, deepest := 0, 0
	err := ast.Walk(root, func(_ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			depth++
			deepest = max(deepest, depth)
		} else {
			depth--
		}
		return ast.WalkContinue, nil
	})
	return root, err == nil && deepest <= maxDepth
}

// tooComplex reports whether a line is expensive to parse: very long, or mostly markup.
func tooComplex(src []byte) bool {
	for line := range strings.SplitSeq(string(src), "\n") {
		if len(line) > maxLine {
			return true
		}
		marks := 0
		for _, c := range line {
			if strings.ContainsRune("[]()*_`<>~!\\", c) {
				marks++
			}
		}
		if marks > 400 && 3*marks > len(line) {
			return true
		}
	}
	return false
}

// blockQuote returns a model's Markdown as a quotation that nothing in it can end. It is written
// again from its syntax tree: its text is escaped, links and images are text, and HTML and
// tables are code.
func blockQuote(s string) string {
	src := []byte(strings.Trim(s, "\n"))
	root, ok := parse(src)
	if !ok {
		return codeBlock(s)
	}
	lines := quoted{src}.blocks(root, false)
	if len(lines) == 0 { // an empty quotation, for instance
		return codeBlock(s)
	}
	return strings.Join(prefixed(lines, "> ", "> "), "\n") + "\n"
}

type quoted struct{ src []byte }

// prefixed returns lines with a prefix of the first and one of all others.
func prefixed(lines []string, first, others string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		prefix := others
		if i == 0 {
			prefix = first
		}
		out[i] = strings.TrimRight(prefix+line, " ")
	}
	return out
}

// blocks returns the lines of the blocks in a node, with blank lines between them unless tight.
func (q quoted) blocks(parent ast.Node, tight bool) (lines []string) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		block := q.block(n)
		if len(lines) > 0 && len(block) > 0 && !tight {
			lines = append(lines, "")
		}
		lines = append(lines, block...)
	}
	return lines
}

func (q quoted) block(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return q.lines(n)
	case *ast.Heading:
		return []string{strings.Repeat("#", n.Level) + " " + strings.Join(q.lines(n), " ")}
	case *ast.ThematicBreak:
		return []string{"---"}
	case *ast.Blockquote:
		return prefixed(q.blocks(n, false), "> ", "> ")
	case *ast.List:
		var lines []string
		number := n.Start
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			marker := "- "
			if n.IsOrdered() {
				marker = strconv.Itoa(number) + ". "
				number++
			}
			if len(lines) > 0 && !n.IsTight {
				lines = append(lines, "")
			}
			block := q.blocks(item, n.IsTight)
			if len(block) == 0 {
				block = []string{""}
			}
			lines = append(lines, prefixed(block, marker, strings.Repeat(" ", len(marker)))...)
		}
		return lines
	}
	return strings.Split(strings.TrimSuffix(codeBlock(q.raw(n)), "\n"), "\n")
}

func (q quoted) raw(n ast.Node) string {
	var b strings.Builder
	if n.Type() == ast.TypeBlock {
		b.Write(n.Lines().Value(q.src))
	}
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		b.Write(h.ClosureLine.Value(q.src))
	}
	if b.Len() == 0 {
		cells := []string{}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, strings.TrimSuffix(q.raw(c), "\n"))
		}
		separator := "\n"
		if n.Kind() == extast.KindTableRow || n.Kind() == extast.KindTableHeader {
			separator = " | "
		}
		b.WriteString(strings.Join(cells, separator))
	}
	return b.String()
}

func (q quoted) lines(n ast.Node) []string {
	var b strings.Builder
	q.inline(&b, n)
	var lines []string
	for line := range strings.SplitSeq(b.String(), "\n") {
		lines = append(lines, escapeStart(line))
	}
	return lines
}

func (q quoted) inline(b *strings.Builder, parent ast.Node) {
	around := func(mark string, n ast.Node) {
		b.WriteString(mark)
		q.inline(b, n)
		b.WriteString(mark)
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			addText(b, string(n.Value(q.src)))
			switch {
			case n.HardLineBreak():
				b.WriteString("\\\n")
			case n.SoftLineBreak():
				b.WriteString("\n")
			}
		case *ast.String:
			addText(b, string(n.Value))
		case *ast.CodeSpan:
			var code strings.Builder
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					code.Write(t.Value(q.src))
				}
			}
			b.WriteString(codeSpan(code.String()))
		case *ast.Emphasis:
			around(strings.Repeat("*", n.Level), n)
		case *extast.Strikethrough:
			around("~~", n)
		case *ast.Link:
			q.inline(b, n)
			b.WriteString(" (" + escapeText(string(n.Destination)) + ")")
		case *ast.Image:
			q.inline(b, n)
			b.WriteString(" (" + escapeText(string(n.Destination)) + ")")
		case *ast.AutoLink:
			addText(b, string(n.Label(q.src)))
		case *ast.RawHTML:
			addText(b, string(n.Segments.Value(q.src)))
		default:
			q.inline(b, n)
		}
	}
}

// addText adds escaped text. Two pieces of a text do not become one word of it.
func addText(b *strings.Builder, s string) {
	last, size := utf8.DecodeLastRuneInString(b.String())
	first, _ := utf8.DecodeRuneInString(s)
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	sign := size > 0 && strings.ContainsRune(signs, last) && s != "" && !unicode.IsSpace(first)
	if sign || inWord(last) && (inWord(first) || first == '-' || first == '.') {
		b.WriteRune(wordJoiner)
	}
	b.WriteString(escapeText(s))
}

// codeSpan returns text as code in a line, with more marks around it than it has in a row.
func codeSpan(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		return ""
	}
	marks := strings.Repeat("`", longestRun(s)+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return marks + s + marks
}

func longestRun(s string) int {
	longest, run := 0, 0
	for _, c := range s {
		if run++; c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

func codeBlock(s string) string {
	marks := strings.Repeat("`", max(3, longestRun(s)+1))
	return marks + "text\n" + strings.Trim(s, "\n") + "\n" + marks + "\n"
}

func escapeLine(s string) string {
	return escapeStart(escapeText(strings.Join(strings.Fields(s), " ")))
}

// escapeText returns text without markup, in which a forge finds nothing that it links: the
// signs of references, addresses and commits are broken.
func escapeText(s string) string {
	var b strings.Builder
	for _, c := range broken(s) {
		if strings.ContainsRune("\\`*_[]<>|~#&!$", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// wordJoiner cannot be seen, and is no part of a word.
const wordJoiner = '\u2060'

// hexWord is one less than the length of the shortest abbreviation of a commit that is linked.
const hexWord = 6

// signs are those with which a forge finds a person, a reference, an address or a formula.
const signs = "@#!%~&$:"

// broken puts a word joiner after each sign, and into what may be an address or a commit. A sign
// before a blank or at the end begins nothing.
func broken(s string) string {
	var b strings.Builder
	hex := 0
	s = strings.ToValidUTF8(s, "\ufffd")
	for i, c := range s {
		b.WriteRune(c)
		if hex++; !unicode.Is(unicode.ASCII_Hex_Digit, c) {
			hex = 0
		}
		end := i + utf8.RuneLen(c)
		next, size := utf8.DecodeRuneInString(s[end:])
		sign := strings.ContainsRune(signs, c) && size > 0 && !unicode.IsSpace(next)
		if sign || hex == hexWord || next == '.' && endsFold(s[:end], "www") || next == '-' && endsFold(s[:end], "gh") {
			b.WriteRune(wordJoiner)
			hex = 0
		}
	}
	return b.String()
}

func endsFold(s, end string) bool {
	return len(s) >= len(end) && strings.EqualFold(s[len(s)-len(end):], end)
}

// escapeStart escapes what would make a line a list item, a rule or a heading.
func escapeStart(s string) string {
	if s == "" {
		return s
	}
	if n := listNumberEnd(s); n >= 0 {
		return s[:n] + "\\" + s[n:]
	}
	if strings.ContainsRune("-+=", rune(s[0])) {
		return "\\" + s
	}
	return s
}

// listNumberEnd returns the end of a number that would begin a list item, such as "1."; -1 for none.
func listNumberEnd(s string) int {
	rest := strings.TrimLeft(s, "0123456789")
	n := len(s) - len(rest)
	if n == 0 || rest == "" || rest[0] != '.' && rest[0] != ')' || len(rest) > 1 && rest[1] != ' ' {
		return -1
	}
	return n
}
