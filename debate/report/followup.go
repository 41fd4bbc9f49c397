package report

import (
	"fmt"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// FollowUp is a question that the user asked after a verdict, with its answer.
type FollowUp struct {
	Number   int                 `json:"number"` // from 1
	Question string              `json:"question"`
	Agent    agents.ID           `json:"agent"` // who was asked
	Round    int                 `json:"round"` // the last one of the verdict
	State    debate.TurnState    `json:"state"`
	Answered bool                `json:"answered"` // else Text is what was written before it failed
	Text     string              `json:"text"`
	Problem  string              `json:"problem,omitempty"` // why the answer is not complete
	Finish   agents.Finish       `json:"finish,omitempty"`
	Failure  *debate.TurnFailure `json:"failure,omitempty"`
	Prompts  int                 `json:"prompt_version,omitempty"`
	Usage    Usage               `json:"usage"`
	Began    time.Time           `json:"began"`
	Ended    *time.Time          `json:"ended"`
}

// followUpOf returns a follow-up as a document has it.
func followUpOf(f debate.FollowUp, live bool) FollowUp {
	if f.Response.State == debate.TurnRunning && !live { // its process has ended
		f.Response.State = debate.TurnInterrupted
	}
	x := f.Response
	return FollowUp{
		Number: f.Number(), Question: f.Question, Agent: x.Turn.Agent, Round: x.Turn.Round, State: x.State,
		Answered: f.Answered(), Text: f.Text(), Problem: f.Problem(), Finish: x.Finish, Failure: x.Failure, Prompts: x.PromptVersion,
		Usage: Usage{x.Calls, x.Usage, x.Cost}, Began: x.Began.UTC(), Ended: optionalTime(x.Ended),
	}
}

// restored returns the follow-up as a session has it. One that was being answered when the
// document was written was cut off for everybody else.
func (f FollowUp) restored(session string) debate.FollowUp {
	x := debate.Response{
		Turn:  agents.Turn{Session: session, Round: f.Round, Step: debate.FollowUpStep, Attempt: f.Number, Agent: f.Agent},
		State: f.State, Finish: f.Finish, Failure: f.Failure, PromptVersion: f.Prompts, Usage: f.Usage.Usage, Cost: f.Usage.Cost,
		Calls: f.Usage.Requests, Began: f.Began,
	}
	if x.State == debate.TurnRunning {
		x.State = debate.TurnInterrupted
	}
	if f.Ended != nil {
		x.Ended = *f.Ended
	}
	if f.Text != "" {
		x.Passages = []debate.Passage{{Text: f.Text}}
	}
	if x.State == debate.TurnDone {
		x.Statement.Body = f.Text
	}
	return debate.FollowUp{Question: f.Question, Response: x}
}

// spentSince returns what a session spent up to its verdict, and on follow-ups after it.
func spentSince(v debate.Verdict, s debate.Session) []debate.Spending {
	if len(s.FollowUps) > 0 {
		return spentOf(s)
	}
	return v.Spending
}

// Title names the question and who was asked.
func (f FollowUp) Title(name string) string { return fmt.Sprintf("%d to %s", f.Number, name) }

// Status is how the answer ended, with a symbol.
func (f FollowUp) Status() string { return Response{State: f.State}.Status() }

// followUps writes the questions after the verdict.
func (m *markdownWriter) followUps() {
	if len(m.FollowUps) == 0 {
		return
	}
	m.block("## Follow-up questions")
	for _, f := range m.FollowUps {
		m.block("### %s · %s", f.Title(m.Who(f.Agent)), f.Status())
		m.quote(f.Question)
		if f.Problem != "" {
			m.block("**%s**", f.Problem)
		}
		switch {
		case f.Answered:
			m.quote(f.Text)
		case f.Text != "":
			m.block("Partial text, not used:")
			m.quote(f.Text)
		}
	}
}
