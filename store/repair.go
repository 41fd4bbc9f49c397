package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// Repair closes what a process that is gone left running: its turns become
// interrupted, with the text that came of them. The caller holds the lock of the
// session. What is closed once stays as it is: repairing again changes nothing.
func (s *Store) Repair(ctx context.Context, session string) (debate.Session, error) {
	var out debate.Session
	err := s.write(ctx, "repair", func(ctx context.Context, tx *sql.Tx) error {
		ids, err := rowsOf(ctx, tx, func(row *sql.Rows) (int64, error) {
			var id int64
			return id, row.Scan(&id)
		}, `SELECT id FROM turns WHERE session = ? AND state = 'running' ORDER BY id`, session)
		if err != nil {
			return err
		}
		for _, id := range ids {
			end, err := endOf(ctx, tx, id)
			if err != nil {
				return err
			}
			if err := settleLost(ctx, tx, end.lost); err != nil {
				return err
			}
			if err := keepJournal(ctx, tx, id); err != nil {
				return err
			}
			if err := closeTurn(ctx, tx, id, end.apply(debate.Response{})); err != nil {
				return err
			}
		}
		if len(ids) > 0 {
			if err := errors.Join(s.touch(ctx, tx, session), refresh(ctx, tx, session)); err != nil {
				return err
			}
		}
		out, err = load(ctx, tx, session)
		return err
	})
	if err != nil {
		return debate.Session{}, err // what was not committed is not handed out
	}
	return out, nil
}

// cutOff returns the session as Repair would leave it, without writing.
func cutOff(ctx context.Context, tx *sql.Tx, d debate.Session) (debate.Session, error) {
	for _, round := range d.History {
		for i, r := range round.Responses {
			if r.State != debate.TurnRunning {
				continue
			}
			id, err := runningTurn(ctx, tx, r.Turn)
			if err != nil {
				return d, err
			}
			end, err := endOf(ctx, tx, id)
			if err != nil {
				return d, err
			}
			round.Responses[i] = end.apply(r)
		}
	}
	return d, nil
}

// end is what the rows of an interrupted turn say about how far it came.
type end struct {
	last  time.Time // sign of life
	usage agents.Usage
	cost  *float64
	sent  int
	lost  lost
}

func endOf(ctx context.Context, tx *sql.Tx, turn int64) (end, error) {
	var e end
	var cost sql.NullFloat64
	var known bool
	err := tx.QueryRowContext(ctx, `SELECT
		max(coalesce(t.began, 0), coalesce((SELECT max(max(began, coalesce(ended, 0))) FROM calls WHERE turn = t.id), 0),
			coalesce((SELECT max(began + took) FROM tool_calls WHERE turn = t.id), 0), coalesce((SELECT max(at) FROM partials WHERE turn = t.id), 0)),
		count(c.n), coalesce(sum(c.input), 0), coalesce(sum(c.output), 0), coalesce(sum(c.reasoning), 0), coalesce(max(c.estimated), 0),
		count(*) FILTER (WHERE `+counted+`) = count(c.cost) FILTER (WHERE `+counted+`), sum(c.cost)
		FROM turns t LEFT JOIN calls c ON c.turn = t.id WHERE t.id = ?`, turn).Scan(
		moment{&e.last}, &e.sent, &e.usage.Input, &e.usage.Output, &e.usage.Reasoning, &e.usage.Estimated, &known, &cost)
	if err != nil {
		return e, err
	}
	if cost.Valid && known {
		e.cost = &cost.Float64
	}
	if e.lost, err = lostOf(ctx, tx, turn); err != nil || e.lost.call == 0 {
		return e, err
	}
	e.usage = e.usage.Add(e.lost.usage)
	if !known || e.lost.cost == nil {
		e.cost = nil
		return e, nil
	}
	sum := cost.Float64 + *e.lost.cost
	e.cost = &sum
	return e, nil
}

// lost is what a completion took whose process ended before it did: its prompt, and
// what came of its answer. Both are estimates; the server may have gone on.
type lost struct {
	call  int64 // 0: none was under way, or nothing is known of it
	usage agents.Usage
	cost  *float64
}

func lostOf(ctx context.Context, tx *sql.Tx, turn int64) (lost, error) {
	l := lost{usage: agents.Usage{Estimated: true}}
	var who agents.ID
	var purpose debate.Purpose
	var d debate.Session
	err := tx.QueryRowContext(ctx, `SELECT c.id, c.estimate, t.agent, t.purpose, s.seats, s.chair, s.light
		FROM calls c JOIN turns t ON t.id = c.turn JOIN sessions s ON s.id = t.session WHERE c.turn = ? AND c.state = 'sent' AND c.estimate > 0`, turn).Scan(
		&l.call, &l.usage.Input, &who, &purpose, document{&d.Seats}, document{&d.Chair}, document{&d.Light})
	if errors.Is(err, sql.ErrNoRows) {
		return lost{}, nil
	}
	if err != nil {
		return lost{}, err
	}
	pieces, err := rowsOf(ctx, tx, scanPiece, `SELECT turn, passage, reasoning, text FROM partials WHERE turn = ? ORDER BY id`, turn)
	if err != nil {
		return lost{}, err
	}
	for _, k := range joinPieces(pieces) {
		thought := agents.Tokens(k.reasoning.String())
		l.usage.Reasoning += thought
		l.usage.Output += thought + agents.Tokens(k.text.String())
	}
	l.cost = d.SpeakerOf(purpose, who).Cost(l.usage)
	return l, nil
}

// settleLost writes what a lost completion took.
func settleLost(ctx context.Context, tx *sql.Tx, l lost) error {
	_, err := tx.ExecContext(ctx, `UPDATE calls SET input = ?, output = ?, reasoning = ?, estimated = 1, cost = ? WHERE id = ?`,
		l.usage.Input, l.usage.Output, l.usage.Reasoning, l.cost, l.call)
	return err
}

// apply returns a running turn as it is when nobody plays it any more.
func (e end) apply(r debate.Response) debate.Response {
	r.State, r.Ended = debate.TurnInterrupted, e.last
	r.Usage, r.Cost, r.Calls = e.usage, e.cost, e.sent
	r.Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "Roundtable stopped during this answer.", Retryable: true}
	r.Passages = slices.Clone(r.Passages)
	for i := range r.Passages {
		tools := slices.Clone(r.Passages[i].Tools)
		for k, t := range tools {
			switch t.State {
			case debate.ToolRunning:
				tools[k] = aborted(t, effectUnknown)
			case debate.ToolPending:
				tools[k] = aborted(t, neverRan)
			case debate.ToolDone: // it stays as it is
			}
		}
		r.Passages[i].Tools = tools
	}
	return r
}

func aborted(t debate.ToolRecord, text string) debate.ToolRecord {
	t.State = debate.ToolDone
	t.Result = agents.ToolResult{Status: agents.ToolAborted, Text: text, Summary: text}
	return t
}
