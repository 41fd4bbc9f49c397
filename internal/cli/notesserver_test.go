package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// notesServer is an MCP server with two tools. NOTES describes the first one, or makes the
// server end at once ("exits") or in a call ("dies").
func notesServer() {
	notes := os.Getenv("NOTES")
	if notes == "exits" {
		fmt.Fprintln(os.Stderr, "no notes here")
		os.Exit(4)
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "notes", Version: "1"}, nil)
	schema := json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)
	for _, name := range []string{"search", "write"} {
		s.AddTool(&sdk.Tool{Name: name, Description: notes, InputSchema: schema},
			func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				if notes == "dies" {
					os.Exit(4)
				}
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "three notes\x1b[2J of " + os.Getenv("NOTES_KEY")}}}, nil
			})
	}
	if err := s.Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}
