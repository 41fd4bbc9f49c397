package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// AddTool records a tool call in the middle of an answer as pending. The text of the passage
// before it is stored with the first of its calls, in place of the journal.
func (s *Store) AddTool(ctx context.Context, t agents.Turn, passage int, text debate.Passage, tool debate.ToolRecord) error {
	return s.writeTurn(ctx, "tool-add", t, func(ctx context.Context, tx *sql.Tx, turn int64) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO passages (turn, n, partial, text, reasoning) VALUES (?, ?, 0, ?, ?)
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
	_, err := tx.ExecContext(ctx, `INSERT INTO tool_calls (turn, passage, place, id, name, args, own, state, began, took, status, summary,
		result) VALUES (?1, ?2, (SELECT count(*) FROM tool_calls WHERE turn = ?1 AND passage = ?2), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		turn, passage, t.ID, t.Name, t.Args, t.Own, t.State, timestamp(t.Began), int64(t.Took), t.Result.Status, t.Result.Summary,
		t.Result.Text)
	if err != nil {
		return fmt.Errorf("write tool call %s: %w", t.ID, err)
	}
	return nil
}

// StartTool records that a tool call is running, before it has an effect.
func (s *Store) StartTool(ctx context.Context, t agents.Turn, id string, at time.Time) error {
	return s.writeTurn(ctx, "tool-start", t, func(ctx context.Context, tx *sql.Tx, turn int64) error {
		missing := fmt.Errorf("tool call %s does not wait to run: %w", id, errNotRunning)
		return execOne(ctx, tx, missing, `UPDATE tool_calls SET state = ?, began = ? WHERE turn = ? AND id = ? AND state = ?`,
			debate.ToolRunning, timestamp(at), turn, id, debate.ToolPending)
	})
}

// EndTool records the result of a tool call.
func (s *Store) EndTool(ctx context.Context, t agents.Turn, tool debate.ToolRecord) error {
	return s.writeTurn(ctx, "tool-end", t, func(ctx context.Context, tx *sql.Tx, turn int64) error {
		missing := fmt.Errorf("tool call %s does not run: %w", tool.ID, errNotRunning)
		return execOne(ctx, tx, missing, `UPDATE tool_calls SET state = ?, name = iif(own, ?, name), args = iif(own, ?, args),
			took = ?, status = ?, summary = ?, result = ? WHERE turn = ? AND id = ? AND state = ?`, debate.ToolDone, tool.Name, tool.Args,
			int64(tool.Took), tool.Result.Status, tool.Result.Summary, tool.Result.Text, turn, tool.ID, debate.ToolRunning)
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
