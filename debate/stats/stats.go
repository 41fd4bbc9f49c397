// Package stats has the figures of answers that are right or wrong: intervals, paired tests,
// correlation, and what a number of questions can show.
//
// It imports the standard library only, and knows no debate.
package stats

import (
	"cmp"
	"math"
	"slices"
)

// z is the 97.5 % quantile of the normal distribution.
const z = 1.959963984540054

// LeastForRate is the least number of answers of which a rate is told.
const LeastForRate = 5

// Alpha is the p below which a difference counts as shown.
const Alpha = 0.05

// Wilson returns the Wilson score interval at 95 % of a rate of right in n. It returns 0 and 1
// for n = 0.
func Wilson(right, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	count, p := float64(n), float64(right)/float64(n)
	center := p + z*z/(2*count)
	half := z * math.Sqrt(p*(1-p)/count+z*z/(4*count*count))
	scale := 1 + z*z/count
	return max(0, (center-half)/scale), min(1, (center+half)/scale)
}

// McNemar returns the mid-p value of McNemar's test for b pairs that differ one way and c that
// differ the other way (Fagerland, Lydersen and Laake 2013). It is 1 if none differ.
func McNemar(b, c int) float64 {
	n, least := b+c, min(b, c)
	if n == 0 {
		return 1
	}
	tail := 0.0
	for k := range least {
		tail += binomial(n, k)
	}
	at := binomial(n, least)
	if b == c {
		return 1 - at/2
	}
	return 2*tail + at
}

// binomial returns the probability of k of n at one half.
func binomial(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	in, _ := math.Lgamma(float64(k + 1))
	out, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(all - in - out - float64(n)*math.Ln2)
}

// Wins returns the fewest of n differing pairs that one side has to win for the difference to
// be shown. It returns false if not even all of them do.
func Wins(n int) (wins int, ok bool) {
	for wins = (n + 1) / 2; wins <= n; wins++ {
		if McNemar(wins, n-wins) < Alpha {
			return wins, true
		}
	}
	return 0, false
}

// Phi returns the correlation of two series of errors. It returns false unless each has
// a true and a false entry.
func Phi(a, b []bool) (phi float64, ok bool) {
	var both, onlyA, onlyB, neither float64
	for i := range a {
		switch {
		case a[i] && b[i]:
			both++
		case a[i]:
			onlyA++
		case b[i]:
			onlyB++
		default:
			neither++
		}
	}
	under := (both + onlyA) * (onlyB + neither) * (both + onlyB) * (onlyA + neither)
	if under == 0 {
		return 0, false
	}
	return (both*neither - onlyA*onlyB) / math.Sqrt(under), true
}

// EffectiveSeats returns how many independent seats k seats are worth whose errors have a mean
// correlation of rho: k / (1 + (k-1) rho). A negative rho counts as 0.
func EffectiveSeats(k int, rho float64) float64 {
	return float64(k) / (1 + float64(k-1)*max(0, rho))
}

// Holm returns p-values adjusted by the method of Holm, in their order.
func Holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	out := make([]float64, len(ps))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(ps)-rank)*ps[i]))
		out[i] = least
	}
	return out
}

// Brier returns the mean squared difference between stated probabilities of being right and
// what was: 0 is perfect.
func Brier(stated []float64, right []bool) float64 {
	sum := 0.0
	for i, p := range stated {
		was := 0.0
		if right[i] {
			was = 1
		}
		sum += (p - was) * (p - was)
	}
	return sum / float64(len(stated))
}

// Percentile returns the p-th percentile of values by the nearest rank, 0 for none.
func Percentile(values []float64, p int) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := (len(sorted)*p + 99) / 100
	return sorted[max(rank, 1)-1]
}
