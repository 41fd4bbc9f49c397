package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

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
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET focus = '', focus_author = '{}' WHERE id = ?`, session)
		return err
	})
}

// roundResult is what is stored of a round beside its turns.
type roundResult struct {
	Same *debate.SameFindings `json:"same_findings,omitempty"`
}

// insertRound stores a round without its responses.
func insertRound(ctx context.Context, tx *sql.Tx, session string, r debate.Round) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO rounds (session, number, hash, began, ended, manifest, consensus)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, session, r.Number, r.Hash, timestamp(r.Began), timestamp(r.Ended), jsonColumn{r.Manifest},
		jsonColumn{roundResult{r.Same}})
	return err
}

// EndRound ends a round, and with it the session for the given reason unless an open
// request vetoes that. A round is ended again after a failed seat was retried.
func (s *Store) EndRound(
	ctx context.Context, session string, round int, same *debate.SameFindings, ending debate.StopReason,
) (debate.Session, error) {
	return s.updateSession(ctx, "round-end", session, func(ctx context.Context, tx *sql.Tx) error {
		missing := fmt.Errorf("end round %d of debate %s, which has not begun: %w", round, session, debate.ErrNotReady)
		if err := execOne(ctx, tx, missing, `UPDATE rounds SET ended = ?, consensus = ? WHERE session = ? AND number = ?`,
			timestamp(s.now()), jsonColumn{roundResult{same}}, session, round); err != nil {
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
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET stopped = ? WHERE id = ?`, ending, session)
		return err
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

// refresh sets the time of the last change of a session to now, and updates its summary.
func (s *Store) refresh(ctx context.Context, tx *sql.Tx, session string) error {
	if err := touch(ctx, tx, session, s.now()); err != nil {
		return err
	}
	return refreshSummary(ctx, tx, session)
}

// hasCost is the condition that a call c has ended, or that its usage is known
// although it was interrupted.
const hasCost = `(c.state IN ('done', 'broken') OR c.input + c.output > 0)`

// refreshSummary updates what the summary of a session says about its rounds and
// costs.
func refreshSummary(ctx context.Context, tx *sql.Tx, session string) error {
	_, err := tx.ExecContext(ctx, `UPDATE sessions SET
		(round, round_ended) = (SELECT coalesce(max(number), 0), coalesce(max(number) = max(number) FILTER (WHERE ended IS NOT NULL), 0)
			FROM rounds WHERE session = ?1),
		(cost, tokens) = (SELECT CASE WHEN count(*) = count(c.cost) THEN coalesce(sum(c.cost), 0) END, coalesce(sum(c.input + c.output), 0)
			FROM (SELECT c.cost, c.input, c.output FROM turns t JOIN calls c ON c.turn = t.id
				WHERE t.session = ?1 AND NOT t.inherited AND `+hasCost+`
			UNION ALL SELECT cost, input, output FROM turns WHERE session = ?1 AND NOT inherited AND sent > 0
				AND NOT EXISTS (SELECT 1 FROM calls WHERE turn = turns.id)) c), -- an import of schema 25 has turns and no calls
		(concluded, outcome, brief, side) = (SELECT count(*), coalesce(max(outcome), ''), iif(count(*) = 0, '', brief),
			iif(count(*) = 0, '', side) FROM verdicts WHERE session = ?1 AND superseded IS NULL),
		settled = (SELECT coalesce(max(o.result), '')
			FROM verdicts v LEFT JOIN settlements o ON o.id = (SELECT max(id) FROM settlements WHERE session = ?1
				AND rounds = (SELECT coalesce(max(number), 0) FROM rounds WHERE session = ?1))
			WHERE v.session = ?1 AND v.superseded IS NULL)
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
		if err := supersede(ctx, tx, session, s.now()); err != nil {
			return err
		}
		l := ledger.Ledger{Requests: d.Requests}
		if _, err := appendEvents(ctx, tx, s.now(), session, l, l.Revive()); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET rounds = ?, stopped = '', endings = json_object('ends', ?)
			WHERE id = ?`, planned+n, ends, session)
		return err
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
			if err := supersede(ctx, tx, session, s.now()); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET budget = ? WHERE id = ?`, jsonColumn{b}, session)
		return err
	})
}

// SetWorkspace gives a session another workspace, or none.
func (s *Store) SetWorkspace(ctx context.Context, session string, w debate.Workspace) (debate.Session, error) {
	return s.updateSession(ctx, "workspace", session, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE sessions SET workspace = ? WHERE id = ?`, jsonColumn{w}, session)
		return err
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
		if err := insertSeatChange(ctx, tx, session, c); err != nil {
			return err
		}
		seats := d.WithSeatChange(c).AsOf(c.Round).Seats
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET outline = ? WHERE id = ?`, jsonColumn{withoutPersonas(seats)}, session)
		return err
	})
}

func insertSeatChange(ctx context.Context, tx *sql.Tx, session string, c debate.SeatChange) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO seat_changes (session, round, agent, was, now, at) VALUES (?, ?, ?, ?, ?, ?)`,
		session, c.Round, c.Agent, jsonColumn{c.Was}, jsonColumn{c.Now}, timestamp(c.At))
	return err
}

// Stop ends a session before its planned rounds. Turns that were due are not made.
func (s *Store) Stop(ctx context.Context, session string, reason debate.StopReason) (debate.Session, error) {
	switch reason {
	case debate.StoppedByUser, debate.StoppedByBudget, debate.EndedByConsensus, debate.EndedByConvergence:
	default:
		return debate.Session{}, fmt.Errorf("stop debate %s: %q is not a reason", session, reason)
	}
	return s.updateSession(ctx, "stop", session, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM turns WHERE session = ? AND state = 'due'`, session); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE sessions SET stopped = ? WHERE id = ?`, reason, session)
		return err
	})
}

// SetFocus stores the focus question of the next round; an empty text removes it.
// BeginRound moves it into the manifest.
func (s *Store) SetFocus(ctx context.Context, session string, f debate.Focus) error {
	return s.write(ctx, "focus", func(ctx context.Context, tx *sql.Tx) error {
		return execOne(ctx, tx, sessionNotFound(session),
			`UPDATE sessions SET focus = ?, focus_author = ? WHERE id = ? AND deleted IS NULL`,
			f.Text, jsonColumn{f.Author}, session)
	})
}

// Focus returns the focus question of the next round.
func (s *Store) Focus(ctx context.Context, session string) (debate.Focus, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) (debate.Focus, error) { return loadFocus(ctx, tx, session) })
}

func loadFocus(ctx context.Context, tx *sql.Tx, session string) (f debate.Focus, err error) {
	err = tx.QueryRowContext(ctx, `SELECT focus, focus_author FROM sessions WHERE id = ? AND deleted IS NULL`, session).
		Scan(&f.Text, jsonColumn{&f.Author})
	if err == sql.ErrNoRows {
		err = sessionNotFound(session)
	}
	return f, err
}

// SaveVerdict stores the verdict of a session, which ends it: open requests expire.
// An earlier verdict is kept as superseded.
func (s *Store) SaveVerdict(ctx context.Context, session string, v debate.Verdict) (debate.Session, error) {
	return s.updateSession(ctx, "verdict", session, func(ctx context.Context, tx *sql.Tx) error {
		if err := supersede(ctx, tx, session, s.now()); err != nil {
			return err
		}
		if err := insertVerdict(ctx, tx, session, s.now(), v); err != nil {
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
	err := tx.QueryRowContext(ctx, `SELECT count(*) > 0 FROM verdicts WHERE session = ? AND superseded IS NULL`, session).Scan(&concluded)
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

// noReport is the outcome of a verdict without a report.
const noReport = "no_synthesis"

// insertVerdict stores a verdict and makes it searchable.
func insertVerdict(ctx context.Context, tx *sql.Tx, session string, at time.Time, v debate.Verdict) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO verdicts (session, at, outcome, body) VALUES (?, ?, iif(? = '', ?, 'full'), ?)`,
		session, timestamp(at), v.Chair, noReport, jsonColumn{v})
	if err != nil {
		return err
	}
	return addSearchText(ctx, tx, searchText{Session: session, Kind: debate.InVerdict, Text: v.Text})
}

// supersede marks the verdict of a session as superseded since a time.
func supersede(ctx context.Context, tx *sql.Tx, session string, at time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE verdicts SET superseded = ? WHERE session = ? AND superseded IS NULL`, timestamp(at), session)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM texts WHERE session = ? AND kind IN ('verdict', 'finding', 'caution')`, session)
	return err
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
			if err := insertNotice(ctx, tx, session, n); err != nil {
				return err
			}
		}
		return nil
	})
}

func insertNotice(ctx context.Context, tx *sql.Tx, session string, n debate.Notice) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO notices (session, at, code, agent, round, text) VALUES (?, ?, ?, ?, ?, ?)`,
		session, timestamp(n.At), n.Code, n.Agent, n.Round, n.Text)
	return err
}
