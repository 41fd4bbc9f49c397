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
	return fmt.Sprintf("This file was imported already: it is session %s. Nothing was changed.", e.Session)
}

// ImportID returns the id that an import gets: its own if it is free in this database,
// so that what names it elsewhere goes on naming it, or else a new one.
func (s *Store) ImportID(ctx context.Context, own string) (string, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) (string, error) {
		d := debate.Session{ID: own}
		var taken bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ?)`, own).Scan(&taken); err != nil {
			return "", err
		}
		if taken || checkID(own) != nil {
			d.ID = ""
		}
		err := s.options.assignID(ctx, tx, &d)
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
		if err := s.options.assignID(ctx, tx, &d); err != nil {
			return d, err
		}
		if err := insertSession(ctx, tx, d); err != nil {
			return d, fmt.Errorf("write session %s: %w", d.ID, err)
		}
		for _, part := range []func(context.Context, *sql.Tx, debate.Session) error{
			importRounds, importAuxiliary, importFollowUps, importInterjections, importNotices, importVerdict, importRequests,
		} {
			if err := part(ctx, tx, d); err != nil {
				return d, fmt.Errorf("write session %s: %w", d.ID, err)
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
		return s.turns.load(ctx, tx, d.ID)
	})
}

func importRounds(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	for _, r := range d.History {
		_, err := tx.ExecContext(ctx, `INSERT INTO rounds (session, number, hash, began, ended, manifest, consensus)
			VALUES (?, ?, ?, ?, ?, ?, ?)`, d.ID, r.Number, r.Hash, timestamp(r.Began), timestamp(r.Ended), jsonColumn{r.Manifest},
			jsonColumn{r.Consensus})
		if err != nil {
			return err
		}
		for _, x := range r.Responses {
			x.Turn.Session = d.ID
			if err := importTurn(ctx, tx, x); err != nil {
				return fmt.Errorf("%s: %w", x.ID(), err)
			}
		}
	}
	return nil
}

// importTurn stores an attempt with its passages and tool calls.
func importTurn(ctx context.Context, tx *sql.Tx, x debate.Response) error {
	id, err := insertImportedTurn(ctx, tx, x, debate.ForMember)
	if err == nil {
		err = importPassages(ctx, tx, id, x)
	}
	if err != nil || x.State != debate.TurnDone {
		return err
	}
	return addSearchText(ctx, tx, searchText{
		Session: x.Turn.Session, Kind: InStatement, Round: x.Turn.Round, Agent: x.Turn.Agent,
		Text: searchableText(debate.TurnEnd{Response: x, Final: &agents.Completion{Text: x.Text()}}),
	})
}

// importPassages stores the passages and tool calls of an attempt.
func importPassages(ctx context.Context, tx *sql.Tx, id int64, x debate.Response) error {
	for n, p := range x.Passages {
		_, err := tx.ExecContext(ctx, `INSERT INTO passages (turn, n, partial, reasoning, text) VALUES (?, ?, 0, ?, ?)`,
			id, n, p.Reasoning, p.Text)
		if err != nil {
			return err
		}
		for i, t := range p.Tools {
			_, err := tx.ExecContext(ctx, `INSERT INTO tool_calls (turn, id, passage, place, name, own, state, began, took, status,
				summary, args, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, id, t.ID, n, i, t.Name, t.Own, t.State,
				timestamp(t.Began), int64(t.Took), t.Result.Status, t.Result.Summary, t.Args, t.Result.Text)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// importFollowUps stores the follow-up questions with their answers.
func importFollowUps(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	for _, f := range d.FollowUps {
		x := f.Response
		x.Turn.Session = d.ID
		id, err := insertImportedTurn(ctx, tx, x, debate.ForFollowUp)
		if err == nil {
			err = importPassages(ctx, tx, id, x)
		}
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

// insertImportedTurn stores the row of an attempt and returns its id.
func insertImportedTurn(ctx context.Context, tx *sql.Tx, x debate.Response, purpose debate.Purpose) (int64, error) {
	var statement *debate.Statement
	if x.State == debate.TurnDone {
		statement = &x.Statement
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO turns (session, round, step, agent, attempt, purpose, role, phase, snapshot, state,
		began, ended, finish, input, output, reasoning, cached, estimated, cost, sent, saw, fitting, prompts, failure, statement, side,
		inherited) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		x.Turn.Session, x.Turn.Round, x.Turn.Step, x.Turn.Agent, x.Turn.Attempt, purpose, x.Role, x.Phase, x.SnapshotHash, x.State,
		timestamp(x.Began), timestamp(x.Ended), x.Finish, x.Usage.Input, x.Usage.Output, x.Usage.Reasoning, x.Usage.Cached,
		x.Usage.Estimated, x.Cost, x.Calls, jsonColumn{x.SeenResponses}, jsonColumn{x.ContextFit}, x.PromptVersion, jsonColumn{x.Failure},
		jsonColumn{statement}, x.Side, x.Inherited)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// importAuxiliary stores what the chair and the light model took as one turn for each
// purpose. It is of no round, so that nobody takes it for one of their answers.
func importAuxiliary(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	for _, spent := range d.AuxiliarySpending {
		x := debate.Response{
			Turn:  agents.Turn{Session: d.ID, Step: debate.SummaryStep, Agent: agents.ID(spent.Purpose), Attempt: 1},
			State: debate.TurnInterrupted, Calls: spent.Calls, Usage: spent.Usage, Cost: spent.Cost,
		}
		if _, err := insertImportedTurn(ctx, tx, x, spent.Purpose); err != nil {
			return err
		}
	}
	return nil
}

func importInterjections(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	for _, i := range d.Interjections {
		if err := insertInterjection(ctx, tx, d.ID, i); err != nil {
			return err
		}
	}
	return nil
}

func importNotices(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	for _, n := range d.Notices {
		_, err := tx.ExecContext(ctx, `INSERT INTO notices (session, at, code, agent, round, text) VALUES (?, ?, ?, ?, ?, ?)`,
			d.ID, timestamp(n.At), n.Code, n.Agent, n.Round, n.Text)
		if err != nil {
			return err
		}
	}
	return nil
}

func importVerdict(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	if d.Verdict == nil {
		return nil
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO verdicts (session, at, outcome, body) VALUES (?, ?, ?, ?)`, d.ID, timestamp(d.Updated),
		d.Verdict.Outcome, jsonColumn{d.Verdict})
	if err != nil {
		return err
	}
	return addSearchText(ctx, tx, searchText{Session: d.ID, Kind: InVerdict, Text: d.Verdict.Text})
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
