package report_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/report"
)

// What the rounds of a fork took before it was made is told apart from what it spends.
func TestReport_tellsWhatAForkInherited(t *testing.T) {
	t.Parallel()
	s := completed()
	s.ForkedFrom, s.ForkRound = "k1", 1
	took := debate.Spending{Cost: new(float64)}
	for i := range s.History[0].Responses {
		x := &s.History[0].Responses[i]
		x.Inherited, x.Calls, x.Usage.Input, x.Cost = true, 1, 5_000, ptr(0.25)
		took = took.Plus(x.Calls, x.Usage, x.Cost)
	}
	if got := budget.InheritedSpending(s); got.Calls != took.Calls || got.Usage != took.Usage || *got.Cost != *took.Cost {
		t.Fatalf("inherited: %+v, want %+v", got, took)
	}
	if total := budget.TotalSpending(s); total.Usage.Input >= budget.InheritedSpending(s).Usage.Input+5_000 {
		t.Errorf("the total has what was inherited: %+v", total)
	}
	r := report.Of(s, report.Options{})
	for format, want := range map[report.Format]string{
		report.Markdown: "; inherited, and not counted here: ", report.HTML: ">inherited<", report.JSON: `"fork_spent": {`,
	} {
		var text strings.Builder
		if err := r.Write(&text, format); err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%s: %v, without %q", format, err, want)
		}
	}
}
