package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

// serving is where a script finds the client of its MCP server.
type serving struct{}

// assistant is a client of a script.
type assistant struct{ *mcp.ClientSession }

// startMCP starts `roundtable mcp` in the folder of the script, for a client named test.
func startMCP(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command("roundtable", append([]string{"mcp"}, args...)...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"PATH=" + ts.Getenv("PATH")}
	for name, value := range homeEnv(ts.Getenv("HOME")) {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	if root := ts.Getenv("CLIENT_ROOT"); root != "" {
		//lint:ignore SA1019 clients name their folders as roots for as long as the protocol has them
		client.AddRoots(&mcp.Root{URI: "file://" + root})
	}
	version := &mcp.ClientSessionOptions{ProtocolVersion: ts.Getenv("CLIENT_VERSION")}
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, version)
	ts.Check(err)
	ts.Defer(func() { _ = session.Close() })
	ts.Value(serving{}).(*assistant).ClientSession = session
}

// call calls a tool with arguments as NAME=VALUE, of which a value that is JSON is taken as
// such, and prints the result or the error.
func call(ts *testscript.TestScript, neg bool, args []string) {
	given := map[string]any{}
	for _, arg := range args[1:] {
		name, text, _ := strings.Cut(arg, "=")
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			value = text
		}
		given[name] = value
	}
	params := &mcp.CallToolParams{Name: args[0], Arguments: given}
	res, err := ts.Value(serving{}).(*assistant).CallTool(context.Background(), params)
	ts.Check(err)
	said := res.Content[0].(*mcp.TextContent).Text
	fmt.Fprintln(ts.Stdout(), said)
	if res.IsError != neg {
		ts.Fatalf("refused: %v: %s", res.IsError, said)
	}
}
