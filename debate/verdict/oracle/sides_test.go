package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

var (
	yesWords     = []string{"yes", "ja", "oui", "sí", "si", "sim", "da", "はい", "是"}
	noWords      = []string{"no", "nein", "non", "não", "nyet", "いいえ", "否"}
	neutralWords = []string{
		"neutral", "undecided", "unsure", "not sure", "unclear", "unknown", "none", "none of these", "n/a", "no position", "no answer",
		"no stance", "depends", "it depends", "abstain",
	}
)

// The letters of these words.
var (
	yesLetters     = lettersOf(yesWords)
	noLetters      = lettersOf(noWords)
	neutralLetters = lettersOf(neutralWords)
)

func lettersOf(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, letters(w))
	}
	return out
}

// reader finds the sides of a panel's votes.
type reader struct {
	panel    panel // up to the round that it is made for
	kind     string
	options  []string
	labels   []string   // of an open question, as they were used first
	words    bool       // every label is a yes or a no of some language
	grouping [][]string // the newest
}

// side is what a vote comes to.
type side struct {
	name  string // "" is undecided
	label string // by which the vote names its side
}

// newReader reads the labels of all votes up to a round, with the newest grouping of the
// rounds up to another one.
func newReader(p panel, until, grouped int) reader {
	r := reader{kind: p.kind, options: p.options, words: true, panel: p}
	r.panel.rounds = p.rounds[:until]
	for n := 1; n <= until; n++ {
		for _, v := range votesOf(p, n) {
			if word := trimmed(v.means.choice); word != "" && !isWord(neutralLetters, word) && yesOrNo(word).name == "" {
				r.words = false
			}
		}
	}
	for n := 1; n <= until; n++ {
		for _, v := range votesOf(p, n) {
			if label, ok := r.openLabel(v.means); ok && !slices.ContainsFunc(r.labels, func(l string) bool { return sameText(l, label) }) {
				r.labels = append(r.labels, label)
			}
		}
		if g := p.rounds[n-1].grouping; g != nil && n <= grouped {
			r.grouping = g
		}
	}
	return r
}

// votesOf returns all votes of a round, those of a poll before the debate included, in
// the order in which they were cast.
func votesOf(p panel, round int) []turn {
	m := builtinMode(p.mode, p.old())
	var out []turn
	for _, phase := range m.votePhases() {
		for _, seat := range stepOrder(p, round, phase) {
			if t, ok := p.spoken(round, phase, seat); ok && slices.Contains(voters(p), seat) {
				out = append(out, t)
			}
		}
	}
	return out
}

// openLabel returns the label of a vote on an open question, if it has one that is
// neither a yes nor a no.
func (r reader) openLabel(m meaning) (string, bool) {
	label := trimmed(m.choice)
	if r.kind != "open" || label == "" || isWord(neutralLetters, label) {
		return "", false
	}
	if word := letters(label); word == "yes" || word == "no" || r.words {
		return "", false
	}
	return label, true
}

// read returns the side of a vote.
func (r reader) read(m meaning) side {
	switch r.kind {
	case "yes-no":
		if m.stance != "" {
			return yesOrNo(m.stance)
		}
		return yesOrNo(m.choice)
	case "choice":
		name := r.option(m.choice)
		return side{name, name}
	case "estimate":
		if m.estimate == nil {
			return side{}
		}
		name := withUnit(fmt.Sprint(m.estimate.value), unitName(r.panel, oneUnit(m.estimate.unit)))
		return side{name, name}
	case "open":
		label, ok := r.openLabel(m)
		switch {
		case ok:
			return r.grouped(r.firstUse(label))
		case trimmed(m.choice) != "":
			return yesOrNo(m.choice)
		default:
			return yesOrNo(m.stance)
		}
	default: // a session of an earlier version
		switch word := strings.ToLower(strings.TrimSpace(m.stance)); word {
		case "yes", "no":
			return side{word, word}
		}
		return side{}
	}
}

func yesOrNo(word string) side {
	switch {
	case isWord(yesLetters, word):
		return side{"yes", "yes"}
	case isWord(noLetters, word):
		return side{"no", "no"}
	default:
		return side{}
	}
}

// isWord reports whether a word is in a list, regardless of case, accents and
// punctuation.
func isWord(list []string, word string) bool {
	l := letters(word)
	return l != "" && slices.Contains(list, l)
}

// trimmed returns a label without what does not belong to it, cut at 40 characters.
func trimmed(label string) string {
	label = strings.Trim(label, " \t\n\"'`*_.,:!")
	if runes := []rune(label); len(runes) > 40 {
		return string(runes[:39]) + "…"
	}
	return label
}

// option returns the option that a label names; "" if it names none.
func (r reader) option(label string) string {
	label = trimmed(label)
	for _, same := range []func(a, b string) bool{equalText, sameText, sameLetters} {
		for i, o := range r.options {
			twice := slices.ContainsFunc(r.options[i+1:], func(other string) bool { return same(o, other) })
			twice = twice || slices.ContainsFunc(r.options[:i], func(other string) bool { return same(o, other) })
			if same(label, o) && !twice {
				return o
			}
		}
	}
	return ""
}

func (r reader) firstUse(label string) string {
	for _, l := range r.labels {
		if sameText(l, label) {
			return l
		}
	}
	return label
}

// grouped returns the side of a label: the first label of its group.
func (r reader) grouped(label string) side {
	for _, g := range r.grouping {
		if slices.ContainsFunc(g, func(l string) bool { return sameText(l, label) }) {
			for _, l := range r.labels {
				if slices.ContainsFunc(g, func(m string) bool { return sameText(l, m) }) {
					return side{l, label}
				}
			}
		}
	}
	return side{label, label}
}

// comparable reports whether it is known whether two labels mean the same: they are no
// labels of an open question, a yes and a no of any language, or both in the grouping.
func (r reader) comparable(a, b string) bool {
	x, y := yesOrNo(a).name, yesOrNo(b).name
	return r.kind != "open" || x != "" && y != "" && x != y || r.inGrouping(a) && r.inGrouping(b)
}

func (r reader) inGrouping(label string) bool {
	for _, g := range r.grouping {
		if slices.ContainsFunc(g, func(l string) bool { return sameText(l, label) }) {
			return true
		}
	}
	return false
}

func equalText(a, b string) bool { return a == b }

// sameText compares without case and white space.
func sameText(a, b string) bool { return folded(a) == folded(b) }

func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// plain has the letters with accents that the generator and the words of this file use.
var plain = strings.NewReplacer("é", "e", "è", "e", "ü", "u", "ö", "o", "ñ", "n", "à", "a", "í", "i", "ã", "a")

// sameLetters compares without accents and punctuation too.
func sameLetters(a, b string) bool { return letters(a) != "" && letters(a) == letters(b) }

// letters returns a text without case, white space, accents and punctuation.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || unicode.IsSymbol(r) {
			return -1
		}
		return r
	}, plain.Replace(folded(s)))
}
