package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

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

// fitArguments has the arguments of a call fitted to its tool before the SDK checks them.
func (s *Server) fitArguments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && s.tools[call.Params.Name] != nil {
			given, err := json.Marshal(fit(s.tools[call.Params.Name], cmp.Or(read(string(call.Params.Arguments)), any(map[string]any{}))))
			if err != nil {
				return nil, err
			}
			call.Params.Arguments = given
		}
		return next(ctx, method, req)
	}
}

// explain returns the text of an error of a tool, with the tool to call next.
func (s *Server) explain(call *mcp.CallToolRequest, err error) string {
	message := brief(err.Error())
	if wrong, ok := strings.CutPrefix(message, `validating "arguments": validating root: `); ok { // the SDK's
		message = strings.ReplaceAll(wrong, "/properties/", "")
		if all := []rune(message); len(all) > 2*maxWord { // it repeats a value, whatever its length
			message = string(all[:maxWord]) + "…" + string(all[len(all)-maxWord:])
		}
	}
	if errors.Is(err, debate.ErrNoSession) {
		return "sessionId: " + message + "\nlist_sessions lists the debates."
	}
	for tool := range s.tools {
		if strings.Contains(message, tool) {
			return message
		}
	}
	return fmt.Sprintf("%s\nCall %s again once that is put right.", message, call.Params.Name)
}

// brief cuts each word of a message after maxWord characters.
func brief(message string) string {
	return regexp.MustCompile(fmt.Sprintf(`(\S{%d})\S+`, maxWord)).ReplaceAllString(message, "${1}…")
}
