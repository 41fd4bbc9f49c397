package agents_test

import (
	"testing"

	"roundtable/agents"
)

func TestCost_ofCachedTokens(t *testing.T) {
	in, cached, out := 2.0, 0.5, 4.0
	u := agents.Usage{Input: 1_000_000, Cached: 800_000, Output: 500_000}
	for _, tt := range []struct {
		price *float64
		want  float64
	}{{nil, 4}, {&cached, 2.8}} {
		got := agents.Profile{PriceIn: &in, PriceCachedIn: tt.price, PriceOut: &out}.Cost(u)
		if got == nil || *got < tt.want-1e-9 || *got > tt.want+1e-9 {
			t.Errorf("it costs %v, want %v", got, tt.want)
		}
	}
}
