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

// Anonymizer hides names, ids and models. The zero value hides nothing.
type Anonymizer struct {
	words    []hiddenWord  // longest first
	initials map[rune]bool // first letters of the words
}

type hiddenWord struct {
	word          []rune // folded, see text.Folded
	replacement   string
	isModelFamily bool // a version that follows is hidden too
}

// Replacements where there is not a label.
const (
	modelPlaceholder = "[a model]" // several members can share one
	chairPlaceholder = "the chair"
)

// NewAnonymizer returns an Anonymizer for a session's prompts. Where the mode hides
// names it replaces names and ids by labels, as whole words in any case,
// and hides models and their families.
func NewAnonymizer(s debate.Session) Anonymizer {
	var anon Anonymizer
	if s.Mode.Label == "" {
		return anon
	}
	speakers := s.Speakers()
	label := func(p agents.Profile) string {
		if _, seat := s.Seat(p.ID); seat > 0 {
			return s.Mode.SeatLabel(seat)
		}
		return chairPlaceholder
	}
	for _, p := range speakers {
		anon.hide(hiddenWord{word: text.FoldName(p.Name), replacement: label(p)})
		anon.hide(hiddenWord{word: text.FoldName(string(p.ID)), replacement: label(p)})
	}
	for _, p := range speakers {
		anon.hideModel(p.Model)
	}
	for _, c := range s.AsOf(len(s.History)).ModelChanges() {
		anon.hideModel(c.Was.Model)
	}
	slices.SortStableFunc(anon.words, func(a, b hiddenWord) int { return cmp.Compare(len(b.word), len(a.word)) })
	anon.initials = map[rune]bool{}
	for _, x := range anon.words {
		anon.initials[x.word[0]] = true
	}
	return anon
}

func (a *Anonymizer) hide(x hiddenWord) {
	if len(x.word) >= 2 && !slices.ContainsFunc(a.words, func(y hiddenWord) bool { return slices.Equal(x.word, y.word) }) {
		a.words = append(a.words, x)
	}
}

func (a *Anonymizer) hideModel(model string) {
	a.hide(hiddenWord{word: text.FoldName(model), replacement: modelPlaceholder})
	name := model[strings.LastIndex(model, "/")+1:]
	a.hide(hiddenWord{word: text.FoldName(name), replacement: modelPlaceholder})
	untagged, _, _ := strings.Cut(name, ":")
	a.hide(hiddenWord{word: text.FoldName(untagged), replacement: modelPlaceholder})
	for _, family := range []string{debate.ModelNamePrefix(model), debate.ModelFamily(model)} {
		if word := text.FoldName(family); len(word) >= debate.MinNameLength {
			a.hide(hiddenWord{word: word, replacement: modelPlaceholder, isModelFamily: true})
		}
	}
}

// Scrub replaces every hidden word that is not part of a longer one.
func (a Anonymizer) Scrub(raw string) string {
	if len(a.words) == 0 {
		return raw
	}
	var b strings.Builder
	before := ' '
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRuneInString(raw[i:])
		if a.initials[text.Initial(raw[i:i+n])] && text.Begins(before, r) {
			if s, end := a.match(raw[i:]); end > 0 {
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

func (a Anonymizer) match(raw string) (hiddenWord, int) {
	for _, s := range a.words {
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

// versionLength returns the length of the model version that a text begins with, such as
// "-4o" or "3.1"; 0 if there is none.
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

func (a Anonymizer) scrubResponse(x debate.Response) debate.Response {
	if len(a.words) == 0 {
		return x
	}
	s := &x.Statement
	s.Body, s.Position, s.Vote = a.Scrub(s.Body), a.Scrub(s.Position), a.Scrub(s.Vote)
	s.Citations = slices.Clone(s.Citations)
	for i := range s.Citations {
		s.Citations[i] = a.Scrub(s.Citations[i])
	}
	return x
}
