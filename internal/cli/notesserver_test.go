package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"roundtable/internal/testing/processtest"
)

// notesServer is an MCP server with two tools. NOTES describes them, or makes the server
// end at once ("exits") or in a call ("dies"), or hang ("hangs") or flood its output
// ("floods") in a call.
func notesServer() {
	notes := os.Getenv("NOTES")
	if f, err := os.OpenFile(os.Getenv("NOTES_PIDS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintln(f, os.Getpid())
		_ = f.Close()
	}
	if notes == "exits" {
		fmt.Fprintln(os.Stderr, "no notes here")
		os.Exit(4)
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "notes", Version: "1"}, nil)
	schema := json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)
	for _, name := range []string{"search", "write"} {
		s.AddTool(&sdk.Tool{Name: name, Description: notes, InputSchema: schema},
			func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				switch notes {
				case "dies":
					os.Exit(4)
				case "hangs":
					select {}
				case "floods":
					for {
						fmt.Println("x")
					}
				}
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "three notes\x1b[2J of " + os.Getenv("NOTES_KEY")}}}, nil
			})
	}
	if err := s.Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

// patience bounds the waits of scripts.
const patience = 30 * time.Second

// await waits until a file is there, and removes it.
func await(ts *testscript.TestScript, _ bool, args []string) {
	for until := time.Now().Add(patience); os.Remove(ts.MkAbs(args[0])) != nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			ts.Fatalf("there is no %s", args[0])
		}
	}
}

// gone wants that the processes that a file lists end within a moment.
func gone(ts *testscript.TestScript, _ bool, args []string) {
	all := strings.Fields(ts.ReadFile(args[0]))
	if len(all) == 0 {
		ts.Fatalf("no process is listed")
	}
	for _, field := range all {
		pid, err := strconv.Atoi(field)
		ts.Check(err)
		for until := time.Now().Add(patience); processtest.Runs(pid); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(until) {
				ts.Fatalf("process %d is still there", pid)
			}
		}
	}
}
