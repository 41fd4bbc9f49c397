package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate/report"
)

// sessionURI is the beginning of the address of a session's report.
const sessionURI = "roundtable://session/"

// whenToCall explains to an assistant when a panel is worth its cost.
const whenToCall = `Call a panel with start_roundtable when a decision is costly to undo, when reasonable people would disagree about it, or
when one confident answer is not enough: architecture, risk, priorities, a change that is hard to review. Do not call it for
facts that can be looked up, or for work that only has to be done.

1. Put the whole question into topic, with what is already known. Name the options if there are some.
2. The agents answer blind at first. They ask for facts that they lack: contextRequests of the result.
3. Find those facts out, or ask the user. Send them with continue_roundtable. Never make an answer up; send success false
   with the reason when there is none.
4. Repeat until the rounds are played, then call synthesize_debate.
5. Tell the user the headline of the verdict, who dissents and why, and what the verdict cannot claim.`

// addResources adds the reports of sessions, and the prompt.
func (s *Server) addResources(server *mcp.Server) {
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "session", Title: "Report of a debate", URITemplate: sessionURI + "{id}", MIMEType: "text/markdown",
		Description: "A debate with its statements, questions, answers and verdict, as Markdown.",
	}, s.resource)
	server.AddPrompt(&mcp.Prompt{
		Name: "call_a_panel", Title: "When to call a panel", Description: "When to let a panel debate, and how to answer what it asks.",
	}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: whenToCall}}}}, nil
	})
}

func (s *Server) resource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	id, ok := strings.CutPrefix(req.Params.URI, sessionURI)
	if !ok {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	session, err := s.debates.Read(ctx, id)
	if err != nil {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	content, err := written(session, report.Markdown, false)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/markdown", Text: content}}}, nil
}
