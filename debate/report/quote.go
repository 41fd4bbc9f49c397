package report

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

var markdownParser = goldmark.New(goldmark.WithExtensions(
	extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
	// a style attribute would break the content policy
	extension.Strikethrough, extension.Linkify,
)).Parser()

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
	root = markdownParser.Parse(text.NewReader(src))
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

// blockQuote returns a model's Markdown as a quotation that nothing in it can end. Markup
// that would reach beyond it or load something is escaped.
func blockQuote(s string) string {
	s, ok := escapeMarkup(strings.Trim(s, "\n"))
	if !ok {
		return codeBlock(s)
	}
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" {
			line = " " + line
		}
		b.WriteString(">" + line + "\n")
	}
	return b.String()
}

// escapeMarkup escapes HTML, images and link definitions outside code; ok is false if it
// cannot tell them apart.
func escapeMarkup(s string) (tamed string, ok bool) {
	for range 4 { // escaping can uncover more markup
		root, ok := parse([]byte(s))
		if !ok {
			return s, false
		}
		code, wild := inspect(root)
		next := escape(s, code)
		if next == s {
			return s, !wild
		}
		s = next
	}
	return s, false
}

// inspect returns the byte ranges of code in source order, and whether the tree contains
// markup that a quotation must not.
func inspect(root ast.Node) (code [][2]int, wild bool) {
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker fails never
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
				code = append(code, [2]int{line.Start, line.Stop})
			}
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					code = append(code, [2]int{t.Segment.Start, t.Segment.Stop})
				}
			}
		case *ast.Link:
			wild = wild || !mayLink(string(n.Destination))
		case *ast.RawHTML, *ast.HTMLBlock, *ast.Image, *ast.LinkReferenceDefinition:
			wild = true
		}
		return ast.WalkContinue, nil
	})
	return code, wild
}

// mayLink reports whether a link to a target is kept: an address of the web or of mail.
func mayLink(target string) bool {
	target = strings.ToLower(target[:min(len(target), len("https://"))])
	return strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "mailto:")
}

// escape puts a backslash before "<", an image, a numeric character reference, the
// colon of a link definition and the target of a link that is not kept.
func escape(s string, code [][2]int) string {
	var b strings.Builder
	escaped := false // by the backslash before
	for i := range len(s) {
		for len(code) > 0 && code[0][1] <= i {
			code = code[1:]
		}
		if len(code) > 0 && code[0][0] <= i {
			b.WriteByte(s[i])
			escaped = false
			continue
		}
		next := byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		}
		switch {
		case escaped:
		case s[i] == '<', s[i] == '!' && next == '[', s[i] == '&' && next == '#', s[i] == ':' && i > 0 && s[i-1] == ']',
			s[i] == '(' && i > 0 && s[i-1] == ']' && !mayLink(strings.TrimLeft(s[i+1:], " \t\n")):
			b.WriteByte('\\')
		}
		escaped = s[i] == '\\' && !escaped
		b.WriteByte(s[i])
	}
	return b.String()
}

// codeBlock returns text as a code block with a fence that the text does not contain.
func codeBlock(s string) string {
	longest, run := 0, 0
	for _, c := range s {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	marks := strings.Repeat("`", max(3, longest+1))
	return marks + "text\n" + strings.Trim(s, "\n") + "\n" + marks + "\n"
}

// escapeLine returns text as one line without markup.
func escapeLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	var b strings.Builder
	number := listNumberEnd(s)
	for i, c := range s {
		switch {
		case strings.ContainsRune("\\`*_[]<>|~#&!", c), i == 0 && strings.ContainsRune("-+=", c), i == number:
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// listNumberEnd returns the end of a number such as "1." that would make the line a list
// item; -1 if there is none.
func listNumberEnd(s string) int {
	rest := strings.TrimLeft(s, "0123456789")
	n := len(s) - len(rest)
	if n == 0 || rest == "" || rest[0] != '.' && rest[0] != ')' || len(rest) > 1 && rest[1] != ' ' {
		return -1
	}
	return n
}
