package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// Create stores a new session and returns it as it was stored. It sets the id, nonce
// and times that are missing, gives evidence the ids F1, F2 and so on, and ignores
// history, requests and verdict. A session
// without a kind of question has that of its mode, or an open question. If the item of an
// evaluation has a session already, Create stores nothing and returns that one; if an equal call
// has begun one a short time ago, its error is a *debate.BegunError.
func (s *Store) Create(ctx context.Context, d debate.Session) (debate.Session, error) {
	return update(ctx, s, "create", func(tx *transaction) debate.Session {
		if e := d.Eval; e != nil {
			same := one(tx, column[string], `SELECT id FROM sessions WHERE eval = ? AND eval_key = ? AND eval <> '' AND deleted IS NULL
				ORDER BY created, id DESC LIMIT 1`, e.Name, e.Key)
			if same != "" {
				return s.load(tx, same)
			}
		}
		s.checkNew(tx, d.Call)
		d.Question = cmp.Or(d.Question, d.Mode.Question, debate.QuestionOpen)
		s.insertSession(tx, &d)
		storeEvidence(tx, d.ID, nil, d.Evidence, d.Created)
		return s.load(tx, d.ID)
	})
}

// repeatTime is how long after the last activity of a session an equal call means that one.
const repeatTime = 10 * time.Minute

// checkNew refuses a call that has begun a session a short time ago, unless that has failed or
// was ended by the user.
func (s *Store) checkNew(tx *transaction, call debate.Call) {
	if call.Key == "" || call.New {
		return
	}
	for _, x := range s.list(tx, Query{Call: call.Key}) {
		lives := x.Running || s.now().Sub(x.Updated) < repeatTime
		if lives && x.State() != debate.StateFailed && x.Stopped != debate.StoppedByUser {
			tx.failed(&debate.BegunError{Session: x.ID})
		}
	}
}

// insertSession stores what belongs to the session as a whole, and sets what a new one does not
// have yet: nonce, times and id.
func (s *Store) insertSession(tx *transaction, d *debate.Session) {
	d.Nonce = cmp.Or(d.Nonce, s.options.NewNonce())
	d.Created = cmp.Or(d.Created, s.now())
	d.Updated = cmp.Or(d.Updated, d.Created)
	d.ID = cmp.Or(d.ID, s.options.NewID())
	tx.failed(checkID(d.ID))
	item := debate.EvalItem{}
	if d.Eval != nil {
		item = *d.Eval
	}
	tx.exec(`INSERT INTO sessions (id, created, updated, mode, question, rounds, stopped, forked_from, fork_round,
			eval, eval_key, call, door, title, topic, outline, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, d.ID, timestamp(d.Created), timestamp(d.Updated), d.Mode.Name,
		d.Question, d.Rounds, d.Stopped, d.ForkedFrom, d.ForkRound, item.Name, item.Key, d.Call.Key,
		s.holder.Door, d.Title, d.Topic, jsonColumn{withoutPersonas(d.AsOf(math.MaxInt).Seats)}, jsonColumn{d})
	addSearchText(tx, searchText{Session: d.ID, Kind: debate.InTopic, Text: d.Topic})
	if d.Title != "" {
		addSearchText(tx, searchText{Session: d.ID, Kind: debate.InTitle, Text: d.Title})
	}
}

// loadHead reads what belongs to a session as a whole, with the seats that it began with.
func loadHead(tx *transaction, id string) debate.Session {
	d := one(tx, func(row *sql.Rows) (d debate.Session, err error) {
		err = row.Scan(&d.ID, &d.Title, &d.Topic, timeColumn{&d.Created}, timeColumn{&d.Updated}, jsonColumn{&d})
		return d, err
	}, `SELECT id, title, topic, created, updated, body FROM sessions WHERE id = ? AND deleted IS NULL`, id)
	if d.ID == "" {
		tx.failed(sessionNotFound(id))
	}
	return d
}

// changeHead changes what loadHead reads, but for title and topic.
func changeHead(tx *transaction, id string, change func(*debate.Session)) {
	d := loadHead(tx, id)
	change(&d)
	tx.exec(`UPDATE sessions SET rounds = ?, stopped = ?, body = ? WHERE id = ?`, d.Rounds, d.Stopped, jsonColumn{d}, id)
}

// withoutPersonas returns the seats for summaries, which do not show personas.
func withoutPersonas(seats []agents.Profile) []agents.Profile {
	out := make([]agents.Profile, len(seats))
	for i, p := range seats {
		p.Persona = ""
		out[i] = p
	}
	return out
}

// Rename sets the title of a session, whose lock the caller holds. With an empty title
// its topic is shown.
func (s *Store) Rename(ctx context.Context, session, title string) error {
	title = strings.TrimSpace(title)
	return s.write(ctx, "rename", func(tx *transaction) {
		tx.change(sessionNotFound(session), `UPDATE sessions SET title = ?, updated = ? WHERE id = ? AND deleted IS NULL`,
			title, timestamp(s.now()), session)
		tx.exec(`DELETE FROM texts WHERE session = ? AND kind = ?`, session, debate.InTitle)
		if title != "" {
			addSearchText(tx, searchText{Session: session, Kind: debate.InTitle, Text: title})
		}
	})
}

// Delete hides a session, whose lock the caller holds. Undelete restores it until it is
// purged.
func (s *Store) Delete(ctx context.Context, session string) error {
	return s.write(ctx, "delete", func(tx *transaction) {
		tx.change(sessionNotFound(session), `UPDATE sessions SET deleted = ? WHERE id = ? AND deleted IS NULL`,
			timestamp(s.now()), session)
	})
}

// Undelete restores a session that was deleted within the last day, or later.
func (s *Store) Undelete(ctx context.Context, session string) error {
	return s.write(ctx, "undelete", func(tx *transaction) {
		tx.change(sessionNotFound(session), `UPDATE sessions SET deleted = NULL WHERE id = ? AND deleted IS NOT NULL`,
			session)
	})
}

// KeptDeleted is how long a deleted session can be restored.
const KeptDeleted = 24 * time.Hour

// Purge removes the sessions that were deleted before KeptDeleted, with their locks, so that
// no file of the database has a byte of them, nor the copy of before a conversion. It
// removes nothing if another process has the database open, since that may still
// restore them, and no session that is locked, since it may be under way.
func (s *Store) Purge(ctx context.Context) (err error) {
	if s.writer == nil || !s.marker.alone {
		return nil
	}
	ids, err := view(ctx, s, func(tx *transaction) []string {
		return rowsOf(tx, column[string], `SELECT id FROM sessions WHERE deleted < ?`, timestamp(s.opened.Add(-KeptDeleted)))
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	err = s.removeCopy()
	for _, id := range ids {
		if s.Lock(ctx, id) == nil {
			err = errors.Join(err, s.purge(ctx, id), s.Unlock(id))
		}
	}
	// What readers still use is overwritten when the database is closed.
	_, truncated := s.writer.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return errors.Join(err, truncated)
}

// purge removes a session that is still deleted, with its lock, and what only it has used.
func (s *Store) purge(ctx context.Context, id string) error {
	err := s.write(ctx, "purge", func(tx *transaction) {
		tx.change(sessionNotFound(id), `DELETE FROM sessions WHERE id = ? AND deleted IS NOT NULL`, id)
		tx.exec(`DELETE FROM evidence_texts WHERE hash NOT IN (SELECT key FROM documents WHERE kind = ?)`, evidenceDocument)
	})
	if err != nil {
		return err
	}
	return s.options.Files.Remove(filepath.Join(locksPath(s.file.dir()), id))
}

func touch(tx *transaction, session string, at time.Time) {
	tx.change(sessionNotFound(session), `UPDATE sessions SET updated = max(updated, ?) WHERE id = ? AND deleted IS NULL`,
		timestamp(at), session)
}

const (
	minPrefix     = 4
	maxCandidates = 10
)

// Resolve returns the session id that has the given prefix of at least 4 characters.
// The letters o, i and l are read as 0, 1 and 1. The error wraps debate.ErrNoSession or
// debate.ErrAmbiguous, which lists the ids.
func (s *Store) Resolve(ctx context.Context, prefix string) (string, error) {
	return view(ctx, s, func(tx *transaction) string { return resolve(tx, prefix) })
}

// ResolveDeleted is Resolve for sessions that are deleted.
func (s *Store) ResolveDeleted(ctx context.Context, prefix string) (string, error) {
	return view(ctx, s, func(tx *transaction) string {
		id, err := resolveAmong(tx, prefix, "NOT NULL")
		tx.failed(err)
		return id
	})
}

// Last returns the id of the session that changed last.
func (s *Store) Last(ctx context.Context) (string, error) {
	return view(ctx, s, func(tx *transaction) string {
		id := one(tx, column[string], `SELECT id FROM sessions WHERE deleted IS NULL AND eval = '' ORDER BY updated DESC, id LIMIT 1`)
		if id == "" {
			tx.failed(noSession("There is no debate yet. Start one with `roundtable new`."))
		}
		return id
	})
}

// LastChoice returns what a person chose for the last debate that one of the commands created and
// that has a verdict, forks and debates of the demo aside; nil if there is none.
func (s *Store) LastChoice(ctx context.Context, doors ...string) (*debate.Choice, error) {
	return view(ctx, s, func(tx *transaction) *debate.Choice {
		d := one(tx, document[*debate.Session], `SELECT body FROM sessions
			WHERE deleted IS NULL AND eval = '' AND forked_from = '' AND concluded > 0
				AND door IN (SELECT value FROM json_each(?)) AND outline ->> '$[0].provider' != ?
			ORDER BY created DESC, id LIMIT 1`, jsonColumn{doors}, debate.DemoProvider)
		if d == nil {
			return nil
		}
		return &debate.Choice{
			Seats: d.Seats, Chair: d.Chair, Light: d.Light, Mode: d.Mode.Name, Rounds: d.Rounds, Budget: d.Budget, Ends: d.Ends,
		}
	})
}

func resolve(tx *transaction, typed string) string {
	id, err := resolveAmong(tx, typed, "NULL")
	if errors.Is(err, debate.ErrNoSession) {
		if gone, missing := resolveAmong(tx, typed, "NOT NULL"); missing == nil {
			err = noSession("Debate %s is deleted. `roundtable undelete %[1]s` brings it back.", gone)
		}
	}
	tx.failed(err)
	return id
}

// resolveAmong resolves a prefix among the sessions whose time of deletion is NULL or NOT NULL.
func resolveAmong(tx *transaction, typed, deleted string) (string, error) {
	prefix, err := normalizePrefix(typed)
	if err != nil {
		return "", err
	}
	found := rowsOf(tx, func(row *sql.Rows) (c debate.SessionSummary, err error) {
		err = row.Scan(&c.ID, &c.Title, &c.Topic)
		return c, err
	}, `SELECT id, title, topic FROM sessions WHERE id >= ? AND id < ? AND deleted IS `+deleted+` ORDER BY updated DESC, id`,
		prefix, prefix+"~")
	switch len(found) {
	case 0:
		return "", sessionNotFound(typed)
	case 1:
		return found[0].ID, nil
	}
	listed := prefix + " matches several debate ids; type more of it:"
	for _, c := range found[:min(len(found), maxCandidates)] {
		listed += "\n  " + c.ID + "  " + c.Name()
	}
	if more := len(found) - maxCandidates; more > 0 {
		listed += fmt.Sprintf("\n  and %d more", more)
	}
	return "", &refusal{listed, debate.ErrAmbiguous}
}

// normalizePrefix returns a typed prefix in the alphabet of ids, or an error if it
// cannot be one.
func normalizePrefix(typed string) (string, error) {
	if len(typed) > 100 {
		return "", notAnID(typed[:100] + "…")
	}
	prefix := strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(strings.TrimSpace(typed)))
	if len(prefix) > idLength || strings.Trim(prefix, alphabet) != "" {
		return "", notAnID(typed)
	}
	if len(prefix) < minPrefix {
		return "", noSession("%q is too short for a debate id. Type at least %d characters of it; `roundtable sessions` lists them.",
			typed, minPrefix)
	}
	return prefix, nil
}

// checkID returns an error unless id is a whole id. It guards ids that become file
// names.
func checkID(id string) error {
	prefix, err := normalizePrefix(id)
	if err == nil && (prefix != id || len(id) != idLength) {
		err = notAnID(id)
	}
	return err
}

func notAnID(typed string) error {
	return noSession("%q is not a debate id. Ids are %d letters and digits, such as k7m2x9qd4t; `roundtable sessions` lists them.",
		typed, idLength)
}

func sessionNotFound(id string) error {
	return noSession("No debate %q. `roundtable sessions` lists them.", id)
}

func noSession(format string, args ...any) error {
	return &refusal{fmt.Sprintf(format, args...), debate.ErrNoSession}
}
