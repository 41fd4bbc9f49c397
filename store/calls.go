package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// RetryCall records that a request is not under way: it waits before it is sent again, or sent
// at all.
func (s *Store) RetryCall(ctx context.Context, t agents.Turn, n int, r debate.CallRetry) error {
	return s.writeTurn(ctx, "call-retry", t, func(ctx context.Context, tx *sql.Tx, id int64) error {
		missing := fmt.Errorf("request %d of %s was not sent: %w", n, debate.TurnID(t), errNotRunning)
		err := execOne(ctx, tx, missing, `UPDATE calls SET tries = ?, waits = 1, input = ?, output = ?, reasoning = ?,
			estimated = ?, cost = ? WHERE turn = ? AND n = ? AND state = 'sent'`,
			r.Tries, r.Lost.Input, r.Lost.Output, r.Lost.Reasoning, r.Lost.Estimated, r.Cost, id, n)
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
		return execOne(ctx, tx, missing, `UPDATE calls SET tries = tries + 1, waits = 0
			WHERE turn = ? AND n = ? AND state = 'sent' AND waits`, id, n)
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
			if err := insertPassage(ctx, tx, id, passage, false, debate.Passage{Text: c.Text, Reasoning: c.Reasoning}); err != nil {
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
	state := "broken"
	why := &debate.TurnFailure{Kind: agents.KindInternal}
	if f != nil {
		why = &debate.TurnFailure{Kind: f.Kind, Cause: f.Cause, Remedy: f.Remedy, Tries: f.Tries}
	}
	if why.Kind == agents.KindInterrupted {
		state = "interrupted"
	}
	return s.writeTurn(ctx, "call-break", t, func(ctx context.Context, tx *sql.Tx, id int64) error {
		missing := fmt.Errorf("request %d of %s was not sent: %w", n, debate.TurnID(t), errNotRunning)
		err := execOne(ctx, tx, missing, `UPDATE calls SET state = ?, ended = ?, failure = ?, input = ?, output = ?, reasoning = ?,
			cached = ?, estimated = ?, cost = ?
			WHERE turn = ? AND n = ? AND state = 'sent'`, state, timestamp(s.now()), jsonColumn{why}, u.Input, u.Output, u.Reasoning,
			u.Cached, u.Estimated, cost, id, n)
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
	return n, execOne(ctx, tx, missing, `UPDATE calls SET state = 'done', ended = ?, finish = ?, input = ?, output = ?, reasoning = ?,
		cached = ?, estimated = ?, cost = ?, patched = ?
		WHERE turn = ? AND n = ? AND state = 'sent'`, timestamp(at), c.Finish, c.Usage.Input, c.Usage.Output, c.Usage.Reasoning,
		c.Usage.Cached, c.Usage.Estimated, cost, patchedColumn(c), turn, n)
}

// patchedColumn returns what the provider changed in the request, or NULL if it did
// not report that.
func patchedColumn(c agents.Completion) any {
	if c.Patched == nil {
		return nil
	}
	return jsonColumn{c.Patched}
}

// passageOf returns the number of the passage for the text of the n-th completion of a turn,
// or for what is left of that text after tool calls in the middle of it.
func passageOf(ctx context.Context, tx *sql.Tx, turn int64, n int) (passage int, err error) {
	err = tx.QueryRowContext(ctx, `SELECT max(?, coalesce((SELECT max(n) + 1 FROM passages WHERE turn = ?), 0))`, n-1, turn).Scan(&passage)
	return passage, err
}

// insertPassage stores the texts of a passage. Partial says that its completion was cut off.
func insertPassage(ctx context.Context, tx *sql.Tx, turn int64, n int, partial bool, p debate.Passage) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO passages (turn, n, partial, text, reasoning) VALUES (?, ?, ?, ?, ?)`,
		turn, n, partial, p.Text, p.Reasoning)
	return err
}

// receipts selects the columns that scanReceipt reads.
const receipts = `SELECT t.round, t.step, t.agent, t.attempt, c.n, (SELECT count(*) FROM calls o
	WHERE o.turn = t.id), c.hash, c.purpose, c.state, c.estimate, t.prompts,
	c.patched, c.finish, c.input, c.output, c.reasoning, c.cached, c.estimated, c.cost, c.failure, c.began, c.ended`

func scanReceipt(row interface{ Scan(...any) error }, session string, more ...any) (debate.Receipt, error) {
	r := debate.Receipt{Turn: agents.Turn{Session: session}}
	patched, failure, sent, ended := jsonColumn{&r.Patched}, jsonColumn{&r.Failure}, timeColumn{&r.Sent}, timeColumn{&r.Ended}
	err := row.Scan(append([]any{
		&r.Turn.Round, &r.Turn.Step, &r.Turn.Agent, &r.Turn.Attempt, &r.N, &r.Of, &r.Hash, &r.Purpose, &r.State, &r.Estimate,
		&r.PromptVersion, patched, &r.Finish, &r.Usage.Input, &r.Usage.Output, &r.Usage.Reasoning, &r.Usage.Cached,
		&r.Usage.Estimated, &r.Cost, failure, sent, ended,
	}, more...)...)
	return r, err
}

// Receipts lists all requests of a session in the order in which they were sent. It
// does not verify their hashes.
func (s *Store) Receipts(ctx context.Context, session string) ([]debate.Receipt, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) ([]debate.Receipt, error) {
		id, err := resolve(ctx, tx, session)
		if err != nil {
			return nil, err
		}
		return rowsOf(ctx, tx, func(row *sql.Rows) (debate.Receipt, error) { return scanReceipt(row, id) },
			receipts+` FROM turns t JOIN calls c ON c.turn = t.id WHERE t.session = ? ORDER BY c.id`, id)
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

// journaledText is the journal of one completion.
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

// flushJournal turns the journal of a turn that ends early into its last passage.
func flushJournal(ctx context.Context, tx *sql.Tx, turn int64) error {
	journals, err := loadJournal(ctx, tx, turn)
	if err != nil {
		return err
	}
	for _, j := range journals {
		if err := insertPassage(ctx, tx, turn, j.n, true, j.passage()); err != nil {
			return err
		}
	}
	return deleteJournal(ctx, tx, turn)
}

func deleteJournal(ctx context.Context, tx *sql.Tx, turn int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM partials WHERE turn = ?`, turn)
	return err
}
