package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
)

// BeginCall stores the n-th completion request of a turn, from 1, before it is sent.
func (s *Store) BeginCall(ctx context.Context, t agents.Turn, purpose debate.Purpose, n int, req agents.Request) error {
	raw, err := json.Marshal(req)
	if err != nil {
		return fmt.Errorf("write request %d of %s: %w", n, debate.TurnID(t), err)
	}
	mark := findMark(req.Messages)
	parts, err := splitRequest(raw, req.Messages, mark)
	if err != nil {
		return err
	}
	hash, estimate := hashOf(raw), req.Tokens() // before the transaction, for which others wait
	return s.writeTurn(ctx, "call", t, func(ctx context.Context, tx *sql.Tx, id int64) error {
		earlier, err := lastCall(ctx, tx, t, purpose)
		if err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `INSERT INTO calls (turn, n, purpose, state, began, hash, estimate, request)
			VALUES (?, ?, ?, 'sent', ?, ?, ?, '')`,
			id, n, purpose, timestamp(s.now()), hash, estimate)
		if err != nil {
			return fmt.Errorf("write request %d of %s: %w", n, debate.TurnID(t), err)
		}
		call, err := res.LastInsertId()
		if err != nil {
			return err
		}
		return storeRequest(ctx, tx, call, earlier, parts, mark)
	})
}

func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// lastCall returns the last call to the same agent for the same purpose, which a
// new request is likely to continue; it is not valid without such a call.
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

// loadParts returns the parts of the request of a call: chain holds the call, the
// one that it continues and so on, each with the number of its parts that count.
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
			return fmt.Errorf("request %d of %s in debate %s was not sent", n, debate.TurnID(turn), id)
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

// A request is stored as the parts that its JSON consists of: pieces of the JSON
// itself, and between them the texts of messages, unquoted and divided where
// later requests are likely to differ. Reading joins them to the same bytes,
// however they were divided.

// part is a row of the table parts without its id.
type part struct {
	kind  partKind
	title string // of a titled part
	text  string
}

type partKind int

const (
	partJSON      partKind = iota // raw JSON between the texts of messages
	partTitled                    // the beginning of an agents.Part
	partContinued                 // text that continues the part before
)

// A prompt marks the lines around foreign text with a token that differs from
// turn to turn. Parts have markPlaceholder in its place, so that they do not.
var fenceMark = regexp.MustCompile(`(?m)^([0-9a-f]{12}) `)

const markPlaceholder = "\x1a"

// findMark returns the mark of a request's texts, or "" if it cannot be replaced.
func findMark(messages []agents.Message) string {
	mark := ""
	for _, m := range messages {
		if strings.Contains(m.Text, markPlaceholder) {
			return ""
		}
		if mark != "" {
			continue
		}
		if found := fenceMark.FindStringSubmatch(m.Text); found != nil {
			mark = found[1]
		}
	}
	return mark
}

func splitRequest(raw []byte, messages []agents.Message, mark string) ([]part, error) {
	var out []part
	rest := string(raw)
	for _, m := range messages {
		if !utf8.ValidString(m.Text) { // its JSON is not the JSON of what would be read back
			continue
		}
		quoted, err := json.Marshal(m.Text)
		if err != nil {
			return nil, err
		}
		const field = `"content":`
		i := strings.Index(rest, field+string(quoted))
		if i < 0 {
			return nil, errors.New("the JSON of a request does not contain its message texts")
		}
		i += len(field)
		out = append(out, part{text: rest[:i]})
		out = append(out, splitMessage(m, mark)...)
		rest = rest[i+len(quoted):]
	}
	return append(out, part{text: rest}), nil
}

func splitMessage(m agents.Message, mark string) []part {
	text := func(s string) string {
		if mark == "" {
			return s
		}
		return strings.ReplaceAll(s, mark, markPlaceholder)
	}
	untitled := slices.ContainsFunc(m.Parts, func(p agents.Part) bool { return p.Title == "" })
	if len(m.Parts) == 0 || untitled || agents.JoinParts(m.Parts) != m.Text {
		return splitText(nil, partContinued, "", text(m.Text))
	}
	var out []part
	for _, p := range m.Parts {
		out = splitText(out, partTitled, p.Title, text(p.Text))
	}
	return out
}

// minPart is the least size of a part, in bytes, for dividing a text after a paragraph.
const minPart = 512

// splitText appends the parts of a text: marked lines are parts of their own, since the
// text between them recurs under other labels, and long texts are divided after
// paragraphs. The first part has the kind and the title.
func splitText(out []part, kind partKind, title, text string) []part {
	first := len(out)
	add := func(s string) {
		out = append(out, part{kind: partContinued, text: s})
	}
	begin := 0
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		switch {
		case strings.HasPrefix(text[at:], markPlaceholder):
			if begin < at {
				add(text[begin:at])
			}
			add(text[at:end])
			begin = end
		case end-at == 1 && end-begin >= minPart: // an empty line
			add(text[begin:end])
			begin = end
		}
		at = end
	}
	if begin < len(text) || len(out) == first {
		add(text[begin:])
	}
	out[first].kind, out[first].title = kind, title
	return out
}

// joinRequest returns the JSON of a request, and for each text in it the titled
// parts that it consists of, nil for a text without titles.
func joinRequest(parts []part, mark string) (raw []byte, texts [][]agents.Part, err error) {
	for len(parts) > 0 {
		if parts[0].kind == partJSON {
			raw, parts = append(raw, parts[0].text...), parts[1:]
			continue
		}
		n := slices.IndexFunc(parts, func(p part) bool { return p.kind == partJSON })
		if n < 0 {
			n = len(parts)
		}
		text, titled := joinText(parts[:n], mark)
		quoted, err := json.Marshal(agents.JoinParts(text))
		if err != nil {
			return nil, nil, err
		}
		if !titled {
			text = nil
		}
		raw, texts, parts = append(raw, quoted...), append(texts, text), parts[n:]
	}
	return raw, texts, nil
}

// joinText joins the parts of one text and reports whether they have titles.
func joinText(parts []part, mark string) (out []agents.Part, titled bool) {
	var b strings.Builder
	for i, p := range parts {
		if mark != "" {
			p.text = strings.ReplaceAll(p.text, markPlaceholder, mark)
		}
		b.WriteString(p.text)
		if p.kind == partTitled || i == 0 {
			out = append(out, agents.Part{Title: p.title})
			titled = titled || p.kind == partTitled
		}
		if i+1 == len(parts) || parts[i+1].kind == partTitled {
			out[len(out)-1].Text = b.String()
			b.Reset()
		}
	}
	return out, titled
}
