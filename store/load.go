package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Session returns a session by its id or a unique prefix of it. Turns that no
// process runs any more are shown as interrupted; nothing is written.
func (s *Store) Session(ctx context.Context, idOrPrefix string) (debate.Session, error) {
	return s.session(ctx, idOrPrefix, s.turns.loadTurns)
}

// session returns a session with the turns that a loader returns.
func (s *Store) session(ctx context.Context, idOrPrefix string, turns turnsLoader) (debate.Session, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) (d debate.Session, err error) {
		id, err := resolve(ctx, tx, idOrPrefix)
		if err != nil {
			return d, err
		}
		d, err = s.loadWith(ctx, tx, id, turns)
		if err != nil {
			return d, err
		}
		if is, err := running(ctx, tx, id); err != nil || !is {
			return d, err
		}
		if _, held := s.Held(id); held {
			return d, nil
		}
		return showInterrupted(ctx, tx, d)
	})
}

// running reports whether a turn of a session is stored as running, that of a seat or another.
func running(ctx context.Context, tx *sql.Tx, session string) (is bool, err error) {
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM turns WHERE session = ? AND state = 'running')`, session).Scan(&is)
	return is, err
}

// Outline returns a session as Session does, with outlines of its ended responses: however
// much was said, it is small. Response reads the texts one by one.
func (s *Store) Outline(ctx context.Context, idOrPrefix string) (debate.Session, error) {
	return s.session(ctx, idOrPrefix, outlineTurns)
}

// outlineTurns returns all turns of a session, reading one after the other. Running turns
// are whole, and so are answers to follow-ups and those of which a kept reply is made.
func outlineTurns(ctx context.Context, tx *sql.Tx, session string) ([]debate.Response, error) {
	type row struct {
		id    int64
		whole bool
	}
	rows, err := rowsOf(ctx, tx, func(rows *sql.Rows) (row, error) {
		var r row
		return r, rows.Scan(&r.id, &r.whole)
	}, `SELECT id, state = 'running' OR step < 0 AND step <> ?2 AND round = (SELECT max(number) FROM rounds WHERE session = ?1)
			OR step = ?3
		FROM turns WHERE session = ?1 AND state <> 'due' ORDER BY id`, session, debate.SummaryStep, debate.FollowUpStep)
	if err != nil {
		return nil, err
	}
	turns := make([]debate.Response, len(rows))
	for i, r := range rows {
		read, err := readTurns(ctx, tx, session, []int64{r.id})
		if err != nil {
			return nil, err
		}
		if turns[i] = *read[r.id]; !r.whole {
			turns[i] = turns[i].Outline()
		}
	}
	return turns, nil
}

// Response returns the response to a turn, with its texts.
func (s *Store) Response(ctx context.Context, t agents.Turn) (debate.Response, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) (r debate.Response, err error) {
		var id int64
		err = tx.QueryRowContext(ctx, `SELECT t.id FROM turns t JOIN sessions s ON s.id = t.session AND s.deleted IS NULL
			WHERE t.session = ? AND t.round = ? AND t.step = ? AND t.agent = ? AND t.attempt = ?`,
			t.Session, t.Round, t.Step, t.Agent, t.Attempt).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			err = cmp.Or(exists(ctx, tx, t.Session), fmt.Errorf("read %s: there is no such turn", debate.TurnID(t)))
		}
		if err != nil {
			return r, err
		}
		read, err := readTurns(ctx, tx, t.Session, []int64{id})
		if err != nil {
			return r, err
		}
		return *read[id], nil
	})
}

type turnsLoader func(ctx context.Context, tx *sql.Tx, session string) ([]debate.Response, error)

// load reads a whole session. Turns have the state of their rows, including running
// ones.
func (s *Store) load(ctx context.Context, tx *sql.Tx, id string) (debate.Session, error) {
	return s.loadWith(ctx, tx, id, s.turns.loadTurns)
}

// loadWith reads a session with the turns that a loader returns.
func (s *Store) loadWith(ctx context.Context, tx *sql.Tx, id string, turns turnsLoader) (debate.Session, error) {
	d := debate.Session{ID: id}
	err := tx.QueryRowContext(ctx, `SELECT title, topic, question, rounds, config_hash, nonce, stopped, forked_from, fork_round,
		fork_changes, created, updated, caps, budget, coalesce(endings ->> 'ends', ''), fit, seats, chair, light, mode, workspace,
		author, eval FROM sessions WHERE id = ? AND deleted IS NULL`, id).Scan(
		&d.Title, &d.Topic, &d.Question, &d.Rounds, &d.ConfigHash, &d.Nonce, &d.Stopped, &d.ForkedFrom, &d.ForkRound,
		jsonColumn{&d.ForkChanges}, timeColumn{&d.Created}, timeColumn{&d.Updated}, jsonColumn{&d.Caps}, jsonColumn{&d.Budget},
		&d.Ends, jsonColumn{&d.Fit}, jsonColumn{&d.Seats}, jsonColumn{&d.Chair}, jsonColumn{&d.Light},
		jsonColumn{&d.Mode}, jsonColumn{&d.Workspace}, jsonColumn{&d.Author}, jsonColumn{&d.Eval})
	if errors.Is(err, sql.ErrNoRows) {
		return d, sessionNotFound(id)
	}
	if err != nil {
		return d, err
	}
	l, err := loadLedger(ctx, tx, id)
	if err != nil {
		return d, err
	}
	d.Requests = l.Requests
	for _, read := range []func(context.Context, *sql.Tx, *debate.Session) error{
		loadRounds, loadSeatChanges, turns.loadResponses, loadDue, loadRequests, loadAuxiliary, loadPromptCounts,
		loadDigests, loadFollowUps, loadInterjections, loadDrafts, loadVerdict, loadSettlements, loadNotices, loadParent, s.evidence.load,
	} {
		if err := read(ctx, tx, &d); err != nil {
			return d, err
		}
	}
	return d, nil
}

// loadParent adds what became of the session that a fork comes from, unless it is gone.
func loadParent(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	var p debate.Parent
	var concluded bool
	var line string
	err := tx.QueryRowContext(ctx, `SELECT iif(title = '', topic, title), concluded, brief FROM sessions
		WHERE id = ? AND deleted IS NULL`, d.ForkedFrom).Scan(&p.Name, &concluded, &line)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if concluded {
		p.Result = cmp.Or(debate.ResultPart(line), "a verdict")
	}
	d.Parent = &p
	return err
}

func loadRounds(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	var err error
	d.History, err = rowsOf(ctx, tx, func(row *sql.Rows) (debate.Round, error) {
		var r debate.Round
		var after roundResult
		err := row.Scan(&r.Number, &r.Hash, timeColumn{&r.Began}, timeColumn{&r.Ended}, jsonColumn{&r.Manifest}, jsonColumn{&after})
		r.Same = after.Same
		return r, err
	}, `SELECT number, hash, began, ended, manifest, consensus FROM rounds WHERE session = ? ORDER BY number`, d.ID)
	return err
}

// loadResponses adds the turns of members to their rounds, ordered by step, seat and
// attempt, and counts all other turns.
func (load turnsLoader) loadResponses(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	turns, err := load(ctx, tx, d.ID)
	if err != nil {
		return err
	}
	for _, t := range turns {
		switch step := t.Turn.Step; {
		case step == debate.VerdictStep:
			d.ChairTurns++
			addAuxiliary(d, t)
			continue
		case step == debate.FollowUpStep:
			d.FollowUps = append(d.FollowUps, debate.FollowUp{Response: t})
			continue
		case step < 0: // of the light model, also in steps that are gone
			d.LightAttempt = max(d.LightAttempt, t.Turn.Attempt)
			addAuxiliary(d, t)
			continue
		}
		i := slices.IndexFunc(d.History, func(r debate.Round) bool { return r.Number == t.Turn.Round })
		if i >= 0 {
			d.History[i].Responses = append(d.History[i].Responses, t)
		}
	}
	sortResponses(d)
	return nil
}

// sortResponses orders the responses of each round by step, seat and attempt.
func sortResponses(d *debate.Session) {
	seat := func(id agents.ID) int {
		_, n := d.Seat(id)
		return n
	}
	for _, r := range d.History {
		slices.SortStableFunc(r.Responses, func(a, b debate.Response) int {
			return cmp.Or(a.Turn.Step-b.Turn.Step, seat(a.Turn.Agent)-seat(b.Turn.Agent), a.Turn.Attempt-b.Turn.Attempt)
		})
	}
}

// loadAuxiliary sums up what the turns that are not of members used.
func loadAuxiliary(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	var err error
	d.AuxiliarySpending, err = rowsOf(ctx, tx, func(row *sql.Rows) (debate.Spending, error) {
		var a debate.Spending
		err := row.Scan(&a.Purpose, &a.Calls, &a.Usage.Input, &a.Usage.Output, &a.Usage.Reasoning, &a.Usage.Estimated, &a.Cost)
		return a, err
	}, `SELECT purpose, sum(sent), sum(input), sum(output), sum(reasoning), max(estimated),
		CASE WHEN count(*) FILTER (WHERE sent > 0 AND cost IS NULL) = 0 THEN coalesce(sum(cost), 0) END
		FROM turns WHERE session = ? AND step < 0 AND state <> 'running' GROUP BY purpose ORDER BY purpose`, d.ID)
	return err
}

// loadPromptCounts reads the prompts that their servers counted, but for those of
// follow-ups, which must not change how rounds are fitted.
func loadPromptCounts(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	var err error
	d.PromptCounts, err = rowsOf(ctx, tx, func(row *sql.Rows) (debate.PromptCount, error) {
		n := debate.PromptCount{Turn: agents.Turn{Session: d.ID}}
		err := row.Scan(&n.Turn.Round, &n.Turn.Step, &n.Turn.Attempt, &n.Turn.Agent, &n.Purpose, &n.Call, &n.Estimate,
			&n.Counted, &n.Cached)
		n.Server = d.SpeakerOf(n.Purpose, n.Turn).Provider
		return n, err
	}, `SELECT t.round, t.step, t.attempt, t.agent, t.purpose, c.n, c.estimate, c.input, c.cached FROM turns t JOIN calls c ON c.turn = t.id
		WHERE t.session = ? AND c.state = 'done' AND NOT c.estimated AND c.input > 0 AND c.estimate > 0
			AND t.step <> ? ORDER BY c.id`, d.ID, debate.FollowUpStep)
	return err
}

// addAuxiliary adds what a turn of the chair or the light model in the newest round leaves
// to the next run: its reply, which need not be asked for again, or until when its provider
// asked to wait. Summaries are stored as digests instead.
func addAuxiliary(d *debate.Session, t debate.Response) {
	if t.Turn.Round != len(d.History) {
		return
	}
	d.Waits = slices.DeleteFunc(d.Waits, func(w debate.DueTurn) bool { return w.Turn.Step == t.Turn.Step })
	if !t.Finished() && !t.WaitUntil.IsZero() {
		d.Waits = append(d.Waits, debate.DueTurn{Turn: t.Turn, At: t.WaitUntil})
	}
	if t.Turn.Step == debate.SummaryStep || t.State != debate.TurnDone && t.State != debate.TurnFailed {
		return
	}
	k := debate.CachedReply{Turn: t.Turn, Failure: t.Failure, Reply: agents.Reply{Finish: t.Finish, Usage: t.Usage, Sent: t.Calls}}
	if n := len(t.Passages); n > 0 {
		k.Reply.Text = t.Passages[n-1].Text
	}
	d.CachedReplies = append(d.CachedReplies, k)
}

// loadRequests sets the hashes of the requests that the kept replies answer.
func loadRequests(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	for i, k := range d.CachedReplies {
		err := tx.QueryRowContext(ctx, `SELECT c.hash FROM turns t JOIN calls c ON c.turn = t.id
			WHERE t.session = ? AND t.round = ? AND t.step = ? AND t.agent = ? AND t.attempt = ? AND c.n = 1`,
			d.ID, k.Turn.Round, k.Turn.Step, k.Turn.Agent, k.Turn.Attempt).Scan(&d.CachedReplies[i].Request)
		if err != nil && !errors.Is(err, sql.ErrNoRows) { // refused before anything was sent
			return err
		}
	}
	return nil
}

func loadDigests(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	var err error
	d.Summaries, err = rowsOf(ctx, tx, func(row *sql.Rows) (debate.StatementSummary, error) {
		var g debate.StatementSummary
		return g, row.Scan(&g.Response, &g.Hash, &g.Model, &g.Version, &g.Text, &g.OriginalLength, &g.Length, timeColumn{&g.At})
	}, `SELECT response, hash, model, version, text, from_size, to_size, at FROM digests WHERE session = ? ORDER BY id`, d.ID)
	return err
}

// loadDue adds the turns that are due to their rounds, by step, seat and attempt.
func loadDue(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	due, err := rowsOf(ctx, tx, func(row *sql.Rows) (debate.DueTurn, error) {
		var t debate.DueTurn
		t.Turn.Session = d.ID
		return t, row.Scan(&t.Turn.Round, &t.Turn.Step, &t.Turn.Agent, &t.Turn.Attempt, timeColumn{&t.At})
	}, `SELECT round, step, agent, attempt, due FROM turns WHERE session = ? AND state = 'due' ORDER BY id`, d.ID)
	for _, t := range due {
		if n := t.Turn.Round; n >= 1 && n <= len(d.History) {
			d.History[n-1].Due = append(d.History[n-1].Due, t)
		}
	}
	return err
}

// loadFollowUps adds the questions to the follow-ups of a session, whose turns are read.
func loadFollowUps(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	if len(d.FollowUps) == 0 {
		return nil
	}
	questions, err := rowsOf(ctx, tx, column[string], `SELECT coalesce(f.question, '') FROM turns t LEFT JOIN followups f ON f.turn = t.id
		WHERE t.session = ? AND t.step = ? AND t.state <> 'due' ORDER BY t.id`, d.ID, debate.FollowUpStep)
	for i := range min(len(questions), len(d.FollowUps)) {
		d.FollowUps[i].Question = questions[i]
	}
	return err
}

func loadInterjections(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	var err error
	d.Interjections, err = rowsOf(ctx, tx, func(row *sql.Rows) (debate.Interjection, error) {
		var i debate.Interjection
		return i, row.Scan(&i.N, &i.Agent, timeColumn{&i.At}, &i.Text, jsonColumn{&i.Author})
	}, `SELECT n, agent, at, text, author FROM interjections WHERE session = ? ORDER BY n`, d.ID)
	return err
}

// loadSeatChanges gives the seats the models that they have in the rounds that have begun.
func loadSeatChanges(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	changes, err := rowsOf(ctx, tx, func(row *sql.Rows) (debate.SeatChange, error) {
		var c debate.SeatChange
		return c, row.Scan(&c.Round, &c.Agent, jsonColumn{&c.Was}, jsonColumn{&c.Now}, timeColumn{&c.At})
	}, `SELECT round, agent, was, now, at FROM seat_changes WHERE session = ? ORDER BY id`, d.ID)
	d.SeatChanges = changes
	d.Seats = d.AsOf(len(d.History)).Seats
	return err
}

func loadDrafts(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	type named struct {
		id    string
		draft debate.Draft
	}
	all, err := rowsOf(ctx, tx, func(row *sql.Rows) (named, error) {
		var n named
		return n, row.Scan(&n.id, &n.draft.Text, &n.draft.Source, &n.draft.Unavailable, &n.draft.Other, &n.draft.ProposedBy,
			timeColumn{&n.draft.At})
	}, `SELECT request, text, source, unavailable, other, proposed_by, at FROM context_drafts WHERE session = ?`, d.ID)
	if err != nil || len(all) == 0 {
		return err
	}
	d.Drafts = make(map[string]debate.Draft, len(all))
	for _, n := range all {
		d.Drafts[n.id] = n.draft
	}
	return nil
}

func loadVerdict(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	var v debate.Verdict
	err := tx.QueryRowContext(ctx, `SELECT body FROM verdicts WHERE session = ? AND superseded IS NULL ORDER BY id DESC LIMIT 1`,
		d.ID).Scan(jsonColumn{&v})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	d.Verdict = &v
	return err
}

func loadNotices(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	var err error
	d.Notices, err = rowsOf(ctx, tx, func(row *sql.Rows) (debate.Notice, error) {
		var n debate.Notice
		return n, row.Scan(&n.Code, &n.Text, &n.Agent, &n.Round, timeColumn{&n.At})
	}, `SELECT code, text, agent, round, at FROM notices WHERE session = ? ORDER BY id`, d.ID)
	return err
}

func loadLedger(ctx context.Context, tx *sql.Tx, session string) (ledger.Ledger, error) {
	events, err := rowsOf(ctx, tx, func(row *sql.Rows) (ledger.Event, error) {
		e := ledger.Event{Session: session}
		var round, step, attempt sql.NullInt64
		var call sql.NullString
		err := row.Scan(&e.Seq, &e.Request, &e.Type, &e.Actor, &round, &step, &attempt, &call, timeColumn{&e.At}, jsonColumn{&e.Payload})
		if round.Valid {
			e.Call = call.String
			e.Turn = agents.Turn{
				Session: session, Round: int(round.Int64), Step: int(step.Int64), Attempt: int(attempt.Int64),
				Agent: agents.ID(e.Actor),
			}
		}
		return e, err
	}, `SELECT seq, request, type, actor, round, step, attempt, call, at, payload
		FROM context_events WHERE session = ? ORDER BY seq`, session)
	return ledger.Fold(events), err
}

// turnCache keeps the ended turns of the session that was loaded last, of which nothing
// changes but when one that was cut off is due: their texts are most of a session, and are
// read once.
type turnCache struct {
	mu      sync.Mutex
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
		var ended, due time.Time
		err := row.Scan(&id, &state, timeColumn{&ended}, timeColumn{&due})
		if r, ok := known[id]; ok && r.State == state && r.Ended.Equal(ended) {
			r.WaitUntil = due
			c.ended[id] = r
		} else {
			missing = append(missing, id)
		}
		return id, err
	}, `SELECT id, state, ended, due FROM turns WHERE session = ? AND state <> 'due' ORDER BY id`, session)
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
	if len(ids) == 0 {
		return map[int64]*debate.Response{}, nil
	}
	wanted := jsonColumn{ids}
	turns, bodies, err := readRows(ctx, tx, session, wanted)
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

// readRows reads the rows of turns.
func readRows(ctx context.Context, tx *sql.Tx, session string, ids jsonColumn) (map[int64]*debate.Response, map[int64]textPlace, error) {
	turns, bodies := map[int64]*debate.Response{}, map[int64]textPlace{}
	err := forEach(ctx, tx, func(row *sql.Rows) error {
		id, r, body, err := scanTurn(row, session)
		turns[id], bodies[id] = &r, body
		return err
	}, `SELECT id, round, step, agent, attempt, role, phase, snapshot, state, began, ended, due, finish,
		input, output, reasoning, cached, estimated, cost, sent, inherited, saw, fitting, prompts, failure,
		json_remove(statement, '$.body'), side,
		coalesce(instr((SELECT CAST(p.text AS BLOB) FROM passages p WHERE p.turn = t.id ORDER BY p.n DESC LIMIT 1),
			CAST(statement ->> '$.body' AS BLOB)), 0), coalesce(length(CAST(statement ->> '$.body' AS BLOB)), 0)
		FROM turns t WHERE id IN (SELECT value FROM json_each(?1))`, ids)
	return turns, bodies, err
}

// textPlace is where a text occurs in another one, in bytes; from counts from 1 and is 0
// if it does not.
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
