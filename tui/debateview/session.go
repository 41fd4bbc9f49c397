package debateview

import (
	"cmp"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/pane"
	"roundtable/tui/theme"
)

// sessionView is the open session as this package shows it: the session, the
// panes of its seats, and the state of its run.
type sessionView struct {
	session  debate.Session
	panes    []*pane.Pane
	formOpen bool // the context form lies over the session's screens

	run           Run // under way; nil: nothing runs
	ended         *debate.RoundEnded
	paused        bool   // no round begins by itself
	cutTold       bool   // the debate paused for a prompt that was cut
	endAfterRound bool   // the debate ends after the round under way
	chair         string // who writes the verdict; "": nobody
	activity      string // what the round waits for besides its turns; "": nothing
	failed        *debate.RoundFailedError
	saveError     saveError
	readOnly      string // why nothing can be saved; "": it can
	replay        Replay // nil: the debate is played by models

	sides []report.RoundSides // where the voters stand, by round

	question     focusQuestion
	interjection interjection
	followUp     followUp
	budget       budgetInput
}

// saveError is what could not be saved. It is cleared when that is saved later.
type saveError int

const (
	noSaveError saveError = iota
	savingRound
	savingAnswer
	savingDraft
)

func newSessionView(s debate.Session, th *theme.Theme, readOnly string) *sessionView {
	b := &sessionView{session: s, readOnly: readOnly}
	for i, p := range s.Seats {
		one := pane.New(i+1, p, th)
		one.SetSession(s)
		b.panes = append(b.panes, one)
	}
	b.Recount()
	return b
}

// Session returns the session with all events applied so far.
func (v *sessionView) Session() debate.Session { return v.session }

// Running reports whether a run is under way.
func (v *sessionView) Running() bool { return v.run != nil }

// pane returns the pane of a seat; nil if there is no such seat.
func (v *sessionView) pane(id agents.ID) *pane.Pane {
	_, n := v.session.Seat(id)
	if n == 0 {
		return nil
	}
	return v.panes[n-1]
}

// apply shows an event in the panes, and updates the session.
func (v *sessionView) apply(ev debate.Event) {
	switch round := ev.(type) {
	case debate.RoundStarted:
		round.Session = v.merge(round.Session)
		ev = round
	case debate.RoundEnded:
		round.Session = v.merge(round.Session)
		ev = round
	default: // it has no session
	}
	for _, p := range v.panes {
		p.Apply(ev)
	}
	switch ev.(type) {
	case debate.Noticed, debate.Refused:
	default:
		v.activity = ""
	}
	v.session = v.followUp.applyFollowUp(v.session, ev)
	switch ev := ev.(type) {
	case debate.RoundStarted:
		if v.failed = nil; ev.Round > len(v.session.History) { // it began with the question; the rest of a round did not
			v.question.stored = ""
		}
		v.replace(ev.Session)
	case debate.TurnStarted:
		v.chair = "" // the seat goes first
	case debate.ContextRequested:
		v.learn(ev.Request)
	case debate.ContextChanged:
		v.learn(ev.Request)
	case debate.TurnEnded:
		v.turnEnded(ev.Response)
	case debate.Assisting:
		v.activity = text.Line(ev.Description())
	case debate.Assessed:
		v.amend(ev.Round, func(r *debate.Round) { r.Consensus = &ev.Consensus })
	case debate.Concluding:
		v.chair = ev.Profile.Name
	case debate.Concluded:
		v.session.Verdict = &ev.Verdict
	case debate.Noticed:
		v.session.Notices = append(slices.Clip(v.session.Notices), ev.Notice)
	case debate.RoundEnded:
		v.chair, v.ended = "", &ev
		v.replace(ev.Session)
	default: // the panes alone show it
	}
}

// turnEnded adds the response of a seat to its round. The chair's turn is not
// one.
func (v *sessionView) turnEnded(x debate.Response) {
	if x.Turn.Step == debate.VerdictStep {
		return
	}
	v.amend(x.Turn.Round, func(r *debate.Round) {
		r.Responses = slices.DeleteFunc(slices.Clone(r.Responses), func(o debate.Response) bool { return o.ID() == x.ID() })
		r.Responses = append(r.Responses, x)
		slices.SortStableFunc(r.Responses, func(a, c debate.Response) int {
			_, i := v.session.Seat(a.Turn.Agent)
			_, j := v.session.Seat(c.Turn.Agent)
			return cmp.Or(a.Turn.Step-c.Turn.Step, i-j, a.Turn.Attempt-c.Turn.Attempt)
		})
	})
	if p := v.pane(x.Turn.Agent); p != nil {
		p.SetSession(v.session) // which answers it did not address is known only now
	}
}

// learn replaces a request, unless the present copy is newer.
func (v *sessionView) learn(r ledger.Request) { v.session = v.session.WithRequest(r) }

// replace replaces the session by one that was read back.
func (v *sessionView) replace(s debate.Session) {
	if s.ID != v.session.ID {
		return
	}
	told := v.session.Interjections
	v.session = v.merge(s)
	for _, i := range told {
		v.addInterjection(i)
	}
}

// merge returns a session that was read back with what is known to be newer: copies of
// requests, and the plan if the user has changed it since.
func (v *sessionView) merge(s debate.Session) debate.Session {
	if s.ID != v.session.ID {
		return s
	}
	for _, r := range v.session.Requests {
		s = s.WithRequest(r)
	}
	if s.Updated.Before(v.session.Updated) {
		s = planned(s, v.session)
	}
	return s
}

// planned returns a session with the plan of a copy of it.
func planned(s, from debate.Session) debate.Session {
	s.Rounds, s.Budget, s.EndConditions, s.Stopped = from.Rounds, from.Budget, from.EndConditions, from.Stopped
	s.Verdict, s.Updated = from.Verdict, from.Updated
	for _, r := range from.Requests {
		s = s.WithRequest(r)
	}
	return s
}

// amend changes a round in a copy of the history, since others hold the session
// as a value.
func (v *sessionView) amend(round int, change func(*debate.Round)) {
	if round < 1 || round > len(v.session.History) {
		return
	}
	v.session.History = slices.Clone(v.session.History)
	change(&v.session.History[round-1])
}

// nameOf returns what a seat is called.
func (v *sessionView) nameOf(id agents.ID) string {
	p, n := v.session.Seat(id)
	if n == 0 {
		return string(id)
	}
	return text.Line(p.Name)
}

// blocking returns the ids of the requests that the next round waits for.
func (v *sessionView) blocking() []string {
	var ids []string
	for _, r := range v.session.Unanswered() {
		ids = append(ids, r.ID)
	}
	return ids
}

// windowTitle names topic and state. It does not change while text streams in.
func (v *sessionView) windowTitle(th *theme.Theme) string {
	s, name := v.session, text.Clip(v.title(), 60)
	switch open := len(s.Unanswered()); {
	case v.replay != nil:
		return "Replay: " + name
	case v.Running() && !v.followUp.active():
		return fmt.Sprintf("%s · round %d/%d", name, len(s.History), s.Rounds)
	case s.Verdict == nil && open > 0 && s.Status() == debate.NeedsContext:
		return fmt.Sprintf("%s %s · %d required", th.Symbols.Waits, name, open)
	case s.Verdict != nil:
		return fmt.Sprintf("%s %s · verdict", th.Symbols.Ready, name)
	default:
		return th.Symbols.Paused + " " + name
	}
}

// StopText says what happens to unfinished turns if the run is stopped.
func (v *sessionView) StopText() string {
	var names []string
	for _, p := range v.panes {
		switch p.State().Kind {
		case pane.Waiting, pane.Writing, pane.Tool, pane.Deciding, pane.Retrying, pane.Paused, pane.Queued:
			names = append(names, p.Profile().Name)
		case pane.Idle, pane.Done, pane.Failed, pane.Cancelled, pane.Interrupted:
		}
	}
	text := "A round is running. Finished answers are saved"
	switch {
	case v.followUp.active():
		return v.followUp.name + " is answering your question. Quitting stops the answer; you can ask again."
	case v.chair != "":
		return fmt.Sprintf("%s is writing the verdict. All answers are saved; the verdict is written on resume.", v.chair)
	case v.activity != "":
		return v.activity + ". All answers are saved; this is repeated on resume."
	case len(names) == 1:
		text += "; " + names[0] + " is asked again on resume"
	case len(names) > 1:
		text += "; " + namesOrCount(names) + " are asked again on resume"
	}
	return text + "."
}

// AttentionText says why the debate waits or that it has ended, for a desktop
// notification.
func (v *sessionView) AttentionText() string {
	switch s := v.session; {
	case v.openRound().CanGoOn():
		return "The debate is waiting for you: " + v.openRound().Summary() + "."
	case v.saveError != noSaveError, v.failed != nil:
		return "The debate stopped on an error."
	case s.Stopped == debate.StoppedByBudget:
		return "The debate stopped: the budget is used up."
	case s.Status() == debate.NeedsContext:
		return fmt.Sprintf("The debate is waiting for you: %d required.", len(s.Unanswered()))
	case s.Verdict == nil:
		return "The debate is paused."
	}
	return "The debate has ended."
}
