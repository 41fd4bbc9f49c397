package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"roundtable/internal/text"
)

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(foldRenderer{}, 100))),
)

var (
	// lineMarks are the white space and the mark with which a heading, an item of a list or a quotation begins.
	lineMarks  = text.Regexp(`^ {0,8}(?:#{1,6}|[-*+]|\d{1,9}[.)]|>) +`)
	codeOrBold = text.Regexp("``[^`]+``|`[^`]+`|" + `\*\*[^*\s](?:[^*]*[^*\s])?\*\*`)
)

// blockQuote returns a model's Markdown as a quotation that nothing in it can end: line by line, with
// headings, lists, quotations, code and bold words. Tables are code, and all else is escaped.
func blockQuote(s string) string {
	var out []string
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	for len(lines) > 0 {
		n := 0
		switch start := strings.TrimSpace(lines[0]); {
		case fenceOf(start) != "":
			for n = 1; n < len(lines) && !closes(lines[n], fenceOf(start)); n++ {
			}
			out = append(out, codeLines(lines[1:n])...)
			n = min(n+1, len(lines))
		case strings.HasPrefix(start, "|"):
			for n = 1; n < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[n]), "|"); n++ {
			}
			out = append(out, codeLines(lines[:n])...)
		default:
			out, n = append(out, quotedLine(lines[0])), 1
		}
		lines = lines[n:]
	}
	quoted := func(line string) string { return strings.TrimRight("> "+line, " ") }
	return strings.Join(text.Each(out, quoted), "\n") + "\n"
}

// fenceOf returns the marks with which a line opens a code block; "" for other lines.
func fenceOf(line string) string {
	info := strings.TrimLeft(line, line[:min(1, len(line))])
	mark := line[:len(line)-len(info)]
	if len(mark) < 3 || mark[0] != '~' && (mark[0] != '`' || strings.Contains(info, "`")) {
		return ""
	}
	return mark
}

func closes(line, fence string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == ""
}

func codeLines(lines []string) []string {
	return strings.Split(strings.TrimSuffix(codeBlock(strings.Join(lines, "\n")), "\n"), "\n")
}

func quotedLine(line string) string {
	mark := lineMarks().FindString(line)
	line = strings.TrimSpace(line[len(mark):])
	var b strings.Builder
	at := 0
	for _, m := range codeOrBold().FindAllStringIndex(line, -1) {
		b.WriteString(escapeText(line[at:m[0]]))
		if last, _ := utf8.DecodeLastRuneInString(line[at:m[0]]); strings.ContainsRune(signs, last) {
			b.WriteRune(wordJoiner)
		}
		if piece := line[m[0]:m[1]]; piece[0] == '`' {
			b.WriteString(codeSpan(strings.Trim(piece, "`")))
		} else {
			b.WriteString("**" + escapeText(strings.Trim(piece, "*")) + "**")
		}
		at = m[1]
	}
	b.WriteString(escapeText(line[at:]))
	return mark + escapeStart(b.String())
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

// escapeText returns text without markup, in which a forge finds nothing that it links.
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

var numberMark = text.Regexp(`^(\d+)([.)](?: |$))`)

// escapeStart escapes what would make a line a list item, a rule or a heading.
func escapeStart(s string) string {
	if s != "" && strings.ContainsRune("-+=", rune(s[0])) {
		return `\` + s
	}
	return numberMark().ReplaceAllString(s, `$1\$2`)
}
