package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/internal/text"
)

type span struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// estimate says what a debate is likely to need. It asks no model and stores nothing.
func (s *Server) estimate(ctx context.Context, req *mcp.CallToolRequest, in planInput) (*mcp.CallToolResult, any, error) {
	if res := s.askFolders(ctx, req, &in.Brought); res != nil {
		return res, nil, nil
	}
	session, notes, err := s.debates.Plan(ctx, in.plan(), in.Brought)
	if err != nil {
		return nil, nil, err
	}
	f, seats := budget.Estimate(session), text.Each(session.Seats, func(p agents.Profile) string { return text.Line(p.Name) })
	out := part{
		"message": "Nothing was sent. start_roundtable with these arguments begins the debate.",
		"mode":    session.Mode.Name, "seats": seats, "rounds": session.Rounds,
		"calls": span(f.Calls), "tokens": span(f.Tokens), "usd": (*span)(f.USD), "seconds": span(f.Seconds),
		"recipients": s.debates.Recipients(session), "notices": append([]string{}, notes...), "budget": budgetOf(session),
	}
	return nil, out, nil
}

func budgetOf(s debate.Session) string {
	if !s.Budget.Capped() {
		return ""
	}
	return s.Budget.String()
}

type askInput struct {
	SessionID string `json:"sessionId"`
	Question  string `json:"question" jsonschema:"about the debate and its verdict"`
	Agent     string `json:"agent,omitempty" jsonschema:"a seat by id or name; the chair if left out"`
}

func (s *Server) followUp(ctx context.Context, req *mcp.CallToolRequest, in askInput) (*mcp.CallToolResult, Result, error) {
	return s.changeAndWait(ctx, req, in.SessionID, func(c *control.Controller) error {
		v := control.Values{Text: text.Clean(in.Question), Seat: c.Session().SpeakerNamed(in.Agent)}
		_, err := c.Act(s.ctx, control.AskFollowUp, v)
		return err
	})
}
