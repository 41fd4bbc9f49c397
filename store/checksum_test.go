package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/store"
)

// debated makes a session with statements, an answer, an interrupted turn and a fork.
func debated(t *testing.T, s *store.Store) (id, fork string) {
	t.Helper()
	id = create(t, s).ID
	playRound(t, s, id, 1)
	_, err := s.BeginRound(t.Context(), id, 2)
	must(t, err)
	turn := seat(id, 2, "ada")
	must(t, s.BeginTurn(t.Context(), debate.TurnStart{Turn: turn, Purpose: debate.ForMember}))
	ask(t, s, turn, turn.ToolCall(1), "What is the write rate?", ledger.Required)
	answer(t, s, id, "C1", "About 30 a second.")
	tool := debate.ToolRecord{ID: "t1", Name: "read"}
	must(t, s.AddTool(t.Context(), turn, 0, debate.Passage{Text: "I look.", Reasoning: "Hm."}, tool))
	must(t, s.Journal(t.Context(), []debate.PartialText{{Turn: turn, Passage: 1, Text: "It is"}}))
	_, err = s.Repair(t.Context(), id)
	must(t, err)
	d, err := s.Fork(t.Context(), id, debate.ForkPlan{Round: 1})
	must(t, err)
	return id, d.ID
}

// unchecked counts the texts that have no checksum.
const unchecked = `SELECT (SELECT count(*) FROM turns WHERE statement IS NOT NULL AND checksum IS NULL) +
	(SELECT count(*) FROM passages WHERE checksum IS NULL) + (SELECT count(*) FROM context_events WHERE checksum IS NULL)`

func TestChecksums_areMadeAndKeptWhereverTextIsStored(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := openAt(t, path)
	id, _ := debated(t, s)
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.SaveCopy(t.Context(), copied))
	must(t, s.Close())
	for _, file := range []string{path, copied} {
		var missing, all int
		db := openRaw(t, file)
		must(t, db.QueryRow(unchecked).Scan(&missing))
		must(t, db.QueryRow(`SELECT count(*) FROM passages`).Scan(&all))
		s := openAt(t, file)
		if damage, err := s.FindDamage(t.Context()); err != nil || len(damage) != 0 || missing != 0 || all != 8 {
			t.Errorf("%d of %d texts have no checksum; damage %v, %v", missing, all, damage, err)
		}
		_ = get(t, s, id)
		must(t, s.Close())
	}
}

// A byte that changes anywhere in what was said is found when it is read.
func TestChecksums_findEachByteThatChanges(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := openAt(t, path)
	id, _ := debated(t, s)
	db := openRaw(t, path)
	for _, c := range []struct{ table, column, where, what string }{
		{
			"passages", "text", "turn = (SELECT id FROM turns WHERE session = '%s' AND round = 1 AND agent = 'brook')",
			"the statement of brook in round 1",
		},
		{"passages", "reasoning", "text = 'I look.'", "the statement of ada in round 2"},
		{"turns", "statement", "session = '%s' AND round = 1 AND agent = 'cy'", "the statement of cy in round 1"},
		{"context_events", "payload", "session = '%s' AND type = 'answer'", "the answer to C1"},
		{"context_events", "payload", "session = '%s' AND type = 'ask'", "the question C1 of ada"},
	} {
		where := c.where
		if strings.Contains(where, "%s") {
			where = fmt.Sprintf(where, id)
		}
		set := fmt.Sprintf("UPDATE %s SET %s = ? WHERE %s", c.table, c.column, where)
		var whole string
		must(t, db.QueryRow(fmt.Sprintf("SELECT %s FROM %s WHERE %s", c.column, c.table, where)).Scan(&whole))
		if whole == "" {
			t.Fatalf("%s of %s is empty", c.column, c.table)
		}
		for i := range len(whole) {
			changed := []byte(whole)
			changed[i] ^= 1 << (i % 8)
			_, err := db.Exec(set, string(changed))
			must(t, err)
			damage, err := s.FindDamage(t.Context())
			if must(t, err); !slices.Contains(damage, store.Damage{Session: id, What: c.what}) {
				t.Fatalf("byte %d of %s: found %v", i, whole, damage)
			}
			if d, found, err := s.Readable(t.Context(), id); err != nil || len(found) != 1 || found[0] != c.what || len(d.History) != 2 {
				t.Fatalf("byte %d of %s: read %d rounds, found %q, %v", i, whole, len(d.History), found, err)
			}
		}
		other := openAt(t, path) // which remembers no turns
		var damaged *store.DamagedError
		if _, err := other.Session(t.Context(), id); !errors.As(err, &damaged) || damaged.What != c.what || damaged.Path != path ||
			!strings.HasPrefix(err.Error(), "The debate is damaged: "+c.what) {
			t.Errorf("%s: %v", c.what, err)
		}
		must(t, other.Close())
		_, err := db.Exec(set, whole)
		must(t, err)
	}
	if damage, err := s.FindDamage(t.Context()); err != nil || len(damage) != 0 {
		t.Errorf("all is as it was, and damaged: %v, %v", damage, err)
	}
}
