package store

import (
	"context"
	"database/sql"

	"roundtable/agents"
	"roundtable/debate"
)

// loadTurns reads all turns of a session with their passages and tool calls. The
// journal of a running turn is its last passage.
func loadTurns(ctx context.Context, tx *sql.Tx, session string) ([]debate.Response, error) {
	places := map[int64]int{}
	turns, err := rowsOf(ctx, tx, func(row *sql.Rows) (debate.Response, error) {
		id, r, err := scanTurn(row, session)
		places[id] = len(places)
		return r, err
	}, `SELECT id, round, step, agent, attempt, role, phase, snapshot, state, began, ended, finish,
		input, output, reasoning, estimated, cost, sent, estimate, saw, fitting, failure, statement, side FROM turns WHERE session = ?
			AND state <> 'due' ORDER BY id`, session)
	if err != nil {
		return nil, err
	}
	if err := loadPassages(ctx, tx, session, places, turns); err != nil {
		return nil, err
	}
	if err := loadJournal(ctx, tx, session, places, turns); err != nil {
		return nil, err
	}
	return turns, loadTools(ctx, tx, session, places, turns)
}

func scanTurn(row *sql.Rows, session string) (int64, debate.Response, error) {
	var id int64
	r := debate.Response{Turn: agents.Turn{Session: session}}
	var cost sql.NullFloat64
	var statement *debate.Statement
	err := row.Scan(
		&id,
		&r.Turn.Round,
		&r.Turn.Step,
		&r.Turn.Agent,
		&r.Turn.Attempt,
		&r.Role,
		&r.Phase,
		&r.SnapshotHash,
		&r.State,
		timeColumn{&r.Began},
		timeColumn{&r.Ended},
		&r.Finish,
		&r.Usage.Input,
		&r.Usage.Output,
		&r.Usage.Reasoning,
		&r.Usage.Estimated,
		&cost,
		&r.Calls,
		&r.EstimatedInput,
		jsonColumn{&r.SeenResponses},
		jsonColumn{&r.ContextFit},
		jsonColumn{&r.Failure},
		jsonColumn{&statement},
		&r.Side,
	)
	if cost.Valid {
		r.Cost = &cost.Float64
	}
	if statement != nil {
		r.Statement = *statement
	}
	return id, r, err
}

func loadPassages(ctx context.Context, tx *sql.Tx, session string, places map[int64]int, turns []debate.Response) error {
	_, err := rowsOf(ctx, tx, func(row *sql.Rows) (struct{}, error) {
		var id int64
		var n int
		var p debate.Passage
		err := row.Scan(&id, &n, &p.Text, &p.Reasoning)
		if err == nil {
			*passageAt(&turns[places[id]], n) = p
		}
		return struct{}{}, err
	}, `SELECT t.id, p.n, p.text, p.reasoning FROM turns t JOIN passages p ON p.turn = t.id WHERE t.session = ? AND p.n < 1000
		ORDER BY t.id, p.n`, session)
	return err
}

// passageAt returns the n-th passage of a response, appending passages as needed.
// Callers limit n, so that a file from elsewhere cannot exhaust the memory.
func passageAt(r *debate.Response, n int) *debate.Passage {
	for len(r.Passages) <= n {
		r.Passages = append(r.Passages, debate.Passage{})
	}
	return &r.Passages[n]
}

// loadJournal adds the journals of the completions under way.
func loadJournal(ctx context.Context, tx *sql.Tx, session string, places map[int64]int, turns []debate.Response) error {
	pieces, err := rowsOf(ctx, tx, scanJournal, `SELECT t.id, p.passage, p.reasoning, p.text FROM turns t
		JOIN partials p ON p.turn = t.id WHERE t.session = ? AND p.passage < 1000 ORDER BY p.id`, session)
	if err != nil {
		return err
	}
	for _, k := range joinJournal(pieces) {
		*passageAt(&turns[places[k.turn]], k.n) = debate.Passage{Text: k.text.String(), Reasoning: k.reasoning.String()}
	}
	return nil
}

func loadTools(ctx context.Context, tx *sql.Tx, session string, places map[int64]int, turns []debate.Response) error {
	_, err := rowsOf(ctx, tx, func(row *sql.Rows) (struct{}, error) {
		var id int64
		var n int
		var c debate.ToolRecord
		err := row.Scan(&id, &n, &c.ID, &c.Name, &c.Args, &c.State, timeColumn{&c.Began}, &c.Took, &c.Result.Status, &c.Result.Summary,
			&c.Result.Text)
		if err == nil {
			p := passageAt(&turns[places[id]], n)
			p.Tools = append(p.Tools, c)
		}
		return struct{}{}, err
	}, `SELECT t.id, c.passage, c.id, c.name, c.args, c.state, c.began, c.took, c.status, c.summary, c.result
		FROM turns t JOIN tool_calls c ON c.turn = t.id WHERE t.session = ? AND c.passage < 1000
		ORDER BY t.id, c.passage, c.place`, session)
	return err
}
