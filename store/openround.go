package store

import (
	"context"
	"database/sql"

	"roundtable/debate"
)

// setOpenRounds sets Open of the sessions whose newest round waits for a decision of the
// user. It reads that round alone, without its texts, and all sessions in two queries.
func setOpenRounds(ctx context.Context, tx *sql.Tx, list []debate.SessionSummary) error {
	var ids []string
	stopped := map[string]*debate.SessionSummary{}
	for i, v := range list {
		if v.Status == debate.Interrupted && !v.Running && v.Round > 0 && v.Round <= maxRounds {
			ids, stopped[v.ID] = append(ids, v.ID), &list[i]
		}
	}
	if len(ids) == 0 {
		return nil
	}
	turns, err := newestTurns(ctx, tx, ids)
	if err != nil {
		return err
	}
	_, err = rowsOf(ctx, tx, func(row *sql.Rows) (struct{}, error) {
		var d debate.Session
		var r debate.Round
		err := row.Scan(&d.ID, &r.Number, jsonColumn{&d.Light}, jsonColumn{&d.Mode}, jsonColumn{&r.Manifest})
		if v := stopped[d.ID]; err == nil {
			d.Rounds, d.Stopped, d.Seats = v.Rounds, v.Stopped, v.Seats
			d.History = make([]debate.Round, r.Number)
			r.Responses = turns[d.ID]
			d.History[r.Number-1] = r
			v.Open = debate.OpenRound(d)
		}
		return struct{}{}, err
	}, `SELECT s.id, s.round, s.light, s.mode, r.manifest FROM sessions s JOIN rounds r ON r.session = s.id AND r.number = s.round
		WHERE `+undecided, jsonColumn{ids})
	return err
}

// undecided is the condition that a session s is one of a list and has no turn to run: a
// turn that is stored as running was cut off.
const undecided = `s.id IN (SELECT value FROM json_each(?))
	AND NOT EXISTS (SELECT 1 FROM turns WHERE session = s.id AND state = 'running')
	AND NOT EXISTS (SELECT 1 FROM turns WHERE session = s.id AND state = 'due')`

// newestTurns returns the turns of the newest round of each session. Of a body it is
// only told whether there is one.
func newestTurns(ctx context.Context, tx *sql.Tx, sessions []string) (map[string][]debate.Response, error) {
	out := map[string][]debate.Response{}
	_, err := rowsOf(ctx, tx, func(row *sql.Rows) (struct{}, error) {
		var x debate.Response
		var statement *debate.Statement
		err := row.Scan(&x.Turn.Session, &x.Turn.Round, &x.Turn.Step, &x.Turn.Agent, &x.Turn.Attempt, &x.State, timeColumn{&x.Began},
			jsonColumn{&x.Failure}, jsonColumn{&statement})
		if statement != nil {
			x.Statement = *statement
		}
		out[x.Turn.Session] = append(out[x.Turn.Session], x)
		return struct{}{}, err
	}, `SELECT t.session, t.round, t.step, t.agent, t.attempt, t.state, t.began, t.failure,
		json_set(t.statement, '$.body', substr(t.statement ->> '$.body', 1, 1))
		FROM sessions s JOIN turns t ON t.session = s.id AND t.round = s.round AND t.step >= 0
		WHERE `+undecided+` ORDER BY t.id`, jsonColumn{sessions})
	return out, err
}
