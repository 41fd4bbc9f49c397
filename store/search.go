package store

import (
	"context"
	"database/sql"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Match is a text in which the words were found. Before, Hit and After are the
// excerpt around the first word, without line breaks.
type Match struct {
	Place   debate.TextPlace `json:"place"`
	Round   int              `json:"round,omitempty"`   // of a statement
	Agent   agents.ID        `json:"agent,omitempty"`   // of a statement
	Request string           `json:"request,omitempty"` // of an answer; the id of a finding or of evidence
	Before  string           `json:"before"`
	Hit     string           `json:"hit"`
	After   string           `json:"after"`
}

// Found is a session in which the words of a query occur.
type Found struct {
	debate.SessionSummary
	Matches []Match // the first ones, by round
	Total   int
}

const matchesShown = 5

// Matches lists sessions as Sessions does, with the texts in which the words were
// found.
func (s *Store) Matches(ctx context.Context, q Query) ([]Found, error) {
	return view(ctx, s, func(tx *transaction) (out []Found) {
		for _, v := range s.list(tx, q) {
			f := Found{SessionSummary: v}
			f.Matches, f.Total = findMatches(tx, v.ID, searchWords(q.Text))
			out = append(out, f)
		}
		return out
	})
}

func findMatches(tx *transaction, session string, words []string) ([]Match, int) {
	if len(words) == 0 {
		return nil, 0
	}
	clause, args := containsAll(words)
	ids := rowsOf(tx, column[int64], `SELECT id FROM texts WHERE session = ? AND `+clause+` ORDER BY id`,
		append([]any{session}, args...)...)
	found := rowsOf(tx, func(row *sql.Rows) (m Match, err error) {
		var body string
		err = row.Scan(&m.Place, &m.Round, &m.Agent, &m.Request, &body)
		if m.Before, m.Hit, m.After = excerpt(body, words[0]); m.Request == questionText {
			m.Request = ""
		}
		return m, err
	}, `SELECT kind, round, agent, request, coalesce(`+sourceText+`, '') FROM texts x
		WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`, jsonColumn{ids[:min(len(ids), matchesShown)]})
	return found, len(ids)
}

// questionText is the request of the text of a question that was asked after a verdict, whose
// source is the turn of its answer.
const questionText = "question"

// sourceText is the text that a row x of texts was made of.
const sourceText = `CASE x.kind
	WHEN 'title' THEN (SELECT title FROM sessions WHERE id = x.session)
	WHEN 'topic' THEN (SELECT topic FROM sessions WHERE id = x.session)
	WHEN 'answer' THEN (SELECT payload ->> '$.content' FROM context_events WHERE session = x.session AND seq = x.source)
	WHEN 'verdict' THEN (SELECT body ->> '$.text' FROM documents WHERE id = x.source)
	WHEN 'evidence' THEN (SELECT d.body ->> '$.name' || char(10) || e.text FROM documents d JOIN evidence_texts e ON e.hash = d.key
		WHERE d.id = x.source)
	ELSE (SELECT iif(x.request = 'question', body ->> '$.Question', coalesce(body ->> '$.Statement.position' || char(10), '')
		|| CAST(substr(CAST(said AS BLOB), 1 + (body ->> '$.Body[0]'), body ->> '$.Body[1]') AS TEXT)
		|| coalesce(char(10) || (SELECT group_concat(value ->> '$.title', char(10)) FROM json_each(body, '$.Statement.findings')), ''))
		FROM turns WHERE id = x.source)
	END`

func containsAll(words []string) (string, []any) {
	clauses, args := make([]string, len(words)), make([]any, len(words))
	for i, w := range words {
		clauses[i], args[i] = "instr(folded, ?)", w
	}
	return strings.Join(clauses, " AND "), args
}

type searchText struct {
	Session string
	Kind    debate.TextPlace
	Round   int
	Agent   agents.ID
	Request string
	Source  int64 // see sourceText
	Text    string
}

func addSearchText(tx *transaction, e searchText) {
	tx.exec(`INSERT INTO texts (session, kind, round, agent, request, source, folded) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		e.Session, e.Kind, e.Round, e.Agent, e.Request, e.Source, text.Fold(e.Text))
}

func searchWords(query string) []string { return strings.Fields(text.Fold(query)) }

// How much of a text is shown around a match, in bytes.
const (
	beforeHit = 60
	afterHit  = 160
)

func excerpt(body, word string) (before, hit, after string) {
	from, to := findWord(body, word)
	if from == to {
		return "", "", ""
	}
	left, right := max(0, from-beforeHit), min(len(body), to+afterHit)
	for left > 0 && !utf8.RuneStart(body[left]) {
		left--
	}
	for right < len(body) && !utf8.RuneStart(body[right]) {
		right++
	}
	before, hit, after = oneLine(body[left:from]), oneLine(body[from:to]), oneLine(body[to:right])
	if left > 0 {
		before = "…" + before
	}
	if right < len(body) {
		after += "…"
	}
	return before, hit, after
}

// findWord returns where a folded word without white space first occurs in a text; from
// equals to if it does not.
func findWord(body, word string) (from, to int) {
	start := 0
	for line := range strings.Lines(body) { // with the offsets, a folded text takes ten times its size
		if strings.Contains(text.Fold(line), word) {
			folded, places := text.FoldWithOffsets(line)
			i := strings.Index(folded, word)
			from, to = start+places[i], start+len(line)
			if j := i + len(word); j < len(places) {
				to = start + places[j]
			}
			return from, to
		}
		start += len(line)
	}
	return 0, 0
}

// oneLine returns a text with a space for all white space between words, before and after them.
func oneLine(s string) string {
	words := strings.Join(strings.Fields("|"+s+"|"), " ")
	return words[1 : len(words)-1]
}
