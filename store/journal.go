package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// Journal appends pieces of text that are not yet part of an answer.
func (s *Store) Journal(ctx context.Context, parts []debate.PartialText) error {
	return s.write(ctx, "journal", func(ctx context.Context, tx *sql.Tx) error {
		ids := map[agents.Turn]int64{}
		at := stamp(s.now())
		for _, p := range parts {
			id, known := ids[p.Turn]
			if !known {
				var err error
				if id, err = runningTurn(ctx, tx, p.Turn); err != nil {
					return err
				}
				ids[p.Turn] = id
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO partials (turn, passage, reasoning, at, text) VALUES (?, ?, ?, ?, ?)`, id, p.Passage, p.Reasoning, at, p.Text)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// piece is a row of the journal.
type piece struct {
	turn      int64
	n         int
	reasoning bool
	text      string
}

func scanPiece(row *sql.Rows) (piece, error) {
	var p piece
	return p, row.Scan(&p.turn, &p.n, &p.reasoning, &p.text)
}

// joined is what a journal has of one completion.
type joined struct {
	turn            int64
	n               int
	text, reasoning strings.Builder
}

// joinPieces joins what belongs to the same completion, in the order of writing.
func joinPieces(pieces []piece) []*joined {
	var out []*joined
	for _, p := range pieces {
		i := slices.IndexFunc(out, func(j *joined) bool { return j.turn == p.turn && j.n == p.n })
		if i < 0 {
			i = len(out)
			out = append(out, &joined{turn: p.turn, n: p.n})
		}
		if p.reasoning {
			out[i].reasoning.WriteString(p.text)
		} else {
			out[i].text.WriteString(p.text)
		}
	}
	return out
}

// keepJournal makes what was written of a completion the last passage of a turn
// that will not be finished.
func keepJournal(ctx context.Context, tx *sql.Tx, turn int64) error {
	pieces, err := rowsOf(ctx, tx, scanPiece, `SELECT turn, passage, reasoning, text FROM partials WHERE turn = ? ORDER BY id`, turn)
	if err != nil {
		return err
	}
	for _, j := range joinPieces(pieces) {
		_, err := tx.ExecContext(ctx, `INSERT INTO passages (turn, n, partial, text, reasoning) VALUES (?, ?, 1, ?, ?)`, turn, j.n, j.text.String(), j.reasoning.String())
		if err != nil {
			return err
		}
	}
	return dropJournal(ctx, tx, turn)
}

func dropJournal(ctx context.Context, tx *sql.Tx, turn int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM partials WHERE turn = ?`, turn)
	return err
}
