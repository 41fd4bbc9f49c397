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
	key      agents.Turn // its attempt is 0
	phase    string
	attempts []*attempt
	rule     *block
	end      *block
}

// newest returns the attempt that counts; a section has one at least.
func (s *section) newest() *attempt { return s.attempts[len(s.attempts)-1] }

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
	finish  string // a note on how its answer ended, made safe
	said    said
	blocks  []*block  // but for the rule, the seam and the end, which others draw
	seam    *block    // stands before it where another attempt does
	spoke   bool      // its model has begun to answer
	asked   time.Time // when the model was asked last; zero: unknown
	timed   bool      // its thoughts know how long they took
}

// failure says why there is no statement, made safe.
type failure struct {
	cause, remedy string
	tries         int
}

// said is the structured part of a statement, made safe.
type said struct {
	position   string
	confidence *float64
	stance     string
	cites      string
}

// section returns the turn's section, a new one if need be.
func (p *Pane) section(t agents.Turn) *section {
	key := t
	key.Attempt = 0
	i := slices.IndexFunc(p.sections, func(s *section) bool { return s.key == key })
	if i >= 0 {
		return p.sections[i]
	}
	s := &section{key: key}
	s.rule = &block{name: name{kind: aRule, turn: key}, content: rule{section: s}}
	s.end = &block{name: name{kind: anEnd, turn: key}, content: ending{section: s}}
	p.sections = append(p.sections, s)
	slices.SortStableFunc(p.sections, func(a, b *section) int {
		return cmp.Or(a.key.Round-b.key.Round, a.key.Step-b.key.Step)
	})
	return s
}

// find returns the attempt of a turn that runs, or nil: what belongs to no
// running attempt of this seat is no concern of the pane.
func (p *Pane) find(t agents.Turn) *attempt {
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
	return p.sections[len(p.sections)-1].newest()
}

// begin adds an attempt to its section.
func (p *Pane) begin(t agents.Turn, role string, at time.Time) *attempt {
	s := p.section(t)
	a := &attempt{turn: t, state: debate.TurnRunning, role: line(role), began: at, asked: at}
	a.seam = &block{name: name{kind: aSeam, turn: t}, content: seam{attempt: a}}
	s.attempts = slices.DeleteFunc(s.attempts, func(b *attempt) bool { return b.turn == t })
	if len(s.attempts) > 0 {
		s.newest().supersede()
	}
	s.attempts = append(s.attempts, a)
	return a
}

// supersede marks all that an attempt said as kept and not used: another one
// takes its place.
func (a *attempt) supersede() {
	mark := fmt.Sprintf("Kept from attempt %d, not used in the debate:", a.turn.Attempt)
	for _, b := range a.blocks {
		if t, ok := b.content.(*text); ok {
			t.tone, t.mark, mark = kept, mark, ""
			b.fresh = false
		}
	}
}

// fill makes the attempt what its response says, the last word on it.
func (p *Pane) fill(r debate.Response) {
	s := p.section(r.Turn)
	s.phase = line(r.Phase)
	i := slices.IndexFunc(s.attempts, func(a *attempt) bool { return a.turn == r.Turn })
	if i < 0 {
		p.begin(r.Turn, r.Role, r.Began)
		i = len(s.attempts) - 1
	}
	a := s.attempts[i]
	a.state, a.ended, a.usage, a.cost = r.State, r.Ended, r.Usage, r.Cost
	if a.state == debate.TurnRunning { // of a process that is gone
		a.state = debate.TurnInterrupted
	}
	if r.Failure != nil {
		a.failure = &failure{line(r.Failure.Cause), line(r.Failure.Remedy), r.Failure.Tries}
	}
	if r.State == debate.TurnDone {
		a.finish = line(r.Finish.Note())
	}
	a.said = hear(r.Statement)
	a.rebuild(r, p.stance(r.Turn))
}

func hear(s debate.Statement) said {
	return said{
		position: line(s.Position), confidence: s.Confidence, stance: line(string(s.Stance)),
		cites: line(strings.Join(slices.Concat(s.ContextUsed, s.Citations), ", ")),
	}
}

// stance returns the side that the seat took before a turn; "" if it never did.
func (p *Pane) stance(before agents.Turn) string {
	side := ""
	for _, s := range p.sections {
		if s.key.Round >= before.Round {
			break
		}
		if a := s.newest(); a.state == debate.TurnDone && a.said.stance != "" {
			side = a.said.stance
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
			a.add(name{kind: aThought, passage: i}, a.thought(old, i, passage.Reasoning, r))
		}
		last := i == len(r.Passages)-1 && len(passage.Tools) == 0
		a.say(i, passage.Text, last, r)
		for _, t := range passage.Tools {
			a.add(name{kind: aTool, call: t.ID}, newTool(a, t))
		}
	}
	if a.state == debate.TurnDone && before != "" && a.said.stance != "" && before != a.said.stance {
		a.add(name{kind: aChange}, change{from: before, to: a.said.stance, cites: a.said.cites})
	}
}

// partial reports whether there is text that led to nothing.
func (a *attempt) partial() bool {
	return slices.ContainsFunc(a.blocks, func(b *block) bool {
		t, ok := b.content.(*text)
		return ok && !t.blank()
	})
}

// say adds the text of a passage for what it is.
func (a *attempt) say(passage int, words string, last bool, r debate.Response) {
	tone := working
	if last {
		tone = kept
	}
	if last && a.state == debate.TurnDone {
		tone, words = statement, r.Statement.Body
		if a.said.position != "" {
			a.add(name{kind: aPosition}, position{text: a.said.position})
		}
	}
	if t := settled(words, tone); !t.blank() {
		a.add(name{kind: aText, passage: passage}, t)
	}
}

// thought returns the passage's reasoning, with the time that its stream took.
func (a *attempt) thought(old []*block, passage int, words string, r debate.Response) *thought {
	t := newThought()
	t.body.shown.WriteString(strings.TrimSpace(safetext.Text(words)))
	t.body.in.count(words)
	for _, b := range old {
		if was, ok := b.content.(*thought); ok && b.passage == passage {
			t.span = was.span
		}
	}
	t.open = false
	if len(r.Passages) == 1 && !r.Usage.Estimated {
		t.tokens = r.Usage.Reasoning
	}
	return t
}

// add appends a block to the attempt.
func (a *attempt) add(n name, c content) {
	n.turn = a.turn
	a.blocks = append(a.blocks, &block{name: n, content: c})
}

// block returns the attempt's block of that name, or nil.
func (a *attempt) block(n name) *block {
	n.turn = a.turn
	for i := len(a.blocks) - 1; i >= 0; i-- {
		if a.blocks[i].name == n {
			return a.blocks[i]
		}
	}
	return nil
}
