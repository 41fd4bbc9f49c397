package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// BeginRound checks the gate again and stores the released answers, the manifest and
// the round. The error is a *debate.BlockedError while required requests are open,
// or wraps debate.ErrNotReady.
func (s *Store) BeginRound(ctx context.Context, session string, round int) (debate.Session, error) {
	return s.updateSession(ctx, "round", session, func(ctx context.Context, tx *sql.Tx) error {
		d, err := s.load(ctx, tx, session)
		if err != nil {
			return err
		}
		if next := d.Next(); next != round {
			return fmt.Errorf("begin round %d of debate %s, when the next is %d: %w", round, session, next, debate.ErrNotReady)
		}
		focus, err := loadFocus(ctx, tx, session)
		if err != nil {
			return err
		}
		manifest, release, err := d.Begin(focus)
		if err != nil {
			return err
		}
		if _, err := appendEvents(ctx, tx, s.now(), session, ledger.Ledger{Requests: d.Requests}, release); err != nil {
			return err
		}
		began := debate.Round{Number: manifest.Round, Hash: manifest.Hash(), Began: s.now(), Manifest: manifest}
		if err := insertRound(ctx, tx, session, began); err != nil {
			return err
		}
		return deleteDocument(ctx, tx, session, focusDocument, "")
	})
}

func insertRound(ctx context.Context, tx *sql.Tx, session string, r debate.Round) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO rounds (session, number, ended, body) VALUES (?, ?, ?, ?)`, session, r.Number,
		timestamp(r.Ended), jsonColumn{r})
	return err
}

// EndRound ends a round, and with it the session for the given reason unless an open
// request vetoes that. A round is ended again after a failed seat was retried.
func (s *Store) EndRound(
	ctx context.Context, session string, round int, same *debate.SameFindings, ending debate.StopReason,
) (debate.Session, error) {
	return s.updateSession(ctx, "round-end", session, func(ctx context.Context, tx *sql.Tx) error {
		missing := fmt.Errorf("end round %d of debate %s, which has not begun: %w", round, session, debate.ErrNotReady)
		if err := execOne(ctx, tx, missing, `UPDATE rounds SET ended = ?, body = json_set(body, '$.Same', json(?)) WHERE session = ?
			AND number = ?`, timestamp(s.now()), jsonColumn{&same}, session, round); err != nil {
			return err
		}
		d, err := s.load(ctx, tx, session)
		if err != nil || d.Stopped.Forced() { // the reason of the user or the budget is kept
			return err
		}
		d.Stopped = debate.NotStopped // an earlier ending may no longer hold
		if d.Verdict != nil || d.Vetoes(ending) {
			ending = debate.NotStopped
		}
		return changeHead(ctx, tx, session, func(d *debate.Session) { d.Stopped = ending })
	})
}

// updateSession runs fn, updates the summary of the session and returns the session
// as it is then, in one transaction.
func (s *Store) updateSession(ctx context.Context, point, session string, fn func(context.Context, *sql.Tx) error) (debate.Session, error) {
	return update(ctx, s, point, func(ctx context.Context, tx *sql.Tx) (d debate.Session, err error) {
		if err := touch(ctx, tx, session, s.now()); err != nil {
			return d, err
		}
		if err := fn(ctx, tx); err != nil {
			return d, err
		}
		if err := refreshSummary(ctx, tx, session); err != nil {
			return d, err
		}
		return s.load(ctx, tx, session)
	})
}

func (s *Store) refresh(ctx context.Context, tx *sql.Tx, session string) error {
	if err := touch(ctx, tx, session, s.now()); err != nil {
		return err
	}
	return refreshSummary(ctx, tx, session)
}

// refreshSummary updates what the summary of a session says about its rounds and costs. A call
// costs that has ended, or whose usage is known although it was interrupted; a turn without
// calls came with an import, and costs what it says itself.
func refreshSummary(ctx context.Context, tx *sql.Tx, session string) error {
	_, err := tx.ExecContext(ctx, `UPDATE sessions SET
		(round, round_ended) = (SELECT coalesce(max(number), 0), coalesce(max(number) = max(number) FILTER (WHERE ended IS NOT NULL), 0)
			FROM rounds WHERE session = ?1),
		(cost, tokens) = (SELECT CASE WHEN count(*) = count(c.cost) THEN coalesce(sum(c.cost), 0) END, coalesce(sum(c.tokens), 0)
			FROM (SELECT c.cost, c.tokens FROM turns t JOIN calls c ON c.turn = t.id
				WHERE t.session = ?1 AND NOT t.inherited AND (c.state IN ('done', 'broken') OR c.tokens > 0)
			UNION ALL SELECT body ->> '$.Cost', (body ->> '$.Usage.input') + (body ->> '$.Usage.output') FROM turns
				WHERE session = ?1 AND NOT inherited AND NOT EXISTS (SELECT 1 FROM calls WHERE turn = turns.id)
					AND body ->> '$.Calls' > 0) c),
		(concluded, reported, brief, side) = (SELECT count(*), coalesce(max(body ->> '$.chair' <> ''), 0), iif(count(*) = 0, '', brief),
			iif(count(*) = 0, '', side) FROM documents WHERE session = ?1 AND kind = 'verdict'),
		settled = coalesce((SELECT o.body ->> '$.result' FROM documents o WHERE o.session = ?1 AND o.kind = 'settlement'
			AND o.round = (SELECT coalesce(max(number), 0) FROM rounds WHERE session = ?1)
			AND EXISTS (SELECT 1 FROM documents WHERE session = ?1 AND kind = 'verdict') ORDER BY o.id DESC LIMIT 1), '')
		WHERE id = ?1`, session)
	return err
}

// AddRounds plans n more rounds, counted from the last played round if the session
// ended early, and without the ending that ended it. The verdict becomes superseded,
// expired requests are reopened and a stopped session continues.
func (s *Store) AddRounds(ctx context.Context, session string, n int) (debate.Session, error) {
	if n < 1 {
		return debate.Session{}, fmt.Errorf("add %d rounds: it must be 1 or more", n)
	}
	return s.updateSession(ctx, "add-rounds", session, func(ctx context.Context, tx *sql.Tx) error {
		d, err := s.load(ctx, tx, session)
		if err != nil {
			return err
		}
		if d.Gone != "" {
			return d.Gone
		}
		planned, ends := d.Rounds, d.Ends
		if d.Verdict != nil || d.Stopped != debate.NotStopped {
			planned = len(d.History)
		}
		if d.Stopped == debate.EndedByConsensus || d.Stopped == debate.EndedByConvergence { // who continues it wants its rounds
			ends = debate.EndsPlanned
		}
		if err := d.Mode.CheckRounds(planned + n); err != nil {
			return err
		}
		if err := supersede(ctx, tx, session); err != nil {
			return err
		}
		l := ledger.Ledger{Requests: d.Requests}
		if _, err := appendEvents(ctx, tx, s.now(), session, l, l.Revive()); err != nil {
			return err
		}
		return changeHead(ctx, tx, session, func(d *debate.Session) {
			d.Rounds, d.Stopped, d.Ends = planned+n, debate.NotStopped, ends
		})
	})
}

// SetBudget replaces the caps of a session. What was spent stays counted. A verdict without the
// report that a lower budget did not allow is superseded, to be written again.
func (s *Store) SetBudget(ctx context.Context, session string, b debate.Budget) (debate.Session, error) {
	return s.updateSession(ctx, "budget", session, func(ctx context.Context, tx *sql.Tx) error {
		d, err := s.load(ctx, tx, session)
		if err != nil {
			return err
		}
		if b.USD < 0 || b.Tokens < 0 {
			return fmt.Errorf("set the budget of debate %s: a cap cannot be negative", session)
		}
		next := d.WithBudget(b)
		if err := next.CheckBudget(); err != nil {
			return err
		}
		if d.Verdict != nil && next.Verdict == nil {
			if err := supersede(ctx, tx, session); err != nil {
				return err
			}
		}
		return changeHead(ctx, tx, session, func(d *debate.Session) { d.Budget = b })
	})
}

// SetWorkspace gives a session another workspace, or none.
func (s *Store) SetWorkspace(ctx context.Context, session string, w debate.Workspace) (debate.Session, error) {
	return s.updateSession(ctx, "workspace", session, func(ctx context.Context, tx *sql.Tx) error {
		return changeHead(ctx, tx, session, func(d *debate.Session) { d.Workspace = w })
	})
}

// ChangeSeat gives a seat another model from the next round on. Earlier rounds keep theirs.
func (s *Store) ChangeSeat(ctx context.Context, session string, seat agents.ID, model agents.Profile) (debate.Session, error) {
	return s.updateSession(ctx, "seat", session, func(ctx context.Context, tx *sql.Tx) error {
		d, err := s.load(ctx, tx, session)
		if err != nil {
			return err
		}
		c, err := d.ChangeSeat(seat, model)
		if err != nil {
			return err
		}
		c.At = s.now()
		if _, err := insertDocument(ctx, tx, session, seatChangeDocument, "", c.Round, c); err != nil {
			return err
		}
		seats := d.WithSeatChange(c).AsOf(c.Round).Seats
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET outline = ? WHERE id = ?`, jsonColumn{withoutPersonas(seats)}, session)
		return err
	})
}

// Stop ends a session before its planned rounds. Turns that were due are not made.
func (s *Store) Stop(ctx context.Context, session string, reason debate.StopReason) (debate.Session, error) {
	return s.updateSession(ctx, "stop", session, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM turns WHERE session = ? AND state = 'due'`, session); err != nil {
			return err
		}
		return changeHead(ctx, tx, session, func(d *debate.Session) { d.Stopped = reason })
	})
}

// SetFocus stores the focus question of the next round; an empty text removes it.
// BeginRound moves it into the manifest.
func (s *Store) SetFocus(ctx context.Context, session string, f debate.Focus) error {
	return s.write(ctx, "focus", func(ctx context.Context, tx *sql.Tx) error {
		if err := exists(ctx, tx, session); err != nil {
			return err
		}
		return replaceDocument(ctx, tx, session, focusDocument, "", f)
	})
}

// Focus returns the focus question of the next round.
func (s *Store) Focus(ctx context.Context, session string) (debate.Focus, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) (debate.Focus, error) { return loadFocus(ctx, tx, session) })
}

func loadFocus(ctx context.Context, tx *sql.Tx, session string) (debate.Focus, error) {
	all, err := documentsOf[debate.Focus](ctx, tx, session, focusDocument)
	if err != nil || len(all) == 0 {
		return debate.Focus{}, cmp.Or(err, exists(ctx, tx, session))
	}
	return all[0], nil
}

// SaveVerdict stores the verdict of a session, which ends it: open requests expire.
// An earlier verdict is kept as superseded.
func (s *Store) SaveVerdict(ctx context.Context, session string, v debate.Verdict) (debate.Session, error) {
	return s.updateSession(ctx, "verdict", session, func(ctx context.Context, tx *sql.Tx) error {
		if err := supersede(ctx, tx, session); err != nil {
			return err
		}
		if err := insertVerdict(ctx, tx, session, v); err != nil {
			return err
		}
		l, err := loadLedger(ctx, tx, session)
		if err != nil {
			return err
		}
		if _, err = appendEvents(ctx, tx, s.now(), session, l, l.Expire()); err != nil {
			return err
		}
		return s.setLine(ctx, tx, session)
	})
}

// setLine stores what lists show of the verdict of a session, if it has one.
func (s *Store) setLine(ctx context.Context, tx *sql.Tx, session string) error {
	var concluded bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM documents WHERE session = ? AND kind = ?)`, session,
		verdictDocument).Scan(&concluded)
	if err != nil || !concluded || s.options.Line == nil {
		return err
	}
	d, err := s.load(ctx, tx, session)
	if err != nil {
		return err
	}
	line, side := s.options.Line(d)
	_, err = tx.ExecContext(ctx, `UPDATE sessions SET brief = ?, side = ? WHERE id = ?`, line, side, session)
	return err
}

func insertVerdict(ctx context.Context, tx *sql.Tx, session string, v debate.Verdict) error {
	id, err := insertDocument(ctx, tx, session, verdictDocument, "", v.Round, v)
	if err != nil {
		return err
	}
	return addSearchText(ctx, tx, searchText{Session: session, Kind: debate.InVerdict, Source: id, Text: v.Text})
}

func supersede(ctx context.Context, tx *sql.Tx, session string) error {
	_, err := tx.ExecContext(ctx, `UPDATE documents SET kind = ? WHERE session = ? AND kind = ?`, supersededDocument,
		session, verdictDocument)
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM texts WHERE session = ? AND kind = ?`, session, debate.InVerdict)
	}
	return err
}
