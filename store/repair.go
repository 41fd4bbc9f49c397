package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// Repair ends the turns that a crashed process left running: they become interrupted
// and keep the text that was journaled. The caller holds the lock of the session.
// Repairing again changes nothing.
func (s *Store) Repair(ctx context.Context, session string) (debate.Session, error) {
	return update(ctx, s, "repair", func(ctx context.Context, tx *sql.Tx) (d debate.Session, err error) {
		ids, err := rowsOf(ctx, tx, column[int64], `SELECT id FROM turns WHERE session = ? AND state = 'running' ORDER BY id`, session)
		if err != nil {
			return d, err
		}
		for _, id := range ids {
			if err := interrupt(ctx, tx, id); err != nil {
				return d, err
			}
		}
		if len(ids) > 0 {
			if err := s.refresh(ctx, tx, session); err != nil {
				return d, err
			}
		}
		return s.load(ctx, tx, session)
	})
}

func interrupt(ctx context.Context, tx *sql.Tx, turn int64) error {
	end, err := loadInterruption(ctx, tx, turn)
	if err != nil {
		return err
	}
	if err := recordUnfinishedCall(ctx, tx, end.call); err != nil {
		return err
	}
	if err := flushJournal(ctx, tx, turn); err != nil {
		return err
	}
	return closeTurn(ctx, tx, turn, end.apply(debate.Response{}))
}

// showInterrupted returns the session as Repair would leave it, without writing.
func showInterrupted(ctx context.Context, tx *sql.Tx, d debate.Session) (debate.Session, error) {
	for _, round := range d.History {
		for i, r := range round.Responses {
			shown, err := interrupted(ctx, tx, r)
			if err != nil {
				return d, err
			}
			round.Responses[i] = shown
		}
	}
	for i, f := range d.FollowUps {
		shown, err := interrupted(ctx, tx, f.Response)
		if err != nil {
			return d, err
		}
		d.FollowUps[i].Response = shown
	}
	return showAuxiliary(ctx, tx, d)
}

// showAuxiliary adds what the running turns of others than members used, which loadAuxiliary
// leaves out.
func showAuxiliary(ctx context.Context, tx *sql.Tx, d debate.Session) (debate.Session, error) {
	type running struct {
		id      int64
		purpose debate.Purpose
	}
	all, err := rowsOf(ctx, tx, func(row *sql.Rows) (r running, err error) {
		return r, row.Scan(&r.id, &r.purpose)
	}, `SELECT id, purpose FROM turns WHERE session = ? AND state = 'running' AND step < 0 ORDER BY id`, d.ID)
	if err != nil {
		return d, err
	}
	for _, turn := range all {
		end, err := loadInterruption(ctx, tx, turn.id)
		if err != nil {
			return d, err
		}
		d = d.WithAuxiliaryTurn(turn.purpose, end.apply(debate.Response{}))
	}
	slices.SortStableFunc(d.AuxiliarySpending, func(a, b debate.Spending) int { return cmp.Compare(a.Purpose, b.Purpose) })
	return d, nil
}

// interrupted returns a running turn as Repair would leave it, and others as they are.
func interrupted(ctx context.Context, tx *sql.Tx, r debate.Response) (debate.Response, error) {
	if r.State != debate.TurnRunning {
		return r, nil
	}
	id, err := runningTurn(ctx, tx, r.Turn)
	if err != nil {
		return r, err
	}
	end, err := loadInterruption(ctx, tx, id)
	if err != nil {
		return r, err
	}
	return end.apply(r), nil
}

// interruption is what is known of a turn that was cut off.
type interruption struct {
	at    time.Time // last sign of life
	usage agents.Usage
	cost  *float64
	sent  int
	call  unfinishedCall
}

func loadInterruption(ctx context.Context, tx *sql.Tx, turn int64) (interruption, error) {
	var e interruption
	var known bool // what all its calls have cost
	err := tx.QueryRowContext(ctx, `SELECT
		max(coalesce(t.began, 0), coalesce((SELECT max(max(began, coalesce(ended, 0))) FROM calls WHERE turn = t.id), 0),
			coalesce((SELECT max(began + took) FROM tool_calls WHERE turn = t.id), 0), coalesce((SELECT max(at) FROM partials
				WHERE turn = t.id), 0)),
		coalesce(sum(c.tries), 0), coalesce(sum(c.input), 0), coalesce(sum(c.output), 0), coalesce(sum(c.reasoning), 0),
		coalesce(max(c.estimated), 0),
		count(*) FILTER (WHERE `+hasCost+`) = count(c.cost) FILTER (WHERE `+hasCost+`), sum(c.cost)
		FROM turns t LEFT JOIN calls c ON c.turn = t.id WHERE t.id = ?`, turn).Scan(
		timeColumn{&e.at}, &e.sent, &e.usage.Input, &e.usage.Output, &e.usage.Reasoning, &e.usage.Estimated, &known, &e.cost)
	if err != nil {
		return e, err
	}
	if !known {
		e.cost = nil
	}
	if e.call, err = loadUnfinishedCall(ctx, tx, turn); err != nil || e.call.id == 0 {
		return e, err
	}
	e.usage = e.usage.Add(e.call.usage)
	switch {
	case !known || e.call.cost == nil:
		e.cost = nil
	case e.cost == nil: // no call has ended
		e.cost = e.call.cost
	default:
		sum := *e.cost + *e.call.cost
		e.cost = &sum
	}
	return e, nil
}

// unfinishedCall is a completion that was under way when the process ended. Its
// usage is an estimate of the prompt of the last try and of the text that came.
type unfinishedCall struct {
	id    int64 // 0: none was under way
	usage agents.Usage
	cost  *float64
}

func loadUnfinishedCall(ctx context.Context, tx *sql.Tx, turn int64) (unfinishedCall, error) {
	l := unfinishedCall{usage: agents.Usage{Estimated: true}}
	var t agents.Turn
	var purpose debate.Purpose
	var d debate.Session
	err := tx.QueryRowContext(ctx, `SELECT c.id, c.estimate, t.agent, t.round, t.purpose, s.id, s.seats, s.chair, s.light
		FROM calls c JOIN turns t ON t.id = c.turn JOIN sessions s ON s.id = t.session WHERE c.turn = ? AND c.state = 'sent'
			AND NOT c.waits AND c.estimate > 0`, turn).Scan(
		&l.id, &l.usage.Input, &t.Agent, &t.Round, &purpose, &d.ID, jsonColumn{&d.Seats}, jsonColumn{&d.Chair}, jsonColumn{&d.Light})
	if errors.Is(err, sql.ErrNoRows) {
		return unfinishedCall{}, nil
	}
	if err == nil {
		err = loadSeatChanges(ctx, tx, &d)
	}
	if err != nil {
		return unfinishedCall{}, err
	}
	journals, err := loadJournal(ctx, tx, turn)
	if err != nil {
		return unfinishedCall{}, err
	}
	for _, j := range journals {
		thought := agents.Tokens(j.reasoning.String())
		l.usage.Reasoning += thought
		l.usage.Output += thought + agents.Tokens(j.text.String())
	}
	l.cost = d.SpeakerOf(purpose, t).Cost(l.usage)
	return l, nil
}

// recordUnfinishedCall adds the estimated usage of an unfinished call to that of its failed
// tries.
func recordUnfinishedCall(ctx context.Context, tx *sql.Tx, l unfinishedCall) error {
	_, err := tx.ExecContext(ctx, `UPDATE calls SET input = input + ?, output = output + ?, reasoning = reasoning + ?, estimated = 1,
		cost = CASE WHEN input + output > 0 THEN cost + ? ELSE ? END WHERE id = ?`,
		l.usage.Input, l.usage.Output, l.usage.Reasoning, l.cost, l.cost, l.id)
	return err
}

func (e interruption) apply(r debate.Response) debate.Response {
	r.State, r.Ended = debate.TurnInterrupted, e.at
	r.Usage, r.Cost, r.Calls = e.usage, e.cost, e.sent
	r.Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "Roundtable stopped during this answer."}
	r.Passages = slices.Clone(r.Passages)
	for i := range r.Passages {
		tools := slices.Clone(r.Passages[i].Tools)
		for k, t := range tools {
			switch t.State {
			case debate.ToolRunning:
				tools[k] = abortedTool(t, toolEffectUnknown)
			case debate.ToolPending:
				tools[k] = abortedTool(t, toolNotRun)
			case debate.ToolDone:
			}
		}
		r.Passages[i].Tools = tools
	}
	return r
}

func abortedTool(t debate.ToolRecord, text string) debate.ToolRecord {
	t.State = debate.ToolDone
	t.Result = agents.ToolResult{Status: agents.ToolAborted, Text: text, Summary: text}
	return t
}
