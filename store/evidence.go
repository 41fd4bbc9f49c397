package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"roundtable/debate"
)

// AddEvidence adds what the user brought to a session and returns the session. It gets
// the ids that follow, and rounds that begin later have it. What the session has
// already, by name and text, is not added again. The error of a refusal is a
// *debate.EvidenceError.
func (s *Store) AddEvidence(ctx context.Context, session string, added ...debate.Evidence) (debate.Session, error) {
	return s.updateSession(ctx, "evidence", session, func(ctx context.Context, tx *sql.Tx) error {
		d := debate.Session{ID: session}
		if err := loadEvidence(ctx, tx, &d); err != nil {
			return err
		}
		return storeEvidence(ctx, tx, session, d.Evidence, added, s.now())
	})
}

func storeEvidence(ctx context.Context, tx *sql.Tx, session string, has, added []debate.Evidence, at time.Time) error {
	all, err := debate.AddEvidence(has, added)
	if err != nil {
		return err
	}
	for _, e := range all[len(has):] {
		_, err := tx.ExecContext(ctx, `INSERT INTO evidence_texts (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING`, e.SHA256, e.Text)
		if err != nil {
			return fmt.Errorf("write the text of %s: %w", e.ID, err)
		}
		if e.Added.IsZero() {
			e.Added = at
		}
		id, err := insertDocument(ctx, tx, session, evidenceDocument, e.SHA256, 0, e)
		if err != nil {
			return fmt.Errorf("write %s: %w", e.ID, err)
		}
		words := searchText{Session: session, Kind: debate.InEvidence, Request: e.ID, Source: id, Text: e.Name + "\n" + e.Text}
		if err := addSearchText(ctx, tx, words); err != nil {
			return err
		}
	}
	return nil
}

func loadEvidence(ctx context.Context, tx *sql.Tx, d *debate.Session) (err error) {
	d.Evidence, err = rowsOf(ctx, tx, func(row *sql.Rows) (e debate.Evidence, err error) {
		err = row.Scan(jsonColumn{&e}, &e.Text)
		return e, err
	}, `SELECT d.body, e.text FROM documents d LEFT JOIN evidence_texts e ON e.hash = d.key WHERE d.session = ? AND d.kind = ?
		ORDER BY d.id`, d.ID, evidenceDocument)
	return err
}
