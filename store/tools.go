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

// ApprovedTools returns the approved definitions of a server's tools by their names.
func (s *Store) ApprovedTools(ctx context.Context, server string) (map[string]string, error) {
	return view(ctx, s, func(tx *transaction) map[string]string {
		texts := map[string]string{}
		tx.each(func(row *sql.Rows) error {
			var tool, text string
			err := row.Scan(&tool, &text)
			texts[tool] = text
			return err
		}, `SELECT tool, text FROM tool_definitions WHERE server = ?`, server)
		return texts
	})
}

// ApproveTools stores definitions of a server's tools as approved now, in place of earlier ones
// of the same tools.
func (s *Store) ApproveTools(ctx context.Context, server string, definitions map[string]string) error {
	return s.write(ctx, "tools", func(tx *transaction) {
		for tool, text := range definitions {
			tx.exec(`INSERT OR REPLACE INTO tool_definitions (server, tool, hash, text, approved) VALUES (?, ?, ?, ?, ?)`,
				server, tool, hashOf([]byte(text)), text, timestamp(s.now()))
		}
	})
}
