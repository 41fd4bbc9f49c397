package debate

// State is what a session is doing, or how it ended. It is finer than a [Status], and
// its word is the one that every list, screen and command shows.
type State string

// The states. Their values are used in JSON.
const (
	StateDraft       State = "draft"
	StateRunning     State = "running" // a process has it open amid a round
	StateInterrupted State = "interrupted"
	StateFailed      State = "failed"     // nobody answered the newest round, see OpenRound
	StateRoundOpen   State = "round_open" // one seat answered it, and the user decides
	StateWaiting     State = "needs_context"
	StateReady       State = "ready"
	StateComplete    State = "complete"
	StateDegraded    State = "degraded"     // complete, and something is missing
	StateNoSynthesis State = "no_synthesis" // complete, with a verdict that no model wrote
	StateEndedByUser State = "ended_by_user"
	StateOutOfBudget State = "out_of_budget"
)

// StateNames lists what SessionSummary.Is compares with: all states, and the status
// that groups some of them.
func StateNames() []string {
	var out []string
	for _, s := range []State{
		StateDraft, StateRunning, StateInterrupted, StateFailed, StateRoundOpen, StateWaiting, StateReady, StateComplete,
		StateDegraded, StateNoSynthesis, StateEndedByUser, StateOutOfBudget,
	} {
		out = append(out, string(s))
	}
	return append(out, string(Stopped))
}

// Word returns the state in words for a person.
func (s State) Word() string {
	switch s {
	case StateRunning: // whether it is paused there is not known
		return "in use"
	case StateRoundOpen:
		return "round open"
	case StateWaiting:
		return "needs you"
	case StateComplete:
		return "completed"
	case StateNoSynthesis:
		return "no synthesis"
	case StateEndedByUser:
		return "ended by you"
	case StateOutOfBudget:
		return "out of budget"
	case StateDraft, StateInterrupted, StateFailed, StateReady, StateDegraded:
	}
	return string(s)
}

// State returns the state of the session; running says whether a process plays it.
func (s Session) State(running bool) State {
	v := SessionSummary{Status: s.Status(), Running: running, Stopped: s.Stopped}
	if s.Verdict != nil {
		v.Outcome = s.Verdict.Outcome
	}
	if v.Status == Interrupted && !running {
		v.Open = OpenRound(s)
	}
	return v.State()
}

// State returns the state of the session.
func (s SessionSummary) State() State {
	switch {
	case s.Running:
		return StateRunning
	case s.Status == Drafted:
		return StateDraft
	case s.Status == Interrupted && s.Open.CanGoOn():
		return StateRoundOpen
	case s.Status == Interrupted && s.Open != nil:
		return StateFailed
	case s.Status == Interrupted:
		return StateInterrupted
	case s.Status == NeedsContext:
		return StateWaiting
	case s.Status == Ready:
		return StateReady
	case s.Stopped == StoppedByBudget:
		return StateOutOfBudget
	case s.Stopped == StoppedByUser:
		return StateEndedByUser
	case s.Outcome == OutcomeNoSynthesis:
		return StateNoSynthesis
	case s.Outcome == OutcomeDegraded:
		return StateDegraded
	}
	return StateComplete
}

// Is reports whether a word names the state or the status of the session.
func (s SessionSummary) Is(word string) bool {
	return word == string(s.Status) || word == string(s.State())
}
