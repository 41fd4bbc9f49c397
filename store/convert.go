package store

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed" // for conversions
	"encoding/json"
	"regexp"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// oldestSchema is the oldest schema that can be converted, of commit 91a050bb.
const oldestSchema = 25

// convert brings the tables of an older schema to the present one. Rows keep their order, and
// turns their ids.
func (s *Store) convert(ctx context.Context, tx *sql.Tx) error {
	change, err := rowsOf(ctx, tx, column[string], `SELECT iif(type = 'table', 'ALTER TABLE ' || name || ' RENAME TO old_' || name,
		'DROP INDEX ' || name) FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		return err
	}
	for _, c := range append(change, schemaText) {
		if _, err := tx.ExecContext(ctx, c); err != nil {
			return err
		}
	}
	for _, step := range []func(context.Context, *sql.Tx) error{s.convertSessions, convertTurns, convertCalls} {
		if err := step(ctx, tx); err != nil {
			return err
		}
	}
	for c := range strings.SplitSeq(regexp.MustCompile(`iso\((\w+)\)`).ReplaceAllString(conversions, isoTime), ";\n") {
		crashAt("conversion", "before")
		if _, err := tx.ExecContext(ctx, c); err != nil {
			return err
		}
	}
	return s.finish(ctx, tx)
}

//go:embed convert.sql
var conversions string

// isoTime is what SQL has in place of iso(column).
const isoTime = `strftime('%Y-%m-%dT%H:%M:%S', $1 / 1000000000, 'unixepoch') || printf('.%09dZ', $1 % 1000000000)`

func (s *Store) convertSessions(ctx context.Context, tx *sql.Tx) error {
	all, err := rowsOf(ctx, tx, func(row *sql.Rows) (d debate.Session, err error) {
		err = row.Scan(&d.ID, &d.Title, &d.Topic, &d.Question, &d.Rounds, &d.ConfigHash, &d.Nonce, &d.Stopped, &d.ForkedFrom,
			&d.ForkRound, jsonColumn{&d.ForkChanges}, timeColumn{&d.Created}, timeColumn{&d.Updated}, jsonColumn{&d.Caps},
			jsonColumn{&d.Budget}, &d.Ends, jsonColumn{&d.Fit}, jsonColumn{&d.Seats}, jsonColumn{&d.Chair}, jsonColumn{&d.Light},
			jsonColumn{&d.Mode}, jsonColumn{&d.Workspace}, jsonColumn{&d.Author}, jsonColumn{&d.Eval}, &d.Unit)
		if d.Question = cmp.Or(d.Question, debate.QuestionYesNo); d.Mode.Name == "tradeoff" || d.Mode.Name == "oxford" {
			d.Gone = debate.Gone("mode " + d.Mode.Name)
		}
		return d, err
	}, `SELECT id, title, topic, question, rounds, config_hash, nonce, stopped, forked_from, fork_round, fork_changes, created, updated,
		caps, budget, coalesce(endings ->> 'ends', ''), fit, seats, chair, light, mode, workspace, author, eval,
		coalesce((SELECT statement ->> '$.estimate.unit' FROM old_turns t WHERE t.session = old_sessions.id
			AND statement ->> '$.estimate.unit' IS NOT NULL ORDER BY t.id LIMIT 1), '')
		FROM old_sessions ORDER BY rowid`)
	for i := 0; i < len(all) && err == nil; i++ {
		err = s.insertSession(ctx, tx, &all[i])
	}
	return err
}

// finish stores what lists show of debates of modes that are gone, and hides what was deleted,
// of which nothing can be loaded from then on.
func (s *Store) finish(ctx context.Context, tx *sql.Tx) error {
	gone, err := rowsOf(ctx, tx, column[string], `SELECT id FROM sessions WHERE body ->> '$.Gone' <> ''`)
	for _, id := range gone {
		err = cmp.Or(err, s.setLine(ctx, tx, id))
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE sessions SET deleted = (SELECT deleted FROM old_sessions o WHERE o.id = sessions.id);
			DROP TABLE old_sessions`)
	}
	return err
}

// convertTurns converts turns with their texts. One of a step that is gone cannot be played to
// its end and is cancelled.
func convertTurns(ctx context.Context, tx *sql.Tx) error {
	ids, err := rowsOf(ctx, tx, column[int64], `SELECT id FROM old_turns ORDER BY id`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		t, err := loadOldTurn(ctx, tx, id)
		if err != nil {
			return err
		}
		if t.State != debate.TurnRunning {
			if t.Passages, err = loadOldPassages(ctx, tx, id); err != nil {
				return err
			}
		}
		if t.id, err = insertTurn(ctx, tx, t); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE turns SET id = ? WHERE id = ?`, id, t.id); err != nil {
			return err
		}
		if t.id = id; t.State == debate.TurnDone {
			err = t.addSearchText(ctx, tx)
		}
		if err == nil && t.Question != "" {
			err = t.addQuestion(ctx, tx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// oneVote is a statement with one vote: what it had in the member of its kind of question.
const oneVote = `iif(statement IS NULL, NULL, json_patch(statement, json_object(
	'vote', coalesce(
		iif(statement ->> '$.estimate.value' IS NULL, NULL,
			trim(format('%s %s', statement ->> '$.estimate.value', coalesce(statement ->> '$.estimate.unit', '')))),
		statement ->> '$.choice', replace(statement ->> '$.stance', 'neutral', 'undecided'), statement ->> '$.vote'),
	'low', statement ->> '$.estimate.low', 'high', statement ->> '$.estimate.high')))`

func loadOldTurn(ctx context.Context, tx *sql.Tx, id int64) (t turn, err error) {
	var review bool
	err = tx.QueryRowContext(ctx, `SELECT session, round, step, agent, attempt, purpose, role, phase, snapshot, state, began, ended, due,
			finish, input, output, reasoning, cached, estimated, cost, sent, inherited, saw, fitting, prompts, failure, `+oneVote+`, side,
			coalesce((SELECT question FROM old_followups WHERE turn = old_turns.id), ''),
			(SELECT mode_name = 'review' FROM old_sessions WHERE id = session) FROM old_turns WHERE id = ?`, id).
		Scan(&t.Turn.Session, &t.Turn.Round, &t.Turn.Step, &t.Turn.Agent, &t.Turn.Attempt, &t.purpose, &t.Role, &t.Phase,
			&t.SnapshotHash, &t.State, timeColumn{&t.Began}, timeColumn{&t.Ended}, timeColumn{&t.WaitUntil}, &t.Finish, &t.Usage.Input,
			&t.Usage.Output, &t.Usage.Reasoning, &t.Usage.Cached, &t.Usage.Estimated, &t.Cost, &t.Calls, &t.Inherited,
			jsonColumn{&t.SeenResponses}, jsonColumn{&t.ContextFit}, &t.PromptVersion, jsonColumn{&t.Failure}, jsonColumn{&t.Statement},
			&t.Side, &t.Question, &review)
	const listsStep = -4
	if gone := t.Turn.Step == listsStep || t.Turn.Step == debate.CompareStep && !review; gone && t.State == debate.TurnRunning {
		t.State, t.Ended = debate.TurnCancelled, t.Began
	}
	return t, err
}

func loadOldPassages(ctx context.Context, tx *sql.Tx, turn int64) ([]debate.Passage, error) {
	var r debate.Response
	err := forEach(ctx, tx, func(row *sql.Rows) error {
		var n int
		var p debate.Passage
		err := row.Scan(&n, &p.Text, &p.Reasoning)
		*passageAt(&r, n) = p
		return err
	}, `SELECT n, text, reasoning FROM old_passages WHERE turn = ? AND n < 1000 ORDER BY n`, turn)
	return r.Passages, err
}

// convertCalls converts calls with their requests, which were stored in parts: those of a call
// that it continues and, from there on, its own.
func convertCalls(ctx context.Context, tx *sql.Tx) error {
	type oldCall struct {
		call
		turn    int64
		of      agents.Turn
		mark    string
		request string
	}
	calls, err := rowsOf(ctx, tx, func(row *sql.Rows) (c oldCall, err error) {
		return c, row.Scan(&c.id, &c.turn, &c.of.Session, &c.of.Agent, &c.N, &c.Purpose, &c.State, &c.Tries, &c.waits,
			timeColumn{&c.Sent}, timeColumn{&c.Ended}, &c.Finish, &c.Usage.Input, &c.Usage.Output, &c.Usage.Reasoning, &c.Usage.Cached,
			&c.Usage.Estimated, &c.Cost, &c.Hash, &c.Estimate, jsonColumn{&c.Failure}, jsonColumn{&c.Patched}, &c.mark, &c.request)
	}, `SELECT c.id, c.turn, t.session, t.agent, c.n, c.purpose, iif(c.state = 'sent' AND n.state <> 'running', 'broken', c.state),
		tries, waits, c.began, c.ended, c.finish, c.input, c.output, c.reasoning, c.cached, c.estimated, c.cost, c.hash, c.estimate,
		c.failure, patched, mark, request FROM old_calls c JOIN old_turns t ON t.id = c.turn JOIN turns n ON n.id = c.turn ORDER BY c.id`)
	if err != nil {
		return err
	}
	for _, c := range calls {
		raw, titles := []byte(c.request), []byte("null")
		if c.request == "" {
			var messages []agents.Message
			if raw, messages, err = loadOldRequest(ctx, tx, c.id, c.mark); err != nil {
				return err
			}
			if titles, err = json.Marshal(partsOf(messages)); err != nil {
				return err
			}
		}
		var about struct{ Model string }
		if err := json.Unmarshal(raw, &about); err != nil {
			return err
		}
		c.Model = about.Model
		base, err := baseOf(ctx, tx, c.of, c.Purpose, c.Model)
		if err == nil {
			_, err = insertCall(ctx, tx, c.turn, base, c.call, raw, titles)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// loadOldRequest returns the JSON of the request of a call, and its texts as messages. A part
// without a title is raw JSON; one with an empty title continues the one before.
func loadOldRequest(ctx context.Context, tx *sql.Tx, call int64, mark string) (raw []byte, texts []agents.Message, err error) {
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
	err = forEach(ctx, tx, func(row *sql.Rows) error {
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
	return raw, texts, cmp.Or(err, end())
}
