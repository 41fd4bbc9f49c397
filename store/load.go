package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
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

func running(ctx context.Context, tx *sql.Tx, session string) (is bool, err error) {
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM turns WHERE session = ? AND state = 'running')`, session).Scan(&is)
	return is, err
}

// Outline returns a session as Session does, with outlines of its ended responses: however
// much was said, it is small. Response reads the texts one by one.
func (s *Store) Outline(ctx context.Context, idOrPrefix string) (debate.Session, error) {
	return s.session(ctx, idOrPrefix, outlineTurns)
}

// outlineTurns returns all turns of a session without their texts. Running turns are whole, and
// so are answers to follow-ups and those of which a kept reply is made.
func outlineTurns(ctx context.Context, tx *sql.Tx, session string) ([]turn, error) {
	var ids []int64
	whole := []int64{}
	err := forEach(ctx, tx, func(row *sql.Rows) error {
		var id int64
		var all bool
		err := row.Scan(&id, &all)
		if ids = append(ids, id); all {
			whole = append(whole, id)
		}
		return err
	}, `SELECT id, state = 'running' OR step < 0 AND step <> ?2 AND round = (SELECT max(number) FROM rounds WHERE session = ?1)
			OR step = ?3
		FROM turns WHERE session = ?1 AND state <> 'due' ORDER BY id`, session, debate.SummaryStep, debate.FollowUpStep)
	if err != nil {
		return nil, err
	}
	read, err := readTurns(ctx, tx, ids, whole)
	turns := make([]turn, 0, len(ids))
	for _, id := range ids {
		if t := read[id]; err == nil {
			if !slices.Contains(whole, id) {
				t.Response = t.Outline()
			}
			turns = append(turns, *t)
		}
	}
	return turns, err
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
		read, err := readTurns(ctx, tx, []int64{id}, nil)
		if err != nil {
			return r, err
		}
		return read[id].Response, nil
	})
}

type turnsLoader func(ctx context.Context, tx *sql.Tx, session string) ([]turn, error)

// load reads a whole session. Turns have the state of their rows, including running
// ones.
func (s *Store) load(ctx context.Context, tx *sql.Tx, id string) (debate.Session, error) {
	return s.loadWith(ctx, tx, id, s.turns.loadTurns)
}

// loadWith reads a session with the turns that a loader returns.
func (s *Store) loadWith(ctx context.Context, tx *sql.Tx, id string, turns turnsLoader) (debate.Session, error) {
	d, err := loadHead(ctx, tx, id)
	if err != nil {
		return d, err
	}
	l, err := loadLedger(ctx, tx, id)
	if err != nil {
		return d, err
	}
	d.Requests = l.Requests
	for _, read := range []func(context.Context, *sql.Tx, *debate.Session) error{
		loadRounds, loadSeatChanges, loadDocuments, turns.loadResponses, loadDue, loadRequests, loadPromptCounts, loadParent,
		loadEvidence,
	} {
		if err := read(ctx, tx, &d); err != nil {
			return d, err
		}
	}
	return d, nil
}

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

func loadRounds(ctx context.Context, tx *sql.Tx, d *debate.Session) (err error) {
	d.History, err = rowsOf(ctx, tx, func(row *sql.Rows) (r debate.Round, err error) {
		return r, row.Scan(&r.Number, timeColumn{&r.Ended}, jsonColumn{&r})
	}, `SELECT number, ended, body FROM rounds WHERE session = ? ORDER BY number`, d.ID)
	return err
}

// loadResponses adds the turns of members to their rounds, ordered by step, seat and
// attempt, and counts all other turns and what those used that have ended.
func (load turnsLoader) loadResponses(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	turns, err := load(ctx, tx, d.ID)
	if err != nil {
		return err
	}
	for _, t := range turns {
		if t.Turn.Step < 0 && t.State != debate.TurnRunning {
			*d = d.WithAuxiliaryTurn(t.purpose, t.Response)
		}
		switch step := t.Turn.Step; {
		case step == debate.VerdictStep:
			d.ChairTurns++
			addAuxiliary(d, t.Response)
			continue
		case step == debate.FollowUpStep:
			d.FollowUps = append(d.FollowUps, debate.FollowUp{Question: t.Question, Response: t.Response})
			continue
		case step < 0: // of the light model, also in steps that are gone
			d.LightAttempt = max(d.LightAttempt, t.Turn.Attempt)
			addAuxiliary(d, t.Response)
			continue
		}
		i := slices.IndexFunc(d.History, func(r debate.Round) bool { return r.Number == t.Turn.Round })
		if i >= 0 {
			d.History[i].Responses = append(d.History[i].Responses, t.Response)
		}
	}
	slices.SortStableFunc(d.AuxiliarySpending, func(a, b debate.Spending) int { return cmp.Compare(a.Purpose, b.Purpose) })
	sortResponses(d)
	return nil
}

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

// loadPromptCounts reads the prompts that their servers counted, but for those of
// follow-ups, which must not change how rounds are fitted.
func loadPromptCounts(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	return forEach(ctx, tx, func(row *sql.Rows) error {
		c, err := scanReceipt(row, d.ID)
		if c.Usage.Estimated || c.Usage.Input == 0 || c.Estimate == 0 {
			return err
		}
		n := debate.PromptCount{
			Turn: c.Turn, Purpose: c.Purpose, Call: c.N, Estimate: c.Estimate, Counted: c.Usage.Input, Cached: c.Usage.Cached,
			Server: d.SpeakerOf(c.Purpose, c.Turn).Provider,
		}
		d.PromptCounts = append(d.PromptCounts, n)
		return err
	}, receipts+` AND c.state = ? AND t.step <> ? ORDER BY c.id`, d.ID, callDone, debate.FollowUpStep)
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
	ended   map[int64]turn // by row id
}

// loadTurns returns all turns of a session with their passages and tool calls. The
// journal of a running turn is its last passage.
func (c *turnCache) loadTurns(ctx context.Context, tx *sql.Tx, session string) ([]turn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != session {
		c.session, c.ended = session, nil
	}
	known := c.ended
	c.ended = map[int64]turn{}
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
	read, err := readTurns(ctx, tx, missing, nil)
	if err != nil {
		return nil, err
	}
	turns := make([]turn, 0, len(ids))
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
