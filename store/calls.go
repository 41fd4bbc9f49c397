package store

import (
	"context"
	"database/sql"
	"fmt"
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
	turn  int64
	waits bool // it is not under way, see RetryCall
}

const (
	callSent        = "sent"
	callDone        = "done"
	callBroken      = "broken"
	callInterrupted = "interrupted"
)

const callRows = `SELECT t.session, t.round, t.step, t.agent, t.attempt, coalesce(t.body ->> '$.PromptVersion', 0),
		c.id, c.turn, c.n, (SELECT count(*) FROM calls o WHERE o.turn = t.id), c.purpose, c.state, c.waits, c.hash, c.body
	FROM turns t JOIN calls c ON c.turn = t.id WHERE `

func scanCall(row *sql.Rows) (c call, err error) {
	err = row.Scan(&c.Turn.Session, &c.Turn.Round, &c.Turn.Step, &c.Turn.Agent, &c.Turn.Attempt, &c.PromptVersion,
		&c.id, &c.turn, &c.N, &c.Of, &c.Purpose, &c.State, &c.waits, &c.Hash, jsonColumn{&c})
	return c, err
}

func callsOf(tx *transaction, turn int64) []call {
	return rowsOf(tx, scanCall, callRows+`c.turn = ? ORDER BY c.n`, turn)
}

// changeCall changes the n-th call of a turn, which must be sent and not ended.
func changeCall(tx *transaction, turn int64, n int, change func(*call)) {
	c := one(tx, scanCall, callRows+`c.turn = ? AND c.n = ? AND c.state = ?`, turn, n, callSent)
	if c.id == 0 {
		tx.failed(fmt.Errorf("request %d is not under way: %w", n, errNotRunning))
	}
	change(&c)
	updateCall(tx, c)
}

func updateCall(tx *transaction, c call) {
	tx.exec(`UPDATE calls SET state = ?, waits = ?, cost = ?, tokens = ?, body = ? WHERE id = ?`,
		c.State, c.waits, c.Cost, c.Usage.Total(), jsonColumn{c}, c.id)
}

func breakCalls(tx *transaction, t turn) {
	for _, c := range callsOf(tx, t.id) {
		if c.State != callSent {
			continue
		}
		if c.State = callBroken; t.State == debate.TurnInterrupted {
			c.State = callInterrupted
		}
		c.Ended = t.Ended
		updateCall(tx, c)
	}
}

// writeCall changes the n-th call of a turn that is running, and what the session has cost.
func (s *Store) writeCall(ctx context.Context, point string, t agents.Turn, n int, change func(*call)) error {
	return s.writeTurn(ctx, point, t, func(tx *transaction, id int64) {
		changeCall(tx, id, n, change)
		refreshSummary(tx, t.Session)
	})
}

// RetryCall records that a request is not under way: it waits before it is sent again, or sent
// at all.
func (s *Store) RetryCall(ctx context.Context, t agents.Turn, n int, r debate.CallRetry) error {
	return s.writeTurn(ctx, "call-retry", t, func(tx *transaction, id int64) {
		changeCall(tx, id, n, func(c *call) { c.Tries, c.waits, c.Usage, c.Cost = r.Tries, true, r.Lost, r.Cost })
		tx.exec(`UPDATE turns SET due = ? WHERE id = ?`, timestamp(r.Until), id)
		refreshSummary(tx, t.Session)
	})
}

// ResendCall records that a request whose last try was recorded by RetryCall is sent again.
func (s *Store) ResendCall(ctx context.Context, t agents.Turn, n int) error {
	return s.writeCall(ctx, "call-resend", t, n, func(c *call) {
		if c.waits {
			c.Tries, c.waits = c.Tries+1, false
		}
	})
}

// EndCall records a completion that does not end its turn: its text, if any, and its tool
// calls as pending, before any of them runs. The journal of the completion is deleted.
func (s *Store) EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []debate.ToolRecord, cost *float64) error {
	return s.writeTurn(ctx, "call-end", t, func(tx *transaction, id int64) {
		finishCall(tx, id, n, c, cost, s.now())
		passage := passageOf(tx, id, n)
		if c.Text != "" || c.Reasoning != "" || len(tools) > 0 {
			insertPassage(tx, id, passage, debate.Passage{Text: c.Text, Reasoning: c.Reasoning})
		}
		for _, tool := range tools {
			insertTool(tx, id, passage, tool)
		}
		tx.exec(`DELETE FROM partials WHERE turn = ? AND passage = ?`, id, passage)
		refreshSummary(tx, t.Session)
	})
}

// BreakCall records a completion that failed or was cancelled, with what it used.
// The journal of the completion is kept.
func (s *Store) BreakCall(ctx context.Context, t agents.Turn, n int, f *agents.Failure, u agents.Usage, cost *float64) error {
	why := &debate.TurnFailure{Kind: agents.KindInternal}
	if f != nil {
		why = &debate.TurnFailure{Kind: f.Kind, Cause: f.Cause, Remedy: f.Remedy, Tries: f.Tries}
	}
	return s.writeCall(ctx, "call-break", t, n, func(c *call) {
		if c.State = callBroken; why.Kind == agents.KindInterrupted {
			c.State = callInterrupted
		}
		c.Ended, c.Failure, c.Usage, c.Cost = s.now(), why, u, cost
	})
}

// finishCall records the result of the n-th completion of a turn, or of the last one
// if n is 0, and returns its number.
func finishCall(tx *transaction, turn int64, n int, c agents.Completion, cost *float64, at time.Time) int {
	if n == 0 {
		n = one(tx, column[int], `SELECT coalesce(max(n), 0) FROM calls WHERE turn = ?`, turn)
	}
	changeCall(tx, turn, n, func(known *call) {
		known.State, known.Ended, known.Finish, known.Usage, known.Cost, known.Patched = callDone, at, c.Finish, c.Usage, cost, c.Patched
	})
	return n
}

// passageOf returns the number of the passage for the text of the n-th completion of a turn,
// or for what is left of that text after tool calls in the middle of it.
func passageOf(tx *transaction, turn int64, n int) int {
	return one(tx, column[int], `SELECT max(?, coalesce((SELECT max(n) + 1 FROM passages WHERE turn = ?), 0))`, n-1, turn)
}

// insertPassage stores the text of a passage, unless it is stored.
func insertPassage(tx *transaction, turn int64, n int, p debate.Passage) {
	tx.exec(`INSERT INTO passages (turn, n, text, reasoning) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, turn, n, p.Text, p.Reasoning)
}

// Receipts lists all requests of a session in the order in which they were sent. It
// does not verify their hashes.
func (s *Store) Receipts(ctx context.Context, session string) ([]debate.Receipt, error) {
	return view(ctx, s, func(tx *transaction) (out []debate.Receipt) {
		for _, c := range rowsOf(tx, scanCall, callRows+`t.session = ? ORDER BY c.id`, resolve(tx, session)) {
			out = append(out, c.Receipt)
		}
		return out
	})
}

// Journal appends pieces of text to the completions under way.
func (s *Store) Journal(ctx context.Context, parts []debate.Text) error {
	return s.write(ctx, "journal", func(tx *transaction) {
		at := timestamp(s.now())
		for _, p := range parts {
			id := mustRun(tx, p.Turn, runningTurn(tx, p.Turn))
			if p.Moves {
				tx.exec(`UPDATE partials SET reasoning = 1 WHERE turn = ? AND passage = ?`, id, p.Passage)
			}
			tx.exec(`INSERT INTO partials (turn, passage, reasoning, at, text) VALUES (?, ?, ?, ?, ?)`,
				id, p.Passage, p.Reasoning, at, p.Text)
		}
	})
}

// journal selects the text that is still being written of turns ?1, joined in the order in which
// it came.
const journal = `SELECT turn, passage, coalesce(group_concat(text, '' ORDER BY id) FILTER (WHERE NOT reasoning), ''),
		coalesce(group_concat(text, '' ORDER BY id) FILTER (WHERE reasoning), '')
	FROM partials WHERE turn IN (SELECT value FROM json_each(?1)) AND passage < 1000 GROUP BY turn, passage`

type passageRow struct {
	debate.Passage
	turn int64
	n    int
}

func scanPassage(row *sql.Rows) (p passageRow, err error) {
	err = row.Scan(&p.turn, &p.n, &p.Text, &p.Reasoning)
	return p, err
}
