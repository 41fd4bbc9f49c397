package debateview

import (
	"context"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/report"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
)

// togglePause pauses the debate at the end of the round, or continues it.
func (d *Debate) togglePause() screen.Outcome {
	switch {
	case d.Running() && !d.paused:
		d.paused = true
		d.run.Pause(true)
		return screen.Tell(screen.Info, fmt.Sprintf("%s Pauses after round %d. Press space to keep going.",
			d.config.Theme.Symbols.Paused,
			debate.Playing(d.session)))
	case d.Running():
		d.paused = false
		d.run.Pause(false)
		return screen.Tell(screen.Info, fmt.Sprintf("No pause after round %d.", debate.Playing(d.session)))
	}
	d.paused = false
	if d.session.Status() == debate.NeedsContext {
		return d.Advance()
	}
	if d.openRound().CanGoOn() {
		return d.play(d.config.Player.GoOn)
	}
	return d.start()
}

// cancelOrRetry asks before it cancels the seat in focus; a seat that has ended
// runs again at once, but after the verdict only when the user confirms it.
func (d *Debate) cancelOrRetry() screen.Outcome {
	p := d.Screen.focused()
	id := p.Profile().ID
	switch state := p.State(); {
	case d.Running() && !state.Ended():
		return screen.Outcome{d.cancelQuestion(p)}
	case d.Running():
		d.run.Retry(id)
		return nil
	case d.session.Verdict != nil:
		return screen.Outcome{screen.Question{
			Text: fmt.Sprintf("Retry %s? The chair then writes a new verdict.", p.Profile().Name), Key: "x", Verb: "retry",
			Do: func() screen.Outcome { return d.retry(id) },
		}}
	case state.Kind == pane.Cancelled || state.Kind == pane.Failed && len(d.session.Current().Answered()) > 0:
		return d.retry(id)
	case d.session.Status() == debate.Interrupted:
		return d.start()
	default:
		return d.retry(id)
	}
}

// retry asks a seat of the newest round again. A pause after the round stays.
func (d *Debate) retry(id agents.ID) screen.Outcome {
	d.paused = d.paused && d.session.Status() != debate.Interrupted && d.session.Verdict == nil
	d.saveError, d.failed = noSaveError, nil
	return append(screen.Outcome{screen.ClearError{}}, d.follow(d.config.Player.Retry(d.ctx, d.session, id))...)
}

// cancelQuestion asks before a seat is cancelled, and says what is lost. A seat
// that waits for its provider can also be retried now. The question follows the
// seat: when the seat has ended, the key that was to cancel it must not run it
// again.
func (d *Debate) cancelQuestion(p *pane.Pane) screen.Question {
	id, name := p.Profile().ID, p.Profile().Name
	q := screen.Question{Text: fmt.Sprintf("Cancel %s?", name), Key: "x", Verb: "cancel"}
	q.Renew = func() screen.Question { return d.cancelQuestion(p) }
	if p.State().Ended() {
		q.Text = name + " has already finished; there is nothing to cancel."
		return q
	}
	turn, live := p.LiveTurn()
	if !live {
		turn, _ = debate.OpenTurn(d.session, id, agents.Turn{})
	}
	turn.Agent = id
	q.Do = func() screen.Outcome {
		if d.Running() {
			d.run.Cancel(turn)
		}
		return nil
	}
	switch n := p.LiveTokens(); {
	case n > 0:
		q.Text = fmt.Sprintf("Cancel %s? Its %d tok so far are kept but not used.", name, n)
	case p.State().Kind == pane.Queued:
		q.Text, q.Verb = fmt.Sprintf("Skip %s? The round goes on without it.", name), "skip"
	}
	if waits(p) {
		q.Others = []screen.Answer{{Key: "r", Verb: "retry now", Do: d.retryNow}}
	}
	return q
}

// noSeatAction says why the seat in focus can neither be cancelled nor retried.
func (d *Debate) noSeatAction() string {
	p := d.Screen.focused()
	if p == nil {
		return "No seat is selected."
	}
	name, state := p.Profile().Name, p.State()
	ended := d.session.Current() != nil && !d.session.Current().Ended.IsZero()
	switch {
	case state.Kind == pane.Done && d.openRound().CanGoOn():
		return name + " is done. Press tab to choose a seat that failed."
	case state.Kind == pane.Done:
		return name + " is done."
	case !d.Running() && (state.Kind == pane.Idle || state.Kind == pane.Queued) && ended:
		return name + " has nothing to retry."
	}
	return ""
}

// retryNow ends the wait of the seat in focus for its provider.
func (d *Debate) retryNow() screen.Outcome {
	if d.Running() {
		d.run.RetryNow(d.Screen.focused().Profile().ID)
	}
	return nil
}

func (d *Debate) noRetryNow() string {
	p := d.Screen.focused()
	switch {
	case d.Running() && p != nil && waits(p):
		return ""
	case p != nil && p.State().Kind == pane.Failed:
		return "This seat has failed. Press x to retry it."
	}
	return "This seat is not waiting for its provider."
}

// askStop asks before it stops a round at once: unfinished turns are asked again
// on resume.
func (d *Debate) askStop() screen.Outcome {
	return screen.Outcome{screen.Question{
		Text: "Pause now? " + strings.TrimPrefix(d.StopText(), "A round is running. "), Key: "P", Verb: "pause",
		Do: d.stop,
	}}
}

// stop pauses in the middle of a round.
func (d *Debate) stop() screen.Outcome {
	if d.Running() {
		d.paused = true
		d.run.Stop()
	}
	return nil
}

// toggleEndAfterRound sets whether the debate ends after this round. It asks first, since
// its key begins many sentences.
func (d *Debate) toggleEndAfterRound() screen.Outcome {
	if d.endAfterRound {
		d.endAfterRound = false
		return screen.Tell(screen.Info, "Continues after this round.")
	}
	return screen.Outcome{endAfterRoundQuestion(d)}
}

func endAfterRoundQuestion(d *Debate) screen.Question {
	q := screen.Question{Text: d.noEndAfterRound(), Key: "S"}
	if q.Text != "" { // the round has ended meanwhile
		return q
	}
	round := debate.Playing(d.session)
	q.Text, q.Verb = fmt.Sprintf("End after round %d with a verdict?", round), "end"
	q.Renew = func() screen.Question { return endAfterRoundQuestion(d) }
	q.Do = func() screen.Outcome {
		d.endAfterRound = true
		return screen.Tell(screen.Info, fmt.Sprintf("Ends after round %d with a verdict. S again to cancel.", round))
	}
	return q
}

// endHere ends the debate after a round, as the user asked. If a required request
// is open it opens the form instead, which says how to end without an answer.
func (d *Debate) endHere() screen.Outcome {
	d.endAfterRound = false
	if d.session.Status() != debate.NeedsContext {
		return d.end()
	}
	text := fmt.Sprintf("Not ended: %s has no answer. To end without it, use the last row of the form.",
		strings.Join(d.blocking(), ", "))
	return append(screen.Tell(screen.Warning, text), d.Form.openByItself()...)
}

// askRound plans another round. If the debate has ended it asks first and says
// what the round costs, since the round starts at once and the verdict is written
// again.
func (d *Debate) askRound() screen.Outcome {
	if why := d.noMoreRounds(); why != "" {
		return screen.Outcome{screen.Question{Text: why, Key: "+"}}
	}
	if d.session.Verdict == nil {
		return d.addRound()
	}
	if out, ok := d.cannotAfford(); ok {
		return out
	}
	s := d.withOneMore()
	return screen.Outcome{screen.Question{
		Text: fmt.Sprintf("Add round %d? %s.", s.Rounds, budget.Estimate(s)), Key: "+", Verb: "add", Do: d.addRound,
	}}
}

// addRound plans another round.
func (d *Debate) addRound() screen.Outcome {
	return d.plan(func(ctx context.Context, id string) (debate.Session, error) {
		return d.config.Writer.AddRounds(ctx, id, 1)
	})
}

// askEnd asks before it ends the debate, also in the middle of a round. The question
// follows the answers that come meanwhile.
func (d *Debate) askEnd(pressed string) screen.Outcome {
	return screen.Outcome{endQuestion(d, pressed)}
}

func endQuestion(d *Debate, pressed string) screen.Question {
	return screen.Question{
		Text: report.EndQuestion(d.session, d.Running()), Key: pressed, Verb: "end", Do: d.end,
		Renew: func() screen.Question { return endQuestion(d, pressed) },
	}
}

func (d *Debate) end() screen.Outcome {
	d.endAfterRound = false
	if d.Running() {
		d.paused = false
		d.run.End()
		return nil
	}
	return d.plan(func(ctx context.Context, id string) (debate.Session, error) {
		return d.config.Writer.Stop(ctx, id, debate.StoppedByUser)
	})
}
