package headless

import (
	"roundtable/agents"
	"roundtable/debate"
)

// heldFailures are turns whose answer broke off. Each may be followed by an automatic
// second try, and only then is it known whether the seat has failed.
type heldFailures struct {
	live    bool // events come as they happen
	turns   []debate.Response
	retried map[agents.Turn]bool // without their attempts
}

// hold takes in an event, and reports whether it is to be written later or not at all.
// What is returned is to be written before it.
func (h *heldFailures) hold(ev debate.Event) (due []debate.Response, held bool) {
	switch ev := ev.(type) {
	case debate.TurnEnded:
		x := ev.Response
		if h.live && x.State == debate.TurnFailed && x.Turn.Step >= 0 && x.Failure != nil && x.Failure.Retryable &&
			x.Text() != "" && !h.retried[withoutAttempt(x.Turn)] {
			h.turns = append(h.turns, x)
			return nil, true
		}
	case debate.TurnRetrying:
		h.retry(ev.Turn)
	case debate.TurnStarted:
		if len(h.turns) > 0 && h.turns[0].Turn.Step != ev.Turn.Step {
			return h.release(), false
		}
	case debate.RoundStarted, debate.RoundEnded, debate.Assisting, debate.Assessed, debate.Concluding, debate.Concluded:
		return h.release(), false
	default: // happens within a step
	}
	return nil, false
}

// retry drops the failure of the attempt before one that is about to begin.
func (h *heldFailures) retry(t agents.Turn) {
	for i, x := range h.turns {
		if withoutAttempt(x.Turn) == withoutAttempt(t) && x.Turn.Attempt < t.Attempt {
			h.turns = append(h.turns[:i], h.turns[i+1:]...)
			h.retried[withoutAttempt(t)] = true
			return
		}
	}
}

// release returns the turns that have failed for good.
func (h *heldFailures) release() []debate.Response {
	due := h.turns
	h.turns = nil
	return due
}
