package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
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
		if err := s.evidence.load(ctx, tx, &d); err != nil {
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

// evidenceCache keeps the texts of the evidence that was loaded last, by hash, so that
// they are read once. They never change.
type evidenceCache struct {
	mu    sync.Mutex
	texts map[string]string
}

// load reads the evidence of a session.
func (c *evidenceCache) load(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	var err error
	d.Evidence, err = documentsOf[debate.Evidence](ctx, tx, d.ID, evidenceDocument)
	if err != nil || len(d.Evidence) == 0 {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	texts := map[string]string{}
	for i, e := range d.Evidence {
		text, ok := texts[e.SHA256]
		if !ok {
			text, ok = c.texts[e.SHA256]
		}
		if !ok {
			if err := tx.QueryRowContext(ctx, `SELECT text FROM evidence_texts WHERE hash = ?`, e.SHA256).Scan(&text); err != nil {
				return fmt.Errorf("read the text of %s: %w", e.ID, err)
			}
		}
		texts[e.SHA256], d.Evidence[i].Text = text, text
	}
	c.texts = texts
	return nil
}
