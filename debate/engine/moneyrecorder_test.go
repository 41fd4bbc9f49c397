package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
)

// sessionRecorder is a recorder that can be killed and lends its sessions.
type sessionRecorder interface {
	engine.Recorder
	Session(ctx context.Context, id string) (debate.Session, error)
	Fork(ctx context.Context, id string, plan debate.ForkPlan) (debate.Session, error)
}

var errKilled = errors.New("the process was killed")

// killable stops recording after so many records of a turn, as a killed process does.
type killable struct {
	begun sync.Map // by member
	sessionRecorder
	mu   sync.Mutex
	left int // records until then; negative: it is not killed
}

// kill kills the process after so many more records.
func (k *killable) kill(after int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.left = after
}

func (k *killable) record(do func() error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left == 0 {
		return errKilled
	}
	k.left--
	return do()
}

func (k *killable) killed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.left == 0
}

// recordSession is record for what returns the session.
func (k *killable) recordSession(do func() (debate.Session, error)) (s debate.Session, err error) {
	err = k.record(func() error {
		s, err = do()
		return err
	})
	return s, err
}

func (k *killable) BeginRound(ctx context.Context, id string, n int) (debate.Session, error) {
	return k.recordSession(func() (debate.Session, error) { return k.sessionRecorder.BeginRound(ctx, id, n) })
}

func (k *killable) EndRound(ctx context.Context, id string, n int, same *debate.SameFindings, e debate.StopReason) (debate.Session, error) {
	return k.recordSession(func() (debate.Session, error) { return k.sessionRecorder.EndRound(ctx, id, n, same, e) })
}

func (k *killable) Stop(ctx context.Context, id string, why debate.StopReason) (debate.Session, error) {
	return k.recordSession(func() (debate.Session, error) { return k.sessionRecorder.Stop(ctx, id, why) })
}

func (k *killable) SaveVerdict(ctx context.Context, id string, v debate.Verdict) (debate.Session, error) {
	return k.recordSession(func() (debate.Session, error) { return k.sessionRecorder.SaveVerdict(ctx, id, v) })
}

func (k *killable) BeginTurn(ctx context.Context, t debate.TurnStart) error {
	if t.Purpose == debate.ForMember {
		k.begun.Store(t.Turn.Agent, t.Turn)
	}
	return k.record(func() error { return k.sessionRecorder.BeginTurn(ctx, t) })
}

// lastTurn returns the turn that a member has begun last.
func (k *killable) lastTurn(id agents.ID) agents.Turn {
	t, _ := k.begun.Load(id)
	turn, _ := t.(agents.Turn)
	return turn
}

func (k *killable) BeginCall(ctx context.Context, t agents.Turn, p debate.Purpose, n int, req agents.Request) error {
	return k.record(func() error { return k.sessionRecorder.BeginCall(ctx, t, p, n, req) })
}

func (k *killable) RetryCall(ctx context.Context, t agents.Turn, n int, r debate.CallRetry) error {
	return k.record(func() error { return k.sessionRecorder.RetryCall(ctx, t, n, r) })
}

func (k *killable) ResendCall(ctx context.Context, t agents.Turn, n int) error {
	return k.record(func() error { return k.sessionRecorder.ResendCall(ctx, t, n) })
}

func (k *killable) Journal(ctx context.Context, parts []debate.PartialText) error {
	return k.record(func() error { return k.sessionRecorder.Journal(ctx, parts) })
}

func (k *killable) EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []debate.ToolRecord,
	cost *float64,
) error {
	return k.record(func() error { return k.sessionRecorder.EndCall(ctx, t, n, c, tools, cost) })
}

func (k *killable) BreakCall(ctx context.Context, t agents.Turn, n int, f *agents.Failure, u agents.Usage, cost *float64) error {
	return k.record(func() error { return k.sessionRecorder.BreakCall(ctx, t, n, f, u, cost) })
}

func (k *killable) EndTurn(ctx context.Context, e debate.TurnEnd) (changed []ledger.Request, err error) {
	err = k.record(func() error {
		changed, err = k.sessionRecorder.EndTurn(ctx, e)
		return err
	})
	return changed, err
}

func (k *killable) Note(ctx context.Context, session string, n ...debate.Notice) error {
	return k.record(func() error { return k.sessionRecorder.Note(ctx, session, n...) })
}

// memoryRecorder keeps sessions in memory. It counts a call that was under way when its
// process was killed as the store does.
type memoryRecorder struct {
	engine.Recorder // nil; its other methods are not called
	mu              sync.Mutex
	sessions        map[string]debate.Session
	open            map[agents.Turn]*openTurn
}

// openTurn is a running turn.
type openTurn struct {
	purpose  debate.Purpose
	response debate.Response
	estimate int // of the prompt under way; 0: none is
	lost     agents.Usage
	tries    int  // of that prompt
	waits    bool // before it is sent, or sent again
	text     strings.Builder
}

func newMemoryRecorder() *memoryRecorder {
	return &memoryRecorder{sessions: map[string]debate.Session{}, open: map[agents.Turn]*openTurn{}}
}

func (m *memoryRecorder) change(id string, f func(debate.Session) debate.Session) (debate.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sessions[id] = f(m.sessions[id])
	return m.sessions[id], nil
}

func (m *memoryRecorder) Session(_ context.Context, id string) (debate.Session, error) {
	return m.change(id, func(s debate.Session) debate.Session { return s })
}

func (m *memoryRecorder) Create(_ context.Context, s debate.Session) (debate.Session, error) {
	s.ID = fmt.Sprintf("s%d", len(m.sessions))
	return m.change(s.ID, func(debate.Session) debate.Session { return s })
}

func (m *memoryRecorder) Fork(_ context.Context, id string, plan debate.ForkPlan) (debate.Session, error) {
	round := plan.Round
	s := m.sessions[id]
	s.ForkedFrom, s.ForkRound, s.ID = id, round, fmt.Sprintf("s%d", len(m.sessions))
	s.History = slices.Clone(s.History[:round])
	for i := range s.History {
		s.History[i].Responses = slices.Clone(s.History[i].Responses)
		for k := range s.History[i].Responses {
			x := &s.History[i].Responses[k]
			x.Inherited, x.Turn.Session = true, s.ID
		}
	}
	s.Stopped, s.Verdict, s.AuxiliarySpending, s.Notices, s.ChairTurns, s.LightAttempt = debate.NotStopped, nil, nil, nil, 0, 0
	return m.change(s.ID, func(debate.Session) debate.Session { return s })
}

func (m *memoryRecorder) Repair(_ context.Context, id string) (debate.Session, error) {
	for t, open := range m.open {
		if t.Session != id {
			continue
		}
		x := &open.response
		x.State, x.Failure = debate.TurnInterrupted, &debate.TurnFailure{Kind: agents.KindInterrupted}
		x.Usage = x.Usage.Add(open.lost)
		if open.estimate > 0 && !open.waits {
			x.Usage = x.Usage.Add(agents.Usage{Input: open.estimate, Output: agents.Tokens(open.text.String()), Estimated: true})
		}
		x.Cost = m.sessions[id].SpeakerOf(open.purpose, t).Cost(x.Usage)
		m.close(open)
	}
	return m.Session(context.TODO(), id) //nolint:staticcheck // it has no use for a context
}

// close ends a turn.
func (m *memoryRecorder) close(open *openTurn) {
	t := open.response.Turn
	delete(m.open, t)
	s := m.sessions[t.Session]
	if open.purpose == debate.ForMember {
		m.sessions[t.Session] = s.WithResponse(open.response)
	} else {
		m.sessions[t.Session] = s.WithAuxiliaryTurn(open.purpose, open.response)
	}
}

func (m *memoryRecorder) BeginRound(_ context.Context, id string, n int) (debate.Session, error) {
	manifest, _, err := m.sessions[id].Begin(debate.Focus{})
	if err != nil {
		return debate.Session{}, err
	}
	return m.change(id, func(s debate.Session) debate.Session {
		s.History = append(slices.Clone(s.History), debate.Round{Number: n, Manifest: manifest, Hash: manifest.Hash()})
		return s
	})
}

func (m *memoryRecorder) SetDue(_ context.Context, id string, turns ...debate.DueTurn) error {
	_, err := m.change(id, func(s debate.Session) debate.Session { return s.WithDue(turns...) })
	return err
}

func (m *memoryRecorder) BeginTurn(_ context.Context, t debate.TurnStart) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[t.Turn.Session]
	switch t.Purpose {
	case debate.ForChair:
		s.ChairTurns++
	case debate.ForLight:
		s.LightAttempt = max(s.LightAttempt, t.Turn.Attempt)
	case debate.ForMember, debate.ForFollowUp:
	}
	m.sessions[s.ID] = s
	m.open[t.Turn] = &openTurn{purpose: t.Purpose, response: debate.Response{
		Turn: t.Turn, State: debate.TurnRunning, Role: t.Role, Phase: t.Phase, SnapshotHash: t.SnapshotHash,
	}}
	return nil
}

// turn changes a running turn.
func (m *memoryRecorder) turn(t agents.Turn, f func(*openTurn)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	f(m.open[t])
	return nil
}

func (m *memoryRecorder) BeginCall(_ context.Context, t agents.Turn, _ debate.Purpose, _ int, req agents.Request) error {
	return m.turn(t, func(open *openTurn) {
		open.estimate, open.lost, open.tries, open.waits = req.Tokens(), agents.Usage{}, 1, false
		open.text.Reset()
		open.response.Calls++
	})
}

func (m *memoryRecorder) RetryCall(_ context.Context, t agents.Turn, _ int, r debate.CallRetry) error {
	return m.turn(t, func(open *openTurn) {
		open.lost, open.waits = r.Lost, true
		open.response.Calls += r.Tries - open.tries
		open.tries = r.Tries
	})
}

func (m *memoryRecorder) ResendCall(_ context.Context, t agents.Turn, _ int) error {
	return m.turn(t, func(open *openTurn) {
		open.waits = false
		open.tries++
		open.response.Calls++
	})
}

func (m *memoryRecorder) Journal(_ context.Context, parts []debate.PartialText) error {
	for _, p := range parts {
		if err := m.turn(p.Turn, func(open *openTurn) { open.text.WriteString(p.Text) }); err != nil {
			return err
		}
	}
	return nil
}

func (m *memoryRecorder) EndCall(_ context.Context, t agents.Turn, _ int, c agents.Completion, _ []debate.ToolRecord, _ *float64) error {
	return m.turn(t, func(open *openTurn) {
		open.response.Usage, open.estimate, open.lost = open.response.Usage.Add(c.Usage), 0, agents.Usage{}
	})
}

func (m *memoryRecorder) BreakCall(_ context.Context, t agents.Turn, _ int, _ *agents.Failure, u agents.Usage, _ *float64) error {
	return m.turn(t, func(open *openTurn) {
		open.response.Usage, open.estimate, open.lost = open.response.Usage.Add(u), 0, agents.Usage{}
	})
}

func (m *memoryRecorder) EndTurn(_ context.Context, e debate.TurnEnd) ([]ledger.Request, error) {
	return nil, m.turn(e.Response.Turn, func(open *openTurn) {
		if open == nil { // it was cancelled before it began
			open = &openTurn{purpose: e.Purpose}
		}
		open.response = e.Response
		m.close(open)
	})
}

func (m *memoryRecorder) EndRound(_ context.Context, id string, n int, same *debate.SameFindings, _ debate.StopReason,
) (debate.Session, error) {
	return m.change(id, func(s debate.Session) debate.Session {
		s.History = slices.Clone(s.History)
		s.History[n-1].Ended, s.History[n-1].Same = time.Unix(int64(n), 0), same
		return s
	})
}

func (m *memoryRecorder) Stop(_ context.Context, id string, why debate.StopReason) (debate.Session, error) {
	return m.change(id, func(s debate.Session) debate.Session {
		s.Stopped = why
		return s
	})
}

func (m *memoryRecorder) SaveVerdict(_ context.Context, id string, v debate.Verdict) (debate.Session, error) {
	return m.change(id, func(s debate.Session) debate.Session {
		s.Verdict = &v
		return s
	})
}

func (m *memoryRecorder) Note(_ context.Context, id string, ns ...debate.Notice) error {
	_, err := m.change(id, func(s debate.Session) debate.Session {
		s.Notices = append(s.Notices[:len(s.Notices):len(s.Notices)], ns...)
		return s
	})
	return err
}
