package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Bounds of what is read as a name and a value, so that the time for a line without blanks
// stays proportional to its length.
const (
	maxName  = 100
	maxValue = 4096
)

// names are the words that make a name one of a secret, without its separators.
var names = sync.OnceValue(func() *regexp.Regexp {
	const kinds = `api|access|private|account|secret|signing|encryption`
	return regexp.MustCompile(`secret|(?:^|[ -~]* )tokens?(?: |$)|token$|passw(?:or)?d|passphrase|(?:^| )(?:pass|pwd)(?: |$)|credential` +
		`|(?:` + kinds + `) ?keys?(?: |$)|(?:^| )keys? ?(?:` + kinds + `)(?: |$)|conn(?:ection)? ?str(?:ing)?`)
})

// Name reports whether a name, in any style such as apiKey, API_KEY or api-key, is that of
// a secret.
func Name(name string) bool { return names().MatchString(words(name)) }

// Variable reports whether a variable of the environment may hold a secret, by its name.
// Unlike Name it errs on the side of caution: "DEPLOY_KEY" is one.
func Variable(name string) bool {
	w := words(name)
	return Name(name) || strings.HasSuffix(w, "key") || strings.HasSuffix(w, "keys") || strings.Contains(w, "key ")
}

// Setting reports whether a setting that is passed on to a program or a server, a variable
// or a header, may be a secret, by its name. It errs most on the side of caution, since its
// value is only masked.
func Setting(name string) bool {
	lower := strings.ToLower(name)
	has := func(part string) bool { return strings.Contains(lower, part) }
	return lower == "cookie" || slices.ContainsFunc([]string{"key", "token", "secret", "pass", "credential", "auth"}, has) ||
		name != "PWD" && Name(name)
}

// words returns the words of a name in lower case, with a space between them.
func words(name string) string {
	var b strings.Builder
	var last rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last)):
			b.WriteByte(' ')
		}
		if last = r; r != ' ' || b.Len() > 0 && !strings.HasSuffix(b.String(), " ") {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.TrimSpace(b.String())
}

// assigned matches a name of letters with what separates it from its value: an assignment
// with or without quotes, an option of a command, a header, or a tag of XML.
var assigned = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(--?)?([A-Za-z][A-Za-z0-9_.-]*(?: (?i:key|string|token|secret))?)` +
		`(?:(\\?["'\x60]?\]?[ \t]*(?::=|=>|[:=]|["'] +value=)[ \t]*)|(>)|([ \t]+))`)
})

// hints are in all names of secrets.
var hints = []string{"secret", "token", "pass", "pwd", "key", "credential", "conn"}

// maskAssigned masks the values that have the name of a secret.
func maskAssigned(text string, masked func(secret string) string) string {
	var b strings.Builder
	done := 0
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if line := text[at:end]; hasHint(line) {
			if changed := maskLine(line, masked); changed != line {
				b.WriteString(text[done:at] + changed)
				done = end
			}
		}
		at = end
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

func hasHint(line string) bool {
	lower := strings.ToLower(line)
	return slices.ContainsFunc(hints, func(hint string) bool { return strings.Contains(lower, hint) })
}

func maskLine(line string, masked func(secret string) string) string {
	if from, to, ok := aloneValue(line); ok {
		return line[:from] + masked(line[from:to]) + line[to:]
	}
	var b strings.Builder
	for {
		at := assigned().FindStringSubmatchIndex(line)
		if at == nil {
			break
		}
		option := at[10] < 0 || at[2] >= 0 && at[3]-at[2] == 2
		name := line[at[4]:at[5]]
		if option && len(name) <= maxName && Name(name) {
			from, to, quoted := value(line[:min(len(line), at[1]+maxValue)], at[1])
			if plausible(line[from:to], quoted) {
				b.WriteString(line[:from] + masked(line[from:to]))
				line = line[to:]
				continue
			}
		}
		b.WriteString(line[:at[1]])
		line = line[at[1]:]
	}
	return b.String() + line
}

// value returns the range of the value that begins at an offset.
func value(line string, at int) (from, to int, quoted bool) {
	rest := strings.TrimPrefix(line[at:], `\`)
	if rest != "" && strings.ContainsRune("\"'`", rune(rest[0])) {
		from = len(line) - len(rest) + 1
		if n := strings.IndexByte(line[from:], rest[0]); n >= 0 {
			return from, from + len(strings.TrimSuffix(line[from:from+n], `\`)), true
		}
		at = from
	}
	if n := strings.IndexAny(line[at:], " \t\r\n,;\"'`<>()[]{}&|"); n >= 0 {
		return at, at + n, false
	}
	return at, len(line), false
}

var (
	placeholders = []string{"$", "<", "{", "%", "[", "your", "xxx", "***", "...", "example", "env.", "env:", "os.", "process."}
	separated    = "!@#$%^&*+=~?"
)

// plausible reports whether a value can be a secret: it is no word, number, identifier or
// placeholder.
func plausible(v string, quoted bool) bool {
	lower := strings.ToLower(v)
	if len(v) < 6 || strings.Trim(v, v[:1]) == "" || strings.ContainsAny(v, " \t…") ||
		slices.ContainsFunc(placeholders, func(p string) bool { return strings.HasPrefix(lower, p) }) {
		return false
	}
	digit := strings.ContainsAny(v, "0123456789")
	letter := strings.ContainsFunc(v, unicode.IsLetter)
	switch {
	case !letter:
		return false
	case quoted:
		return digit || strings.ContainsAny(v, separated)
	}
	return digit && (len(v) >= 8 || strings.ContainsAny(v, separated))
}

// alone matches a line that has nothing but a name and a value of one word, as in files of
// settings.
var alone = sync.OnceValue(func() *regexp.Regexp {
	const word = "[^\\s\"'`,;<>()\\[\\]{}&|]{6,}"
	return regexp.MustCompile(`^[ \t>+#]*(?:- +)?(?:export[ \t]+)?["']?([A-Za-z][A-Za-z0-9_.-]*)["']?([ \t]*[:=][ \t]*)` +
		`(?:(` + word + `)|"(` + word + `)"[,;]?|'(` + word + `)'[,;]?)[ \t\r]*\n?$`)
})

var (
	passwordNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:passw(?:or)?d|passphrase|secret|[^ ] (?:pass|pwd))$`)
	})
	tokenNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:token|api ?key)$`) })
)

// aloneValue returns the range of the value of a line that has nothing but the name of a
// password and its value. The value may be a plain word there.
func aloneValue(line string) (from, to int, ok bool) {
	at := alone().FindStringSubmatchIndex(line)
	if at == nil || at[3]-at[2] > maxName {
		return 0, 0, false
	}
	for i := 6; i < len(at); i += 2 {
		if at[i] >= 0 {
			from, to = at[i], at[i+1]
		}
	}
	name, separator := line[at[2]:at[3]], line[at[4]:at[5]]
	switch w := words(name); {
	case passwordNames().MatchString(w):
	case tokenNames().MatchString(w) && (separator == "=" || name == strings.ToUpper(name)):
		if strings.Trim(line[from:to], "0123456789") == "" {
			return 0, 0, false
		}
	default:
		return 0, 0, false
	}
	return from, to, to-from <= maxValue && !stands(line[from:to])
}

// standIns are words that stand where a value would: types, states and other placeholders.
var standIns = strings.Fields(`string secretstr securestring varchar boolean integer number object undefined required optional
	hidden unknown missing default prompt secret password passwd passphrase redacted masked placeholder`)

// stands reports whether a value stands for another: a placeholder, a type or a variable.
func stands(v string) bool {
	lower := strings.ToLower(v)
	return v[0] == '=' || strings.Trim(v, v[:1]) == "" || strings.Contains(v, "…") || slices.Contains(standIns, lower) ||
		slices.ContainsFunc(placeholders, func(p string) bool { return strings.HasPrefix(lower, p) }) ||
		Name(v) && strings.Contains(words(v), " ") // another name, as in "password: dbPassword"
}
