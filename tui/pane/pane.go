// Package pane shows one seat's transcript: its rounds, its own tool calls and
// requests, its text while it streams, and how its turns ended.
//
// It imports theme, markdown and safetext, and agents, debate and ledger for
// their values. It does no I/O and reads no clock: what happens comes as events,
// the time as an argument of View. It must not know of other panes, of keys, or
// of where on the screen it stands.
//
// All foreign text is made safe when it arrives, once. Drawing costs what is
// visible, however long the transcript has become: a block is drawn when it is
// first seen at a width, and kept.
package pane

import (
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/markdown"
	"roundtable/tui/theme"
)


// Pane is the transcript of one seat. Its zero value is of no use; see New.
type Pane struct {
	th      *theme.Theme
	prose   *markdown.Renderer // of statements
	faint   *markdown.Renderer // of text that leads nowhere
	seat    int                // from 1
	profile agents.Profile
	name    string
	model   string

	panel    map[agents.ID]string // names of the panel
	rounds   int                  // planned; 0: unknown
	round    int                  // the last that has begun
	running  bool                 // a round does
	sections []*section
	requests map[string]request
	order    []string // ids of requests, as they became known
	asks     map[string]ask
	told     map[int][]remark    // by round
	passed   map[string][]string // answers that are not addressed, by response
	live     *attempt            // that runs
	retry    *retry
	using    int // tools that run

	w, h    int
	focused bool
	beside  bool // the context form
	details bool
	scroll
	search
	meter
	screen
}

// New returns the empty pane of a seat; seats count from 1.
func New(seat int, profile agents.Profile, th *theme.Theme) *Pane {
	p := &Pane{
		seat: seat, profile: profile, name: line(profile.Name), model: line(profile.Model),
		requests: map[string]request{}, asks: map[string]ask{},
	}
	p.follow = true
	p.SetTheme(th)
	return p
}

// SetSize gives the pane its place, borders included. What is in its top row stays there.
func (p *Pane) SetSize(w, h int) {
	if w == p.w && h == p.h {
		return
	}
	p.hold()
	p.w, p.h = w, h
	p.reframe()
}

// SetTheme gives the pane another theme.
func (p *Pane) SetTheme(th *theme.Theme) {
	p.th = th
	p.prose, p.faint = markdown.New(markdown.NewStyles(th)), markdown.New(markdown.NewFaintStyles(th))
	p.forget()
	p.reframe()
}

// SetFocused says whether the pane has the focus.
func (p *Pane) SetFocused(focused bool) {
	if p.focused != focused {
		p.focused = focused
		p.reframe()
	}
}

// SetBeside says whether the pane stands beside the context form: then that
// shows the requests in full, and the pages scroll this pane.
func (p *Pane) SetBeside(beside bool) {
	if p.beside != beside {
		p.beside = beside
		p.forget()
	}
}

// ToggleTools unfolds or folds reasoning and what tools were given and gave.
func (p *Pane) ToggleTools() {
	p.details = !p.details
	p.forget()
}

// Seat returns the seat's number, from 1.
func (p *Pane) Seat() int { return p.seat }

// Profile returns who sits there.
func (p *Pane) Profile() agents.Profile { return p.profile }

// Written estimates the tokens of the answer under way; 0 if none is.
func (p *Pane) Written() int {
	if p.live == nil {
		return 0
	}
	return p.counted()
}

// State returns what the seat is doing.
func (p *Pane) State() State {
	a := p.current()
	if a == nil || a.turn.Round < p.round {
		if p.round == 0 {
			return State{Kind: Idle}
		}
		return State{Kind: Queued}
	}
	switch a.state {
	case debate.TurnDone:
		s := State{Kind: Done}
		for _, q := range p.owed() {
			s.Asked = append(s.Asked, q.id)
		}
		return s
	case debate.TurnFailed:
		return State{Kind: Failed}
	case debate.TurnCancelled:
		return State{Kind: Cancelled}
	case debate.TurnInterrupted:
		return State{Kind: Interrupted}
	case debate.TurnRunning:
	}
	return p.doing(a)
}

// doing is the state of a turn that goes on.
func (p *Pane) doing(a *attempt) State {
	switch r := p.retry; {
	case r != nil && r.paused:
		return State{Kind: Paused, Try: r.try, Of: r.of, Until: r.until}
	case r != nil:
		return State{Kind: Retrying, Try: r.try, Of: r.of, Until: r.until}
	case p.using > 0:
		return State{Kind: Tool}
	case !a.spoke:
		return State{Kind: Waiting, Since: a.asked}
	}
	return State{Kind: Writing}
}

// called returns the name of a seat of the panel.
func (p *Pane) called(id agents.ID) string {
	if name := p.panel[id]; name != "" {
		return name
	}
	return line(string(id))
}

// restructure says that blocks have come or gone.
func (p *Pane) restructure() {
	p.stale = true
	p.touch()
}

// forget drops all drawings; what is in the top row stays there.
func (p *Pane) forget() {
	p.top.fixed = false
	p.hold()
	for _, b := range p.blocks {
		b.fresh = false
	}
	p.touch()
}

// arrange makes the blocks those of the sections.
func (p *Pane) arrange() {
	if p.stale {
		p.stale = false
		p.blocks = p.blocks[:0]
		for _, s := range p.sections {
			p.blocks = append(p.blocks, s.rule)
			for i, a := range s.attempts {
				if i > 0 {
					p.blocks = append(p.blocks, a.seam)
				}
				p.blocks = append(p.blocks, a.blocks...)
			}
			p.blocks = append(p.blocks, s.end)
		}
	}
	if !p.loose {
		return
	}
	p.loose = false
	for _, s := range p.sections { // what they say depends on the rest
		s.rule.fresh, s.end.fresh = false, false
		s.newest().seam.fresh = false
	}
}

// View draws the pane: exactly its height of lines, each of exactly its width.
// Spin turns the spinner of a seat that works.
func (p *Pane) View(now time.Time, spin int) string {
	if p.w <= 0 || p.h <= 0 {
		return ""
	}
	p.tick(now)
	f := frame{Pane: p, width: max(p.w-4, 0), now: now, spin: spin}
	box := theme.Box{Width: p.w, Height: p.h, Focused: p.focused, Accent: p.th.Seat(p.seat)}
	state := p.State().Part(p.th, now, spin)
	body := p.dirty || p.moved(f)
	if body {
		p.arrange()
		box.Lines = p.window(f, max(p.h-2, 0))
	}
	title := p.title(f)
	border := edge{state: state.Text, hint: p.hint(), total: p.total(f)}
	for _, part := range title {
		border.title += part.Text
	}
	if !body && border == p.edge {
		return p.drawn
	}
	box.Title, box.State = title, []theme.Part{state}
	box.Hint, box.Total = p.words(border.hint), p.words(border.total)
	p.paint(box, p.th, body, border)
	p.drawn = strings.Join(p.rows, "\n")
	return p.drawn
}
