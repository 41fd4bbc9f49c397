package home

import (
	"fmt"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// status is the status of a session as the list shows it: a symbol and a word.
type status struct {
	symbol, word string
	kind         statusKind
}

// statusKind decides the colour of a status.
type statusKind int

const (
	statusNeutral statusKind = iota
	statusGood
	statusNeedsUser
	statusFailed
)

// statusOf returns the status of a session.
func statusOf(th *theme.Theme, s debate.SessionSummary) status {
	y := th.Symbols
	state := s.State()
	out := status{y.Queued, state.Word(), statusNeutral}
	switch state {
	case debate.StateRunning:
		out.symbol, out.kind = y.Busy[0], statusGood
	case debate.StateWaiting, debate.StateRoundOpen:
		out.symbol, out.kind = y.Waits, statusNeedsUser
	case debate.StateFailed:
		out.symbol, out.kind = y.Failed, statusFailed
	case debate.StateInterrupted:
		out.symbol = y.Interrupted
	case debate.StateEndedByUser, debate.StateOutOfBudget:
		out.symbol = y.Blocked
	case debate.StateNoSynthesis, debate.StateDegraded:
		out.symbol = y.Warning
	case debate.StateComplete:
		out.symbol, out.kind = y.Done, statusGood
	case debate.StateDraft, debate.StateReady:
	}
	return out
}

// detail says in one line what can be done with a session.
func (h *Screen) detail(s debate.SessionSummary) string {
	switch {
	case s.ID == h.openID && h.openRunning:
		return "Still running. Press enter to return to it."
	case s.Running && s.ID != h.openID:
		return fmt.Sprintf("Round %d is open in another Roundtable.", s.Round)
	}
	switch s.Status {
	case debate.NeedsContext:
		return fmt.Sprintf("%d required left: %s", s.Required, s.Asking)
	case debate.Interrupted:
		if s.Open != nil {
			return s.Open.Cause()
		}
		return fmt.Sprintf("Round %d has not ended; enter shows what is left.", s.Round)
	case debate.Drafted:
		return "No round has started."
	case debate.Ready:
		if s.Round < s.Rounds && s.Stopped == debate.NotStopped {
			return fmt.Sprintf("Round %d is ready to start.", s.Round+1)
		}
		return "The verdict is ready to be written."
	case debate.Complete, debate.Stopped:
	}
	switch {
	case s.Stopped == debate.StoppedByBudget:
		return "Stopped by the budget. Verdict ready."
	case s.Stopped == debate.StoppedByUser:
		return "Ended by you. Verdict ready."
	case s.Outcome == debate.OutcomeDegraded && s.Missing > 0:
		return fmt.Sprintf("%s %s missing in the last round. Verdict ready.", text.Count(s.Missing, "answer"),
			text.Inflect(s.Missing, "is", "are"))
	case s.Outcome == debate.OutcomeDegraded:
		return "Degraded: the verdict says what is missing."
	case s.Outcome == debate.OutcomeNoSynthesis:
		return "No chair could write a report: the verdict is counted without one."
	default:
		return "Verdict ready."
	}
}
