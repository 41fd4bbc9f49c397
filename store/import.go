package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// ImportedError reports that the file of an import was imported before.
type ImportedError struct{ Session string }

// Error names the session that the file became.
func (e *ImportedError) Error() string {
	return fmt.Sprintf("This file was imported already: it is debate %s. Nothing was changed.", e.Session)
}

// ImportID returns the id that an import gets: its own if it is free in this database,
// so that references to it stay valid, or else a new one.
func (s *Store) ImportID(ctx context.Context, own string) (string, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) (string, error) {
		if taken, err := isTaken(ctx, tx, own); err != nil || !taken && checkID(own) == nil {
			return own, err
		}
		var d debate.Session
		err := s.assignID(ctx, tx, &d)
		return d.ID, err
	})
}

// Import stores a whole session of another database under d.ID, whose lock the caller
// holds, and returns it as it was stored. Its calls, cached replies, summaries and drafts
// are not stored. The error is an *ImportedError if a session has the same Imported.SHA256.
func (s *Store) Import(ctx context.Context, d debate.Session) (debate.Session, error) {
	return update(ctx, s, "import", func(ctx context.Context, tx *sql.Tx) (debate.Session, error) {
		var before string
		err := tx.QueryRowContext(ctx, `SELECT id FROM sessions WHERE imported ->> '$.sha256' = ? AND deleted IS NULL`,
			d.Imported.SHA256).Scan(&before)
		if err == nil {
			return d, &ImportedError{before}
		} else if !errors.Is(err, sql.ErrNoRows) {
			return d, err
		}
		if err := s.insertSession(ctx, tx, &d); err != nil {
			return d, err
		}
		for _, part := range []func(context.Context, *sql.Tx, debate.Session) error{
			importRounds, importAuxiliary, importFollowUps, importNotes, importRequests,
		} {
			if err := part(ctx, tx, d); err != nil {
				return d, fmt.Errorf("write debate %s: %w", d.ID, err)
			}
		}
		if err := storeEvidence(ctx, tx, d.ID, nil, d.Evidence, d.Created); err != nil {
			return d, err
		}
		if err := refreshSummary(ctx, tx, d.ID); err != nil {
			return d, err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE sessions SET updated = ? WHERE id = ?`, timestamp(d.Updated), d.ID); err != nil {
			return d, err
		}
		return s.load(ctx, tx, d.ID)
	})
}

func importRounds(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	for _, r := range d.History {
		if err := insertRound(ctx, tx, d.ID, r); err != nil {
			return err
		}
		for _, x := range r.Responses {
			_, err := importTurn(ctx, tx, d.ID, debate.ForMember, x)
			if err == nil && x.State == debate.TurnDone {
				err = addSearchText(ctx, tx, searchText{
					Session: d.ID, Kind: InStatement, Round: x.Turn.Round, Agent: x.Turn.Agent,
					Text: searchableText(debate.TurnEnd{Response: x, Final: &agents.Completion{Text: x.Text()}}),
				})
			}
			if err != nil {
				return fmt.Errorf("%s: %w", x.ID(), err)
			}
		}
	}
	return nil
}

// importTurn stores an attempt with its passages and tool calls, and returns the id of
// its row.
func importTurn(ctx context.Context, tx *sql.Tx, session string, purpose debate.Purpose, x debate.Response) (int64, error) {
	x.Turn.Session = session
	id, err := insertTurn(ctx, tx, purpose, x)
	if err != nil {
		return 0, err
	}
	for n, p := range x.Passages {
		if err := insertPassage(ctx, tx, id, n, false, p); err != nil {
			return 0, err
		}
		for _, t := range p.Tools {
			if err := insertTool(ctx, tx, id, n, t); err != nil {
				return 0, err
			}
		}
	}
	return id, nil
}

func importFollowUps(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	for _, f := range d.FollowUps {
		x := f.Response
		id, err := importTurn(ctx, tx, d.ID, debate.ForFollowUp, x)
		if err == nil {
			err = insertQuestion(ctx, tx, id, d.ID, f.Question)
		}
		if err == nil && x.State == debate.TurnDone {
			err = addSearchText(ctx, tx, searchText{Session: d.ID, Kind: InFollowUp, Agent: x.Turn.Agent, Text: x.Text()})
		}
		if err != nil {
			return fmt.Errorf("follow-up %d: %w", f.Number(), err)
		}
	}
	return nil
}

// importAuxiliary stores what the chair and the light model used as one turn for each
// purpose. It belongs to no round, so that it is not taken for one of their answers.
func importAuxiliary(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	for _, spent := range d.AuxiliarySpending {
		_, err := insertTurn(ctx, tx, spent.Purpose, debate.Response{
			Turn:  agents.Turn{Session: d.ID, Step: debate.SummaryStep, Agent: agents.ID(spent.Purpose), Attempt: 1},
			State: debate.TurnInterrupted, Calls: spent.Calls, Usage: spent.Usage, Cost: spent.Cost,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// importNotes stores what is said about the debate: interjections, notices and the verdict.
func importNotes(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	for _, i := range d.Interjections {
		if err := insertInterjection(ctx, tx, d.ID, i); err != nil {
			return err
		}
	}
	for _, c := range d.SeatChanges {
		if err := insertSeatChange(ctx, tx, d.ID, c); err != nil {
			return err
		}
	}
	for _, v := range d.Settlements {
		if err := insertSettlement(ctx, tx, d.ID, v); err != nil {
			return err
		}
	}
	for _, n := range d.Notices {
		if err := insertNotice(ctx, tx, d.ID, n); err != nil {
			return err
		}
	}
	if d.Verdict == nil {
		return nil
	}
	return insertVerdict(ctx, tx, d.ID, d.Updated, *d.Verdict)
}

func importRequests(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	if _, err := appendEvents(ctx, tx, d.Updated, d.ID, ledger.Ledger{}, ledger.Restore(d.Requests)); err != nil {
		return err
	}
	for _, r := range d.Requests {
		for _, a := range r.Answers {
			err := addSearchText(ctx, tx, searchText{Session: d.ID, Kind: InAnswer, Request: r.ID, Text: a.Content})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
