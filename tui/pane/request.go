package pane

import (
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/theme"
)


// request is what is known of a question to the user, made safe.
type request struct {
	id      string
	seq     int64
	query   string
	blocks  bool // the next round waits for it
	open    bool
	answer  ledger.Outcome // "" without one
	state   ledger.State
	prio    ledger.Priority
	asked   time.Time
	waiting bool // an ask of this seat is not withdrawn
}

// ask is one call of this seat that asked the user.
type ask struct {
	request string
	reason  string
	before  []agents.ID // who had asked the same; nil: the call made the request
}

// learn takes over the newest copy of a request that this seat has a part in.
func (p *Pane) learn(r ledger.Request) {
	old, known := p.requests[r.ID]
	if known && old.seq > r.Seq {
		return
	}
	q := request{id: r.ID, seq: r.Seq, query: line(r.Query), blocks: r.Blocks(), open: r.Open(), state: r.State, prio: r.Priority, asked: r.Asked}
	if a, ok := r.Answer(); ok {
		q.answer = a.Outcome
	}
	var before []agents.ID
	for _, a := range r.Asks {
		if a.Turn.Agent == p.profile.ID {
			p.asks[a.Call] = ask{request: r.ID, reason: line(a.Reason), before: before}
			q.waiting = q.waiting || !a.Withdrawn
			known = true
		}
		before = append(before[:len(before):len(before)], a.Turn.Agent)
	}
	if !known {
		return
	}
	if _, ok := p.requests[r.ID]; !ok {
		p.order = append(p.order, r.ID)
	}
	p.requests[r.ID] = q
	for _, b := range p.blocks {
		b.fresh = b.fresh && b.kind != aTool
	}
	p.touch()
}

// owed returns the open required requests that this seat waits for, in their order.
func (p *Pane) owed() []request {
	var out []request
	for _, id := range p.order {
		if q := p.requests[id]; q.blocks && q.waiting {
			out = append(out, q)
		}
	}
	return out
}

// askStamp moves the age of an open request of a broken off turn.
func (f frame) askStamp(a ask, of *attempt) int64 {
	if f.stale(a, of) {
		return ageStamp(f.now.Sub(f.requests[a.request].asked))
	}
	return 0
}

// stale reports whether the turn is over without an answer to what it asked.
func (f frame) stale(a ask, of *attempt) bool {
	return of.state == debate.TurnInterrupted && f.requests[a.request].open
}

// askLines draws a call that asked the user.
func (f frame) askLines(a ask, of *attempt) []string {
	q := f.requests[a.request]
	symbol, style, words := f.askState(a, q)
	left := append([]theme.Part{{Text: symbol + " ", Style: style}}, f.owner()...)
	left = append(left, theme.Part{Text: "request_context", Style: f.th.Text, Cut: 1}, theme.Part{Text: "  " + words, Style: f.th.Text, Cut: 2}) // the state is what counts
	if f.wide() && a.before == nil {
		used := ansi.StringWidth(symbol+" "+f.name+" > request_context  "+words) + 2
		if quote := f.quote(q.query, f.width-used); quote != "" {
			left = append(left, theme.Part{Text: "  " + quote, Style: f.th.Muted})
		}
	}
	lines := []string{f.row(left, nil)}
	if !f.wide() && !f.small() && !f.beside {
		lines = append(lines, f.askDetail(a, q)...)
	}
	if f.stale(a, of) {
		words := "    still open, asked " + age(f.now.Sub(q.asked)) + " ago"
		lines = append(lines, f.th.Muted.Render(ansi.Truncate(words, f.width, f.th.Symbols.Cut)))
	}
	return lines
}

// askState returns how a request stands, as sign and words.
func (f frame) askState(a ask, q request) (string, lipgloss.Style, string) {
	y := f.th.Symbols
	switch {
	case a.before != nil:
		return y.Done, f.th.Success, "joins " + q.id
	case q.open && q.prio == ledger.Required:
		return y.Required, f.th.Warning, q.id + " required"
	case q.open:
		return y.Optional, f.th.Muted, q.id + " optional"
	case q.answer == ledger.Unavailable:
		return y.Unavailable, f.th.Muted, q.id + " unavailable"
	case q.answer == ledger.Answered:
		return y.Done, f.th.Success, q.id + " answered"
	}
	return y.Missing, f.th.Muted, q.id + " " + string(q.state)
}

// askDetail draws what is asked and why, or who asked it before.
func (f frame) askDetail(a ask, q request) []string {
	if a.before != nil {
		words := f.people(a.before) + " asked the same before"
		return paint(hang(words, f.width, "    ", "    "), f.th.Muted)
	}
	lines := paint(hang(`"`+q.query+`"`, f.width, "    ", "    "), f.th.Text)
	if q.blocks && a.reason != "" {
		lines = append(lines, label(f, `why  `, `"`+a.reason+`"`, "    ")...)
	}
	return lines
}

// quote returns text between quotation marks within room cells, or nothing.
func (f frame) quote(text string, room int) string {
	if room < 8 {
		return ""
	}
	return `"` + ansi.Truncate(text, room-2, f.th.Symbols.Cut) + `"`
}

// people names seats: "Cy", "Cy and Ada", each once.
func (f frame) people(ids []agents.ID) string {
	var out []string
	seen := map[agents.ID]bool{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, f.called(id))
		}
	}
	if len(out) < 2 {
		return strings.Join(out, "")
	}
	return strings.Join(out[:len(out)-1], ", ") + " and " + out[len(out)-1]
}
