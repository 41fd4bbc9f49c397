package store_test

import (
	"time"

	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
)

func (h *reference) repair(rt *rapid.T) {
	_, err := h.s.Repair(h.t.Context(), h.d.ID)
	h.ok(rt, err)
	_, open := h.running()
	for _, x := range open {
		x.State, x.Ended, x.Calls = debate.TurnInterrupted, lastSign(*x), h.calls[x.Turn]+h.retries[x.Turn]
		x.Usage, x.Cost = h.lost(*x)
		x.Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "Roundtable stopped during this answer."}
		abort(x)
	}
}

// lost is what the completion under way is estimated to have taken.
func (h *reference) lost(x debate.Response) (agents.Usage, *float64) {
	n := settled(x)
	if h.calls[x.Turn] <= n || h.waits[x.Turn] {
		return agents.Usage{}, nil
	}
	u := agents.Usage{Input: agents.Request{Model: "m"}.Tokens(), Estimated: true}
	if len(x.Passages) > n {
		u.Reasoning = agents.Tokens(x.Passages[n].Reasoning)
		u.Output = u.Reasoning + agents.Tokens(x.Passages[n].Text)
	}
	if n > 0 { // what the completions before it cost is unknown
		return u, nil
	}
	p, _ := h.d.Seat(x.Turn.Agent)
	return u, p.Cost(u)
}

// lastSign is when a turn is last known to have been alive.
func lastSign(x debate.Response) time.Time {
	at := x.Began
	for _, p := range x.Passages {
		for _, c := range p.Tools {
			if end := c.Began.Add(c.Took); end.After(at) {
				at = end
			}
		}
	}
	return at
}
