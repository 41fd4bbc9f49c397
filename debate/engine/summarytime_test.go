package engine_test

import (
	"context"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
)

// queuedSummaries is a provider whose light model waits for a place, and then takes some
// time.
type queuedSummaries struct {
	*scriptedProvider
	wait, take time.Duration
}

func (p queuedSummaries) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	if req.Model != "light" {
		return p.scriptedProvider.Stream(ctx, req)
	}
	return func(yield func(agents.Chunk, error) bool) {
		for _, c := range []struct {
			chunk agents.Chunk
			takes time.Duration
		}{{agents.Chunk{Event: agents.Queued{Waits: true}}, p.wait}, {agents.Chunk{Event: agents.Alive{Placed: true}}, p.take}} {
			if !yield(c.chunk, nil) {
				return
			}
			select {
			case <-time.After(c.takes):
			case <-ctx.Done():
				yield(agents.Chunk{}, ctx.Err())
				return
			}
		}
		p.scriptedProvider.Stream(ctx, req)(yield)
	}
}

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
				h.useProvider(queuedSummaries{h.provider, c.wait, c.take})
				_, s := h.runRounds(h.smallSession("collaborative", 4, addLight, "a", "b", "c"), 3)
				if made := len(s.Summaries) > 0; made != c.made {
					t.Errorf("%d summaries were made", len(s.Summaries))
				}
			})
		})
	}
}

// slowSpeakers is a provider whose seats take some time for an answer, and summaries of round 2.
type slowSpeakers struct {
	*scriptedProvider
	light, seat time.Duration
}

func (p slowSpeakers) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		switch {
		case req.Model != "light":
			time.Sleep(p.seat)
		case strings.Contains(req.Messages[1].Text, " in round 2 thinks"):
			time.Sleep(p.light)
		}
		p.scriptedProvider.Stream(ctx, req)(yield)
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
				h.useProvider(slowSpeakers{h.provider, c.light, c.seat})
				_, s := h.runRounds(h.smallSession("socratic", 4, addLight, "a", "b", "c", "d"), 3)
				if len(s.Summaries) != c.made {
					t.Errorf("%d summaries were made, want %d", len(s.Summaries), c.made)
				}
			})
		})
	}
}
