package store

import (
	"context"
	"database/sql"
	"strings"
	"sync"
	"time"

	"roundtable/debate"
)

// turnCache keeps the ended turns of the session that was loaded last, which never
// change: their texts are most of a session, and are read once.
type turnCache struct {
	texts   evidenceTexts
	mu      sync.Mutex // of what follows
	session string
	ended   map[int64]debate.Response // by row id
}

// loadTurns returns all turns of a session with their passages and tool calls. The
// journal of a running turn is its last passage.
func (c *turnCache) loadTurns(ctx context.Context, tx *sql.Tx, session string) ([]debate.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != session {
		c.session, c.ended = session, nil
	}
	known := c.ended
	c.ended = map[int64]debate.Response{}
	var missing []int64
	ids, err := rowsOf(ctx, tx, func(row *sql.Rows) (int64, error) {
		var id int64
		var state debate.TurnState
		var ended time.Time
		err := row.Scan(&id, &state, timeColumn{&ended})
		if r, ok := known[id]; ok && r.State == state && r.Ended.Equal(ended) {
			c.ended[id] = r
		} else {
			missing = append(missing, id)
		}
		return id, err
	}, `SELECT id, state, ended FROM turns WHERE session = ? AND state <> 'due' ORDER BY id`, session)
	if err != nil {
		return nil, err
	}
	read, err := readTurns(ctx, tx, session, missing)
	if err != nil {
		return nil, err
	}
	turns := make([]debate.Response, 0, len(ids))
	for _, id := range ids {
		r, ok := c.ended[id]
		if !ok {
			r = *read[id]
		}
		if r.State != debate.TurnRunning {
			c.ended[id] = r
		}
		turns = append(turns, r)
	}
	return turns, nil
}

// readTurns reads turns by their row ids.
func readTurns(ctx context.Context, tx *sql.Tx, session string, ids []int64) (map[int64]*debate.Response, error) {
	turns := map[int64]*debate.Response{}
	if len(ids) == 0 {
		return turns, nil
	}
	wanted := jsonColumn{ids}
	bodies := map[int64]textPlace{}
	err := forEach(ctx, tx, func(row *sql.Rows) error {
		id, r, body, err := scanTurn(row, session)
		turns[id], bodies[id] = &r, body
		return err
	}, `SELECT id, round, step, agent, attempt, role, phase, snapshot, state, began, ended, due, finish,
		input, output, reasoning, cached, estimated, cost, sent, inherited, saw, fitting, prompts, failure,
		json_remove(statement, '$.body'), side,
		coalesce(instr((SELECT CAST(p.text AS BLOB) FROM passages p WHERE p.turn = t.id ORDER BY p.n DESC LIMIT 1),
			CAST(statement ->> '$.body' AS BLOB)), 0), coalesce(length(CAST(statement ->> '$.body' AS BLOB)), 0)
		FROM turns t WHERE id IN (SELECT value FROM json_each(?))`, wanted)
	if err == nil {
		err = readPassages(ctx, tx, wanted, turns)
	}
	if err == nil {
		err = setBodies(ctx, tx, bodies, turns)
	}
	if err == nil {
		err = readJournal(ctx, tx, ids, turns)
	}
	if err == nil {
		err = readTools(ctx, tx, wanted, turns)
	}
	return turns, err
}

// textPlace is the place of a text in another one, in bytes; from counts from 1 and is 0
// if the text is not there.
type textPlace struct{ from, size int }

// scanTurn reads a turn without its texts, and where the body of its statement is in the
// last passage.
func scanTurn(row *sql.Rows, session string) (id int64, r debate.Response, body textPlace, err error) {
	r.Turn.Session = session
	err = row.Scan(&id, &r.Turn.Round, &r.Turn.Step, &r.Turn.Agent, &r.Turn.Attempt, &r.Role, &r.Phase, &r.SnapshotHash, &r.State,
		timeColumn{&r.Began}, timeColumn{&r.Ended}, timeColumn{&r.WaitUntil}, &r.Finish, &r.Usage.Input, &r.Usage.Output,
		&r.Usage.Reasoning, &r.Usage.Cached, &r.Usage.Estimated, &r.Cost, &r.Calls, &r.Inherited, jsonColumn{&r.SeenResponses},
		jsonColumn{&r.ContextFit}, &r.PromptVersion, jsonColumn{&r.Failure}, jsonColumn{&r.Statement}, &r.Side, &body.from, &body.size)
	return id, r, body, err
}

func readPassages(ctx context.Context, tx *sql.Tx, ids jsonColumn, turns map[int64]*debate.Response) error {
	return forEach(ctx, tx, func(row *sql.Rows) error {
		var id int64
		var n int
		var p debate.Passage
		err := row.Scan(&id, &n, &p.Text, &p.Reasoning)
		if err == nil {
			*passageAt(turns[id], n) = p
		}
		return err
	}, `SELECT turn, n, text, reasoning FROM passages WHERE turn IN (SELECT value FROM json_each(?)) AND n < 1000
		ORDER BY turn, n`, ids)
}

// setBodies sets the bodies of statements. A body is nearly always a part of the last
// passage, whose memory it then shares.
func setBodies(ctx context.Context, tx *sql.Tx, places map[int64]textPlace, turns map[int64]*debate.Response) error {
	var apart []int64
	for id, body := range places {
		r := turns[id]
		text, start := "", body.from-1
		if n := len(r.Passages); n > 0 {
			text = r.Passages[n-1].Text
		}
		if start < 0 || start+body.size > len(text) || strings.IndexByte(text, 0) >= 0 { // SQLite reads JSON up to a zero byte
			apart = append(apart, id)
		} else {
			r.Statement.Body = text[start : start+body.size]
		}
	}
	if len(apart) == 0 {
		return nil
	}
	return forEach(ctx, tx, func(row *sql.Rows) error {
		var id int64
		var s debate.Statement
		err := row.Scan(&id, jsonColumn{&s})
		turns[id].Statement.Body = s.Body
		return err
	}, `SELECT id, statement FROM turns WHERE id IN (SELECT value FROM json_each(?)) AND statement IS NOT NULL`, jsonColumn{apart})
}

// passageAt returns the n-th passage of a response, appending passages as needed.
// Callers limit n, so that a file from elsewhere cannot exhaust the memory.
func passageAt(r *debate.Response, n int) *debate.Passage {
	for len(r.Passages) <= n {
		r.Passages = append(r.Passages, debate.Passage{})
	}
	return &r.Passages[n]
}

// readJournal adds the journals of the completions under way.
func readJournal(ctx context.Context, tx *sql.Tx, ids []int64, turns map[int64]*debate.Response) error {
	journals, err := loadJournal(ctx, tx, ids...)
	for _, j := range journals {
		*passageAt(turns[j.turn], j.n) = j.passage()
	}
	return err
}

func readTools(ctx context.Context, tx *sql.Tx, ids jsonColumn, turns map[int64]*debate.Response) error {
	return forEach(ctx, tx, func(row *sql.Rows) error {
		var id int64
		var n int
		var c debate.ToolRecord
		err := row.Scan(&id, &n, &c.ID, &c.Name, &c.Args, &c.Own, &c.State, timeColumn{&c.Began}, &c.Took,
			&c.Result.Status, &c.Result.Summary, &c.Result.Text)
		if err == nil {
			p := passageAt(turns[id], n)
			p.Tools = append(p.Tools, c)
		}
		return err
	}, `SELECT turn, passage, id, name, args, own, state, began, took, status, summary, result FROM tool_calls
		WHERE turn IN (SELECT value FROM json_each(?)) AND passage < 1000 ORDER BY turn, passage, place`, ids)
}
