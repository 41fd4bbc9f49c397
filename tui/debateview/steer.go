package debateview

import (
	"context"
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
)

// togglePause lets the debate stop when the round is done, or go on.
func (d *Debate) togglePause() screen.Outcome {
	switch {
	case d.Running() && !d.paused:
		d.paused = true
		return screen.Tell(screen.Info, fmt.Sprintf("%s The debate pauses when round %d is done. space goes on.", d.Theme.Symbols.Paused, len(d.session.History)))
	case d.Running():
		d.paused = false
		return screen.Tell(screen.Info, "The debate goes on after this round.")
	}
	d.paused = false
	if d.session.Status() == debate.NeedsContext {
		return d.Advance()
	}
	return d.start()
}

// cancelOrRetry asks before it cancels the seat in focus, or runs it again.
func (d *Debate) cancelOrRetry() screen.Outcome {
	p := d.Screen.focused()
	id := p.Profile().ID
	switch state := p.State(); {
	case d.Running() && !state.Ended():
		return screen.Outcome{d.cancelQuestion(p)}
	case d.Running():
		d.run.Retry(id)
		return nil
	case d.failed != nil:
		return d.start()
	case d.session.Status() == debate.Interrupted:
		out := d.start()
		over := state.Kind == pane.Failed || state.Kind == pane.Cancelled
		if over && !unanswered(d.session.Current()) { // the rest of the round passes over it
			d.run.Retry(id)
		}
		return out
	default:
		return d.follow(d.Player.Retry(d.ctx, d.session, id))
	}
}

// cancelQuestion asks before a seat is cancelled, with what is lost by it. One that
// waits for its provider can also be told to try at once. The question follows the
// seat: once it is over, the key that was to cancel it must not run it again.
func (d *Debate) cancelQuestion(p *pane.Pane) screen.Question {
	id, name := p.Profile().ID, p.Profile().Name
	q := screen.Question{Text: fmt.Sprintf("Cancel %s?", name), Keys: "x cancels · esc goes on"}
	q.Renew = func() screen.Question { return d.cancelQuestion(p) }
	if p.State().Ended() {
		q.Text, q.Keys = fmt.Sprintf("%s is no longer at work: nothing is cancelled.", name), "esc goes on"
		q.Answers = map[string]func() screen.Outcome{"x": func() screen.Outcome { return nil }}
		return q
	}
	q.Answers = map[string]func() screen.Outcome{"x": func() screen.Outcome {
		if d.Running() {
			d.run.Cancel(id)
		}
		return nil
	}}
	switch n := p.LiveTokens(); {
	case n > 0:
		q.Text = fmt.Sprintf("Cancel %s? %d tok are kept, not used.", name, n)
	case p.State().Kind == pane.Queued:
		q.Text, q.Keys = fmt.Sprintf("Skip %s? The round goes on without it.", name), "x skips · esc goes on"
	}
	if waits(p) {
		q.Answers["r"], q.Keys = d.retryNow, "x cancels · r tries now · esc goes on"
	}
	return q
}

// noSeatAction says why a seat can neither be cancelled nor run again.
func (d *Debate) noSeatAction() string {
	p := d.Screen.focused()
	if p == nil {
		return "No seat has the focus."
	}
	name, state := p.Profile().Name, p.State()
	ended := d.session.Current() != nil && !d.session.Current().Ended.IsZero()
	switch {
	case d.Running() && d.chair != "":
		return "The verdict is being written."
	case state.Kind == pane.Done:
		return name + " is done."
	case d.Running() && !state.Ended():
		return ""
	case d.Running() && d.stepOf(p.Profile().ID) < d.step:
		return fmt.Sprintf("x runs %s again when the round is done.", name)
	case !d.Running() && d.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case !d.Running() && (state.Kind == pane.Idle || state.Kind == pane.Queued) && ended:
		return name + " has nothing to run again."
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
	if !d.Running() || p == nil || !waits(p) {
		return "This seat does not wait for its provider."
	}
	return ""
}

// askStop asks before it breaks a round off: what is being written is asked again.
func (d *Debate) askStop() screen.Outcome {
	return screen.Outcome{screen.Question{
		Text: "Pause at once? " + strings.TrimPrefix(d.StopText(), "A round is running. "), Keys: "enter pauses · esc goes on",
		Answers: map[string]func() screen.Outcome{"enter": d.stop},
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

// toggleEndAfterRound lets the debate end after the round under way, or go on after all.
func (d *Debate) toggleEndAfterRound() screen.Outcome {
	d.endAfterRound = !d.endAfterRound
	if d.endAfterRound {
		return screen.Tell(screen.Info, fmt.Sprintf("The debate ends after round %d; then the chair concludes. The same command goes on after all.", len(d.session.History)))
	}
	return screen.Tell(screen.Info, "The debate goes on after this round.")
}

// endHere ends the debate after a round, as the user has wanted. What nobody has
// answered yet is not thrown away for that: the form says how to end without it.
func (d *Debate) endHere() screen.Outcome {
	d.endAfterRound = false
	if d.session.Status() != debate.NeedsContext {
		return d.end()
	}
	text := fmt.Sprintf("You wanted to end here, but %s is unanswered. The last row of the form ends without it.", strings.Join(d.blocking(), ", "))
	return append(screen.Tell(screen.Warning, text), d.Form.openByItself()...)
}

// askRound plans one round more. Where the debate has ended it asks first, with
// what that takes: it goes on at once, and the verdict is written anew.
func (d *Debate) askRound() screen.Outcome {
	s := d.session
	if s.Verdict == nil {
		return d.addRound()
	}
	if err := d.Player.Affords(s); err != nil {
		return append(screen.Tell(screen.Warning, screen.Sentence(err)), d.askBudget()...)
	}
	s.Rounds, s.Verdict, s.Stopped = len(s.History)+1, nil, debate.NotStopped
	return screen.Outcome{screen.Question{
		Text: fmt.Sprintf("Add round %d? %s.", s.Rounds, s.Forecast()), Keys: "+ adds it · esc leaves it",
		Answers: map[string]func() screen.Outcome{"+": d.addRound, "enter": d.addRound},
	}}
}

// addRound plans one round more.
func (d *Debate) addRound() screen.Outcome {
	return d.plan(func(ctx context.Context, id string) (debate.Session, error) { return d.Writer.AddRounds(ctx, id, 1) })
}

// askEnd asks before it ends the debate at the gate, with what is there.
func (d *Debate) askEnd() screen.Outcome {
	text := "End now? The chair concludes."
	if ids := d.blocking(); len(ids) > 0 {
		text = "End now? " + strings.Join(ids, ", ") + verb(ids, " stays unanswered and is exported so;", " stay unanswered and are exported so;") + " the chair concludes."
	}
	return screen.Outcome{screen.Question{Text: text, Keys: "enter ends · esc stays", Answers: map[string]func() screen.Outcome{"enter": d.end}}}
}

func (d *Debate) end() screen.Outcome {
	return d.plan(func(ctx context.Context, id string) (debate.Session, error) {
		return d.Writer.Stop(ctx, id, debate.StoppedByUser)
	})
}
