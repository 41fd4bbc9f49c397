// Package form is the context form, in which the user answers what the agents asked.
// Each request has an answer and a source, or a reason why there is no answer;
// required requests come first.
//
// It imports theme, input and internal/text, and agents, debate and ledger for their
// values. It does no I/O and reads no clock: every key comes with its time, decisions
// of the user are returned as an [Outcome], and [Form.Recorded] reports that an answer
// is stored. It must not know how answers are stored. Whether a round may start is
// decided by debate.Session.Unanswered.
//
// Nothing that arrives while the user types moves the focus or the cursor or changes
// the text, and text is kept until it is recorded.
package form

import (
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// Options are the circumstances under which the form opens.
type Options struct {
	ByItself bool      // no key opened it: it ignores keys for a moment
	Now      time.Time // the time of opening
	Running  bool      // a round is running: answers are recorded, but no round can be started
	Round    int       // the round that the answers are for; 0 for the next one
	GoesTo   string    // who will read the answers, such as "OpenAI, Anthropic (3 agents)"
	Final    bool      // no round is planned any more: answers are only kept

	EnterSends bool // enter in an answer of one line does what ctrl+s does
}

// Filter selects the requests to list.
type Filter uint8

// The filters. Only All lists released answers.
const (
	All Filter = iota
	Required
	Open
)

// Form is the context form. Create it with [New].
type Form struct {
	th      *theme.Theme
	w, h    int
	session debate.Session
	opts    Options
	filter  Filter
	items   map[string]*item
	labels  map[agents.ID]agentLabel

	focused      tabStop
	lastRequest  string // the last request that had the focus
	showReleased bool   // list the released answers
	notes        []note
	sending      map[string]ledger.Submission
	waiting      bool // the start row was pressed, and waits until all is recorded
	saved        bool // everything is recorded, and nothing was typed since

	files  files
	grace  gracePeriod
	edit   editor
	scroll scrollState
}

// agentLabel is how the form names an agent, made safe.
type agentLabel struct{ name, model string }

// note is a message below the start row.
type note struct {
	text      string
	bad, good bool
}

// New returns an empty form.
func New(th *theme.Theme) *Form {
	f := &Form{th: th, items: map[string]*item{}, sending: map[string]ledger.Submission{}, focused: tabStop{field: fieldRelease}}
	f.edit.area = newTextarea(th)
	return f
}

// SetTheme sets the theme.
func (f *Form) SetTheme(th *theme.Theme) {
	f.th = th
	f.edit.area.SetStyles(textareaStyles(th))
	f.edit.drawn = nil
}

// SetSize sets the size of the form, borders included.
func (f *Form) SetSize(w, h int) {
	f.w, f.h = w, h
	f.edit.drawn, f.scroll.locked = nil, false
}

// Open shows the requests of a session and focuses the first one that blocks the next
// round. Text typed before is kept.
func (f *Form) Open(s debate.Session, o Options) {
	if s.ID != f.session.ID {
		f.items, f.lastRequest, f.focused = map[string]*item{}, "", tabStop{}
	}
	o.GoesTo = text.Line(o.GoesTo)
	f.opts, f.filter, f.showReleased, f.saved = o, All, false, false
	f.notes, f.scroll.offset, f.scroll.locked = nil, 0, false
	f.grace = gracePeriod{active: o.ByItself, untouched: o.ByItself, openedAt: o.Now, lastKey: o.Now}
	clear(f.sending)
	f.loadSession(s)
	f.SetRunning(o.Running, o.Round)
	for _, it := range f.items {
		it.seen = true
	}
	f.focusFirst()
}

// SetSession updates the requests to those of the session, with new questions and
// recorded answers.
func (f *Form) SetSession(s debate.Session) {
	f.loadSession(s)
	f.ensureFocus()
	if it := f.items[f.focused.request]; it != nil && !it.edited {
		f.loadEditor()
	}
}

// SetFinal notes that no further round is planned: answers are only kept.
func (f *Form) SetFinal() {
	f.opts.Final = true
	f.SetRunning(false, 0)
}

// SetRunning sets whether a round is running and which round the answers are for; 0
// stands for the next one.
func (f *Form) SetRunning(running bool, round int) {
	if round == 0 {
		round = len(f.session.History) + 1
	}
	f.opts.Running, f.opts.Round = running, round
	f.notes = nil
	f.saved = f.saved && !f.releasable() // the answers can now be released
	f.ensureFocus()
}

// SetFilter sets which requests are listed.
func (f *Form) SetFilter(filter Filter) {
	f.filter, f.scroll.locked = filter, false
	f.ensureFocus()
}

// Asker returns the agent whose pane belongs beside the form: the first to ask the
// request that has, or last had, the focus.
func (f *Form) Asker() (agents.ID, bool) {
	r, ok := f.session.Request(f.lastRequest)
	if !ok || len(r.Askers()) == 0 {
		return "", false
	}
	return r.Askers()[0], true
}

// agentName returns the name of an agent.
func (f *Form) agentName(id agents.ID) string {
	if p, ok := f.labels[id]; ok {
		return p.name
	}
	return text.Line(string(id))
}

// loadSession replaces the session, and adds or updates its requests.
func (f *Form) loadSession(s debate.Session) {
	f.session = s
	f.labels = map[agents.ID]agentLabel{}
	for _, p := range s.Seats {
		model := text.Line(p.Model)
		if p.Provider != "" {
			model += " (" + text.Line(p.Provider) + ")"
		}
		f.labels[p.ID] = agentLabel{name: text.Line(p.Name), model: model}
	}
	all := ledger.Ledger{Requests: s.Requests}
	for _, r := range s.Requests {
		it := f.items[r.ID]
		if it == nil {
			it = newItem(r, s.Drafts[r.ID])
			f.items[r.ID] = it
		}
		it.setRequest(r)
		twin, _ := all.Twin(r.ID)
		it.twin = twin.ID
	}
}
