package store

import (
	"context"
	"database/sql"
	"time"
)

// ToolDefinition is a tool of an MCP server as the user has approved it.
type ToolDefinition struct {
	Server   string
	Tool     string // the server's own name for it
	Hash     string // SHA-256 of Text
	Text     string
	Approved time.Time
}

// ToolDefinitions returns the approved definitions of a server's tools, by name.
func ToolDefinitions(ctx context.Context, s *Store, server string) ([]ToolDefinition, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) ([]ToolDefinition, error) {
		return rowsOf(ctx, tx, func(row *sql.Rows) (d ToolDefinition, err error) {
			err = row.Scan(&d.Server, &d.Tool, &d.Hash, &d.Text, timeColumn{&d.Approved})
			return d, err
		}, `SELECT server, tool, hash, text, approved FROM tool_definitions WHERE server = ? ORDER BY tool`, server)
	})
}

// ApproveTools stores definitions as approved now, in place of earlier ones of the same
// tools.
func ApproveTools(ctx context.Context, s *Store, ds ...ToolDefinition) error {
	return s.write(ctx, "tools", func(ctx context.Context, tx *sql.Tx) error {
		for _, d := range ds {
			_, err := tx.ExecContext(ctx, `INSERT INTO tool_definitions (server, tool, hash, text, approved) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (server, tool) DO UPDATE SET hash = excluded.hash, text = excluded.text, approved = excluded.approved`,
				d.Server, d.Tool, d.Hash, d.Text, timestamp(s.options.Now()))
			if err != nil {
				return err
			}
		}
		return nil
	})
}
