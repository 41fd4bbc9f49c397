package acp

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
)

// toolServer is the MCP servers of all turns, at one address. The secret that comes with a
// request says which turn it belongs to. It is started when it is first needed.
type toolServer struct {
	mu      sync.Mutex
	turns   map[string]*turnTools // by secret
	address string                // "" until it runs
	http    *http.Server
	serving sync.WaitGroup
}

// serverName is the name of our server, which agents put before the names of its tools. It
// differs from the name under which users add Roundtable to their agents.
const serverName = "roundtable_seat"

type turnTools struct {
	server *mcp.Server
	secret string
	life   context.Context // of the turn

	mu      sync.Mutex
	ended   bool
	calls   sync.WaitGroup
	counted map[string]int // calls, by the name of the tool
	taken   chan struct{}  // closed when the agent has listed or called the tools
}

type callFunc func(ctx context.Context, call agents.ToolCall) agents.ToolResult

// open makes the tools of a turn reachable until close is called.
func (s *toolServer) open(life context.Context, version string, specs []agents.ToolSpec, call callFunc) *turnTools {
	t := &turnTools{secret: rand.Text(), life: life, counted: map[string]int{}, taken: make(chan struct{})}
	t.server = mcp.NewServer(&mcp.Implementation{Name: serverName, Version: version}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	t.server.AddReceivingMiddleware(t.noteTaken)
	for _, spec := range specs {
		tool := &mcp.Tool{
			Name: spec.Name, Description: spec.Description, InputSchema: spec.Schema,
			Meta: mcp.Meta{"anthropic/alwaysLoad": true}, // else Claude Code has its model search for the tool first
		}
		t.server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r := t.run(ctx, call, agents.ToolCall{Name: spec.Name, Args: string(req.Params.Arguments)})
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Text}}, IsError: r.Status != agents.ToolOK}, nil
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turns == nil {
		s.turns = map[string]*turnTools{}
	}
	s.turns[t.secret] = t
	return t
}

// noteTaken notes that the agent has taken the tools: it listed them, or called one as an
// agent does that knows them from an earlier session.
func (t *turnTools) noteTaken(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		t.mu.Lock()
		if (method == "tools/list" || method == "tools/call") && !t.areTaken() {
			close(t.taken)
		}
		t.mu.Unlock()
		return next(ctx, method, req)
	}
}

func (t *turnTools) areTaken() bool {
	select {
	case <-t.taken:
		return true
	default:
		return false
	}
}

func (s *toolServer) end(t *turnTools) {
	s.mu.Lock()
	delete(s.turns, t.secret)
	s.mu.Unlock()
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	t.calls.Wait()
}

func (t *turnTools) run(ctx context.Context, call callFunc, c agents.ToolCall) agents.ToolResult {
	t.mu.Lock()
	if t.ended {
		t.mu.Unlock()
		return agents.ToolResult{Status: agents.ToolError, Text: "The turn has ended. The call was not run."}
	}
	t.calls.Add(1)
	t.counted[c.Name]++
	t.mu.Unlock()
	defer t.calls.Done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(t.life, func() { cancel(context.Cause(t.life)) })()
	return call(ctx, c)
}

func (t *turnTools) count(tool string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counted[tool]
}

func (s *toolServer) turn(secret string) *turnTools {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turns[secret]
}

func (s *toolServer) mcpServer(t *turnTools) (sdk.McpServer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.listen(); err != nil {
		return sdk.McpServer{}, err
	}
	return sdk.McpServer{Http: &sdk.McpServerHttpInline{
		Type: "http", Name: serverName, Url: s.address,
		Headers: []sdk.HttpHeader{{Name: "Authorization", Value: "Bearer " + t.secret}},
	}}, nil
}

func (s *toolServer) listen() error {
	if s.address != "" {
		return nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	requested := func(r *http.Request) *turnTools {
		secret, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		return s.turn(secret)
	}
	handler := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		if t := requested(r); t != nil {
			return t.server
		}
		return nil
	}, &mcp.StreamableHTTPOptions{Stateless: true})
	s.http = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requested(r) == nil {
			http.Error(w, "the turn has ended, or this is no secret of one", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	})}
	s.address = "http://" + l.Addr().String() + "/mcp"
	s.serving.Go(func() { _ = s.http.Serve(l) }) // it ends when it is closed
	return nil
}

func (s *toolServer) close() error {
	s.mu.Lock()
	server := s.http
	s.mu.Unlock()
	var err error
	if server != nil {
		err = server.Close()
	}
	s.serving.Wait()
	return err
}
