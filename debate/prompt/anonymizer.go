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
	words []hiddenWord // longest first
}

type hiddenWord struct {
	word          string // folded, see text.FoldName
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
		anon.hide(p.Name, hiddenWord{replacement: label(p)})
		anon.hide(string(p.ID), hiddenWord{replacement: label(p)})
	}
	for _, p := range speakers {
		anon.hideModel(p.Model)
	}
	for _, c := range s.AsOf(len(s.History)).ModelChanges() {
		anon.hideModel(c.Was.Model)
	}
	slices.SortStableFunc(anon.words, func(a, b hiddenWord) int { return cmp.Compare(len(b.word), len(a.word)) })
	return anon
}

func (a *Anonymizer) hide(name string, x hiddenWord) {
	folded, _ := text.FoldName(name)
	x.word = strings.TrimSpace(folded)
	least := 2
	if x.isModelFamily {
		least = debate.MinNameLength
	}
	if utf8.RuneCountInString(x.word) >= least && !slices.ContainsFunc(a.words, func(y hiddenWord) bool { return x.word == y.word }) {
		a.words = append(a.words, x)
	}
}

func (a *Anonymizer) hideModel(model string) {
	name := model[strings.LastIndex(model, "/")+1:]
	untagged, _, _ := strings.Cut(name, ":")
	for _, name := range []string{model, name, untagged} {
		a.hide(name, hiddenWord{replacement: modelPlaceholder})
	}
	for _, family := range []string{debate.ModelNamePrefix(model), debate.ModelFamily(model)} {
		a.hide(family, hiddenWord{replacement: modelPlaceholder, isModelFamily: true})
	}
}

// Scrub replaces every hidden word that is not part of a longer one.
func (a Anonymizer) Scrub(raw string) string {
	if len(a.words) == 0 {
		return raw
	}
	folded, offsets := text.FoldName(raw)
	var b strings.Builder
	done, before := 0, ' '
	for i := 0; i < len(folded); {
		first, n := utf8.DecodeRuneInString(folded[i:])
		if x, end := a.match(folded, offsets, i); end > 0 && text.Begins(before, first) {
			b.WriteString(raw[done:offsets[i]] + x.replacement)
			done, n = offsets[end], end-i
		}
		before, _ = utf8.DecodeLastRuneInString(folded[:i+n])
		i += n
	}
	return b.String() + raw[done:]
}

// match returns the hidden word that begins at an offset, and its end; 0 if none does.
func (a Anonymizer) match(folded string, offsets []int, at int) (hiddenWord, int) {
	for _, x := range a.words {
		if !strings.HasPrefix(folded[at:], x.word) || at > 0 && offsets[at] == offsets[at-1] {
			continue
		}
		end := at + len(x.word)
		if x.isModelFamily {
			end += len(version().FindString(folded[end:]))
		}
		last, _ := utf8.DecodeLastRuneInString(folded[:end])
		next, n := utf8.DecodeRuneInString(folded[end:])
		if n == 0 || text.Ends(last, next) && offsets[end] != offsets[end-1] {
			return x, end
		}
	}
	return hiddenWord{}, 0
}

// version matches the version of a model, such as "-4o" or "3.1".
var version = text.Regexp(`\A-?\d(?:[\p{L}\p{M}\p{Nd}]|\.\d)*`)

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
