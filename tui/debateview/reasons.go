package debateview

import "fmt"

// The functions in this file say why a command cannot run now; "" when it can.

func (v *sessionView) noPause() string {
	switch {
	case v.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case v.chair != "":
		return "The verdict is being written."
	}
	return ""
}

func (v *sessionView) noStop() string {
	switch {
	case !v.Running():
		return "No round is running."
	case v.chair != "":
		return "The verdict is being written."
	}
	return ""
}

func (v *sessionView) noEndAfterRound() string {
	switch {
	case !v.Running():
		return "No round is running. End the debate now ends it."
	case v.chair != "":
		return "The verdict is being written."
	case len(v.session.History) >= v.session.Rounds:
		return "This is the last round."
	}
	return ""
}

func (v *sessionView) noMoreRounds() string {
	c := v.session.Current()
	if v.Running() && (v.chair != "" || c != nil && c.Number >= v.session.Rounds) {
		return "The last round is running. + adds one when the verdict is there."
	}
	return ""
}

func (v *sessionView) noEnd() string {
	c := v.session.Current()
	switch {
	case v.Running():
		return "A round is running; this is possible when it is done."
	case v.session.Verdict != nil:
		return "The debate has ended."
	case c == nil:
		return "No round has begun."
	case c.Ended.IsZero():
		return fmt.Sprintf("Round %d is not finished; space runs the rest of it.", c.Number)
	}
	return ""
}

func (v *sessionView) noBudget() string {
	if v.Running() {
		return "A round is running; its budget can be changed when it is done."
	}
	return ""
}

func (v *sessionView) noQuestion() string {
	switch {
	case v.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case len(v.session.History) >= v.session.Rounds:
		return "This is the last round. + adds one, then f says what it looks at."
	}
	return ""
}

func (v *sessionView) noInterjection() string {
	switch {
	case v.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case len(v.session.History) >= v.session.Rounds:
		return "This is the last round. + adds one, then i tells them for it."
	}
	return ""
}

func (v *sessionView) noRequests() string {
	if len(v.session.Requests) == 0 {
		return "Nobody has asked for anything yet."
	}
	return ""
}

func (v *sessionView) noVerdict() string {
	switch {
	case v.session.Verdict != nil || v.chair != "":
		return ""
	case len(v.session.History) == 0:
		return "No verdict yet: no round has begun."
	}
	return fmt.Sprintf("No verdict yet: round %d of %d.", len(v.session.History), v.session.Rounds)
}
