// Package pane shows the transcript of one seat: its rounds, tool calls and requests,
// its text while it streams, and how its turns ended.
//
// It imports theme, markdown and internal/text, and agents, debate and ledger for their
// values. It does no I/O and reads no clock: what happens arrives as events, the time
// as an argument of View. It must not know about other panes, keys, or its place on
// the screen.
//
// Foreign text is made safe once, when it arrives. The cost of drawing depends on what
// is visible, not on the length of the transcript: a block is drawn when it is first
// visible at a width, and then cached.
package pane

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
	"roundtable/tui/markdown"
	"roundtable/tui/textview"
	"roundtable/tui/theme"
)

// Pane is the transcript of one seat. Create it with [New].
type Pane struct {
	keys    keymap.Changes // of the user; nil: the default ones
	th      *theme.Theme
	prose   *markdown.Renderer // for statements
	faint   *markdown.Renderer // for text that is not part of a statement
	seat    int                // from 1
	profile agents.Profile
	name    string
	model   string
	origin  string // the model that the seat had where its session was forked from; "" if it is the same

	seatNames     map[agents.ID]string // of the whole panel
	rounds        int                  // planned; 0 if unknown
	round         int                  // the latest that has begun
	running       bool                 // a round is running
	sections      []*section
	requests      map[string]request // that the seat takes part in
	known         map[string]bool    // ids of the requests of all seats
	order         []string           // ids of the requests, in the order of arrival
	asks          map[string]ask
	interjections map[int][]interjection // by round
	unaddressed   map[string][]string    // ids of answers that a response does not mention, by its id
	session       debate.Session         // whose mode and question say what a side is
	votes         []debate.SeatVote      // of the seat, by round
	live          *attempt               // the running attempt
	silence       Silence
	retry         *retry
	runningTools  int // number of running tool calls

	w, h       int
	focused    bool
	besideForm bool // shown beside the context form
	details    bool
	changes    bool // statements are compared with those of the round before
	scroll
	query  textview.Query // that is highlighted
	budget markdown.Budget
	long   bool // a text is longer than one drawing lays out
	meter
	renderCache
}

// New returns an empty pane for a seat; seats are numbered from 1.
func New(seat int, profile agents.Profile, th *theme.Theme) *Pane {
	p := &Pane{
		seat: seat, profile: profile, name: safeLine(profile.Name), model: safeLine(profile.ModelName()),
		requests: map[string]request{}, known: map[string]bool{}, asks: map[string]ask{},
		silence: Silence{First: 2 * time.Minute, Between: 30 * time.Second},
	}
	p.follow = true
	p.budget.Refill(markdown.Step)
	p.SetTheme(th)
	return p
}

// SetSize sets the size of the pane, borders included. The text in its top row stays
// there.
func (p *Pane) SetSize(w, h int) {
	if w == p.w && h == p.h {
		return
	}
	p.anchorTop()
	p.w, p.h = w, h
	p.invalidateBorder()
}

// SetTheme sets the theme.
func (p *Pane) SetTheme(th *theme.Theme) {
	p.th = th
	p.prose, p.faint = markdown.New(markdown.NewStyles(th)), markdown.New(markdown.NewFaintStyles(th))
	p.invalidateBlocks()
	p.invalidateBorder()
}

// SetKeys sets the keys that the user gave to commands, which the pane names.
func (p *Pane) SetKeys(keys keymap.Changes) { p.keys = keys }

// SetFocused sets whether the pane has the focus.
func (p *Pane) SetFocused(focused bool) {
	if p.focused != focused {
		p.focused = focused
		p.invalidateBorder()
	}
}

// SetBesideForm sets whether the pane is shown beside the context form. The form then
// shows requests in full, and pgup and pgdn scroll the pane.
func (p *Pane) SetBesideForm(beside bool) {
	if p.besideForm != beside {
		p.besideForm = beside
		p.invalidateBlocks()
	}
}

// ToggleTools shows or hides reasoning and the arguments and results of tools.
func (p *Pane) ToggleTools() {
	p.details = !p.details
	p.invalidateBlocks()
}

// SetVotes says how the seat's votes were counted, by round.
func (p *Pane) SetVotes(votes []debate.SeatVote) {
	if slices.EqualFunc(p.votes, votes, func(a, b debate.SeatVote) bool {
		return a.Round == b.Round && a.Arrow == b.Arrow && a.Label == b.Label && a.By == b.By
	}) {
		return
	}
	p.votes = votes
	for _, b := range p.blocks {
		b.valid = b.valid && b.kind != kindSideChange
	}
	p.invalidate()
}

// Seat returns the number of the seat, from 1.
func (p *Pane) Seat() int { return p.seat }

// Profile returns the agent in the seat.
func (p *Pane) Profile() agents.Profile { return p.profile }

// LiveTokens estimates the tokens streamed in the running turn; it is 0 if none is
// running.
func (p *Pane) LiveTokens() int {
	if p.live == nil {
		return 0
	}
	return p.count()
}

// LiveTurn returns the turn that runs or waits to run again; it is false if none does.
func (p *Pane) LiveTurn() (agents.Turn, bool) {
	if p.live == nil {
		return agents.Turn{}, false
	}
	return p.live.turn, true
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
		for _, q := range p.openRequests() {
			s.OpenRequests = append(s.OpenRequests, q.id)
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
	return p.liveState(a)
}

func (p *Pane) liveState(a *attempt) State {
	switch r := p.retry; {
	case r != nil:
		return r.state
	case p.runningTools > 0 && a.asksToRun():
		return State{Kind: Deciding}
	case p.runningTools > 0:
		return State{Kind: Tool}
	case !a.responding:
		return State{
			Kind: Waiting, Since: a.askedAt, Heard: latest(a.askedAt, a.heardAt), Limit: p.silence.First,
			Whole: a.whole, Budget: a.awaitsBudget, Starting: a.starting,
		}
	}
	return State{Kind: Writing, Heard: a.heardAt, Limit: p.silence.Between}
}

// asksToRun reports whether a tool call waits until the user decides on its command.
func (a *attempt) asksToRun() bool {
	return slices.ContainsFunc(a.blocks, func(b *block) bool {
		t, ok := b.content.(*toolBlock)
		return ok && t.waiting
	})
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Silence says how long a model may be silent before that is shown as a warning.
type Silence struct {
	First   time.Duration // before the first token
	Between time.Duration // between two pieces of the answer
}

// SetSilence sets how long the seat's model may be silent.
func (p *Pane) SetSilence(s Silence) { p.silence = s }

// blocksChanged notes that blocks were added or removed.
func (p *Pane) blocksChanged() {
	p.blocksStale = true
	p.invalidate()
}

// invalidateBlocks drops all cached lines. The text in the top row stays there.
func (p *Pane) invalidateBlocks() {
	p.top.charsKept = false
	p.anchorTop()
	for _, b := range p.blocks {
		b.valid = false
	}
	p.invalidate()
}

// rebuildBlocks brings the list of blocks up to date with the sections.
func (p *Pane) rebuildBlocks() {
	if p.blocksStale {
		p.blocksStale = false
		p.blocks = p.blocks[:0]
		for _, s := range p.sections {
			p.blocks = append(p.blocks, s.header)
			for i, a := range s.attempts {
				if i > 0 {
					p.blocks = append(p.blocks, a.divider)
				}
				p.blocks = append(p.blocks, a.blocks...)
			}
			p.blocks = append(p.blocks, s.footer)
		}
		p.long = slices.ContainsFunc(p.blocks, func(b *block) bool {
			t, ok := b.content.(*textBlock)
			return ok && len(t.content()) > markdown.Step
		})
	}
	if !p.relatedDirty {
		return
	}
	p.relatedDirty = false
	for _, s := range p.sections { // their text depends on other blocks
		s.header.valid, s.footer.valid = false, false
		s.latest().divider.valid = false
	}
}

// View draws the pane: exactly its height of lines, each of exactly its width. Spin is
// the frame of the spinner.
func (p *Pane) View(now time.Time, spin int) string {
	if p.w <= 0 || p.h <= 0 {
		return ""
	}
	p.observeTime(now)
	f := frame{Pane: p, width: max(p.w-4, 0), now: now, spin: spin}
	box := theme.Box{Width: p.w, Height: p.h, Focused: p.focused, Accent: p.th.Seat(p.seat)}
	state := p.State().Part(p.th, now, spin)
	body := p.dirty || p.layingOut || f.timeChanged()
	if body {
		p.rebuildBlocks()
		p.budget.Refill(markdown.Step)
		box.Lines = f.visibleLines(max(p.h-2, 0))
		p.layingOut = p.budget.Short()
		p.budget.Refill(markdown.Step) // for keys that scroll
	}
	title := f.title()
	border := borderText{state: state.Text, hint: p.hint(), total: f.total()}
	for _, part := range title {
		border.title += part.Text
	}
	if !body && border == p.border {
		return p.view
	}
	box.Title, box.State = title, []theme.Part{state}
	box.Hint, box.Total = borderPart(p.th, border.hint), borderPart(p.th, border.total)
	p.draw(box, p.th, body, border)
	p.view = strings.Join(p.rows, "\n")
	return p.view
}

// LayingOut reports whether only a part of a long text is laid out, so that the next drawing
// shows more.
func (p *Pane) LayingOut() bool {
	p.rebuildBlocks()
	return p.layingOut || p.long && p.dirty
}

// observeTime passes the time to everything that is measured while drawing: reasoning
// and speed.
func (p *Pane) observeTime(now time.Time) {
	a := p.current()
	if a != nil && (a.state == debate.TurnRunning || !a.reasoningTimed) {
		for _, b := range a.blocks {
			if t, ok := b.content.(*reasoningBlock); ok {
				t.observe(now, now.Sub(p.lastDrawn) > maxDrawGap)
			}
		}
		a.reasoningTimed = a.state != debate.TurnRunning
		p.takeSample(now)
	}
	if a != nil && a.heard {
		a.heard, a.heardAt = false, now
	}
	p.lastDrawn = now
}

// Kind is a kind of [State].
type Kind uint8

// The kinds of states. A question of an agent holds up the next round only, a command
// that it asks to run its own turn.
const (
	Idle     Kind = iota // no round has begun yet
	Queued               // the seat's turn has not begun
	Waiting              // the model has not begun to answer
	Writing              // text is streaming
	Tool                 // a tool is running
	Deciding             // a command waits until the user decides on it
	Retrying
	Paused // the provider asked for a longer wait
	Done
	Failed
	Cancelled
	Interrupted // the program or the round was stopped
)

// State is what a seat is doing, as shown in its title, its chip and the top line.
type State struct {
	Kind         Kind
	OpenRequests []string // ids of the required requests it waits for, if Kind is Done
	Retry        int      // number of the next retry, from 1
	MaxRetries   int
	Loads        bool      // the server loads the model until then
	Until        time.Time // when the retry is due or the pause ends
	Since        time.Time // when the model was asked; zero if unknown
	Heard        time.Time // when the server last gave a sign of life; zero if unknown
	Limit        time.Duration
	Whole        bool   // the answer comes all at once: silence means nothing
	Budget       bool   // the model is not asked until other calls release budget
	Starting     string // the model is not asked until the program of this name is ready
}

// Silence returns for how long the model has been silent, if that is longer than it may
// be, or 0.
func (s State) Silence(now time.Time) time.Duration {
	if s.Heard.IsZero() || s.Limit <= 0 || s.Whole || s.Budget || s.Starting != "" {
		return 0
	}
	if d := now.Sub(s.Heard); d >= s.Limit {
		return d
	}
	return 0
}

// Busy reports whether the seat is at work and its spinner turns.
func (s State) Busy() bool { return s.Kind == Waiting || s.Kind == Writing || s.Kind == Tool }

// Ended reports whether the seat's turn has ended, successfully or not.
func (s State) Ended() bool { return s.Kind >= Done }

// Symbol returns the symbol of the state. Spin is the frame of the spinner.
func (s State) Symbol(th *theme.Theme, spin int) string {
	y := th.Symbols
	switch s.Kind {
	case Waiting, Writing, Tool:
		return y.Busy[uint(spin)%uint(len(y.Busy))]
	case Deciding:
		return y.Waits
	case Retrying:
		return y.Retry
	case Paused:
		return y.Paused
	case Done:
		return y.Done
	case Failed:
		return y.Failed
	case Cancelled:
		return y.Missing
	case Interrupted:
		return y.Interrupted
	case Queued, Idle:
	}
	return y.Queued
}

// Label returns the state in words, such as "retry 2 of 3 in 4 s". Times are shown in
// the location of now.
func (s State) Label(th *theme.Theme, now time.Time) string {
	switch s.Kind {
	case Idle:
		return "not started"
	case Queued:
		return "queued"
	case Waiting:
		if s.Whole {
			return "answers all at once"
		}
		words := "waiting"
		if s.Starting != "" {
			words = "starting " + s.Starting
		}
		if !s.Since.IsZero() {
			words += " " + text.Age(now.Sub(s.Since))
		}
		return words
	case Writing:
		if d := s.Silence(now); d > 0 {
			return "silent " + text.Age(d)
		}
		return "writing"
	case Tool:
		return "tool"
	case Deciding:
		return "asks to run"
	case Retrying:
		if s.Loads {
			return "the server loads the model"
		}
		words := fmt.Sprintf("retry %d of %d", s.Retry, s.MaxRetries)
		if left := s.Until.Sub(now); left > 0 {
			words += " in " + text.Countdown(left)
		}
		return words
	case Paused:
		return "paused until " + text.TimeOfDay(now, s.Until)
	case Done:
		if len(s.OpenRequests) > 0 {
			return "done " + th.Symbols.Sep + " asked " + strings.Join(s.OpenRequests, ", ")
		}
		return "done"
	case Failed:
		return "failed"
	case Cancelled:
		return "cancelled"
	case Interrupted:
		return "interrupted"
	}
	return ""
}

// Style returns the style of the state.
func (s State) Style(th *theme.Theme, now time.Time) lipgloss.Style {
	if s.Silence(now) > 0 {
		return th.Warning
	}
	switch s.Kind {
	case Waiting, Writing, Tool:
		return th.Text
	case Deciding, Retrying, Paused:
		return th.Warning
	case Done:
		return th.Success
	case Failed:
		return th.Danger
	case Idle, Queued, Cancelled, Interrupted:
	}
	return th.Muted
}

// Part returns the symbol and the label as a part of a line.
func (s State) Part(th *theme.Theme, now time.Time, spin int) theme.Part {
	return theme.Part{Text: s.Symbol(th, spin) + " " + s.Label(th, now), Style: s.Style(th, now)}
}
