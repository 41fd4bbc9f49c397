package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// section is one turn of the seat with all its attempts.
type section struct {
	turn     agents.Turn // with attempt 0
	phase    string
	attempts []*attempt
	header   *block
	footer   *block
}

// latest returns the newest attempt; a section has at least one.
func (s *section) latest() *attempt { return s.attempts[len(s.attempts)-1] }

// attempt is one run of a turn.
type attempt struct {
	turn           agents.Turn
	state          debate.TurnState
	role           string
	inherited      bool // it was copied from the session that this one was forked from
	began          time.Time
	ended          time.Time
	waitUntil      time.Time // when its provider may be asked again
	usage          agents.Usage
	cost           *float64
	failure        *failure
	finishNote     string   // what is worth saying about how the answer ended, made safe
	notes          string   // what of the statement was repaired, ignored or missing, made safe
	cites          []string // ids of requests, each once
	meta           statementMeta
	body           string    // of the statement; not made safe
	blocks         []*block  // without header, divider and footer
	divider        *block    // shown before the attempt if it is not the first
	responding     bool      // the model has begun to answer
	askedAt        time.Time // when the model was last asked; zero if unknown
	awaitsBudget   bool      // it is not asked until other calls release budget
	starting       string    // the program that has to be ready first, made safe
	heardAt        time.Time // the last sign of life that was drawn
	heard          bool      // there was one since
	whole          bool      // the answer comes all at once
	reasoningTimed bool      // the durations of its reasoning are final
}

// failure says why there is no statement, made safe.
type failure struct {
	kind          agents.Kind
	cause, remedy string
	tries         int
}

// statementMeta is the structured part of a statement, made safe.
type statementMeta struct {
	position   string
	confidence *float64
	standing   string // its side in words
}

// sectionFor returns the section of a turn and creates it if needed.
func (p *Pane) sectionFor(t agents.Turn) *section {
	key := t
	key.Attempt = 0
	i := slices.IndexFunc(p.sections, func(s *section) bool { return s.turn == key })
	if i >= 0 {
		return p.sections[i]
	}
	s := &section{turn: key}
	s.header = &block{blockID: blockID{kind: kindHeader, turn: key}, content: header{section: s}}
	s.footer = &block{blockID: blockID{kind: kindFooter, turn: key}, content: footer{section: s}}
	p.sections = append(p.sections, s)
	slices.SortStableFunc(p.sections, func(a, b *section) int {
		return cmp.Or(a.turn.Round-b.turn.Round, a.turn.Step-b.turn.Step)
	})
	return s
}

// liveAttempt returns the running attempt if it belongs to the turn, else nil. It
// keeps events of other seats and of stale attempts out of the pane.
func (p *Pane) liveAttempt(t agents.Turn) *attempt {
	if p.live == nil || p.live.turn != t {
		return nil
	}
	return p.live
}

// current returns the running attempt, else the seat's latest one, or nil.
func (p *Pane) current() *attempt {
	if p.live != nil {
		return p.live
	}
	if len(p.sections) == 0 {
		return nil
	}
	return p.sections[len(p.sections)-1].latest()
}

// beginAttempt adds an attempt to the section of its turn.
func (p *Pane) beginAttempt(t agents.Turn, role string, at time.Time) *attempt {
	s := p.sectionFor(t)
	a := &attempt{turn: t, state: debate.TurnRunning, role: safeLine(role), began: at, askedAt: at}
	a.divider = &block{blockID: blockID{kind: kindDivider, turn: t}, content: divider{attempt: a}}
	s.attempts = slices.DeleteFunc(s.attempts, func(b *attempt) bool { return b.turn == t })
	if len(s.attempts) > 0 {
		s.latest().supersede()
	}
	s.attempts = append(s.attempts, a)
	return a
}

// supersede marks the text of an attempt as unused, since another attempt follows.
func (a *attempt) supersede() {
	note := fmt.Sprintf("Kept from attempt %d, not used:", a.turn.Attempt)
	for _, b := range a.blocks {
		if t, ok := b.content.(*textBlock); ok {
			t.tone, t.note, note = toneDiscarded, note, ""
			b.valid = false
		}
	}
}

// setResponse replaces what an attempt has streamed by its stored response.
func (p *Pane) setResponse(r debate.Response) {
	s := p.sectionFor(r.Turn)
	s.phase = safeLine(r.Phase)
	i := slices.IndexFunc(s.attempts, func(a *attempt) bool { return a.turn == r.Turn })
	if i < 0 {
		p.beginAttempt(r.Turn, r.Role, r.Began)
		i = len(s.attempts) - 1
	}
	a := s.attempts[i]
	a.state, a.ended, a.usage, a.cost, a.inherited = stoppedState(r.State), r.Ended, r.Usage, r.Cost, r.Inherited
	a.waitUntil = r.WaitUntil
	if r.Failure != nil {
		a.failure = &failure{r.Failure.Kind, safeLine(r.Failure.Cause), safeLine(r.Failure.Remedy), r.Failure.Tries}
	}
	if r.State == debate.TurnDone {
		a.finishNote = safeLine(r.Finish.Note())
		a.notes = safeLine(strings.Join(slices.Concat(r.Statement.Notes, wrongCitations(p.session, r)), "; "))
		cites, _ := cite.Sources(r.Statement)
		slices.Sort(cites)
		a.cites = slices.Compact(cites)
	}
	a.meta = p.newStatementMeta(r)
	if a.body = ""; a.state == debate.TurnDone {
		a.body = r.Statement.Body
	}
	a.rebuild(r)
	for _, b := range a.blocks {
		if t, ok := b.content.(*textBlock); ok && t.tone == toneStatement {
			t.section = s
		}
	}
	if a.state == debate.TurnDone {
		a.addBlock(blockID{kind: kindSideChange}, sideChange{section: s})
	}
}

// wrongCitations says which citations of a statement name nothing, and why.
func wrongCitations(s debate.Session, r debate.Response) []string {
	var out []string
	for _, c := range cite.StatementWrong(s, r) {
		out = append(out, fmt.Sprintf("[%s] names nothing: %s", c.Citation, strings.TrimSuffix(text.Uncapitalize(c.Why()), ".")))
	}
	return out
}

// maxWrong is how many wrong citations of answers are named.
const maxWrong = 10

// allNotes returns the notes on a statement, with its citations of requests that are not
// there.
func (a *attempt) allNotes(requests map[string]bool) string {
	notes, wrong := a.notes, 0
	for _, id := range a.cites {
		if requests[id] {
			continue
		}
		if wrong++; wrong <= maxWrong {
			notes += fmt.Sprintf("; [%s] names nothing: there is no %s", safeLine(id), safeLine(id))
		}
	}
	if more := wrong - maxWrong; more > 0 {
		notes += fmt.Sprintf("; %d more wrong %s", more, text.Plural(more, "citation"))
	}
	return strings.TrimPrefix(notes, "; ")
}

// newStatementMeta makes the structured part of a statement safe.
func (p *Pane) newStatementMeta(r debate.Response) statementMeta {
	s, side := r.Statement, r.Side
	meta := statementMeta{position: safeLine(s.Position), confidence: s.Confidence}
	if r.State == debate.TurnDone {
		meta.standing = safeLine(p.session.Standing(r, side))
	}
	return meta
}

// rebuild creates the attempt's blocks from its response. How long reasoning took is
// kept, since only the stream knew it.
func (a *attempt) rebuild(r debate.Response) {
	old, spoke := a.blocks, false
	a.blocks = nil
	for i, passage := range r.Passages {
		if passage.Reasoning != "" {
			a.addBlock(blockID{kind: kindReasoning, passage: i}, a.restoreReasoning(old, i, passage.Reasoning, r))
		}
		last := i == len(r.Passages)-1 && len(passage.Tools) == 0
		if last || a.state != debate.TurnDone || !r.Statement.AllPassages {
			a.addText(i, passage.Text, last, r)
			spoke = spoke || last
		}
		for _, t := range passage.Tools {
			a.addBlock(blockID{kind: kindTool, call: t.ID}, newTool(a, t))
		}
	}
	if a.state == debate.TurnDone && !spoke { // it ended with tool calls
		a.addText(len(r.Passages), "", true, r)
	}
}

func (a *attempt) hasText() bool {
	return slices.ContainsFunc(a.blocks, func(b *block) bool {
		t, ok := b.content.(*textBlock)
		return ok && !t.blank()
	})
}

func (a *attempt) addText(passage int, words string, last bool, r debate.Response) {
	tone := toneWorking
	if last {
		tone = toneDiscarded
	}
	if last && a.state == debate.TurnDone {
		tone, words = toneStatement, r.Statement.Words()
		position := a.meta.position
		if position == "" && words == "" { // a structured part without words
			position = safeLine(r.Statement.Vote)
		}
		if position != "" {
			a.addBlock(blockID{kind: kindPosition}, positionBlock{text: position})
		}
	}
	if t := newTextBlock(words, tone); !t.blank() {
		a.addBlock(blockID{kind: kindText, passage: passage}, t)
	}
}

// restoreReasoning returns a passage's reasoning with the duration measured while it
// streamed.
func (a *attempt) restoreReasoning(old []*block, passage int, words string, r debate.Response) *reasoningBlock {
	t := newReasoning()
	t.body.shown.WriteString(strings.TrimSpace(text.Sanitize(words)))
	t.body.safe.add(words)
	for _, b := range old {
		if previous, ok := b.content.(*reasoningBlock); ok && b.passage == passage {
			t.stopwatch = previous.stopwatch
		}
	}
	t.running = false
	if len(r.Passages) == 1 && !r.Usage.Estimated {
		t.tokens = r.Usage.Reasoning
	}
	return t
}

func (a *attempt) addBlock(n blockID, c content) {
	n.turn = a.turn
	a.blocks = append(a.blocks, &block{blockID: n, content: c})
}

// findBlock returns the block with an id, or nil.
func (a *attempt) findBlock(n blockID) *block {
	n.turn = a.turn
	for i := len(a.blocks) - 1; i >= 0; i-- {
		if a.blocks[i].blockID == n {
			return a.blocks[i]
		}
	}
	return nil
}

// request is what the pane knows about a question to the user, made safe.
type request struct {
	id       string
	seq      int64
	query    string
	blocking bool // the next round needs its answer
	open     bool
	answer   ledger.Outcome // "" if there is none
	said     string         // the answer's outcome, and who gave it if not the user
	text     string         // of the answer
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
	repeated      bool        // its turn had joined the request already
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
		q.answer, q.said, q.text = a.Outcome, safeLine(a.Said()), text.Line(a.Content)
	}
	var before []agents.ID
	for _, a := range r.Asks {
		if a.Turn.Agent == p.profile.ID {
			p.asks[a.Call] = ask{requestID: r.ID, reason: safeLine(a.Reason), earlierAskers: before, repeated: r.Rejoined(a.Call)}
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

func (f frame) askLines(a ask, of *attempt) []string {
	if a.repeated {
		return nil
	}
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
	if f.details && q.text != "" {
		lines = append(lines, f.labelled("answer  ", q.text, "    ")...)
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
		return y.Unavailable, f.th.Muted, q.id + " " + q.said
	case q.answer == ledger.Answered:
		return y.Done, f.th.Success, q.id + " " + q.said
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

// seatName returns the name of a member of the panel.
func (p *Pane) seatName(id agents.ID) string {
	if name := p.seatNames[id]; name != "" {
		return name
	}
	return safeLine(string(id))
}

// interjection is what the user told the seat with a round, made safe.
type interjection struct{ label, text string }

// interjectionLines draws the focus question and the messages of the round, below the header of the seat's
// first turn in it.
func (r header) interjectionLines(f frame) []string {
	var lines []string
	for _, s := range f.sections {
		if s.turn.Round == r.section.turn.Round && s.turn.Step < r.section.turn.Step {
			return nil
		}
	}
	for _, t := range f.interjections[r.section.turn.Round] {
		lines = append(lines, f.labelled(t.label, t.text, "")...)
	}
	if lines != nil {
		lines = append(lines, "") // separates the user's words from the seat's
	}
	return lines
}

// unaddressedLines name the answers that the seat had asked for and does not mention.
func (e footer) unaddressedLines(f frame, a *attempt) []string {
	ids := f.unaddressed[debate.TurnID(a.turn)]
	if len(ids) == 0 {
		return nil
	}
	unused := "Asked for " + text.List(ids) + " but did not use the " + text.Plural(len(ids), "answer") + "."
	return f.symbolLines(f.th.Symbols.Warning, unused, f.th.Warning)
}
