package text

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxLabel is the most cells of a Label.
const maxLabel = 60

// Label makes foreign text fit into a line of a message.
func Label(s string) string { return Clip(Line(s), maxLabel) }

// Capitalize returns s with its first letter in upper case.
func Capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Sentence returns a text as a whole sentence: with a capital at its beginning and a full
// stop at its end.
func Sentence(s string) string {
	s = Capitalize(strings.TrimSpace(s))
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".?!") {
		return s
	}
	return s + "."
}

// Uncapitalize returns a sentence for the middle of another: its first letter is in lower
// case if the sentence begins with a word that is no name, as those written here do.
func Uncapitalize(s string) string {
	word, _, _ := strings.Cut(s, " ")
	switch word {
	case "A", "An", "Cancelled", "Cannot", "Cut", "Debate", "Event", "Give", "Internal", "It", "Its", "Line", "Looking", "Named",
		"No", "Nobody", "Not", "Nothing", "Only", "Rounds", "Stopped", "That", "The", "There", "This", "Too", "With", "Your":
		return strings.ToLower(word) + s[len(word):]
	}
	return s
}

// Indent indents every line of s by two spaces.
func Indent(s string) string {
	return "  " + strings.ReplaceAll(strings.Trim(s, "\n"), "\n", "\n  ")
}

// List joins names as in a sentence: "Ada, Brook and Cy".
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Each returns what a function makes of each element of a list, such as its name or its line.
func Each[T, U any](list []T, of func(T) U) (out []U) {
	for _, one := range list {
		out = append(out, of(one))
	}
	return out
}

// Strings returns names of a type of their own as strings.
func Strings[S ~string](list []S) []string { return Each(list, func(s S) string { return string(s) }) }

// Join joins those of the parts that are not empty.
func Join(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return p == "" }), between)
}

// NumberLines returns the lines of a text with their numbers, the first of which is from.
func NumberLines(s string, from int) string {
	if s == "" {
		return "(empty)"
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strconv.Itoa(from))
		b.WriteByte('|')
		if line != "" {
			b.WriteByte(' ')
			b.WriteString(line)
		}
		from++
	}
	return b.String()
}

// Head returns the first n characters of s, without trailing space.
func Head(s string, n int) string {
	for i := range s {
		if n == 0 {
			return strings.TrimRightFunc(s[:i], unicode.IsSpace)
		}
		n--
	}
	return s
}

// Around returns a line, or the part of a long one in which something begins at an offset: at
// most so many bytes, with "… " and " …" where more is left out.
func Around(line string, at, most int) string {
	if len(line) <= most {
		return line
	}
	from := max(0, min(at-most/3, len(line)-most))
	to := from + most
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	part := line[from:to]
	if from > 0 {
		part = "… " + part
	}
	if to < len(line) {
		part += " …"
	}
	return part
}

// Count returns a number with what it counts, such as "1 call" or "3 searches".
func Count(n int, word string) string { return fmt.Sprintf("%d %s", n, Plural(n, word)) }

// LongCount is Count with the thousands separated.
func LongCount(n int, word string) string { return Number(n) + " " + Plural(n, word) }

// Plural returns the regular plural of a word unless n is 1.
func Plural(n int, word string) string {
	if n == 1 {
		return word
	}
	if stem, ok := strings.CutSuffix(word, "ry"); ok {
		return stem + "ries"
	}
	for _, end := range []string{"s", "x", "ch", "sh"} {
		if strings.HasSuffix(word, end) {
			return word + "es"
		}
	}
	return word + "s"
}

// Inflect returns the form of a word that fits n: one for 1, else many.
func Inflect(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Number returns a count with its thousands separated, such as "65,536".
func Number(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Tokens returns a number of tokens in at most three digits and a decimal, such as
// "850 tok", "12.3k tok", "123k tok" or "1.2M tok".
func Tokens(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d tok", n)
	case n < 99_950:
		return fmt.Sprintf("%.1fk tok", float64(n)/1000)
	case n < 999_500:
		return fmt.Sprintf("%.0fk tok", float64(n)/1000)
	}
	return fmt.Sprintf("%.1fM tok", float64(n)/1e6)
}

// UsedTokens returns a number of tokens like Tokens, after "≈" if it is estimated.
func UsedTokens(n int, estimated bool) string {
	if estimated {
		return "≈" + Tokens(n)
	}
	return Tokens(n)
}

// Bytes returns a number of bytes in words, such as "3.1 KB".
func Bytes(bytes int64) string {
	const kb = 1000
	switch {
	case bytes < kb:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 100*kb:
		return fmt.Sprintf("%.1f KB", float64(bytes)/kb)
	case bytes < kb*kb:
		return fmt.Sprintf("%d KB", bytes/kb)
	default:
		return fmt.Sprintf("%.1f MB", float64(bytes)/kb/kb)
	}
}

// Money returns an amount of USD in cents. Less than a cent has another digit, so
// that it never looks like nothing.
func Money(usd float64) string {
	switch {
	case usd > 0 && usd < 0.0005:
		return "<$0.001"
	case usd > 0 && usd < 0.00995:
		return fmt.Sprintf("$%.3f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

// CapMoney returns an amount of USD that is compared with a budget: what is not
// whole cents has the digits that make the difference visible.
func CapMoney(usd float64) string {
	switch cents := usd * 100; {
	case usd >= 1 || math.Abs(cents-math.Round(cents)) < 1e-9:
		return Money(usd)
	case usd < 0.01:
		return fmt.Sprintf("$%.4f", usd)
	}
	return fmt.Sprintf("$%.3f", usd)
}

// Cost is Price in a sentence: nil is "cost unknown".
func Cost(usd *float64) string {
	if usd == nil {
		return "cost unknown"
	}
	return Price(usd)
}

// Price returns an amount of USD as briefly as a column needs it: nil is "?",
// nothing is "free", and from $100 on there are no cents.
func Price(usd *float64) string {
	switch {
	case usd == nil:
		return "?"
	case *usd == 0:
		return "free"
	case *usd >= 100:
		return fmt.Sprintf("$%.0f", *usd)
	}
	return Money(*usd)
}

// Range returns two whole figures with a dash between them, or one if both look the same.
func Range(low, high float64, dash string) string {
	from, to := strconv.FormatFloat(low, 'f', 0, 64), strconv.FormatFloat(high, 'f', 0, 64)
	if from == to {
		return from
	}
	return from + dash + to
}

// Percent returns a share of 0 to 1 in whole percent, such as "63%".
func Percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// Duration returns how long something took, such as "250 ms", "90 s" or "3 min".
func Duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min", int(d.Minutes()))
}

// Countdown returns how long a short wait still takes. It rounds up: it never shows less than is
// left.
func Countdown(d time.Duration) string {
	return fmt.Sprintf("%d s", max(0, (d+time.Second-1)/time.Second))
}

// Age returns how long ago something was, such as "30 s", "5 min", "30 h" or "3 days".
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// SameDay reports whether two times are on the same day.
func SameDay(a, b time.Time) bool { return a.Year() == b.Year() && a.YearDay() == b.YearDay() }

// TimeOfDay returns when something will be, as a clock shows it now: "15:04", on
// another day "2 Jan 15:04", in another year "2 Jan 2006 15:04".
func TimeOfDay(now, then time.Time) string {
	then = then.In(now.Location())
	switch {
	case SameDay(now, then):
		return then.Format("15:04")
	case now.Year() == then.Year():
		return then.Format("2 Jan 15:04")
	}
	return then.Format("2 Jan 2006 15:04")
}

// ShortDate returns when something was, as briefly as a list needs it: "now",
// "5 min ago", "3 h ago" on the same day, "yesterday", "Mon" in the last week, "2 Jan" in the
// same year, else "Jan 2006".
func ShortDate(now, then time.Time) string {
	then = then.In(now.Location())
	switch age := now.Sub(then); {
	case age < time.Minute:
		return "now"
	case age < time.Hour:
		return fmt.Sprintf("%d min ago", int(age.Minutes()))
	case SameDay(now, then):
		return fmt.Sprintf("%d h ago", int(age.Hours()))
	case SameDay(now.AddDate(0, 0, -1), then):
		return "yesterday"
	case !then.Before(time.Date(now.Year(), now.Month(), now.Day()-6, 0, 0, 0, 0, now.Location())):
		return then.Format("Mon")
	case now.Year() == then.Year():
		return then.Format("2 Jan")
	}
	return then.Format("Jan 2006")
}

// Columns returns a line for each row of safe cells, with two blanks between columns that are as
// wide as their widest cell.
func Columns(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(cell))
		}
	}
	out := make([]string, len(rows))
	for n, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell + strings.Repeat(" ", widths[i]-Width(cell)+2))
		}
		out[n] = strings.TrimRight(b.String(), " ")
	}
	return out
}
