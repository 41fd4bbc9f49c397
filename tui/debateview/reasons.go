package debateview

import (
	"cmp"
	"fmt"

	"roundtable/debate"
)

// The functions in this file say why a command cannot run now; "" when it can.

func (v *sessionView) noPause() string {
	switch {
	case v.session.Verdict != nil:
		return "The debate has ended. Press + to add a round."
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
		return cmp.Or(v.noEnd(), "No round is running. Press E to end the debate now.")
	case v.chair != "":
		return "The verdict is being written."
	case debate.Playing(v.session) >= v.session.Rounds:
		return "This is the last round."
	}
	return ""
}

func (v *sessionView) noMoreRounds() string {
	c := v.session.Current()
	if v.Running() && (v.chair != "" || c != nil && c.Number >= v.session.Rounds) {
		return "The last round is running. Press + once the verdict is ready."
	}
	return ""
}

func (v *sessionView) noEnd() string {
	c := v.session.Current()
	switch {
	case v.chair != "":
		return "The verdict is being written."
	case v.session.Verdict != nil:
		return "The debate has ended."
	case c == nil:
		return "No round has started."
	}
	return ""
}

func (v *sessionView) noBudget() string {
	if v.Running() {
		return "Not while a round is running. P pauses it."
	}
	return ""
}

func (v *sessionView) noVerdict() string {
	switch {
	case v.session.Verdict != nil || v.chair != "":
		return ""
	case len(v.session.History) == 0:
		return "No verdict yet: no round has started."
	}
	return fmt.Sprintf("No verdict yet: round %d of %d.", len(v.session.History), v.session.Rounds)
}
