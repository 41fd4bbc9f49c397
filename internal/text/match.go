package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Match says how well a query matches a text, 0 being the best; ok is false if it does not. Each word
// of the query begins a word of the text (0), or occurs in it (1), or at least its characters do in
// that order, beginning at the beginning of a word (2): "expt" matches "Export". Case does not matter.
func Match(query, s string) (rank int, ok bool) {
	in := Fold(s)
	words := strings.FieldsFunc(in, func(r rune) bool { return !isWordChar(r) })
	for typed := range strings.FieldsSeq(Fold(query)) {
		begins := func(word string) bool { return strings.HasPrefix(word, typed) }
		switch {
		case slices.ContainsFunc(words, begins):
		case strings.Contains(in, typed):
			rank = max(rank, 1)
		case inOrder(typed, words):
			rank = 2
		default:
			return 0, false
		}
	}
	return rank, true
}

// inOrder reports whether the characters of a word occur in some words in that order, the first one
// at the beginning of a word.
func inOrder(typed string, words []string) bool {
	for i, word := range words {
		rest := []rune(typed)
		if !strings.HasPrefix(word, string(rest[0])) {
			continue
		}
		for _, r := range strings.Join(words[i:], "") {
			if len(rest) > 0 && r == rest[0] {
				rest = rest[1:]
			}
		}
		if len(rest) == 0 {
			return true
		}
	}
	return false
}

func isWordChar(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// DidYouMean returns the end of a message about an unknown name: the closest known
// name, or all of them.
func DidYouMean(word string, known []string) string {
	if likely := Closest(word, known); likely != "" {
		return fmt.Sprintf("; did you mean %s?", likely)
	}
	if len(known) == 0 {
		return ""
	}
	return "; there are: " + among(known)
}

// Closest returns the known word that is most similar to a misspelt one; "" if none is.
func Closest(word string, known []string) string {
	best, least := "", 1+max(1, len(word)/3)
	for _, k := range known {
		d := distance(strings.ToLower(word), k)
		if len(word) >= 3 && strings.HasPrefix(k, strings.ToLower(word)) {
			d = min(d, 1)
		}
		if d < least {
			best, least = k, d
		}
	}
	return best
}

// distance returns the number of insertions, deletions, substitutions and swaps of
// neighbors between two words.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

func among(words []string) string {
	words = slices.Clone(words)
	slices.Sort(words)
	return strings.Join(words, ", ")
}
