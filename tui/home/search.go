package home

import (
	"strconv"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// Query is a search for words, with filters such as mode:delphi.
type Query struct {
	Text   string
	Mode   string
	Status string        // a status of a summary, or the beginning of one
	Since  time.Duration // 0 for any age
	Agent  string
}

// ParseQuery parses a query as typed. Words that are not a filter are text.
func ParseQuery(s string) Query {
	var q Query
	var words []string
	for _, w := range strings.Fields(s) {
		name, value, ok := strings.Cut(w, ":")
		if !ok || !q.filter(strings.ToLower(name), strings.ToLower(value)) {
			words = append(words, w)
		}
	}
	q.Text = strings.Join(words, " ")
	return q
}

func (q *Query) filter(name, value string) bool {
	switch name {
	case "mode":
		q.Mode = value
	case "status":
		q.Status = value
	case "agent":
		q.Agent = value
	case "since":
		d, ok := parseAge(value)
		q.Since = d
		return ok
	default:
		return false
	}
	return true
}

func parseAge(s string) (time.Duration, bool) {
	day := 24 * time.Hour
	units := map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": day, "w": 7 * day}
	digits := strings.TrimRight(s, "mhdw")
	n, err := strconv.ParseUint(digits, 10, 13)
	if unit, ok := units[s[len(digits):]]; ok && err == nil {
		return time.Duration(n) * unit, true
	}
	return 0, false
}

func statuses() []string {
	return append(debate.StateNames(), string(debate.StoppedByUser), string(debate.StoppedByBudget),
		string(debate.EndedByConsensus), string(debate.EndedByConvergence))
}

// Matches reports whether a session passes the filters.
func (q Query) Matches(s debate.SessionSummary, now time.Time) bool {
	name := func(p string) bool { return strings.HasPrefix(strings.ToLower(p), q.Agent) }
	seat := q.Agent == ""
	for _, p := range s.Seats {
		seat = seat || name(p.Name) || name(string(p.ID))
	}
	status := strings.HasPrefix(string(s.Status), q.Status) ||
		strings.HasPrefix(string(s.Stopped), q.Status) || strings.HasPrefix(string(s.State()), q.Status) ||
		strings.HasPrefix(s.State().Word(), q.Status)
	return seat && status && strings.HasPrefix(s.Mode, q.Mode) && (q.Since == 0 || now.Sub(s.Updated) <= q.Since)
}

func (q Query) inName(s debate.SessionSummary) bool {
	name := strings.ToLower(s.Title + " " + s.Topic)
	for _, w := range strings.Fields(strings.ToLower(q.Text)) {
		if !strings.Contains(name, w) {
			return false
		}
	}
	return true
}

// Hit is a session that contains the text of a query.
type Hit struct {
	Session string
	Matches []Match
}

// Match is one occurrence of the text.
type Match struct {
	Where               string // such as "R2 Brook", "C1 answer" or "verdict"
	Before, Text, After string // Text is the match, the others are its surroundings

	Place debate.TextPlace
	Agent agents.ID // whose statement it is; "" for other texts
	Round int       // of the statement
	ID    string    // of the question that it answers, of the finding or of the evidence; "" for other texts
}

// safeFragment makes part of a line safe and keeps the blanks at its ends.
func safeFragment(s string) string { return strings.ReplaceAll(text.Sanitize(s), "\n", " ") }

func (m Match) render(th *theme.Theme, width int, selected bool) string {
	th, mark := th.ForRow(selected)
	lead := th.Columns(theme.Column{Text: mark, Width: 4, Style: th.Accent}, theme.Column{Text: m.Where, Width: 12, Style: th.Muted})
	room := width - 16
	before := m.Before
	if over := len([]rune(before)) + len([]rune(m.Text)) + 2 - room; over > 0 {
		r := []rune(before)
		before = th.Symbols.Cut + string(r[min(len(r), over+1):])
	}
	return th.Fit(lead+th.Text.Render(before)+th.Match(m.Text)+th.Text.Render(m.After), width)
}

// Move moves the selection by rows. Of a search, the matches are rows too.
func (h *Screen) Move(n int) {
	step := 1
	if n < 0 {
		step = -1
	}
	for ; n != 0; n -= step {
		switch last := len(h.matches()); {
		case step > 0 && h.match < last:
			h.match++
		case step < 0 && h.match > 0:
			h.match--
		case h.list.At+step < 0 || h.list.At+step >= h.rows():
			return
		default:
			h.list.At += step
			if h.match = 0; step < 0 {
				h.match = len(h.matches())
			}
		}
	}
}

func (h *Screen) matches() []Match {
	s, _ := h.Selected()
	return h.found[s.ID]
}
