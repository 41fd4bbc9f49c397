package debateview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// Advance continues the session as far as it goes without the user: to its verdict, to the
// context form, or to the next round.
func (d *Debate) Advance() screen.Outcome {
	step := d.Next()
	if d.Form.IsOpen() && slices.Contains([]control.StepKind{control.Play, control.Idle}, step.Kind) &&
		step.Action != control.EndNow {
		d.Form.Hold() // what comes next waits until the form is closed
		return nil
	}
	switch step.Kind {
	case control.Watch, control.AskApproval, control.WaitUntil:
		return nil
	case control.Finished:
		return screen.Outcome{VerdictReady{}}
	case control.AskUser:
		if d.Form.IsOpen() || !d.Busy() {
			d.Form.Show()
		}
		d.Arrange()
		return nil
	case control.Play:
		if told := d.PauseForCut(); told.Text != "" {
			d.Arrange()
			return screen.Advise(screen.Warning, told.Text, d.keys.Does("pause", "go on"))
		}
		return d.carryOut(step.Action, control.Values{})
	case control.Idle:
	}
	d.Arrange()
	return nil
}

// Busy reports whether the user does something that a form which opens by itself would hide:
// reads one seat or above the end of a pane, searches, or has something over the debate.
func (d *Debate) Busy() bool {
	return d.view.zoom || !d.focused().Following() || d.search.words != "" || d.config.Covered != nil && d.config.Covered()
}

// BeginQueued begins the run that waits for those of other sessions, if there is room.
func (d *Debate) BeginQueued() screen.Outcome {
	if !d.Controller.BeginQueued() {
		return nil
	}
	d.Form.Shut()
	return screen.Outcome{screen.RunBegan{}}
}

func (d *Debate) askPauseNow() screen.Outcome {
	if !d.Paused() {
		return d.act(control.PauseNow, control.Values{}, "space", "now")
	}
	q := d.questionOf(control.PauseNow, control.Values{}, "space", "now")
	return screen.Outcome{orElse(q, screen.Answer{Key: "k", Verb: "keep going", Do: func() screen.Outcome {
		return d.carryOut(control.Pause, control.Values{})
	}})}
}

// PauseNow pauses the debate without asking.
func (d *Debate) PauseNow() screen.Outcome { return d.carryOut(control.PauseNow, control.Values{}) }

// act carries out an action that the user has chosen, once the question before it is
// answered. Key is the key that asks, and verb what the action does.
func (d *Debate) act(id control.ID, v control.Values, key, verb string) screen.Outcome {
	if err := d.Check(id, v); err != nil {
		return screen.Tell(screen.Warning, d.why(err))
	}
	if d.Question(id, v) == "" {
		return d.carryOut(id, v)
	}
	return screen.Outcome{d.questionOf(id, v, key, verb)}
}

// questionOf asks before an action. It follows what happens meanwhile: an action that is
// not possible any more is only reported.
func (d *Debate) questionOf(id control.ID, v control.Values, key, verb string) screen.Question {
	q := screen.Question{Key: key, Renew: func() screen.Question { return d.questionOf(id, v, key, verb) }}
	if err := d.Check(id, v); err != nil {
		q.Text = d.why(err)
		return q
	}
	q.Text, q.About, q.Verb = d.Question(id, v), matterOf(id), verb
	q.Do = func() screen.Outcome { return d.carryOut(id, v) }
	return q
}

func matterOf(id control.ID) screen.Matter {
	switch id {
	case control.Pause, control.PauseNow, control.GoOn, control.SkipAhead:
		return screen.Choice
	case control.EndNow, control.EndAfterRound, control.CancelSeat, control.CancelAnswer:
		return screen.End
	default:
		return screen.Start
	}
}

// carryOut carries out an action: at once, or in a command if it writes.
func (d *Debate) carryOut(id control.ID, v control.Values) screen.Outcome {
	ctx, work := d.ctx, d.Do(id, v)
	done := func() screen.ThenIn {
		commit, err := work.Do(ctx)
		return d.then(func() screen.Outcome {
			switch {
			case err != nil && id == control.SayOutcome:
				return screen.Outcome{d.outcomeField().Refused(v.Text, err)}
			case err != nil:
				d.keepTyped(id, v)
				return d.refused(err)
			}
			return d.committed(commit)
		})
	}
	if work.Writes {
		return screen.Run(func() tea.Msg { return done() })
	}
	return done().Then()
}

// committed shows what an action has come to, and continues the session if its plan is
// another one now.
func (d *Debate) committed(commit control.Commit) screen.Outcome {
	before, ran := d.Session(), d.Running()
	told := commit()
	d.Recount()
	d.Form.SetSession(d.Session())
	d.Arrange()
	out := append(screen.Outcome{screen.Saved{What: screen.Answers}}, d.tell(told)...)
	now := d.Session()
	planned := before.Rounds != now.Rounds || before.Stopped != now.Stopped || (before.Verdict == nil) != (now.Verdict == nil)
	if planned && !ran {
		d.Form.Shut()
		out = append(out, ShowDebate{})
	}
	switch {
	case d.Running() && !ran:
		d.Form.Shut()
		return append(out, screen.RunBegan{})
	case (planned || before.Budget != now.Budget) && !ran:
		return append(out, d.Advance()...)
	}
	return out
}

// keepTyped puts what could not be saved back into its prompt.
func (d *Debate) keepTyped(id control.ID, v control.Values) {
	switch {
	case id == control.SetFocus && d.typed.focus == "":
		d.typed.focus = v.Text
	case id == control.Interject && d.typed.message == "":
		d.typed.message = v.Text
	}
}

// tell shows what the user is told, with the key of the action that helps.
func (d *Debate) tell(told control.Told) screen.Outcome {
	if told.Text == "" {
		return nil
	}
	tone := screen.Info
	if told.Good {
		tone = screen.Success
	}
	if told.Fix == control.Pause {
		told.Text, told.Verb = d.th.Symbols.Paused+" "+told.Text, "pause now"
	}
	if told.Verb != "" {
		told.Text += fmt.Sprintf(" Press %s to %s.", d.keyOf(told.Fix), told.Verb)
	}
	return screen.Tell(tone, told.Text)
}

// why returns why an action is not possible, with the key of the one that is; "" if it is.
func (d *Debate) why(err error) string {
	if err == nil {
		return ""
	}
	var r *control.Reason
	if errors.As(err, &r) && r.Instead != "" {
		return fmt.Sprintf("%s Press %s to %s.", r.Text, d.keyOf(r.Instead), r.Verb)
	}
	return text.Sentence(err.Error())
}

// RunEnded decides what comes after a run. All events of the run have been applied.
func (d *Debate) RunEnded() screen.Outcome {
	told := d.Controller.RunEnded()
	return append(d.tellEnd(told), d.Advance()...)
}

// tellEnd says why a run ended before it was done, and asks for what helps.
func (d *Debate) tellEnd(told control.Told) screen.Outcome {
	p, open := d.Problem(), d.OpenRound()
	var workspace *debate.WorkspaceError
	switch {
	case told.Text == "":
		return nil
	case p == nil:
		return screen.Tell(screen.Warning, told.Text+" To end without it, use the last row of the form.")
	case open.CanGoOn():
		return screen.Advise(screen.Error, told.Text, d.retryKeys(open)+" · "+d.keys.Does("pause", "go on"))
	case open != nil:
		return screen.Advise(screen.Error, told.Text+" Nothing is lost.", d.keys.Does("retry", "retry"))
	case !p.Saved:
		return screen.Outcome{screen.SaveFailed{Err: p.Err}}
	case p.Fix == control.SetBudget:
		return d.askBudget(told.Text, p.Err)
	case errors.As(p.Err, &workspace):
		return d.workspaceRefused(p.Err)
	}
	var unpriced *debate.UnpricedError
	if errors.As(p.Err, &unpriced) {
		return screen.Tell(screen.Warning, told.Text)
	}
	return screen.Tell(screen.Error, told.Text)
}

// retryKeys says how to ask those again who did not answer an open round: the key alone does
// nothing where the seat in focus has answered.
func (sc *Screen) retryKeys(open *debate.RoundFailedError) string {
	if len(open.Causes) == 1 {
		if p, n := sc.Session().Seat(open.Causes[0].Agent); n > 0 {
			return fmt.Sprintf("%d then %s", n, sc.keys.Does("retry", "retry "+text.Line(p.Name)))
		}
	}
	return sc.keys.Does("retry", "retry a failed seat")
}

// workspaceRefused says why the workspace cannot be used. If it only was not chosen on
// this machine, it asks the user to allow it, and then continues; else it asks for another one.
func (d *Debate) workspaceRefused(err error) screen.Outcome {
	refused := screen.Advise(screen.Error, text.Sentence(err.Error()), d.keys.Does("pause", "try again"))
	allow, s := d.config.AllowWorkspace, d.Session()
	switch {
	case !errors.Is(err, debate.ErrNotChosen) && d.config.MoveWorkspace != nil:
		return screen.Outcome{d.askWorkspace(text.Sentence(err.Error()))}
	case allow == nil || !errors.Is(err, debate.ErrNotChosen):
		return refused
	}
	return screen.Outcome{screen.Question{
		Text: fmt.Sprintf("Let the seats read %s (%s)? The debate names this folder, but nobody has chosen it on this machine.",
			s.Workspace.Dir, s.Workspace.Mode),
		About: screen.Approval, Verb: "allow",
		Do: func() screen.Outcome {
			return d.settleWorkspace(func(ctx context.Context) (func() screen.Outcome, error) { return d.pauseOrContinue, allow(ctx, s) })
		},
		Dropped: func() screen.Outcome { return refused },
	}}
}

// settleWorkspace returns a command that does what the workspace needs; what that returns follows.
func (d *Debate) settleWorkspace(do func(context.Context) (then func() screen.Outcome, err error)) screen.Outcome {
	ctx := context.WithoutCancel(d.ctx)
	return screen.Run(func() tea.Msg {
		then, err := do(ctx)
		return d.then(func() screen.Outcome {
			switch {
			case err != nil:
				return screen.Tell(screen.Error, text.Sentence(err.Error()))
			case d.Running():
				return nil
			}
			return then()
		})
	})
}

// askWorkspace asks for another folder in place of one that cannot be used.
func (d *Debate) askWorkspace(why string) screen.Prompt {
	s := d.Session()
	p := promptFor("another folder, or none", 4096, &d.typed.workspace,
		func(line string) screen.Outcome {
			if line = strings.TrimSpace(line); line == "" {
				return nil
			}
			return d.settleWorkspace(func(ctx context.Context) (func() screen.Outcome, error) {
				question, err := d.config.MovedWorkspace(ctx, s, line)
				return func() screen.Outcome { return d.moveWorkspace(line, question) }, err
			})
		})
	p.Text, p.Note = s.Workspace.Dir, why
	return p
}

// moveWorkspace gives the session another workspace and continues, once the question is answered;
// "" asks nothing.
func (d *Debate) moveWorkspace(to, question string) screen.Outcome {
	s := d.Session()
	move := func() screen.Outcome {
		return d.settleWorkspace(func(ctx context.Context) (func() screen.Outcome, error) {
			next, err := d.config.MoveWorkspace(ctx, s, to)
			return func() screen.Outcome {
				d.SetSession(next)
				return d.pauseOrContinue()
			}, err
		})
	}
	if question == "" { // the folder is the one that it has
		return move()
	}
	return screen.Outcome{screen.Question{Text: question, About: screen.Approval, Verb: "go on", Do: move}}
}

// resumeNotices focuses the first seat that was cut off, and reports a changed
// configuration, a model that retires, and saved drafts.
func (d *Debate) resumeNotices() screen.Outcome {
	var out screen.Outcome
	s := d.Session()
	if n := len(s.Notices); n > 0 && s.Verdict == nil && slices.Contains([]string{"config_drift", "model_retires"}, s.Notices[n-1].Code) {
		out = screen.Tell(screen.Warning, s.Notices[n-1].Text)
	}
	for i, p := range d.panes {
		if k := p.Seat().State().Kind; k == control.SeatInterrupted || k == control.SeatFailed {
			d.focusOn(i)
			break
		}
	}
	for _, r := range s.Requests {
		draft := s.Drafts[r.ID]
		if typed := cmp.Or(text.Line(draft.Text), text.Line(draft.Other)); r.Open() && typed != "" {
			words := fmt.Sprintf("Your draft for %s was saved: \"%s\"", r.ID, text.Clip(typed, 24))
			return append(out, screen.Advise(screen.Info, words, d.keys.Does("answer", "open"))...)
		}
	}
	return out
}

// RedrawEvery returns how often the screen changes without events: at each frame
// of the spinner, each second for a countdown, once a wait that is told has ended, or never (0).
func (d *Debate) RedrawEvery(spin time.Duration) time.Duration {
	if !d.Running() {
		now := d.config.Now()
		if until := d.Session().WaitsUntil(now); !until.IsZero() {
			return min(until.Sub(now), time.Minute) // a clock may have been set
		}
		return 0
	}
	switch d.Phase() {
	case control.PhaseDelayed:
		return time.Second
	case control.PhaseConcluding, control.PhaseAssisting, control.PhaseAnswering:
		return spin
	default: // its seats say it
	}
	var every time.Duration
	for _, p := range d.panes {
		switch {
		case p.Seat().State().Busy():
			return spin
		case d.Waiting(p.Seat().Profile().ID):
			every = time.Second
		}
	}
	return every
}

func (d *Debate) refused(err error) screen.Outcome {
	if control.Rejected(err) {
		return screen.Tell(screen.Warning, d.why(err))
	}
	return screen.Outcome{screen.SaveFailed{What: screen.Answers, Err: err}}
}

// onSpace returns the action of the key that pauses and continues.
func (sc *Screen) onSpace() control.ID {
	switch {
	case sc.Running() && (sc.Paused() || sc.WhyNot(control.Pause) != nil):
		return control.PauseNow
	case sc.Running():
		return control.Pause
	case sc.Phase() == control.PhaseNeedsUser:
		return control.Answer
	case sc.WhyNot(control.GoOn) == nil:
		return control.GoOn
	}
	return control.Continue
}

func (d *Debate) pauseOrContinue() screen.Outcome {
	switch id := d.onSpace(); id {
	case control.PauseNow:
		return d.askPauseNow()
	case control.Answer:
		return d.openForm()
	default:
		return d.act(id, control.Values{}, "space", "go on")
	}
}

func (d *Debate) askCancel() screen.Outcome {
	return d.act(control.CancelSeat, control.Values{Seat: d.seatInFocus()}, "x", "cancel")
}

// askRetry asks the seat in focus, or the chair, that waits for its provider, at once; a seat
// that has ended runs again, but after the verdict only when the user confirms it.
func (d *Debate) askRetry() screen.Outcome {
	focus := d.seatInFocus()
	if d.whyNotRetryNow(focus) == "" {
		return d.retryNow(focus)
	}
	return d.act(control.RetrySeat, control.Values{Seat: focus}, "R", "retry")
}

func (d *Debate) whyNotCancel() string {
	return d.why(d.Check(control.CancelSeat, control.Values{Seat: d.seatInFocus()}))
}

// whyNotRetry says why the seat in focus cannot be asked once more, nor at once.
func (d *Debate) whyNotRetry() string {
	focus := d.seatInFocus()
	if d.whyNotRetryNow(focus) == "" {
		return ""
	}
	return d.why(d.Check(control.RetrySeat, control.Values{Seat: focus}))
}

// retryNow ends the wait of the chair, or of the seat in focus, for its provider.
func (d *Debate) retryNow(focus agents.ID) screen.Outcome {
	return d.act(control.RetryNow, control.Values{Seat: d.RetriedNow(focus)}, "R", "retry now")
}

func (sc *Screen) followUpEnded(ev debate.FollowUpEnded) screen.Notice {
	name := text.Line(sc.Session().FollowUpName(ev.FollowUp))
	if ev.FollowUp.Answered() {
		return screen.Notice{Text: name + " has answered.", Tone: screen.Success, At: ev.At}
	}
	keys := sc.keys.Does("ask", "ask again")
	if x := ev.FollowUp.Response.Failure; x != nil && x.Kind == agents.KindBudget {
		keys = sc.keyOf(control.SetBudget) + ", then " + keys
	}
	return screen.Notice{
		Text: fmt.Sprintf("%s did not answer: %s", name, text.Line(ev.FollowUp.Problem())), Keys: keys, Tone: screen.Warning, At: ev.At,
	}
}
