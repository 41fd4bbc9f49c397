package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
)

// The time of a summary does not include its wait for a place at the provider.
func TestSummaries_areTimedFromTheirPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wait, take time.Duration
		made       bool
	}{
		"after a wait":      {31 * time.Second, time.Second, true},
		"too slow":          {0, 31 * time.Second, false},
		"after a long wait": {46 * time.Second, time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, map[string]replyFunc{
					"a": replyLong("a", 5000), "b": replyLong("b", 5000), "c": replyText("c"), "light": replySummary(25),
				})
				h.useProvider(wrapped{h.provider, func(ctx context.Context, req agents.Request, yield func(agents.Chunk, error) bool) bool {
					if req.Model != "light" {
						return true
					}
					if !yield(agents.Chunk{Event: agents.Queued{Waits: true}}, nil) {
						return false
					}
					time.Sleep(c.wait)
					if !yield(agents.Chunk{Event: agents.Alive{Placed: true}}, nil) {
						return false
					}
					time.Sleep(c.take)
					return true
				}})
				_, s := h.runRounds(h.smallSession("collaborative", 4, addLight, "a", "b", "c"), 3)
				if made := len(s.Summaries) > 0; made != c.made {
					t.Errorf("%d summaries were made", len(s.Summaries))
				}
			})
		})
	}
}

// The summaries of a round have 45 seconds, which pass only while one is made.
func TestSummaries_haveTheTimeOfARoundTogether(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		light, seat time.Duration
		made        int
	}{
		"quick":                {time.Second, time.Second, 11},
		"between long answers": {time.Second, 10 * time.Minute, 11},
		"slow":                 {28 * time.Second, time.Second, 10},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, map[string]replyFunc{
					"a": replyLong("a", 3500), "b": replyLong("b", 3500), "c": replyLong("c", 3500), "d": replyLong("d", 3500),
					"light": replySummary(25),
				})
				h.delayed(func(r agents.Request) time.Duration {
					switch {
					case r.Model != "light":
						return c.seat
					case strings.Contains(r.Messages[1].Text, " in round 2 thinks"):
						return c.light
					}
					return 0
				})
				_, s := h.runRounds(h.smallSession("socratic", 4, addLight, "a", "b", "c", "d"), 3)
				if len(s.Summaries) != c.made {
					t.Errorf("%d summaries were made, want %d", len(s.Summaries), c.made)
				}
			})
		})
	}
}
