package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
)

// lastCall returns the last call to the same agent for the same purpose, which a
// new request is likely to continue; it is not valid if there is none.
func lastCall(ctx context.Context, tx *sql.Tx, t agents.Turn, purpose debate.Purpose) (sql.NullInt64, error) {
	var id sql.NullInt64
	err := tx.QueryRowContext(ctx, `SELECT max(c.id) FROM turns t JOIN calls c ON c.turn = t.id
		WHERE t.session = ? AND t.agent = ? AND c.purpose = ? AND c.request = ''`, t.Session, t.Agent, purpose).Scan(&id)
	return id, err
}

// storeRequest stores the parts of the request of a call: how many of its first parts it
// shares with an earlier call, and all others.
func storeRequest(ctx context.Context, tx *sql.Tx, call int64, earlier sql.NullInt64, parts []part, mark string) error {
	before, err := loadParts(ctx, tx, earlier)
	if err != nil {
		return err
	}
	shared := 0
	for shared < min(len(before), len(parts)) && before[shared] == (placedPart{shared, parts[shared]}) {
		shared++
	}
	own := make([]int64, len(parts)-shared)
	for i, p := range parts[shared:] {
		if own[i], err = storePart(ctx, tx, p); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `UPDATE calls SET continues = ?, shared = ?, parts = ?, mark = ? WHERE id = ?`,
		earlier, shared, jsonColumn{own}, mark, call)
	return err
}

// storePart returns the id of a part, which is inserted unless it is there.
func storePart(ctx context.Context, tx *sql.Tx, p part) (int64, error) {
	var title any
	if p.kind != partJSON {
		title = p.title
	}
	sum := sha256.Sum256([]byte(p.title + "\x00" + p.text))
	hash := int64(binary.BigEndian.Uint64(sum[:8]))
	var id int64
	err := tx.QueryRowContext(ctx, `SELECT id FROM parts WHERE hash = ? AND title IS ? AND text = ?`, hash, title, p.text).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO parts (hash, title, text) VALUES (?, ?, ?)`, hash, title, p.text)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// placedPart is a part and its place in a request, from 0.
type placedPart struct {
	n int
	part
}

// loadParts returns the parts of the request of a call: in chain are the call, the
// one that it continues and so on, each with the number of its parts that are left.
func loadParts(ctx context.Context, tx *sql.Tx, call sql.NullInt64) ([]placedPart, error) {
	size := 0
	return rowsOf(ctx, tx, func(row *sql.Rows) (placedPart, error) {
		var p placedPart
		var title sql.NullString
		err := row.Scan(&p.n, &title, &p.text)
		switch {
		case title.String != "":
			p.kind, p.title = partTitled, title.String
		case title.Valid:
			p.kind = partContinued
		}
		if size += len(p.text); size > maxValue {
			return p, errors.New("the parts of a request are too long")
		}
		return p, err
	}, `WITH RECURSIVE chain(call, parts) AS (SELECT ?, 1 << 40 UNION
			SELECT c.continues, min(c.shared, chain.parts) FROM chain JOIN calls c ON c.id = chain.call WHERE c.continues < c.id)
		SELECT c.shared + e.key, p.title, p.text
		FROM chain JOIN calls c ON c.id = chain.call, json_each(c.parts) e JOIN parts p ON p.id = e.value
		WHERE c.shared + e.key < chain.parts ORDER BY 1`, call)
}

// loadRequest returns the JSON of the request of a call, and the titled parts of
// the texts in it.
func loadRequest(ctx context.Context, tx *sql.Tx, call int64, mark string) (raw []byte, texts [][]agents.Part, err error) {
	placed, err := loadParts(ctx, tx, sql.NullInt64{Int64: call, Valid: true})
	if err != nil {
		return nil, nil, err
	}
	parts := make([]part, len(placed))
	for i, p := range placed {
		parts[i] = p.part
	}
	return joinRequest(parts, mark)
}

// Prompt returns the n-th request of a turn, from 1, as it was sent.
func (s *Store) Prompt(ctx context.Context, session string, turn agents.Turn, n int) (agents.Request, debate.Receipt, error) {
	var raw []byte
	var texts [][]agents.Part
	var r debate.Receipt
	err := s.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		id, err := resolve(ctx, tx, session)
		if err != nil {
			return err
		}
		var call int64
		var mark string
		r, err = scanReceipt(tx.QueryRowContext(ctx, receipts+`, c.id, c.mark, c.request FROM turns t JOIN calls c ON c.turn = t.id
			WHERE t.session = ? AND t.round = ? AND t.step = ? AND t.agent = ? AND t.attempt = ? AND c.n = ?`,
			id, turn.Round, turn.Step, turn.Agent, turn.Attempt, n), id, &call, &mark, &raw)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("request %d of %s in session %s was not sent", n, debate.TurnID(turn), id)
		}
		if err == nil && len(raw) == 0 {
			raw, texts, err = loadRequest(ctx, tx, call, mark)
		}
		return err
	})
	if err != nil {
		return agents.Request{}, debate.Receipt{}, err
	}
	r.Intact = hashOf(raw) == r.Hash
	var req agents.Request
	if err := json.Unmarshal(raw, &req); err != nil {
		err = fmt.Errorf("read request %d of %s: %w", n, debate.TurnID(turn), err)
		return agents.Request{}, r, &DamagedError{Path: s.file.path, Err: err}
	}
	if len(texts) == len(req.Messages) {
		for i := range req.Messages {
			req.Messages[i].Parts = texts[i]
		}
	}
	return req, r, nil
}

// deleteUnusedParts deletes the parts of which no request is left.
func deleteUnusedParts(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM parts WHERE id NOT IN (SELECT e.value FROM calls, json_each(calls.parts) e)`)
	return err
}
