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
			r.Responses, r.Due = turns[d.ID].Responses, turns[d.ID].Due
			d.History[r.Number-1] = r
			v.Open = debate.OpenRound(d)
		}
		return struct{}{}, err
	}, `SELECT s.id, s.round, s.light, s.mode, r.manifest FROM sessions s JOIN rounds r ON r.session = s.id AND r.number = s.round
		WHERE s.id IN (SELECT value FROM json_each(?))`, jsonColumn{ids})
	return err
}

// newestTurns returns the turns of the newest round of each session. Of a body it is
// only told whether there is one.
func newestTurns(ctx context.Context, tx *sql.Tx, sessions []string) (map[string]debate.Round, error) {
	out := map[string]debate.Round{}
	_, err := rowsOf(ctx, tx, func(row *sql.Rows) (struct{}, error) {
		var x debate.Response
		var statement *debate.Statement
		var state string
		err := row.Scan(&x.Turn.Session, &x.Turn.Round, &x.Turn.Step, &x.Turn.Agent, &x.Turn.Attempt, &state, timeColumn{&x.Began},
			timeColumn{&x.WaitUntil}, jsonColumn{&x.Failure}, jsonColumn{&statement})
		if statement != nil {
			x.Statement = *statement
		}
		r := out[x.Turn.Session]
		if x.State = debate.TurnState(state); state == "due" {
			r.Due = append(r.Due, debate.DueTurn{Turn: x.Turn, At: x.WaitUntil})
		} else if x.Turn.Step >= 0 {
			r.Responses = append(r.Responses, x)
		}
		out[x.Turn.Session] = r
		return struct{}{}, err
	}, `SELECT t.session, t.round, t.step, t.agent, t.attempt, t.state, t.began, t.due, t.failure,
		json_set(t.statement, '$.body', substr(t.statement ->> '$.body', 1, 1))
		FROM sessions s JOIN turns t ON t.session = s.id AND t.round = s.round
		WHERE s.id IN (SELECT value FROM json_each(?)) ORDER BY t.id`, jsonColumn{sessions})
	return out, err
}
