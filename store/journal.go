package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

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
			_, err := tx.ExecContext(ctx, `INSERT INTO partials (turn, passage, reasoning, at, text) VALUES (?, ?, ?, ?, ?)`, id, p.Passage,
				p.Reasoning, at, p.Text)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// journalRow is a row of the journal.
type journalRow struct {
	turn      int64
	n         int
	reasoning bool
	text      string
}

func scanJournal(row *sql.Rows) (journalRow, error) {
	var p journalRow
	return p, row.Scan(&p.turn, &p.n, &p.reasoning, &p.text)
}

// journaledText is the journal of one completion.
type journaledText struct {
	turn            int64
	n               int
	text, reasoning strings.Builder
}

// joinJournal joins the rows of each completion in the order in which they were
// written.
func joinJournal(pieces []journalRow) []*journaledText {
	var out []*journaledText
	for _, p := range pieces {
		i := slices.IndexFunc(out, func(j *journaledText) bool { return j.turn == p.turn && j.n == p.n })
		if i < 0 {
			i = len(out)
			out = append(out, &journaledText{turn: p.turn, n: p.n})
		}
		if p.reasoning {
			out[i].reasoning.WriteString(p.text)
		} else {
			out[i].text.WriteString(p.text)
		}
	}
	return out
}

// flushJournal turns the journal of a turn that ends early into its last passage.
func flushJournal(ctx context.Context, tx *sql.Tx, turn int64) error {
	pieces, err := rowsOf(ctx, tx, scanJournal, `SELECT turn, passage, reasoning, text FROM partials WHERE turn = ? ORDER BY id`, turn)
	if err != nil {
		return err
	}
	for _, j := range joinJournal(pieces) {
		_, err := tx.ExecContext(ctx, `INSERT INTO passages (turn, n, partial, text, reasoning) VALUES (?, ?, 1, ?, ?)`, turn, j.n,
			j.text.String(), j.reasoning.String())
		if err != nil {
			return err
		}
	}
	return deleteJournal(ctx, tx, turn)
}

func deleteJournal(ctx context.Context, tx *sql.Tx, turn int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM partials WHERE turn = ?`, turn)
	return err
}
