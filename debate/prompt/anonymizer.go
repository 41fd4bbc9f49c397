package prompt

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Anonymizer hides words: names, ids and models. The zero value hides nothing.
type Anonymizer struct {
	words    []hiddenWord  // the longest first
	initials map[rune]bool // with which one of them begins
}

type hiddenWord struct {
	word          []rune // folded, see folded
	replacement   string
	isNamePart    bool // of a name of several words
	isModelFamily bool // of models: a version that follows goes with it
}

// What stands where no label does.
const (
	modelPlaceholder  = "[a model]"  // several members can share one
	memberPlaceholder = "[a member]" // one of those who share a word of their names
	chairPlaceholder  = "the chair"
)

// newAnonymizer returns what has to be hidden in the session's prompts.
func NewAnonymizer(s debate.Session) Anonymizer {
	var d Anonymizer
	if s.Mode.Label == "" {
		return d
	}
	for i, p := range s.Seats {
		d.hide(hiddenWord{word: text.Folded(p.Name), replacement: debate.SeatLabel(s.Mode, i+1)})
		d.hide(hiddenWord{word: text.Folded(string(p.ID)), replacement: debate.SeatLabel(s.Mode, i+1)})
	}
	aides := unseatedSpeakers(s)
	for _, p := range aides {
		d.hide(hiddenWord{word: text.Folded(p.Name), replacement: chairPlaceholder})
		d.hide(hiddenWord{word: text.Folded(string(p.ID)), replacement: chairPlaceholder})
	}
	plain := func(word []rune) bool { return mustStay(s.Mode, word) }
	everyday := func(word []rune) bool { return isCommonNamePart(s, word) }
	for _, p := range append(slices.Clone(s.Seats), aides...) {
		d.hideModel(p.Model, plain)
	}
	for i, p := range s.Seats {
		d.hideNameParts(p.Name, debate.SeatLabel(s.Mode, i+1), everyday)
	}
	for _, p := range aides {
		d.hideNameParts(p.Name, chairPlaceholder, everyday)
	}
	slices.SortStableFunc(d.words, func(a, b hiddenWord) int { return cmp.Compare(len(b.word), len(a.word)) })
	d.initials = map[rune]bool{}
	for _, x := range d.words {
		d.initials[x.word[0]] = true
	}
	return d
}

// unseatedSpeakers are those who speak without a seat.
func unseatedSpeakers(s debate.Session) []agents.Profile {
	var out []agents.Profile
	for _, p := range []*agents.Profile{s.Chair, s.Light} {
		if p == nil {
			continue
		}
		if _, seat := s.Seat(p.ID); seat == 0 {
			out = append(out, *p)
		}
	}
	return out
}

// hide adds a word, unless it is hidden already. A part that several names share
// stands for none of them.
func (d *Anonymizer) hide(x hiddenWord) {
	i := slices.IndexFunc(d.words, func(y hiddenWord) bool { return slices.Equal(x.word, y.word) })
	switch {
	case i < 0 && len(x.word) >= 2:
		d.words = append(d.words, x)
	case i >= 0 && x.isNamePart && d.words[i].isNamePart && x.replacement != d.words[i].replacement:
		d.words[i].replacement = memberPlaceholder
	}
}

// hideModel adds a model by its whole name, without whose it is, without its tag,
// and by its family.
func (d *Anonymizer) hideModel(model string, plain func(word []rune) bool) {
	d.hide(hiddenWord{word: text.Folded(model), replacement: modelPlaceholder})
	name := model[strings.LastIndex(model, "/")+1:]
	d.hide(hiddenWord{word: text.Folded(name), replacement: modelPlaceholder})
	untagged, _, _ := strings.Cut(name, ":")
	d.hide(hiddenWord{word: text.Folded(untagged), replacement: modelPlaceholder})
	for _, family := range []string{debate.ModelNamePrefix(model), debate.ModelFamily(model)} {
		if word := text.Folded(family); len(word) >= debate.MinNameLength && !plain(word) {
			d.hide(hiddenWord{word: word, replacement: modelPlaceholder, isModelFamily: true})
		}
	}
}

// hideNameParts adds the words of a name of several.
func (d *Anonymizer) hideNameParts(name, instead string, everyday func(word []rune) bool) {
	for _, part := range nameWords(name) {
		if len(part) >= debate.MinNameLength && !everyday(part) {
			d.hide(hiddenWord{word: part, replacement: instead, isNamePart: true})
		}
	}
}

// nameWords are the words of a name, folded.
func nameWords(name string) [][]rune {
	var out [][]rune
	for _, w := range strings.FieldsFunc(name, func(r rune) bool { return !text.InWord(r) && !text.Ignorable(r) }) {
		out = append(out, text.Folded(w))
	}
	return out
}

// isCommonNamePart reports whether a word of a name tells nobody apart: because it is
// common in any text, or because all members have it in their names.
func isCommonNamePart(s debate.Session, word []rune) bool {
	same := func(w []rune) bool { return slices.Equal(w, word) }
	shared := !slices.ContainsFunc(s.Seats, func(p agents.Profile) bool { return !slices.ContainsFunc(nameWords(p.Name), same) })
	return shared || mustStay(s.Mode, word)
}

// mustStay reports whether a word has to stand as it is: it is part of the labels, or
// one of the words that stand in many names and in every text.
func mustStay(m debate.Mode, word []rune) bool {
	words := nameWords(strings.Join([]string{m.Label, modelPlaceholder, memberPlaceholder, chairPlaceholder, everydayWords}, " "))
	return slices.ContainsFunc(words, func(w []rune) bool { return slices.Equal(w, word) })
}

const everydayWords = "and the for from with von van der den des del della dos das los las"

// Scrub replaces every hidden word that stands by itself.
func (d Anonymizer) Scrub(raw string) string {
	if len(d.words) == 0 {
		return raw
	}
	var b strings.Builder
	before := ' '
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRuneInString(raw[i:])
		if d.initials[text.Initial(raw[i:i+n])] && text.Begins(before, r) {
			if s, end := d.match(raw[i:]); end > 0 {
				b.WriteString(s.replacement)
				before, _ = utf8.DecodeLastRuneInString(raw[i : i+end])
				i += end
				continue
			}
		}
		b.WriteString(raw[i : i+n])
		before = r
		i += n
	}
	return b.String()
}

// match returns the hidden word with which a text begins, and how long it is there.
func (d Anonymizer) match(raw string) (hiddenWord, int) {
	for _, s := range d.words {
		end := text.PrefixFolded(raw, s.word)
		if end == 0 {
			continue
		}
		if s.isModelFamily {
			end += versionLength(raw[end:])
		}
		last, _ := utf8.DecodeLastRuneInString(raw[:end])
		next, n := utf8.DecodeRuneInString(raw[end:])
		if n == 0 || text.Ends(last, next) {
			return s, end
		}
	}
	return hiddenWord{}, 0
}

// versionLength returns the length of the version of a model with which a text begins,
// such as "-4o" or "3.1"; 0: it does not.
func versionLength(raw string) int {
	digit := func(i int) bool { return i < len(raw) && raw[i] >= '0' && raw[i] <= '9' }
	at := 0
	if r, n := utf8.DecodeRuneInString(raw); text.FoldRune(r) == '-' {
		at = n
	}
	if !digit(at) {
		return 0
	}
	for at < len(raw) {
		r, n := utf8.DecodeRuneInString(raw[at:])
		if !text.InWord(r) && (r != '.' || !digit(at+1)) {
			break
		}
		at += n
	}
	return at
}

// scrubResponse hides names in what a member said, as far as prompts show it.
func (d Anonymizer) scrubResponse(x debate.Response) debate.Response {
	if len(d.words) == 0 {
		return x
	}
	s := &x.Statement
	s.Body, s.Position = d.Scrub(s.Body), d.Scrub(s.Position)
	s.Citations = slices.Clone(s.Citations)
	for i := range s.Citations {
		s.Citations[i] = d.Scrub(s.Citations[i])
	}
	return x
}
