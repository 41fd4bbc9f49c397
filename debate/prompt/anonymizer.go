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

// newAnonymizer returns what has to be hidden in the session's prompts.
func newAnonymizer(s debate.Session) Anonymizer {
	var d Anonymizer
	if s.Mode.Label == "" {
		return d
	}
	for i, p := range s.Seats {
		d.hide(secret{Word: text.Folded(p.Name), Instead: debate.SeatLabel(s.Mode, i+1)})
		d.hide(secret{Word: text.Folded(string(p.ID)), Instead: debate.SeatLabel(s.Mode, i+1)})
	}
	aides := aides(s)
	for _, p := range aides {
		d.hide(secret{Word: text.Folded(p.Name), Instead: theChair})
		d.hide(secret{Word: text.Folded(string(p.ID)), Instead: theChair})
	}
	plain := func(word []rune) bool { return plain(s.Mode, word) }
	everyday := func(word []rune) bool { return everyday(s, word) }
	for _, p := range append(slices.Clone(s.Seats), aides...) {
		d.hideModel(p.Model, plain)
	}
	for i, p := range s.Seats {
		d.hideParts(p.Name, debate.SeatLabel(s.Mode, i+1), everyday)
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
func aides(s debate.Session) []agents.Profile {
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
func (d *Anonymizer) hide(x secret) {
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
func (d *Anonymizer) hideModel(model string, plain func(word []rune) bool) {
	d.hide(secret{Word: text.Folded(model), Instead: someModel})
	name := model[strings.LastIndex(model, "/")+1:]
	d.hide(secret{Word: text.Folded(name), Instead: someModel})
	untagged, _, _ := strings.Cut(name, ":")
	d.hide(secret{Word: text.Folded(untagged), Instead: someModel})
	for _, family := range []string{debate.FamilyWord(model), debate.Family(model)} {
		if word := text.Folded(family); len(word) >= debate.MinNameLength && !plain(word) {
			d.hide(secret{Word: word, Instead: someModel, Family: true})
		}
	}
}

// hideParts adds the words of a name of several.
func (d *Anonymizer) hideParts(name, instead string, everyday func(word []rune) bool) {
	for _, part := range nameWords(name) {
		if len(part) >= debate.MinNameLength && !everyday(part) {
			d.hide(secret{Word: part, Instead: instead, Part: true})
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

// everyday reports whether a word of a name tells nobody apart: because it is
// common in any text, or because all members have it in their names.
func everyday(s debate.Session, word []rune) bool {
	same := func(w []rune) bool { return slices.Equal(w, word) }
	shared := !slices.ContainsFunc(s.Seats, func(p agents.Profile) bool { return !slices.ContainsFunc(nameWords(p.Name), same) })
	return shared || plain(s.Mode, word)
}

// plain reports whether a word has to stand as it is: it is part of the labels, or
// one of the words that stand in many names and in every text.
func plain(m debate.Mode, word []rune) bool {
	words := nameWords(strings.Join([]string{m.Label, someModel, someMember, theChair, everydayWords}, " "))
	return slices.ContainsFunc(words, func(w []rune) bool { return slices.Equal(w, word) })
}

const everydayWords = "and the for from with von van der den des del della dos das los las"

// Scrub replaces every hidden word that stands by itself.
func (d Anonymizer) Scrub(raw string) string {
	if len(d.Words) == 0 {
		return raw
	}
	var b strings.Builder
	before := ' '
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRuneInString(raw[i:])
		if d.Initial[text.Initial(raw[i:i+n])] && text.Begins(before, r) {
			if s, end := d.at(raw[i:]); end > 0 {
				b.WriteString(s.Instead)
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

// at returns the hidden word with which a text begins, and how long it is there.
func (d Anonymizer) at(raw string) (secret, int) {
	for _, s := range d.Words {
		end := text.PrefixFolded(raw, s.Word)
		if end == 0 {
			continue
		}
		if s.Family {
			end += version(raw[end:])
		}
		last, _ := utf8.DecodeLastRuneInString(raw[:end])
		next, n := utf8.DecodeRuneInString(raw[end:])
		if n == 0 || text.Ends(last, next) {
			return s, end
		}
	}
	return secret{}, 0
}

// version returns the length of the version of a model with which a text begins,
// such as "-4o" or "3.1"; 0: it does not.
func version(raw string) int {
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

// response hides names in what a member said, as far as prompts show it.
func (d Anonymizer) response(x debate.Response) debate.Response {
	if len(d.Words) == 0 {
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

// Scrub returns what an agent wrote, or a tool brought, as it may stand in a
// prompt: where the mode hides names it has labels for names, their words, and
// ids, as whole words in whatever case, and no model's name or family.
func Scrub(s debate.Session, text string) string { return newAnonymizer(s).Scrub(text) }
