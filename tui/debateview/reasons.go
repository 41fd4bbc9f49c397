package debateview

import (
	"fmt"

	"roundtable/agents"
)

// The functions in this file say why a command cannot run now; "" when it can.

func (b *sessionView) noPause() string {
	switch {
	case b.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case b.chair != "":
		return "The verdict is being written."
	}
	return ""
}

func (b *sessionView) noStop() string {
	switch {
	case !b.Running():
		return "No round is running."
	case b.chair != "":
		return "The verdict is being written."
	}
	return ""
}

func (b *sessionView) noEndAfterRound() string {
	switch {
	case !b.Running():
		return "No round is running. End the debate now ends it."
	case b.chair != "":
		return "The verdict is being written."
	case len(b.session.History) >= b.session.Rounds:
		return "This is the last round."
	}
	return ""
}

func (b *sessionView) noMoreRounds() string {
	c := b.session.Current()
	if b.Running() && (b.chair != "" || c != nil && c.Number >= b.session.Rounds) {
		return "The last round is running. + adds one when the verdict is there."
	}
	return ""
}

func (b *sessionView) noEnd() string {
	c := b.session.Current()
	switch {
	case b.Running():
		return "A round is running; this is possible when it is done."
	case b.session.Verdict != nil:
		return "The debate has ended."
	case c == nil:
		return "No round has begun."
	case c.Ended.IsZero():
		return fmt.Sprintf("Round %d is not finished; space runs the rest of it.", c.Number)
	}
	return ""
}

func (b *sessionView) noBudget() string {
	if b.Running() {
		return "A round is running; its budget can be changed when it is done."
	}
	return ""
}

func (b *sessionView) noQuestion() string {
	switch {
	case b.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case len(b.session.History) >= b.session.Rounds:
		return "This is the last round. + adds one, then f says what it looks at."
	}
	return ""
}

func (b *sessionView) noInterjection() string {
	switch {
	case b.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case len(b.session.History) >= b.session.Rounds:
		return "This is the last round. + adds one, then i tells them for it."
	}
	return ""
}

func (b *sessionView) noRequests() string {
	if len(b.session.Requests) == 0 {
		return "Nobody has asked for anything yet."
	}
	return ""
}

func (b *sessionView) noVerdict() string {
	switch {
	case b.session.Verdict != nil || b.chair != "":
		return ""
	case len(b.session.History) == 0:
		return "No verdict yet: no round has begun."
	}
	return fmt.Sprintf("No verdict yet: round %d of %d.", len(b.session.History), b.session.Rounds)
}

func (b *sessionView) pauseHint() string {
	switch {
	case b.paused && !b.Running():
		return "space resume"
	case b.paused:
		return "space go on"
	case !b.Running():
		return ""
	default:
		return "space pause"
	}
}

// isPaused reports whether nothing goes on before the user says so.
func (b *sessionView) isPaused() bool { return b.paused && !b.Running() }

// stepOf returns the step of the round in which a seat spoke last.
func (b *sessionView) stepOf(id agents.ID) int {
	c := b.session.Current()
	if c == nil {
		return 0
	}
	step := 0
	for _, x := range c.AttemptsOf(id) {
		step = x.Turn.Step
	}
	return step
}
