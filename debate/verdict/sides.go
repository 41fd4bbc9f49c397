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
	kind       debate.QuestionKind
	options    []string
	units      map[string]string // of estimates by statement.UnitKey, each as it is written
	separators statement.Separators
	classes    map[string]string      // by folded label of an open question: what is the same for all labels of a side
	names      map[string]debate.Side // by class: its most used label
}

// SidesOf returns the sides of a session.
func SidesOf(s debate.Session) Sides {
	q := Sides{kind: s.Question, options: s.Mode.Options}
	switch s.Question {
	case debate.QuestionEstimate:
		q.units, q.separators = unitsOf(s)
	case debate.QuestionOpen:
		q.readLabels(s)
	case debate.QuestionUnset, debate.QuestionYesNo, debate.QuestionChoice:
	}
	return q
}

// readLabels sets what is the same answer to an open question, and how it is called: by
// the label that is used most in the last votes, or else in all, or else was used first.
func (q *Sides) readLabels(s debate.Session) {
	used := labelsIn(s)
	q.classes, q.names = map[string]string{}, map[string]debate.Side{}
	yesNo := mapsYesAndNo(used)
	for _, u := range used {
		q.classes[u.key] = u.key
		if side := statement.YesOrNo(u.label); yesNo && side != debate.Undecided {
			q.classes[u.key] = "= " + string(side)
		}
	}
	best := map[string]labelUse{}
	for _, u := range used {
		class := q.classes[u.key]
		if b, ok := best[class]; !ok || u.last > b.last || u.last == b.last && u.all > b.all {
			best[class] = u
			q.names[class] = debate.Side(u.label)
		}
	}
}

// labelUse is a label of an open question in its first spelling, with how often it is used
// in the last votes and in all.
type labelUse struct {
	key, label string
	last, all  int
}

// labelsIn returns the labels that are used in an open question, in the order of their
// first use.
func labelsIn(s debate.Session) []labelUse {
	var out []labelUse
	lastRound := lastHeld(s)
	for _, r := range s.History {
		for _, x := range r.Latest() {
			if !x.HasStatement() || !IsVote(s, x) {
				continue
			}
			label := openLabel(x.Statement)
			key := statement.FoldLabel(label)
			if label == "" {
				continue
			}
			i := slices.IndexFunc(out, func(u labelUse) bool { return u.key == key })
			if i < 0 {
				i = len(out)
				out = append(out, labelUse{key: key, label: label})
			}
			out[i].all++
			if r.Number == lastRound && x.Phase == s.Mode.Votes {
				out[i].last++
			}
		}
	}
	return out
}

// mapsYesAndNo reports whether yes and no of all languages count as such: where an English
// one is in use, or both a yes and a no. Beside GaN, Si is a label.
func mapsYesAndNo(used []labelUse) bool {
	seen := map[debate.Side]bool{}
	for _, u := range used {
		if statement.EnglishYesOrNo(u.label) != debate.Undecided {
			return true
		}
		seen[statement.YesOrNo(u.label)] = true
	}
	return seen[debate.SideYes] && seen[debate.SideNo]
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
		e := q.estimate(st)
		if e == nil {
			return debate.Undecided
		}
		return debate.Side(amount(e.Value, q.unit(*e)))
	case debate.QuestionOpen:
	}
	if class, ok := q.classes[statement.FoldLabel(openLabel(st))]; ok {
		if side, ok := q.names[class]; ok {
			return side
		}
	}
	return debate.Side(openLabel(st))
}

// estimate returns the estimate of a statement; nil if there is none, or if the other
// figures of the debate do not tell which of two numbers it is.
func (q Sides) estimate(st debate.Statement) *debate.Estimate {
	if st.Estimate == nil && st.Ambiguous != "" {
		return q.separators.Estimate(st.Ambiguous)
	}
	return st.Estimate
}

// comparable reports whether it is known that two sides, unless they are equal, mean
// different answers: labels may mean the same.
func (q Sides) comparable(a, b debate.Side) bool {
	switch {
	case q.kind != debate.QuestionOpen, a == b, a == debate.Undecided, b == debate.Undecided, isYesAndNo(a, b):
		return true
	}
	return false
}

// differ reports whether two tallies with different answers are known to differ: two
// majorities if they are comparable, and without both all sides.
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

// openLabel returns the label of an answer to an open question as it was written, "" if it
// takes no side.
func openLabel(st debate.Statement) string {
	if !isReadable(st.Choice) {
		return string(stanceSide(st))
	}
	if statement.IsNeutral(st.Choice) {
		return ""
	}
	if side := statement.EnglishYesOrNo(st.Choice); side != debate.Undecided {
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

// amount returns a figure with its digits in groups and its unit in the form that fits.
func amount(v float64, unit string) string {
	number := strconv.FormatFloat(v, 'f', -1, 64)
	whole, fraction, hasFraction := strings.Cut(number, ".")
	if n, err := strconv.Atoi(whole); err == nil && (n >= 1e4 || n <= -1e4) {
		number = text.Number(n)
		if hasFraction {
			number += "." + fraction
		}
	}
	switch {
	case v == 1 && statement.IsPlural(unit):
		unit = text.Singular(unit)
	case v != 1 && slices.Contains(countable(), strings.ToLower(unit)):
		unit = text.Plural(2, unit)
	}
	return strings.TrimSuffix(number+" "+unit, " ")
}

// countable are the units that have an English plural, as many models leave it out.
func countable() []string {
	return []string{"second", "minute", "hour", "day", "week", "month", "quarter", "year", "user", "server"}
}

// unitsOf returns the units of a session's estimates by statement.UnitKey, each as it was first used
// in the plural, or else as it was first used, and what its figures show of separators. A
// figure without a unit is in that of all others if they share one.
func unitsOf(s debate.Session) (map[string]string, statement.Separators) {
	var separators statement.Separators
	var all []debate.Statement
	for _, r := range s.History {
		for _, x := range r.Latest() {
			if !IsVote(s, x) {
				continue
			}
			all = append(all, x.Statement)
			if e := x.Statement.Estimate; e != nil {
				separators.Learn(e.Written)
			}
		}
	}
	q := Sides{separators: separators}
	units := map[string]string{}
	for _, st := range all {
		e := q.estimate(st)
		if e == nil || e.Unit == "" {
			continue
		}
		key := statement.UnitKey(e.Unit)
		if first, ok := units[key]; !ok || !statement.IsPlural(first) && statement.IsPlural(e.Unit) {
			units[key] = e.Unit
		}
	}
	if len(units) == 1 {
		for _, unit := range units {
			units[""] = unit
		}
	}
	return units, separators
}

func (q Sides) unit(e debate.Estimate) string {
	if unit, ok := q.units[statement.UnitKey(e.Unit)]; ok {
		return unit
	}
	return e.Unit
}

// SameUnit reports whether two units are spellings of one.
func SameUnit(a, b string) bool { return statement.UnitKey(a) == statement.UnitKey(b) }
