package report_test

import (
	"slices"
	"testing"

	"roundtable/debate"
	"roundtable/debate/report"
)

// A chair that is a member is warned of only where it decided something, whatever an earlier
// version stored.
func TestConclude_warnsOfAChairWithASeatWhereItDecided(t *testing.T) {
	grouping := func(member bool, confirmed string) *debate.Grouping {
		return &debate.Grouping{By: "Ada", ByMember: member, Confirmed: confirmed}
	}
	for _, c := range []struct {
		name   string
		labels *debate.Grouping
		pick   *debate.Pick
		member bool
		warned bool
	}{
		{"nothing", nil, nil, true, false},
		{"a grouping", grouping(true, "Cy"), nil, true, true},
		{"a grouping that nobody confirmed", grouping(true, ""), nil, true, false},
		{"the grouping of the light model", grouping(false, ""), nil, true, false},
		{"the pick", nil, &debate.Pick{Agent: "cy", By: "Ada"}, true, true},
		{"a pick by ballots", nil, &debate.Pick{Agent: "cy", By: debate.PickedByBallots}, true, false},
		{"the pick of a chair without a seat", nil, &debate.Pick{Agent: "cy", By: "Ada"}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := completed()
			v := *s.Verdict
			v.ChairName, v.ChairIsMember, v.Labels, v.Pick = "Ada", c.member, c.labels, c.pick
			v.Rules, v.Warnings = debate.VerdictRules, []string{debate.WarningChairIsMember}
			if got := slices.Contains(report.Conclude(v, s).Cautions(), debate.WarningChairIsMember); got != c.warned {
				t.Errorf("warned: %t, want %t", got, c.warned)
			}
		})
	}
}
