// Package secret is the table of what secrets look like: names such as "api_key", the
// beginnings that issuers give their keys, files that hold them, and the forms in which
// people, files and programs write a name with its value. Exports mask by it, evidence warns by
// it, and programs that tools start do not get a variable that it knows. It also masks the
// values that a provider or a server was given.
//
// It imports nothing of this module and stores no text.
package secret

import (
	"io"
	"regexp"
	"strings"
	"sync"
)

// issuer is how the keys of some issuers begin and continue.
type issuer struct {
	begins string // a word for each
	min    int    // characters after that: letters, digits, _ and -
	more   string // what else is in a key
	any    bool   // one without a digit is a key, too
	kept   bool   // the beginning is shown
}

var issuers = []issuer{
	{"sk- sk_ pk- pk_ rk- rk_ gsk- gsk_ xai- xai_ hf- hf_ pplx- pplx_ r8- r8_ whsec_ glpat- glpat_", 12, "+/=", true, false},
	{"ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ xapp- AIza ya29. GOCSPX- AKIA ASIA", 12, "", true, false},
	{"xoxa- xoxb- xoxc- xoxe- xoxe. xoxp- xoxr- xoxs-", 12, ".", true, false},
	{"glptt- gldt- glrt- glsoat- shpat_ shpss_ shpca_ shppa_ dop_v1_ doo_v1_ dor_v1_", 16, "", true, false},
	{"glsa_ glc_", 16, "+/=", true, false},
	{"SG. AGE-SECRET-KEY-1", 20, ".", true, false},
	{"pypi- dckr_pat_ dckr_oat_ lin_api_ figd_ NRAK- sntryu_ dp.pt. sb_secret_ sq0atp- sq0csp- tvly-", 16, "", false, false},
	{"hvs. hvb. hvr. dp.st. dt0c01.", 16, ".", false, false},
	{"sntrys_ ATATT3 ATCTT3", 16, "+/=", false, false},
	{"ntn_ PMAK- pscale_tkn_ pscale_pw_ HRKU- bkua_ CCIPAT_ nfp_ fo1_ tfp_", 20, "", false, false},
	{"npm_", 30, "", false, false},
	{"dapi pul- sbp_ rubygems_ AKCp fc- xkeysib- rdme_", 32, "", false, false},
	{"hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/ hooks.zapier.com/hooks/catch/", 8, "/", false, true},
	{"discord.com/api/webhooks/ discordapp.com/api/webhooks/ webhook.office.com/webhookb2/", 20, "/@", false, true},
	{"api.telegram.org/bot", 20, ":", false, true},
}

// byFirst has the beginnings of keys by their first byte, so that most bytes of a text are
// passed over at once.
var byFirst = sync.OnceValue(func() *[256][]issuer {
	var all [256][]issuer
	for _, one := range issuers {
		for _, begin := range strings.Fields(one.begins) {
			one.begins = begin
			all[begin[0]] = append(all[begin[0]], one)
		}
	}
	return &all
})

// keyLines matches the lines of a private key after the first one, also as a string of code:
// base64 and headers. Code that follows is no part of the key.
const (
	keyHeader = `(?:Proc-Type|DEK-Info|Version|Comment): [A-Za-z0-9,. -]*`

	keyBreak = `(?:[ \t]*(?:\\[rn]|[\r\n"'+,]))+[ \t]*`
	keyLines = `(?:` + keyBreak + `(?:[A-Za-z0-9+/=]{8,}|` + keyHeader + `)|[ \t][A-Za-z0-9+/=]{40,})*` +
		`(?:(?:` + keyBreak + `[A-Za-z0-9+/=]{1,7})?(?:` + keyBreak + `|[ \t]*)-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)?`
)

var privateKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----` + keyLines)
})

// key returns the range of the key that begins at i, which may be in a longer form such as an
// address; to is 0 if none does.
func (s *scanner) key(i int) (from, to int) {
	switch c := s.text[i]; {
	case c == '-' && strings.HasPrefix(s.text[i:], "-----BEGIN "):
		r := &countingReader{text: s.text[i:]}
		at := privateKey().FindReaderIndex(r)
		s.looks += r.at
		if at != nil {
			return i, i + at[1]
		}
	case c == ':' && strings.HasPrefix(s.text[i:], "://"):
		return s.urlPassword(i + 3)
	case i > 0 && isWordByte(s.text[i-1]):
		return 0, 0
	case c == 'e' && strings.HasPrefix(s.text[i:], "eyJ"):
		return i, s.webToken(i)
	case c|0x20 == 'b':
		return s.scheme(i)
	}
	for _, one := range byFirst()[s.text[i]] {
		if !strings.HasPrefix(s.text[i:], one.begins) {
			continue
		}
		s.looks += len(one.begins)
		end, digit, _ := s.run(i+len(one.begins), one.more)
		if end-i-len(one.begins) < one.min || !digit && !one.any {
			return 0, 0
		}
		if one.kept {
			return i + len(one.begins), end
		}
		return i, end
	}
	return 0, 0
}

// run returns the end of the letters, digits, _ and - and of more that begin at i, and whether
// there are digits and capitals. The one that was read last is not read again.
func (s *scanner) run(i int, more string) (end int, digit, capital bool) {
	if r := &s.last; r.more != more || i < r.from || i >= r.end {
		*r = run{from: i, more: more, digit: -1, capital: -1}
		for r.end = i; r.end < len(s.text); r.end++ {
			c := s.text[r.end]
			if !isWordByte(c) && c != '-' && strings.IndexByte(more, c) < 0 {
				break
			}
			if isDigit(c) {
				r.digit = r.end
			} else if isLetter(c) && c < 'a' {
				r.capital = r.end
			}
		}
		s.looks += r.end - i + 1
	}
	return s.last.end, s.last.digit >= i, s.last.capital >= i
}

// run is a run of the bytes of keys, with where its last digit and capital are.
type run struct {
	from, end, digit, capital int
	more                      string
}

// webToken returns the end of the JSON web token at i; 0 if there is no token.
func (s *scanner) webToken(i int) int {
	for part := range 3 {
		end, _, _ := s.run(i, "")
		if part == 2 {
			return end
		}
		if end-i < 8 || end == len(s.text) || s.text[end] != '.' {
			return 0
		}
		i = end + 1
	}
	return 0
}

// urlPassword returns the range of the password of an address whose host begins at i.
func (s *scanner) urlPassword(i int) (from, to int) {
	for at := i; at < len(s.text); at++ {
		s.looks++
		switch c := s.text[at]; {
		case c == ':' && from == 0:
			from = at + 1
		case c == '@' && from > 0 && at > from:
			return from, at
		case c == '/' || c == '@' || isSpace(c) || c == '\n':
			return 0, 0
		}
	}
	return 0, 0
}

// scheme returns the range of the credentials that follow "Bearer" or "Basic".
func (s *scanner) scheme(i int) (from, to int) {
	word := s.text[i:min(len(s.text), i+6)]
	switch {
	case strings.EqualFold(word, "bearer"):
		from = i + 6
	case len(word) > 5 && strings.EqualFold(word[:5], "basic"):
		from = i + 5
	default:
		return 0, 0
	}
	begin := from
	for from < len(s.text) && isSpace(s.text[from]) {
		from++
	}
	s.looks += from - begin
	to, digit, capital := s.run(from, ".~+/=")
	if to-from < 12 || from == begin || !digit && (!capital || s.last.capital == from) {
		return 0, 0
	}
	return from, to
}

// countingReader counts the bytes that a regular expression reads.
type countingReader struct {
	text string
	at   int
}

// ReadRune implements io.RuneReader. Keys are in ASCII.
func (r *countingReader) ReadRune() (rune, int, error) {
	if r.at == len(r.text) {
		return 0, 0, io.EOF
	}
	r.at++
	return rune(r.text[r.at-1]), 1, nil
}

// minHeld is the length of the shortest key that Holds finds. Shorter ones are words of
// code too, such as "sk-fading-circle".
const minHeld = 20

// Holds reports whether a text holds a private key or the key of an issuer. A private key
// begins a line; within one it is only mentioned.
func Holds(text string) bool {
	s := scanner{text: text}
	for i := 0; i < len(text); i++ {
		from, to := s.key(i)
		if to == 0 {
			continue
		}
		line := text[strings.LastIndexByte(text[:i], '\n')+1 : i]
		if from == i && to-i >= minHeld && (text[i] != '-' || strings.Trim(line, " \t+\"'-") == "") {
			return true
		}
		i = to - 1
	}
	return false
}

// isWordByte reports whether a byte is a letter, a digit or an underscore of ASCII, as
// \b in regular expressions.
func isWordByte(c byte) bool { return c == '_' || isDigit(c) || isLetter(c) }

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\r' }
