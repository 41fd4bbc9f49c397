package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
	"roundtable/agents/tools/mcp"
)

// echoServer is the SDK's own server with the tool echo, over streamable HTTP.
func echoServer(stateless bool) http.Handler {
	s := sdk.NewServer(&sdk.Implementation{Name: "echo", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)},
		func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			var in struct{ Text string }
			if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
				return nil, err
			}
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "you said " + in.Text}}}, nil
		})
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s },
		&sdk.StreamableHTTPOptions{Stateless: stateless, JSONResponse: stateless})
}

// over starts a server at an address, with a secret in a header and a timeout for calls.
func over(t *testing.T, timeout string, handler http.Handler) *mcp.Servers {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	headers := map[string]string{"Authorization": "AUTH"}
	config := mcp.Config{URL: srv.URL + "/mcp", HeadersEnv: headers, Allow: []string{"echo"}, Timeout: timeout}
	return start(t, map[string]mcp.Config{"far": config}, mcp.Options{Env: func(name string) (string, bool) {
		return "Bearer canary-1234567", name == "AUTH"
	}})
}

func TestHTTP_toolsAreCalled(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		server := echoServer(stateless)
		var mu sync.Mutex
		var without []string
		s := over(t, "", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer canary-1234567" {
				mu.Lock()
				without = append(without, r.Method)
				mu.Unlock()
			}
			server.ServeHTTP(w, r)
		}))
		all, notices := toolsOf(t, s)
		if names(all) != "far__echo" || notices != "" {
			t.Fatalf("stateless %v: offered %q with notices %q", stateless, names(all), notices)
		}
		if got := call(t, all, "far__echo", "hello"); got.Status != agents.ToolOK || got.Summary != "you said hello" {
			t.Errorf("stateless %v: %+v", stateless, got)
		}
		if err := s.Close(); err != nil || len(without) > 0 {
			t.Errorf("stateless %v: %v; without the header: %v", stateless, err, without)
		}
	}
}

func TestHTTP_whatGoesWrongIsSaid(t *testing.T) {
	var elsewhere []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		elsewhere = append(elsewhere, r.Header.Get("Authorization"))
	}))
	t.Cleanup(other.Close)
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}, "which is not followed"},
		{"unauthorized", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "Unauthorized; check the key"},
		{"echoes the key", func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "bad key "+r.Header.Get("Authorization"), http.StatusForbidden)
		}, "Forbidden; check the key that headers_env names"},
		{"another page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>Welcome\x1b[2J</html>"))
		}, "the server answers with a web page (200 OK), not as an MCP server does; check url"},
		{"endless", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for {
				if _, err := w.Write([]byte(strings.Repeat("[", 1<<20))); err != nil {
					return
				}
			}
		}, "more than 16 MB in one response"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, notices := toolsOf(t, over(t, "", c.answer))
			if len(all) > 0 {
				t.Errorf("offered %q", names(all))
			}
			contains(t, "notices", notices, "The MCP server far cannot be used: ", c.want)
			if strings.Contains(notices, "canary") || strings.Contains(notices, "\x1b") {
				t.Errorf("notices: %q", notices)
			}
		})
	}
	if len(elsewhere) > 0 {
		t.Errorf("the redirect was followed with %q", elsewhere)
	}
}

func TestHTTP_aServerThatGoesAwayCostsItsCalls(t *testing.T) {
	server, gone := echoServer(false), make(chan struct{})
	s := over(t, "", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gone:
			http.Error(w, "gone", http.StatusNotFound)
		default:
			server.ServeHTTP(w, r)
		}
	}))
	all, _ := toolsOf(t, s)
	close(gone)
	for range 3 {
		if got := call(t, all, "far__echo", "a"); got.Status != agents.ToolError {
			t.Errorf("result = %+v", got)
		}
	}
	contains(t, "last result", call(t, all, "far__echo", "a").Text, "the MCP server far is not available in this round")
}

func TestHTTP_aServerThatHangs(t *testing.T) {
	server, release := echoServer(true), make(chan struct{})
	s := over(t, "1s", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") == "tools/call" {
			<-release
		}
		server.ServeHTTP(w, r)
	}))
	all, _ := toolsOf(t, s)
	defer close(release)
	contains(t, "result", call(t, all, "far__echo", "a").Text, "the MCP server far did not answer within 1s")
}
