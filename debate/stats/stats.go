// Package stats has the figures of answers that are right or wrong: intervals, paired tests,
// correlation, and what a number of questions can show.
//
// It imports the standard library only, and knows no debate.
package stats

import "math"

// z is the 97.5 % quantile of the normal distribution.
const z = 1.959963984540054

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

// Phi returns the correlation of two series that are right or wrong, by how often both were right,
// one alone, the other alone, and neither. It returns false unless each was right and wrong.
func Phi(both, one, other, neither int) (phi float64, ok bool) {
	b, x, y, n := float64(both), float64(one), float64(other), float64(neither)
	under := (b + x) * (y + n) * (b + y) * (x + n)
	if under == 0 {
		return 0, false
	}
	return (b*n - x*y) / math.Sqrt(under), true
}

// EffectiveSeats returns how many independent seats k seats are worth whose errors have a mean
// correlation of rho: k / (1 + (k-1) rho). A negative rho counts as 0.
func EffectiveSeats(k int, rho float64) float64 {
	return float64(k) / (1 + float64(k-1)*max(0, rho))
}
