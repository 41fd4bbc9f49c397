package debate

import (
	"regexp"
	"slices"
	"strings"
	"sync"
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

// signs are words by which a question of each kind is known. They are compiled
// when a question is first looked at, which not every run of the program does.
var signs = sync.OnceValue(func() map[Kind]*regexp.Regexp {
	return map[Kind]*regexp.Regexp{
		KindComparison:  regexp.MustCompile(`(?i)\b(?:or|vs|versus|compar\w*|which|better|best|between|rather than|instead of|prefer\w*|trade-?offs?|alternatives?)\b`),
		KindRisk:        regexp.MustCompile(`(?i)\b(?:risk\w*|danger\w*|safe\w*|secur\w*|attack\w*|threat\w*|vulnerab\w*|fail\w*|go(?:es)? wrong|break\w*|worst|harm\w*|abuse\w*)\b`),
		KindForecast:    regexp.MustCompile(`(?i)\b(?:will|forecast\w*|predict\w*|likely|likelihood|probab\w*|chances?|odds|by (?:19|20|21)\d\d|in \w+ years|how (?:long|soon)|future|trends?)\b`),
		KindDecision:    regexp.MustCompile(`(?i)\b(?:should|shall|ought|decide|adopt|worth|approve|accept|allow|ban|do we|must we|can we)\b`),
		KindExploration: regexp.MustCompile(`(?i)\b(?:why|how|what|explain|explore|ideas?|understand|ways?|causes?|mean(?:s|ing)?)\b`),
	}
})

// beginning is how many bytes of a question tell its kind. What follows a text as
// long as that is material, and words of all kinds are in it.
const beginning = 2048

// KindOf tells a question's kind by the words it opens with; "" where none tells.
func KindOf(topic string) Kind {
	topic = topic[:min(len(topic), beginning)]
	words := signs()
	best, most := Kind(""), 0
	for _, k := range Kinds {
		found := map[string]bool{} // a word that is repeated says nothing more
		for _, word := range words[k].FindAllString(topic, -1) {
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
