//go:build cgo && linux

package world_test

import (
	"math/rand/v2"
	"slices"
)

// choices are the decisions of a world, in the order in which they are made. A world that
// makes the same decisions goes the same way, so that a failing one is kept as its decisions
// and can be shrunk.
type choices struct {
	random *rand.Rand // decides what is not given; nil: the plainest
	given  []uint32
	made   []uint32
}

// seeded returns the choices of a seed.
func seeded(seed uint64) *choices { return &choices{random: rand.New(rand.NewPCG(seed, 0))} }

// repeated returns choices that were made before. What goes beyond them is decided plainly.
func repeated(made []uint32) *choices { return &choices{given: made} }

// pick decides on a number below n. 0 is the plainest choice: what is expected, no fault.
func (c *choices) pick(n int) int {
	var v uint32
	switch at := len(c.made); {
	case at < len(c.given):
		v = c.given[at] % uint32(n)
	case c.random != nil:
		v = c.random.Uint32N(uint32(n))
	}
	c.made = append(c.made, v)
	return int(v)
}

// percent decides on something that happens so often in a hundred times.
func (c *choices) percent(often int) bool { return c.pick(100) >= 100-often }

// oneOf decides on one of some; the first is the plainest.
func oneOf[T any](c *choices, all ...T) T { return all[c.pick(len(all))] }

// shrink returns fewer or plainer choices that still fail, in at most so many tries.
func shrink(made []uint32, tries int, fails func([]uint32) bool) []uint32 {
	attempt := func(candidate []uint32) bool {
		if tries--; tries < 0 || !fails(candidate) {
			return false
		}
		made = candidate
		return true
	}
	for keep := len(made) / 2; keep > 0 && len(made) > 8; keep /= 2 { // the end first: it is plain then
		for len(made) > keep && attempt(made[:len(made)-keep]) {
		}
	}
	for size := max(1, len(made)/4); size > 0 && tries > 0; size /= 2 {
		for at := 0; at+size <= len(made) && tries > 0; {
			plain := slices.Clone(made)
			clear(plain[at : at+size])
			if slices.Equal(plain, made) || !attempt(plain) && !attempt(slices.Delete(slices.Clone(made), at, at+size)) {
				at += size
			} else if !slices.Equal(plain, made) { // it was deleted
				continue
			} else {
				at += size
			}
		}
	}
	return made
}
