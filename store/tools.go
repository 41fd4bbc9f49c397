package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// StartTool records that a tool call is running, before it has an effect.
func (s *Store) StartTool(ctx context.Context, t agents.Turn, id string, at time.Time) error {
	return s.write(ctx, "tool-start", func(ctx context.Context, tx *sql.Tx) error {
		turn, err := runningTurn(ctx, tx, t)
		if err != nil {
			return err
		}
		missing := fmt.Errorf("tool call %s does not wait to run: %w", id, errNotRunning)
		return execOne(ctx, tx, missing, `UPDATE tool_calls SET state = ?, began = ? WHERE turn = ? AND id = ? AND state = ?`,
			debate.ToolRunning, timestamp(at), turn, id, debate.ToolPending)
	})
}

// EndTool records the result of a tool call.
func (s *Store) EndTool(ctx context.Context, t agents.Turn, tool debate.ToolRecord) error {
	return s.write(ctx, "tool-end", func(ctx context.Context, tx *sql.Tx) error {
		turn, err := runningTurn(ctx, tx, t)
		if err != nil {
			return err
		}
		missing := fmt.Errorf("tool call %s does not run: %w", tool.ID, errNotRunning)
		return execOne(ctx, tx, missing, `UPDATE tool_calls SET state = ?, took = ?, status = ?, summary = ?, result = ? WHERE turn = ?
			AND id = ? AND state = ?`,
			debate.ToolDone, int64(tool.Took), tool.Result.Status, tool.Result.Summary, tool.Result.Text, turn, tool.ID, debate.ToolRunning)
	})
}
