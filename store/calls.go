package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// call is a completion that was asked for. Its JSON is what is stored beside the columns.
type call struct {
	debate.Receipt
	Tries int    // how often it was sent: once more than its tries that are known to have failed
	Model string // that was asked

	id    int64
	waits bool // it is not under way, see RetryCall
}

const (
	callSent        = "sent"
	callDone        = "done"
	callBroken      = "broken"
	callInterrupted = "interrupted"
)

func callsOf(ctx context.Context, tx *sql.Tx, turn int64) ([]call, error) {
	return rowsOf(ctx, tx, func(row *sql.Rows) (c call, err error) {
		return c, row.Scan(&c.id, &c.N, &c.Purpose, &c.State, &c.waits, &c.Hash, jsonColumn{&c})
	}, `SELECT id, n, purpose, state, waits, hash, body FROM calls WHERE turn = ? ORDER BY n`, turn)
}

// changeCall changes the n-th call of a turn, which must be sent and not ended; otherwise it
// returns missing.
func changeCall(ctx context.Context, tx *sql.Tx, turn int64, n int, missing error, change func(*call) error) error {
	var c call
	err := tx.QueryRowContext(ctx, `SELECT id, state, waits, body FROM calls WHERE turn = ?1
		AND n = ?2 AND state = ?3`, turn, n, callSent).
		Scan(&c.id, &c.State, &c.waits, jsonColumn{&c})
	if errors.Is(err, sql.ErrNoRows) {
		return missing
	}
	if err == nil {
		err = change(&c)
	}
	if err == nil {
		err = updateCall(ctx, tx, c)
	}
	return err
}

func updateCall(ctx context.Context, tx *sql.Tx, c call) error {
	_, err := tx.ExecContext(ctx, `UPDATE calls SET state = ?, waits = ?, cost = ?, tokens = ?, body = ? WHERE id = ?`,
		c.State, c.waits, c.Cost, c.Usage.Total(), jsonColumn{c}, c.id)
	return err
}

// breakCalls ends the calls of a turn that has ended.
func breakCalls(ctx context.Context, tx *sql.Tx, t turn) error {
	calls, err := callsOf(ctx, tx, t.id)
	for _, c := range calls {
		if c.State != callSent {
			continue
		}
		if c.State = callBroken; t.State == debate.TurnInterrupted {
			c.State = callInterrupted
		}
		c.Ended = t.Ended
		err = errors.Join(err, updateCall(ctx, tx, c))
	}
	return err
}

// RetryCall records that a request is not under way: it waits before it is sent again, or sent
// at all.
func (s *Store) RetryCall(ctx context.Context, t agents.Turn, n int, r debate.CallRetry) error {
	return s.writeTurn(ctx, "call-retry", t, func(ctx context.Context, tx *sql.Tx, id int64) error {
		missing := fmt.Errorf("request %d of %s was not sent: %w", n, debate.TurnID(t), errNotRunning)
		err := changeCall(ctx, tx, id, n, missing, func(c *call) error {
			c.Tries, c.waits, c.Usage, c.Cost = r.Tries, true, r.Lost, r.Cost
			return nil
		})
		if err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, `UPDATE turns SET due = ? WHERE id = ?`, timestamp(r.Until), id); err != nil {
			return err
		}
		return refreshSummary(ctx, tx, t.Session)
	})
}

// ResendCall records that a request whose last try was recorded by RetryCall is sent again.
func (s *Store) ResendCall(ctx context.Context, t agents.Turn, n int) error {
	return s.writeTurn(ctx, "call-resend", t, func(ctx context.Context, tx *sql.Tx, id int64) error {
		missing := fmt.Errorf("request %d of %s does not wait: %w", n, debate.TurnID(t), errNotRunning)
		return changeCall(ctx, tx, id, n, missing, func(c *call) error {
			if !c.waits {
				return missing
			}
			c.Tries, c.waits = c.Tries+1, false
			return nil
		})
	})
}

// EndCall records a completion that does not end its turn: its text, if any, and its tool
// calls as pending, before any of them runs. The journal of the completion is deleted.
func (s *Store) EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []debate.ToolRecord, cost *float64) error {
	return s.writeTurn(ctx, "call-end", t, func(ctx context.Context, tx *sql.Tx, id int64) error {
		if _, err := finishCall(ctx, tx, id, n, c, cost, s.now()); err != nil {
			return err
		}
		passage, err := passageOf(ctx, tx, id, n)
		if err != nil {
			return err
		}
		if c.Text != "" || c.Reasoning != "" || len(tools) > 0 {
			if err := insertPassage(ctx, tx, id, passage, debate.Passage{Text: c.Text, Reasoning: c.Reasoning}); err != nil {
				return err
			}
		}
		for _, tool := range tools {
			tool.State = debate.ToolPending
			if err := insertTool(ctx, tx, id, passage, tool); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM partials WHERE turn = ? AND passage = ?`, id, passage); err != nil {
			return err
		}
		return refreshSummary(ctx, tx, t.Session)
	})
}

// BreakCall records a completion that failed or was cancelled, with what it used.
// The journal of the completion is kept.
func (s *Store) BreakCall(ctx context.Context, t agents.Turn, n int, f *agents.Failure, u agents.Usage, cost *float64) error {
	why := &debate.TurnFailure{Kind: agents.KindInternal}
	if f != nil {
		why = &debate.TurnFailure{Kind: f.Kind, Cause: f.Cause, Remedy: f.Remedy, Tries: f.Tries}
	}
	return s.writeTurn(ctx, "call-break", t, func(ctx context.Context, tx *sql.Tx, id int64) error {
		missing := fmt.Errorf("request %d of %s was not sent: %w", n, debate.TurnID(t), errNotRunning)
		err := changeCall(ctx, tx, id, n, missing, func(c *call) error {
			if c.State = callBroken; why.Kind == agents.KindInterrupted {
				c.State = callInterrupted
			}
			c.Ended, c.Failure, c.Usage, c.Cost = s.now(), why, u, cost
			return nil
		})
		if err != nil {
			return err
		}
		return refreshSummary(ctx, tx, t.Session)
	})
}

// finishCall records the result of the n-th completion of a turn, or of the last one
// if n is 0, and returns its number.
func finishCall(ctx context.Context, tx *sql.Tx, turn int64, n int, c agents.Completion, cost *float64, at time.Time) (int, error) {
	if n == 0 {
		err := tx.QueryRowContext(ctx, `SELECT coalesce(max(n), 0) FROM calls WHERE turn = ?`, turn).Scan(&n)
		if err != nil {
			return 0, err
		}
	}
	missing := fmt.Errorf("completion %d was not asked for: %w", n, errNotRunning)
	return n, changeCall(ctx, tx, turn, n, missing, func(known *call) error {
		known.State, known.Ended, known.Finish, known.Usage, known.Cost, known.Patched = callDone, at, c.Finish, c.Usage, cost, c.Patched
		return nil
	})
}

// passageOf returns the number of the passage for the text of the n-th completion of a turn,
// or for what is left of that text after tool calls in the middle of it.
func passageOf(ctx context.Context, tx *sql.Tx, turn int64, n int) (passage int, err error) {
	err = tx.QueryRowContext(ctx, `SELECT max(?, coalesce((SELECT max(n) + 1 FROM passages WHERE turn = ?), 0))`, n-1, turn).Scan(&passage)
	return passage, err
}

func insertPassage(ctx context.Context, tx *sql.Tx, turn int64, n int, p debate.Passage) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO passages (turn, n, text, reasoning) VALUES (?, ?, ?, ?)`, turn, n, p.Text, p.Reasoning)
	return err
}

// receipts selects the columns that scanReceipt reads, of the calls of a session.
const receipts = `SELECT t.round, t.step, t.agent, t.attempt, coalesce(t.body ->> '$.PromptVersion', 0),
		c.id, c.n, (SELECT count(*) FROM calls o WHERE o.turn = t.id), c.purpose, c.state, c.hash, c.body
	FROM turns t JOIN calls c ON c.turn = t.id WHERE t.session = ?`

func scanReceipt(row interface{ Scan(...any) error }, session string) (c call, err error) {
	err = row.Scan(&c.Turn.Round, &c.Turn.Step, &c.Turn.Agent, &c.Turn.Attempt, &c.PromptVersion, &c.id, &c.N, &c.Of, &c.Purpose, &c.State,
		&c.Hash, jsonColumn{&c})
	c.Turn.Session = session
	return c, err
}

// Receipts lists all requests of a session in the order in which they were sent. It
// does not verify their hashes.
func (s *Store) Receipts(ctx context.Context, session string) ([]debate.Receipt, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) ([]debate.Receipt, error) {
		id, err := resolve(ctx, tx, session)
		if err != nil {
			return nil, err
		}
		return rowsOf(ctx, tx, func(row *sql.Rows) (debate.Receipt, error) {
			c, err := scanReceipt(row, id)
			return c.Receipt, err
		}, receipts+` ORDER BY c.id`, id)
	})
}

// Journal appends pieces of text to the completions under way.
func (s *Store) Journal(ctx context.Context, parts []debate.PartialText) error {
	return s.write(ctx, "journal", func(ctx context.Context, tx *sql.Tx) error {
		ids := map[agents.Turn]int64{}
		at := timestamp(s.now())
		for _, p := range parts {
			id, known := ids[p.Turn]
			if !known {
				var err error
				if id, err = runningTurn(ctx, tx, p.Turn); err != nil {
					return err
				}
				ids[p.Turn] = id
			}
			if p.Moves {
				_, err := tx.ExecContext(ctx, `UPDATE partials SET reasoning = 1 WHERE turn = ? AND passage = ?`, id, p.Passage)
				if err != nil {
					return err
				}
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO partials (turn, passage, reasoning, at, text) VALUES (?, ?, ?, ?, ?)`, id, p.Passage,
				p.Reasoning, at, p.Text)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

type journaledText struct {
	turn            int64
	n               int // of the passage
	text, reasoning strings.Builder
}

func (j *journaledText) passage() debate.Passage {
	return debate.Passage{Text: j.text.String(), Reasoning: j.reasoning.String()}
}

// loadJournal returns the journals of turns, each joined in the order in which it was
// written.
func loadJournal(ctx context.Context, tx *sql.Tx, turns ...int64) ([]*journaledText, error) {
	var out []*journaledText
	err := forEach(ctx, tx, func(row *sql.Rows) error {
		var turn int64
		var n int
		var reasoning bool
		var text string
		if err := row.Scan(&turn, &n, &reasoning, &text); err != nil {
			return err
		}
		i := slices.IndexFunc(out, func(j *journaledText) bool { return j.turn == turn && j.n == n })
		if i < 0 {
			i = len(out)
			out = append(out, &journaledText{turn: turn, n: n})
		}
		if reasoning {
			out[i].reasoning.WriteString(text)
		} else {
			out[i].text.WriteString(text)
		}
		return nil
	}, `SELECT turn, passage, reasoning, text FROM partials WHERE turn IN (SELECT value FROM json_each(?)) AND passage < 1000
		ORDER BY id`, jsonColumn{turns})
	return out, err
}

func deleteJournal(ctx context.Context, tx *sql.Tx, turn int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM partials WHERE turn = ?`, turn)
	return err
}
