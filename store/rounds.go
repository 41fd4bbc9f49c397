package store

import (
	"context"
	"database/sql"
	"fmt"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// BeginRound passes the gate once more and writes the release of the answers, the
// manifest and the round together. It returns the session as it stands then; the
// error is a *debate.BlockedError while required requests are open, or ErrNotReady.
func (s *Store) BeginRound(ctx context.Context, session string, round int) (debate.Session, error) {
	return s.change(ctx, "round", session, func(ctx context.Context, tx *sql.Tx) error {
		d, err := load(ctx, tx, session)
		if err != nil {
			return err
		}
		if next := d.Next(); next != round {
			return fmt.Errorf("begin round %d of session %s, when the next is %d: %w", round, session, next, debate.ErrNotReady)
		}
		focus, err := focusOf(ctx, tx, session)
		if err != nil {
			return err
		}
		manifest, release, err := d.Begin(focus)
		if err != nil {
			return err
		}
		if _, err := s.append(ctx, tx, session, ledger.Ledger{Requests: d.Requests}, release); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO rounds (session, number, hash, began, manifest) VALUES (?, ?, ?, ?, ?)`,
			session, manifest.Round, manifest.Hash(), stamp(s.now()), document{manifest})
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET focus = '' WHERE id = ?`, session)
		return err
	})
}

// EndRound ends a round, and the session with it for the given reason unless an open
// request vetoes that. A round whose failed seat was retried is ended again.
func (s *Store) EndRound(ctx context.Context, session string, round int, c debate.Consensus, ending debate.StopReason) (debate.Session, error) {
	return s.change(ctx, "round-end", session, func(ctx context.Context, tx *sql.Tx) error {
		missing := fmt.Errorf("end round %d of session %s, which has not begun: %w", round, session, debate.ErrNotReady)
		if err := execOne(ctx, tx, missing, `UPDATE rounds SET ended = ?, consensus = ? WHERE session = ? AND number = ?`, stamp(s.now()), document{c}, session, round); err != nil {
			return err
		}
		d, err := load(ctx, tx, session)
		if err != nil || d.Stopped.Forced() { // who has ended it stays recorded
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

// change runs fn, brings what lists show of a session up to date, and returns the
// session as it stands afterwards, all in one transaction.
func (s *Store) change(ctx context.Context, point, session string, fn func(context.Context, *sql.Tx) error) (debate.Session, error) {
	var after debate.Session
	err := s.write(ctx, point, func(ctx context.Context, tx *sql.Tx) error {
		if err := s.touch(ctx, tx, session); err != nil {
			return err
		}
		if err := fn(ctx, tx); err != nil {
			return err
		}
		if err := refresh(ctx, tx, session); err != nil {
			return err
		}
		var err error
		after, err = load(ctx, tx, session)
		return err
	})
	if err != nil {
		return debate.Session{}, err // what was not committed is not handed out
	}
	return after, nil
}

// counted says which calls c have a cost: those that have ended, and of those that
// were interrupted the ones of which it is known what they took.
const counted = `(c.state IN ('done', 'broken') OR c.input + c.output > 0)`

// refresh counts anew what lists show of rounds and costs.
func refresh(ctx context.Context, tx *sql.Tx, session string) error {
	_, err := tx.ExecContext(ctx, `UPDATE sessions SET
		(round, round_ended) = (SELECT coalesce(max(number), 0), coalesce(max(number) = max(number) FILTER (WHERE ended IS NOT NULL), 0) FROM rounds WHERE session = ?1),
		(cost, tokens) = (SELECT CASE WHEN count(*) = count(c.cost) THEN coalesce(sum(c.cost), 0) END, coalesce(sum(c.input + c.output), 0)
			FROM turns t JOIN calls c ON c.turn = t.id WHERE t.session = ?1 AND `+counted+`),
		(concluded, outcome) = (SELECT count(*), coalesce(max(outcome), '') FROM verdicts WHERE session = ?1 AND superseded IS NULL)
		WHERE id = ?1`, session)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE sessions SET missing = CASE WHEN round_ended THEN
		json_array_length(outline) - (SELECT count(DISTINCT agent) FROM turns WHERE session = ?1 AND round = sessions.round AND step >= 0 AND state = 'done')
		ELSE 0 END WHERE id = ?1`, session)
	return err
}

// AddRounds plans n more rounds: after an end that came early, n from there, which
// the ending that has come true does not end again. The verdict is kept as
// superseded, requests that expired are open again, and a stopped session goes on.
func (s *Store) AddRounds(ctx context.Context, session string, n int) (debate.Session, error) {
	if n < 1 {
		return debate.Session{}, fmt.Errorf("add %d rounds: it must be 1 or more", n)
	}
	return s.change(ctx, "add-rounds", session, func(ctx context.Context, tx *sql.Tx) error {
		d, err := load(ctx, tx, session)
		if err != nil {
			return err
		}
		planned, endings := d.Rounds, d.EndConditions.Without(d.Stopped)
		if d.Verdict != nil || d.Stopped != debate.NotStopped {
			planned = len(d.History)
		}
		if err := s.supersede(ctx, tx, session); err != nil {
			return err
		}
		l := ledger.Ledger{Requests: d.Requests}
		if _, err := s.append(ctx, tx, session, l, l.Revive()); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET rounds = ?, stopped = '', endings = ? WHERE id = ?`, planned+n, document{endings}, session)
		return err
	})
}

// SetMode keeps the lists that a session's mode was filled with. Once a member has
// begun to speak it is as it is.
func (s *Store) SetMode(ctx context.Context, session string, m debate.Mode) (debate.Session, error) {
	return s.change(ctx, "mode", session, func(ctx context.Context, tx *sql.Tx) error {
		begun := fmt.Errorf("change the mode of session %s, in which members have spoken: %w", session, debate.ErrNotReady)
		return execOne(ctx, tx, begun, `UPDATE sessions SET mode = ?1 WHERE id = ?2
			AND NOT EXISTS (SELECT 1 FROM turns WHERE session = ?2 AND step >= 0)`, document{m}, session)
	})
}

// SetBudget gives a session other caps. What has been spent stays counted.
func (s *Store) SetBudget(ctx context.Context, session string, b debate.Budget) (debate.Session, error) {
	return s.change(ctx, "budget", session, func(ctx context.Context, tx *sql.Tx) error {
		d, err := load(ctx, tx, session)
		if err != nil {
			return err
		}
		if d.Budget = b; b.USD < 0 || b.Tokens < 0 {
			return fmt.Errorf("set the budget of session %s: a cap cannot be negative", session)
		}
		if err := d.CheckBudget(); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET budget = ? WHERE id = ?`, document{b}, session)
		return err
	})
}

// Stop ends a session other than by its planned rounds. Open requests expire with the verdict.
func (s *Store) Stop(ctx context.Context, session string, reason debate.StopReason) (debate.Session, error) {
	switch reason {
	case debate.StoppedByUser, debate.StoppedByBudget, debate.EndedByConsensus, debate.EndedByConvergence:
	default:
		return debate.Session{}, fmt.Errorf("stop session %s: %q is not a reason", session, reason)
	}
	return s.change(ctx, "stop", session, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE sessions SET stopped = ? WHERE id = ?`, reason, session)
		return err
	})
}

// SetFocus keeps a question for the next round; an empty one takes it back. The
// round that begins next has it in its manifest, whichever of its turns fail.
func (s *Store) SetFocus(ctx context.Context, session, text string) error {
	return s.write(ctx, "focus", func(ctx context.Context, tx *sql.Tx) error {
		return execOne(ctx, tx, noSession(session), `UPDATE sessions SET focus = ? WHERE id = ? AND deleted IS NULL`, text, session)
	})
}

// Focus returns the question that the next round will be given.
func (s *Store) Focus(ctx context.Context, session string) (string, error) {
	var focus string
	err := s.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var err error
		focus, err = focusOf(ctx, tx, session)
		return err
	})
	return focus, err
}

func focusOf(ctx context.Context, tx *sql.Tx, session string) (string, error) {
	var focus string
	err := tx.QueryRowContext(ctx, `SELECT focus FROM sessions WHERE id = ? AND deleted IS NULL`, session).Scan(&focus)
	if err == sql.ErrNoRows {
		err = noSession(session)
	}
	return focus, err
}
