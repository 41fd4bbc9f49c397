package debateview

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
)

// Advance continues the session as far as it goes without the user: to its
// verdict, to the context form, or to the next round unless it is paused.
func (d *Debate) Advance() screen.Outcome {
	if d.Running() {
		return nil
	}
	if d.config.Replay != nil {
		return playOn(d)
	}
	first, cut := debate.FirstCut(d.session)
	switch {
	case d.session.Verdict != nil:
		return screen.Outcome{VerdictReady{}}
	case d.config.ReadOnly != "":
		d.Arrange()
		return nil
	case d.endAfterRound:
		return d.endHere()
	case d.session.Status() == debate.NeedsContext:
		return d.Form.openByItself()
	case d.formOpen:
		d.Form.hold()
		return nil
	case d.paused:
		d.Arrange()
		return nil
	case cut && !d.cutTold:
		return d.pauseForCut(first)
	default:
		return d.start()
	}
}

// start runs what comes next.
func (d *Debate) start() screen.Outcome { return d.play(d.config.Player.Start) }

// play starts a run that plays what comes next.
func (d *Debate) play(begin func(context.Context, debate.Session) Run) screen.Outcome {
	d.paused, d.saveError, d.failed = false, noSaveError, nil
	return append(screen.Outcome{screen.ClearError{}}, d.follow(begin(d.ctx, d.session))...)
}

// follow shows a run that has just begun.
func (d *Debate) follow(run Run) screen.Outcome {
	d.run, d.ended = run, nil
	run.Pause(d.paused)
	d.Form.close()
	d.Screen.showFocus()
	d.Arrange()
	return screen.Outcome{RunBegan{run}}
}

// RunEnded decides what comes after a run. All events of the run have been
// applied.
func (d *Debate) RunEnded() screen.Outcome {
	d.run = nil
	var err error
	if d.config.Replay != nil {
		return playOn(d)
	}
	if d.ended != nil {
		err = d.ended.Err
	}
	var blocked *debate.BlockedError
	var failed *debate.RoundFailedError
	var workspace *debate.WorkspaceError
	if err == nil || errors.As(err, &blocked) && len(d.session.Unanswered()) > 0 {
		return d.Advance()
	}
	d.paused = true
	var out screen.Outcome
	switch {
	case errors.As(err, &blocked): // the store knows of an open request that the screen does not
		out = screen.Tell(screen.Error, screen.Sentence(err))
	case errors.As(err, &failed):
		d.failed = failed
		out = tellOpenRound(d.sessionView, failed)
	case errors.Is(err, context.Canceled), errors.Is(err, debate.ErrStopped):
	case errors.As(err, &workspace):
		out = workspaceRefused(d, err)
	case errors.Is(err, debate.ErrNotReady), errors.Is(err, debate.ErrNoSession):
		out = screen.Tell(screen.Error, screen.Sentence(err))
	default:
		var ok bool
		if out, ok = d.notAffordable(err); !ok {
			d.saveError = savingRound
			out = screen.Outcome{SaveFailed{err}}
		}
	}
	d.Arrange()
	return out
}

// resumeNotices focuses the first seat that was cut off, and tells of a changed
// configuration and of saved drafts.
func (d *Debate) resumeNotices() screen.Outcome {
	var out screen.Outcome
	if n := len(d.session.Notices); n > 0 && d.session.Verdict == nil && d.session.Notices[n-1].Code == "config_drift" {
		out = screen.Tell(screen.Warning, d.session.Notices[n-1].Text)
	}
	for i, p := range d.panes {
		if k := p.State().Kind; k == pane.Interrupted || k == pane.Failed {
			d.Screen.focusOn(i)
			break
		}
	}
	for _, r := range d.session.Requests {
		if draft := d.session.Drafts[r.ID]; r.Open() && strings.TrimSpace(draft.Text) != "" {
			text := fmt.Sprintf("Your draft for %s was saved: %q", r.ID, text.Clip(text.Line(draft.Text), 24))
			return append(out, screen.Advise(screen.Info, text, "c: open")...)
		}
	}
	return out
}

// RedrawEvery returns how often the screen changes without events: at each frame
// of the spinner, each second for a countdown, or never (0).
func (d *Debate) RedrawEvery(spin time.Duration) time.Duration {
	if !d.Running() {
		return 0
	}
	if d.chair != "" || d.activity != "" || d.followUp.active() {
		return spin
	}
	var every time.Duration
	for _, p := range d.panes {
		switch {
		case p.State().Busy():
			return spin
		case waits(p):
			every = time.Second
		}
	}
	return every
}

// waits reports whether a seat waits until its provider may be asked again.
func waits(p *pane.Pane) bool {
	k := p.State().Kind
	return k == pane.Retrying || k == pane.Paused
}

// plan returns a command that changes the plan of the session.
func (d *Debate) plan(do func(ctx context.Context, id string) (debate.Session, error)) screen.Outcome {
	ctx, id := d.ctx, d.session.ID
	return screen.Run(func() tea.Msg {
		s, err := do(ctx, id)
		return changedMsg{sessionID(id), s, err}
	})
}

// changed shows the session after a change of its plan, and continues it.
func (d *Debate) changed(msg changedMsg) screen.Outcome {
	if msg.err != nil {
		return d.refused(msg.err, savingAnswer)
	}
	if msg.session.ID != d.session.ID {
		return nil
	}
	more := msg.session.Rounds > d.session.Rounds || d.session.Verdict != nil && msg.session.Verdict == nil
	if d.Running() { // events may have told of turns that had not ended when it was read
		msg.session = planned(d.session, msg.session)
	}
	d.SetSession(msg.session)
	for _, p := range d.panes {
		p.SetSession(d.session)
	}
	var out screen.Outcome
	if more {
		out = screen.Tell(screen.Success, fmt.Sprintf("Round added: now %d are planned.", msg.session.Rounds))
	}
	if d.Running() {
		return out
	}
	d.Form.close()
	out = append(out, ShowDebate{})
	if msg.session.Stopped != debate.NotStopped {
		return append(out, d.follow(d.config.Player.Conclude(d.ctx, msg.session))...)
	}
	return append(out, d.Advance()...)
}

// refused says why something was not saved.
func (d *Debate) refused(err error, what saveError) screen.Outcome {
	if rejected(err) {
		return screen.Tell(screen.Warning, screen.Sentence(err))
	}
	d.saveError = what
	return screen.Outcome{SaveFailed{err}}
}

// saved clears the error that was shown when this could not be saved.
func (d *Debate) saved(what saveError) screen.Outcome {
	if d.saveError != what {
		return nil
	}
	d.saveError = noSaveError
	return screen.Outcome{screen.ClearError{}}
}

// rejected reports whether an error is about the user's input rather than about
// the store.
func rejected(err error) bool {
	var submission *ledger.SubmissionError
	var unpriced *debate.UnpricedError
	return errors.As(err, &submission) || errors.As(err, &unpriced) || errors.Is(err, debate.ErrNotReady) ||
		errors.Is(err, debate.ErrNoSession) ||
		errors.Is(err, debate.ErrLocked) || errors.Is(err, debate.ErrAmbiguous) || errors.Is(err, debate.ErrNewer)
}

// Cause returns why the store refused, without naming what was to be saved.
func Cause(err error) string {
	text := err.Error()
	if _, rest, ok := strings.Cut(text, "Cannot save: "); ok {
		text = rest
	}
	return strings.TrimSuffix(text, ".")
}
