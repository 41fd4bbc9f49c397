package pane

import (
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// Load shows what a stored session has of this seat, and of nothing else. A
// turn that was running belongs to a process that is gone.
func (p *Pane) Load(s debate.Session) {
	p.sections, p.live, p.retry, p.using = nil, nil, nil, 0
	p.round, p.running = 0, false
	for _, r := range s.History {
		for _, x := range r.AttemptsOf(p.profile.ID) {
			p.fill(x)
		}
	}
	p.restructure()
	p.session(s)
}

// Apply shows an event. What is not about this seat changes nothing, but for
// the beginning and end of rounds and requests that it has a part in.
func (p *Pane) Apply(ev debate.Event) {
	switch ev := ev.(type) {
	case debate.RoundStarted:
		p.session(ev.Session)
		p.round, p.running = max(p.round, ev.Round), true
		p.touch()
	case debate.RoundEnded:
		p.roundEnded(ev)
	case debate.TurnStarted:
		p.turnStarted(ev)
	case debate.TurnQueued:
		p.asking(ev.Turn)
	case debate.TurnRetrying:
		p.retrying(ev)
	case debate.Text:
		p.text(ev)
	case debate.ToolStarted:
		p.toolStarted(ev)
	case debate.ToolEnded:
		p.toolEnded(ev)
	case debate.ContextRequested:
		p.learn(ev.Request)
	case debate.ContextChanged:
		p.learn(ev.Request)
	case debate.TurnEnded:
		p.turnEnded(ev)
	case debate.Assisting, debate.Assessed, debate.Concluding, debate.Concluded, debate.Noticed: // not of a seat
	}
}

// session takes over what the pane has to know of the whole debate.
func (p *Pane) session(s debate.Session) {
	if s.ID == "" {
		return
	}
	p.panel = map[agents.ID]string{}
	for _, seat := range s.Seats {
		p.panel[seat.ID] = line(seat.Name)
	}
	p.rounds = s.Rounds
	p.hear(s)
	for _, r := range s.History {
		p.round = max(p.round, r.Number)
	}
	for _, r := range s.Requests {
		p.learn(r)
	}
	p.touch()
}

// roundEnded takes over the session as it was stored. A turn that still runs
// here has come to nothing there.
func (p *Pane) roundEnded(ev debate.RoundEnded) {
	p.running = false
	p.touch()
	if p.live != nil && ev.Session.ID != "" {
		p.Load(ev.Session)
		return
	}
	p.session(ev.Session)
}

// mine reports whether a turn is one of this seat in a round; a chair's is not.
func (p *Pane) mine(t agents.Turn) bool {
	return t.Agent == p.profile.ID && t.Step != debate.VerdictStep
}

func (p *Pane) turnStarted(ev debate.TurnStarted) {
	if !p.running { // a seat plays its turn again
		p.running = true
		p.touch()
	}
	if !p.mine(ev.Turn) {
		return
	}
	if p.pinned && p.below == 0 { // the end is in sight, so it is followed
		p.Bottom()
	}
	p.live = p.begin(ev.Turn, ev.Role, ev.At)
	p.round = max(p.round, ev.Turn.Round)
	p.retry, p.using = nil, 0
	p.meter = meter{}
	p.restructure()
}

// asking says that the seat's provider has been asked and has not answered.
func (p *Pane) asking(t agents.Turn) {
	if a := p.find(t); a != nil {
		if p.retry != nil { // its end is when the model was asked again, unless somebody hurried
			a.asked = p.retry.until
			if !p.seen.IsZero() && p.seen.Before(a.asked) {
				a.asked = p.seen
			}
		}
		p.retry, a.spoke = nil, false
		p.touch()
	}
}

// retry is a completion that will be asked for again.
type retry struct {
	cause   string
	try, of int
	until   time.Time
	paused  bool
}

// retrying says that the provider is asked again: for the completion under way,
// or for a whole new attempt, since part of an answer had come.
func (p *Pane) retrying(ev debate.TurnRetrying) {
	a := p.current()
	if a != nil && p.mine(ev.Turn) && ev.Turn.Attempt == a.turn.Attempt+1 && sameTurn(ev.Turn, a.turn) {
		p.live = p.begin(ev.Turn, a.role, ev.At)
		p.meter = meter{}
	}
	if p.find(ev.Turn) == nil {
		return
	}
	p.retry = &retry{cause: line(ev.Retry.Cause), try: ev.Retry.Try, of: ev.Retry.Of, until: ev.At.Add(ev.Retry.In)}
	if !ev.Retry.Until.IsZero() {
		p.retry.until, p.retry.paused = ev.Retry.Until, true
	}
	p.restructure()
}

// sameTurn reports whether two attempts are of the same turn.
func sameTurn(a, b agents.Turn) bool {
	a.Attempt, b.Attempt = 0, 0
	return a == b
}

func (p *Pane) text(ev debate.Text) {
	a := p.find(ev.Turn)
	if a == nil || ev.Text == "" {
		return
	}
	if p.retry != nil || !a.spoke {
		p.retry = nil
		p.touch()
	}
	if a.write(ev) {
		p.restructure()
	}
	p.count(ev.Text)
	p.grow()
}

func (p *Pane) toolStarted(ev debate.ToolStarted) {
	a := p.find(ev.Turn)
	if a == nil {
		return
	}
	p.retry = nil
	p.using++
	a.work()
	a.tool(ev.Tool)
	p.restructure()
}

func (p *Pane) toolEnded(ev debate.ToolEnded) {
	a := p.find(ev.Turn)
	if a == nil {
		return
	}
	a.tool(ev.Tool)
	if p.using = max(0, p.using-1); p.using == 0 { // the model is told, and goes on
		a.spoke, a.asked = false, ev.At
	}
	p.restructure()
}

func (p *Pane) turnEnded(ev debate.TurnEnded) {
	if !p.mine(ev.Response.Turn) {
		return
	}
	p.fill(ev.Response)
	if p.find(ev.Response.Turn) != nil {
		p.live, p.retry, p.using = nil, nil, 0
	}
	p.round = max(p.round, ev.Response.Turn.Round)
	p.restructure()
}
