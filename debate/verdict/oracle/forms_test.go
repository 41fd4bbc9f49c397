package oracle_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// beginnings are how the headlines of each form begin that name no side.
var beginnings = map[debate.HeadlineForm]*regexp.Regexp{
	debate.FormSplit:      regexp.MustCompile(`^Split(: | after )`),
	debate.FormNoMajority: regexp.MustCompile(`^No majority(: | after )`),
	debate.FormUndecided:  regexp.MustCompile(`^Undecided(: | after )`),
	debate.FormNoVote:     regexp.MustCompile(`^No (vote|ranking|estimate)(: | in this mode)`),
	debate.FormRanking:    regexp.MustCompile(`^(Ranked first by points|Tied for first by points|Tie of all|Only )`),
	debate.FormScores:     regexp.MustCompile(`^([^,]+ is ahead by the scores, |No option is ahead)`),
	debate.FormEstimate:   regexp.MustCompile(`^(Median |The only estimate: |No common unit)`),
}

// retired are sentences, or parts of them, that were false or said nothing.
var retired = regexp.MustCompile(`degraded|took no side|of 1 vote;|Ranked first: |all \d seats answered|state no position|` +
	`seats answered in every round:|citing none|Neither side wins|The opposition wins|The proposition wins|No vote to compare|one model in |` +
	`nobody knows|no synthesis`)

// TestHeadline_keepsItsForm walks headlines of generated panels of all forms. Those of all
// panels are looked at where they are compared.
func TestHeadline_keepsItsForm(t *testing.T) {
	seen := map[debate.HeadlineForm]int{}
	for seed := *firstSeed; seed < *firstSeed+500; seed++ {
		p := generate(seed)
		f := build(t, p, verdict.CheckStatement)
		v := verdict.Compute(f.Session)
		(&differences{}).report(p, f, &v)
		seen[v.Form]++
		if problem := problemOf(v); problem != "" {
			t.Errorf("seed %d: %s: %q, form %q, side %v", seed, problem, v.Headline, v.Form, v.Side)
		}
	}
	forms := []debate.HeadlineForm{
		debate.FormSide, debate.FormSplit, debate.FormNoMajority, debate.FormUndecided, debate.FormNoVote, debate.FormRanking,
		debate.FormEstimate,
	}
	for _, form := range forms {
		if seen[form] == 0 {
			t.Errorf("no panel has the form %q: %v", form, seen)
		}
	}
}

// problemOf says which rule of headlines a verdict breaks; "" for none.
func problemOf(v debate.Verdict) string {
	hasSide := v.Side != nil && *v.Side != debate.Undecided
	result, _, _ := strings.Cut(v.Brief, " · ")
	switch {
	case result == "" || !strings.HasPrefix(v.Headline+" · ", result+" · "):
		return "the list shows another result: " + v.Brief
	case strings.Contains(v.Brief, " · against: ") != (hasSide && len(v.Dissent) > 0):
		return "the list is silent about dissent: " + v.Brief
	case strings.Contains(v.Brief, " · changed ") && (v.Comparison == nil || v.Comparison.Result != debate.AnswerChanged):
		return "the list shows a change: " + v.Brief
	case hasSide != (v.Form == debate.FormSide):
		return "form side and the side do not go together"
	case hasSide && !strings.HasPrefix(v.Headline, sideAtFront(*v.Side)+", "):
		return "it does not begin with the side"
	case !hasSide && (beginnings[v.Form] == nil || !beginnings[v.Form].MatchString(v.Headline)):
		return "it does not begin as its form does"
	case hasSide && slices.ContainsFunc([]*regexp.Regexp{
		beginnings[debate.FormSplit], beginnings[debate.FormNoMajority], beginnings[debate.FormUndecided], beginnings[debate.FormNoVote],
	}, func(r *regexp.Regexp) bool { return r.MatchString(v.Headline) }):
		return "it begins as one without a side"
	case retired.MatchString(v.Headline):
		return "it has retired words: " + retired.FindString(v.Headline)
	}
	return ""
}

// sideAtFront writes a side as it begins a headline.
func sideAtFront(side debate.Side) string {
	if side == debate.SideYes || side == debate.SideNo {
		return text.Capitalize(string(side))
	}
	return verdict.QuoteSide(side)
}
