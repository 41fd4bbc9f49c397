package debate

// Status is where a session stands. It is computed, never stored.
type Status string

// The statuses.
const (
	Drafted      Status = "draft"         // no round has begun
	Interrupted  Status = "interrupted"   // a round has begun and not ended
	NeedsContext Status = "needs_context" // a required request is open
	Ready        Status = "ready"         // the next round, or the verdict, can start
	Complete     Status = "complete"
	Stopped      Status = "stopped" // ended by the user or the budget
)

// Status returns where the session stands.
func (s Session) Status() Status {
	n := len(s.History)
	switch {
	case s.Stopped.Forced() && s.Verdict != nil:
		return Stopped
	case s.Verdict != nil:
		return Complete
	case n == 0:
		return Drafted
	case s.History[n-1].Ended.IsZero():
		return Interrupted
	case s.Stopped == NotStopped && n < s.Rounds && len(s.Unanswered()) > 0:
		return NeedsContext
	default:
		return Ready
	}
}
