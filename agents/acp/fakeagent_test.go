//go:build unix

package acp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMain runs the tests, or this program as what a test starts: an agent, or a program with an
// agent that is going to be killed.
func TestMain(m *testing.M) {
	if kind, ok := os.LookupEnv("FAKE_AGENT"); ok && (len(os.Args) == 1 || os.Args[1] == "--trust") {
		fakeAgent(kind)
		return
	}
	switch strings.Join(os.Args[1:], " ") {
	case "host":
		host()
	default:
		os.Exit(m.Run())
	}
}

// fakeAgent speaks the protocol on its standard input and output. Its kind says how it
// starts; what it does in a turn stands in the prompt, a line for each thing.
func fakeAgent(kind string) {
	if path := os.Getenv("PIDS"); path != "" {
		notePID(path, os.Getpid())
	}
	if fault, ok := strings.CutPrefix(kind, "at first "); ok {
		if kind = ""; isFirst() {
			kind = fault
		}
	}
	switch kind {
	case "garbles":
		fmt.Println(`{"jsonrpc":`)
	case "starts alone": // it prepares a file, as Codex does its database
		path := filepath.Join(os.Getenv("HOME"), "preparing")
		if err := os.Mkdir(path, 0o700); err != nil {
			os.Exit(4)
		}
	case "dies":
		fmt.Fprintln(os.Stderr, "first line\n\x1b[31mno settings\x1b[0m\nI give up")
		os.Exit(3)
	case "mute":
		select {}
	case "wire":
		runWireAgent()
		return
	case "stubborn", "parent":
		ignoreTermination()
		if kind == "parent" {
			child := exec.Command("sleep", "600")
			if child.Start() == nil {
				notePID(os.Getenv("PIDS"), child.Process.Pid)
			}
		}
	case "leaving": // a child in a session of its own without our variables, and an orphan
		child := exec.Command("sleep", "600")
		child.Env, child.SysProcAttr = []string{}, &syscall.SysProcAttr{Setsid: true}
		if child.Start() == nil {
			notePID(os.Getenv("PIDS"), child.Process.Pid)
		}
		parent := exec.Command("sh", "-c", `sleep 600 & echo $! >> "$PIDS"`)
		parent.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		_ = parent.Run() // the test finds that there is no orphan
	case "talkative":
		fmt.Println("Welcome to the agent!")
	}
	a := &fake{kind: kind, cancelled: make(chan struct{}, 1), servers: map[sdk.SessionId][]sdk.McpServer{}}
	stdin, begin := io.Pipe() // so that conn is set before anything is read
	a.conn = sdk.NewAgentSideConnection(a, os.Stdout, stdin)
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	go func() {
		_, err := io.Copy(begin, os.Stdin)
		begin.CloseWithError(err)
	}()
	<-a.conn.Done()
	if kind == "stubborn" || kind == "parent" {
		select {}
	}
}

// isFirst reports whether no program was noted before this one.
func isFirst() bool {
	raw, err := os.ReadFile(os.Getenv("PIDS"))
	return err == nil && strings.Count(string(raw), "\n") == 1
}

func notePID(path string, pid int) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintln(f, pid)
		f.Close()
	}
}

type fake struct {
	sdk.Agent // what it does not do is never asked for
	kind      string
	conn      *sdk.AgentSideConnection
	cancelled chan struct{}
	mu        sync.Mutex
	sessions  int
	model     string
	mode      string
	dir       string
	mute      bool // the outcome of a request is not said
	listed    int  // how often it has taken our tools
	servers   map[sdk.SessionId][]sdk.McpServer
}

func (a *fake) Initialize(_ context.Context, req sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	if req.ClientCapabilities.Terminal || req.ClientCapabilities.Fs.WriteTextFile || !req.ClientCapabilities.Fs.ReadTextFile {
		return sdk.InitializeResponse{}, errors.New("offers what it does not have")
	}
	if a.kind == "starts alone" {
		path := filepath.Join(os.Getenv("HOME"), "preparing")
		for range 200 { // long enough that another one is met
			if _, err := os.ReadDir(os.Getenv("HOME")); err != nil {
				return sdk.InitializeResponse{}, err
			}
		}
		if err := os.Remove(path); err != nil {
			return sdk.InitializeResponse{}, err
		}
	}
	if a.kind == "slow" { // it waits for the test
		if _, err := os.ReadFile(os.Getenv("GATE")); err != nil {
			return sdk.InitializeResponse{}, err
		}
	}
	r := sdk.InitializeResponse{ProtocolVersion: sdk.ProtocolVersionNumber, AgentInfo: &sdk.Implementation{Name: "fake", Version: "1.2"}}
	r.AgentCapabilities.McpCapabilities.Http = a.kind != "without http"
	r.AgentCapabilities.SessionCapabilities.Close = &sdk.SessionCloseCapabilities{}
	switch a.kind {
	case "newer":
		r.ProtocolVersion = 2
	case "signed out":
		r.AuthMethods = []sdk.AuthMethod{{Agent: &sdk.AuthMethodAgent{Id: "x", Name: "Log in with \x1b[1mFake\x1b[0m"}}}
	}
	return r, nil
}

func (a *fake) NewSession(_ context.Context, req sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	if a.kind == "leaves at its session" {
		os.Exit(5)
	}
	if refusal, ok := map[string]*sdk.RequestError{
		"signed out":            {Code: -32000, Message: "Authentication required", Data: map[string]any{"details": "token\nexpired"}},
		"has a locked database": {Code: -32603, Message: "Internal error", Data: "database is locked"},
		"names a key":           {Code: -32000, Message: "Set FAKE_API_KEY or sign in."},
		"lists ways":            {Code: -32000, Message: "Use Fake to sign in first.", Data: map[string]any{"authMethods": []any{1}}},
	}[a.kind]; ok {
		return sdk.NewSessionResponse{}, refusal
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sessions++
	a.model, a.dir = "small", req.Cwd
	id := sdk.SessionId(fmt.Sprintf("s%d", a.sessions))
	a.servers[id] = req.McpServers
	r := sdk.NewSessionResponse{SessionId: id}
	category := sdk.SessionConfigOptionCategoryModel
	options := sdk.SessionConfigSelectOptionsUngrouped{{Name: "Small", Value: "small"}, {Name: "Large", Value: "large"}}
	if a.kind == "modes" || a.kind == "no mode" {
		r.Modes = &sdk.SessionModeState{CurrentModeId: "free", AvailableModes: []sdk.SessionMode{{Id: "free", Name: "Free"}}}
	}
	if a.kind == "modes" {
		r.Modes.AvailableModes = append(r.Modes.AvailableModes, sdk.SessionMode{Id: "careful", Name: "Careful"})
	}
	a.mode = "free"
	if len(req.McpServers) > 0 && !strings.HasPrefix(a.kind, "lists late") {
		go a.list(req.McpServers[0])
	}
	if a.kind != "no models" {
		r.ConfigOptions = []sdk.SessionConfigOption{{Select: &sdk.SessionConfigOptionSelect{
			Id: "m", Name: "Model", Type: "select", Category: &category, CurrentValue: "small",
			Options: sdk.SessionConfigSelectOptions{Ungrouped: &options},
		}}}
	}
	return r, nil
}

// list takes our tools, as most agents do when a session starts. One that lists at a gate
// waits for the test.
func (a *fake) list(server sdk.McpServer) {
	switch a.kind {
	case "lists at a gate":
		_, _ = os.ReadFile(os.Getenv("GATE"))
	case "leaves at our tools":
		os.Exit(6)
	}
	session, err := connect(context.Background(), server)
	if err != nil {
		return
	}
	defer session.Close()
	a.mu.Lock()
	a.listed++
	a.mu.Unlock()
	_, _ = session.ListTools(context.Background(), nil) // the test finds out
}

func (a *fake) SetSessionConfigOption(
	_ context.Context, req sdk.SetSessionConfigOptionRequest,
) (sdk.SetSessionConfigOptionResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.model = string(req.ValueId.Value)
	return sdk.SetSessionConfigOptionResponse{ConfigOptions: []sdk.SessionConfigOption{}}, nil
}

func (a *fake) Cancel(context.Context, sdk.CancelNotification) error {
	a.cancelled <- struct{}{}
	return nil
}

// Prompt does what the lines of the prompt say.
func (a *fake) Prompt(ctx context.Context, req sdk.PromptRequest) (sdk.PromptResponse, error) {
	r := sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn}
	a.mute = strings.Contains(req.Prompt[0].Text.Text, "\nmute\n")
	for line := range strings.Lines(req.Prompt[0].Text.Text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		var err error
		switch word {
		case "stop":
			r.StopReason = sdk.StopReason(rest)
		case "usage":
			r.Usage = &sdk.Usage{}
			err = json.Unmarshal([]byte(rest), r.Usage)
		case "fail":
			err = &sdk.RequestError{Code: -32603, Message: "Internal error", Data: map[string]any{"details": rest}}
		case "", "mute", "Commands": // "mute" has the answers to requests not said
		default:
			err = a.do(ctx, req.SessionId, word, rest)
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

func (a *fake) do(ctx context.Context, id sdk.SessionId, word, rest string) error {
	update := func(u sdk.SessionUpdate) error {
		return a.conn.SessionUpdate(ctx, sdk.SessionNotification{SessionId: id, Update: u})
	}
	say := func(format string, args ...any) error {
		return update(sdk.UpdateAgentMessageText(fmt.Sprintf(format, args...)))
	}
	switch word {
	case "say":
		return say("%s", rest)
	case "message": // with an id
		u := sdk.UpdateAgentMessageText("")
		message, words, _ := strings.Cut(rest, " ")
		u.AgentMessageChunk.MessageId, u.AgentMessageChunk.Content = &message, sdk.TextBlock(strings.ReplaceAll(words, `\n`, "\n"))
		return update(u)
	case "think":
		return update(sdk.UpdateAgentThoughtText(rest))
	case "own":
		u := &sdk.SessionToolCallUpdate{}
		if err := json.Unmarshal([]byte(rest), u); err != nil {
			return err
		}
		return update(sdk.SessionUpdate{ToolCallUpdate: u})
	case "ask":
		return a.askPermission(ctx, id, rest, say)
	case "read":
		r, err := a.conn.ReadTextFile(ctx, sdk.ReadTextFileRequest{SessionId: id, Path: strings.ReplaceAll(rest, "DIR", a.dir)})
		if err != nil {
			return say("(%s)", strings.ReplaceAll(err.Error(), a.dir, "DIR"))
		}
		return say("(%s)", r.Content)
	case "write":
		_, err := a.conn.WriteTextFile(ctx, sdk.WriteTextFileRequest{SessionId: id, Path: rest, Content: "x"})
		return say("(%v)", err != nil)
	case "call", "late", "list":
		// The answer to a request shows that all that was said before it was taken.
		if err := update(sdk.UpdatePlan()); err != nil {
			return err
		}
		if _, err := a.conn.ReadTextFile(ctx, sdk.ReadTextFileRequest{SessionId: id, Path: "none"}); err == nil {
			return errors.New("there is a file")
		}
		if word == "list" {
			a.list(a.servers[id][0])
			return nil
		}
		return a.call(ctx, id, word == "late", rest, say)
	case "listed":
		a.mu.Lock()
		defer a.mu.Unlock()
		return say("(%d)", a.listed)
	case "key":
		return say("It is %s. ", os.Getenv("FAKE_API_KEY"))
	case "letters":
		for _, letter := range os.Getenv("FAKE_API_KEY") {
			if err := say("%c", letter); err != nil {
				return err
			}
		}
		return nil
	case "args":
		return say("(%s)", strings.Join(os.Args[1:], " "))
	case "mode":
		return say("(%s)", a.mode)
	case "state":
		entries, err := os.ReadDir(a.dir)
		return say("(%s, model %s, %d entries, %v, HOME %q)", id, a.model, len(entries), err, os.Getenv("HOME"))
	}
	return a.misbehave(ctx, word, rest, say)
}

// misbehave does what no agent should.
func (a *fake) misbehave(ctx context.Context, word, rest string, say func(string, ...any) error) error {
	switch word {
	case "die":
		fmt.Fprintln(os.Stderr, "out of luck", rest)
		os.Exit(4)
	case "garbage":
		fmt.Println(`{"jsonrpc":"2.0","method":`)
	case "long":
		fmt.Println(`{"jsonrpc":"2.0","method":"` + strings.Repeat("x", 9<<20))
	case "half":
		fmt.Print(`{"jsonrpc":"2.0","method":"session/update","par`)
		os.Exit(0)
	case "flood":
		piece := strings.Repeat("word ", 20_000)
		for range 110 {
			if err := say("%s", piece); err != nil {
				return err
			}
		}
	case "hang":
		if rest == "politely" {
			<-a.cancelled
			return nil
		}
		select {}
	default:
		return fmt.Errorf("the prompt has %q", word)
	}
	<-ctx.Done()
	return ctx.Err()
}

// askPermission asks for a call, given as JSON, and says which option was selected.
func (a *fake) askPermission(ctx context.Context, id sdk.SessionId, call string, say func(string, ...any) error) error {
	req := sdk.RequestPermissionRequest{SessionId: id, Options: []sdk.PermissionOption{
		{Kind: sdk.PermissionOptionKindAllowAlways, Name: "Always", OptionId: "always"},
		{Kind: sdk.PermissionOptionKindAllowOnce, Name: "Once", OptionId: "once"},
		{Kind: sdk.PermissionOptionKindRejectOnce, Name: "No", OptionId: "no"},
	}}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(call, "DIR", a.dir)), &req.ToolCall); err != nil {
		return err
	}
	if a.kind == "qwen" {
		req.Options[0].Name = "Always Allow in project: request_context"
	}
	r, err := a.conn.RequestPermission(ctx, req)
	if err != nil || a.mute {
		return err
	}
	if r.Outcome.Selected == nil {
		return say("(cancelled)")
	}
	return say("(%s)", r.Outcome.Selected.OptionId)
}

// call calls one of our tools as an MCP client would, and says its result. A late one is
// called with the secret of the session before.
func (a *fake) call(ctx context.Context, id sdk.SessionId, late bool, rest string, say func(string, ...any) error) error {
	if late {
		id = sdk.SessionId(fmt.Sprintf("s%d", a.sessions-1))
	}
	name, args, _ := strings.Cut(rest, " ")
	session, err := connect(ctx, a.servers[id][0])
	if err != nil {
		return say("(refused: %v)", strings.Contains(err.Error(), "Bad Request") || strings.Contains(err.Error(), "EOF"))
	}
	defer session.Close()
	r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	if err != nil {
		return say("(%v)", err)
	}
	return say("(%s %v)", r.Content[0].(*mcp.TextContent).Text, r.IsError)
}

func connect(ctx context.Context, s sdk.McpServer) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "fake"}, nil)
	return client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: s.Http.Url, HTTPClient: &http.Client{Transport: withHeaders(s.Http.Headers)}, DisableStandaloneSSE: true,
	}, nil)
}

type withHeaders []sdk.HttpHeader

func (h withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for _, header := range h {
		r.Header.Set(header.Name, header.Value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (*fake) CloseSession(context.Context, sdk.CloseSessionRequest) (r sdk.CloseSessionResponse, err error) {
	return r, nil
}

func (a *fake) SetSessionMode(_ context.Context, req sdk.SetSessionModeRequest) (r sdk.SetSessionModeResponse, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mode = string(req.ModeId)
	return r, nil
}
