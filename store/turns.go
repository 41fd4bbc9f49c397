package store

import (
	"context"
	"database/sql"
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
		if t.At.IsZero() {
			t.At = s.now()
		}
		id, err := insertTurn(ctx, tx, t.Purpose, debate.Response{
			Turn: t.Turn, State: debate.TurnRunning, Role: t.Role, Phase: t.Phase, Began: t.At, SnapshotHash: t.SnapshotHash,
			SeenResponses: t.SeenResponses, ContextFit: t.ContextFit, PromptVersion: t.PromptVersion,
		})
		if err == nil && t.Turn.Step == debate.FollowUpStep {
			err = insertQuestion(ctx, tx, id, t.Turn.Session, t.Question)
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
	err := tx.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM rounds WHERE session = ?`, t.Session).Scan(&newest)
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

// insertTurn inserts the row of an attempt, in place of one that says it is due, and
// returns its id. Passages are not stored. An earlier attempt with the same number is
// errAttemptExists.
func insertTurn(ctx context.Context, tx *sql.Tx, purpose debate.Purpose, r debate.Response) (int64, error) {
	var statement *debate.Statement
	if r.State == debate.TurnDone {
		statement = &r.Statement
	}
	var id int64
	err := tx.QueryRowContext(ctx, `INSERT INTO turns (session, round, step, agent, attempt, purpose, role, phase, snapshot, state,
		began, ended, due, finish, input, output, reasoning, cached, estimated, cost, sent, saw, fitting, prompts, failure, statement,
		side, inherited) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (session, round, step, agent, attempt) DO UPDATE SET purpose = excluded.purpose, role = excluded.role,
			phase = excluded.phase, snapshot = excluded.snapshot, state = excluded.state, began = excluded.began, ended = excluded.ended,
			saw = excluded.saw, fitting = excluded.fitting, prompts = excluded.prompts, failure = excluded.failure, due = excluded.due
			WHERE state = 'due'
		RETURNING id`,
		r.Turn.Session, r.Turn.Round, r.Turn.Step, r.Turn.Agent, r.Turn.Attempt, purpose, r.Role, r.Phase, r.SnapshotHash, r.State,
		timestamp(r.Began), timestamp(r.Ended), timestamp(r.WaitUntil), r.Finish, r.Usage.Input, r.Usage.Output, r.Usage.Reasoning,
		r.Usage.Cached, r.Usage.Estimated, r.Cost, r.Calls, jsonColumn{r.SeenResponses}, jsonColumn{r.ContextFit}, r.PromptVersion,
		jsonColumn{r.Failure}, jsonColumn{statement}, r.Side, r.Inherited).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = errAttemptExists
	}
	return id, err
}

// insertQuestion stores the question of a follow-up and makes it searchable.
func insertQuestion(ctx context.Context, tx *sql.Tx, turn int64, session, question string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO followups (turn, question) VALUES (?, ?)`, turn, question)
	if err != nil {
		return err
	}
	return addSearchText(ctx, tx, searchText{Session: session, Kind: debate.InFollowUp, Text: question})
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
			err = flushJournal(ctx, tx, id)
		}
		if err != nil {
			return nil, err
		}
		if err := closeTurn(ctx, tx, id, r); err != nil {
			return nil, err
		}
		if e.Summary != nil {
			if err := insertDigest(ctx, tx, r.Turn, *e.Summary); err != nil {
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

// insertSkipped stores a turn that the user cancelled before it began.
func insertSkipped(ctx context.Context, tx *sql.Tx, r debate.Response) error {
	if err := mayBegin(ctx, tx, r.Turn); err != nil {
		return err
	}
	_, err := insertTurn(ctx, tx, debate.ForMember, debate.Response{
		Turn: r.Turn, State: r.State, Role: r.Role, Phase: r.Phase, Ended: r.Ended, Failure: r.Failure,
	})
	if err != nil {
		return fmt.Errorf("skip %s: %w", r.ID(), err)
	}
	return nil
}

// finishTurn stores the last completion of a turn that is done, unless it is stored.
func finishTurn(ctx context.Context, tx *sql.Tx, id int64, e debate.TurnEnd) error {
	t := e.Response.Turn
	if e.Final == nil {
		if err := requireCompletion(ctx, tx, id, t); err != nil {
			return err
		}
	} else {
		n, err := finishCall(ctx, tx, id, 0, *e.Final, e.FinalCost, e.Response.Ended)
		if err != nil {
			return err
		}
		if e.Final.Text+e.Final.Reasoning != "" {
			passage, err := passageOf(ctx, tx, id, n)
			if err != nil {
				return err
			}
			err = insertPassage(ctx, tx, id, passage, false, debate.Passage{Text: e.Final.Text, Reasoning: e.Final.Reasoning})
			if err != nil {
				return err
			}
		}
	}
	if err := deleteJournal(ctx, tx, id); err != nil {
		return err
	}
	found := searchText{Session: t.Session, Kind: debate.InStatement, Round: t.Round, Agent: t.Agent, Text: searchableText(e)}
	switch {
	case t.Step == debate.FollowUpStep:
		found.Kind, found.Round = debate.InFollowUp, 0
	case t.Step < 0: // of an auxiliary turn
		return nil
	}
	return addSearchText(ctx, tx, found)
}

func requireCompletion(ctx context.Context, tx *sql.Tx, id int64, t agents.Turn) error {
	var done int
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM calls WHERE turn = ? AND state = 'done'`, id).Scan(&done)
	if err == nil && done == 0 {
		err = fmt.Errorf("end turn %s: it has no completion: %w", debate.TurnID(t), errNotRunning)
	}
	return err
}

// searchableText returns the text by which a search finds a statement.
func searchableText(e debate.TurnEnd) string {
	st := e.Response.Statement
	switch {
	case st.Body == "" && e.Final != nil:
		return e.Final.Text
	case st.Position == "":
		return st.Body
	default:
		return st.Position + "\n" + st.Body
	}
}

// closeTurn stores the state of a turn that has ended, and ends its tool calls and
// completions.
func closeTurn(ctx context.Context, tx *sql.Tx, id int64, r debate.Response) error {
	if err := settleTools(ctx, tx, id); err != nil {
		return err
	}
	broken := "broken"
	if r.State == debate.TurnInterrupted {
		broken = "interrupted"
	}
	if _, err := tx.ExecContext(ctx, `UPDATE calls SET state = ?, ended = ? WHERE turn = ? AND state = 'sent'`, broken,
		timestamp(r.Ended), id); err != nil {
		return err
	}
	var statement *debate.Statement
	side := debate.Undecided
	if r.State == debate.TurnDone {
		statement, side = &r.Statement, r.Side
	}
	_, err := tx.ExecContext(ctx, `UPDATE turns SET state = ?, ended = ?, finish = ?, input = ?, output = ?, reasoning = ?, cached = ?,
		estimated = ?, cost = ?, sent = ?, failure = ?, statement = ?,
		side = ? WHERE id = ?`,
		r.State, timestamp(r.Ended), r.Finish, r.Usage.Input, r.Usage.Output, r.Usage.Reasoning, r.Usage.Cached,
		r.Usage.Estimated, r.Cost, r.Calls, jsonColumn{r.Failure}, jsonColumn{statement}, side, id)
	return err
}

// The results of tool calls that a turn did not wait for.
const (
	toolEffectUnknown = "interrupted, effect unknown"
	toolNotRun        = "not run: the turn ended first"
)

// settleTools ends the tool calls of a turn that has ended. A running tool may have
// had its effect, a pending one had none.
func settleTools(ctx context.Context, tx *sql.Tx, turn int64) error {
	for _, left := range []struct {
		state debate.ToolState
		text  string
	}{{debate.ToolRunning, toolEffectUnknown}, {debate.ToolPending, toolNotRun}} {
		_, err := tx.ExecContext(ctx, `UPDATE tool_calls SET state = ?, status = ?, summary = ?, result = ? WHERE turn = ? AND state = ?`,
			debate.ToolDone, agents.ToolAborted, left.text, left.text, turn, left.state)
		if err != nil {
			return err
		}
	}
	return nil
}

// insertDigest stores the summary that a turn of the light model made.
func insertDigest(ctx context.Context, tx *sql.Tx, t agents.Turn, d debate.StatementSummary) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO digests (session, response, hash, model, version, round, from_size, to_size, at, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		t.Session, d.Response, d.Hash, d.Model, d.Version, t.Round, d.OriginalLength, d.Length, timestamp(d.At), d.Text)
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
		var concluded bool
		err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM verdicts WHERE session = ? AND superseded IS NULL)`,
			session).Scan(&concluded)
		if err != nil {
			return err
		}
		const newest = `(SELECT max(number) FROM rounds WHERE session = ?1)`
		if concluded {
			_, err = tx.ExecContext(ctx, `UPDATE sessions SET rounds = `+newest+` WHERE id = ?1`, session)
			if err = errors.Join(err, supersede(ctx, tx, session, s.now())); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `UPDATE rounds SET ended = NULL WHERE session = ?1 AND number = `+newest, session); err != nil {
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
	_, err := insertTurn(ctx, tx, debate.ForMember, debate.Response{Turn: d.Turn, State: turnDue, WaitUntil: d.At})
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

// runningTurn returns the row id of a turn that is running.
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
