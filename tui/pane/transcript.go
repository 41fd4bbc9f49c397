package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
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
	heardAt        time.Time // the last sign of life that was drawn
	heard          bool      // there was one since
	whole          bool      // the answer comes all at once
	reasoningTimed bool      // the durations of its reasoning are final
}

// failure says why there is no statement, made safe.
type failure struct {
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
	if r.Failure != nil {
		a.failure = &failure{safeLine(r.Failure.Cause), safeLine(r.Failure.Remedy), r.Failure.Tries}
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

// wrongCitations says of which citations of evidence a statement names nothing, and why.
func wrongCitations(s debate.Session, r debate.Response) []string {
	var out []string
	for _, c := range cite.StatementEvidence(r.Statement) {
		if why := cite.Resolve(c, s, r.Turn.Round).Why(); why != "" {
			out = append(out, fmt.Sprintf("[%s] names nothing: %s", c, strings.TrimSuffix(text.Uncapitalize(why), ".")))
		}
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
	s, side := r.Statement, p.session.SideOf(r)
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

// hasText reports whether the attempt shows any text.
func (a *attempt) hasText() bool {
	return slices.ContainsFunc(a.blocks, func(b *block) bool {
		t, ok := b.content.(*textBlock)
		return ok && !t.blank()
	})
}

// addText adds the text of a passage in its tone.
func (a *attempt) addText(passage int, words string, last bool, r debate.Response) {
	tone := toneWorking
	if last {
		tone = toneDiscarded
	}
	if last && a.state == debate.TurnDone {
		tone, words = toneStatement, r.Statement.Body
		position := a.meta.position
		if position == "" && words == "" { // a structured part without words
			position = safeLine(cmp.Or(string(r.Statement.Stance), r.Statement.Choice))
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

// addBlock appends a block.
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
