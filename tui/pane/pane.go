// Package pane draws the transcript of one seat: its rounds, tool calls and requests, its text
// while it streams, and how its turns ended.
//
// It lays out the blocks of a control.Seat, and imports theme, markdown and internal/text, and
// agents, debate and ledger for their values. It does no I/O and reads no clock: the time is an
// argument of View. It must not know about other panes, keys, or its place on the screen.
//
// The cost of drawing depends on what is visible, not on the length of the transcript: a block
// is drawn when it is first visible at a width, and then cached.
package pane

import (
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate/control"
	"roundtable/internal/keymap"
	"roundtable/tui/markdown"
	"roundtable/tui/textview"
	"roundtable/tui/theme"
)

// Pane is the transcript of one seat. Create it with [New].
type Pane struct {
	keys   keymap.Changes // of the user; nil: the default ones
	th     *theme.Theme
	prose  *markdown.Renderer // for statements
	faint  *markdown.Renderer // for text that is not part of a statement
	number int                // of the seat, from 1
	seat   *control.Seat
	turn   agents.Turn // that ran when the pane was last drawn

	w, h       int
	focused    bool
	besideForm bool // shown beside the context form
	details    bool
	scroll
	query  textview.Query // that is highlighted
	budget markdown.Budget
	long   bool // a text is longer than one drawing lays out
	renderCache
}

// New returns the pane of a seat; seats are numbered from 1.
func New(number int, seat *control.Seat, th *theme.Theme) *Pane {
	p := &Pane{number: number, seat: seat}
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
	p.invalidate()
}

// SetTheme sets the theme.
func (p *Pane) SetTheme(th *theme.Theme) {
	p.th = th
	p.prose, p.faint = markdown.New(markdown.NewStyles(th)), markdown.New(markdown.NewFaintStyles(th))
	p.invalidateBlocks()
}

// SetKeys sets the keys that the user gave to commands, which the pane names.
func (p *Pane) SetKeys(keys keymap.Changes) { p.keys = keys }

// SetFocused sets whether the pane has the focus.
func (p *Pane) SetFocused(focused bool) {
	if p.focused != focused {
		p.focused = focused
		p.invalidate()
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

// Seat returns what the pane shows.
func (p *Pane) Seat() *control.Seat { return p.seat }

// Number returns the number of the seat, from 1.
func (p *Pane) Number() int { return p.number }

// name returns the seat's name, made safe.
func (p *Pane) name() string { return safeLine(p.seat.Profile().Name) }

// invalidateBlocks drops all cached lines. The text in the top row stays there.
func (p *Pane) invalidateBlocks() {
	p.top.charsKept = false
	p.anchorTop()
	for _, b := range p.blocks {
		b.drawn = nil
	}
	p.invalidate()
}

// listBlocks brings the list of blocks up to date with the seat.
func (p *Pane) listBlocks() {
	if p.seen == p.seat.Version() && p.blocks != nil {
		return
	}
	p.seen, p.dirty = p.seat.Version(), true
	if turn, runs := p.seat.LiveTurn(); runs && turn != p.turn {
		p.turn = turn
		if p.pinned && p.below == 0 { // the end is visible: follow it
			p.follow, p.pinned = true, false
		}
	}
	all := p.seat.Blocks()
	if slices.EqualFunc(all, p.blocks, func(a *control.Block, b *block) bool { return a == b.Block }) {
		return
	}
	known := make(map[*control.Block]*block, len(p.blocks))
	for _, b := range p.blocks {
		known[b.Block] = b
	}
	p.blocks, p.long = make([]*block, len(all)), false
	for i, b := range all {
		if p.blocks[i] = known[b]; p.blocks[i] == nil {
			p.blocks[i] = &block{Block: b}
		}
		p.long = p.long || b.Kind == control.BlockText && len(b.Words.String()) > markdown.Step
	}
}

// View draws the pane: exactly its height of lines, each of exactly its width. Spin is
// the frame of the spinner.
func (p *Pane) View(now time.Time, spin int) string {
	if p.w <= 0 || p.h <= 0 {
		return ""
	}
	p.lastDrawn = now
	p.listBlocks()
	f := frame{Pane: p, width: max(p.w-4, 0), now: now, spin: spin}
	box := theme.Box{Width: p.w, Height: p.h, Focused: p.focused, Accent: p.th.Seat(p.number)}
	state := Part(p.seat.State(), p.th, now, spin)
	changed := p.dirty || p.layingOut || f.timeChanged()
	if changed {
		p.budget.Refill(markdown.Step)
		p.body, p.dirty = f.visibleLines(max(p.h-2, 0)), false
		p.layingOut = p.budget.Short()
		p.budget.Refill(markdown.Step) // for keys that scroll
	}
	title := f.title()
	border := borderText{state: state.Text, hint: p.hint(), total: f.total()}
	for _, part := range title {
		border.title += part.Text
	}
	if !changed && border == p.border {
		return p.view
	}
	box.Title, box.State, box.Lines = title, []theme.Part{state}, p.body
	box.Hint, box.Total = borderPart(p.th, border.hint), borderPart(p.th, border.total)
	p.border, p.view = border, strings.Join(p.th.Box(box), "\n")
	return p.view
}

// LayingOut reports whether only a part of a long text is laid out, so that the next drawing
// shows more.
func (p *Pane) LayingOut() bool {
	p.listBlocks()
	return p.layingOut || p.long && p.dirty
}
