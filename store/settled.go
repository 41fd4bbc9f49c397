package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"roundtable/agents"
	"roundtable/debate"
)

// Settled returns the sessions of whose present verdict somebody has said how it turned out, the
// last changed first, without those of evaluations. They have what votes, verdicts and outcomes
// are counted from, and no texts: no statement, report, request or evidence is read.
func (s *Store) Settled(ctx context.Context) ([]debate.Session, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) ([]debate.Session, error) {
		all, err := settledSessions(ctx, tx)
		if err != nil || len(all) == 0 {
			return nil, err
		}
		of := make(map[string]*debate.Session, len(all))
		for i := range all {
			of[all[i].ID] = &all[i]
		}
		for _, read := range []func(context.Context, *sql.Tx, map[string]*debate.Session) error{
			settledRounds, settledSeatChanges, settledTurns, settledVerdicts, settledOutcomes,
		} {
			if err := read(ctx, tx, of); err != nil {
				return nil, err
			}
		}
		return all, nil
	})
}

// areSettled is the condition of a session s that Settled reads.
const areSettled = `s.settled <> '' AND s.deleted IS NULL AND s.eval IS NULL`

// settledSessions reads the sessions as such. Those with the same panel or mode share its
// decoded value.
func settledSessions(ctx context.Context, tx *sql.Tx) ([]debate.Session, error) {
	panels, modes := map[string][]agents.Profile{}, map[string]debate.Mode{}
	return rowsOf(ctx, tx, func(row *sql.Rows) (debate.Session, error) {
		var d debate.Session
		var seats, mode string
		err := row.Scan(&d.ID, &d.Title, &d.Topic, &d.Question, &d.Rounds, &d.Stopped, &d.ForkedFrom, &d.ForkRound, &seats, &mode)
		if err == nil {
			d.Seats, err = decodeOnce(panels, seats)
		}
		if err == nil {
			d.Mode, err = decodeOnce(modes, mode)
		}
		return d, err
	}, `SELECT id, title, topic, question, rounds, stopped, forked_from, fork_round, seats, mode FROM sessions s
		WHERE `+areSettled+` ORDER BY updated DESC, id`)
}

// decodeOnce returns the value of a JSON text, which is decoded the first time.
func decodeOnce[T any](known map[string]T, raw string) (T, error) {
	v, ok := known[raw]
	if ok {
		return v, nil
	}
	err := json.Unmarshal([]byte(raw), &v)
	known[raw] = v
	return v, err
}

func settledRounds(ctx context.Context, tx *sql.Tx, of map[string]*debate.Session) error {
	return forEach(ctx, tx, func(row *sql.Rows) error {
		var id string
		var r debate.Round
		err := row.Scan(&id, &r.Number, timeColumn{&r.Ended}, &r.Manifest.Rounds, jsonColumn{&r.Manifest.Seats}, jsonColumn{&r.Consensus})
		if err == nil {
			of[id].History = append(of[id].History, r)
		}
		return err
	}, `SELECT r.session, r.number, r.ended, coalesce(r.manifest ->> '$.rounds', 0), r.manifest -> '$.seats',
			iif(r.consensus ->> '$.labels' IS NULL, NULL, json_object('labels', r.consensus -> '$.labels'))
		FROM sessions s JOIN rounds r ON r.session = s.id WHERE `+areSettled+` ORDER BY r.session, r.number`)
}

func settledSeatChanges(ctx context.Context, tx *sql.Tx, of map[string]*debate.Session) error {
	err := forEach(ctx, tx, func(row *sql.Rows) error {
		var id string
		var c debate.SeatChange
		err := row.Scan(&id, &c.Round, &c.Agent, jsonColumn{&c.Was}, jsonColumn{&c.Now}, timeColumn{&c.At})
		if err == nil {
			of[id].SeatChanges = append(of[id].SeatChanges, c)
		}
		return err
	}, `SELECT c.session, c.round, c.agent, c.was, c.now, c.at FROM sessions s JOIN seat_changes c ON c.session = s.id
		WHERE `+areSettled+` ORDER BY c.id`)
	for _, d := range of {
		d.Seats = d.AsOf(len(d.History)).Seats
	}
	return err
}

// settledTurns reads the turns of members. Of a body it reads one character, which says whether
// there is one.
func settledTurns(ctx context.Context, tx *sql.Tx, of map[string]*debate.Session) error {
	err := forEach(ctx, tx, func(row *sql.Rows) error {
		var x debate.Response
		err := row.Scan(&x.Turn.Session, &x.Turn.Round, &x.Turn.Step, &x.Turn.Agent, &x.Turn.Attempt, &x.Phase, &x.State,
			timeColumn{&x.Began}, jsonColumn{&x.Failure}, jsonColumn{&x.Statement})
		if d := of[x.Turn.Session]; err == nil && x.Turn.Round >= 1 && x.Turn.Round <= len(d.History) {
			r := &d.History[x.Turn.Round-1]
			r.Responses = append(r.Responses, x)
		}
		return err
	}, `SELECT t.session, t.round, t.step, t.agent, t.attempt, t.phase, t.state, t.began, t.failure,
			iif(t.statement IS NULL, NULL, json_object('body', substr(t.statement ->> '$.body', 1, 1),
				'stance', t.statement ->> '$.stance', 'choice', t.statement ->> '$.choice', 'confidence', t.statement -> '$.confidence',
				'estimate', t.statement -> '$.estimate', 'ambiguous_estimate', t.statement ->> '$.ambiguous_estimate'))
		FROM sessions s JOIN turns t ON t.session = s.id AND t.step >= 0
		WHERE `+areSettled+` AND t.state <> 'due' ORDER BY t.session, t.id`)
	for _, d := range of {
		sortResponses(d)
	}
	return err
}

func settledVerdicts(ctx context.Context, tx *sql.Tx, of map[string]*debate.Session) error {
	return forEach(ctx, tx, func(row *sql.Rows) error {
		var id string
		v := new(debate.Verdict)
		err := row.Scan(&id, jsonColumn{v})
		if err == nil {
			of[id].Verdict = v
		}
		return err
	}, `SELECT v.session, json_object('rules', v.body -> '$.rules', 'side', v.body -> '$.side', 'confidence', v.body -> '$.confidence',
			'baseline', v.body -> '$.baseline', 'final', v.body -> '$.final', 'labels', v.body -> '$.labels',
			'findings', v.body -> '$.findings', 'chair_name', v.body -> '$.chair_name', 'chair_is_member', v.body -> '$.chair_is_member')
		FROM sessions s JOIN verdicts v ON v.session = s.id WHERE `+areSettled+` AND v.superseded IS NULL ORDER BY v.id`)
}

func settledOutcomes(ctx context.Context, tx *sql.Tx, of map[string]*debate.Session) error {
	return forEach(ctx, tx, func(row *sql.Rows) error {
		var id string
		var v debate.Settlement
		err := row.Scan(&id, jsonColumn{&v})
		if err == nil {
			of[id].Settlements = append(of[id].Settlements, v)
		}
		return err
	}, `SELECT o.session, o.body FROM sessions s JOIN settlements o ON o.session = s.id WHERE `+areSettled+` ORDER BY o.id`)
}
