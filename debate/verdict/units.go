package verdict

import (
	"strings"
	"unicode"

	"roundtable/debate"
	"roundtable/debate/statement"
)

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

// unit returns the unit of an estimate in the spelling that stands for all.
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
