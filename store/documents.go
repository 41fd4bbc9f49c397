package store

import (
	"cmp"
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
	cautionsDocument     documentKind = "cautions" // of the verdict, in words, for the search
)

func insertDocument(tx *transaction, session string, k documentKind, key string, round int, v any) int64 {
	return one(tx, column[int64], `INSERT INTO documents (session, kind, key, round, body) VALUES (?, ?, ?, ?, ?) RETURNING id`,
		session, k, key, round, jsonColumn{v})
}

func replaceDocument(tx *transaction, session string, k documentKind, key string, v any) {
	deleteDocument(tx, session, k, key)
	insertDocument(tx, session, k, key, 0, v)
}

func deleteDocument(tx *transaction, session string, k documentKind, key string) {
	tx.exec(`DELETE FROM documents WHERE session = ? AND kind = ? AND key = ?`, session, k, key)
}

// documentOf returns a document, or the zero value if there is none.
func documentOf[T any](tx *transaction, session string, k documentKind, key string) T {
	return one(tx, document[T], `SELECT body FROM documents WHERE session = ? AND kind = ? AND key = ?`, session, k, key)
}

func documentsOf[T any](tx *transaction, session string, k documentKind) []T {
	return rowsOf(tx, document[T], `SELECT body FROM documents WHERE session = ? AND kind = ? ORDER BY id`, session, k)
}

func loadDocuments(tx *transaction, d *debate.Session) {
	d.Summaries = documentsOf[debate.StatementSummary](tx, d.ID, summaryDocument)
	d.Interjections = documentsOf[debate.Interjection](tx, d.ID, interjectionDocument)
	d.Settlements = documentsOf[debate.Settlement](tx, d.ID, settlementDocument)
	d.Notices = documentsOf[debate.Notice](tx, d.ID, noticeDocument)
	d.Verdict = documentOf[*debate.Verdict](tx, d.ID, verdictDocument, "")
	d.Written = one(tx, document[*debate.Verdict], `SELECT body FROM documents WHERE session = ? AND kind IN (?, ?)
		AND body ->> '$.text' <> '' ORDER BY id DESC LIMIT 1`, d.ID, verdictDocument, supersededDocument)
	tx.each(func(row *sql.Rows) error {
		var request string
		var n debate.Draft
		err := row.Scan(&request, jsonColumn{&n})
		if d.Drafts == nil {
			d.Drafts = map[string]debate.Draft{}
		}
		d.Drafts[request] = n
		return err
	}, `SELECT key, body FROM documents WHERE session = ? AND kind = ?`, d.ID, draftDocument)
}

// loadSeatChanges gives the seats the models that they have in the rounds that have begun.
func loadSeatChanges(tx *transaction, d *debate.Session) {
	d.SeatChanges = documentsOf[debate.SeatChange](tx, d.ID, seatChangeDocument)
	d.Seats = d.AsOf(len(d.History)).Seats
}

// Note stores notices.
func (s *Store) Note(ctx context.Context, session string, ns ...debate.Notice) error {
	return s.write(ctx, "note", func(tx *transaction) {
		touch(tx, session, s.now())
		for _, n := range ns {
			n.At = cmp.Or(n.At, s.now())
			insertDocument(tx, session, noticeDocument, "", n.Round, n)
		}
	})
}

// Settle stores how the verdict of a session turned out, whose lock the caller holds.
func (s *Store) Settle(ctx context.Context, session string, v debate.Settlement) error {
	return s.write(ctx, "settle", func(tx *transaction) {
		exists(tx, session)
		v.At = cmp.Or(v.At, s.now())
		insertDocument(tx, session, settlementDocument, "", v.Rounds, v)
		if l := loadLedger(tx, session); v.Result != debate.ResultOpen {
			appendEvents(tx, v.At, session, l, l.Close())
			s.setLine(tx, session)
		}
		refreshSummary(tx, session)
	})
}
