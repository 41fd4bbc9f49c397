package debateview

import (
	"context"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
)

// togglePause pauses the debate at the end of the round, or continues it.
func (d *Debate) togglePause() screen.Outcome {
	switch {
	case d.Running() && !d.paused:
		d.paused = true
		return screen.Tell(screen.Info, fmt.Sprintf("%s The debate pauses when round %d is done. space goes on.",
			d.config.Theme.Symbols.Paused,
			len(d.session.History)))
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

// cancelOrRetry asks before it cancels the seat in focus; a seat that has ended
// runs again at once.
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
		return d.follow(d.config.Player.Retry(d.ctx, d.session, id))
	}
}

// cancelQuestion asks before a seat is cancelled, and says what is lost. A seat
// that waits for its provider can also be retried now. The question follows the
// seat: when the seat has ended, the key that was to cancel it must not run it
// again.
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

// noSeatAction says why the seat in focus can neither be cancelled nor retried.
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

// askStop asks before it stops a round at once: unfinished turns are asked again
// on resume.
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

// toggleEndAfterRound sets whether the debate ends after this round.
func (d *Debate) toggleEndAfterRound() screen.Outcome {
	d.endAfterRound = !d.endAfterRound
	if d.endAfterRound {
		n := len(d.session.History)
		text := fmt.Sprintf("The debate ends after round %d; then the chair concludes.", n)
		return screen.Tell(screen.Info, text+" The same command goes on after all.")
	}
	return screen.Tell(screen.Info, "The debate goes on after this round.")
}

// endHere ends the debate after a round, as the user asked. If a required request
// is open it opens the form instead, which says how to end without an answer.
func (d *Debate) endHere() screen.Outcome {
	d.endAfterRound = false
	if d.session.Status() != debate.NeedsContext {
		return d.end()
	}
	text := fmt.Sprintf("You wanted to end here, but %s is unanswered. The last row of the form ends without it.",
		strings.Join(d.blocking(), ", "))
	return append(screen.Tell(screen.Warning, text), d.Form.openByItself()...)
}

// askRound plans another round. If the debate has ended it asks first and says
// what the round costs, since the round starts at once and the verdict is written
// again.
func (d *Debate) askRound() screen.Outcome {
	s := d.session
	if s.Verdict == nil {
		return d.addRound()
	}
	if err := d.config.Player.Affords(s); err != nil {
		return append(screen.Tell(screen.Warning, screen.Sentence(err)), d.askBudget()...)
	}
	s.Rounds, s.Verdict, s.Stopped = len(s.History)+1, nil, debate.NotStopped
	return screen.Outcome{screen.Question{
		Text: fmt.Sprintf("Add round %d? %s.", s.Rounds, s.Forecast()), Keys: "+ adds it · esc leaves it",
		Answers: map[string]func() screen.Outcome{"+": d.addRound, "enter": d.addRound},
	}}
}

// addRound plans another round.
func (d *Debate) addRound() screen.Outcome {
	return d.plan(func(ctx context.Context, id string) (debate.Session, error) {
		return d.config.Writer.AddRounds(ctx, id, 1)
	})
}

// askEnd asks before it ends the debate between rounds.
func (d *Debate) askEnd() screen.Outcome {
	text := "End now? The chair concludes."
	if ids := d.blocking(); len(ids) > 0 {
		text = "End now? " + strings.Join(ids, ", ") + inflect(ids, " stays unanswered and is exported so;",
			" stay unanswered and are exported so;") + " the chair concludes."
	}
	return screen.Outcome{screen.Question{
		Text: text, Keys: "enter ends · esc stays",
		Answers: map[string]func() screen.Outcome{"enter": d.end},
	}}
}

func (d *Debate) end() screen.Outcome {
	return d.plan(func(ctx context.Context, id string) (debate.Session, error) {
		return d.config.Writer.Stop(ctx, id, debate.StoppedByUser)
	})
}

// stepOf returns the step of the current round in which a seat spoke last.
func (v *sessionView) stepOf(id agents.ID) int {
	c := v.session.Current()
	if c == nil {
		return 0
	}
	step := 0
	for _, x := range c.AttemptsOf(id) {
		step = x.Turn.Step
	}
	return step
}
