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
	return s.writeTurn(ctx, "tool-add", t, func(tx *transaction, turn int64) {
		insertPassage(tx, turn, passage, text)
		tx.exec(`DELETE FROM partials WHERE turn = ? AND passage = ?`, turn, passage)
		insertTool(tx, turn, passage, tool)
	})
}

// insertTool stores a pending tool call after the others of its passage.
func insertTool(tx *transaction, turn int64, passage int, t debate.ToolRecord) {
	t.State = debate.ToolPending
	tx.exec(`INSERT INTO tool_calls (turn, passage, place, id, body)
		VALUES (?1, ?2, (SELECT count(*) FROM tool_calls WHERE turn = ?1 AND passage = ?2), ?, ?)`, turn, passage, t.ID, jsonColumn{t})
}

func updateTool(tx *transaction, turn int64, t debate.ToolRecord) {
	result := t.Result.Text
	t.Result.Text = ""
	tx.exec(`UPDATE tool_calls SET body = ?, result = ? WHERE turn = ? AND id = ?`, jsonColumn{t}, result, turn, t.ID)
}

func (s *Store) changeTool(
	ctx context.Context, point string, t agents.Turn, id string, in debate.ToolState, change func(*debate.ToolRecord),
) error {
	return s.writeTurn(ctx, point, t, func(tx *transaction, turn int64) {
		known := one(tx, document[debate.ToolRecord], `SELECT body FROM tool_calls WHERE turn = ? AND id = ?`, turn, id)
		if known.State != in {
			tx.failed(fmt.Errorf("tool call %s is not %s: %w", id, in, errNotRunning))
		}
		change(&known)
		updateTool(tx, turn, known)
	})
}

// StartTool records that a tool call is running, before it has an effect.
func (s *Store) StartTool(ctx context.Context, t agents.Turn, id string, at time.Time) error {
	return s.changeTool(ctx, "tool-start", t, id, debate.ToolPending, func(known *debate.ToolRecord) {
		known.State, known.Began = debate.ToolRunning, at
	})
}

// EndTool records the result of a tool call.
func (s *Store) EndTool(ctx context.Context, t agents.Turn, tool debate.ToolRecord) error {
	return s.changeTool(ctx, "tool-end", t, tool.ID, debate.ToolRunning, func(known *debate.ToolRecord) {
		if known.Own {
			known.Name, known.Args = tool.Name, tool.Args
		}
		known.State, known.Took, known.Result = debate.ToolDone, tool.Took, tool.Result
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
	return view(ctx, s, func(tx *transaction) []ToolDefinition {
		return rowsOf(tx, func(row *sql.Rows) (d ToolDefinition, err error) {
			err = row.Scan(&d.Server, &d.Tool, &d.Hash, &d.Text, timeColumn{&d.Approved})
			return d, err
		}, `SELECT server, tool, hash, text, approved FROM tool_definitions WHERE server = ? ORDER BY tool`, server)
	})
}

// ApproveTools stores definitions as approved now, in place of earlier ones of the same
// tools.
func (s *Store) ApproveTools(ctx context.Context, ds ...ToolDefinition) error {
	return s.write(ctx, "tools", func(tx *transaction) {
		for _, d := range ds {
			tx.exec(`INSERT OR REPLACE INTO tool_definitions (server, tool, hash, text, approved) VALUES (?, ?, ?, ?, ?)`,
				d.Server, d.Tool, d.Hash, d.Text, timestamp(s.now()))
		}
	})
}
