package verdict_test

import (
	"slices"
	"testing"

	"roundtable/debate"
	"roundtable/debate/verdict"
)

func TestUnitNotes_sayWhatIsLeftOutAndWhatWasTaken(t *testing.T) {
	in := func(unit string, value float64) *debate.Estimate { return &debate.Estimate{Value: value, Unit: unit} }
	for _, c := range []struct {
		name      string
		estimates []*debate.Estimate
		want      []string
	}{
		{"one unit in two spellings", []*debate.Estimate{in("week", 1), in("weeks", 3), in("Weeks", 2)}, nil},
		{
			"another unit",
			[]*debate.Estimate{in("weeks", 3), in("weeks", 4), in("days", 12)},
			[]string{"Not in the median, which is in weeks: 12 days (Cy). Nothing was converted."},
		},
		{
			"no unit",
			[]*debate.Estimate{in("weeks", 3), in("", 4), in("weeks", 5)},
			[]string{"Brook named no unit; counted in weeks, the only unit that was named."},
		},
		{"no common unit", []*debate.Estimate{in("weeks", 3), in("%", 100), nil}, nil}, // the headline lists them
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sessionWithStances(t, "collaborative", "", "", "")
			s.Question = debate.QuestionEstimate
			for i, e := range c.estimates {
				s.Seats[i].Name = []string{"Ada", "Brook", "Cy"}[i]
				s.History[0].Responses[i].Statement.Estimate = e
			}
			if got := verdict.UnitNotes(s); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
