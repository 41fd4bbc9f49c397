package store

import (
	"cmp"
	"database/sql"
	_ "embed" // for conversions
	"encoding/json"
	"regexp"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// oldSchema is the schema that can be converted, of commit 91a050bb.
const oldSchema = 25

// convert brings the tables of an older schema to the present one. Rows keep their order, and
// turns their ids.
func (s *Store) convert(tx *transaction) {
	change := rowsOf(tx, column[string], `SELECT iif(type = 'table', 'ALTER TABLE ' || name || ' RENAME TO old_' || name,
		'DROP INDEX ' || name) FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	for _, c := range append(change, schemaText) {
		tx.exec(c)
	}
	s.convertSessions(tx)
	convertTurns(tx)
	convertCalls(tx)
	for c := range strings.SplitSeq(regexp.MustCompile(`iso\((\w+)\)`).ReplaceAllString(conversions, isoTime), ";\n") {
		crashAt("conversion", "before")
		tx.exec(c)
	}
	s.finish(tx)
}

//go:embed convert.sql
var conversions string

// isoTime is what SQL has in place of iso(column).
const isoTime = `strftime('%Y-%m-%dT%H:%M:%S', $1 / 1000000000, 'unixepoch') || printf('.%09dZ', $1 % 1000000000)`

func (s *Store) convertSessions(tx *transaction) {
	all := rowsOf(tx, func(row *sql.Rows) (d debate.Session, err error) {
		var concluded bool
		err = row.Scan(&d.ID, &d.Title, &d.Topic, &d.Question, &d.Rounds, &d.ConfigHash, &d.Nonce, &d.Stopped, &d.ForkedFrom,
			&d.ForkRound, timeColumn{&d.Created}, timeColumn{&d.Updated}, jsonColumn{&d.Caps},
			jsonColumn{&d.Budget}, &d.Ends, jsonColumn{&d.Fit}, jsonColumn{&d.Seats}, jsonColumn{&d.Chair}, jsonColumn{&d.Light},
			jsonColumn{&d.Mode}, jsonColumn{&d.Workspace}, jsonColumn{&d.Author}, jsonColumn{&d.Eval}, &d.Unit, &concluded)
		if d.Question = cmp.Or(d.Question, debate.QuestionYesNo); d.Mode.Name == "tradeoff" || d.Mode.Name == "oxford" {
			d.Gone = debate.Gone("mode " + d.Mode.Name)
		}
		if d.Gone != "" && !concluded {
			d.Stopped = debate.LeftUnfinished
		}
		return d, err
	}, `SELECT id, title, topic, question, rounds, config_hash, nonce, stopped, forked_from, fork_round, created, updated,
		caps, budget, coalesce(endings ->> 'ends', ''), fit, seats, chair, light, mode, workspace, author, eval,
		coalesce((SELECT statement ->> '$.estimate.unit' FROM old_turns t WHERE t.session = old_sessions.id
			AND statement ->> '$.estimate.unit' IS NOT NULL ORDER BY t.id LIMIT 1), ''), concluded
		FROM old_sessions ORDER BY rowid`)
	for _, d := range all {
		s.insertSession(tx, &d)
	}
}

// finish stores what lists show of debates of modes that are gone, and hides what was deleted,
// of which nothing can be loaded from then on.
func (s *Store) finish(tx *transaction) {
	for _, id := range rowsOf(tx, column[string], `SELECT id FROM sessions WHERE body ->> '$.Gone' <> ''`) {
		s.setLine(tx, id)
	}
	tx.exec(`UPDATE sessions SET deleted = (SELECT deleted FROM old_sessions o WHERE o.id = sessions.id);
		DROP TABLE old_sessions`)
}

// convertTurns converts turns with their texts. One of a step that is gone cannot be played to
// its end and is cancelled.
func convertTurns(tx *transaction) {
	for _, id := range rowsOf(tx, column[int64], `SELECT id FROM old_turns ORDER BY id`) {
		t := loadOldTurn(tx, id)
		if t.State != debate.TurnRunning {
			t.Passages = loadOldPassages(tx, id)
		}
		tx.exec(`UPDATE turns SET id = ? WHERE id = ?`, id, insertTurn(tx, t))
		if t.id = id; t.State == debate.TurnDone {
			t.addSearchText(tx)
		}
		if t.Question != "" {
			t.addQuestion(tx)
		}
	}
}

// oneVote is a statement with one vote: what it had in the member of its kind of question.
const oneVote = `iif(statement IS NULL, NULL, json_patch(statement, json_object(
	'vote', coalesce(
		iif(statement ->> '$.estimate.value' IS NULL, NULL,
			trim(format('%s %s', statement ->> '$.estimate.value', coalesce(statement ->> '$.estimate.unit', '')))),
		statement ->> '$.choice', replace(statement ->> '$.stance', 'neutral', 'undecided'), statement ->> '$.vote'),
	'low', statement ->> '$.estimate.low', 'high', statement ->> '$.estimate.high')))`

func loadOldTurn(tx *transaction, id int64) turn {
	return one(tx, func(row *sql.Rows) (t turn, err error) {
		var review bool
		err = row.Scan(&t.Turn.Session, &t.Turn.Round, &t.Turn.Step, &t.Turn.Agent, &t.Turn.Attempt, &t.purpose, &t.Role, &t.Phase,
			&t.SnapshotHash, &t.State, timeColumn{&t.Began}, timeColumn{&t.Ended}, timeColumn{&t.WaitUntil}, &t.Finish, &t.Usage.Input,
			&t.Usage.Output, &t.Usage.Reasoning, &t.Usage.Cached, &t.Usage.Estimated, &t.Cost, &t.Calls, &t.Inherited,
			jsonColumn{&t.SeenResponses}, jsonColumn{&t.ContextFit}, &t.PromptVersion, jsonColumn{&t.Failure}, jsonColumn{&t.Statement},
			&t.Question, &review)
		const listsStep = -4
		if gone := t.Turn.Step == listsStep || t.Turn.Step == debate.CompareStep && !review; gone && t.State == debate.TurnRunning {
			t.State, t.Ended = debate.TurnCancelled, t.Began
		}
		return t, err
	}, `SELECT session, round, step, agent, attempt, purpose, role, phase, snapshot, state, began, ended, due,
			finish, input, output, reasoning, cached, estimated, cost, sent, inherited, saw, fitting, prompts, failure, `+oneVote+`,
			coalesce((SELECT question FROM old_followups WHERE turn = old_turns.id), ''),
			(SELECT mode_name = 'review' FROM old_sessions WHERE id = session) FROM old_turns WHERE id = ?`, id)
}

func loadOldPassages(tx *transaction, turn int64) []debate.Passage {
	var r debate.Response
	for _, p := range rowsOf(tx, scanPassage, `SELECT turn, n, text, reasoning FROM old_passages WHERE turn = ? AND n < 1000`, turn) {
		*passageAt(&r, p.n) = p.Passage
	}
	return r.Passages
}

// convertCalls converts calls with their requests, which were stored in parts: those of a call
// that it continues and, from there on, its own.
func convertCalls(tx *transaction) {
	type oldCall struct {
		call
		mark    string
		request string
	}
	calls := rowsOf(tx, func(row *sql.Rows) (c oldCall, err error) {
		err = row.Scan(&c.id, &c.turn, &c.Turn.Session, &c.Turn.Agent, &c.N, &c.Purpose, &c.State, &c.Tries, &c.waits,
			timeColumn{&c.Sent}, timeColumn{&c.Ended}, &c.Finish, &c.Usage.Input, &c.Usage.Output, &c.Usage.Reasoning, &c.Usage.Cached,
			&c.Usage.Estimated, &c.Cost, &c.Hash, &c.Estimate, jsonColumn{&c.Failure}, jsonColumn{&c.Patched}, &c.mark, &c.request)
		return c, err
	}, `SELECT c.id, c.turn, t.session, t.agent, c.n, c.purpose, iif(c.state = 'sent' AND n.state <> 'running', 'broken', c.state),
		tries, waits, c.began, c.ended, c.finish, c.input, c.output, c.reasoning, c.cached, c.estimated, c.cost, c.hash, c.estimate,
		c.failure, patched, mark, request FROM old_calls c JOIN old_turns t ON t.id = c.turn JOIN turns n ON n.id = c.turn ORDER BY c.id`)
	for _, c := range calls {
		raw, titles := []byte(c.request), []byte("null")
		var err error
		if c.request == "" {
			var messages []agents.Message
			raw, messages = loadOldRequest(tx, c.id, c.mark)
			titles, err = json.Marshal(partsOf(messages))
		}
		var about struct{ Model string }
		tx.failed(cmp.Or(err, json.Unmarshal(raw, &about)))
		c.Model = about.Model
		insertCall(tx, c.turn, baseOf(tx, c.Turn, c.Purpose, c.Model), c.call, raw, titles)
	}
}

// loadOldRequest returns the JSON of the request of a call, and its texts as messages. A part
// without a title is raw JSON; one with an empty title continues the one before.
func loadOldRequest(tx *transaction, call int64, mark string) (raw []byte, texts []agents.Message) {
	var open *agents.Message
	end := func() error {
		if open == nil {
			return nil
		}
		open.Text = agents.JoinParts(open.Parts)
		quoted, err := json.Marshal(open.Text)
		raw, texts, open = append(raw, quoted...), append(texts, *open), nil
		return err
	}
	tx.each(func(row *sql.Rows) error {
		var title sql.NullString
		var text string
		if err := row.Scan(&title, &text); err != nil {
			return err
		}
		if !title.Valid {
			err := end()
			raw = append(raw, text...)
			return err
		}
		if mark != "" {
			text = strings.ReplaceAll(text, "\x1a", mark)
		}
		if open == nil {
			open = &agents.Message{}
		}
		if n := len(open.Parts); n == 0 || title.String != "" {
			open.Parts = append(open.Parts, agents.Part{Title: title.String, Text: text})
		} else {
			open.Parts[n-1].Text += text
		}
		return nil
	}, `WITH RECURSIVE chain(call, parts) AS (SELECT ?, 1 << 40 UNION
			SELECT c.continues, min(c.shared, chain.parts) FROM chain JOIN old_calls c ON c.id = chain.call WHERE c.continues < c.id)
		SELECT p.title, p.text
		FROM chain JOIN old_calls c ON c.id = chain.call, json_each(c.parts) e JOIN old_parts p ON p.id = e.value
		WHERE c.shared + e.key < chain.parts ORDER BY c.shared + e.key`, call)
	tx.failed(end())
	return raw, texts
}
