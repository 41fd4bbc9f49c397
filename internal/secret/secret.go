// Package secret is the table of what secrets look like: names such as "api_key", the
// beginnings that issuers give their keys, files that hold them, and the forms in which
// files and programs write a name with its value. Exports mask by it, evidence warns by it,
// and programs that tools start do not get a variable that it knows. It also masks the
// values that a provider or a server was given.
//
// It imports nothing of this module and stores no text.
package secret

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// shape is one that keys or passwords have. It is only tried where one of its
// beginnings is found, which is quick even in megabytes of text.
type shape struct {
	begins   []string       // in lower case
	anyCase  bool           // the beginnings are in any case
	word     bool           // it begins a word
	pattern  *regexp.Regexp // anchored; its two groups are kept, since they say what the secret was
	possible [256]bool      // first bytes of the beginnings
}

func newShape(pattern string, word bool, begins ...string) shape {
	s := shape{begins: begins, word: word, anyCase: strings.HasPrefix(pattern, "(?i)"), pattern: regexp.MustCompile(`\A` + pattern)}
	for _, b := range begins {
		s.possible[b[0]] = true
		if s.anyCase {
			s.possible[strings.ToUpper(b)[0]] = true
		}
	}
	return s
}

// keyLines matches the lines of a private key after the first one, also as a string of code:
// base64 and headers. Code that follows is no part of the key.
const (
	keyHeader = `(?:Proc-Type|DEK-Info|Version|Comment): [A-Za-z0-9,. -]*`

	keyBreak = `(?:[ \t]*(?:\\[rn]|[\r\n"'+,]))+[ \t]*`
	keyLines = `(?:` + keyBreak + `(?:[A-Za-z0-9+/=]{8,}|` + keyHeader + `)|[ \t][A-Za-z0-9+/=]{40,})*` +
		`(?:(?:` + keyBreak + `[A-Za-z0-9+/=]{1,7})?(?:` + keyBreak + `|[ \t]*)-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)?`
)

var shapes = sync.OnceValue(func() []shape {
	return []shape{
		newShape(`()-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----`+keyLines+`()`, false, "-----BEGIN "),
		newShape(`()eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*()`, true, "eyJ"),
		newShape(`()(?:sk|pk|rk|gsk|xai|hf|pplx|r8|glpat)[-_][A-Za-z0-9_+/=-]{12,}()`, true,
			"sk", "pk", "rk", "gsk", "xai", "hf", "pplx", "r8", "glpat"),
		newShape(`()(?:gh[pousr]_|github_pat_|xox[abeprs]-|xapp-|AIza|ya29\.|GOCSPX-|AKIA|ASIA|whsec_)[A-Za-z0-9_-]{12,}()`, true,
			"gh", "github_pat_", "xox", "xapp-", "AIza", "ya29.", "GOCSPX-", "AKIA", "ASIA", "whsec_"),
		newShape(`()(?:SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}|shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{16,}|gl(?:sa|c)_[A-Za-z0-9_+/=]{16,}`+
			`|npm_[A-Za-z0-9]{30,}|do[opr]_v1_[a-f0-9]{16,}|dapi[a-f0-9]{32}`+
			`|gl(?:ptt|dt|rt|soat)-[A-Za-z0-9_-]{16,})()`, true, "SG.", "shp", "gl", "npm_", "do", "dapi"),
		newShape(`(?i)((?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{12,}()`, true, "bearer", "basic"),
		newShape(`(?i)(://[^\s/:@]*:)[^\s/@]+(@)`, false, "://"),
	}
})

// Known reports whether a value begins as the keys of an issuer do.
func Known(value string) bool {
	return slices.ContainsFunc(shapes(), func(s shape) bool {
		at := s.pattern.FindStringSubmatchIndex(value)
		return at != nil && at[2] == at[3] // nothing before the secret, as in "Bearer KEY"
	})
}

// minHeld is the length of the shortest key that Holds finds. Shorter ones are words of
// code too, such as "sk-fading-circle".
const minHeld = 20

// Holds reports whether a text holds a private key or the key of an issuer. A private key
// begins a line; within one it is only mentioned.
func Holds(text string) bool {
	for _, s := range shapes() {
		for i, at := range s.all(text) {
			line := text[strings.LastIndexByte(text[:i], '\n')+1 : i]
			if at[2] == at[3] && at[1] >= minHeld && (text[i] != '-' || strings.Trim(line, " \t+\"'-") == "") {
				return true
			}
		}
	}
	return false
}

// Mask replaces all secrets in a text by what masked returns for them. It returns the text
// itself if it has none.
func Mask(text string, masked func(secret string) string) string {
	for _, s := range shapes() {
		text = s.mask(text, masked)
	}
	return maskAssigned(text, masked)
}

// mask masks all secrets of a shape. It returns the text itself if it has none.
func (s *shape) mask(text string, masked func(secret string) string) string {
	var b strings.Builder
	done := 0 // up to where text is in b
	for i, at := range s.all(text) {
		b.WriteString(text[done:i] + text[i+at[2]:i+at[3]] + masked(text[i+at[3]:i+at[4]]) + text[i+at[4]:i+at[5]])
		done = i + at[1]
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// all returns where the pattern is found in a text, with the offsets of its groups there.
func (s *shape) all(text string) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		for i := 0; i < len(text); i++ {
			if !s.possible[text[i]] || !s.beginsAt(text, i) {
				continue
			}
			if at := s.pattern.FindStringSubmatchIndex(text[i:]); at != nil {
				if !yield(i, at) {
					return
				}
				i += at[1] - 1
			}
		}
	}
}

func (s *shape) beginsAt(text string, i int) bool {
	if s.word && i > 0 && isWordByte(text[i-1]) {
		return false
	}
	for _, begin := range s.begins {
		if len(text)-i < len(begin) {
			continue
		}
		if part := text[i : i+len(begin)]; part == begin || s.anyCase && strings.EqualFold(part, begin) {
			return true
		}
	}
	return false
}

// isWordByte reports whether a byte is a letter, a digit or an underscore of ASCII, as
// \b in regular expressions.
func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
