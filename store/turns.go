package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// BeginTurn records that a turn, which may have been due, is running. A member's turn
// must be of the newest round.
func (s *Store) BeginTurn(ctx context.Context, t debate.TurnStart) error {
	return s.write(ctx, "turn", func(ctx context.Context, tx *sql.Tx) error {
		if err := mayBegin(ctx, tx, t.Turn); err != nil {
			return err
		}
		if t.State = debate.TurnRunning; t.Began.IsZero() {
			t.Began = s.now()
		}
		begun := turn{Response: t.Response, purpose: t.Purpose, Question: t.Question}
		var err error
		if begun.id, err = insertTurn(ctx, tx, begun); err == nil && t.Turn.Step == debate.FollowUpStep {
			err = begun.addQuestion(ctx, tx)
		}
		if err != nil {
			return fmt.Errorf("begin turn %s: %w", debate.TurnID(t.Turn), err)
		}
		return nil
	})
}

// mayBegin returns an error for a member's turn of any but the newest round.
func mayBegin(ctx context.Context, tx *sql.Tx, t agents.Turn) error {
	if err := exists(ctx, tx, t.Session); err != nil {
		return err
	}
	if t.Step == debate.VerdictStep {
		return nil
	}
	var newest int
	var d debate.Session
	err := tx.QueryRowContext(ctx, `SELECT (SELECT coalesce(max(number), 0) FROM rounds WHERE session = id), coalesce(body ->> '$.Gone', '')
		FROM sessions WHERE id = ?`, t.Session).Scan(&newest, &d.Gone)
	if err == nil && d.Gone != "" {
		err = d.Gone
	}
	if err != nil {
		return err
	}
	if newest != t.Round || newest == 0 {
		return fmt.Errorf("begin turn %s of debate %s, whose newest round is %d: %w",
			debate.TurnID(t), t.Session, newest, debate.ErrNotReady)
	}
	return nil
}

// turnDue is the state of a row for a turn that has not begun; see debate.DueTurn.
const turnDue debate.TurnState = "due"

// errAttemptExists refuses an attempt that has begun or ended already.
var errAttemptExists = fmt.Errorf("it was asked already: %w", debate.ErrNotReady)

// insertTurn inserts the row of an attempt, in place of one that says it is due, and returns
// its id. An earlier attempt with the same number is errAttemptExists.
func insertTurn(ctx context.Context, tx *sql.Tx, t turn) (id int64, err error) {
	body, said := t.pack()
	err = tx.QueryRowContext(ctx, `INSERT INTO turns (session, round, step, agent, attempt, purpose, state, began, ended, due, inherited,
			body, said) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (session, round, step, agent, attempt) DO UPDATE SET purpose = excluded.purpose, state = excluded.state,
			began = excluded.began, ended = excluded.ended, due = excluded.due, body = excluded.body, said = excluded.said
			WHERE state = 'due'
		RETURNING id`, t.Turn.Session, t.Turn.Round, t.Turn.Step, t.Turn.Agent, t.Turn.Attempt, t.purpose, t.State,
		timestamp(t.Began), timestamp(t.Ended), timestamp(t.WaitUntil), t.Inherited, body, said).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = errAttemptExists
	}
	return id, err
}

// EndTurn records the end of a turn: text, finish, usage and state. A turn that is
// done withdraws the unanswered asks of its earlier attempts; any other keeps the
// text that was journaled. A turn that was cancelled before it began has no row yet. EndTurn
// returns the requests that changed.
func (s *Store) EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error) {
	r := e.Response
	if r.Ended.IsZero() {
		r.Ended = s.now()
	}
	done := r.State == debate.TurnDone
	if !done && e.Final != nil || !done && !r.Finished() && r.State != debate.TurnInterrupted {
		return nil, fmt.Errorf("end turn %s: state %q does not go with its last completion", r.ID(), r.State)
	}
	return update(ctx, s, "turn-end", func(ctx context.Context, tx *sql.Tx) (changed []ledger.Request, err error) {
		id, err := runningTurn(ctx, tx, r.Turn)
		switch {
		case errors.Is(err, errNotRunning) && r.State == debate.TurnCancelled && r.Began.IsZero():
			return nil, errors.Join(insertSkipped(ctx, tx, r), s.refresh(ctx, tx, r.Turn.Session))
		case err != nil:
			return nil, err
		case done:
			err = finishTurn(ctx, tx, id, e)
		default:
			_, err = closeTurn(ctx, tx, id, r, nil)
		}
		if err != nil {
			return nil, err
		}
		if e.Summary != nil {
			if err := insertSummary(ctx, tx, r.Turn, *e.Summary); err != nil {
				return nil, err
			}
		}
		if done {
			if changed, err = s.withdraw(ctx, tx, r.Turn); err != nil {
				return nil, err
			}
		}
		if e.Again != nil {
			if err := insertDue(ctx, tx, *e.Again); err != nil {
				return nil, err
			}
		}
		return changed, s.refresh(ctx, tx, r.Turn.Session)
	})
}

func insertSkipped(ctx context.Context, tx *sql.Tx, r debate.Response) error {
	if err := mayBegin(ctx, tx, r.Turn); err != nil {
		return err
	}
	_, err := insertTurn(ctx, tx, turn{purpose: debate.ForMember, Response: debate.Response{
		Turn: r.Turn, State: r.State, Role: r.Role, Phase: r.Phase, Ended: r.Ended, Failure: r.Failure,
	}})
	if err != nil {
		return fmt.Errorf("skip %s: %w", r.ID(), err)
	}
	return nil
}

// finishTurn stores a turn that is done with its last completion, unless that is stored.
func finishTurn(ctx context.Context, tx *sql.Tx, id int64, e debate.TurnEnd) error {
	if err := deleteJournal(ctx, tx, id); err != nil {
		return err
	}
	last := map[int]debate.Passage{}
	if e.Final != nil {
		n, err := finishCall(ctx, tx, id, 0, *e.Final, e.FinalCost, e.Response.Ended)
		if err != nil {
			return err
		}
		if e.Final.Text+e.Final.Reasoning != "" {
			passage, err := passageOf(ctx, tx, id, n)
			if err != nil {
				return err
			}
			last[passage] = debate.Passage{Text: e.Final.Text, Reasoning: e.Final.Reasoning}
		}
	}
	ended, err := closeTurn(ctx, tx, id, e.Response, last)
	if err != nil {
		return err
	}
	return ended.addSearchText(ctx, tx)
}

// closeTurn stores a turn that has ended as one row, with what is known since it began, what
// was appended while it ran and more passages by their numbers. It ends its tool calls and
// completions, and returns the turn as it is stored.
func closeTurn(ctx context.Context, tx *sql.Tx, id int64, r debate.Response, more map[int]debate.Passage) (turn, error) {
	read, err := readTurns(ctx, tx, []int64{id}, []int64{}) // the results of its tools stay where they are
	if err != nil {
		return turn{}, err
	}
	t := *read[id]
	for n, p := range more {
		at := passageAt(&t.Response, n)
		at.Text, at.Reasoning = p.Text, p.Reasoning
	}
	if err := t.end(r); err != nil {
		return t, err
	}
	if err := settleTools(ctx, tx, id, t.Passages); err != nil {
		return t, err
	}
	if err := breakCalls(ctx, tx, t); err != nil {
		return t, err
	}
	body, said := t.pack()
	_, err = tx.ExecContext(ctx, `UPDATE turns SET state = ?, ended = ?, body = ?, said = ? WHERE id = ?`,
		t.State, timestamp(t.Ended), body, said, id)
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM passages WHERE turn = ?`, id)
	}
	return t, errors.Join(err, deleteJournal(ctx, tx, id))
}

// end adds what is known at the end of a turn to what was known when it began. What the end
// leaves out stays.
func (t *turn) end(r debate.Response) error {
	r.Passages = nil
	body := r.Statement.Body
	if r.Statement.Body = ""; r.State != debate.TurnDone {
		r.Statement, r.Side, body = debate.Statement{}, debate.Undecided, ""
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
func settleTools(ctx context.Context, tx *sql.Tx, id int64, passages []debate.Passage) error {
	for _, p := range passages {
		for _, t := range p.Tools {
			if t.State == debate.ToolDone {
				continue
			}
			if err := updateTool(ctx, tx, id, settled(t)); err != nil {
				return err
			}
		}
	}
	return nil
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
func insertSummary(ctx context.Context, tx *sql.Tx, t agents.Turn, d debate.StatementSummary) error {
	key := fmt.Sprintf("%s %s %d %s", d.Response, d.Hash, d.Version, d.Model)
	var known bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM documents WHERE session = ? AND kind = ? AND key = ?)`, t.Session,
		summaryDocument, key).Scan(&known)
	if err == nil && !known {
		_, err = insertDocument(ctx, tx, t.Session, summaryDocument, key, t.Round, d)
	}
	return err
}

// withdraw takes back the unanswered asks of earlier attempts of a turn and returns the
// requests that changed.
func (s *Store) withdraw(ctx context.Context, tx *sql.Tx, t agents.Turn) ([]ledger.Request, error) {
	l, err := loadLedger(ctx, tx, t.Session)
	if err != nil {
		return nil, err
	}
	events := l.Supersede(t)
	if l, err = appendEvents(ctx, tx, s.now(), t.Session, l, events); err != nil {
		return nil, err
	}
	var changed []ledger.Request
	for _, e := range events {
		r, ok := l.Find(e.Request)
		if ok && !slices.ContainsFunc(changed, func(q ledger.Request) bool { return q.ID == r.ID }) {
			changed = append(changed, r)
		}
	}
	return changed, nil
}

// SetDue records that turns of the newest round are due, in place of an earlier time
// for the same turns. A round that has ended is open again, and a verdict becomes
// superseded, to be written again without another round. For a turn of a chair or of the
// light model that waits only the time changes.
func (s *Store) SetDue(ctx context.Context, session string, turns ...debate.DueTurn) error {
	return s.write(ctx, "due", func(ctx context.Context, tx *sql.Tx) error {
		if len(turns) == 1 && turns[0].Turn.Step < 0 {
			return setWait(ctx, tx, turns[0])
		}
		for _, d := range turns {
			if err := mayBegin(ctx, tx, d.Turn); err != nil {
				return err
			}
			if err := insertDue(ctx, tx, d); err != nil {
				return err
			}
		}
		var newest int
		var concluded bool
		err := tx.QueryRowContext(ctx, `SELECT coalesce(max(number), 0), (SELECT concluded FROM sessions WHERE id = ?1) FROM rounds
			WHERE session = ?1`, session).Scan(&newest, &concluded)
		if err == nil && concluded {
			err = errors.Join(changeHead(ctx, tx, session, func(d *debate.Session) { d.Rounds = newest }), supersede(ctx, tx, session))
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE rounds SET ended = NULL WHERE session = ? AND number = ?`, session, newest)
		if err != nil {
			return err
		}
		return s.refresh(ctx, tx, session)
	})
}

// setWait stores when a turn that was cut off may begin again.
func setWait(ctx context.Context, tx *sql.Tx, d debate.DueTurn) error {
	t := d.Turn
	missing := fmt.Errorf("ask %s again: it was not cut off: %w", debate.TurnID(t), debate.ErrNotReady)
	return execOne(ctx, tx, missing, `UPDATE turns SET due = ? WHERE session = ? AND round = ? AND step = ? AND agent = ? AND attempt = ?
		AND state = 'interrupted'`, timestamp(d.At), t.Session, t.Round, t.Step, t.Agent, t.Attempt)
}

func insertDue(ctx context.Context, tx *sql.Tx, d debate.DueTurn) error {
	_, err := insertTurn(ctx, tx, turn{purpose: debate.ForMember, Response: debate.Response{Turn: d.Turn, State: turnDue, WaitUntil: d.At}})
	if err != nil {
		return fmt.Errorf("ask %s again: %w", debate.TurnID(d.Turn), err)
	}
	return nil
}

// writeTurn runs fn as write does, with the row id of a turn that is running.
func (s *Store) writeTurn(
	ctx context.Context, point string, t agents.Turn, fn func(ctx context.Context, tx *sql.Tx, turn int64) error,
) error {
	return s.write(ctx, point, func(ctx context.Context, tx *sql.Tx) error {
		id, err := runningTurn(ctx, tx, t)
		if err != nil {
			return err
		}
		return fn(ctx, tx, id)
	})
}

func runningTurn(ctx context.Context, tx *sql.Tx, t agents.Turn) (int64, error) {
	var id int64
	err := tx.QueryRowContext(ctx, `SELECT id FROM turns WHERE session = ? AND round = ? AND step = ? AND agent = ? AND attempt = ?
		AND state = 'running'`, t.Session, t.Round, t.Step, t.Agent, t.Attempt).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		if err = exists(ctx, tx, t.Session); err == nil {
			err = fmt.Errorf("%s of debate %s: %w", debate.TurnID(t), t.Session, errNotRunning)
		}
	}
	return id, err
}

// exists returns a *NoSessionError unless the session exists and is not deleted.
func exists(ctx context.Context, tx *sql.Tx, session string) error {
	var there bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ? AND deleted IS NULL)`, session).Scan(&there)
	if err == nil && !there {
		err = sessionNotFound(session)
	}
	return err
}
