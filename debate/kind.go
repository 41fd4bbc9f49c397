package debate

import (
	"regexp"
	"slices"
	"strings"
)

// Kind is a kind of question.
type Kind string

// The kinds.
const (
	KindDecision    Kind = "decision"
	KindExploration Kind = "exploration"
	KindRisk        Kind = "risk"
	KindForecast    Kind = "forecast"
	KindComparison  Kind = "comparison"
)

// Kinds lists the kinds; of two that fit a question as well the first counts.
var Kinds = [...]Kind{KindComparison, KindRisk, KindForecast, KindDecision, KindExploration}

func kindNames() string {
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// signs are words by which a question of each kind is known.
var signs = map[Kind]*regexp.Regexp{
	KindComparison:  regexp.MustCompile(`(?i)\b(?:or|vs|versus|compar\w*|which|better|best|between|rather than|instead of|prefer\w*|trade-?offs?|alternatives?)\b`),
	KindRisk:        regexp.MustCompile(`(?i)\b(?:risk\w*|danger\w*|safe\w*|secur\w*|attack\w*|threat\w*|vulnerab\w*|fail\w*|go(?:es)? wrong|break\w*|worst|harm\w*|abuse\w*)\b`),
	KindForecast:    regexp.MustCompile(`(?i)\b(?:will|forecast\w*|predict\w*|likely|likelihood|probab\w*|chances?|odds|by (?:19|20|21)\d\d|in \w+ years|how (?:long|soon)|future|trends?)\b`),
	KindDecision:    regexp.MustCompile(`(?i)\b(?:should|shall|ought|decide|adopt|worth|approve|accept|allow|ban|do we|must we|can we)\b`),
	KindExploration: regexp.MustCompile(`(?i)\b(?:why|how|what|explain|explore|ideas?|understand|ways?|causes?|mean(?:s|ing)?)\b`),
}

// KindOf tells a question's kind by its words; "" where none of them tells.
func KindOf(topic string) Kind {
	best, most := Kind(""), 0
	for _, k := range Kinds {
		found := map[string]bool{} // a word that is repeated says nothing more
		for _, word := range signs[k].FindAllString(topic, -1) {
			found[strings.ToLower(word)] = true
		}
		if len(found) > most {
			best, most = k, len(found)
		}
	}
	return best
}

// Advise returns the mode that suits a kind of question best: the one that names it
// earliest, of several the first. It is false where no mode names it.
func Advise(all []Mode, kind Kind) (Mode, bool) {
	best, at := -1, 0
	for i, m := range all {
		if n := slices.Index(m.Kinds, kind); n >= 0 && (best < 0 || n < at) {
			best, at = i, n
		}
	}
	if best < 0 {
		return Mode{}, false
	}
	return all[best], true
}
