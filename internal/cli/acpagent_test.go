package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// acpAgent is a program that speaks the Agent Client Protocol. AGENT makes it refuse
// sessions ("signed out"), say nothing ("hangs"), print AGENT_KEY ("prints", "fails with
// it"), use a tool of its own ("reads"), end its turn when a command is denied ("gives up"),
// once ("gives up once"), or start the servers in its settings ("serves").
func acpAgent() {
	if f, err := os.OpenFile(os.Getenv("AGENT_PIDS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintln(f, os.Getpid())
		_ = f.Close()
	}
	a := &scriptedAgent{does: os.Getenv("AGENT")}
	stdin, begin := io.Pipe() // so that conn is set before anything is read
	a.conn = sdk.NewAgentSideConnection(a, os.Stdout, stdin)
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	go func() {
		_, err := io.Copy(begin, os.Stdin)
		begin.CloseWithError(err)
	}()
	<-a.conn.Done()
}

type scriptedAgent struct {
	sdk.Agent // what it does not do is never asked for
	does      string
	conn      *sdk.AgentSideConnection
	sessions  int
	servers   []sdk.McpServer
}

func (a *scriptedAgent) Initialize(context.Context, sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	r := sdk.InitializeResponse{ProtocolVersion: sdk.ProtocolVersionNumber, AgentInfo: &sdk.Implementation{Name: "Scripted", Version: "1.2"}}
	r.AgentCapabilities.McpCapabilities.Http = true
	return r, nil
}

func (a *scriptedAgent) NewSession(ctx context.Context, req sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	if a.does == "signed out" {
		return sdk.NewSessionResponse{}, &sdk.RequestError{Code: -32000, Message: "Authentication required"}
	}
	category := sdk.SessionConfigOptionCategoryModel
	a.sessions++
	a.servers = req.McpServers
	a.withTools(ctx, "agent", func(tools *mcp.ClientSession) { _, _ = tools.ListTools(ctx, nil) }) // else they are waited for
	id := sdk.SessionId(fmt.Sprintf("s%d", a.sessions))
	return sdk.NewSessionResponse{SessionId: id, ConfigOptions: []sdk.SessionConfigOption{{Select: &sdk.SessionConfigOptionSelect{
		Id: "m", Name: "Model", Type: "select", Category: &category, CurrentValue: "small",
		Options: sdk.SessionConfigSelectOptions{Ungrouped: &sdk.SessionConfigSelectOptionsUngrouped{{Name: "Small", Value: "small"}}},
	}}}}, nil
}

// Prompt says yes, or what else it is told to.
func (a *scriptedAgent) Prompt(ctx context.Context, req sdk.PromptRequest) (sdk.PromptResponse, error) {
	update := func(u sdk.SessionUpdate) {
		_ = a.conn.SessionUpdate(ctx, sdk.SessionNotification{SessionId: req.SessionId, Update: u})
	}
	answer := "Yes, says an agent.\n```json\n{\"position\": \"It is worth it.\", \"vote\": \"yes\", \"confidence\": 0.8}\n```"
	switch {
	case strings.Contains(req.Prompt[0].Text.Text, "Answer with one JSON object that fits this schema"):
		answer = `{"level": 0.9, "clusters": []}`
	case a.does == "hangs":
		if f, err := os.Create(os.Getenv("AGENT_PIDS") + ".asked"); err == nil {
			_ = f.Close()
		}
		select {}
	case a.does == "serves":
		update(sdk.UpdateAgentMessageText(startServers(ctx, os.Getenv("AGENT_SETTINGS"))))
	case a.does == "fails with it":
		return sdk.PromptResponse{}, &sdk.RequestError{Code: -32603, Message: "The key " + os.Getenv("AGENT_KEY") + " is wrong."}
	case a.does == "prints":
		a.printKey(ctx, req.SessionId, update)
	case a.does == "gives up", a.does == "gives up once" && a.sessions == 1:
		if f, err := os.OpenFile(os.Getenv("AGENT_PIDS")+".asked", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			told := strings.Contains(req.Prompt[0].Text.Text, "\n\nCommands are denied in this turn. Do not call them. ")
			fmt.Fprintf(f, "%s %v\n", req.SessionId, told)
			_ = f.Close()
		}
		kind, title := sdk.ToolKindExecute, "List"
		update(sdk.UpdateAgentMessageText("Let me look first."))
		_, err := a.conn.RequestPermission(ctx, sdk.RequestPermissionRequest{
			SessionId: req.SessionId, Options: []sdk.PermissionOption{{Kind: sdk.PermissionOptionKindRejectOnce, Name: "No", OptionId: "no"}},
			ToolCall: sdk.ToolCallUpdate{ToolCallId: "x", Kind: &kind, Title: &title, RawInput: map[string]any{"command": "ls"}},
		})
		return sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn}, err
	case a.does == "reads":
		kind, title, done := sdk.ToolKindRead, "Read notes.txt", sdk.ToolCallStatusCompleted
		update(sdk.SessionUpdate{ToolCallUpdate: &sdk.SessionToolCallUpdate{
			ToolCallId: "x", Kind: &kind, Title: &title, Status: &done, RawInput: map[string]any{"path": "notes.txt"},
			Content: []sdk.ToolCallContent{sdk.ToolContent(sdk.TextBlock("three notes"))},
		}})
	}
	update(sdk.UpdateAgentMessageText(answer))
	used := sdk.Usage{InputTokens: 1000, OutputTokens: 100, TotalTokens: 1100}
	return sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn, Usage: &used}, nil
}

// printKey shows a key in all the ways there are.
func (a *scriptedAgent) printKey(ctx context.Context, id sdk.SessionId, update func(sdk.SessionUpdate)) {
	key, kind, done := os.Getenv("AGENT_KEY"), sdk.ToolKindExecute, sdk.ToolCallStatusCompleted
	fmt.Fprintln(os.Stderr, "the key is", key)
	update(sdk.UpdateAgentThoughtText("It is " + key + "."))
	for _, letter := range key {
		update(sdk.UpdateAgentMessageText(string(letter)))
	}
	title := "echo " + key
	call := sdk.ToolCallUpdate{ToolCallId: "p", Kind: &kind, Title: &title, RawInput: map[string]any{"command": "echo " + key}}
	_, _ = a.conn.RequestPermission(ctx, sdk.RequestPermissionRequest{SessionId: id, ToolCall: call, Options: []sdk.PermissionOption{
		{Kind: sdk.PermissionOptionKindRejectOnce, Name: "No", OptionId: "no"},
	}})
	update(sdk.SessionUpdate{ToolCallUpdate: &sdk.SessionToolCallUpdate{
		ToolCallId: "p", Kind: &kind, Title: &title, Status: &done, RawInput: call.RawInput, RawOutput: map[string]any{key: key},
	}})
	a.withTools(ctx, key, func(tools *mcp.ClientSession) {
		question := map[string]any{"query": "Is " + key + " right?", "reason": key, "priority": "optional"}
		_, _ = tools.CallTool(ctx, &mcp.CallToolParams{Name: "request_context", Arguments: question})
	})
}

// withTools connects to the tools that the agent was given, under a name.
func (a *scriptedAgent) withTools(ctx context.Context, name string, do func(*mcp.ClientSession)) {
	for _, s := range a.servers {
		client := &http.Client{Transport: bearer(s.Http.Headers[0].Value)}
		session, err := mcp.NewClient(&mcp.Implementation{Name: name}, nil).Connect(ctx, &mcp.StreamableClientTransport{
			Endpoint: s.Http.Url, HTTPClient: client, DisableStandaloneSSE: true,
		}, nil)
		if err == nil {
			do(session)
			_ = session.Close()
		}
	}
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// startServers starts a debate by each MCP server in a file of settings, and returns what
// came of it.
func startServers(ctx context.Context, path string) string {
	var settings struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	raw, err := os.ReadFile(path)
	if err = errors.Join(err, json.Unmarshal(raw, &settings)); err != nil {
		return err.Error()
	}
	said := ""
	for name, s := range settings.Servers {
		cmd := exec.Command(s.Command, s.Args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		session, err := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
		if err == nil {
			_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "start_roundtable", Arguments: map[string]any{"topic": "Again?", "panel": "demo"}})
			err = errors.Join(err, session.Close())
		}
		said += fmt.Sprintf("%s: %v, %s\n\n", name, err != nil, stderr.String())
	}
	return said
}

func (*scriptedAgent) Cancel(context.Context, sdk.CancelNotification) error { return nil }

func (*scriptedAgent) SetSessionConfigOption(
	context.Context, sdk.SetSessionConfigOptionRequest,
) (sdk.SetSessionConfigOptionResponse, error) {
	return sdk.SetSessionConfigOptionResponse{ConfigOptions: []sdk.SessionConfigOption{}}, nil
}
