package cli_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
)

// acpAgent is a program that speaks the Agent Client Protocol. AGENT makes it refuse
// sessions ("signed out"), say nothing ("hangs") or use a tool of its own ("reads").
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
	does string
	conn *sdk.AgentSideConnection
}

func (a *scriptedAgent) Initialize(context.Context, sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	r := sdk.InitializeResponse{ProtocolVersion: sdk.ProtocolVersionNumber, AgentInfo: &sdk.Implementation{Name: "Scripted", Version: "1.2"}}
	r.AgentCapabilities.McpCapabilities.Http = true
	return r, nil
}

func (a *scriptedAgent) NewSession(context.Context, sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	if a.does == "signed out" {
		return sdk.NewSessionResponse{}, &sdk.RequestError{Code: -32000, Message: "Authentication required"}
	}
	category := sdk.SessionConfigOptionCategoryModel
	return sdk.NewSessionResponse{SessionId: "s", ConfigOptions: []sdk.SessionConfigOption{{Select: &sdk.SessionConfigOptionSelect{
		Id: "m", Name: "Model", Type: "select", Category: &category, CurrentValue: "small",
		Options: sdk.SessionConfigSelectOptions{Ungrouped: &sdk.SessionConfigSelectOptionsUngrouped{{Name: "Small", Value: "small"}}},
	}}}}, nil
}

// Prompt says yes, or what else it is told to.
func (a *scriptedAgent) Prompt(ctx context.Context, req sdk.PromptRequest) (sdk.PromptResponse, error) {
	update := func(u sdk.SessionUpdate) {
		_ = a.conn.SessionUpdate(ctx, sdk.SessionNotification{SessionId: req.SessionId, Update: u})
	}
	answer := "Yes, says an agent.\n```json\n{\"position\": \"It is worth it.\", \"choice\": \"yes\", \"confidence\": 0.8}\n```"
	switch {
	case strings.Contains(req.Prompt[0].Text.Text, "Answer with one JSON object that fits this schema"):
		answer = `{"level": 0.9, "clusters": []}`
	case a.does == "hangs":
		if f, err := os.Create(os.Getenv("AGENT_PIDS") + ".asked"); err == nil {
			_ = f.Close()
		}
		select {}
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

func (*scriptedAgent) Authenticate(context.Context, sdk.AuthenticateRequest) (r sdk.AuthenticateResponse, err error) {
	return r, errors.ErrUnsupported
}

func (*scriptedAgent) Cancel(context.Context, sdk.CancelNotification) error { return nil }

func (*scriptedAgent) CloseSession(context.Context, sdk.CloseSessionRequest) (r sdk.CloseSessionResponse, err error) {
	return r, errors.ErrUnsupported
}

func (*scriptedAgent) ListSessions(context.Context, sdk.ListSessionsRequest) (r sdk.ListSessionsResponse, err error) {
	return r, errors.ErrUnsupported
}

func (*scriptedAgent) ResumeSession(context.Context, sdk.ResumeSessionRequest) (r sdk.ResumeSessionResponse, err error) {
	return r, errors.ErrUnsupported
}

func (*scriptedAgent) SetSessionConfigOption(
	context.Context, sdk.SetSessionConfigOptionRequest,
) (sdk.SetSessionConfigOptionResponse, error) {
	return sdk.SetSessionConfigOptionResponse{ConfigOptions: []sdk.SessionConfigOption{}}, nil
}

func (*scriptedAgent) SetSessionMode(context.Context, sdk.SetSessionModeRequest) (r sdk.SetSessionModeResponse, err error) {
	return r, errors.ErrUnsupported
}
