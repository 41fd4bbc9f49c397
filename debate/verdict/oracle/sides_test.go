package oracle_test

import (
	"slices"
	"strings"
	"unicode"
)

var (
	yesWords     = []string{"yes", "ja", "oui", "sí", "si", "sim", "da", "はい", "是"}
	noWords      = []string{"no", "nein", "non", "não", "nyet", "いいえ", "否"}
	neutralWords = []string{
		"neutral", "undecided", "unsure", "not sure", "unclear", "unknown", "none", "none of these", "n/a", "no position", "no answer",
		"no stance", "depends", "it depends", "abstain", "maybe", "inconclusive", "cannot say", "insufficient information",
		"insufficient evidence", "tbd", "unentschieden", "kommt darauf an", "indécis", "ça dépend", "indeciso", "depende", "não sei",
		"зависит", "未定", "わからない", "不确定",
	}
	bothWords = []string{"both", "mixed", "beides", "両方"} // take no side between yes and no
)

// The letters of these words.
var (
	yesLetters     = lettersOf(yesWords)
	noLetters      = lettersOf(noWords)
	neutralLetters = lettersOf(neutralWords)
	eitherLetters  = lettersOf([]string{"yes", "no"})
)

func lettersOf(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, letters(w))
	}
	return out
}

// grouping says which labels mean the same, and by whom.
type grouping struct {
	by      string
	groups  [][]string
	inForce bool // it is not that of a member alone
}

// groupingAt returns the newest grouping by the light model in the rounds up to one; nil
// if there is none.
func groupingAt(p panel, round int) *grouping {
	var g *grouping
	for _, r := range p.rounds[:round] {
		if r.grouping != nil {
			g = &grouping{by: "the light model Light", groups: r.grouping, inForce: true}
		}
	}
	return g
}

// withChair returns the grouping, or that of a chair where there is none.
func (g *grouping) withChair(p panel) *grouping {
	switch c := p.chair; {
	case g != nil || c.absent || c.groups == nil:
		return g
	case !c.member:
		return &grouping{by: "the chair Zoe", groups: c.groups, inForce: true}
	}
	own := &grouping{by: p.names[0], groups: p.chair.groups}
	if second := secondReader(p, own); second >= 0 && p.chair.agrees {
		return &grouping{by: p.names[0] + " and " + p.names[second], groups: own.groups, inForce: true}
	}
	return own
}

// secondReader returns the seat that has to read the labels too, since a majority exists
// by the grouping of a member alone: a voter with another label, or else any; -1 for none.
func secondReader(p panel, g *grouping) int {
	n := len(voters(p))
	force := grouping{groups: g.groups, inForce: true}
	plain := newReader(p, len(p.rounds), nil)
	_, written, _, to := firstAndLast(p, plain)
	_, grouped, _, _ := firstAndLast(p, newReader(p, len(p.rounds), &force))
	if to == 0 || plain.count(written, n).majority != "" || plain.count(grouped, n).majority == "" {
		return -1
	}
	own, _ := find(written, 0)
	second := -1
	for _, v := range slices.Backward(written) {
		if v.seat != 0 && v.name != "" && v.name != own.name {
			second = v.seat
		}
	}
	for _, v := range written {
		if v.seat != 0 && second < 0 {
			second = v.seat
		}
	}
	return second
}

// reader finds the sides of a panel's votes.
type reader struct {
	panel   panel // up to the round that it is made for
	kind    string
	options []string
	labels  []label // of an open question, in the order of their first use
	yesNo   bool    // yes and no of all languages are one label each
	groups  [][]string
}

// label is a label of an open question as it was used first.
type label struct {
	text      string
	last, all int // uses in the last votes, and in all
}

// side is what a vote comes to.
type side struct {
	name  string // "" is undecided
	label string // by which the vote names its side
}

// newReader reads the labels of all votes up to a round with a grouping; nil is none.
func newReader(p panel, until int, g *grouping) reader {
	r := reader{kind: p.kind, options: p.options, panel: p}
	r.panel.rounds = p.rounds[:until]
	m := builtinMode(p.mode, p.old())
	last := 0
	for n := 1; n <= until; n++ {
		if held(p, n, m.votes, voters(p)) {
			last = n
		}
	}
	words := map[string]bool{}
	for n := 1; n <= until; n++ {
		for _, v := range votesOf(p, n) {
			text := openLabel(v.means)
			if p.kind != "open" || text == "" {
				continue
			}
			i := slices.IndexFunc(r.labels, func(l label) bool { return sameText(l.text, text) })
			if i < 0 {
				i = len(r.labels)
				r.labels = append(r.labels, label{text: text})
			}
			r.labels[i].all++
			if n == last && v.phase == m.votes {
				r.labels[i].last++
			}
			words[yesOrNo(text).name] = true
			r.yesNo = r.yesNo || isWord(eitherLetters, text)
		}
	}
	r.yesNo = r.yesNo || words["yes"] && words["no"]
	if g != nil && g.inForce {
		r.groups = g.groups
	}
	return r
}

// openLabel returns the label of a vote on an open question; "" if it takes no side.
func openLabel(m meaning) string {
	switch text := trimmed(m.choice); {
	case letters(text) == "":
		return yesOrNo(m.stance).name
	case isWord(neutralLetters, text):
		return ""
	case isWord(eitherLetters, text):
		return letters(text)
	default:
		return text
	}
}

// linked reports whether two labels mean the same by themselves or by a group that has both.
func (r reader) linked(a, b string) bool {
	x, y := yesOrNo(a).name, yesOrNo(b).name
	if sameText(a, b) || r.yesNo && x != "" && x == y {
		return true
	}
	return slices.ContainsFunc(r.groups, func(g []string) bool { return hasLabel(g, a) && hasLabel(g, b) })
}

// sameAs returns all labels that mean the same as one, itself included.
func (r reader) sameAs(text string) []label {
	class := []string{text}
	for i := 0; i < len(class); i++ {
		for _, l := range r.labels {
			if r.linked(class[i], l.text) && !hasLabel(class, l.text) {
				class = append(class, l.text)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(r.labels), func(l label) bool { return !hasLabel(class, l.text) })
}

// named returns the side of a label, which has the name of the label that is used most.
func (r reader) named(text string) side {
	if text == "" {
		return side{}
	}
	class := r.sameAs(text)
	best := class[0]
	for _, l := range class[1:] {
		if l.last > best.last || l.last == best.last && l.all > best.all {
			best = l
		}
	}
	return side{best.text, text}
}

func hasLabel(list []string, text string) bool {
	return slices.ContainsFunc(list, func(l string) bool { return sameText(l, text) })
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
		e := r.figure(m)
		if e == nil {
			return side{}
		}
		name := withUnit(e.value, r.unitName(e.unit))
		return side{name, name}
	case "open":
		return r.named(openLabel(m))
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

// comparable reports whether it is known whether two sides mean the same: they are no
// labels of an open question, a yes and a no of any language, or the grouping has both.
func (r reader) comparable(a, b string) bool {
	x, y := yesOrNo(a).name, yesOrNo(b).name
	return r.kind != "open" || x != "" && y != "" && x != y || r.isGrouped(a) && r.isGrouped(b)
}

func (r reader) isGrouped(text string) bool {
	return slices.ContainsFunc(r.groups, func(g []string) bool { return hasLabel(g, text) })
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
var plain = strings.NewReplacer("é", "e", "ç", "c", "è", "e", "ü", "u", "ö", "o", "ñ", "n", "à", "a", "í", "i", "ã", "a")

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
