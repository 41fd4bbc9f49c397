package control

import (
	"slices"
	"time"

	"roundtable/debate"
	"roundtable/internal/text"
)

// apply shows an event of this seat, but not what it writes as the chair or to answer a follow-up.
func (s *Seat) apply(ev debate.Event) {
	if t, ok := ev.(debate.Text); ok {
		s.text(t)
		return
	}
	_, asks := ev.(debate.ContextRequested)
	if t, ok := debate.TurnOf(ev); ok && !asks && (t.Step < 0 || t.Agent != s.id) { // nothing of this seat changes
		_, concludes := ev.(debate.Concluding)
		s.running = !concludes && (s.running || t.Step >= 0) // a turn may be repeated after the round
		return
	}
	switch ev := ev.(type) {
	case debate.RoundStarted:
		s.running = true
	case debate.RunEnded:
		s.running = false
		s.load()
	case debate.TurnStarted:
		s.started(ev)
	case debate.TurnRetrying:
		s.retrying(ev)
	case debate.TurnEnded:
		s.ended(ev.Response)
	case debate.ContextRequested, debate.ContextChanged: // blocks depend on the requests
	default:
		if t, ok := debate.TurnOf(ev); !ok || s.live == nil || s.live.Turn != t {
			return
		}
		s.worked(ev)
	}
	s.touch()
}

func (s *Seat) started(ev debate.TurnStarted) {
	s.running = true
	s.live = &live{Attempt: s.begin(ev.Turn, ev.Role, ev.At), asked: ev.At, waits: map[string]bool{}}
}

// retrying notes that the provider is asked again: for the completion or, if text had come, as a new attempt.
func (s *Seat) retrying(ev debate.TurnRetrying) {
	if a := s.Latest(); a != nil && ev.Turn.Attempt == a.Turn.Attempt+1 && debate.SameTurn(ev.Turn, a.Turn) {
		s.live = &live{Attempt: s.begin(ev.Turn, a.Role, ev.At), asked: ev.At, waits: map[string]bool{}}
	}
	if s.live != nil && s.live.Turn == ev.Turn {
		s.live.retry = &ev
	}
}

func (s *Seat) ended(r debate.Response) {
	if s.live != nil && s.live.Turn == r.Turn {
		s.live = nil
	}
	s.store(r)
}

func (s *Seat) worked(ev debate.Event) {
	l := s.live
	switch ev := ev.(type) {
	case debate.TurnQueued:
		s.queued(ev)
	case debate.TurnAlive:
		l.heard, l.whole = s.plan.Now(), l.whole || ev.Whole
	case debate.ToolsCalled:
		l.markWorking()
		for _, t := range ev.Tools {
			l.call(t)
		}
	case debate.ToolStarted:
		l.retry = nil
		l.tools++
		l.markWorking()
		l.call(ev.Tool).Tool.Limit = ev.Limit
	case debate.ToolEnded:
		l.call(ev.Tool)
		if l.tools = max(0, l.tools-1); l.tools == 0 { // the model is asked again, with all results
			l.answering, l.asked = false, ev.At
		}
	case debate.ApprovalAsked:
		l.waits[ev.CallID] = true
		l.decides(ev.CallID, true, ev.At)
	case debate.ApprovalDecided:
		delete(l.waits, ev.CallID)
		l.decides(ev.CallID, false, ev.At)
	default: // the session has it
	}
}

// queued notes a request that is not answered yet, or that waits for the budget or a program.
func (s *Seat) queued(ev debate.TurnQueued) {
	l := s.live
	if waited := l.budget || l.starting != "" || l.retry != nil; waited && !ev.Budget && ev.Starting == "" {
		l.asked = s.plan.Now()
	}
	l.budget, l.starting = ev.Budget, text.Line(ev.Starting)
	l.retry, l.answering, l.heard = nil, false, s.plan.Now()
}

func (s *Seat) text(ev debate.Text) {
	l := s.live
	if l == nil || l.Turn != ev.Turn || ev.Text == "" {
		return
	}
	l.heard = s.plan.Now()
	if !ev.Moves { // else it was counted when it came
		l.tokens.add(ev.Text)
	}
	if !l.answering || l.retry != nil {
		l.retry, l.answering, l.since, l.before = nil, true, l.heard, l.tokens.count()
		s.touch()
	}
	blocks := len(l.blocks)
	if ev.Moves {
		l.blocks = slices.DeleteFunc(l.blocks, func(b *Block) bool { return b.Kind == BlockText && b.Passage == ev.Passage })
	}
	l.write(ev)
	if s.version++; ev.Moves || len(l.blocks) != blocks {
		s.touch()
	}
}

// write adds a piece to its block. Reasoning comes before the text of its passage.
func (l *live) write(ev debate.Text) {
	kind := BlockText
	if ev.Reasoning {
		kind = BlockReasoning
	}
	b := l.find(kind, ev.Passage, "")
	if b == nil {
		b = l.add(kind, ev.Passage, "")
		if ev.Reasoning {
			b.Tone, b.Words.reasoning = ToneWorking, true
			if at := slices.IndexFunc(l.blocks, func(o *Block) bool { return o.Kind == BlockText && o.Passage == ev.Passage }); at >= 0 {
				l.blocks = slices.Insert(l.blocks[:len(l.blocks)-1], at, b)
			}
		}
	}
	b.Words.write(ev.Text)
	b.version++
}

// markWorking fades the text so far: a tool call follows, so it is no statement.
func (l *live) markWorking() {
	l.answering = true
	if n := len(l.blocks); n > 0 && l.blocks[n-1].Kind == BlockText {
		l.blocks[n-1].Tone = ToneWorking
		l.blocks[n-1].version++
	}
}

func (a *Attempt) call(r debate.ToolRecord) *Block {
	b := a.find(BlockTool, 0, r.ID)
	if b == nil {
		b = a.add(BlockTool, 0, r.ID)
	}
	b.Tool.ToolRecord, b.Tool.Limit, b.Tool.Waiting = r, 0, false
	b.version++
	return b
}

// decides notes whether a command waits for the user. That wait is no part of how long it runs.
func (l *live) decides(call string, waits bool, at time.Time) {
	if b := l.find(BlockTool, 0, call); b != nil {
		b.Tool.Waiting = waits
		if at.After(b.Tool.Began) {
			b.Tool.Began = at
		}
		b.version++
	}
}
