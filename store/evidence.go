package store

import (
	"cmp"
	"context"
	"database/sql"
	"time"

	"roundtable/debate"
)

// AddEvidence adds what the user brought to a session and returns the session. It gets
// the ids that follow, and rounds that begin later have it. What the session has
// already, by name and text, is not added again. The error of a refusal is a
// *debate.RefusedError.
func (s *Store) AddEvidence(ctx context.Context, session string, added ...debate.Evidence) (debate.Session, error) {
	return s.updateSession(ctx, "evidence", session, func(tx *transaction) {
		d := debate.Session{ID: session}
		loadEvidence(tx, &d)
		storeEvidence(tx, session, d.Evidence, added, s.now())
	})
}

func storeEvidence(tx *transaction, session string, has, added []debate.Evidence, at time.Time) {
	all, err := debate.AddEvidence(has, added)
	if tx.failed(err) {
		return
	}
	for _, e := range all[len(has):] {
		tx.exec(`INSERT INTO evidence_texts (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING`, e.SHA256, e.Text)
		e.Added = cmp.Or(e.Added, at)
		id := insertDocument(tx, session, evidenceDocument, e.SHA256, 0, e)
		addSearchText(tx, searchText{Session: session, Kind: debate.InEvidence, Request: e.ID, Source: id, Text: e.Name + "\n" + e.Text})
	}
}

func loadEvidence(tx *transaction, d *debate.Session) {
	d.Evidence = rowsOf(tx, func(row *sql.Rows) (e debate.Evidence, err error) {
		err = row.Scan(jsonColumn{&e}, &e.Text)
		return e, err
	}, `SELECT d.body, e.text FROM documents d LEFT JOIN evidence_texts e ON e.hash = d.key WHERE d.session = ? AND d.kind = ?
		ORDER BY d.id`, d.ID, evidenceDocument)
}
