package text

import (
	"fmt"
	"slices"
	"strings"
)

// Match says how well a query matches a text, 0 being the best; ok is false if it does not. Each word
// of the query begins a word of the text (0), or occurs in it (1), or at least its characters do in
// that order, beginning at the beginning of a word (2): "expt" matches "Export". Case does not matter.
func Match(query, s string) (rank int, ok bool) {
	in := Fold(s)
	words := strings.FieldsFunc(in, func(r rune) bool { return !InWord(r) })
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

// DidYouMean returns the end of a message about an unknown name: the closest known
// name, or all of them.
func DidYouMean(word string, known []string) string {
	if likely := Closest(word, known); likely != "" {
		return fmt.Sprintf("; did you mean %s?", likely)
	}
	if len(known) == 0 {
		return ""
	}
	return "; there are: " + strings.Join(slices.Sorted(slices.Values(known)), ", ")
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

// distance returns how long the part is in which two words differ; 1 if two neighbors are swapped.
func distance(a, b string) int {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0] {
		return 1
	}
	return max(len(a), len(b))
}
