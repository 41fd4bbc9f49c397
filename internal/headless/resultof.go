package headless

import "roundtable/debate"

// ResultOf returns how a saved session was left.
func ResultOf(s debate.Session) Result {
	switch s.Status() {
	case debate.Complete:
		return Result{Kind: Completed, Session: s}
	case debate.Stopped:
		return Result{Kind: Stopped, Session: s, Reason: string(s.Stopped)}
	case debate.NeedsContext:
		return Result{Kind: NeedsContext, Session: s}
	case debate.Drafted, debate.Interrupted, debate.Ready:
	}
	if open := debate.OpenRound(s); open != nil {
		return Result{Kind: Paused, Session: s, Err: open}
	}
	return Result{Kind: Paused, Session: s, Reason: "The recording ends here."}
}
