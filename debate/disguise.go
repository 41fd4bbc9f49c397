package debate

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
)

// disguise hides words: names, ids and models. The zero value hides nothing.
type disguise struct {
	Words   []secret      // the longest first
	Initial map[rune]bool // with which one of them begins
}

type secret struct {
	Word    []rune // folded, see folded
	Instead string
	Part    bool // of a name of several words
	Family  bool // of models: a version that follows goes with it
}

// What stands where no label does.
const (
	someModel  = "[a model]"  // several members can share one
	someMember = "[a member]" // one of those who share a word of their names
	theChair   = "the chair"
)

// disguise returns what has to be hidden in the session's prompts.
func (s Session) disguise() disguise {
	var d disguise
	if s.Mode.Label == "" {
		return d
	}
	for i, p := range s.Seats {
		d.hide(secret{Word: folded(p.Name), Instead: label(s.Mode, i+1)})
		d.hide(secret{Word: folded(string(p.ID)), Instead: label(s.Mode, i+1)})
	}
	aides := s.aides()
	for _, p := range aides {
		d.hide(secret{Word: folded(p.Name), Instead: theChair})
		d.hide(secret{Word: folded(string(p.ID)), Instead: theChair})
	}
	plain := func(word []rune) bool { return s.Mode.plain(word) }
	everyday := func(word []rune) bool { return s.everyday(word) }
	for _, p := range append(slices.Clone(s.Seats), aides...) {
		d.hideModel(p.Model, plain)
	}
	for i, p := range s.Seats {
		d.hideParts(p.Name, label(s.Mode, i+1), everyday)
	}
	for _, p := range aides {
		d.hideParts(p.Name, theChair, everyday)
	}
	slices.SortStableFunc(d.Words, func(a, b secret) int { return cmp.Compare(len(b.Word), len(a.Word)) })
	d.Initial = map[rune]bool{}
	for _, x := range d.Words {
		d.Initial[x.Word[0]] = true
	}
	return d
}

// aides are those who speak without a seat.
func (s Session) aides() []agents.Profile {
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
func (d *disguise) hide(x secret) {
	i := slices.IndexFunc(d.Words, func(y secret) bool { return slices.Equal(x.Word, y.Word) })
	switch {
	case i < 0 && len(x.Word) >= 2:
		d.Words = append(d.Words, x)
	case i >= 0 && x.Part && d.Words[i].Part && x.Instead != d.Words[i].Instead:
		d.Words[i].Instead = someMember
	}
}

// hideModel adds a model by its whole name, without whose it is, without its tag,
// and by its family.
func (d *disguise) hideModel(model string, plain func(word []rune) bool) {
	d.hide(secret{Word: folded(model), Instead: someModel})
	name := model[strings.LastIndex(model, "/")+1:]
	d.hide(secret{Word: folded(name), Instead: someModel})
	untagged, _, _ := strings.Cut(name, ":")
	d.hide(secret{Word: folded(untagged), Instead: someModel})
	for _, family := range []string{familyWord(model), Family(model)} {
		if word := folded(family); len(word) >= shortestName && !plain(word) {
			d.hide(secret{Word: word, Instead: someModel, Family: true})
		}
	}
}

// hideParts adds the words of a name of several.
func (d *disguise) hideParts(name, instead string, everyday func(word []rune) bool) {
	for _, part := range nameWords(name) {
		if len(part) >= shortestName && !everyday(part) {
			d.hide(secret{Word: part, Instead: instead, Part: true})
		}
	}
}

// nameWords are the words of a name, folded.
func nameWords(name string) [][]rune {
	var out [][]rune
	for _, w := range strings.FieldsFunc(name, func(r rune) bool { return !inWord(r) && !ignorable(r) }) {
		out = append(out, folded(w))
	}
	return out
}

// everyday reports whether a word of a name tells nobody apart: because it is
// common in any text, or because all members have it in their names.
func (s Session) everyday(word []rune) bool {
	same := func(w []rune) bool { return slices.Equal(w, word) }
	shared := !slices.ContainsFunc(s.Seats, func(p agents.Profile) bool { return !slices.ContainsFunc(nameWords(p.Name), same) })
	return shared || s.Mode.plain(word)
}

// plain reports whether a word has to stand as it is: it is part of the labels, or
// one of the words that stand in many names and in every text.
func (m Mode) plain(word []rune) bool {
	words := nameWords(strings.Join([]string{m.Label, someModel, someMember, theChair, everydayWords}, " "))
	return slices.ContainsFunc(words, func(w []rune) bool { return slices.Equal(w, word) })
}

const everydayWords = "and the for from with von van der den des del della dos das los las"

// scrub replaces every hidden word that stands by itself.
func (d disguise) scrub(text string) string {
	if len(d.Words) == 0 {
		return text
	}
	var b strings.Builder
	before := ' '
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if d.Initial[initial(text[i:i+n])] && begins(before, r) {
			if s, end := d.at(text[i:]); end > 0 {
				b.WriteString(s.Instead)
				before, _ = utf8.DecodeLastRuneInString(text[i : i+end])
				i += end
				continue
			}
		}
		b.WriteString(text[i : i+n])
		before = r
		i += n
	}
	return b.String()
}

// at returns the hidden word with which a text begins, and how long it is there.
func (d disguise) at(text string) (secret, int) {
	for _, s := range d.Words {
		end := prefixFolded(text, s.Word)
		if end == 0 {
			continue
		}
		if s.Family {
			end += version(text[end:])
		}
		last, _ := utf8.DecodeLastRuneInString(text[:end])
		next, n := utf8.DecodeRuneInString(text[end:])
		if n == 0 || ends(last, next) {
			return s, end
		}
	}
	return secret{}, 0
}

// version returns the length of the version of a model with which a text begins,
// such as "-4o" or "3.1"; 0: it does not.
func version(text string) int {
	digit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	at := 0
	if r, n := utf8.DecodeRuneInString(text); foldRune(r) == '-' {
		at = n
	}
	if !digit(at) {
		return 0
	}
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		if !inWord(r) && (r != '.' || !digit(at+1)) {
			break
		}
		at += n
	}
	return at
}

// response hides names in what a member said, as far as prompts show it.
func (d disguise) response(x Response) Response {
	if len(d.Words) == 0 {
		return x
	}
	s := &x.Statement
	s.Body, s.Position = d.scrub(s.Body), d.scrub(s.Position)
	s.Citations = slices.Clone(s.Citations)
	for i := range s.Citations {
		s.Citations[i] = d.scrub(s.Citations[i])
	}
	return x
}
