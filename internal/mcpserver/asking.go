package mcpserver

import (
	"context"
	"time"

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
	if ask := s.findFolders(ctx, req, &in.Brought); ask != nil {
		return ask, nil, nil
	}
	session, notes, err := s.debates.Plan(ctx, in.plan(), in.AgentCount, in.Brought)
	if err != nil {
		return nil, nil, err
	}
	f, seats := budget.Estimate(session), []string{}
	for _, p := range session.Seats {
		seats = append(seats, text.Line(p.Name))
	}
	out := part{
		"message": "Nothing was sent. start_roundtable with these arguments begins the debate.",
		"mode":    session.Mode.Name, "seats": seats, "rounds": session.Rounds,
		"calls": span(f.Calls), "tokens": span(f.Tokens), "usd": (*span)(f.USD), "seconds": span(f.Seconds),
		"recipients": s.debates.Recipients(session), "notices": append([]string{}, notes...),
	}
	if limit := budgetOf(session); limit != "" {
		out["budget"] = limit
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

// followUp asks about a verdict. The same question again a short time later is a repeated call.
func (s *Server) followUp(ctx context.Context, req *mcp.CallToolRequest, in askInput) (*mcp.CallToolResult, Result, error) {
	already := false
	_, r, err := s.changeAndWait(ctx, req, in.SessionID, func(c *control.Controller) error {
		session := c.Session()
		v := control.Values{Text: text.Clean(in.Question)}
		v.Seat = agents.ID(in.Agent)
		for _, p := range session.Speakers() {
			if p.Name == in.Agent {
				v.Seat = p.ID
			}
		}
		who, err := session.CheckFollowUp(v.Seat, v.Text)
		h, key := s.handle(session.ID), string(who.ID)+"\n"+v.Text
		if already = err == nil && (c.Answering() != "" && h.asked == key || answered(session, who.ID, v.Text)); already {
			return nil
		}
		if _, err = c.Act(s.ctx, control.AskFollowUp, v); err == nil {
			h.asked = key
		}
		return err
	})
	r.Already = already
	return nil, r, err
}

// answered reports whether the newest follow-up is this one, answered a short time ago.
func answered(s debate.Session, who agents.ID, question string) bool {
	if len(s.FollowUps) == 0 {
		return false
	}
	f := s.FollowUps[len(s.FollowUps)-1]
	return f.Question == question && f.Response.Turn.Agent == who && f.Answered() && time.Since(f.Response.Ended) < repeatTime
}
