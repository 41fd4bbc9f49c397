package store

import (
	"cmp"
	"context"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Fork copies a session up to the end of a round into a new session, with what the plan
// changes, and returns it; round 0 keeps the panel alone. See debate.Session.Fork for
// what is copied and for its errors. Evidence is copied with its ids.
func (s *Store) Fork(ctx context.Context, idOrPrefix string, plan debate.ForkPlan) (debate.Session, error) {
	return update(ctx, s, "fork", func(tx *transaction) debate.Session {
		parent := s.load(tx, resolve(tx, idOrPrefix))
		if tx.err != nil {
			return parent
		}
		d, events, err := parent.Fork(plan)
		if tx.failed(err) {
			return d
		}
		s.insertSession(tx, &d)
		copyRounds(tx, parent, d)
		appendEvents(tx, s.now(), d.ID, ledger.Ledger{}, events)
		refreshSummary(tx, d.ID)
		return s.load(tx, d.ID)
	})
}

func copyRounds(tx *transaction, parent, d debate.Session) {
	for _, copying := range []string{
		`INSERT INTO rounds (session, number, ended, body) SELECT ?1, number, ended, body FROM rounds WHERE session = ?2 AND number <= ?3`,
		`INSERT INTO documents (session, kind, key, round, body) SELECT ?1, kind, key, round, body FROM documents
			WHERE session = ?2 AND (kind = 'notice' AND round BETWEEN 1 AND ?3 OR kind = 'summary' AND round <= ?3 OR kind = 'evidence'
				OR kind = 'interjection' AND EXISTS (SELECT 1 FROM rounds r, json_each(r.body, '$.Manifest.notes') n
					WHERE r.session = ?2 AND r.number <= ?3 AND n.value ->> '$.n' = documents.body ->> '$.n'))
			ORDER BY id`,
		`INSERT INTO turns (session, round, step, agent, attempt, purpose, state, began, ended, inherited, body, said)
			SELECT ?1, round, step, agent, attempt, purpose, state, began, ended, 1, body, said FROM turns
				WHERE session = ?2 AND round <= ?3 AND step >= 0 ORDER BY id`,
		`INSERT INTO tool_calls (turn, id, passage, place, body, result)
			SELECT n.id, c.id, c.passage, c.place, c.body, c.result FROM tool_calls c ` + copied,
		`INSERT INTO calls (turn, n, purpose, state, waits, cost, tokens, hash, base, body, request)
			SELECT n.id, c.n, c.purpose, c.state, c.waits, c.cost, c.tokens, c.hash, c.base, c.body, c.request FROM calls c ` + copied + `
			ORDER BY c.id`,
		`UPDATE calls SET base = (SELECT b.id FROM calls c ` + copied + ` JOIN calls b ON b.turn = n.id AND b.n = c.n
			WHERE c.id = calls.base)
			WHERE base IS NOT NULL AND turn IN (SELECT id FROM turns WHERE session = ?1)`,
		`INSERT INTO texts (session, kind, round, agent, request, source, folded)
			SELECT ?1, kind, round, agent, request, coalesce((SELECT n.id FROM turns o JOIN turns n ON (n.session, n.round, n.step, n.agent,
				n.attempt) = (?1, o.round, o.step, o.agent, o.attempt) WHERE o.id = source), 0), folded FROM texts
				WHERE session = ?2 AND kind = 'statement' AND round <= ?3 ORDER BY id`,
		`INSERT INTO texts (session, kind, round, agent, request, source, folded)
			SELECT ?1, kind, round, agent, request, (SELECT n.id FROM documents o JOIN documents n ON n.session = ?1 AND n.kind = o.kind
				AND n.key = o.key AND n.body = o.body WHERE o.id = source), folded FROM texts
				WHERE session = ?2 AND kind = 'evidence' ORDER BY id`,
	} {
		tx.exec(copying, d.ID, parent.ID, d.ForkRound)
	}
	for _, c := range d.SeatChanges {
		c.At = cmp.Or(c.At, d.Created) // it came with the fork
		insertDocument(tx, d.ID, seatChangeDocument, "", c.Round, c)
	}
}

// copied joins the rows c of turns of a session ?2 with the copies n of these turns in a session ?1.
const copied = `JOIN turns o ON o.id = c.turn AND o.session = ?2 JOIN turns n
	ON (n.session, n.round, n.step, n.agent, n.attempt) = (?1, o.round, o.step, o.agent, o.attempt)`
