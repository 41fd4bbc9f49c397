package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"roundtable/agents"
	"roundtable/debate"
)

// BeginCall stores the n-th completion request of a turn, from 1, before it is sent.
func (s *Store) BeginCall(ctx context.Context, t agents.Turn, purpose debate.Purpose, n int, req agents.Request) error {
	raw, err := json.Marshal(req)
	var titles []byte
	if err == nil {
		titles, err = json.Marshal(partsOf(req.Messages))
	}
	if err != nil {
		return fmt.Errorf("write request %d of %s: %w", n, debate.TurnID(t), err)
	}
	c := call{Receipt: debate.Receipt{N: n, Purpose: purpose, State: callSent, Hash: hashOf(raw), Estimate: req.Tokens(), Sent: s.now()}}
	c.Tries, c.Model = 1, req.Model
	return s.writeTurn(ctx, "call", t, func(tx *transaction, id int64) {
		insertCall(tx, id, baseOf(tx, t, purpose, req.Model), c, raw, titles)
	})
}

func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// maxChain is how many requests have to be read at most to read one.
const maxChain = 16

// baseOf returns the last call of the same seat and model for the same purpose, which a new
// request is likely to continue. It is NULL without one, and if the new request begins a chain.
func baseOf(tx *transaction, t agents.Turn, purpose debate.Purpose, model string) sql.NullInt64 {
	return one(tx, func(row *sql.Rows) (base sql.NullInt64, err error) {
		var before int
		err = row.Scan(&base, &before)
		base.Valid = base.Valid && before%maxChain != 0
		return base, err
	}, `SELECT max(c.id), count(*) FROM turns t JOIN calls c ON c.turn = t.id
		WHERE t.session = ? AND t.agent = ? AND NOT t.inherited AND c.purpose = ? AND c.body ->> '$.Model' = ?`,
		t.Session, t.Agent, purpose, model)
}

// insertCall stores a call of a turn with its request, which has no line breaks, and in a line after
// it how its texts are divided.
func insertCall(tx *transaction, turn int64, base sql.NullInt64, c call, raw, titles []byte) {
	var before []byte
	if base.Valid {
		before = loadRequest(tx, base.Int64)
	}
	packed, err := compress(slices.Concat(raw, []byte("\n"), titles), before)
	tx.failed(err)
	tx.exec(`INSERT INTO calls (turn, n, purpose, state, waits, cost, tokens, hash, base, body, request)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, turn, c.N, c.Purpose, c.State, c.waits, c.Cost, c.Usage.Total(), c.Hash, base,
		jsonColumn{c}, packed)
}

// loadRequest returns the two lines that are stored of the request of a call.
func loadRequest(tx *transaction, call int64) (raw []byte) {
	for _, packed := range rowsOf(tx, column[[]byte], `WITH RECURSIVE chain(call, length) AS (SELECT ?, 1 UNION ALL
			SELECT c.base, length + 1 FROM chain JOIN calls c ON c.id = call WHERE c.base < c.id AND length < ?)
		SELECT c.request FROM chain JOIN calls c ON c.id = call ORDER BY c.id`, call, maxChain) {
		var err error
		raw, err = expand(packed, raw)
		tx.failed(err)
	}
	return raw
}

// compress returns data as zstd makes it with a base as dictionary, which may be empty.
func compress(data, base []byte) ([]byte, error) {
	window := max(zstd.MinWindowSize, min(zstd.MaxWindowSize, 1<<bits.Len(uint(len(data)+len(base)))))
	options := []zstd.EOption{zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window), zstd.WithEncoderCRC(false)}
	if len(base) > 0 {
		options = append(options, zstd.WithEncoderDictRaw(0, base))
	}
	w, err := zstd.NewWriter(nil, options...)
	if err != nil {
		return nil, err
	}
	return w.EncodeAll(data, nil), w.Close()
}

func expand(packed, base []byte) ([]byte, error) {
	options := []zstd.DOption{
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxValue), zstd.WithDecoderMaxWindow(zstd.MaxWindowSize),
	}
	if len(base) > 0 {
		options = append(options, zstd.WithDecoderDictRaw(0, base))
	}
	r, err := zstd.NewReader(nil, options...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := r.DecodeAll(packed, nil)
	if err != nil {
		return nil, &DamagedError{err}
	}
	return data, nil
}

// Prompt returns the n-th request of a turn, from 1, as it was sent.
func (s *Store) Prompt(ctx context.Context, session string, turn agents.Turn, n int) (agents.Request, debate.Receipt, error) {
	var raw []byte
	c, err := view(ctx, s, func(tx *transaction) call {
		id := resolve(tx, session)
		c := one(tx, scanCall, callRows+`t.session = ? AND t.round = ? AND t.step = ? AND t.agent = ? AND t.attempt = ? AND c.n = ?`,
			id, turn.Round, turn.Step, turn.Agent, turn.Attempt, n)
		if c.id == 0 {
			tx.failed(fmt.Errorf("request %d of %s in debate %s was not sent", n, debate.TurnID(turn), id))
		}
		raw = loadRequest(tx, c.id)
		return c
	})
	if err != nil {
		return agents.Request{}, debate.Receipt{}, err
	}
	raw, titles, _ := bytes.Cut(raw, []byte("\n"))
	c.Intact = hashOf(raw) == c.Hash
	var req agents.Request
	var parts [][]partSize
	if err := errors.Join(json.Unmarshal(raw, &req), json.Unmarshal(titles, &parts)); err != nil {
		err = fmt.Errorf("read request %d of %s: %w", n, debate.TurnID(turn), err)
		return agents.Request{}, c.Receipt, &DamagedError{err}
	}
	for i := range min(len(parts), len(req.Messages)) {
		req.Messages[i].Parts = cutParts(req.Messages[i].Text, parts[i])
	}
	return req, c.Receipt, nil
}

// partSize is a titled part of the text of a message, in bytes.
type partSize struct {
	Title string
	Size  int
}

// partsOf returns how the texts of messages are divided into titled parts; nil for a text
// without titles.
func partsOf(messages []agents.Message) [][]partSize {
	out := make([][]partSize, len(messages))
	for i, m := range messages {
		untitled := slices.ContainsFunc(m.Parts, func(p agents.Part) bool { return p.Title == "" })
		if untitled || !utf8.ValidString(m.Text) || agents.JoinParts(m.Parts) != m.Text {
			continue
		}
		for _, p := range m.Parts {
			out[i] = append(out[i], partSize{p.Title, len(p.Text)})
		}
	}
	return out
}

// cutParts divides a text as partsOf says, nil if that does not fit.
func cutParts(text string, sizes []partSize) (out []agents.Part) {
	between := len(agents.JoinParts(make([]agents.Part, 2)))
	for i, p := range sizes {
		if i > 0 {
			text = text[min(between, len(text)):]
		}
		if p.Size < 0 || p.Size > len(text) {
			return nil
		}
		out, text = append(out, agents.Part{Title: p.Title, Text: text[:p.Size]}), text[p.Size:]
	}
	return out
}
