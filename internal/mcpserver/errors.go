package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate"
)

// maxWord is how much of a name or a value an error repeats, in characters.
const maxWord = 200

// maxData is the size of the longest data of an error that is passed on, in bytes.
const maxData = 1000

// briefErrors cuts names and values in the errors of the SDK and of tools, which repeat what
// the client sent. Those of tools say which tool to call next.
func (s *Server) briefErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		var answered *jsonrpc.Error
		if errors.As(err, &answered) {
			short := *answered
			short.Message = brief(short.Message)
			if len(short.Data) > maxData {
				short.Data = nil
			}
			return res, &short
		}
		call, isCall := req.(*mcp.CallToolRequest)
		if r, ok := res.(*mcp.CallToolResult); ok && isCall && r != nil && r.IsError && r.GetError() != nil {
			r.Content = []mcp.Content{&mcp.TextContent{Text: s.explain(call, r.GetError())}}
		}
		if err != nil {
			return res, errors.New(brief(err.Error()))
		}
		return res, nil
	}
}

// explain returns the text of an error of a tool, with the tool to call next.
func (s *Server) explain(call *mcp.CallToolRequest, err error) string {
	message := err.Error()
	for _, value := range longValues(call.Params.Arguments) {
		short := string([]rune(value)[:maxWord]) + "…"
		message = strings.ReplaceAll(message, value, short)
		message = strings.ReplaceAll(message, strings.Trim(fmt.Sprintf("%q", value), `"`), short)
	}
	message = brief(strings.TrimPrefix(message, "validating \"arguments\": validating root: "))
	if strings.HasPrefix(err.Error(), "validating ") { // a value may be a list
		if runes := []rune(message); len(runes) > 5*maxWord {
			message = string(runes[:5*maxWord]) + "…"
		}
	}
	switch names := func(tool string) bool { return strings.Contains(message, tool) }; {
	case errors.Is(err, debate.ErrNoSession), errors.Is(err, debate.ErrAmbiguous):
		return "sessionId: " + message + "\nlist_sessions lists the debates."
	case slices.ContainsFunc(s.tools, names):
		return message
	}
	return fmt.Sprintf("%s\nCall %s again once that is put right.", message, call.Params.Name)
}

// longValues lists the texts among arguments that are longer than an error repeats.
func longValues(arguments json.RawMessage) []string {
	var root any
	if json.Unmarshal(arguments, &root) != nil {
		return nil
	}
	var long []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if len([]rune(v)) > maxWord {
				long = append(long, v)
			}
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	walk(root)
	return long
}

// brief cuts the words of a message that are too long.
func brief(message string) string {
	var b strings.Builder
	length := 0 // of the word so far
	for _, r := range message {
		if length++; unicode.IsSpace(r) {
			length = 0
		}
		switch {
		case length <= maxWord:
			b.WriteRune(r)
		case length == maxWord+1:
			b.WriteRune('…')
		}
	}
	return b.String()
}
