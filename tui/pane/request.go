package pane

import (
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// request is what the pane knows about a question to the user, made safe.
type request struct {
	id       string
	seq      int64
	query    string
	blocking bool // the next round needs its answer
	open     bool
	answer   ledger.Outcome // "" if there is none
	state    ledger.State
	priority ledger.Priority
	askedAt  time.Time
	waiting  bool // this seat has asked it and not withdrawn
}

// ask is a tool call of this seat that put a question to the user.
type ask struct {
	requestID     string
	reason        string
	earlierAskers []agents.ID // who had asked the same before; nil if nobody had
}

// setRequest notes that there is a request, and adds or updates it if this seat takes part
// in it. Older copies are ignored.
func (p *Pane) setRequest(r ledger.Request) {
	if !p.known[r.ID] {
		p.known[r.ID] = true
		p.invalidate()
	}
	old, known := p.requests[r.ID]
	if known && old.seq > r.Seq {
		return
	}
	q := request{
		id: r.ID, seq: r.Seq, query: safeLine(r.Query), blocking: r.Blocks(), open: r.Open(), state: r.State, priority: r.Priority,
		askedAt: r.Asked,
	}
	if a, ok := r.Answer(); ok {
		q.answer = a.Outcome
	}
	var before []agents.ID
	for _, a := range r.Asks {
		if a.Turn.Agent == p.profile.ID {
			p.asks[a.Call] = ask{requestID: r.ID, reason: safeLine(a.Reason), earlierAskers: before}
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
		b.valid = b.valid && b.kind != kindTool
	}
	p.invalidate()
}

// openRequests returns the required requests that this seat waits for, in order.
func (p *Pane) openRequests() []request {
	var out []request
	for _, id := range p.order {
		if q := p.requests[id]; q.blocking && q.waiting {
			out = append(out, q)
		}
	}
	return out
}

// askTimeKey changes with the age of an abandoned request.
func (f frame) askTimeKey(a ask, of *attempt) int64 {
	if f.abandoned(a, of) {
		return ageKey(f.now.Sub(f.requests[a.requestID].askedAt))
	}
	return 0
}

// abandoned reports whether the turn was interrupted while its question was open.
func (f frame) abandoned(a ask, of *attempt) bool {
	return of.state == debate.TurnInterrupted && f.requests[a.requestID].open
}

// askLines draws a call that asked the user.
func (f frame) askLines(a ask, of *attempt) []string {
	q := f.requests[a.requestID]
	symbol, style, words := f.askState(a, q)
	left := append([]theme.Part{{Text: symbol + " ", Style: style}}, f.owner()...)
	left = append(left, theme.Part{Text: agents.RequestContextName, Style: f.th.Text, Cut: 1},
		theme.Part{Text: "  " + words, Style: f.th.Text, Cut: 2}) // keep the state longest
	if f.wide() && a.earlierAskers == nil {
		used := ansi.StringWidth(symbol+" "+f.name+" > "+agents.RequestContextName+"  "+words) + 2
		if quote := f.quote(q.query, f.width-used); quote != "" {
			left = append(left, theme.Part{Text: "  " + quote, Style: f.th.Muted})
		}
	}
	lines := []string{f.row(left, nil)}
	if !f.wide() && !f.small() && !f.besideForm {
		lines = append(lines, f.askDetail(a, q)...)
	}
	if f.abandoned(a, of) {
		words := "    still open, asked " + text.Age(f.now.Sub(q.askedAt)) + " ago"
		lines = append(lines, f.th.Muted.Render(ansi.Truncate(words, f.width, f.th.Symbols.Cut)))
	}
	return lines
}

// askState returns symbol, style and words for the state of a request.
func (f frame) askState(a ask, q request) (string, lipgloss.Style, string) {
	y := f.th.Symbols
	switch {
	case a.earlierAskers != nil:
		return y.Done, f.th.Success, "joins " + q.id
	case q.open && q.priority == ledger.Required:
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

// askDetail draws the question and its reason, or who had asked it before.
func (f frame) askDetail(a ask, q request) []string {
	if a.earlierAskers != nil {
		words := f.nameList(a.earlierAskers) + " asked the same before"
		return styleLines(wrapIndented(words, f.width, "    ", "    "), f.th.Muted)
	}
	lines := styleLines(wrapIndented(`"`+q.query+`"`, f.width, "    ", "    "), f.th.Text)
	if q.blocking && a.reason != "" {
		lines = append(lines, f.labelled(`why  `, `"`+a.reason+`"`, "    ")...)
	}
	return lines
}

// quote returns text in quotation marks, cut to room cells; it is "" if there is too
// little room.
func (f frame) quote(text string, room int) string {
	if room < 8 {
		return ""
	}
	return `"` + ansi.Truncate(text, room-2, f.th.Symbols.Cut) + `"`
}

// nameList names seats, each once, as in "Cy and Ada".
func (f frame) nameList(ids []agents.ID) string {
	var out []string
	seen := map[agents.ID]bool{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, f.seatName(id))
		}
	}
	if len(out) < 2 {
		return strings.Join(out, "")
	}
	return strings.Join(out[:len(out)-1], ", ") + " and " + out[len(out)-1]
}
