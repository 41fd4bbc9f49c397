package store

import (
	"context"
	"database/sql"
	"strings"

	"roundtable/debate"
)

// turn is a turn with what is stored of it beside the response. Its JSON, in which the
// statement is cut to an outline, says where the texts are that are stored beside it.
type turn struct {
	debate.Response
	Question string   `json:",omitzero"` // of a follow-up
	Texts    [][2]int `json:",omitzero"` // sizes of text and reasoning of each passage
	Body     [2]int   // where the body of the statement begins, and its size

	id      int64
	purpose debate.Purpose
}

// pack returns the JSON of a turn, and its texts: those of all passages, then their reasoning,
// then the body of its statement if it is not a part of them.
func (t turn) pack() (body jsonColumn, said string) {
	var texts, thoughts strings.Builder
	t.Texts = nil
	for _, p := range t.Passages {
		texts.WriteString(p.Text)
		thoughts.WriteString(p.Reasoning)
		t.Texts = append(t.Texts, [2]int{len(p.Text), len(p.Reasoning)})
	}
	found := t.Statement.Body
	if n := len(t.Passages); found == "" && n > 0 {
		found = t.Passages[n-1].Text
	}
	at := strings.LastIndex(texts.String(), found)
	said = texts.String() + thoughts.String()
	if at < 0 {
		at, said = len(said), said+found
	}
	t.Body = [2]int{at, len(found)}
	t.Response = t.Outline()
	return jsonColumn{t}, said
}

func (t *turn) unpack(said string) error {
	size := 0
	for _, n := range t.Texts {
		size += n[0]
	}
	texts, thoughts := cutter{said, nil}, cutter{said, nil}
	thoughts.next(size)
	for i, n := range t.Texts {
		p := passageAt(&t.Response, i)
		p.Text, p.Reasoning = texts.next(n[0]), thoughts.next(n[1])
	}
	body := cutter{said, nil}
	body.next(t.Body[0])
	if t.Statement.Body != "" {
		t.Statement.Body = body.next(t.Body[1])
	}
	for _, c := range []cutter{texts, thoughts, body} {
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// cutter cuts pieces off the front of a text, whose memory they share.
type cutter struct {
	rest string
	err  error // a piece was larger than what was left
}

func (c *cutter) next(size int) string {
	if size < 0 || size > len(c.rest) {
		c.err, size = &DamagedError{}, 0
	}
	piece := c.rest[:size]
	c.rest = c.rest[size:]
	return piece
}

// addSearchText makes what was said in a turn of a member, or in answer to a follow-up,
// searchable.
func (t turn) addSearchText(ctx context.Context, tx *sql.Tx) error {
	found := searchText{
		Session: t.Turn.Session, Kind: debate.InStatement, Round: t.Turn.Round, Agent: t.Turn.Agent, Source: t.id, Text: t.Statement.Body,
	}
	switch {
	case t.Turn.Step == debate.FollowUpStep:
		found.Kind, found.Round = debate.InFollowUp, 0
	case t.Turn.Step < 0: // of an auxiliary turn
		return nil
	}
	if n := len(t.Passages); found.Text == "" && n > 0 {
		found.Text = t.Passages[n-1].Text
	}
	if t.Statement.Position != "" {
		found.Text = t.Statement.Position + "\n" + found.Text
	}
	return addSearchText(ctx, tx, found)
}

func (t turn) addQuestion(ctx context.Context, tx *sql.Tx) error {
	return addSearchText(ctx, tx, searchText{
		Session: t.Turn.Session, Kind: debate.InFollowUp, Request: questionText, Source: t.id, Text: t.Question,
	})
}

// readTurns reads turns by their row ids. The journal of a running one is its last passage. If
// whole is not nil, all turns but those are outlines, whose texts are not read.
func readTurns(ctx context.Context, tx *sql.Tx, ids, whole []int64) (map[int64]*turn, error) {
	turns := map[int64]*turn{}
	if len(ids) == 0 {
		return turns, nil
	}
	if whole == nil {
		whole = ids
	}
	wanted, texts := jsonColumn{ids}, jsonColumn{whole}
	err := forEach(ctx, tx, func(row *sql.Rows) error {
		t, said, err := scanTurn(row)
		turns[t.id] = &t
		switch n := len(t.Texts); {
		case err != nil:
		case said.Valid:
			err = t.unpack(said.String)
		case n > 0:
			passageAt(&t.Response, n-1)
		}
		return err
	}, `SELECT session, id, round, step, agent, attempt, purpose, state, began, ended, due, inherited, body,
			iif(id IN (SELECT value FROM json_each(?2)), said, NULL)
		FROM turns WHERE id IN (SELECT value FROM json_each(?1))`, wanted, texts)
	if err == nil {
		err = readPassages(ctx, tx, wanted, turns)
	}
	if err == nil {
		err = readJournal(ctx, tx, ids, turns)
	}
	if err == nil {
		err = readTools(ctx, tx, wanted, texts, turns)
	}
	return turns, err
}

func scanTurn(row *sql.Rows) (t turn, said sql.NullString, err error) {
	err = row.Scan(&t.Turn.Session, &t.id, &t.Turn.Round, &t.Turn.Step, &t.Turn.Agent, &t.Turn.Attempt, &t.purpose, &t.State,
		timeColumn{&t.Began}, timeColumn{&t.Ended}, timeColumn{&t.WaitUntil}, &t.Inherited, jsonColumn{&t}, &said)
	return t, said, err
}

func readPassages(ctx context.Context, tx *sql.Tx, ids jsonColumn, turns map[int64]*turn) error {
	return forEach(ctx, tx, func(row *sql.Rows) error {
		var id int64
		var n int
		var p debate.Passage
		err := row.Scan(&id, &n, &p.Text, &p.Reasoning)
		if err == nil {
			*passageAt(&turns[id].Response, n) = p
		}
		return err
	}, `SELECT turn, n, text, reasoning FROM passages WHERE turn IN (SELECT value FROM json_each(?)) AND n < 1000 ORDER BY turn, n`, ids)
}

// passageAt returns the n-th passage of a response, appending passages as needed.
// Callers limit n, so that a file from elsewhere cannot exhaust the memory.
func passageAt(r *debate.Response, n int) *debate.Passage {
	for len(r.Passages) <= n {
		r.Passages = append(r.Passages, debate.Passage{})
	}
	return &r.Passages[n]
}

func readJournal(ctx context.Context, tx *sql.Tx, ids []int64, turns map[int64]*turn) error {
	journals, err := loadJournal(ctx, tx, ids...)
	for _, j := range journals {
		*passageAt(&turns[j.turn].Response, j.n) = j.passage()
	}
	return err
}

// elided replaces the result of a tool call that is not read.
const elided = "…"

func readTools(ctx context.Context, tx *sql.Tx, ids, whole jsonColumn, turns map[int64]*turn) error {
	return forEach(ctx, tx, func(row *sql.Rows) error {
		var id int64
		var n int
		var c debate.ToolRecord
		err := row.Scan(&id, &n, jsonColumn{&c}, &c.Result.Text)
		if err == nil {
			p := passageAt(&turns[id].Response, n)
			p.Tools = append(p.Tools, c)
		}
		return err
	}, `SELECT turn, passage, body, iif(octet_length(result) = 0 OR turn IN (SELECT value FROM json_each(?2)), result, ?3) FROM tool_calls
		WHERE turn IN (SELECT value FROM json_each(?1)) AND passage < 1000 ORDER BY turn, passage, place`, ids, whole, elided)
}
