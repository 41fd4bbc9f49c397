package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// What a character of a query is worth where it is found in FuzzyScore.
const (
	scoreChar  = 1
	scoreBegin = 8 // at the beginning of the text
	scoreWord  = 6 // at the beginning of a word
	scoreNext  = 5 // right after the character before it
	scoreEnd   = 2 // the last one, at the end of a word
	maxGap     = 3 // the most that skipped characters take away
)

// FuzzyScore says how well a query matches a text; ok is false if it does not. Each word
// of the query must occur in the text, or at least its characters in that order, beginning
// at the beginning of a word: "expt" matches "Export". Case does not matter. A better match
// has a higher score.
func FuzzyScore(query, s string) (score int, ok bool) {
	in := []rune(Fold(s))
	for word := range strings.FieldsSeq(Fold(query)) {
		n, ok := fuzzyWord([]rune(word), in)
		if !ok {
			return 0, false
		}
		score += n
	}
	return score, true
}

// BeginsWords reports whether each word of a query begins a word of a text. Case does not matter.
func BeginsWords(query, s string) bool {
	words := strings.FieldsFunc(Fold(s), func(r rune) bool { return !isWordChar(r) })
	for typed := range strings.FieldsSeq(Fold(query)) {
		if !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, typed) }) {
			return false
		}
	}
	return true
}

// fuzzyWord returns the score of the best way to find the characters of a word in a text.
func fuzzyWord(word, in []rune) (best int, ok bool) {
	const none = -1 << 30
	starts := func(j int) bool { return j == 0 || !isWordChar(in[j-1]) && isWordChar(in[j]) }
	literal := strings.Contains(string(in), string(word))
	last := slices.Repeat([]int{none}, len(in)) // by the place of the character before
	for i, c := range word {
		now, skipped := slices.Repeat([]int{none}, len(in)), none
		for j, d := range in {
			if i > 0 && j > 0 {
				skipped = max(skipped, last[j-1]-maxGap)
			}
			before := skipped
			switch {
			case i == 0 && (literal || starts(j)):
				before = 0
			case i > 0 && j > 0 && last[j-1] != none:
				before = max(before, last[j-1]+scoreNext)
			}
			if c == d && before > none/2 {
				now[j] = before + scoreChar + begins(j, starts(j))
				if i == len(word)-1 && (j == len(in)-1 || !isWordChar(in[j+1])) {
					now[j] += scoreEnd
				}
			}
		}
		last = now
	}
	best = slices.Max(append(last, none))
	return best, best > none/2
}

// begins returns what the place of a character is worth by itself.
func begins(at int, word bool) int {
	switch {
	case at == 0:
		return scoreBegin
	case word:
		return scoreWord
	}
	return 0
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
