package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// BeginTurn writes a turn's row. A member's turn has to be one of the session's
// newest round.
func (s *Store) BeginTurn(ctx context.Context, t debate.TurnStart) error {
	return s.write(ctx, "turn", func(ctx context.Context, tx *sql.Tx) error {
		if err := mayBegin(ctx, tx, t.Turn); err != nil {
			return err
		}
		k, at := t.Turn, t.At
		if at.IsZero() {
			at = s.now()
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO turns (session, round, step, agent, attempt, purpose, role, phase, snapshot, state, began, saw, fitting)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?)`,
			k.Session, k.Round, k.Step, k.Agent, k.Attempt, t.Purpose, t.Role, t.Phase, t.Snapshot, stamp(at), document{t.Saw}, document{t.Fitting})
		if err != nil {
			return fmt.Errorf("begin turn %s: %w", debate.TurnID(k), err)
		}
		return nil
	})
}

// mayBegin refuses a turn of a round that has not begun or is past.
func mayBegin(ctx context.Context, tx *sql.Tx, t agents.Turn) error {
	if t.Step == debate.VerdictStep {
		return nil
	}
	var newest int
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM rounds WHERE session = ?`, t.Session).Scan(&newest); err != nil {
		return err
	}
	if newest != t.Round || newest == 0 {
		return fmt.Errorf("begin turn %s of session %s, whose newest round is %d: %w", debate.TurnID(t), t.Session, newest, debate.ErrNotReady)
	}
	return nil
}

// runningTurn returns the row of a turn that has begun and not ended.
func runningTurn(ctx context.Context, tx *sql.Tx, t agents.Turn) (int64, error) {
	var id int64
	err := tx.QueryRowContext(ctx, `SELECT id FROM turns WHERE session = ? AND round = ? AND step = ? AND agent = ? AND attempt = ? AND state = 'running'`,
		t.Session, t.Round, t.Step, t.Agent, t.Attempt).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%s of session %s: %w", debate.TurnID(t), t.Session, errLate)
	}
	return id, err
}

// EndTurn writes the end of a turn: text, finish, usage and state together. A turn
// that is done takes back the unanswered asks of its earlier attempts; of any
// other the text that came is kept, as a part. It returns the requests that changed.
func (s *Store) EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error) {
	r := e.Response
	if r.Ended.IsZero() {
		r.Ended = s.now()
	}
	done := r.State == debate.TurnDone
	if done != (e.Final != nil) || !done && !r.Settled() && r.State != debate.TurnInterrupted {
		return nil, fmt.Errorf("end turn %s: state %q does not go with its last completion", r.ID(), r.State)
	}
	var changed []ledger.Request
	err := s.write(ctx, "turn-end", func(ctx context.Context, tx *sql.Tx) error {
		id, err := runningTurn(ctx, tx, r.Turn)
		if err != nil {
			return err
		}
		if done {
			err = s.finish(ctx, tx, id, e)
		} else {
			err = keepJournal(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		if err := closeTurn(ctx, tx, id, r); err != nil {
			return err
		}
		if e.Digest != nil {
			if err := keepDigest(ctx, tx, r.Turn, *e.Digest); err != nil {
				return err
			}
		}
		if done {
			if changed, err = s.withdraw(ctx, tx, r.Turn); err != nil {
				return err
			}
		}
		if err := s.touch(ctx, tx, r.Turn.Session); err != nil {
			return err
		}
		return refresh(ctx, tx, r.Turn.Session)
	})
	return changed, err
}

// keepDigest writes the summary that a turn was for, with the turn's end: once it
// is paid for it is there.
func keepDigest(ctx context.Context, tx *sql.Tx, t agents.Turn, d debate.StatementSummary) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO digests (session, response, hash, model, version, round, from_size, to_size, at, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, t.Session, d.Response, d.Hash, d.Model, d.Version, t.Round, d.From, d.To, stamp(d.At), d.Text)
	return err
}

// finish writes the last completion of a turn that is done.
func (s *Store) finish(ctx context.Context, tx *sql.Tx, id int64, e debate.TurnEnd) error {
	n, err := settleCall(ctx, tx, id, 0, *e.Final, e.FinalCost, e.Response.Ended)
	if err != nil {
		return err
	}
	if err := insertPassage(ctx, tx, id, n, *e.Final); err != nil {
		return err
	}
	if err := dropJournal(ctx, tx, id); err != nil || e.Response.Turn.Step < 0 {
		return err
	}
	t := e.Response.Turn
	return index(ctx, tx, entry{Session: t.Session, Kind: InStatement, Round: t.Round, Agent: t.Agent, Text: textOf(e)})
}

// textOf returns what a search finds a statement by.
func textOf(e debate.TurnEnd) string {
	st := e.Response.Statement
	switch {
	case st.Body == "":
		return e.Final.Text
	case st.Position == "":
		return st.Body
	default:
		return st.Position + "\n" + st.Body
	}
}

// closeTurn writes the state of a turn that has ended, and of the tools and
// completions that ended with it.
func closeTurn(ctx context.Context, tx *sql.Tx, id int64, r debate.Response) error {
	if err := settleTools(ctx, tx, id); err != nil {
		return err
	}
	broken := "broken"
	if r.State == debate.TurnInterrupted {
		broken = "interrupted"
	}
	if _, err := tx.ExecContext(ctx, `UPDATE calls SET state = ?, ended = ? WHERE turn = ? AND state = 'sent'`, broken, stamp(r.Ended), id); err != nil {
		return err
	}
	var statement *debate.Statement
	if r.State == debate.TurnDone {
		statement = &r.Statement
	}
	_, err := tx.ExecContext(ctx, `UPDATE turns SET state = ?, ended = ?, finish = ?, input = ?, output = ?, reasoning = ?, estimated = ?,
		cost = ?, sent = ?, estimate = ?, failure = ?, statement = ? WHERE id = ?`, r.State, stamp(r.Ended), r.Finish, r.Usage.Input, r.Usage.Output, r.Usage.Reasoning, r.Usage.Estimated,
		r.Cost, r.Sent, r.Estimate, document{r.Failure}, document{statement}, id)
	return err
}

// settleTools closes the tool calls of a turn that has ended: what was running may
// have had its effect, what was waiting had none.
func settleTools(ctx context.Context, tx *sql.Tx, turn int64) error {
	for _, left := range []struct {
		state debate.ToolState
		text  string
	}{{debate.ToolRunning, effectUnknown}, {debate.ToolPending, neverRan}} {
		_, err := tx.ExecContext(ctx, `UPDATE tool_calls SET state = ?, status = ?, summary = ?, result = ? WHERE turn = ? AND state = ?`,
			debate.ToolDone, agents.ToolAborted, left.text, left.text, turn, left.state)
		if err != nil {
			return err
		}
	}
	return nil
}

// What is said of tools whose turn ended before them.
const (
	effectUnknown = "interrupted, effect unknown"
	neverRan      = "not run: the turn ended before"
)

// withdraw takes back the unanswered asks of earlier attempts of a turn.
func (s *Store) withdraw(ctx context.Context, tx *sql.Tx, t agents.Turn) ([]ledger.Request, error) {
	l, err := ledgerOf(ctx, tx, t.Session)
	if err != nil {
		return nil, err
	}
	events := l.Supersede(t)
	l, err = s.append(ctx, tx, t.Session, l, events)
	return touched(l, events), err
}
