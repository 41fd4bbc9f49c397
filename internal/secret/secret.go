// Package secret is the table of what secrets look like: names such as "api_key", the
// beginnings that issuers give their keys, files that hold them, and the forms in which
// people, files and programs write a name with its value. Exports mask by it, evidence warns by
// it, and programs that tools start do not get a variable that it knows. It also masks the
// values that a provider or a server was given.
//
// It imports nothing of this module and stores no text. Its patterns are those of package regexp,
// so that no text makes it slow.
package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// issuers are how the keys of some issuers begin, and how many characters follow at least.
var issuers = []struct {
	begins string // a word for each
	min    int    // letters, digits, _ and the like
	digits bool   // without a digit it is no key
}{
	{"sk- sk_ pk- pk_ rk- rk_ gsk- gsk_ xai- xai_ hf- hf_ pplx- pplx_ r8- r8_ whsec_ glpat- glpat_", 12, false},
	{"ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ xapp- AIza ya29. GOCSPX- AKIA ASIA", 12, false},
	{"xoxa- xoxb- xoxc- xoxe- xoxe. xoxp- xoxr- xoxs-", 12, false},
	{"glptt- gldt- glrt- glsoat- shpat_ shpss_ shpca_ shppa_ dop_v1_ doo_v1_ dor_v1_ glsa_ glc_", 16, false},
	{"SG. AGE-SECRET-KEY-1", 20, false},
	{"pypi- dckr_pat_ dckr_oat_ lin_api_ figd_ NRAK- sntryu_ sntrys_ ATATT3 ATCTT3 dp.pt. sb_secret_ sq0atp- sq0csp- tvly-", 16, true},
	{"hvs. hvb. hvr. dp.st. dt0c01.", 16, true},
	{"ntn_ PMAK- pscale_tkn_ pscale_pw_ HRKU- bkua_ CCIPAT_ nfp_ fo1_ tfp_", 20, true},
	{"npm_ dapi pul- sbp_ rubygems_ AKCp fc- xkeysib- rdme_", 30, true},
}

type span struct{ from, to int }

// patterns are the keys whose form is known; the first group, if there is one, is what is secret.
type patterns struct{ rest, privateKey, webToken, password *regexp.Regexp }

// known compiles the patterns. The lines of a private key after the first one are base64 and
// headers, also as a string of code; code that follows is no part of the key.
var known = sync.OnceValue(func() patterns {
	const (
		header = `(?:Proc-Type|DEK-Info|Version|Comment): [A-Za-z0-9,. -]*`
		ends   = `(?:[ \t]*(?:\\[rn]|[\r\n"'+,]))+[ \t]*` // of a line
		lines  = `(?:` + ends + `(?:[A-Za-z0-9+/=]{8,}|` + header + `)|[ \t][A-Za-z0-9+/=]{40,})*` +
			`(?:(?:` + ends + `[A-Za-z0-9+/=]{1,7})?(?:` + ends + `|[ \t]*)-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)?`
	)
	return patterns{
		rest:       regexp.MustCompile(`\A[\w+/=-]*(?:\.[\w+/=-]+)*`),
		privateKey: regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----` + lines),
		webToken:   regexp.MustCompile(`eyJ[\w-]{5,}\.[\w-]{8,}\.[\w-]*`),
		password:   regexp.MustCompile(`://[^\s/:@]*:([^\s/@]+)@`),
	}
})

// keys returns where a text has private keys, keys of issuers and JSON web tokens.
func keys(text string) []span {
	all := append(matches(known().privateKey, text), matches(known().webToken, text)...)
	for _, one := range issuers {
		for begin := range strings.FieldsSeq(one.begins) {
			for at := 0; ; {
				i := strings.Index(text[at:], begin)
				if i < 0 {
					break
				}
				from, end := at+i, at+i+len(begin)
				if at = end; from > 0 && isWordByte(text[from-1]) {
					continue
				}
				at += len(known().rest.FindString(text[end:]))
				if at-end >= one.min && (!one.digits || strings.ContainsAny(text[end:at], digits)) {
					all = append(all, span{from, at})
				}
			}
		}
	}
	return all
}

// matches returns where a pattern matches, or what its group matches.
func matches(pattern *regexp.Regexp, text string) (all []span) {
	for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
		all = append(all, span{m[len(m)-2], m[len(m)-1]})
	}
	return all
}

// Known reports whether a value begins as the keys of an issuer do.
func Known(value string) bool {
	return slices.ContainsFunc(keys(value), func(s span) bool { return s.from == 0 })
}

// minHeld is the length of the shortest key that Holds finds. Shorter ones are words of
// code too, such as "sk-fading-circle".
const minHeld = 20

// Holds reports whether a text holds a private key or the key of an issuer. A private key
// begins a line; within one it is only mentioned.
func Holds(text string) bool {
	return slices.ContainsFunc(keys(text), func(s span) bool {
		line := text[strings.LastIndexByte(text[:s.from], '\n')+1 : s.from]
		return s.to-s.from >= minHeld && (text[s.from] != '-' || strings.Trim(line, " \t+\"'-") == "")
	})
}

const digits = "0123456789"

// isWordByte reports whether a byte is a letter, a digit or an underscore of ASCII, as
// \b in regular expressions.
func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
