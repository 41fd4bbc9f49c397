package report

import (
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Status says whether a request was answered, and for which rounds.
func (r Request) Status() string {
	switch r.State {
	case ledger.Pending:
		return "not answered yet"
	case ledger.Resolved:
		return "answered, not yet sent"
	case ledger.Withdrawn:
		if r.JoinedTo != "" {
			return "joined to " + r.JoinedTo
		}
		return "withdrawn"
	case ledger.Expired:
		return "not answered: the debate ended first"
	case ledger.Released:
	}
	text := "sent"
	for i, d := range r.Released {
		sep := ", "
		if i == 0 {
			sep = " "
		}
		text += fmt.Sprintf("%swith round %d", sep, d.Round)
		if len(r.Answers) > 1 {
			text += fmt.Sprintf(" (revision %d)", d.Revision)
		}
	}
	return text
}

// OpenRequest is a request that nobody answered.
type OpenRequest struct {
	ID, Query string
	Asked     string // its priority and who asked, such as "optional, asked by Cy"
}

// openRequests returns the requests of a session that nobody answered.
func openRequests(s debate.Session, n names) []OpenRequest {
	var out []OpenRequest
	for _, q := range s.Requests {
		if q.State == ledger.Pending || q.State == ledger.Expired {
			out = append(out, OpenRequest{q.ID, q.Query, string(q.Priority) + ", asked by " + text.List(n.all(q.Askers()))})
		}
	}
	return out
}

// Explanation says when and why an agent asked, and in which words if they differ
// from the request's.
func (a Ask) Explanation(r Request) string {
	text := fmt.Sprintf("round %d, %s", a.Round, a.Priority)
	if a.Withdrawn {
		text += ", withdrawn"
	}
	text += ". " + a.Reason
	if a.Query != r.Query {
		text += " In these words: " + a.Query
	}
	return text
}

// Label returns the heading of a revision of an answer.
func (a Answer) Label() string {
	text := "Answer"
	if a.Outcome == ledger.Unavailable {
		text = "Unavailable"
	}
	if a.Revision > 1 || a.Correction {
		text += fmt.Sprintf(", revision %d", a.Revision)
	}
	if a.Correction {
		text += ", a correction after it was sent"
	}
	return text
}

// By lists the agents that cite a source, with their rounds.
func (d Document) By(s Source) string {
	if len(s.CitedBy) == 0 {
		return "not cited"
	}
	var out []string
	for _, c := range s.CitedBy {
		out = append(out, d.Who(c.Agent)+" ("+roundList(c.Rounds)+")")
	}
	return strings.Join(out, ", ")
}

// Audience says who an interjection is for, and in which rounds they read it.
func (d Document) Audience(t Interjection) string {
	text := "to all members"
	if t.Agent != "" {
		text = "to " + d.Who(t.Agent)
	}
	if len(t.Rounds) == 0 {
		return text + ", not sent yet"
	}
	return text + ", with " + roundList(t.Rounds)
}

// Description says what a source is: the answer, or how it came to be cited.
func (s Source) Description() string {
	switch {
	case !s.Request:
		return "as cited"
	case !s.Told:
		return "⚠ cited before anybody was given it"
	case s.Source != "":
		return s.Text + " (" + s.Source + ")"
	}
	return s.Text
}
