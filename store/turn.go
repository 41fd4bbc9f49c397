package store

import (
	"cmp"
	"database/sql"
	"slices"
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

func (t *turn) unpack(said string) (err error) {
	cut := func(from, size int) (piece string, end int) {
		if from < 0 || size < 0 || from > len(said) || size > len(said)-from {
			err = &DamagedError{}
			return "", from
		}
		return said[from : from+size], from + size
	}
	text, thought := 0, 0
	for _, n := range t.Texts {
		thought += n[0]
	}
	for i, n := range t.Texts {
		p := passageAt(&t.Response, i)
		p.Text, text = cut(text, n[0])
		p.Reasoning, thought = cut(thought, n[1])
	}
	if t.Statement.Body != "" {
		t.Statement.Body, _ = cut(t.Body[0], t.Body[1])
	}
	return err
}

// addSearchText makes what was said in a turn of a member, or in answer to a follow-up,
// searchable.
func (t turn) addSearchText(tx *transaction) {
	found := searchText{
		Session: t.Turn.Session, Kind: debate.InStatement, Round: t.Turn.Round, Agent: t.Turn.Agent, Source: t.id, Text: t.Statement.Body,
	}
	switch {
	case t.Turn.Step == debate.FollowUpStep:
		found.Kind, found.Round = debate.InFollowUp, 0
	case t.Turn.Step < 0: // of an auxiliary turn
		return
	}
	if n := len(t.Passages); found.Text == "" && n > 0 {
		found.Text = t.Passages[n-1].Text
	}
	if t.Statement.Position != "" {
		found.Text = t.Statement.Position + "\n" + found.Text
	}
	for _, f := range t.Statement.Findings {
		found.Text += "\n" + f.Title
	}
	addSearchText(tx, found)
}

func (t turn) addQuestion(tx *transaction) {
	addSearchText(tx, searchText{
		Session: t.Turn.Session, Kind: debate.InFollowUp, Request: questionText, Source: t.id, Text: t.Question,
	})
}

const turnColumns = `t.session, t.id, t.round, t.step, t.agent, t.attempt, t.purpose, t.state, t.began, t.ended, t.due, t.inherited, t.body`

func scanTurn(row *sql.Rows, more ...any) (t turn, err error) {
	err = row.Scan(append([]any{
		&t.Turn.Session, &t.id, &t.Turn.Round, &t.Turn.Step, &t.Turn.Agent, &t.Turn.Attempt, &t.purpose, &t.State,
		timeColumn{&t.Began},
		timeColumn{&t.Ended},
		timeColumn{&t.WaitUntil},
		&t.Inherited,
		jsonColumn{&t},
	}, more...)...)
	return t, err
}

// readTurns reads turns by their row ids, in the order of these. The journal of a running one is
// its last passage.
func readTurns(tx *transaction, ids []int64) []turn {
	wanted := jsonColumn{ids}
	turns := rowsOf(tx, func(row *sql.Rows) (turn, error) {
		var said string
		t, err := scanTurn(row, &said)
		if err == nil {
			err = t.unpack(said)
		}
		return t, err
	}, `SELECT `+turnColumns+`, said FROM turns t WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`, wanted)
	passage := func(id int64, n int) *debate.Passage {
		i, found := slices.BinarySearchFunc(turns, id, func(t turn, id int64) int { return cmp.Compare(t.id, id) })
		if !found { // in a damaged database
			return new(debate.Passage)
		}
		return passageAt(&turns[i].Response, n)
	}
	for _, p := range rowsOf(tx, scanPassage, `SELECT turn, n, text, reasoning FROM passages
		WHERE turn IN (SELECT value FROM json_each(?1)) AND n < 1000 UNION ALL `+journal, wanted) {
		*passage(p.turn, p.n) = p.Passage
	}
	tx.each(func(row *sql.Rows) error {
		var id int64
		var n int
		var c debate.ToolRecord
		err := row.Scan(&id, &n, jsonColumn{&c}, &c.Result.Text)
		p := passage(id, n)
		p.Tools = append(p.Tools, c)
		return err
	}, `SELECT turn, passage, body, result FROM tool_calls
		WHERE turn IN (SELECT value FROM json_each(?)) AND passage < 1000 ORDER BY turn, passage, place`, wanted)
	return turns
}

// passageAt returns the n-th passage of a response, appending passages as needed.
// Callers limit n, so that a file from elsewhere cannot exhaust the memory.
func passageAt(r *debate.Response, n int) *debate.Passage {
	for len(r.Passages) <= n {
		r.Passages = append(r.Passages, debate.Passage{})
	}
	return &r.Passages[n]
}
