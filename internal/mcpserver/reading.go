package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

type listInput struct {
	Search string `json:"search,omitempty" jsonschema:"only debates that contain this text"`
	Status string `json:"status,omitempty" jsonschema:"only debates in this state"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many at the most; 20 if left out"`
}

type roundInput struct {
	sessionInput
	Round int `json:"round,omitempty" jsonschema:"from 1"`
}

type turnInput struct {
	roundInput
	AgentID string `json:"agentId,omitempty" jsonschema:"an agent's id; all agents if left out"`
}

type exportInput struct {
	sessionInput
	Format string `json:"format,omitempty" jsonschema:"md, json or html; md if left out"`
	Redact bool   `json:"redact,omitempty" jsonschema:"mask what looks like a key or a password"`
}

// addReading adds the tools that read debates. They lock nothing.
func (s *Server) addReading(server *mcp.Server) {
	addTool(s, server, reads, "list_sessions", "List debates, the last changed first.", s.list)
	addTool(s, server, reads, "get_agents", "List the agents that can debate, and their panels.", s.agents)
	addTool(s, server, reads, "get_consensus", "The agreement after each round of a debate, or after one.", reading(s, s.consensus))
	addTool(s, server, reads, "get_round_details", "All that was said and asked in a round; the newest if none is named.",
		reading(s, roundDetails))
	addTool(s, server, reads, "get_response_detail",
		"All attempts of an agent in a round, or the newest, with tool calls, failures and what they took.",
		reading(s, responseDetail))
	addTool(s, server, reads, "get_citations", "What the statements of a round cite.", reading(s, citations))
	addTool(s, server, reads, "get_thoughts", "The reasoning of the agents in a round, or the newest, where their models show it.",
		reading(s, thoughts))
	addTool(s, server, reads, "export_session", "A debate as Markdown, JSON or one HTML page.", s.export)
}

func (s *Server) list(ctx context.Context, _ *mcp.CallToolRequest, in listInput) (*mcp.CallToolResult, any, error) {
	all, err := s.debates.List(ctx, in.Search, in.Status, cmp.Or(in.Limit, 20))
	if err != nil {
		return nil, nil, err
	}
	out := []part{}
	for _, x := range all {
		p := partOf(report.ListedOf(x), "held_by", "seats")
		if x.Running {
			p["status"] = running
		}
		if by, ok := s.elsewhere(x.ID); ok {
			p["heldBy"] = by.String()
		}
		out = append(out, p)
	}
	return nil, map[string]any{"sessions": out}, nil
}

func (s *Server) agents(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	all, err := s.debates.Agents(ctx)
	if err != nil {
		return nil, nil, err
	}
	return nil, map[string]any{"agents": append([]Agent{}, all...)}, nil
}

// live says who has the session open: what is being played is not called interrupted.
func (s *Server) live(id string) report.Options {
	by, held := s.debates.Held(id)
	return report.Options{Live: held, Holder: by}
}

// reading returns a tool that reads parts of a session as it is exported.
func reading[In interface{ id() string }](s *Server, read func(In, debate.Session, report.Report) (part, error),
) mcp.ToolHandlerFor[In, any] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		session, err := s.debates.Read(ctx, in.id())
		if err != nil {
			return nil, nil, err
		}
		p, err := read(in, session, report.Of(session, s.live(session.ID)))
		if err != nil {
			return nil, nil, err
		}
		p["sessionId"] = session.ID
		return nil, p, nil
	}
}

func (s *Server) consensus(in roundInput, session debate.Session, doc report.Report) (part, error) {
	rounds := []part{}
	for _, round := range doc.History {
		if in.Round == 0 || in.Round == round.Round {
			rounds = append(rounds, consensusOf(session, round.Round))
		}
	}
	by := s.live(session.ID).Holder
	return part{"status": statusOf(report.ProgressOf(session, by.Plays(session))), "rounds": rounds}, nil
}

func roundOf(doc report.Report, n int) (report.Round, error) {
	if n == 0 {
		n = len(doc.History)
	}
	i := slices.IndexFunc(doc.History, func(r report.Round) bool { return r.Round == n })
	if i < 0 {
		return report.Round{}, fmt.Errorf("session %s has no round %d; it has begun %s", doc.ID, n, text.Count(len(doc.History), "round"))
	}
	return doc.History[i], nil
}

func roundDetails(in roundInput, session debate.Session, doc report.Report) (part, error) {
	round, err := roundOf(doc, in.Round)
	if err != nil {
		return nil, err
	}
	p, asked := partOf(round, "responses"), []part{}
	for _, q := range doc.Requests {
		if q.Round == round.Round {
			asked = append(asked, requestOf(q))
		}
	}
	p["responses"], p["requests"], p["consensus"] = responsesOf(doc, round), asked, consensusOf(session, round.Round)
	return p, nil
}

// turnsOf returns the attempts of an agent in a round; of all agents for "".
func turnsOf(in turnInput, session debate.Session, doc report.Report) ([]report.Response, error) {
	round, err := roundOf(doc, in.Round)
	if err != nil || in.AgentID == "" {
		return round.Responses, err
	}
	turns := slices.DeleteFunc(round.Responses, func(x report.Response) bool { return string(x.Agent) != in.AgentID })
	if _, n := session.Seat(agents.ID(in.AgentID)); n == 0 && len(turns) == 0 {
		ids := text.Each(session.Seats, func(p agents.Profile) string { return string(p.ID) })
		return nil, fmt.Errorf("session %s has no agent %q; it has %s", session.ID, text.Label(in.AgentID), strings.Join(ids, ", "))
	}
	return turns, nil
}

func responseDetail(in turnInput, session debate.Session, doc report.Report) (part, error) {
	turns, err := turnsOf(in, session, doc)
	return part{"attempts": append([]report.Response{}, turns...)}, err
}

func thoughts(in turnInput, session debate.Session, doc report.Report) (part, error) {
	turns, err := turnsOf(in, session, doc)
	out := []part{}
	for _, x := range turns {
		for _, p := range x.Passages {
			if p.Reasoning != "" {
				out = append(out, part{"agentId": x.Agent, "round": x.Round, "attempt": x.Attempt, "reasoning": p.Reasoning})
			}
		}
	}
	return part{"thoughts": out}, err
}

func citations(in turnInput, session debate.Session, doc report.Report) (part, error) {
	turns, err := turnsOf(in, session, doc)
	out := []part{}
	for _, x := range turns {
		if cited := x.Cites(); len(cited) > 0 {
			out = append(out, part{"agentId": x.Agent, "round": x.Round, "attempt": x.Attempt, "cites": cited})
		}
	}
	return part{"citations": out}, err
}

func (s *Server) export(ctx context.Context, _ *mcp.CallToolRequest, in exportInput) (*mcp.CallToolResult, any, error) {
	session, err := s.debates.Read(ctx, in.SessionID)
	if err != nil {
		return nil, nil, err
	}
	o := s.live(session.ID)
	o.Redact, o.Version = in.Redact, s.options.Version
	var content strings.Builder
	if err := report.Of(session, o).Write(&content, cmp.Or(report.Format(in.Format), report.Markdown)); err != nil {
		return nil, nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: content.String()}}}, nil, nil
}
