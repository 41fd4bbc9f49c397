package report

import (
	"reflect"
	"regexp"
	"strings"
	"sync"
)

const mask = "[redacted]"

// secret is a shape that keys or passwords have. It is only tried where one of its
// beginnings is found, which is quick even in megabytes of text.
type secret struct {
	begins   []string       // in lower case
	anyCase  bool           // the beginnings are in any case
	word     bool           // it begins a word
	shape    *regexp.Regexp // anchored; its two groups are kept, since they say what the secret was
	possible [256]bool      // first bytes of the beginnings
}

func newSecret(shape string, word bool, begins ...string) secret {
	s := secret{begins: begins, word: word, anyCase: strings.HasPrefix(shape, "(?i)"), shape: regexp.MustCompile(`\A` + shape)}
	for _, b := range begins {
		s.possible[b[0]] = true
		if s.anyCase {
			s.possible[strings.ToUpper(b)[0]] = true
		}
	}
	return s
}

var secrets = sync.OnceValue(func() []secret {
	return []secret{
		newSecret(`()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)()`, false, "-----BEGIN "),
		newSecret(`()eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*()`, true, "eyJ"),
		newSecret(`()(?:sk|pk|rk|gsk|xai|hf|pplx|r8|glpat|npm)[-_][A-Za-z0-9_+/=-]{12,}()`, true,
			"sk", "pk", "rk", "gsk", "xai", "hf", "pplx", "r8", "glpat", "npm"),
		newSecret(`()(?:gh[pousr]_|github_pat_|xox[abprs]-|AIza|ya29\.|AKIA|ASIA)[A-Za-z0-9_-]{12,}()`, true,
			"gh", "github_pat_", "xox", "AIza", "ya29.", "AKIA", "ASIA"),
		newSecret(`(?i)((?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{12,}()`, true, "bearer", "basic"),
		newSecret(`(?i)((?:api[_-]?key|secret|token|passwd|password|pwd)["']?\s*[:=]\s*["']?)[^\s"',;[\]]{6,}()`, false,
			"api", "secret", "token", "passwd", "password", "pwd"),
		newSecret(`(?i)(://[^\s/:@]+:)[^\s/@]+(@)`, false, "://"),
	}
})

func redact(text string) string { return redactBy(text, func(string) string { return mask }) }

// redactLines is redact without a change of the number of lines.
func redactLines(text string) string {
	return redactBy(text, func(secret string) string { return mask + strings.Repeat("\n", strings.Count(secret, "\n")) })
}

func redactBy(text string, masked func(secret string) string) string {
	for _, s := range secrets() {
		text = s.mask(text, masked)
	}
	return text
}

// mask masks all secrets of a shape. It returns the text itself if it has none.
func (s *secret) mask(text string, masked func(secret string) string) string {
	var b strings.Builder
	done := 0 // up to where text is in b
	for i := 0; i < len(text); i++ {
		if !s.possible[text[i]] || !s.beginsAt(text, i) {
			continue
		}
		at := s.shape.FindStringSubmatchIndex(text[i:])
		if at == nil {
			continue
		}
		b.WriteString(text[done:i] + text[i+at[2]:i+at[3]] + masked(text[i+at[3]:i+at[4]]) + text[i+at[4]:i+at[5]])
		done = i + at[1]
		i = done - 1
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

func (s *secret) beginsAt(text string, i int) bool {
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

// scrub returns a deep copy of v with f applied to every string, including the keys of
// maps. It uses reflection so that no field, old or new, is left out.
func scrub[T any](v T, f func(string) string) T {
	var out T
	reflect.ValueOf(&out).Elem().Set(scrubbed(reflect.ValueOf(&v).Elem(), f))
	return out
}

func scrubbed(v reflect.Value, f func(string) string) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		out.SetString(f(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() { // skips the fields of time.Time
				out.Field(i).Set(scrubbed(v.Field(i), f))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(scrubbed(v.Elem(), f))
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(scrubbed(v.Elem(), f))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 { // bytes are text here
			out.SetBytes([]byte(f(string(v.Bytes()))))
		} else if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(scrubbed(v.Index(i), f))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for it := v.MapRange(); it.Next(); {
				out.SetMapIndex(scrubbed(it.Key(), f), scrubbed(it.Value(), f))
			}
		}
	default: // other kinds contain no text
	}
	return out
}
