package report

import (
	"fmt"
	"strconv"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Status says whether a request was answered, and for which rounds.
func (r Request) Status() string {
	switch r.State {
	case ledger.Pending, ledger.AfterVerdict, ledger.Unanswered:
		return "open"
	case ledger.Resolved:
		return "answered, not yet sent"
	case ledger.Withdrawn:
		if r.JoinedTo != "" {
			return "joined to " + r.JoinedTo
		}
		return "withdrawn"
	case ledger.Released:
	}
	sent := make([]string, len(r.Released))
	for i, d := range r.Released {
		sent[i] = fmt.Sprintf("with round %d", d.Round)
		if len(r.Answers) > 1 {
			sent[i] += fmt.Sprintf(" (revision %d)", d.Revision)
		}
	}
	return "sent " + strings.Join(sent, ", ")
}

// explanation says when and why an agent asked, and in which words if they are not those of the question.
func explanation(a Ask, query string) string {
	words := fmt.Sprintf("round %d, %s", a.Round, a.Priority)
	if a.Withdrawn {
		words += ", withdrawn"
	}
	words += ". " + a.Reason
	if a.Query != query {
		words += " In these words: " + a.Query
	}
	return words
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

// From says where an answer comes from, see [ledger.Answer.From].
func (a Answer) From() string { return ledger.Answer{Source: a.Source, Author: a.By}.From() }

// Audience says who an interjection is for, who wrote it if that was not the user, and in which rounds they read it.
func (r Report) Audience(t Interjection) string {
	to := "all seats"
	if t.Agent != "" {
		to = r.Who(t.Agent)
	}
	rounds := text.Each(t.Rounds, strconv.Itoa)
	sent := "not sent yet"
	if len(rounds) > 0 {
		sent = "with " + text.Inflect(len(rounds), "round ", "rounds ") + strings.Join(rounds, ", ")
	}
	return text.Join(", ", "to "+to, t.Author.Note(), sent)
}

// FollowUp is a question that the user asked after a verdict, with its answer.
type FollowUp struct {
	Number   int    `json:"number"` // from 1
	Question string `json:"question"`
	Answered bool   `json:"answered"`          // else the text is what was written before it failed
	Problem  string `json:"problem,omitempty"` // why the answer is not complete
	Turn
}

func followUpOf(f debate.FollowUp, live bool) FollowUp {
	t := turnOf(f.Response, live)
	f.Response.State, t.Text = t.State, f.Text()
	return FollowUp{f.Number(), f.Question, f.Answered(), f.Problem(), t}
}

func (m *markdownWriter) followUps() {
	if len(m.FollowUps) == 0 {
		return
	}
	m.block("## Follow-up questions")
	for _, f := range m.FollowUps {
		m.block("### %d to %s · %s", f.Number, m.Who(f.Agent), f.Status())
		m.quote(f.Question)
		if f.Problem != "" {
			m.block("**%s**", f.Problem)
		}
		if !f.Answered && f.Text != "" {
			m.block("%s", Partial(f.State))
		}
		m.quote(f.Text)
	}
}
