package verdict

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// Sides says which side each statement of a session takes. It is made of the labels
// that the session uses, so that it is the same wherever sides are counted.
type Sides struct {
	kind     debate.QuestionKind
	options  []string
	yesNo    bool                   // every label is a yes or a no of any language
	used     map[string]debate.Side // by folded label: the label as it was used first
	units    map[string]string      // of estimates, likewise
	grouped  map[string]debate.Side // by folded label; nil without a grouping
	grouping *debate.Grouping
}

// SidesOf returns the sides of a session, with the newest grouping of its labels.
func SidesOf(s debate.Session) Sides {
	var g *debate.Grouping
	if s.Verdict != nil {
		g = s.Verdict.Labels
	}
	for _, r := range s.History {
		if r.Consensus != nil && r.Consensus.Labels != nil {
			g = r.Consensus.Labels
		}
	}
	return sidesWith(s, g)
}

func sidesWith(s debate.Session, g *debate.Grouping) Sides {
	q := Sides{kind: s.Question, options: s.Mode.Options, used: map[string]debate.Side{}, grouping: g}
	if s.Question == debate.QuestionEstimate {
		q.units = unitsOf(s)
	}
	if s.Question != debate.QuestionOpen {
		q.grouping = nil
		return q
	}
	q.yesNo = onlyYesAndNo(s)
	for _, label := range q.labels(s) {
		q.used[statement.FoldLabel(label)] = debate.Side(label)
	}
	if g != nil {
		q.grouped = map[string]debate.Side{}
		for _, group := range g.Groups {
			for _, label := range group.Labels {
				q.grouped[statement.FoldLabel(label)] = group.Side
			}
		}
	}
	return q
}

// Labels returns the labels that are used in an open question, in the order of their
// first use, each in its first spelling.
func Labels(s debate.Session) []string { return Sides{yesNo: onlyYesAndNo(s)}.labels(s) }

func (q Sides) labels(s debate.Session) []string {
	var out []string
	seen := map[string]bool{}
	for _, r := range s.History {
		for _, x := range r.Latest() {
			if !x.HasStatement() || !IsVote(s, x) {
				continue
			}
			label := q.openLabel(x.Statement)
			if key := statement.FoldLabel(label); label != "" && !seen[key] {
				seen[key] = true
				out = append(out, label)
			}
		}
	}
	return out
}

// onlyYesAndNo reports whether every label in use is a yes or a no of any language.
func onlyYesAndNo(s debate.Session) bool {
	return !slices.ContainsFunc(Sides{}.labels(s), func(label string) bool { return statement.YesOrNo(label) == debate.Undecided })
}

// Of returns the side that a statement takes.
func (q Sides) Of(st debate.Statement) debate.Side {
	switch q.kind {
	case debate.QuestionUnset:
		return stanceSide(st)
	case debate.QuestionYesNo:
		if side := stanceSide(st); side != debate.Undecided || st.Stance != "" {
			return side
		}
		return statement.YesOrNo(st.Choice)
	case debate.QuestionChoice:
		i := optionNamed(q.options, st.Choice)
		if i < 0 {
			return debate.Undecided
		}
		return debate.Side(q.options[i])
	case debate.QuestionEstimate:
		if st.Estimate == nil {
			return debate.Undecided
		}
		return debate.Side(amount(st.Estimate.Value, q.unit(*st.Estimate)))
	case debate.QuestionOpen:
	}
	key := statement.FoldLabel(q.openLabel(st))
	if side, ok := q.grouped[key]; ok {
		return side
	}
	if side, ok := q.used[key]; ok {
		return side
	}
	return debate.Side(q.openLabel(st))
}

// Grouping returns the grouping in force, nil if nobody grouped the labels.
func (q Sides) Grouping() *debate.Grouping { return q.grouping }

// comparable reports whether it is known that two sides, unless they are equal, mean
// different answers: labels without a grouping may mean the same.
func (q Sides) comparable(a, b debate.Side) bool {
	switch {
	case q.kind != debate.QuestionOpen, a == b, a == debate.Undecided, b == debate.Undecided, isYesAndNo(a, b):
		return true
	}
	return q.covers(a) && q.covers(b)
}

func (q Sides) covers(side debate.Side) bool {
	_, ok := q.grouped[statement.FoldLabel(string(side))]
	return ok
}

// differ reports whether two tallies with different answers are known to differ: two
// majorities if they are comparable, and without both all sides, since a grouping could
// make a majority.
func (q Sides) differ(a, b debate.Tally) bool {
	if a.Majority != debate.Undecided && b.Majority != debate.Undecided {
		return q.comparable(a.Majority, b.Majority)
	}
	return q.allComparable(append(slices.Clone(a.Sides), b.Sides...))
}

func (q Sides) allComparable(sides []debate.Side) bool {
	for i, a := range sides {
		for _, b := range sides[:i] {
			if !q.comparable(a, b) {
				return false
			}
		}
	}
	return true
}

func isYesAndNo(a, b debate.Side) bool {
	x, y := statement.YesOrNo(string(a)), statement.YesOrNo(string(b))
	return x != debate.Undecided && y != debate.Undecided && x != y
}

func isYesOrNo(side debate.Side) bool { return side == debate.SideYes || side == debate.SideNo }

func stanceSide(st debate.Statement) debate.Side {
	switch st.Stance {
	case debate.Yes:
		return debate.SideYes
	case debate.No:
		return debate.SideNo
	case debate.Neutral, debate.NoStance:
	}
	return debate.Undecided
}

// openLabel returns the label of an answer to an open question, "" if it takes no side.
// Yes and no of other languages are "yes" and "no" only among their kind: Si is a label.
func (q Sides) openLabel(st debate.Statement) string {
	if !isReadable(st.Choice) {
		return string(stanceSide(st))
	}
	if statement.IsNeutral(st.Choice) {
		return ""
	}
	if side := statement.EnglishYesOrNo(st.Choice); side != debate.Undecided {
		return string(side)
	}
	if side := statement.YesOrNo(st.Choice); q.yesNo && side != debate.Undecided {
		return string(side)
	}
	return statement.TrimLabel(st.Choice)
}

func isReadable(label string) bool {
	return strings.ContainsFunc(label, func(r rune) bool { return !unicode.IsPunct(r) && !unicode.IsSpace(r) })
}

// optionNamed returns the index of the option that a label names, or -1: one that is
// equal, or else equal without case and white space, or else equal without accents and
// punctuation where that keeps all options apart.
func optionNamed(options []string, label string) int {
	for _, key := range []func(string) string{strings.TrimSpace, statement.FoldLabel, statement.BareLabel} {
		want, at, distinct := key(label), -1, map[string]bool{}
		if want == "" {
			return -1
		}
		for i, o := range options {
			if key(o) == want {
				at = i
			}
			distinct[key(o)] = true
		}
		if at >= 0 && len(distinct) == len(options) {
			return at
		}
	}
	return -1
}

func amount(v float64, unit string) string {
	number := strconv.FormatFloat(v, 'f', -1, 64)
	if v == 1 && isPlural(unit) {
		unit = text.Singular(unit)
	}
	return strings.TrimSuffix(number+" "+unit, " ")
}

// ReadGroups returns the grouping of a session's labels that an agent made. The error
// says why it cannot be used.
func ReadGroups(s debate.Session, groups [][]string, by string) (*debate.Grouping, error) {
	used := Labels(s)
	place := map[string]int{} // by folded label: its group, from 1
	for i, group := range groups {
		for _, label := range group {
			key := statement.FoldLabel(label)
			if !slices.ContainsFunc(used, func(u string) bool { return statement.FoldLabel(u) == key }) {
				return nil, unreadf("%q is not a label in use", text.Head(label, maxQuotedLength))
			}
			if place[key] != 0 && place[key] != i+1 {
				return nil, unreadf("%q is in two groups", text.Head(label, maxQuotedLength))
			}
			place[key] = i + 1
		}
	}
	out := &debate.Grouping{By: by}
	index := map[int]int{}
	for _, label := range used {
		n := place[statement.FoldLabel(label)]
		if n == 0 {
			return nil, unreadf("%q is in no group", text.Head(label, maxQuotedLength))
		}
		if _, ok := index[n]; !ok {
			index[n] = len(out.Groups)
			out.Groups = append(out.Groups, debate.LabelGroup{Side: debate.Side(label)})
		}
		g := &out.Groups[index[n]]
		g.Labels = append(g.Labels, label)
	}
	for _, g := range out.Groups {
		has := func(side debate.Side) bool {
			return slices.ContainsFunc(g.Labels, func(label string) bool { return statement.YesOrNo(label) == side })
		}
		if has(debate.SideYes) && has(debate.SideNo) {
			return nil, unreadf("it puts yes with no")
		}
		named := map[int]bool{}
		for _, label := range g.Labels {
			if i := optionNamed(s.Mode.Options, label); i >= 0 {
				named[i] = true
			}
		}
		if len(named) > 1 {
			return nil, unreadf("it puts two options into one group")
		}
	}
	return out, nil
}

// unitsOf returns the units of a session's estimates by unitKey, each as it was first used
// in the plural, or else as it was first used.
func unitsOf(s debate.Session) map[string]string {
	units := map[string]string{}
	for _, r := range s.History {
		for _, x := range r.Latest() {
			e := x.Statement.Estimate
			if e == nil || !IsVote(s, x) {
				continue
			}
			key := unitKey(e.Unit)
			if first, ok := units[key]; !ok || !isPlural(first) && isPlural(e.Unit) {
				units[key] = e.Unit
			}
		}
	}
	return units
}

func (q Sides) unit(e debate.Estimate) string {
	if unit, ok := q.units[unitKey(e.Unit)]; ok {
		return unit
	}
	return e.Unit
}

// unitKey returns what is the same for all spellings of a unit.
func unitKey(unit string) string {
	key := statement.FoldLabel(unit)
	switch key {
	case "$":
		return "usd"
	case "€":
		return "eur"
	case "£":
		return "gbp"
	}
	if isPlural(unit) {
		return strings.TrimSuffix(key, "s")
	}
	return key
}

// isPlural reports whether a unit is a word of Latin letters that ends in s. Shorter ones
// are symbols, such as ms.
func isPlural(unit string) bool {
	key := statement.FoldLabel(unit)
	foreign := strings.ContainsFunc(key, func(r rune) bool { return !unicode.Is(unicode.Latin, r) })
	return len([]rune(key)) >= 4 && strings.HasSuffix(key, "s") && !foreign
}
