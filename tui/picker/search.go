package picker

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/theme"
)


// Query is what the user searches for: words, and filters such as mode:delphi.
type Query struct {
	Text   string
	Mode   string
	Status string        // as in a summary, or the beginning of one
	Since  time.Duration // 0: any age
	Agent  string
}

// ParseQuery reads a query as it is typed. What is no filter is text.
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
		d, ok := since(value)
		q.Since = d
		return ok
	default:
		return false
	}
	return true
}

// since reads 30m, 12h, 7d or 2w.
func since(s string) (time.Duration, bool) {
	day := 24 * time.Hour
	for unit, d := range map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": day, "w": 7 * day} {
		if digits, ok := strings.CutSuffix(s, unit); ok {
			n := 0
			for _, c := range digits {
				if c < '0' || c > '9' || n > 1e4 {
					return 0, false
				}
				n = 10*n + int(c-'0')
			}
			return time.Duration(n) * d, digits != ""
		}
	}
	return 0, false
}

// running is the status of a session that is being played.
const running = "running"

// statuses are the words that a status may be searched by.
func statuses() []string {
	return []string{
		string(debate.Drafted), string(debate.Ready), running, string(debate.Interrupted), string(debate.NeedsContext), string(debate.Complete), string(debate.Stopped),
		string(debate.OutcomeFull), string(debate.OutcomeDegraded), string(debate.OutcomeNoSynthesis),
		string(debate.StoppedByUser), string(debate.StoppedByBudget), string(debate.EndedByConsensus), string(debate.EndedByConvergence),
	}
}

// advice says what the filters of a query may be that fit nothing there is; "" where
// each of them fits something.
func (h *Home) advice(query string) string {
	q := ParseQuery(query)
	modes, agents := map[string]bool{}, map[string]bool{}
	for _, e := range h.all {
		modes[e.Mode] = true
		for _, p := range e.Seats {
			agents[safetext.Line(strings.ToLower(string(p.ID)))], agents[safetext.Line(strings.ToLower(p.Name))] = true, true
		}
	}
	var out []string
	lacks := func(filter, begins string, of []string) {
		if begins != "" && !slices.ContainsFunc(of, func(w string) bool { return strings.HasPrefix(w, begins) }) {
			out = append(out, fmt.Sprintf("No %s begins with %q; there are: %s.", filter, begins, strings.Join(of, ", ")))
		}
	}
	lacks("status", q.Status, statuses())
	lacks("mode", q.Mode, slices.Sorted(maps.Keys(modes)))
	lacks("agent", q.Agent, slices.Sorted(maps.Keys(agents)))
	for w := range strings.FieldsSeq(q.Text) {
		if name, _, ok := strings.Cut(strings.ToLower(w), ":"); ok && name == "since" {
			out = append(out, fmt.Sprintf("%s is no age; there are m, h, d and w, such as since:7d.", w))
		}
	}
	return strings.Join(out, " ")
}

// Admits reports whether a session passes the filters.
func (q Query) Admits(s debate.SessionSummary, now time.Time) bool {
	name := func(p string) bool { return strings.HasPrefix(strings.ToLower(p), q.Agent) }
	seat := q.Agent == ""
	for _, p := range s.Seats {
		seat = seat || name(p.Name) || name(string(p.ID))
	}
	status := strings.HasPrefix(string(s.Status), q.Status) || strings.HasPrefix(string(s.Outcome), q.Status) ||
		strings.HasPrefix(string(s.Stopped), q.Status) || s.Running && strings.HasPrefix(running, q.Status)
	return seat && status && strings.HasPrefix(s.Mode, q.Mode) && (q.Since == 0 || now.Sub(s.Updated) <= q.Since)
}

// names reports whether the session's name holds all words of the query.
func (q Query) names(s debate.SessionSummary) bool {
	name := strings.ToLower(s.Title + " " + s.Topic)
	for _, w := range strings.Fields(strings.ToLower(q.Text)) {
		if !strings.Contains(name, w) {
			return false
		}
	}
	return true
}

// Hit is a session in which the text of a query was found.
type Hit struct {
	Session string
	Matches []Match
}

// Match is one place where it was found.
type Match struct {
	Where               string // such as "R2 Brook", "C1 answer" or "verdict"
	Before, Text, After string // Text is what matches
}

// clean makes foreign text safe, one line each.
func (h Hit) clean() Hit {
	matches := make([]Match, len(h.Matches))
	for i, m := range h.Matches {
		matches[i] = Match{Where: safetext.Line(m.Where), Before: inner(m.Before), Text: inner(m.Text), After: inner(m.After)}
	}
	h.Matches = matches
	return h
}

// inner makes a piece from within a line safe: blanks at its ends belong to it.
func inner(s string) string {
	safe := safetext.Line(s)
	if safe == "" {
		return ""
	}
	if strings.TrimLeft(s, " \n\t") != s {
		safe = " " + safe
	}
	if strings.TrimRight(s, " \n\t") != s {
		safe += " "
	}
	return safe
}

// draw shows where the match stands and what it is.
func (m Match) draw(th *theme.Theme, width int) string {
	lead := cells(th, cell{text: "", width: 4}, cell{text: m.Where, width: 11, style: th.Muted})
	room := width - 15
	before := m.Before
	if over := len([]rune(before)) + len([]rune(m.Text)) + 2 - room; over > 0 {
		r := []rune(before)
		before = th.Symbols.Cut + string(r[min(len(r), over+1):])
	}
	return th.Fit(lead+th.Text.Render(before)+th.Match(m.Text)+th.Text.Render(m.After), width)
}
