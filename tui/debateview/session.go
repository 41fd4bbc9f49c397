package debateview

import (
	"cmp"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/pane"
	"roundtable/tui/theme"
)

// sessionView is the open session as the screens of this package show it: the
// session itself, the panes of its seats, and how far its run is.
type sessionView struct {
	session  debate.Session
	panes    []*pane.Pane
	formOpen bool // the context form lies over the session's screens

	run           Run // under way; nil: nothing runs
	ended         *debate.RoundEnded
	step          int    // of the round under way
	paused        bool   // no round begins by itself
	endAfterRound bool   // the debate ends after the round under way
	chair         string // who writes the verdict; "": nobody
	activity      string // what the light model does while the round waits for it; "": nothing
	failed        *debate.RoundFailedError
	saveError     saveError
	readOnly      string // why nothing can be saved; "": it can

	question     focusQuestion
	interjection interjection
	budget       budgetInput
}

// saveError is what the store refused to save. It is over when that is saved again.
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
	b.forecast()
	return b
}

// Session returns the session as it is known by now.
func (b *sessionView) Session() debate.Session { return b.session }

// Running reports whether a run is under way.
func (b *sessionView) Running() bool { return b.run != nil }

// pane returns the pane of a seat; nil if there is no such seat.
func (b *sessionView) pane(id agents.ID) *pane.Pane {
	_, n := b.session.Seat(id)
	if n == 0 {
		return nil
	}
	return b.panes[n-1]
}

// apply shows an event in the panes, and keeps what it says of the session.
func (b *sessionView) apply(ev debate.Event) {
	for _, p := range b.panes {
		p.Apply(ev)
	}
	if _, noticed := ev.(debate.Noticed); !noticed {
		b.activity = ""
	}
	switch ev := ev.(type) {
	case debate.RoundStarted:
		b.failed, b.step, b.question.stored = nil, 0, ""
		b.replace(ev.Session)
	case debate.TurnStarted:
		b.step = max(b.step, ev.Turn.Step)
	case debate.ContextRequested:
		b.learn(ev.Request)
	case debate.ContextChanged:
		b.learn(ev.Request)
	case debate.TurnEnded:
		b.turnEnded(ev.Response)
	case debate.Assisting:
		b.activity = safetext.Line(ev.Description())
	case debate.Assessed:
		b.amend(ev.Round, func(r *debate.Round) { r.Consensus = &ev.Consensus })
	case debate.Concluding:
		b.chair = ev.Profile.Name
	case debate.Concluded:
		b.session.Verdict = &ev.Verdict
	case debate.Noticed:
		b.session.Notices = append(slices.Clip(b.session.Notices), ev.Notice)
	case debate.RoundEnded:
		b.chair, b.ended = "", &ev
		b.replace(ev.Session)
	default: // the panes alone show it
	}
}

// turnEnded keeps how a turn of a seat ended. A chair's turn is no answer of the
// round.
func (b *sessionView) turnEnded(x debate.Response) {
	if x.Turn.Step == debate.VerdictStep {
		return
	}
	b.amend(x.Turn.Round, func(r *debate.Round) {
		r.Responses = slices.DeleteFunc(slices.Clone(r.Responses), func(o debate.Response) bool { return o.ID() == x.ID() })
		r.Responses = append(r.Responses, x)
		slices.SortStableFunc(r.Responses, func(a, c debate.Response) int {
			_, i := b.session.Seat(a.Turn.Agent)
			_, j := b.session.Seat(c.Turn.Agent)
			return cmp.Or(a.Turn.Step-c.Turn.Step, i-j, a.Turn.Attempt-c.Turn.Attempt)
		})
	})
	if p := b.pane(x.Turn.Agent); p != nil {
		p.SetSession(b.session) // which answers it did not address is known only now
	}
	b.forecast()
}

// learn replaces a request, unless the copy there is is newer.
func (b *sessionView) learn(r ledger.Request) { b.session = b.session.WithRequest(r) }

// replace replaces the session by one that was read back. Newer copies of requests
// stay, and so do interjections made meanwhile.
func (b *sessionView) replace(s debate.Session) {
	if s.ID != b.session.ID {
		return
	}
	for _, r := range b.session.Requests {
		s = s.WithRequest(r)
	}
	told := b.session.Interjections
	b.session = s
	for _, i := range told {
		b.addInterjection(i)
	}
	b.forecast()
}

// amend changes a round of a copy of the session, which others hold as a value.
func (b *sessionView) amend(round int, change func(*debate.Round)) {
	if round < 1 || round > len(b.session.History) {
		return
	}
	b.session.History = slices.Clone(b.session.History)
	change(&b.session.History[round-1])
}

// nameOf returns what a seat is called.
func (b *sessionView) nameOf(id agents.ID) string {
	p, n := b.session.Seat(id)
	if n == 0 {
		return string(id)
	}
	return safetext.Line(p.Name)
}

// blocking returns the ids of the requests that the next round waits for.
func (b *sessionView) blocking() []string {
	var ids []string
	for _, r := range b.session.Unanswered() {
		ids = append(ids, r.ID)
	}
	return ids
}

// windowTitle names topic and state; it changes with the state, not with the stream.
func (b *sessionView) windowTitle(th *theme.Theme) string {
	s, name := b.session, safetext.Clip(b.title(), 60)
	switch open := len(s.Unanswered()); {
	case b.Running():
		return fmt.Sprintf("%s · round %d/%d", name, len(s.History), s.Rounds)
	case s.Verdict == nil && open > 0 && s.Status() == debate.NeedsContext:
		return fmt.Sprintf("%s %s · %d required", th.Symbols.Waits, name, open)
	case s.Verdict != nil:
		return fmt.Sprintf("%s %s · verdict", th.Symbols.Ready, name)
	default:
		return th.Symbols.Paused + " " + name
	}
}

// StopText says what stopping the run means.
func (b *sessionView) StopText() string {
	var names []string
	for _, p := range b.panes {
		switch p.State().Kind {
		case pane.Waiting, pane.Writing, pane.Tool, pane.Retrying, pane.Paused, pane.Queued:
			names = append(names, p.Profile().Name)
		case pane.Idle, pane.Done, pane.Failed, pane.Cancelled, pane.Interrupted:
		}
	}
	text := "A round is running. Finished answers are saved"
	switch {
	case b.chair != "":
		return fmt.Sprintf("%s writes the verdict. All answers are saved; the verdict is written on resume.", b.chair)
	case b.activity != "":
		return b.activity + ". All answers are saved; this is done on resume."
	case len(names) == 1:
		text += ", " + names[0] + "'s is asked again on resume"
	case len(names) > 1:
		text += ", those of " + some(names) + " are asked again on resume"
	}
	return text + "."
}

// Attention says what a user who looks elsewhere is told once nothing runs.
func (b *sessionView) Attention() string {
	switch s := b.session; {
	case b.saveError != noSaveError, b.failed != nil:
		return "The debate has stopped: something failed."
	case s.Stopped == debate.StoppedByBudget:
		return "The debate has stopped: the budget is used up."
	case s.Status() == debate.NeedsContext:
		return fmt.Sprintf("The debate waits for you: %d required.", len(s.Unanswered()))
	case s.Verdict == nil:
		return "The debate is paused."
	}
	return "The debate has ended."
}
