// Package form is where the user answers what the agents asked: one row per
// request, required ones first, with an answer, a source, or the reason why
// there is none.
//
// It imports theme and safetext, and agents, debate and ledger for their
// values. It does no I/O and reads no clock: a key comes with its time, what the
// user decides leaves as an [Outcome], and whoever records it says so with
// [Form.Recorded]. It must not know how answers are stored, and whether a round
// may start it asks debate.Session.Unanswered.
//
// It steals nothing: what arrives while the user types changes neither focus
// nor cursor nor text, and what was typed is kept until it is recorded.
package form

import (
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/theme"
)


// Options say under which circumstances the form opens.
type Options struct {
	ByItself bool      // nobody pressed a key for it: it ignores keys for a moment
	Now      time.Time // when it opens
	Running  bool      // a round runs: answers are recorded, nothing is released
	Round    int       // that the answers are for; 0: the one after the last that has begun
	GoesTo   string    // who will read the answers, "OpenAI, Anthropic (3 agents)"
	Final    bool      // no later round: answers are kept
}

// Filter says which requests are listed.
type Filter uint8

// The filters. Released answers are listed by All alone.
const (
	All Filter = iota
	Required
	Open
)

// Form is the context form. Its zero value is of no use; see New.
type Form struct {
	th      *theme.Theme
	w, h    int
	session debate.Session
	opts    Options
	filter  Filter
	items   map[string]*item
	people  map[agents.ID]person

	at       stop
	last     string // the request that had the focus last
	released bool   // released answers are listed
	confirm  bool   // enter ends the debate now
	armed    bool   // the user has seen which draft of another request will go
	notes    []note
	sending  map[string]ledger.Submission
	saved    bool // all that was to be recorded is, and nothing was typed since

	grace grace
	edit  editor
	view  view
}

// person is an agent as the form names it.
type person struct{ name, model string }

// note is what the form has to say below the release row.
type note struct {
	text string
	bad  bool
}

// New returns an empty form.
func New(th *theme.Theme) *Form {
	f := &Form{th: th, items: map[string]*item{}, sending: map[string]ledger.Submission{}, at: stop{field: theRelease}}
	f.edit.area = newArea(th)
	return f
}

// SetTheme gives the form another theme.
func (f *Form) SetTheme(th *theme.Theme) {
	f.th = th
	f.edit.area.SetStyles(areaStyles(th))
	f.edit.drawn = nil
}

// SetSize gives the form its place, borders included.
func (f *Form) SetSize(w, h int) {
	f.w, f.h = w, h
	f.edit.drawn, f.view.still = nil, false
}

// Open shows the requests of a session. What was typed before is still there;
// the first request that blocks has the focus.
func (f *Form) Open(s debate.Session, o Options) {
	if s.ID != f.session.ID {
		f.items, f.last, f.at = map[string]*item{}, "", stop{}
	}
	o.GoesTo = safetext.Line(o.GoesTo)
	f.opts, f.filter, f.released, f.confirm, f.armed, f.saved = o, All, false, false, false, false
	f.notes, f.view.offset, f.view.still = nil, 0, false
	f.grace = grace{on: o.ByItself, opened: o.Now, last: o.Now}
	clear(f.sending)
	f.take(s)
	f.SetRunning(o.Running, o.Round)
	for _, it := range f.items {
		it.seen = true
	}
	f.focusFirst()
}

// Update takes over the session's newest requests: arrivals, stored answers.
func (f *Form) Update(s debate.Session) {
	f.take(s)
	if !slices.Contains(f.stops(), f.at) {
		f.refocus()
	}
	if it := f.items[f.at.request]; it != nil && !it.touched {
		f.load()
	}
}

// SetFinal says that no later round is planned any more: answers are kept.
func (f *Form) SetFinal() {
	f.opts.Final = true
	f.SetRunning(false, 0)
}

// SetRunning says whether a round runs, and for which one the answers are; 0 is
// the one after the last that has begun.
func (f *Form) SetRunning(running bool, round int) {
	if round == 0 {
		round = len(f.session.History) + 1
	}
	f.opts.Running, f.opts.Round = running, round
	f.notes = nil
	f.saved = f.saved && !f.gate() // now there is something to be released
	if !slices.Contains(f.stops(), f.at) {
		f.refocus()
	}
}

// SetFilter lists all requests, or some.
func (f *Form) SetFilter(filter Filter) {
	f.filter, f.view.still = filter, false
	if !slices.Contains(f.stops(), f.at) {
		f.refocus()
	}
}

// Asker returns whose pane is to stand beside the form: that of the agent who
// asked first what has the focus, or had it last.
func (f *Form) Asker() (agents.ID, bool) {
	r, ok := f.session.Request(f.last)
	if !ok || len(r.Askers()) == 0 {
		return "", false
	}
	return r.Askers()[0], true
}

// called returns an agent's name.
func (f *Form) called(id agents.ID) string {
	if p, ok := f.people[id]; ok {
		return p.name
	}
	return safetext.Line(string(id))
}

// take makes the session the form's own and adds what is new in it.
func (f *Form) take(s debate.Session) {
	f.session = s
	f.people = map[agents.ID]person{}
	for _, p := range s.Seats {
		model := safetext.Line(p.Model)
		if p.Provider != "" {
			model += " (" + safetext.Line(p.Provider) + ")"
		}
		f.people[p.ID] = person{name: safetext.Line(p.Name), model: model}
	}
	for _, r := range s.Requests {
		it := f.items[r.ID]
		if it == nil {
			it = newItem(r, s.Drafts[r.ID])
			f.items[r.ID] = it
		}
		it.update(r)
	}
}
