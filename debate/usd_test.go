package debate_test

import (
	"testing"

	"roundtable/debate"
)

// A cost is in cents wherever it stands, and one below a cent never looks like none.
func TestUSD_neverShowsACostAsNone(t *testing.T) {
	for usd, want := range map[float64]string{
		0: "$0.00", 0.0001: "<$0.001", 0.0004999: "<$0.001", 0.0005: "$0.001", 0.0042: "$0.004", 0.00949: "$0.009", 0.00996: "$0.01",
		0.0125: "$0.01", 0.5: "$0.50", 12.345: "$12.35", 1234: "$1234.00",
	} {
		if got := debate.USD(usd); got != want {
			t.Errorf("USD(%v) = %s, want %s", usd, got, want)
		}
	}
}
