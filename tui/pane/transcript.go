package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
)

// section is one turn of the seat, with all its attempts.
type section struct {
	turn      agents.Turn // its attempt is 0
	phase    string
	attempts []*attempt
	header     *block
	footer      *block
}

// newest returns the attempt that counts; a section has one at least.
func (s *section) latest() *attempt { return s.attempts[len(s.attempts)-1] }

// attempt is one run of a turn.
type attempt struct {
	turn    agents.Turn
	state   debate.TurnState
	role    string
	began   time.Time
	ended   time.Time
	usage   agents.Usage
	cost    *float64
	failure *failure
	finishNote  string // a note on how its answer ended, made safe
	meta    statementMeta
	blocks  []*block  // but for the rule, the seam and the end, which others draw
	divider    *block    // stands before it where another attempt does
	responding   bool      // its model has begun to answer
	askedAt   time.Time // when the model was asked last; zero: unknown
	reasoningTimed   bool      // its thoughts know how long they took
}

// failure says why there is no statement, made safe.
type failure struct {
	cause, remedy string
	tries         int
}

// said is the structured part of a statement, made safe.
type statementMeta struct {
	position   string
	confidence *float64
	stance     string
	cites      string
}

// section returns the turn's section, a new one if need be.
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

// find returns the attempt of a turn that runs, or nil: what belongs to no
// running attempt of this seat is no concern of the pane.
func (p *Pane) liveAttempt(t agents.Turn) *attempt {
	if p.live == nil || p.live.turn != t {
		return nil
	}
	return p.live
}

// current returns the attempt that runs, else the seat's newest one, or nil.
func (p *Pane) current() *attempt {
	if p.live != nil {
		return p.live
	}
	if len(p.sections) == 0 {
		return nil
	}
	return p.sections[len(p.sections)-1].latest()
}

// begin adds an attempt to its section.
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

// supersede marks all that an attempt said as kept and not used: another one
// takes its place.
func (a *attempt) supersede() {
	mark := fmt.Sprintf("Kept from attempt %d, not used in the debate:", a.turn.Attempt)
	for _, b := range a.blocks {
		if t, ok := b.content.(*textBlock); ok {
			t.tone, t.note, mark = toneDiscarded, mark, ""
			b.valid = false
		}
	}
}

// fill makes the attempt what its response says, the last word on it.
func (p *Pane) setResponse(r debate.Response) {
	s := p.sectionFor(r.Turn)
	s.phase = safeLine(r.Phase)
	i := slices.IndexFunc(s.attempts, func(a *attempt) bool { return a.turn == r.Turn })
	if i < 0 {
		p.beginAttempt(r.Turn, r.Role, r.Began)
		i = len(s.attempts) - 1
	}
	a := s.attempts[i]
	a.state, a.ended, a.usage, a.cost = stoppedState(r.State), r.Ended, r.Usage, r.Cost
	if r.Failure != nil {
		a.failure = &failure{safeLine(r.Failure.Cause), safeLine(r.Failure.Remedy), r.Failure.Tries}
	}
	if r.State == debate.TurnDone {
		a.finishNote = safeLine(r.Finish.Note())
	}
	a.meta = newStatementMeta(r.Statement)
	a.rebuild(r, p.stanceBefore(r.Turn))
}

func newStatementMeta(s debate.Statement) statementMeta {
	return statementMeta{
		position: safeLine(s.Position), confidence: s.Confidence, stance: safeLine(string(s.Stance)),
		cites: safeLine(strings.Join(slices.Concat(s.ContextUsed, s.Citations), ", ")),
	}
}

// stance returns the side that the seat took before a turn; "" if it never did.
func (p *Pane) stanceBefore(before agents.Turn) string {
	side := ""
	for _, s := range p.sections {
		if s.turn.Round >= before.Round {
			break
		}
		if a := s.latest(); a.state == debate.TurnDone && a.meta.stance != "" {
			side = a.meta.stance
		}
	}
	return side
}

// rebuild lays the attempt's blocks out anew. What only the stream knew stays:
// how long thoughts took.
func (a *attempt) rebuild(r debate.Response, before string) {
	old := a.blocks
	a.blocks = nil
	for i, passage := range r.Passages {
		if passage.Reasoning != "" {
			a.addBlock(blockID{kind: kindReasoning, passage: i}, a.restoreReasoning(old, i, passage.Reasoning, r))
		}
		last := i == len(r.Passages)-1 && len(passage.Tools) == 0
		a.addText(i, passage.Text, last, r)
		for _, t := range passage.Tools {
			a.addBlock(blockID{kind: kindTool, call: t.ID}, newTool(a, t))
		}
	}
	if a.state == debate.TurnDone && before != "" && a.meta.stance != "" && before != a.meta.stance {
		a.addBlock(blockID{kind: kindStanceChange}, stanceChange{from: before, to: a.meta.stance, cites: a.meta.cites})
	}
}

// partial reports whether there is text that led to nothing.
func (a *attempt) hasText() bool {
	return slices.ContainsFunc(a.blocks, func(b *block) bool {
		t, ok := b.content.(*textBlock)
		return ok && !t.blank()
	})
}

// say adds the text of a passage for what it is.
func (a *attempt) addText(passage int, words string, last bool, r debate.Response) {
	tone := toneWorking
	if last {
		tone = toneDiscarded
	}
	if last && a.state == debate.TurnDone {
		tone, words = toneStatement, r.Statement.Body
		if a.meta.position != "" {
			a.addBlock(blockID{kind: kindPosition}, positionBlock{text: a.meta.position})
		}
	}
	if t := newTextBlock(words, tone); !t.blank() {
		a.addBlock(blockID{kind: kindText, passage: passage}, t)
	}
}

// thought returns the passage's reasoning, with the time that its stream took.
func (a *attempt) restoreReasoning(old []*block, passage int, words string, r debate.Response) *reasoningBlock {
	t := newReasoning()
	t.body.shown.WriteString(strings.TrimSpace(safetext.Text(words)))
	t.body.safe.add(words)
	for _, b := range old {
		if was, ok := b.content.(*reasoningBlock); ok && b.passage == passage {
			t.stopwatch = was.stopwatch
		}
	}
	t.running = false
	if len(r.Passages) == 1 && !r.Usage.Estimated {
		t.tokens = r.Usage.Reasoning
	}
	return t
}

// add appends a block to the attempt.
func (a *attempt) addBlock(n blockID, c content) {
	n.turn = a.turn
	a.blocks = append(a.blocks, &block{blockID: n, content: c})
}

// block returns the attempt's block of that name, or nil.
func (a *attempt) findBlock(n blockID) *block {
	n.turn = a.turn
	for i := len(a.blocks) - 1; i >= 0; i-- {
		if a.blocks[i].blockID == n {
			return a.blocks[i]
		}
	}
	return nil
}
