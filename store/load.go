package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"sync"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Session returns a session by its id or a unique prefix of it. Turns that no
// process runs any more are shown as interrupted; nothing is written.
func (s *Store) Session(ctx context.Context, idOrPrefix string) (debate.Session, error) {
	return view(ctx, s, func(tx *transaction) debate.Session {
		id := resolve(tx, idOrPrefix)
		turns := s.turns.loadTurns(tx, id)
		if _, held := s.Held(id); !held {
			for i, t := range turns {
				if t.State == debate.TurnRunning {
					turns[i].Response, _ = interrupted(tx, t)
				}
			}
		}
		return loadWith(tx, id, turns)
	})
}

// load reads a whole session. Turns have the state of their rows, including running
// ones.
func (s *Store) load(tx *transaction, id string) debate.Session {
	return loadWith(tx, id, s.turns.loadTurns(tx, id))
}

func loadWith(tx *transaction, id string, turns []turn) debate.Session {
	d := loadHead(tx, id)
	d.Requests = loadLedger(tx, id).Requests
	d.History = rowsOf(tx, func(row *sql.Rows) (r debate.Round, err error) {
		err = row.Scan(&r.Number, timeColumn{&r.Ended}, jsonColumn{&r})
		return r, err
	}, `SELECT number, ended, body FROM rounds WHERE session = ? ORDER BY number`, id)
	loadSeatChanges(tx, &d)
	loadDocuments(tx, &d)
	d = withTurns(d, turns)
	loadRequestHashes(tx, &d)
	loadPromptCounts(tx, &d)
	loadEvidence(tx, &d)
	d.Parent = one(tx, func(row *sql.Rows) (*debate.Parent, error) {
		var p debate.Parent
		var concluded bool
		var line string
		err := row.Scan(&p.Name, &concluded, &line)
		if concluded {
			p.Result = cmp.Or(debate.ResultPart(line), "a verdict")
		}
		return &p, err
	}, `SELECT iif(title = '', topic, title), concluded, brief FROM sessions WHERE id = ? AND deleted IS NULL`, d.ForkedFrom)
	return d
}

// withTurns adds the turns of members to their rounds, ordered by step, seat and
// attempt, and counts all other turns and what those used that have ended.
func withTurns(d debate.Session, turns []turn) debate.Session {
	for _, t := range turns {
		if t.Turn.Step < 0 && t.State != debate.TurnRunning && t.State != turnDue {
			d = d.WithAuxiliaryTurn(t.purpose, t.Response)
		}
		var r *debate.Round
		if n := t.Turn.Round; n >= 1 && n <= len(d.History) {
			r = &d.History[n-1]
		}
		switch step := t.Turn.Step; {
		case t.State == turnDue && r != nil:
			r.Due = append(r.Due, debate.DueTurn{Turn: t.Turn, At: t.WaitUntil})
		case t.State == turnDue:
		case step == debate.VerdictStep:
			d.ChairTurns++
			addAuxiliary(&d, t.Response)
		case step == debate.FollowUpStep:
			d.FollowUps = append(d.FollowUps, debate.FollowUp{Question: t.Question, Response: t.Response})
		case step < 0: // of the light model, also in steps that are gone
			d.LightAttempt = max(d.LightAttempt, t.Turn.Attempt)
			addAuxiliary(&d, t.Response)
		case r != nil:
			r.Responses = append(r.Responses, t.Response)
		}
	}
	for _, r := range d.History {
		d.SortResponses(r.Responses)
	}
	slices.SortStableFunc(d.AuxiliarySpending, func(a, b debate.Spending) int { return cmp.Compare(a.Purpose, b.Purpose) })
	return d
}

// loadPromptCounts reads the prompts that their servers counted, but for those of
// follow-ups, which must not change how rounds are fitted.
func loadPromptCounts(tx *transaction, d *debate.Session) {
	for _, c := range rowsOf(tx, scanCall, callRows+`t.session = ? AND c.state = ? AND t.step <> ? ORDER BY c.id`, d.ID, callDone,
		debate.FollowUpStep) {
		if c.Usage.Estimated || c.Usage.Input == 0 || c.Estimate == 0 {
			continue
		}
		d.PromptCounts = append(d.PromptCounts, debate.PromptCount{
			Turn: c.Turn, Purpose: c.Purpose, Call: c.N, Estimate: c.Estimate, Counted: c.Usage.Input, Cached: c.Usage.Cached,
			Server: d.SpeakerOf(c.Purpose, c.Turn).Provider,
		})
	}
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
	reports := t.Turn.Step == debate.VerdictStep && t.State == debate.TurnInterrupted // and may have been asked for its pick
	if t.Turn.Step == debate.SummaryStep || !reports && t.State != debate.TurnDone && t.State != debate.TurnFailed {
		return
	}
	k := debate.CachedReply{Turn: t.Turn, Failure: t.Failure, Reply: agents.Reply{Finish: t.Finish}}
	if n := len(t.Passages); n > 0 {
		k.Reply.Text = t.Passages[n-1].Text
	}
	if reports {
		k.Failure = nil
	}
	d.CachedReplies = append(d.CachedReplies, k)
}

// loadRequestHashes adds to kept replies what they answer, and takes those out that are none: their
// first request was not sent, or was cut off.
func loadRequestHashes(tx *transaction, d *debate.Session) {
	for i, k := range d.CachedReplies {
		d.CachedReplies[i].Request = one(tx, column[string], `SELECT c.hash FROM turns t JOIN calls c ON c.turn = t.id
			WHERE t.session = ? AND t.round = ? AND t.step = ? AND t.agent = ? AND t.attempt = ? AND c.n = 1
			AND (c.state = ? OR t.state = ?)`,
			d.ID, k.Turn.Round, k.Turn.Step, k.Turn.Agent, k.Turn.Attempt, callDone, debate.TurnFailed)
	}
	d.CachedReplies = slices.DeleteFunc(d.CachedReplies, func(k debate.CachedReply) bool { return k.Request == "" })
}

func loadLedger(tx *transaction, session string) ledger.Ledger {
	return ledger.Fold(rowsOf(tx, func(row *sql.Rows) (ledger.Event, error) {
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
		FROM context_events WHERE session = ? ORDER BY seq`, session))
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
func (c *turnCache) loadTurns(tx *transaction, session string) []turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != session {
		c.session, c.ended = session, nil
	}
	var known []turn
	var missing []int64
	tx.each(func(row *sql.Rows) error {
		var t turn
		err := row.Scan(&t.id, &t.State, timeColumn{&t.Ended}, timeColumn{&t.WaitUntil})
		if r, ok := c.ended[t.id]; ok && r.State == t.State && r.Ended.Equal(t.Ended) {
			r.WaitUntil = t.WaitUntil
			known = append(known, r)
		} else {
			missing = append(missing, t.id)
		}
		return err
	}, `SELECT id, state, ended, due FROM turns WHERE session = ?`, session)
	all := append(known, readTurns(tx, missing)...)
	if tx.err != nil {
		return nil
	}
	slices.SortFunc(all, func(a, b turn) int { return cmp.Compare(a.id, b.id) })
	c.ended = map[int64]turn{}
	for _, t := range all {
		if t.State != debate.TurnRunning {
			c.ended[t.id] = t
		}
	}
	return all
}
