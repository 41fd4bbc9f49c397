package pane_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/debate"
)

func TestView_showsTheCost(t *testing.T) {
	for _, tt := range []struct {
		cost *float64
		in   *float64
		want string
	}{
		{ptr(0.0042), ptr(1.0), " · $0.004"},
		{ptr(0.1234), ptr(1.0), " · $0.12"},
		{ptr(12.3), ptr(1.0), " · $12.30"},
		{ptr(0.0001), ptr(1.0), " · <$0.001"},
		{nil, nil, ""},
		{ptr(0.0), ptr(0.0), " · local"},
	} {
		who := ada
		who.PriceIn, who.PriceOut = tt.in, tt.in
		p := newPane(1, who, 60, 8)
		r := doneResponse(turn(ada, 1), stated("", 1, "", "Said."), 900, 0)
		r.Cost = tt.cost
		p.Apply(debate.TurnEnded{Response: r})
		if got := rows(t, p, 60, 8)[7]; !strings.HasSuffix(got, fmt.Sprintf(" 900 tok%s ─╯", tt.want)) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
