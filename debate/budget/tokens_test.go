package budget_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
)

func TestTokenScale(t *testing.T) {
	ada := agents.Profile{ID: "ada", Provider: "local", Model: "m"}
	light := agents.Profile{ID: "light", Provider: "local", Model: "small"}
	for name, c := range map[string]struct {
		counted []int // of prompts that are estimated at 100 tokens
		want    float64
	}{
		"nothing":                   {nil, 1},
		"one":                       {[]int{130}, 1.3},
		"even":                      {[]int{100, 150}, 1.25},
		"an outlier":                {[]int{120, 120, 240, 120}, 1.2},
		"the last eight":            {[]int{400, 400, 400, 110, 110, 110, 110, 110, 110, 110, 110}, 1.1},
		"cut by its server":         {[]int{10, 10}, 0.5},
		"another vocabulary":        {[]int{300, 310, 320}, 2},
		"not counted by its server": {[]int{0, 0}, 1},
	} {
		for _, who := range []agents.Profile{ada, light} {
			s := debate.Session{Seats: []agents.Profile{ada}, Light: &light}
			purpose := debate.ForMember
			if who.ID == light.ID {
				purpose = debate.ForLight
			}
			for i, n := range c.counted {
				turn := agents.Turn{Round: i + 1, Attempt: 1, Agent: "ada"}
				s = s.WithPromptCount(debate.PromptCount{Turn: turn, Purpose: purpose, Call: 1, Estimate: 100, Counted: n})
			}
			if got := budget.TokenScale(s, who, 100); got != c.want {
				t.Errorf("%s of %s: %v, want %v", name, who.ID, got, c.want)
			}
			if got := budget.TokenScale(s, who, 1); got != 1 {
				t.Errorf("%s of %s: %v before round 1", name, who.ID, got)
			}
		}
	}
}
