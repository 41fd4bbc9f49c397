package engine

import (
	"context"
	"time"

	"roundtable/debate"
)

// providerWait returns the wait of the chair or the light model that an earlier run was cut
// off in. An analysis is not worth a longer wait than it may take itself.
func (r *runner) providerWait(due debate.Due) (w debate.DueTurn, ok bool) {
	if len(due.Waiting) == 0 || due.Action == debate.RunTurns {
		return w, false
	}
	w = due.Waiting[0]
	return w, due.Action != debate.EndRound || w.At.Sub(r.Now()) <= analysisTimeout
}

// awaitProvider waits until a provider may be asked, or until something else may be due.
func (r *runner) awaitProvider(ctx context.Context, w debate.DueTurn) error {
	in := w.At.Sub(r.Now())
	if w.Turn.Step == debate.VerdictStep && r.waited != w.Turn {
		r.waited = w.Turn
		r.emit(debate.Concluding{Turn: w.Turn, Profile: r.current().SpeakerOf(debate.ForChair, w.Turn.Agent), At: r.Now()})
		r.emit(debate.TurnRetrying{Turn: w.Turn, Retry: retryAt(causeWait, w.At, in), At: r.Now()})
	}
	timer := time.NewTimer(min(in, maxWait))
	defer timer.Stop()
	select {
	case <-r.changed:
	case <-timer.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}
