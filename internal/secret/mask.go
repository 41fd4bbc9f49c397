package secret

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Mask replaces all secrets in a text by what masked returns for them. It returns the text
// itself if it has none.
func Mask(text string, masked func(secret string) string) string {
	all := slices.Concat(keys(text), matches(known().password, text), written(text))
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	var b strings.Builder
	done := 0
	for _, s := range all {
		if from := max(s.from, done); from < s.to {
			b.WriteString(text[done:from] + masked(text[from:s.to]))
			done = s.to
		}
	}
	return b.String() + text[done:]
}

// rule is a form in which people, files and programs write a secret within a line.
type rule struct {
	words   []string       // in lower case; a line with none of them has no such secret
	pattern *regexp.Regexp // its first group is a name; the value follows the match, or is the second group
	secret  func(name string, v value) bool
}

type value struct {
	text   string
	quoted bool
}

var rules = sync.OnceValue(func() []rule {
	const (
		name  = `([\w.-]+(?i: keys?| string)?)`
		plain = "[^\\s\"'`,;<>()\\[\\]{}&|]{6,}"
		line  = `^[ \t>+#-]*(?:export[ \t]+)?["']?`
		ended = `["']?[ \t]*` + `(` + plain + `)(?:["'][,;]?)?\s*$`
	)
	one := func(words, pattern string, secret func(string, value) bool) rule {
		return rule{strings.Fields(words), regexp.MustCompile(pattern), secret}
	}
	const names = "secret token pass pwd credential key conn"
	return []rule{
		one(names, name+"[\"'`*_\\]\\\\ \\t]*(?::=|=>|==|::|[:=|])", byName),
		one(names, `<(?:\w+:)?([\w.-]+)>`, byName),
		one("value=", `=["']([\w.-]+)["'][ \t]+value=`, byName), // <add key="Password" value="..."/>
		one("--", `--([\w-]+)[ \t]`, byName),
		one(names, name+` (?:is|was)[ \t]`, inProse),
		one(names, line+`([\w.-]+)["']?[ \t]*[:=][ \t]*`+ended, passwordAlone),
		one(names, line+`([\w.-]+=|[A-Z_]+:)[ \t]*`+ended, tokenAlone),
		one("cookie: cookie\": cookie':", `([\w.-]+)=`, inCookie),
		one("authorization", "(?i)(authorization)[\"'`*\\\\]*[ \\t]*:[ \\t]*[\"']?(?:[a-z]+ )?", anyName),
		one("bearer basic", `(?i)\b(bearer|basic)[ \t]+`, credentials),
		one("curl http xh", `\b(curl|https?|xh)\b[^|;&]*? -[uUa][ \t]*["']?[^\s:"']+:`, ofCommand),
		one("sshpass login redis-cli mongo sqlcmd bcp zip ldap mosquitto",
			`\b(sshpass|login|redis-cli|mongo\w*|sqlcmd|bcp|zip|unzip|ldap\w+|mosquitto_\w+)\b[^|;&]*? -[pPaw][ \t]+`, ofCommand),
		one("hooks bot", `(hooks\.slack\.com/\w+|hooks\.zapier\.com/hooks/catch|discord(?:app)?\.com/api/webhooks|`+
			`webhook\.office\.com/webhookb2|api\.telegram\.org)/(?:bot)?([\w/:@-]{8,})`, func(string, value) bool { return true }),
		one("sshpass mysql mariadb 7z", `\b(sshpass|mysql\w*|mariadb|7za?)\b[^|;&]*? -p(`+plain+`)`, ofCommand),
	}
})

// written returns where the lines of a text have secrets in a form of the rules.
func written(text string) (all []span) {
	at := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		lower := strings.ToLower(line)
		for _, r := range rules() {
			if !slices.ContainsFunc(r.words, func(word string) bool { return strings.Contains(lower, word) }) {
				continue
			}
			dull := 0 // up to here a value was none, since it has no digit
			for _, m := range r.pattern.FindAllStringSubmatchIndex(line, -1) {
				if m[1] < dull || isOperator(line, m[1]) {
					continue
				}
				s, v := valueAt(line, m[1])
				if len(m) > 4 {
					s = span{m[4], m[5]}
					v.text = line[s.from:s.to]
				}
				if r.secret(line[m[2]:m[3]], v) {
					all = append(all, span{at + s.from, at + s.to})
				} else if !v.quoted && !strings.ContainsAny(v.text, digits) {
					dull = s.to
				}
			}
		}
		at += len(line)
	}
	return all
}

// isOperator reports whether a comparison, a path of C++ or a pipe outside of a table ends at an offset.
func isOperator(line string, end int) bool {
	return strings.HasSuffix(line[:end], "==") || strings.HasSuffix(line[:end], "::") ||
		line[end-1] == '|' && !strings.HasPrefix(strings.TrimLeft(line, " \t"), "|")
}

// valueAt returns the value that begins at an offset after blanks and marks of Markdown: up to the
// end of its quotes or of its word. One in quotes has no blanks in it.
func valueAt(line string, at int) (span, value) {
	at = len(line) - len(strings.TrimLeft(line[at:], " \t*"))
	if strings.HasPrefix(line[at:], `\`) {
		at++
	}
	rest := line[at:min(len(line), at+maxValue)]
	if rest != "" && strings.IndexByte("\"'`", rest[0]) >= 0 {
		at++
		if end := strings.IndexAny(rest[1:], rest[:1]+" \t\r\n"); end >= 0 && rest[1+end] == rest[0] {
			v := strings.TrimSuffix(rest[1:1+end], `\`)
			return span{at, at + len(v)}, value{v, true}
		}
		rest = rest[1:]
	}
	if end := strings.IndexAny(rest, " \t\r\n,;\"'`<>()[]{}&|"); end >= 0 {
		rest = rest[:end]
	}
	return span{at, at + len(rest)}, value{rest, false}
}

func byName(name string, v value) bool {
	return len(name) <= maxName && Name(strings.TrimLeft(name, "-_.0123456789")) && v.isPlausible()
}

func inProse(name string, v value) bool {
	mixed := strings.ContainsAny(v.text, separated) || strings.ToLower(v.text) != v.text && strings.ToUpper(v.text) != v.text
	return byName(name, v) && (v.quoted || mixed)
}

func anyName(_ string, v value) bool { return v.isPlausible() }

// inCookie leaves out the attributes of a cookie.
func inCookie(name string, v value) bool {
	attributes := strings.Fields("path domain expires max-age samesite secure httponly priority partitioned")
	return v.isPlausible() && !slices.Contains(attributes, strings.ToLower(name))
}

func credentials(_ string, v value) bool {
	return len(v.text) >= 12 && (strings.ContainsAny(v.text, digits) || strings.ToLower(v.text[1:]) != v.text[1:])
}

func ofCommand(_ string, v value) bool { return len(v.text) >= minWord && !stands(v.text) }

// passwordAlone is for a line that has nothing but a name and a value, which may be a plain word
// there.
func passwordAlone(name string, v value) bool {
	return passwordNames().MatchString(words(name)) && !stands(v.text)
}

func tokenAlone(name string, v value) bool {
	return tokenNames().MatchString(words(name)) && !stands(v.text) && strings.Trim(v.text, digits) != ""
}

// isPlausible reports whether a value can be a secret: it is no word, number, identifier or
// placeholder.
func (v value) isPlausible() bool {
	letter := func(r rune) bool { return r >= 0x80 || isWordByte(byte(r)) && r > '9' && r != '_' }
	if len(v.text) < minWord || !strings.ContainsFunc(v.text, letter) || isPlaceholder(v.text) || strings.Trim(v.text, v.text[:1]) == "" {
		return false
	}
	digit, special := strings.ContainsAny(v.text, digits), strings.ContainsAny(v.text, separated)
	return v.quoted && (digit || special) || digit && (len(v.text) >= 8 || special)
}
