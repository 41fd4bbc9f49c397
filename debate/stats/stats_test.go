package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"roundtable/debate/stats"
	"roundtable/internal/testing/must"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %.12f, want %.12f", what, got, want)
	}
}

// phiOf counts two series of errors for Phi.
func phiOf(a, b []bool) (float64, bool) {
	n := map[[2]bool]int{}
	for i := range a {
		n[[2]bool{a[i], b[i]}]++
	}
	return stats.Phi(n[[2]bool{true, true}], n[[2]bool{true, false}], n[[2]bool{false, true}], n[[2]bool{false, false}])
}

func TestFigures_equalThoseOfSciPy(t *testing.T) {
	raw := must.Get(os.ReadFile("testdata/figures.json"))(t)
	var want struct {
		Wilson, McNemar [][]float64
		Phi             []struct {
			A, B []bool
			Phi  float64
		}
		Effective []struct { // the inverse of the variance of the mean of the seats' standardized errors
			Errors         [][]bool
			Rho, Effective float64
		}
	}
	must.Do(t, json.Unmarshal(raw, &want))
	if len(want.Wilson) < 30 || len(want.McNemar) < 10 || len(want.Phi) < 4 || len(want.Effective) < 3 {
		t.Fatalf("%d, %d, %d and %d figures", len(want.Wilson), len(want.McNemar), len(want.Phi), len(want.Effective))
	}
	for _, w := range want.Wilson {
		low, high := stats.Wilson(int(w[0]), int(w[1]))
		near(t, "low", low, w[2], 1e-9)
		near(t, "high", high, w[3], 1e-9)
	}
	for _, m := range want.McNemar {
		near(t, "mid-p", stats.McNemar(int(m[0]), int(m[1])), m[2], 1e-9)
	}
	for _, p := range want.Phi {
		phi, ok := phiOf(p.A, p.B)
		near(t, "phi", phi, p.Phi, 1e-9)
		if !ok {
			t.Error("no phi")
		}
	}
	for _, e := range want.Effective {
		total, pairs := 0.0, 0
		for i := range e.Errors {
			for k := range i {
				phi, _ := phiOf(e.Errors[i], e.Errors[k])
				total, pairs = total+phi, pairs+1
			}
		}
		rho := total / float64(pairs)
		near(t, "rho", rho, e.Rho, 1e-9)
		near(t, "n_eff", stats.EffectiveSeats(len(e.Errors), rho), e.Effective, 1e-9)
	}
}

func TestFigures_equalPublishedExamples(t *testing.T) {
	// Newcombe 1998, table I, method 3: the score interval without continuity correction.
	for _, c := range []struct {
		right, n  int
		low, high float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}} {
		low, high := stats.Wilson(c.right, c.n)
		near(t, "low", low, c.low, 5e-5)
		near(t, "high", high, c.high, 5e-5)
	}
	// Fagerland, Lydersen and Laake 2013, table 2: airway responsiveness before and after a transplant.
	near(t, "mid-p", stats.McNemar(1, 7), 0.0391, 5e-5)
	near(t, "n_eff", stats.EffectiveSeats(5, 0.5), 5.0/3, 1e-12)
	near(t, "n_eff of opposites", stats.EffectiveSeats(3, -0.4), 3, 1e-12)
}

func TestWins_saysWhatANumberOfDifferencesCanShow(t *testing.T) {
	for n, want := range map[int]int{4: 0, 5: 5, 10: 9, 20: 15} {
		if wins, ok := stats.Wins(n); wins != want || ok != (want > 0) {
			t.Errorf("of %d: %d, %t, want %d", n, wins, ok, want)
		}
	}
}

func TestPhi_needsRightAndWrongOfBoth(t *testing.T) {
	if _, ok := phiOf([]bool{true, true, true}, []bool{true, false, true}); ok {
		t.Error("a seat that is always wrong correlates")
	}
	if low, high := stats.Wilson(0, 0); low != 0 || high != 1 {
		t.Errorf("%g to %g of none", low, high)
	}
}
