package store

import (
	"context"
	"database/sql"

	"roundtable/debate"
)

// documentKind says what type of the package debate the JSON of a document has.
type documentKind string

const (
	focusDocument        documentKind = "focus" // for the next round
	draftDocument        documentKind = "draft" // by request
	interjectionDocument documentKind = "interjection"
	seatChangeDocument   documentKind = "seat_change"
	summaryDocument      documentKind = "summary"  // by what identifies it
	evidenceDocument     documentKind = "evidence" // by the hash of its text
	noticeDocument       documentKind = "notice"
	settlementDocument   documentKind = "settlement"
	verdictDocument      documentKind = "verdict" // there is one at most
	supersededDocument   documentKind = "superseded"
)

func insertDocument(ctx context.Context, tx *sql.Tx, session string, k documentKind, key string, round int, v any) (int64, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO documents (session, kind, key, round, body) VALUES (?, ?, ?, ?, ?)`,
		session, k, key, round, jsonColumn{v})
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

func replaceDocument(ctx context.Context, tx *sql.Tx, session string, k documentKind, key string, v any) error {
	err := deleteDocument(ctx, tx, session, k, key)
	if err == nil {
		_, err = insertDocument(ctx, tx, session, k, key, 0, v)
	}
	return err
}

func deleteDocument(ctx context.Context, tx *sql.Tx, session string, k documentKind, key string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM documents WHERE session = ? AND kind = ? AND key = ?`, session, k, key)
	return err
}

// documentsOf returns the documents of a kind in the order in which they were stored.
func documentsOf[T any](ctx context.Context, tx *sql.Tx, session string, k documentKind) ([]T, error) {
	return rowsOf(ctx, tx, func(row *sql.Rows) (v T, err error) {
		return v, row.Scan(jsonColumn{&v})
	}, `SELECT body FROM documents WHERE session = ? AND kind = ? ORDER BY id`, session, k)
}

func loadDocuments(ctx context.Context, tx *sql.Tx, d *debate.Session) (err error) {
	if d.Summaries, err = documentsOf[debate.StatementSummary](ctx, tx, d.ID, summaryDocument); err != nil {
		return err
	}
	if d.Interjections, err = documentsOf[debate.Interjection](ctx, tx, d.ID, interjectionDocument); err != nil {
		return err
	}
	if d.Settlements, err = documentsOf[debate.Settlement](ctx, tx, d.ID, settlementDocument); err != nil {
		return err
	}
	if d.Notices, err = documentsOf[debate.Notice](ctx, tx, d.ID, noticeDocument); err != nil {
		return err
	}
	drafts, err := documentsOf[storedDraft](ctx, tx, d.ID, draftDocument)
	for _, n := range drafts {
		if d.Drafts == nil {
			d.Drafts = map[string]debate.Draft{}
		}
		d.Drafts[n.Request] = n.Draft
	}
	if err != nil {
		return err
	}
	verdicts, err := documentsOf[debate.Verdict](ctx, tx, d.ID, verdictDocument)
	if len(verdicts) > 0 {
		d.Verdict = &verdicts[len(verdicts)-1]
	}
	return err
}

// loadSeatChanges gives the seats the models that they have in the rounds that have begun.
func loadSeatChanges(ctx context.Context, tx *sql.Tx, d *debate.Session) (err error) {
	d.SeatChanges, err = documentsOf[debate.SeatChange](ctx, tx, d.ID, seatChangeDocument)
	d.Seats = d.AsOf(len(d.History)).Seats
	return err
}

type storedDraft struct {
	Request string
	debate.Draft
}

// Note stores notices.
func (s *Store) Note(ctx context.Context, session string, ns ...debate.Notice) error {
	return s.write(ctx, "note", func(ctx context.Context, tx *sql.Tx) error {
		if err := touch(ctx, tx, session, s.now()); err != nil {
			return err
		}
		for _, n := range ns {
			if n.At.IsZero() {
				n.At = s.now()
			}
			if _, err := insertDocument(ctx, tx, session, noticeDocument, "", n.Round, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// Settle stores how the verdict of a session turned out, whose lock the caller holds.
func (s *Store) Settle(ctx context.Context, session string, v debate.Settlement) error {
	return s.write(ctx, "settle", func(ctx context.Context, tx *sql.Tx) error {
		if err := exists(ctx, tx, session); err != nil {
			return err
		}
		if v.At.IsZero() {
			v.At = s.now()
		}
		if _, err := insertDocument(ctx, tx, session, settlementDocument, "", v.Rounds, v); err != nil {
			return err
		}
		return refreshSummary(ctx, tx, session)
	})
}
