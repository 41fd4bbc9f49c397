package engine_test

import (
	"context"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"

	"roundtable/agents"
	"roundtable/debate/engine"
)

// meter is the network's edge of a run: a server that refuses, breaks off and counts at
// random, and knows what a session has to say of each request.
type meter struct {
	mu     sync.Mutex
	rng    *rand.Rand
	excess bool // the server counts more than is reserved
	run    *engine.Run
	round  atomic.Int64 // of the turn that has begun last
	sent   []meteredRequest
}

// meteredRequest is what the tries of a request took.
type meteredRequest struct {
	counted  int // tokens, as a session has to count them
	least    int // if the process was killed meanwhile
	most     int
	reserved int // at least
}

// fate is what happens to a try.
type fate int

const (
	answered fate = iota
	answeredUncounted
	refused
	brokenOff
	brokenOffInText
	pausedInText
	cancelledInText
)

func (m *meter) roll(n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rng.IntN(n)
}

// fate draws what happens to a try. Only a member can be cancelled.
func (m *meter) fate(member bool) fate {
	switch n := m.roll(40); {
	case n < 24:
		return answered
	case n < 27:
		return answeredUncounted
	case n < 31:
		return refused
	case n < 34:
		return brokenOff
	case n < 36:
		return brokenOffInText
	case n < 38 || !member:
		return pausedInText
	default:
		return cancelledInText
	}
}

const (
	meteredText   = "Yes, since it holds. I would say so at any time."
	meteredOutput = 300 // max_tokens of all speakers
	meteredUsage  = 60  // of an answer
)

// meteredAnswer has a vote, and a finding at the place of all others.
func meteredAnswer(model string) string {
	return "Yes, since it holds.\n\n```json\n{\"position\": \"It holds.\", \"vote\": \"yes\", \"confidence\": 0.7, " +
		`"findings": [{"title": "Wrong in ` + model[:1] + `", "where": "F1:1"}]}` + "\n```"
}

func (m *meter) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		prompt := req.Tokens()
		r := meteredRequest{reserved: prompt*5/4 + 1 + req.MaxTokens}
		defer func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.sent = append(m.sent, r)
		}()
		member := req.Model != "light" && !strings.Contains(req.Messages[0].Text, "You are the chair")
		for range 3 {
			if ctx.Err() != nil {
				r.most += prompt // a killed process does not know that it was not sent
				yield(agents.Chunk{}, &agents.Failure{Kind: agents.KindCancelled, Cause: "Stopped.", Unprocessed: true})
				return
			}
			retry, more := m.try(ctx, req, m.fate(member), prompt, &r, yield)
			if !more {
				return
			}
			if !yield(agents.Chunk{Event: *retry}, nil) || !yield(agents.Chunk{Event: agents.Queued{}}, nil) {
				return
			}
		}
		yield(agents.Chunk{}, &agents.Failure{Kind: agents.KindBusy, Cause: "Busy.", Unprocessed: true})
	}
}

// took adds what a try took. A killed process knows the prompt and some of the text.
func (r *meteredRequest) took(counted, prompt int) {
	r.counted, r.least = r.counted+counted, r.least+min(counted, prompt)
	r.most += max(counted, prompt+agents.Tokens(meteredAnswer("a")))
}

// try plays one try of a request. It returns the announcement of another one, if there is.
func (m *meter) try(ctx context.Context, req agents.Request, what fate, prompt int, r *meteredRequest,
	yield func(agents.Chunk, error) bool,
) (*agents.Retry, bool) {
	text := agents.Tokens(meteredText)
	switch what {
	case refused:
		r.most += prompt // a killed process does not know that it was refused
		f := &agents.Failure{Kind: agents.KindBusy, Cause: "Too many requests.", Unprocessed: true}
		return m.again(f, yield)
	case brokenOff:
		r.took(prompt, prompt)
		r.most += prompt // a killed process does not know that the next try was not sent
		return m.again(&agents.Failure{Kind: agents.KindSilence, Cause: "Silence."}, yield)
	case brokenOffInText:
		r.took(prompt+text, prompt)
		if yield(agents.Chunk{Text: meteredText}, nil) {
			yield(agents.Chunk{}, &agents.Failure{Kind: agents.KindTruncated, Cause: "Cut."})
		}
	case pausedInText, cancelledInText:
		r.took(prompt+text, prompt)
		if !yield(agents.Chunk{Text: meteredText}, nil) {
			return nil, false
		}
		if what == cancelledInText {
			m.run.Cancel(agents.Turn{Round: int(m.round.Load()), Agent: agents.ID(req.Model)})
		} else {
			m.run.Stop()
		}
		<-ctx.Done()
		yield(agents.Chunk{}, ctx.Err())
	case answered:
		u := agents.Usage{Input: prompt * (60 + m.roll(66)) / 100, Output: meteredUsage}
		if m.excess && m.roll(3) == 0 {
			u.Input, u.Output = prompt*(1+m.roll(3)), meteredOutput*(1+m.roll(3))
		}
		r.took(u.Total(), prompt)
		if yield(agents.Chunk{Text: meteredAnswer(req.Model)}, nil) {
			yield(agents.Chunk{Finish: agents.FinishStop, Usage: &u}, nil)
		}
	case answeredUncounted:
		r.took(prompt+text, prompt)
		if yield(agents.Chunk{Text: meteredText}, nil) {
			yield(agents.Chunk{Finish: agents.FinishStop}, nil)
		}
	}
	return nil, false
}

// again fails for good, or announces another try.
func (m *meter) again(f *agents.Failure, yield func(agents.Chunk, error) bool) (*agents.Retry, bool) {
	if m.roll(2) == 0 {
		yield(agents.Chunk{}, f)
		return nil, false
	}
	return &agents.Retry{Cause: f.Cause, Try: 1, Of: 3, Failed: f}, true
}
