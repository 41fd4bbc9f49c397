package acp

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
)

// toolServer is the MCP servers of all turns, at one address. The secret that comes with a
// request says which turn it belongs to. It is started when it is first needed.
type toolServer struct {
	mu      sync.Mutex
	turns   map[string]*mcp.Server // by secret
	http    *http.Server           // nil until it runs
	address string
	serving sync.WaitGroup
}

// serverName is the name of our server, which agents put before the names of its tools. It
// differs from the name under which users add Roundtable to their agents.
const serverName = "roundtable_seat"

type turnTools struct {
	secret  string
	address sdk.McpServer // with the secret
	taken   chan struct{} // closed when the agent has listed the tools in time, or called one
	spoken  atomic.Bool   // the agent's model was asked: it is not offered what is listed now
}

// open makes the tools of a turn reachable until end is called.
func (s *toolServer) open(t *turn, version string) (*turnTools, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.listen(); err != nil {
		return nil, err
	}
	tools := &turnTools{secret: rand.Text(), taken: make(chan struct{})}
	tools.address.Http = &sdk.McpServerHttpInline{
		Type: "http", Name: serverName, Url: s.address,
		Headers: []sdk.HttpHeader{{Name: "Authorization", Value: "Bearer " + tools.secret}},
	}
	server := mcp.NewServer(&mcp.Implementation{Name: serverName, Version: version}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	server.AddReceivingMiddleware(tools.noteTaken)
	for _, spec := range t.specs {
		tool := &mcp.Tool{
			Name: spec.Name, Description: spec.Description, InputSchema: spec.Schema,
			Meta: mcp.Meta{"anthropic/alwaysLoad": true}, // else Claude Code has its model search for the tool first
		}
		server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r := t.call(ctx, agents.ToolCall{Name: spec.Name, Args: string(req.Params.Arguments)})
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Text}}, IsError: r.Status != agents.ToolOK}, nil
		})
	}
	s.turns[tools.secret] = server
	return tools, nil
}

// noteTaken notes that the agent has taken the tools: it listed them before its model was asked, or
// called one as an agent does that knows them from an earlier session.
func (t *turnTools) noteTaken(next mcp.MethodHandler) mcp.MethodHandler {
	note := sync.OnceFunc(func() { close(t.taken) })
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == "tools/list" && !t.spoken.Load() || method == "tools/call" {
			note()
		}
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

// call runs one of our tools.
func (t *turn) call(ctx context.Context, c agents.ToolCall) agents.ToolResult {
	leave := t.enter()
	if leave == nil {
		return agents.ToolResult{Status: agents.ToolError, Text: "The turn has ended. The call was not run."}
	}
	defer leave()
	ctx, cancel := within(ctx, t.life)
	defer cancel(nil)
	t.calls.mu.Lock()
	t.calls.recorded[c.Name]++
	t.calls.mu.Unlock()
	c.Args = t.agent.seat.provider.mask.Mask(c.Args)
	return t.kit.Execute(ctx, t.id, "", c)
}

func (s *toolServer) end(t *turnTools) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.turns, t.secret)
}

// listen starts the server unless it runs; s.mu is held.
func (s *toolServer) listen() error {
	if s.http != nil {
		return nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.turns = map[string]*mcp.Server{}
	s.address = "http://" + l.Addr().String() + "/mcp"
	s.http = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		secret, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.turns[secret] // nil, which is refused, if the turn has ended or it is no secret of one
	}, &mcp.StreamableHTTPOptions{Stateless: true})}
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
