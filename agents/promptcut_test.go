package agents_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"roundtable/agents"
)

// vocabularies are how many tokens six vocabularies have for each estimated one.
var vocabularies = []float64{0.8, 0.92, 1, 1.15, 1.4, 1.95}

// longest is the longest prompt of a debate that grows.
const longest = 24_000

// debateOf returns the sizes of the prompts of a debate in tokens of one vocabulary and
// by estimate: those of several seats and rounds, each round longer than the one before.
func debateOf(r *rand.Rand, ratio float64) (estimates, tokens []int) {
	base, growth := 900+r.IntN(4000), 500+r.IntN(3000)
	for round := range 4 {
		for range 2 + r.IntN(3) {
			n := min(base+round*growth+r.IntN(300), longest)
			estimates = append(estimates, n)
			tokens = append(tokens, int(float64(n)*ratio*(0.97+0.06*r.Float64())))
		}
	}
	return estimates, tokens
}

func TestReadings_ofServersThatReadAllSayNothing(t *testing.T) {
	servers := map[string]func(r *rand.Rand, tokens, before int) agents.Reading{
		"counts all": func(_ *rand.Rand, tokens, _ int) agents.Reading { return agents.Reading{Counted: tokens} },
		"does not count": func(*rand.Rand, int, int) agents.Reading {
			return agents.Reading{}
		},
		"counts all and names its window": func(_ *rand.Rand, tokens, _ int) agents.Reading {
			return agents.Reading{Counted: tokens, Window: 2 * longest}
		},
		"counts all and says what was cached": func(r *rand.Rand, tokens, before int) agents.Reading {
			return agents.Reading{Counted: tokens, Cached: r.IntN(before + 1)}
		},
		"leaves out what it says was cached": func(r *rand.Rand, tokens, before int) agents.Reading {
			cached := r.IntN(before + 1)
			return agents.Reading{Counted: tokens - cached, Cached: cached}
		},
		"leaves out what was cached": func(r *rand.Rand, tokens, before int) agents.Reading {
			return agents.Reading{Counted: tokens - r.IntN(before+1)}
		},
		"leaves all out that may be cached, and names its window": func(_ *rand.Rand, tokens, before int) agents.Reading {
			return agents.Reading{Counted: tokens - before, Window: 2 * longest}
		},
	}
	for name, serve := range servers {
		t.Run(name, func(t *testing.T) {
			for i := range 1000 {
				r := rand.New(rand.NewPCG(uint64(i), 1))
				var all agents.Readings
				before := 0 // the longest prompt that may be in the cache
				estimates, tokens := debateOf(r, vocabularies[i%len(vocabularies)])
				for j, n := range tokens {
					x := serve(r, n, min(before, n-1))
					x.Estimate = estimates[j]
					if got := all.Add(x); got != agents.ReadWhole {
						t.Fatalf("run %d, prompt %d: extent %d for %+v", i, j, got, x)
					}
					before = max(before, n)
				}
			}
		})
	}
}

// cutBy returns how many tokens a server reads of a prompt that its window does not hold.
var cutBy = map[string]func(tokens, window int) int{
	"Ollama": func(_, window int) int { return window },
	"ik_llama.cpp": func(tokens, window int) int { // blocks of half a window are left out
		half := window / 2
		return tokens - (tokens-half)/half*half
	},
	"llama.cpp": func(_, window int) int { return window - 1 }, // a slot keeps one for the answer
}

func TestReadings_ofServersThatCutAreNoticed(t *testing.T) {
	for name, cut := range cutBy {
		for _, named := range []bool{true, false} {
			if !named && name == "ik_llama.cpp" { // its counts differ; see the test of a single sign
				continue
			}
			t.Run(fmt.Sprintf("%s, window named %t", name, named), func(t *testing.T) {
				for i := range 200 {
					r := rand.New(rand.NewPCG(uint64(i), 2))
					window := []int{2048, 4096}[i%2]
					var all agents.Readings
					parts := 0
					for prompt := range 4 {
						estimate := (2+prompt)*window + r.IntN(window/2)
						tokens := int(float64(estimate) * vocabularies[i%len(vocabularies)])
						x := agents.Reading{Estimate: estimate, Counted: cut(tokens, window)}
						if named {
							x.Window = window
						}
						if all.Add(x) == agents.ReadPart {
							parts++
						}
					}
					if want := map[bool]int{true: 4, false: 3}[named]; parts < want {
						t.Fatalf("run %d: %d of 4 prompts were found to be cut, want %d", i, parts, want)
					}
				}
			})
		}
	}
}

func TestReadings_oneSignAloneIsUnclear(t *testing.T) {
	for i := range 200 {
		r := rand.New(rand.NewPCG(uint64(i), 3))
		var all agents.Readings
		estimate := 8192 + r.IntN(20_000)
		tokens := int(float64(estimate) * vocabularies[i%len(vocabularies)])
		x := agents.Reading{Estimate: estimate, Counted: cutBy["ik_llama.cpp"](tokens, 2048)}
		if got := all.Add(x); got != agents.ReadUnclear {
			t.Fatalf("run %d: extent %d for %+v", i, got, x)
		}
	}
}

func TestReadings_byCase(t *testing.T) {
	for _, tt := range []struct {
		name string
		seen []agents.Reading // the last one is looked at
		want agents.Extent
	}{
		{"all of it", []agents.Reading{{Estimate: 15_336, Counted: 14_100}}, agents.ReadWhole},
		{"no count", []agents.Reading{{Estimate: 15_336}}, agents.ReadWhole},
		{"no count, but a window", []agents.Reading{{Estimate: 15_336, Window: 4096}}, agents.ReadPart},
		{"more than the window that was named", []agents.Reading{{Estimate: 15_336, Counted: 14_100, Window: 4096}}, agents.ReadWhole},
		{"a full window", []agents.Reading{{Estimate: 3900, Counted: 4096, Window: 4096}}, agents.ReadPart},
		{"low alone", []agents.Reading{{Estimate: 15_336, Counted: 4096}}, agents.ReadUnclear},
		{"the same count alone", []agents.Reading{{Estimate: 4000, Counted: 4096}, {Estimate: 4500, Counted: 4096}}, agents.ReadWhole},
		{"low and the same", []agents.Reading{{Estimate: 15_336, Counted: 4096}, {Estimate: 17_000, Counted: 4096}}, agents.ReadPart},
		{"the same prompt twice", []agents.Reading{{Estimate: 15_336, Counted: 4096}, {Estimate: 15_340, Counted: 4096}}, agents.ReadWhole},
		{"slowly growing prompts", []agents.Reading{
			{Estimate: 6000, Counted: 4096}, {Estimate: 8000, Counted: 4096}, {Estimate: 10_000, Counted: 4096},
		}, agents.ReadPart},
		{"a long one was read before", []agents.Reading{{Estimate: 15_000, Counted: 15_000}, {Estimate: 14_000, Counted: 900}}, agents.ReadWhole},
		{"what is new was read", []agents.Reading{{Estimate: 6000, Counted: 4500}, {Estimate: 9000, Counted: 3000}}, agents.ReadWhole},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var all agents.Readings
			var got agents.Extent
			for _, x := range tt.seen {
				got = all.Add(x)
			}
			if got != tt.want {
				t.Errorf("extent %d, want %d", got, tt.want)
			}
		})
	}
}
