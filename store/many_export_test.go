package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Multiply copies the sessions of a database until it holds so
// many, each with all that belongs to it.
func Multiply(ctx context.Context, path string, sessions int) (err error) {
	db := databaseFile{path: path}.pool(1, map[string]string{"_foreign_keys": "off", "_synchronous": "OFF", "_txlock": "immediate"})
	defer func() { err = errors.Join(err, db.Close()) }()
	inner, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer inner.Rollback() // after a commit it does nothing
	tx := &transaction{sql: inner}
	var copying []string
	for _, table := range rowsOf(tx, column[string], `SELECT name FROM sqlite_schema WHERE type = 'table'
		AND name NOT IN ('new_debate', 'evidence_texts', 'tool_definitions')`) {
		columns := rowsOf(tx, column[string], `SELECT name FROM pragma_table_info(?)`, table)
		values := make([]string, len(columns))
		for i, c := range columns {
			switch values[i] = c; {
			case c == "session", c == "id" && table == "sessions":
				values[i] = c + " || copy"
			case c == "id" && table != "tool_calls", c == "turn", c == "base", c == "source":
				values[i] = c + " + copy * 1000000"
			}
		}
		copying = append(copying, fmt.Sprintf(`WITH RECURSIVE copies(copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < ?1)
			INSERT INTO %s (%s) SELECT %s FROM copies CROSS JOIN (SELECT * FROM %[1]s ORDER BY rowid)`,
			table, strings.Join(columns, ", "), strings.Join(values, ", ")))
	}
	have := one(tx, column[int], "SELECT count(*) FROM sessions")
	for _, c := range copying {
		tx.exec(c, sessions/have)
	}
	if tx.err != nil {
		return tx.err
	}
	return inner.Commit()
}
