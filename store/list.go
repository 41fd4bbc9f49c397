package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Query selects sessions. The zero value selects all.
type Query struct {
	Text  string    // words that all occur in one text of the session
	Mode  string    // name of a mode
	State string    // a state or status, see debate.SessionSummary.Is
	Agent string    // id or name of a seat
	Since time.Time // changed then or later
	Limit int       // 0: no limit
}

// Sessions lists sessions, the most recently changed first. It sets Running for
// those that another process or this one has open amid a round.
func (s *Store) Sessions(ctx context.Context, q Query) ([]debate.SessionSummary, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) ([]debate.SessionSummary, error) { return s.list(ctx, tx, q) })
}

// list reads summaries until q.Limit is reached. Sessions with the same panel share
// its decoded seats.
func (s *Store) list(ctx context.Context, tx *sql.Tx, q Query) ([]debate.SessionSummary, error) {
	where, args := q.where()
	rows, err := tx.QueryContext(ctx, `SELECT id, title, topic, question, mode_name, outcome, stopped, round, rounds, round_ended,
		concluded, required, optional, asking, missing, cost, tokens, created, updated, forked_from, fork_round, fork_changes,
		outline, coalesce(imported ->> '$.session', '')
		FROM sessions WHERE `+where+` ORDER BY updated DESC, id`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []debate.SessionSummary
	panels := map[string][]agents.Profile{}
	for rows.Next() && (q.Limit <= 0 || len(out) < q.Limit || q.State != "") {
		v, err := scanSummary(rows, panels)
		if err != nil {
			return nil, err
		}
		if v.Status == debate.Interrupted {
			_, v.Running = s.Held(v.ID)
		}
		if q.matches(v) {
			out = append(out, v)
		}
	}
	if err := errors.Join(rows.Err(), setOpenRounds(ctx, tx, out)); err != nil || q.State == "" {
		return out, err
	}
	out = slices.DeleteFunc(out, func(v debate.SessionSummary) bool { return !v.Is(q.State) })
	if q.Limit > 0 {
		out = out[:min(len(out), q.Limit)]
	}
	return out, nil
}

// where returns the part of the query that SQLite can evaluate.
func (q Query) where() (string, []any) {
	where, args := []string{"deleted IS NULL"}, []any(nil)
	if q.Mode != "" {
		where, args = append(where, "mode_name = ?"), append(args, q.Mode)
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

// matches reports whether a session has the seat of the query.
func (q Query) matches(v debate.SessionSummary) bool {
	return q.Agent == "" || slices.ContainsFunc(v.Seats, func(p agents.Profile) bool {
		return strings.EqualFold(string(p.ID), q.Agent) || strings.EqualFold(p.Name, q.Agent)
	})
}

func scanSummary(row *sql.Rows, panels map[string][]agents.Profile) (debate.SessionSummary, error) {
	var v debate.SessionSummary
	var created, updated int64
	var ended, concluded bool
	var cost sql.NullFloat64
	var changes []debate.ForkChange
	var outline string
	err := row.Scan(&v.ID, &v.Title, &v.Topic, &v.Question, &v.Mode, &v.Outcome, &v.Stopped, &v.Round, &v.Rounds, &ended,
		&concluded, &v.Required, &v.Optional, &v.Asking,
		&v.Missing, &cost, &v.Tokens, &created, &updated, &v.Origin.Session, &v.Origin.Round,
		jsonColumn{&changes}, &outline, &v.Imported)
	if err != nil {
		return v, err
	}
	v.Origin.Changes = debate.ForkChangesText(changes)
	v.Created, v.Updated = time.Unix(0, created).UTC(), time.Unix(0, updated).UTC()
	if cost.Valid {
		v.Cost = &cost.Float64
	}
	v.Status = statusOf(v, ended, concluded)
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

// statusOf returns the status of a session from the columns of its summary.
func statusOf(v debate.SessionSummary, ended, concluded bool) debate.Status {
	d := debate.Session{Rounds: v.Rounds, Stopped: v.Stopped, History: make([]debate.Round, min(max(v.Round, 0), maxRounds))}
	if n := len(d.History); n > 0 && ended {
		d.History[n-1].Ended = v.Updated
	}
	if concluded {
		d.Verdict = &debate.Verdict{}
	}
	if v.Required > 0 {
		d.Requests = []ledger.Request{{State: ledger.Pending, Priority: ledger.Required}}
	}
	return d.Status()
}

// maxRounds limits the memory that a round number in a file from elsewhere can
// claim.
const maxRounds = 1000
