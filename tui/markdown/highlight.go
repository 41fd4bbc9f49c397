package markdown

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// language describes the syntax of a programming language that is coloured.
type language struct {
	comment  string    // begins a comment up to the end of the line
	block    [2]string // around a comment of several lines
	quotes   string    // around strings of one line
	long     []string  // around strings of several lines
	foldCase bool      // keywords are the same in upper case
	marks    bool      // lines are marked as new or gone by their first character
	keywords map[string]bool
}

// languages are the languages that are highlighted, by the names that are written behind
// the fence. They are made when the first code is shown.
var languages = sync.OnceValue(func() map[string]*language {
	c := [2]string{"/*", "*/"}
	all := map[string]*language{}
	add := func(names string, l language, keywords string) {
		l.keywords = map[string]bool{}
		for _, word := range strings.Fields(keywords) {
			l.keywords[word] = true
		}
		for _, name := range strings.Fields(names) {
			all[name] = &l
		}
	}
	add("go golang", language{comment: "//", block: c, quotes: `"'`, long: []string{"`"}},
		`break case chan const continue default defer else fallthrough for func go goto if import interface map package range
		return select struct switch type var nil true false`)
	add("python py python3", language{comment: "#", quotes: `"'`, long: []string{`"""`, "'''"}},
		`and as assert async await break class continue def del elif else except finally for from global if import in is lambda
		match nonlocal not or pass raise return try while with yield None True False`)
	add("javascript js jsx typescript ts tsx", language{comment: "//", block: c, quotes: `"'`, long: []string{"`"}},
		`async await break case catch class const continue debugger default delete do else enum export extends finally for from
		function if implements import in instanceof interface let new null of return static super switch this throw true false
		try type typeof undefined var void while with yield`)
	add("java kotlin kt scala csharp cs c# swift", language{comment: "//", block: c, quotes: `"'`, long: []string{`"""`}},
		`abstract async await break case catch class const continue data default do else enum extends final finally for fun func
		if implements import in interface internal is let namespace new null object override package private protected public
		record return sealed static struct super switch this throw throws true false try using val var void when while yield`)
	add("c h cpp c++ cc hpp", language{comment: "//", block: c, quotes: `"'`},
		`auto bool break case catch char class const constexpr continue default delete do double else enum extern false float for
		if inline int long namespace new nullptr operator private protected public return short signed sizeof static struct
		switch template this throw true try typedef typename union unsigned using virtual void volatile while`)
	add("rust rs", language{comment: "//", block: c, quotes: `"`},
		`as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub
		ref return self Self static struct super trait true type unsafe use where while`)
	add("bash sh shell zsh console", language{comment: "#", quotes: `"'`},
		`case do done elif else esac export exit fi for function if in local return set then until while`)
	add("sql postgres postgresql sqlite mysql", language{comment: "--", block: c, quotes: `'"`, foldCase: true},
		`add all alter and as asc begin between by case check column commit constraint create default delete desc distinct drop
		else end exists foreign from group having in index inner insert into is join key left like limit not null on or order
		outer primary references returning right rollback select set table then trigger union unique update using values view
		when where with`)
	add("json jsonc json5", language{comment: "//", block: c, quotes: `"`}, `true false null`)
	add("yaml yml", language{comment: "#", quotes: `"'`}, `true false null yes no on off`)
	add("toml ini conf", language{comment: "#", quotes: `"'`, long: []string{`"""`, "'''"}}, `true false`)
	add("ruby rb", language{comment: "#", quotes: `"'`},
		`alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo require rescue
		return self super then true unless until when while yield`)
	add("diff patch", language{marks: true}, "")
	return all
})

type highlighter struct {
	*language
	until string // ends the comment or the string of several lines that is open; "": none is
	role  style  // of what is open
}

// newHighlighter returns the highlighter of a language. Code of an unknown one has no
// colours.
func newHighlighter(name string) *highlighter {
	l := languages()[strings.ToLower(name)]
	if l == nil {
		l = &language{}
	}
	return &highlighter{language: l}
}

func (h *highlighter) line(s string) richText {
	t := richText{text: s}
	if h.marks {
		t.runs = []styleRun{{len(s), markedRole(s)}}
		return t
	}
	for end := 0; end < len(s); {
		n, role := h.token(s[end:])
		end += n
		for r, size := utf8.DecodeRuneInString(s[end:]); unicode.IsMark(r) || r == '\u200d'; r, size = utf8.DecodeRuneInString(s[end:]) {
			end += size // it belongs to the character before
		}
		if last := len(t.runs) - 1; last >= 0 && t.runs[last].st == role {
			t.runs[last].end = end
		} else {
			t.runs = append(t.runs, styleRun{end, role})
		}
	}
	return t
}

func markedRole(s string) style {
	switch {
	case strings.HasPrefix(s, "+"):
		return stringRole
	case strings.HasPrefix(s, "-"):
		return keywordRole
	case strings.HasPrefix(s, "@"):
		return commentRole
	}
	return codeRole
}

// token returns the length and the role of what a piece of a line begins with.
func (h *highlighter) token(s string) (int, style) {
	if h.until != "" {
		return h.rest(s, 0)
	}
	if s[0] == ' ' {
		return len(s) - len(strings.TrimLeft(s, " ")), codeRole
	}
	if r := rune(s[0]); r < utf8.RuneSelf && isWord(r) {
		return h.word(s)
	}
	if h.comment != "" && strings.HasPrefix(s, h.comment) {
		return len(s), commentRole
	}
	if open := h.block[0]; open != "" && strings.HasPrefix(s, open) {
		h.until, h.role = h.block[1], commentRole
		return h.rest(s, len(open))
	}
	for _, quote := range h.long {
		if strings.HasPrefix(s, quote) {
			h.until, h.role = quote, stringRole
			return h.rest(s, len(quote))
		}
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case strings.ContainsRune(h.quotes, r):
		if n := quoted(s); n > 0 {
			return n, stringRole
		}
		return size, codeRole
	case !isWord(r):
		return size, codeRole
	}
	return h.word(s)
}

// word returns the length and the role of the word that a text begins with.
func (h *highlighter) word(s string) (int, style) {
	end := strings.IndexFunc(s, func(r rune) bool { return !isWord(r) })
	if end < 0 {
		end = len(s)
	}
	word := s[:end]
	if h.foldCase {
		word = strings.ToLower(word)
	}
	if h.keywords[word] {
		return end, keywordRole
	}
	return end, codeRole
}

// rest returns what belongs to the open comment or string, from a position on.
func (h *highlighter) rest(s string, from int) (int, style) {
	at := strings.Index(s[from:], h.until)
	if at < 0 {
		return len(s), h.role
	}
	at += from + len(h.until)
	h.until = ""
	return at, h.role
}

// quoted returns the length of a string that begins with its quote; 0 if it has no end,
// since then it is an apostrophe.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return 0
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
