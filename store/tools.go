package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// AddTool records a tool call in the middle of an answer as pending. The text of the passage
// before it is stored with the first of its calls, in place of the journal.
func (s *Store) AddTool(ctx context.Context, t agents.Turn, passage int, text debate.Passage, tool debate.ToolRecord) error {
	return s.writeTurn(ctx, "tool-add", t, func(ctx context.Context, tx *sql.Tx, turn int64) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO passages (turn, n, text, reasoning) VALUES (?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, turn, passage, text.Text, text.Reasoning)
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM partials WHERE turn = ? AND passage = ?`, turn, passage)
		}
		if err != nil {
			return err
		}
		tool.State = debate.ToolPending
		return insertTool(ctx, tx, turn, passage, tool)
	})
}

// insertTool stores a tool call after the others of its passage.
func insertTool(ctx context.Context, tx *sql.Tx, turn int64, passage int, t debate.ToolRecord) error {
	result := t.Result.Text
	t.Result.Text = ""
	_, err := tx.ExecContext(ctx, `INSERT INTO tool_calls (turn, passage, place, id, body, result)
		VALUES (?1, ?2, (SELECT count(*) FROM tool_calls WHERE turn = ?1 AND passage = ?2), ?, ?, ?)`,
		turn, passage, t.ID, jsonColumn{t}, result)
	if err != nil {
		return fmt.Errorf("write tool call %s: %w", t.ID, err)
	}
	return nil
}

func updateTool(ctx context.Context, tx *sql.Tx, turn int64, t debate.ToolRecord) error {
	result := t.Result.Text
	t.Result.Text = ""
	_, err := tx.ExecContext(ctx, `UPDATE tool_calls SET body = ?, result = ? WHERE turn = ? AND id = ?`, jsonColumn{t}, result, turn, t.ID)
	return err
}

// loadTool returns a tool call in a state, without the text of its result, or missing if there
// is none.
func loadTool(
	ctx context.Context, tx *sql.Tx, turn int64, id string, state debate.ToolState, missing error,
) (t debate.ToolRecord, err error) {
	err = tx.QueryRowContext(ctx, `SELECT body FROM tool_calls WHERE turn = ? AND id = ?`, turn, id).Scan(jsonColumn{&t})
	if errors.Is(err, sql.ErrNoRows) || err == nil && t.State != state {
		err = missing
	}
	return t, err
}

// StartTool records that a tool call is running, before it has an effect.
func (s *Store) StartTool(ctx context.Context, t agents.Turn, id string, at time.Time) error {
	return s.writeTurn(ctx, "tool-start", t, func(ctx context.Context, tx *sql.Tx, turn int64) error {
		missing := fmt.Errorf("tool call %s does not wait to run: %w", id, errNotRunning)
		known, err := loadTool(ctx, tx, turn, id, debate.ToolPending, missing)
		if err != nil {
			return err
		}
		known.State, known.Began = debate.ToolRunning, at
		return updateTool(ctx, tx, turn, known)
	})
}

// EndTool records the result of a tool call.
func (s *Store) EndTool(ctx context.Context, t agents.Turn, tool debate.ToolRecord) error {
	return s.writeTurn(ctx, "tool-end", t, func(ctx context.Context, tx *sql.Tx, turn int64) error {
		missing := fmt.Errorf("tool call %s does not run: %w", tool.ID, errNotRunning)
		known, err := loadTool(ctx, tx, turn, tool.ID, debate.ToolRunning, missing)
		if err != nil {
			return err
		}
		if known.Own {
			known.Name, known.Args = tool.Name, tool.Args
		}
		known.State, known.Took, known.Result = debate.ToolDone, tool.Took, tool.Result
		return updateTool(ctx, tx, turn, known)
	})
}

// ToolDefinition is a tool of an MCP server as the user has approved it.
type ToolDefinition struct {
	Server   string
	Tool     string // the server's own name for it
	Hash     string // SHA-256 of Text
	Text     string
	Approved time.Time
}

// ToolDefinitions returns the approved definitions of a server's tools, by name.
func (s *Store) ToolDefinitions(ctx context.Context, server string) ([]ToolDefinition, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) ([]ToolDefinition, error) {
		return rowsOf(ctx, tx, func(row *sql.Rows) (d ToolDefinition, err error) {
			err = row.Scan(&d.Server, &d.Tool, &d.Hash, &d.Text, timeColumn{&d.Approved})
			return d, err
		}, `SELECT server, tool, hash, text, approved FROM tool_definitions WHERE server = ? ORDER BY tool`, server)
	})
}

// ApproveTools stores definitions as approved now, in place of earlier ones of the same
// tools.
func (s *Store) ApproveTools(ctx context.Context, ds ...ToolDefinition) error {
	return s.write(ctx, "tools", func(ctx context.Context, tx *sql.Tx) error {
		for _, d := range ds {
			_, err := tx.ExecContext(ctx, `INSERT INTO tool_definitions (server, tool, hash, text, approved) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (server, tool) DO UPDATE SET hash = excluded.hash, text = excluded.text, approved = excluded.approved`,
				d.Server, d.Tool, d.Hash, d.Text, timestamp(s.now()))
			if err != nil {
				return err
			}
		}
		return nil
	})
}
