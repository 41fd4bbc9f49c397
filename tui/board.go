package tui

import (
	"cmp"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/pane"
	"roundtable/tui/theme"
)

// board is the open session with all that shows it.
type board struct {
	session debate.Session
	panes   []*pane.Pane
	sight   sight
	layout  layout
	finder  finder
	prompt  *lineInput // a line that is typed; nil: none is
	sheet   *sheet     // the context form
	log     *toolLog
	report  *verdictReport
	receipt *receipt

	live     *live // the run under way; nil: nothing runs
	step     int   // of the round under way
	paused   bool  // no round begins by itself
	last     bool  // the debate ends after the round under way
	chair    string
	aide     string // what the light model does while the round waits for it; "": nothing
	failed   *debate.RoundFailedError
	stuck    trouble // what the store refused
	aim      aim
	remark   remark
	funds    funds
	ended    *debate.RoundEnded // of the run before this one
	readonly string             // why nothing can be saved; "": it can
}

// trouble is what the store did not take. It is over when it takes that again.
type trouble int

const (
	noTrouble trouble = iota
	withRounds
	withAnswers
	withDrafts
)

// newBoard shows a session.
func newBoard(s debate.Session, th *theme.Theme) *board {
	b := &board{session: s, log: newToolLog(th), report: newReport(th), receipt: newReceipt(th), sheet: newSheet(th), finder: newFinder(th)}
	for i, p := range s.Seats {
		one := pane.New(i+1, p, th)
		one.Load(s)
		b.panes = append(b.panes, one)
	}
	b.log.load(s)
	b.report.load(s)
	b.foresee()
	b.look(sight{})
	return b
}

func (b *board) setTheme(th *theme.Theme) {
	for _, p := range b.panes {
		p.SetTheme(th)
	}
	b.log.th = th
	b.report.setTheme(th)
	b.receipt.setTheme(th)
	b.sheet.setTheme(th)
	b.finder.setTheme(th)
	if b.prompt != nil {
		b.prompt.setTheme(th)
	}
}

// look sets what the user looks at.
func (b *board) look(s sight) {
	b.sight = s
	for i, p := range b.panes {
		p.SetFocused(i == s.focus && !b.asking())
	}
}

// focus returns the pane that has the focus; nil without seats.
func (b *board) focus() *pane.Pane {
	if b.sight.focus < len(b.panes) {
		return b.panes[b.sight.focus]
	}
	return nil
}

// pane returns the pane of a seat.
func (b *board) pane(id agents.ID) *pane.Pane {
	_, n := b.session.Seat(id)
	if n == 0 {
		return nil
	}
	return b.panes[n-1]
}

// arrange gives everything its room.
func (b *board) arrange(w, h int) {
	b.sight.banner = len(b.bannerText(time.Time{}))
	b.layout = arrange(w, h, len(b.panes), b.sight)
	b.sight.first = b.layout.first
	for _, s := range b.layout.slots {
		b.panes[s.seat].SetSize(s.w, s.h)
	}
	b.sheet.arrange(w, h, b)
	b.report.setSize(w, h-4)
	b.log.setSize(w, h-3)
	b.receipt.setSize(w, h-3)
}

// asking reports whether the context form is open.
func (b *board) asking() bool { return b.sheet.open }

// apply shows an event, and keeps what it says of the session.
func (b *board) apply(ev debate.Event) {
	for _, p := range b.panes {
		p.Apply(ev)
	}
	b.log.apply(ev)
	b.report.apply(ev)
	if _, noticed := ev.(debate.Noticed); !noticed {
		b.aide = ""
	}
	switch ev := ev.(type) {
	case debate.RoundStarted:
		b.failed, b.step, b.aim.question = nil, 0, ""
		b.replace(ev.Session)
	case debate.TurnStarted:
		b.step = max(b.step, ev.Turn.Step)
	case debate.ContextRequested:
		b.learn(ev.Request)
	case debate.ContextChanged:
		b.learn(ev.Request)
	case debate.TurnEnded:
		if ev.Response.Turn.Step == debate.VerdictStep { // a chair's is no answer of the round
			return
		}
		b.settle(ev.Response)
		if p := b.pane(ev.Response.Turn.Agent); p != nil {
			p.Session(b.session) // what it passes over shows only now
		}
		b.foresee()
	case debate.Assisting:
		b.aide = safetext.Line(ev.Description())
	case debate.Assessed:
		b.amend(ev.Round, func(r *debate.Round) { r.Consensus = &ev.Consensus })
	case debate.Concluding:
		b.chair = ev.Profile.Name
		b.sheet.form.SetFinal()
	case debate.Concluded:
		b.session.Verdict = &ev.Verdict
		b.sheet.form.SetFinal()
		b.report.load(b.session)
	case debate.Noticed:
		b.session.Notices = append(slices.Clip(b.session.Notices), ev.Notice)
	case debate.RoundEnded:
		b.chair, b.ended = "", &ev
		b.replace(ev.Session)
	case debate.TurnQueued, debate.TurnRetrying, debate.Text, debate.ToolStarted, debate.ToolEnded: // the panes show them
	}
}

// learn takes over a request, unless it is older than the one there is.
func (b *board) learn(r ledger.Request) {
	b.session = b.session.WithRequest(r)
	b.sheet.update(b.session)
}

// replace takes over a session as it was read back. A request of which a newer
// copy is here already stays, and so does what was said meanwhile.
func (b *board) replace(s debate.Session) {
	if s.ID != b.session.ID {
		return
	}
	for _, r := range b.session.Requests {
		s = s.WithRequest(r)
	}
	told := b.session.Interjections
	b.session = s
	for _, i := range told {
		b.hear(i)
	}
	b.sheet.update(b.session)
	b.report.load(b.session)
	b.foresee()
}

// settle keeps how a turn ended.
func (b *board) settle(x debate.Response) {
	b.amend(x.Turn.Round, func(r *debate.Round) {
		r.Responses = slices.DeleteFunc(slices.Clone(r.Responses), func(o debate.Response) bool { return o.ID() == x.ID() })
		r.Responses = append(r.Responses, x)
		slices.SortStableFunc(r.Responses, func(a, c debate.Response) int {
			_, i := b.session.Seat(a.Turn.Agent)
			_, j := b.session.Seat(c.Turn.Agent)
			return cmp.Or(a.Turn.Step-c.Turn.Step, i-j, a.Turn.Attempt-c.Turn.Attempt)
		})
	})
}

// amend changes a round of the session, which stays a value for others.
func (b *board) amend(round int, change func(*debate.Round)) {
	if round < 1 || round > len(b.session.History) {
		return
	}
	b.session.History = slices.Clone(b.session.History)
	change(&b.session.History[round-1])
}

// nameOf returns what a seat is called.
func (b *board) nameOf(id agents.ID) string {
	p, n := b.session.Seat(id)
	if n == 0 {
		return string(id)
	}
	return safetext.Line(p.Name)
}
