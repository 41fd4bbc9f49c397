package debate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"roundtable/agents"
)

// shortestName is the fewest characters of a name that can be told from other
// words, where names are hidden.
const shortestName = 3

// Admits returns an error where the mode cannot be played by a panel: for its
// size, or for names that could not be hidden without hiding other words.
func (m Mode) Admits(panel []agents.Profile) error {
	if err := m.Fits(len(panel)); err != nil {
		return err
	}
	return m.hides(panel)
}

// hides returns an error where a name or an id could not be hidden.
func (m Mode) hides(panel []agents.Profile) error {
	if m.Label == "" {
		return nil
	}
	for _, p := range panel {
		for _, name := range []string{p.Name, string(p.ID)} {
			if utf8.RuneCountInString(name) < shortestName {
				return fmt.Errorf("mode %s hides who the members are, and the name %q is too short to be told from other words; give that agent a name and an id of %d letters or more", m.Name, name, shortestName)
			}
		}
	}
	return nil
}

// Called returns what an agent is called in prompts: its name, or its label where
// the mode hides names.
func (s Session) Called(id agents.ID) string {
	p, seat := s.Seat(id)
	switch {
	case seat > 0 && s.Mode.Label != "":
		return label(s.Mode, seat)
	case seat > 0:
		return p.Name
	case s.Mode.Label != "":
		return "the chair"
	default:
		return s.nameOf(id)
	}
}

// label is stable: a seat has the same one in all rounds.
func label(m Mode, seat int) string { return fmt.Sprintf("%s %d", m.Label, seat) }

// Scrubbed returns what an agent wrote, or a tool brought, as it may stand in a
// prompt: where the mode hides names it has labels for names and ids, as whole
// words in whatever case, and no model's name.
func (s Session) Scrubbed(text string) string { return s.disguise().scrub(text) }

// disguise hides words: names, ids and models. The zero value hides nothing.
type disguise struct {
	Words   []secret      // the longest first
	Initial map[rune]bool // runes with which one of them begins
}

type secret struct{ Word, Instead string }

// someModel stands for the name of a model, which several members can share.
const someModel = "[a model]"

// disguise returns what has to be hidden in the session's prompts.
func (s Session) disguise() disguise {
	var d disguise
	if s.Mode.Label == "" {
		return d
	}
	d.Initial = map[rune]bool{}
	for i, p := range s.Seats {
		d.hide(p.Name, label(s.Mode, i+1))
		d.hide(string(p.ID), label(s.Mode, i+1))
	}
	for _, p := range append(slices.Clone(s.Seats), s.aides()...) {
		d.hide(p.Model, someModel)
		d.hide(p.Model[strings.LastIndex(p.Model, "/")+1:], someModel)
	}
	for _, p := range s.aides() {
		d.hide(p.Name, "the chair")
		d.hide(string(p.ID), "the chair")
	}
	slices.SortStableFunc(d.Words, func(a, b secret) int { return cmp.Compare(len(b.Word), len(a.Word)) })
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

func (d *disguise) hide(word, instead string) {
	word = strings.TrimSpace(word)
	for _, form := range []string{norm.NFC.String(word), norm.NFD.String(word)} {
		known := slices.ContainsFunc(d.Words, func(s secret) bool { return strings.EqualFold(s.Word, form) })
		if utf8.RuneCountInString(form) < 2 || known {
			continue
		}
		d.Words = append(d.Words, secret{form, instead})
		r, _ := utf8.DecodeRuneInString(form)
		d.Initial[foldRune(r)] = true
	}
}

// scrub replaces every hidden word that stands by itself.
func (d disguise) scrub(text string) string {
	if len(d.Words) == 0 {
		return text
	}
	var b strings.Builder
	before := rune(' ')
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if d.Initial[foldRune(r)] && !inWord(before) {
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
		end := prefixFold(text, s.Word)
		if end == 0 {
			continue
		}
		if next, n := utf8.DecodeRuneInString(text[end:]); n == 0 || !inWord(next) {
			return s, end
		}
	}
	return secret{}, 0
}

// prefixFold returns the length of word at the beginning of a text, whatever its
// case; 0: it is not there.
func prefixFold(text, word string) int {
	at := 0
	for _, w := range word {
		r, n := utf8.DecodeRuneInString(text[at:])
		if n == 0 || foldRune(r) != foldRune(w) {
			return 0
		}
		at += n
	}
	return at
}

// foldRune returns the same rune for all cases of a letter.
func foldRune(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

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
