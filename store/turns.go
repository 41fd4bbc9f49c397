package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// BeginTurn records that a turn, which may have been due, is running. A member's turn
// must be of the newest round.
func (s *Store) BeginTurn(ctx context.Context, t debate.TurnStart) error {
	return s.write(ctx, "turn", func(tx *transaction) {
		mayBegin(tx, t.Turn)
		if t.State = debate.TurnRunning; t.Began.IsZero() {
			t.Began = s.now()
		}
		begun := turn{Response: t.Response, purpose: t.Purpose, Question: t.Question}
		if begun.id = insertTurn(tx, begun); t.Turn.Step == debate.FollowUpStep {
			begun.addQuestion(tx)
		}
	})
}

// mayBegin makes a transaction fail for a member's turn of any but the newest round.
func mayBegin(tx *transaction, t agents.Turn) {
	if exists(tx, t.Session); t.Step == debate.VerdictStep {
		return
	}
	newest := one(tx, column[int], `SELECT coalesce(max(number), 0) FROM rounds WHERE session = ?`, t.Session)
	gone := one(tx, column[debate.Gone], `SELECT coalesce(body ->> '$.Gone', '') FROM sessions WHERE id = ?`, t.Session)
	switch {
	case gone != "":
		tx.failed(gone)
	case newest != t.Round || newest == 0:
		tx.failed(fmt.Errorf("begin turn %s of debate %s, whose newest round is %d: %w",
			debate.TurnID(t), t.Session, newest, debate.ErrNotReady))
	}
}

// turnDue is the state of a row for a turn that has not begun; see debate.DueTurn.
const turnDue debate.TurnState = "due"

// insertTurn inserts the row of an attempt, in place of one that says it is due, and returns
// its id. An attempt that has begun is not begun again.
func insertTurn(tx *transaction, t turn) int64 {
	body, said := t.pack()
	id := one(tx, column[int64], `INSERT INTO turns (session, round, step, agent, attempt, purpose, state, began, ended, due, inherited,
			body, said) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (session, round, step, agent, attempt) DO UPDATE SET purpose = excluded.purpose, state = excluded.state,
			began = excluded.began, ended = excluded.ended, due = excluded.due, body = excluded.body, said = excluded.said
			WHERE state = 'due'
		RETURNING id`, t.Turn.Session, t.Turn.Round, t.Turn.Step, t.Turn.Agent, t.Turn.Attempt, t.purpose, t.State,
		timestamp(t.Began), timestamp(t.Ended), timestamp(t.WaitUntil), t.Inherited, body, said)
	if id == 0 {
		tx.failed(fmt.Errorf("ask %s: it was asked already: %w", t.ID(), debate.ErrNotReady))
	}
	return id
}

// EndTurn records the end of a turn: text, finish, usage and state. A turn that is
// done withdraws the unanswered asks of its earlier attempts; any other keeps the
// text that was journaled. A turn that was cancelled before it began has no row yet. EndTurn
// returns the requests that changed.
func (s *Store) EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error) {
	e.Response.Ended = cmp.Or(e.Response.Ended, s.now())
	return update(ctx, s, "turn-end", func(tx *transaction) (changed []ledger.Request) {
		r := e.Response
		if id := runningTurn(tx, r.Turn); id == 0 && r.State == debate.TurnCancelled && r.Began.IsZero() {
			mayBegin(tx, r.Turn)
			insertTurn(tx, turn{purpose: debate.ForMember, Response: r})
		} else {
			closeTurn(tx, mustRun(tx, r.Turn, id), e)
		}
		if e.Summary != nil {
			insertSummary(tx, r.Turn, *e.Summary)
		}
		if r.State == debate.TurnDone {
			changed = s.withdraw(tx, r.Turn)
		}
		if e.Again != nil {
			insertDue(tx, *e.Again)
		}
		s.refresh(tx, r.Turn.Session)
		return changed
	})
}

// closeTurn stores a turn that has ended as one row, with what is known since it began and what
// was appended while it ran, and ends its tool calls and completions. The journal is kept unless
// the turn is done.
func closeTurn(tx *transaction, id int64, e debate.TurnEnd) {
	done := e.Response.State == debate.TurnDone
	if done {
		tx.exec(`DELETE FROM partials WHERE turn = ?`, id)
	}
	if f := e.Final; f != nil {
		n := finishCall(tx, id, 0, *f, e.FinalCost, e.Response.Ended)
		if f.Text+f.Reasoning != "" {
			insertPassage(tx, id, passageOf(tx, id, n), debate.Passage{Text: f.Text, Reasoning: f.Reasoning})
		}
	}
	for _, t := range readTurns(tx, []int64{id}) {
		tx.failed(t.end(e.Response))
		settleTools(tx, id, t.Passages)
		breakCalls(tx, t)
		body, said := t.pack()
		tx.exec(`UPDATE turns SET state = ?, ended = ?, body = ?, said = ? WHERE id = ?`, t.State, timestamp(t.Ended), body, said, id)
		tx.exec(`DELETE FROM passages WHERE turn = ?`, id)
		tx.exec(`DELETE FROM partials WHERE turn = ?`, id)
		if done {
			t.addSearchText(tx)
		}
	}
}

// end adds what is known at the end of a turn to what was known when it began. What the end
// leaves out stays.
func (t *turn) end(r debate.Response) error {
	r.Passages = nil
	body := r.Statement.Body
	if r.Statement.Body = ""; r.State != debate.TurnDone {
		r.Statement, body = debate.Statement{}, ""
	}
	raw, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(raw, &t.Response)
	}
	t.State, t.Ended, t.Statement.Body = r.State, r.Ended, body
	return err
}

// The results of tool calls that a turn did not wait for.
const (
	toolEffectUnknown = "interrupted, effect unknown"
	toolNotRun        = "not run: the turn ended first"
)

// settleTools ends the tool calls of a turn that has ended. A running tool may have
// had its effect, a pending one had none.
func settleTools(tx *transaction, id int64, passages []debate.Passage) {
	for _, p := range passages {
		for _, t := range p.Tools {
			if t.State != debate.ToolDone {
				updateTool(tx, id, settled(t))
			}
		}
	}
}

func settled(t debate.ToolRecord) debate.ToolRecord {
	said := ""
	switch t.State {
	case debate.ToolRunning:
		said = toolEffectUnknown
	case debate.ToolPending:
		said = toolNotRun
	case debate.ToolDone:
		return t
	}
	t.State, t.Result = debate.ToolDone, agents.ToolResult{Status: agents.ToolAborted, Text: said, Summary: said}
	return t
}

// insertSummary stores the summary that a turn of the light model made, unless it is there.
func insertSummary(tx *transaction, t agents.Turn, d debate.StatementSummary) {
	key := fmt.Sprintf("%s %s %d %s", d.Response, d.Hash, d.Version, d.Model)
	if documentOf[*debate.StatementSummary](tx, t.Session, summaryDocument, key) == nil {
		insertDocument(tx, t.Session, summaryDocument, key, t.Round, d)
	}
}

// withdraw takes back the unanswered asks of earlier attempts of a turn and returns the
// requests that changed.
func (s *Store) withdraw(tx *transaction, t agents.Turn) []ledger.Request {
	l := loadLedger(tx, t.Session)
	events := l.Supersede(t)
	l = appendEvents(tx, s.now(), t.Session, l, events)
	var changed []ledger.Request
	for _, r := range l.Requests {
		if slices.ContainsFunc(events, func(e ledger.Event) bool { return e.Request == r.ID }) {
			changed = append(changed, r)
		}
	}
	return changed
}

// SetDue records that turns of the newest round are due, in place of an earlier time
// for the same turns. A round that has ended is open again, and a verdict becomes
// superseded, to be written again without another round. For a turn of a chair or of the
// light model that waits only the time changes.
func (s *Store) SetDue(ctx context.Context, session string, turns ...debate.DueTurn) error {
	return s.write(ctx, "due", func(tx *transaction) {
		if len(turns) == 1 && turns[0].Turn.Step < 0 {
			setWait(tx, turns[0])
			return
		}
		for _, d := range turns {
			mayBegin(tx, d.Turn)
			insertDue(tx, d)
		}
		newest := one(tx, column[int], `SELECT coalesce(max(number), 0) FROM rounds WHERE session = ?`, session)
		if concluded(tx, session) {
			changeHead(tx, session, func(d *debate.Session) { d.Rounds = newest })
			supersede(tx, session)
		}
		tx.exec(`UPDATE rounds SET ended = NULL WHERE session = ? AND number = ?`, session, newest)
		s.refresh(tx, session)
	})
}

func setWait(tx *transaction, d debate.DueTurn) {
	t := d.Turn
	missing := fmt.Errorf("ask %s again: it was not cut off: %w", debate.TurnID(t), debate.ErrNotReady)
	tx.change(missing, `UPDATE turns SET due = ? WHERE session = ? AND round = ? AND step = ? AND agent = ? AND attempt = ?
		AND state = 'interrupted'`, timestamp(d.At), t.Session, t.Round, t.Step, t.Agent, t.Attempt)
}

func insertDue(tx *transaction, d debate.DueTurn) {
	insertTurn(tx, turn{purpose: debate.ForMember, Response: debate.Response{Turn: d.Turn, State: turnDue, WaitUntil: d.At}})
}

// writeTurn runs fn as write does, with the row id of a turn that is running.
func (s *Store) writeTurn(ctx context.Context, point string, t agents.Turn, fn func(tx *transaction, turn int64)) error {
	return s.write(ctx, point, func(tx *transaction) {
		if id := mustRun(tx, t, runningTurn(tx, t)); tx.err == nil {
			fn(tx, id)
		}
	})
}

// runningTurn returns the row id of a turn that is running, or 0.
func runningTurn(tx *transaction, t agents.Turn) int64 {
	return one(tx, column[int64], `SELECT id FROM turns WHERE session = ? AND round = ? AND step = ? AND agent = ? AND attempt = ?
		AND state = 'running'`, t.Session, t.Round, t.Step, t.Agent, t.Attempt)
}

// mustRun makes the transaction fail if the row id of a turn is 0.
func mustRun(tx *transaction, t agents.Turn, id int64) int64 {
	if id == 0 {
		exists(tx, t.Session)
		tx.failed(fmt.Errorf("%s of debate %s: %w", debate.TurnID(t), t.Session, errNotRunning))
	}
	return id
}

// exists makes the transaction fail with debate.ErrNoSession unless the session exists and is not
// deleted.
func exists(tx *transaction, session string) {
	if one(tx, column[int], `SELECT count(*) FROM sessions WHERE id = ? AND deleted IS NULL`, session) == 0 {
		tx.failed(sessionNotFound(session))
	}
}
