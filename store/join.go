package store

import (
	"context"
	"database/sql"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Join makes the askers of a request askers of another, adds the draft of the first to
// that of the other, and returns both requests. The error of a refusal is a
// *ledger.SubmissionError.
func (s *Store) Join(ctx context.Context, session, request, into string) ([]ledger.Request, error) {
	return update(ctx, s, "join", func(ctx context.Context, tx *sql.Tx) ([]ledger.Request, error) {
		l, err := ledgerOfExisting(ctx, tx, session)
		if err != nil {
			return nil, err
		}
		events, err := l.Join(request, into)
		if err != nil {
			return nil, err
		}
		if l, err = appendEvents(ctx, tx, s.now(), session, l, events); err != nil {
			return nil, err
		}
		if err := joinDrafts(ctx, tx, session, request, into); err != nil {
			return nil, err
		}
		from, _ := l.Find(request)
		target, _ := l.Find(into)
		return []ledger.Request{from, target}, nil
	})
}

// joinDrafts moves the draft of a request to another. What the other has already, such as
// from a form that joined both while it was open, is not added again.
func joinDrafts(ctx context.Context, tx *sql.Tx, session, request, into string) error {
	var d debate.Session
	d.ID = session
	if err := loadDrafts(ctx, tx, &d); err != nil {
		return err
	}
	from, ok := d.Drafts[request]
	if !ok {
		return nil
	}
	if err := deleteDraft(ctx, tx, session, request); err != nil {
		return err
	}
	target, ok := d.Drafts[into]
	switch {
	case ok && strings.Contains(target.Text, from.Text):
		return nil
	case ok:
		from.Text, from.Unavailable = target.Text+"\n\n"+from.Text, target.Unavailable
		if target.Source != "" {
			from.Source = target.Source
		}
	}
	return insertDraft(ctx, tx, session, into, from)
}
