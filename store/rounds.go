package store

import (
	"context"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// BeginRound checks the gate again and stores the released answers, the manifest and
// the round. The error is a *debate.BlockedError while required requests are open,
// or wraps debate.ErrNotReady.
func (s *Store) BeginRound(ctx context.Context, session string, round int) (debate.Session, error) {
	return s.updateSession(ctx, "round", session, func(tx *transaction) {
		d := s.load(tx, session)
		if next := d.Next(); next != round {
			tx.failed(fmt.Errorf("begin round %d of debate %s, when the next is %d: %w", round, session, next, debate.ErrNotReady))
		}
		focus := documentOf[debate.Focus](tx, session, focusDocument, "")
		if tx.err != nil {
			return
		}
		manifest, release, err := d.Begin(focus)
		if tx.failed(err) {
			return
		}
		appendEvents(tx, s.now(), session, ledger.Ledger{Requests: d.Requests}, release)
		began := debate.Round{Hash: manifest.Hash(), Began: s.now(), Manifest: manifest}
		tx.exec(`INSERT INTO rounds (session, number, body) VALUES (?, ?, ?)`, session, manifest.Round, jsonColumn{began})
		deleteDocument(tx, session, focusDocument, "")
	})
}

// EndRound ends a round, and with it the session for the given reason unless an open
// request vetoes that. A round is ended again after a failed seat was retried.
func (s *Store) EndRound(
	ctx context.Context, session string, round int, same *debate.SameFindings, ending debate.StopReason,
) (debate.Session, error) {
	return s.updateSession(ctx, "round-end", session, func(tx *transaction) {
		missing := fmt.Errorf("end round %d of debate %s, which has not begun: %w", round, session, debate.ErrNotReady)
		tx.change(missing, `UPDATE rounds SET ended = ?, body = json_set(body, '$.Same', json(?)) WHERE session = ? AND number = ?`,
			timestamp(s.now()), jsonColumn{&same}, session, round)
		d := s.load(tx, session)
		if tx.err != nil || d.Stopped.Forced() { // the reason of the user or the budget is kept
			return
		}
		d.Stopped = debate.NotStopped // an earlier ending may no longer hold
		if d.Verdict != nil || d.Vetoes(ending) {
			ending = debate.NotStopped
		}
		changeHead(tx, session, func(d *debate.Session) { d.Stopped = ending })
	})
}

// updateSession runs fn, updates the summary of the session and returns the session
// as it is then, in one transaction.
func (s *Store) updateSession(ctx context.Context, point, session string, fn func(*transaction)) (debate.Session, error) {
	return update(ctx, s, point, func(tx *transaction) debate.Session {
		touch(tx, session, s.now())
		fn(tx)
		refreshSummary(tx, session)
		return s.load(tx, session)
	})
}

func (s *Store) refresh(tx *transaction, session string) {
	touch(tx, session, s.now())
	refreshSummary(tx, session)
}

// refreshSummary updates what the summary of a session says about its rounds and costs. A call
// costs that has ended, or whose usage is known although it was interrupted; a turn without
// calls came with an import, and costs what it says itself.
func refreshSummary(tx *transaction, session string) {
	tx.exec(`UPDATE sessions SET
		(round, round_ended) = (SELECT coalesce(max(number), 0), coalesce(max(number) = max(number) FILTER (WHERE ended IS NOT NULL), 0)
			FROM rounds WHERE session = ?1),
		(cost, tokens) = (SELECT CASE WHEN count(*) = count(c.cost) THEN round(coalesce(sum(c.cost), 0), 12) END, coalesce(sum(c.tokens), 0)
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
}

// AddRounds plans n more rounds, counted from the last played round if the session
// ended early, and without the ending that ended it. The verdict becomes superseded,
// requests without an answer block a round again and a stopped session continues.
func (s *Store) AddRounds(ctx context.Context, session string, n int) (debate.Session, error) {
	return s.updateSession(ctx, "add-rounds", session, func(tx *transaction) {
		d := s.load(tx, session)
		if d.Gone != "" {
			tx.failed(d.Gone)
		}
		planned, ends := d.Rounds, d.Ends
		if d.Verdict != nil || d.Stopped != debate.NotStopped {
			planned = len(d.History)
		}
		if d.Stopped == debate.EndedByConsensus || d.Stopped == debate.EndedByConvergence { // who continues it wants its rounds
			ends = debate.EndsPlanned
		}
		planned = d.Mode.Whole(planned + n)
		tx.failed(d.Mode.CheckRounds(planned))
		supersede(tx, session)
		l := ledger.Ledger{Requests: d.Requests}
		appendEvents(tx, s.now(), session, l, l.Revive())
		changeHead(tx, session, func(d *debate.Session) { d.Rounds, d.Stopped, d.Ends = planned, debate.NotStopped, ends })
	})
}

// SetBudget replaces the caps of a session. What was spent stays counted. A verdict without the
// report that a lower budget did not allow is superseded, to be written again.
func (s *Store) SetBudget(ctx context.Context, session string, b debate.Budget) (debate.Session, error) {
	return s.updateSession(ctx, "budget", session, func(tx *transaction) {
		d := s.load(tx, session)
		next := d.WithBudget(b)
		if tx.failed(next.CheckBudget()); b.USD < 0 || b.Tokens < 0 {
			tx.failed(fmt.Errorf("set the budget of debate %s: a cap cannot be negative", session))
		}
		if d.Verdict != nil && next.Verdict == nil {
			supersede(tx, session)
		}
		changeHead(tx, session, func(d *debate.Session) { d.Budget = b })
	})
}

// SetWorkspace gives a session another workspace, or none.
func (s *Store) SetWorkspace(ctx context.Context, session string, w debate.Workspace) (debate.Session, error) {
	return s.updateSession(ctx, "workspace", session, func(tx *transaction) {
		changeHead(tx, session, func(d *debate.Session) { d.Workspace = w })
	})
}

// ChangeSeat gives a seat another model from the next round on. Earlier rounds keep theirs.
func (s *Store) ChangeSeat(ctx context.Context, session string, seat agents.ID, model agents.Profile) (debate.Session, error) {
	return s.updateSession(ctx, "seat", session, func(tx *transaction) {
		d := s.load(tx, session)
		c, err := d.ChangeSeat(seat, model)
		if tx.failed(err) {
			return
		}
		c.At = s.now()
		insertDocument(tx, session, seatChangeDocument, "", c.Round, c)
		seats := d.WithSeatChange(c).AsOf(c.Round).Seats
		tx.exec(`UPDATE sessions SET outline = ? WHERE id = ?`, jsonColumn{withoutPersonas(seats)}, session)
	})
}

// Stop ends a session before its planned rounds. Turns that were due are not made.
func (s *Store) Stop(ctx context.Context, session string, reason debate.StopReason) (debate.Session, error) {
	return s.updateSession(ctx, "stop", session, func(tx *transaction) {
		tx.exec(`DELETE FROM turns WHERE session = ? AND state = 'due'`, session)
		changeHead(tx, session, func(d *debate.Session) { d.Stopped = reason })
	})
}

// SetFocus stores the focus question of the next round; an empty text removes it.
// BeginRound moves it into the manifest.
func (s *Store) SetFocus(ctx context.Context, session string, f debate.Focus) error {
	return s.write(ctx, "focus", func(tx *transaction) {
		exists(tx, session)
		replaceDocument(tx, session, focusDocument, "", f)
	})
}

// Focus returns the focus question of the next round.
func (s *Store) Focus(ctx context.Context, session string) (debate.Focus, error) {
	return view(ctx, s, func(tx *transaction) debate.Focus {
		exists(tx, session)
		return documentOf[debate.Focus](tx, session, focusDocument, "")
	})
}

// SaveVerdict stores the verdict of a session, which ends it: open requests expire.
// An earlier verdict is kept as superseded.
func (s *Store) SaveVerdict(ctx context.Context, session string, v debate.Verdict) (debate.Session, error) {
	return s.updateSession(ctx, "verdict", session, func(tx *transaction) {
		supersede(tx, session)
		id := insertDocument(tx, session, verdictDocument, "", v.Round, v)
		addSearchText(tx, searchText{Session: session, Kind: debate.InVerdict, Source: id, Text: v.Text})
		l := loadLedger(tx, session)
		appendEvents(tx, s.now(), session, l, l.Expire())
		s.setLine(tx, session)
	})
}

// setLine stores what lists show of the verdict of a session, if it has one.
func (s *Store) setLine(tx *transaction, session string) {
	if s.options.Line == nil || !concluded(tx, session) {
		return
	}
	if d := s.load(tx, session); tx.err == nil {
		line, side, cautions := s.options.Line(d)
		tx.exec(`UPDATE sessions SET brief = ?, side = ? WHERE id = ?`, line, side, session)
		tx.exec(`DELETE FROM texts WHERE session = ?1 AND kind = ?2 AND source IN
			(SELECT id FROM documents WHERE session = ?1 AND kind = ?3)`, session, debate.InVerdict, cautionsDocument)
		deleteDocument(tx, session, cautionsDocument, "")
		if told := strings.Join(cautions, "\n"); told != "" {
			id := insertDocument(tx, session, cautionsDocument, "", 0, debate.Verdict{Text: told})
			addSearchText(tx, searchText{Session: session, Kind: debate.InVerdict, Source: id, Text: told})
		}
	}
}

func concluded(tx *transaction, session string) bool {
	return one(tx, column[int], `SELECT count(*) FROM documents WHERE session = ? AND kind = ?`, session, verdictDocument) > 0
}

func supersede(tx *transaction, session string) {
	tx.exec(`UPDATE documents SET kind = ? WHERE session = ? AND kind = ?`, supersededDocument, session, verdictDocument)
	tx.exec(`DELETE FROM texts WHERE session = ? AND kind = ?`, session, debate.InVerdict)
	deleteDocument(tx, session, cautionsDocument, "")
}
