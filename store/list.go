package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// Query selects sessions. The zero value selects all.
type Query struct {
	ID    string    // of one session
	Text  string    // words that all occur in one text of the session
	Mode  string    // name of a mode
	State string    // a state or status, see debate.SessionSummary.Is
	Agent string    // id or name of a seat
	Since time.Time // changed then or later
	Limit int       // 0: no limit

	Deleted bool // those that can be restored, in place of all others

	Eval  string // name of an evaluation: only its debates, which are left out otherwise
	Evals bool   // those of evaluations too

	Call string // key of the call of an assistant that began it
}

// Sessions lists sessions, the most recently changed first. It sets Running for
// those that a process has open in the middle of a round.
func (s *Store) Sessions(ctx context.Context, q Query) ([]debate.SessionSummary, error) {
	return view(ctx, s, func(tx *transaction) []debate.SessionSummary { return s.list(tx, q) })
}

// EvalItems returns the debates of an evaluation by the keys of their questions.
func (s *Store) EvalItems(ctx context.Context, name string) (map[string]string, error) {
	return view(ctx, s, func(tx *transaction) map[string]string {
		out := map[string]string{}
		tx.each(func(row *sql.Rows) error {
			var key, id string
			err := row.Scan(&key, &id)
			out[key] = id
			return err
		}, `SELECT eval_key, id FROM sessions WHERE eval = ? AND eval <> '' AND deleted IS NULL
			ORDER BY created DESC, id`, name)
		return out
	})
}

// AnswerTokens returns how many tokens the last answers of a speaker's model had on average, with
// its thinking, as its server counted them and with the same effort; 0 if there are none.
func (s *Store) AnswerTokens(ctx context.Context, p agents.Profile) (int, error) {
	return view(ctx, s, func(tx *transaction) int {
		const last = 20
		return one(tx, column[int], `SELECT CAST(coalesce(avg(output), 0) AS INTEGER) FROM (
			SELECT coalesce(t.body ->> '$.Usage.output', 0) AS output
			FROM turns t JOIN sessions s ON s.id = t.session JOIN json_each(s.body, '$.Seats') p ON p.value ->> '$.id' = t.agent
			WHERE t.step >= 0 AND t.state = ? AND NOT t.inherited AND NOT coalesce(t.body ->> '$.Usage.estimated', 0)
				AND p.value ->> '$.provider' = ? AND p.value ->> '$.model' = ? AND coalesce(p.value ->> '$.reasoning_effort', '') = ?
				AND NOT EXISTS (SELECT 1 FROM documents c WHERE c.session = t.session AND c.kind = ? AND c.body ->> '$.agent' = t.agent
					AND c.round <= t.round)
			ORDER BY t.id DESC LIMIT ?)`, debate.TurnDone, p.Provider, p.Model, p.ReasoningEffort, seatChangeDocument, last)
	})
}

// list reads summaries until q.Limit is reached. Sessions with the same panel share
// its decoded seats.
func (s *Store) list(tx *transaction, q Query) []debate.SessionSummary {
	where, args := q.where()
	limit := -1
	if q.Limit > 0 && q.State == "" && q.Agent == "" { // which SQLite knows nothing of
		limit = q.Limit
	}
	var out []debate.SessionSummary
	panels := map[string][]agents.Profile{}
	tx.each(func(row *sql.Rows) error {
		v, err := scanSummary(row, panels)
		if err != nil {
			return err
		}
		if q.matches(v) {
			s.addHolder(&v)
			out = append(out, v)
		}
		return nil
	}, `SELECT id, title, topic, question, mode, brief, side, stopped, round, rounds, round_ended,
		concluded, reported, required, optional, asking, cost, tokens, created, updated, forked_from, fork_round, outline,
		settled, iif(settled = '', NULL, (SELECT body -> '$.author' FROM documents WHERE session = s.id AND kind = 'settlement'
			ORDER BY id DESC LIMIT 1)), iif(concluded, NULL, (`+waitUntil+`))
		FROM sessions s WHERE `+where+` ORDER BY updated DESC, id LIMIT ?`,
		append(append([]any{timestamp(s.now()), debate.VerdictStep}, args...), limit)...)
	setOpenRounds(tx, out)
	s.addCutOff(tx, out)
	if q.State != "" {
		out = slices.DeleteFunc(out, func(v debate.SessionSummary) bool { return !v.Is(q.State) })
	}
	if q.Limit > 0 {
		out = out[:min(len(out), q.Limit)]
	}
	return out
}

// waitUntil selects until when the last turn of the newest round of a session s waits that comes
// next: of its seats, or of the chair after the last round. ?1 is the present, ?2 the step of the verdict.
const waitUntil = `SELECT max(t.due) FROM turns t WHERE t.session = s.id AND t.round = s.round
	AND t.state IN ('due', 'running', 'interrupted') AND t.due > ?1
	AND iif(s.round_ended, t.step = ?2 AND (s.round >= s.rounds OR s.stopped <> ''), t.step >= 0 AND s.stopped NOT IN ('user', 'budget'))
	AND NOT EXISTS (SELECT 1 FROM turns n WHERE n.session = t.session AND n.round = t.round AND n.step = t.step
		AND (n.agent = t.agent OR t.step < 0) AND n.id > t.id)`

// addHolder adds which process has an unfinished session open, and whether it runs there. A
// session waits only while none has it open.
func (s *Store) addHolder(v *debate.SessionSummary) {
	if v.Status != debate.Complete && v.Status != debate.Stopped {
		v.Holder, _ = s.Held(v.ID)
		v.Running = v.Holder.Runs
	}
	if v.Status == debate.NeedsContext || v.Holder != (debate.Holder{}) {
		v.WaitUntil = time.Time{}
	}
}

// addCutOff adds to what sessions used the completions that were under way when their
// process died, as Repair will count them.
func (s *Store) addCutOff(tx *transaction, list []debate.SessionSummary) {
	listed := map[string]*debate.SessionSummary{}
	for i := range list {
		listed[list[i].ID] = &list[i]
	}
	for _, c := range rowsOf(tx, scanCall, callRows+`t.state = 'running' AND c.state = ?
			AND t.session IN (SELECT value FROM json_each(?))`, callSent, jsonColumn{slices.Sorted(maps.Keys(listed))}) {
		v := listed[c.Turn.Session]
		if _, held := s.Held(v.ID); held {
			continue
		}
		if usage, cost, ok := c.underWay(tx); ok {
			spent := debate.Spending{Calls: 1, Cost: v.Cost}.Plus(1, usage, cost)
			v.Tokens, v.Cost = v.Tokens+spent.Usage.Total(), spent.Cost
		}
	}
}

// where returns the part of the query that SQLite can evaluate.
func (q Query) where() (string, []any) {
	where, args := []string{"deleted IS NULL"}, []any(nil)
	if q.Deleted {
		where[0] = "deleted IS NOT NULL"
	}
	if q.ID != "" {
		where, args = append(where, "id = ?"), append(args, q.ID)
	}
	switch {
	case q.Eval != "":
		where, args = append(where, "eval = ?"), append(args, q.Eval)
	case !q.Evals && q.ID == "" && !q.Deleted:
		where = append(where, "eval = ''")
	}
	if q.Call != "" {
		where, args = append(where, "call = ?"), append(args, q.Call)
	}
	if q.Mode != "" {
		where, args = append(where, "mode = ?"), append(args, q.Mode)
	}
	if !q.Since.IsZero() {
		where, args = append(where, "updated >= ?"), append(args, timestamp(q.Since))
	}
	if words := searchWords(q.Text); len(words) > 0 {
		clause, more := containsAll(words)
		where, args = append(where, "id IN (SELECT session FROM texts WHERE "+clause+")"), append(args, more...)
	}
	return strings.Join(where, " AND "), args
}

func (q Query) matches(v debate.SessionSummary) bool {
	return q.Agent == "" || slices.ContainsFunc(v.Seats, func(p agents.Profile) bool {
		return strings.EqualFold(string(p.ID), q.Agent) || strings.EqualFold(p.Name, q.Agent)
	})
}

func scanSummary(row *sql.Rows, panels map[string][]agents.Profile) (debate.SessionSummary, error) {
	var v debate.SessionSummary
	var ended bool
	var outline string
	var reported bool
	err := row.Scan(&v.ID, &v.Title, &v.Topic, &v.Question, &v.Mode, &v.Line, &v.Side, &v.Stopped, &v.Round, &v.Rounds, &ended,
		&v.Verdict, &reported, &v.Required, &v.Optional, &v.Asking, &v.Cost, &v.Tokens, timeColumn{&v.Created}, timeColumn{&v.Updated},
		&v.Origin.Session, &v.Origin.Round, &outline,
		&v.Settled, jsonColumn{&v.SettledBy}, timeColumn{&v.WaitUntil})
	if err != nil {
		return v, err
	}
	v.NoReport = v.Verdict && !reported
	v.Status = v.StatusOf(ended)
	seats, known := panels[outline]
	if !known {
		if err := json.Unmarshal([]byte(outline), &seats); err != nil {
			return v, err
		}
		panels[outline] = seats
	}
	v.Seats = seats
	return v, nil
}

// setOpenRounds sets Open of the sessions whose newest round waits for a decision of the
// user. It reads that round alone, without its texts, and all sessions in two queries.
func setOpenRounds(tx *transaction, list []debate.SessionSummary) {
	var ids []string
	stopped := map[string]*debate.SessionSummary{}
	for i, v := range list {
		if v.Status == debate.Interrupted && !v.Running && v.Round > 0 {
			ids, stopped[v.ID] = append(ids, v.ID), &list[i]
		}
	}
	if len(ids) == 0 {
		return
	}
	turns := map[string][]debate.Response{}
	tx.each(func(row *sql.Rows) error {
		t, err := scanTurn(row)
		turns[t.Turn.Session] = append(turns[t.Turn.Session], t.Response)
		return err
	}, `SELECT `+turnColumns+` FROM sessions s JOIN turns t ON t.session = s.id AND t.round = s.round AND t.step >= 0
		WHERE `+undecided+` ORDER BY t.id`, jsonColumn{ids})
	tx.each(func(row *sql.Rows) error {
		var d debate.Session
		var r debate.Round
		err := row.Scan(&d.ID, &r.Number, jsonColumn{&d}, jsonColumn{&r})
		if v := stopped[d.ID]; err == nil {
			d.Rounds, d.Stopped, d.Seats = v.Rounds, v.Stopped, v.Seats
			d.History = make([]debate.Round, r.Number)
			r.Responses = turns[d.ID]
			d.History[r.Number-1] = r
			v.Open = d.OpenRound()
		}
		return err
	}, `SELECT s.id, s.round, s.body, r.body FROM sessions s JOIN rounds r ON r.session = s.id AND r.number = s.round
		WHERE `+undecided, jsonColumn{ids})
}

// undecided is the condition that a session s is one of a list and has no turn left to run:
// one that is stored as running was cut off and runs again.
const undecided = `s.id IN (SELECT value FROM json_each(?))
	AND NOT EXISTS (SELECT 1 FROM turns WHERE session = s.id AND state = 'running')
	AND NOT EXISTS (SELECT 1 FROM turns WHERE session = s.id AND state = 'due')`
