package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Bounds of what is read as a name and a value.
const (
	maxName  = 100
	maxValue = 4096
)

// names are the words that make a name one of a secret, without its separators.
var names = sync.OnceValue(func() *regexp.Regexp {
	const kinds = `api|access|private|account|secret|signing|encryption|subscription|master|auth|shared`
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

const minWord = 6

var (
	placeholders = []string{"$", "<", "{", "%", "[", "your", "xxx", "***", "...", "example", "env.", "env:", "os.", "process."}
	separated    = "!@#$%^&*+=~?"
)

func isPlaceholder(v string) bool {
	begin := strings.ToLower(v[:min(len(v), 8)])
	return strings.Contains(v, "…") || slices.ContainsFunc(placeholders, func(p string) bool { return strings.HasPrefix(begin, p) })
}

var (
	passwordNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:passw(?:or)?d|passphrase|secret|[^ ] (?:pass|pwd))$`)
	})
	tokenNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:token|api ?key)$`) })
)

// standIns are words that stand where a value would: types, states and other placeholders.
var standIns = strings.Fields(`string secretstr securestring varchar boolean integer number object undefined required optional
	hidden unknown missing default prompt secret password passwd passphrase redacted masked placeholder`)

// stands reports whether a value stands for another: a placeholder, a type or a variable.
func stands(v string) bool {
	lower := strings.ToLower(v)
	return v[0] == '=' || strings.Trim(v, v[:1]) == "" || isPlaceholder(v) || slices.Contains(standIns, lower) ||
		Name(v) && strings.Contains(words(v), " ") // another name, as in "password: dbPassword"
}
