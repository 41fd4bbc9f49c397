package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Statements and answers have a checksum, which is compared when they are read: SQLite does
// not notice a page that the disk changed, unless its structure breaks. It is no protection
// against a person, who can compute it too.

// checksum returns the checksum of texts that are stored in one row.
func checksum(texts ...string) int64 {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := uint32(0)
	var piece [4096]byte
	for _, text := range texts {
		for len(text) > 0 { // without a copy of all of it
			n := copy(piece[:], text)
			sum, text = crc32.Update(sum, table, piece[:n]), text[n:]
		}
		sum = crc32.Update(sum, table, []byte{0}) // so that nothing moves from one text to the next
	}
	return int64(sum)
}

// summed returns the values of a JSON column and of its checksum.
func summed(v any) (column, sum any, err error) {
	if column, err = (jsonColumn{v}).Value(); column != nil && err == nil {
		sum = checksum(column.(string))
	}
	return column, sum, err
}

// isDamage reports whether texts are not what their checksum, if they have one, was made of.
func isDamage(sum sql.NullInt64, texts ...string) bool {
	return sum.Valid && sum.Int64 != checksum(texts...)
}

// damageKey is that of the list in which a context collects damage.
type damageKey struct{}

// damaged returns a *DamagedError, unless damage is collected: then it adds to that.
func damaged(ctx context.Context, what string) error {
	if list, ok := ctx.Value(damageKey{}).(*[]string); ok {
		*list = append(*list, what)
		return nil
	}
	return &DamagedError{What: what}
}

// statementOf names what was said in a turn, for a person.
func statementOf(t agents.Turn) string {
	switch {
	case t.Step == debate.VerdictStep:
		return fmt.Sprintf("the verdict of %s after round %d", t.Agent, t.Round)
	case t.Step == debate.FollowUpStep:
		return fmt.Sprintf("the answer of %s to follow-up %d", t.Agent, t.Attempt)
	case t.Step < 0:
		return fmt.Sprintf("a reply of %s in round %d", t.Agent, t.Round)
	}
	return fmt.Sprintf("the statement of %s in round %d", t.Agent, t.Round)
}

// eventOf names an event of a request, for a person.
func eventOf(e ledger.Event) string {
	switch e.Type {
	case ledger.EventAnswer:
		return "the answer to " + e.Request
	case ledger.EventAsk:
		return fmt.Sprintf("the question %s of %s", e.Request, e.Actor)
	default:
		return "what is known of " + e.Request
	}
}

// checkStatements looks for damage in the statements of turns without a look into their
// JSON, which SQLite refuses if it is damaged. It returns the ids of those that are damaged, if damage is collected.
func checkStatements(ctx context.Context, tx *sql.Tx, ids jsonColumn) (bad []int64, err error) {
	err = forEach(ctx, tx, func(row *sql.Rows) error {
		var id int64
		var t agents.Turn
		var statement sql.NullString
		var sum sql.NullInt64
		err := row.Scan(&id, &t.Round, &t.Step, &t.Agent, &t.Attempt, &statement, &sum)
		if err != nil || !isDamage(sum, statement.String) {
			return err
		}
		bad = append(bad, id)
		return damaged(ctx, statementOf(t))
	}, `SELECT id, round, step, agent, attempt, statement, checksum FROM turns
		WHERE id IN (SELECT value FROM json_each(?)) AND checksum IS NOT NULL`, ids)
	return bad, err
}

// Readable returns what can be read of a session, damaged or not, and names what is damaged.
func (s *Store) Readable(ctx context.Context, idOrPrefix string) (d debate.Session, damage []string, err error) {
	d, err = s.session(context.WithValue(ctx, damageKey{}, &damage), idOrPrefix, new(turnCache).loadTurns)
	return d, damage, err
}

// Damage is a place that is not what was stored there.
type Damage struct {
	Session string // "": the file itself
	What    string
}

// FindDamage looks for damage in the structure of the file and in all sessions.
func (s *Store) FindDamage(ctx context.Context) ([]Damage, error) {
	var all []Damage
	var structure *DamagedError
	if err := quickCheck(ctx, s.reader, s.file.path); errors.As(err, &structure) {
		all = append(all, Damage{What: "its structure is not that of a database"})
	} else if err != nil {
		return nil, s.file.describe(err)
	}
	sessions, err := s.Sessions(ctx, Query{Evals: true})
	if err != nil {
		return all, err
	}
	for _, v := range sessions {
		var damage []string
		if _, err := s.session(context.WithValue(ctx, damageKey{}, &damage), v.ID, outlineTurns); ctx.Err() != nil {
			return all, ctx.Err()
		} else if err != nil {
			damage = append(damage, "it cannot be read: "+s.file.describe(err).Error())
		}
		for _, what := range damage {
			all = append(all, Damage{v.ID, what})
		}
	}
	return all, nil
}
