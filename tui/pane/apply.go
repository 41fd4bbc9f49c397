package pane

import (
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
)

// SetSession shows a session: the names of its panel, its rounds, requests and
// interjections, and, unless a round runs, the finished turns of this seat. While a
// round runs, its events say how turns go. A turn that is still live after the round
// came to nothing, and is replaced by what the session has of it.
func (p *Pane) SetSession(s debate.Session) {
	if s.ID == "" {
		return
	}
	p.origin = ""
	for _, c := range s.ForkChanges {
		if c.Kind == debate.ForkedModel && c.Target == string(p.profile.ID) {
			p.origin = safeLine(c.Old)
		}
	}
	p.setModel(s)
	p.session = debate.Session{Topic: s.Topic, Mode: s.Mode, Question: s.Question, Seats: s.Seats, Evidence: s.Evidence}
	if len(s.Evidence) > 0 { // which of it each round had
		for _, r := range s.History {
			manifest := debate.Manifest{Evidence: r.Manifest.Evidence}
			p.session.History = append(p.session.History, debate.Round{Number: r.Number, Manifest: manifest})
		}
	}
	if !p.running {
		p.setTurns(s)
	}
	p.seatNames = map[agents.ID]string{}
	for _, seat := range s.Seats {
		p.seatNames[seat.ID] = safeLine(seat.Name)
	}
	p.rounds = s.Rounds
	p.setInterjections(s)
	for _, r := range s.History {
		p.round = max(p.round, r.Number)
	}
	for _, r := range s.Requests {
		p.setRequest(r)
	}
	p.invalidate()
}

// setModel takes over the model that the seat has, and the one that it has from the next round on.
func (p *Pane) setModel(s debate.Session) {
	now, seat := s.Seat(p.profile.ID)
	if seat == 0 {
		return
	}
	p.profile, p.model = now, safeLine(now.ModelName())
	if next, _ := s.Upcoming().Seat(now.ID); next.Model != now.Model || next.Provider != now.Provider {
		p.model += " " + p.th.Symbols.Right + " " + safeLine(next.ModelName())
	}
	p.invalidateBorder()
}

// setInterjections collects the focus question and the messages that the seat got in each
// round, and the answers that its statements do not mention.
func (p *Pane) setInterjections(s debate.Session) {
	p.interjections, p.unaddressed = map[int][]interjection{}, map[string][]string{}
	for _, r := range s.History {
		if focus := safeLine(r.Manifest.Focus); focus != "" {
			label := "Focus"
			if by := safeLine(r.Manifest.FocusAuthor.Note()); by != "" {
				label += " (" + by + ")"
			}
			p.interjections[r.Number] = []interjection{{label + "  ", focus}}
		}
		for _, n := range r.Manifest.Interjections {
			i := slices.IndexFunc(s.Interjections, func(i debate.Interjection) bool { return i.N == n.N })
			if i < 0 || !slices.Contains(n.Seats, p.profile.ID) {
				continue
			}
			to := safeLine(p.profile.Name)
			if s.Interjections[i].Agent == "" {
				to = "all"
			}
			p.interjections[r.Number] = append(p.interjections[r.Number],
				interjection{safeLine(s.Interjections[i].Author.Sender()) + " to " + to + "  ", safeLine(s.Interjections[i].Text)})
		}
		if c, changed := s.ChangedModel(p.profile.ID, r.Number-1, r.Number); changed {
			p.interjections[r.Number] = append(p.interjections[r.Number], interjection{"Model  ", safeLine(c.String())})
		}
		for _, x := range r.AttemptsOf(p.profile.ID) {
			if ids := cite.UnaddressedAnswers(s, x); len(ids) > 0 {
				p.unaddressed[x.ID()] = ids
			}
		}
	}
}

// setTurns shows the stored turns of the seat. What is shown already stays, since it
// also knows how long the reasoning took.
func (p *Pane) setTurns(s debate.Session) {
	if p.live != nil {
		p.sections, p.live, p.retry, p.runningTools = nil, nil, nil, 0
	}
	for _, round := range s.History {
		for _, r := range round.AttemptsOf(p.profile.ID) {
			if a := p.attemptOf(r); a != nil {
				a.shareTools(r)
			} else {
				p.setResponse(r)
			}
		}
	}
	p.blocksChanged()
}

// attemptOf returns the attempt that shows a response as it is stored, or nil.
func (p *Pane) attemptOf(r debate.Response) *attempt {
	for _, s := range p.sections {
		for _, a := range s.attempts {
			if a.turn == r.Turn && a.state == stoppedState(r.State) && a.ended.Equal(r.Ended) {
				return a
			}
		}
	}
	return nil
}

// shareTools takes the arguments and results of tool calls from a stored response, so that
// those that came with events, which are the same, need no more memory.
func (a *attempt) shareTools(r debate.Response) {
	for _, passage := range r.Passages {
		for _, stored := range passage.Tools {
			if b := a.findBlock(blockID{kind: kindTool, call: stored.ID}); b != nil {
				b.content.(*toolBlock).share(stored)
			}
		}
	}
}

// stoppedState returns the state of a stored turn: one that was running belonged to a
// process that is gone.
func stoppedState(s debate.TurnState) debate.TurnState {
	if s == debate.TurnRunning {
		return debate.TurnInterrupted
	}
	return s
}

// Apply shows an event of the running round. Events of other seats change nothing,
// except for requests that this seat has joined.
func (p *Pane) Apply(ev debate.Event) {
	switch ev := ev.(type) {
	case debate.RoundStarted:
		p.round, p.running = max(p.round, ev.Round), true
		p.invalidate()
		p.SetSession(ev.Session)
	case debate.RoundEnded:
		p.running = false
		p.invalidate()
		p.SetSession(ev.Session)
	case debate.Concluding:
		p.running = false
		p.invalidate()
	case debate.TurnStarted:
		p.turnStarted(ev)
	case debate.TurnQueued:
		p.turnQueued(ev)
	case debate.TurnAlive:
		if a := p.liveAttempt(ev.Turn); a != nil {
			a.heard, a.whole = true, a.whole || ev.Whole
			p.invalidate()
		}
	case debate.TurnRetrying:
		p.turnRetrying(ev)
	case debate.TurnEnded:
		p.turnEnded(ev)
	case debate.Text:
		p.textArrived(ev)
	case debate.ToolsCalled:
		p.liveAttempt(ev.Turn).addCalls(ev.Tools)
		p.blocksChanged()
	case debate.ToolStarted:
		p.toolStarted(ev)
	case debate.ToolEnded:
		p.toolEnded(ev)
	case debate.ApprovalAsked:
		p.liveAttempt(ev.Turn).setWaiting(ev.CallID, true, ev.At)
		p.blocksChanged()
	case debate.ApprovalDecided:
		p.liveAttempt(ev.Turn).setWaiting(ev.CallID, false, ev.At)
		p.blocksChanged()
	case debate.ContextRequested:
		p.setRequest(ev.Request)
	case debate.ContextChanged:
		p.setRequest(ev.Request)
	default: // a pane shows no other event
	}
}

// isOwnTurn reports whether a turn belongs to this seat as a member. Its verdict as
// the chair and its answers to follow-ups do not.
func (p *Pane) isOwnTurn(t agents.Turn) bool {
	return t.Agent == p.profile.ID && t.Step >= 0
}

// turnStarted begins an attempt of the seat.
func (p *Pane) turnStarted(ev debate.TurnStarted) {
	if !p.running && ev.Turn.Step >= 0 { // a seat's turn is repeated after the round
		p.running = true
		p.invalidate()
	}
	if !p.isOwnTurn(ev.Turn) {
		return
	}
	if p.pinned && p.below == 0 { // the end is visible: follow it
		p.Bottom()
	}
	p.live = p.beginAttempt(ev.Turn, ev.Role, ev.At)
	p.round = max(p.round, ev.Turn.Round)
	p.retry, p.runningTools = nil, 0
	p.meter = meter{}
	p.blocksChanged()
}

// turnQueued handles a request to the provider that has not been answered yet, or that
// waits for the budget or a program.
func (p *Pane) turnQueued(ev debate.TurnQueued) {
	if a := p.liveAttempt(ev.Turn); a != nil {
		isSent := !ev.Budget && ev.Starting == ""
		if isSent && (a.awaitsBudget || a.starting != "") && !p.lastDrawn.IsZero() {
			a.askedAt = p.lastDrawn
		}
		a.awaitsBudget, a.starting = ev.Budget, safeLine(ev.Starting)
		if p.retry != nil { // asked again when the wait ended, or earlier if the user cut it short
			a.askedAt = p.retry.state.Until
			if !p.lastDrawn.IsZero() && p.lastDrawn.Before(a.askedAt) {
				a.askedAt = p.lastDrawn
			}
		}
		p.retry, a.responding, a.heard = nil, false, true
		p.invalidate()
	}
}

// retry is a completion that will be requested again.
type retry struct {
	cause string
	state State
}

// RetryState returns the state of a speaker whose provider is asked again later.
func RetryState(ev debate.TurnRetrying) State {
	s := State{Kind: Retrying, Retry: ev.Retry.Try, MaxRetries: ev.Retry.Of, Loads: ev.Retry.Loads, Until: ev.At.Add(ev.Retry.In)}
	if !ev.Retry.Until.IsZero() {
		s.Kind, s.Until = Paused, ev.Retry.Until
	}
	return s
}

// turnRetrying handles a retry: of the current completion, or as a new attempt if part
// of an answer had already arrived.
func (p *Pane) turnRetrying(ev debate.TurnRetrying) {
	a := p.current()
	if a != nil && p.isOwnTurn(ev.Turn) && ev.Turn.Attempt == a.turn.Attempt+1 && sameTurn(ev.Turn, a.turn) {
		p.live = p.beginAttempt(ev.Turn, a.role, ev.At)
		p.meter = meter{}
	}
	if p.liveAttempt(ev.Turn) == nil {
		return
	}
	p.retry = &retry{cause: safeLine(ev.Retry.Cause), state: RetryState(ev)}
	p.blocksChanged()
}

// sameTurn reports whether two attempts belong to the same turn.
func sameTurn(a, b agents.Turn) bool {
	a.Attempt, b.Attempt = 0, 0
	return a == b
}

// textArrived adds streamed text or reasoning.
func (p *Pane) textArrived(ev debate.Text) {
	a := p.liveAttempt(ev.Turn)
	if a == nil || ev.Text == "" {
		return
	}
	if p.retry != nil || !a.responding {
		p.retry = nil
		p.invalidate()
	}
	a.heard = true
	if a.appendText(ev) {
		p.blocksChanged()
	}
	p.add(ev.Text)
	p.invalidateText()
}

// toolStarted adds a running tool call.
func (p *Pane) toolStarted(ev debate.ToolStarted) {
	a := p.liveAttempt(ev.Turn)
	if a == nil {
		return
	}
	p.retry = nil
	p.runningTools++
	a.markWorking()
	a.setTool(ev.Tool)
	a.setLimit(ev.Tool.ID, ev.Limit)
	p.blocksChanged()
}

// setLimit sets how long a running call may take.
func (a *attempt) setLimit(call string, limit time.Duration) {
	if b := a.findBlock(blockID{kind: kindTool, call: call}); b != nil {
		if t, ok := b.content.(*toolBlock); ok {
			t.limit, b.valid = limit, false
		}
	}
}

// toolEnded shows the result of a tool call.
func (p *Pane) toolEnded(ev debate.ToolEnded) {
	a := p.liveAttempt(ev.Turn)
	if a == nil {
		return
	}
	a.setTool(ev.Tool)
	if p.runningTools = max(0, p.runningTools-1); p.runningTools == 0 { // all results are in: the model goes on
		a.responding, a.askedAt = false, ev.At
	}
	p.blocksChanged()
}

// turnEnded replaces what was streamed by the stored response.
func (p *Pane) turnEnded(ev debate.TurnEnded) {
	if !p.isOwnTurn(ev.Response.Turn) {
		return
	}
	p.setResponse(ev.Response)
	if p.liveAttempt(ev.Response.Turn) != nil {
		p.live, p.retry, p.runningTools = nil, nil, 0
	}
	p.round = max(p.round, ev.Response.Turn.Round)
	p.blocksChanged()
}

// appendText adds a piece of text or reasoning. It reports whether the piece began a
// new block.
func (a *attempt) appendText(ev debate.Text) bool {
	a.responding = true
	if ev.Moves {
		a.blocks = slices.DeleteFunc(a.blocks, func(b *block) bool { return b.kind == kindText && b.passage == ev.Passage })
	}
	if ev.Reasoning {
		b := a.findBlock(blockID{kind: kindReasoning, passage: ev.Passage})
		isNew := b == nil
		if isNew {
			b = a.insertBeforeText(blockID{kind: kindReasoning, passage: ev.Passage}, newReasoning())
		}
		b.content.(*reasoningBlock).write(ev.Text)
		b.valid = false
		return isNew || ev.Moves
	}
	a.endReasoning()
	b := a.findBlock(blockID{kind: kindText, passage: ev.Passage})
	isNew := b == nil
	if isNew {
		a.addBlock(blockID{kind: kindText, passage: ev.Passage}, &textBlock{})
		b = a.blocks[len(a.blocks)-1]
	}
	b.content.(*textBlock).write(ev.Text)
	b.valid = false
	return isNew
}

// insertBeforeText adds a block, before the text of its passage if that has begun.
func (a *attempt) insertBeforeText(n blockID, c content) *block {
	a.addBlock(n, c)
	b := a.blocks[len(a.blocks)-1]
	i := slices.IndexFunc(a.blocks, func(o *block) bool { return o.kind == kindText && o.passage == n.passage })
	if i >= 0 {
		a.blocks = slices.Insert(a.blocks[:len(a.blocks)-1], i, b)
	}
	return b
}

// endReasoning marks the reasoning so far as finished.
func (a *attempt) endReasoning() {
	for _, b := range a.blocks {
		if t, ok := b.content.(*reasoningBlock); ok && t.running {
			t.running, b.valid = false, false
		}
	}
}

// markWorking fades the text of the current passage: a tool call follows, so it is no
// statement.
func (a *attempt) markWorking() {
	a.endReasoning()
	for _, b := range a.blocks {
		if t, ok := b.content.(*textBlock); ok && t.tone == toneStatement {
			t.tone, b.valid = toneWorking, false
		}
	}
}

// setWaiting shows whether a tool call waits until the user decides on its command. The
// time of the wait is not a part of how long it runs.
func (a *attempt) setWaiting(call string, on bool, at time.Time) {
	if a == nil {
		return
	}
	if b := a.findBlock(blockID{kind: kindTool, call: call}); b != nil {
		if t, ok := b.content.(*toolBlock); ok {
			t.waiting, b.valid = on, false
			if at.After(t.began) {
				t.began = at
			}
		}
	}
}

// addCalls adds tool calls that wait for their turn.
func (a *attempt) addCalls(calls []debate.ToolRecord) {
	if a == nil {
		return
	}
	a.markWorking()
	for _, t := range calls {
		a.setTool(t)
	}
}

// setTool adds a tool call or updates it.
func (a *attempt) setTool(r debate.ToolRecord) {
	a.responding = true
	n := blockID{kind: kindTool, call: r.ID}
	t := newTool(a, r)
	if b := a.findBlock(n); b != nil {
		t.folded, t.searches = b.content.(*toolBlock).folded, b.content.(*toolBlock).searches
		b.content, b.valid = t, false
		return
	}
	t.folded = a.foldSearch(t)
	a.addBlock(n, t)
}

// foldSearch counts a search of an agent through its own tools with the one before it, which
// shows both. It reports whether there is one.
func (a *attempt) foldSearch(t *toolBlock) bool {
	for _, b := range slices.Backward(a.blocks) {
		before, ok := b.content.(*toolBlock)
		switch {
		case !ok || t.name != agents.OwnToolSearch || before.name != t.name:
			return false
		case !before.folded:
			before.searches, before.line, b.valid = max(before.searches, 1)+1, "", false
			return true
		}
	}
	return false
}
