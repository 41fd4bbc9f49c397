package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
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
	if strings.HasPrefix(err.Error(), `validating "arguments": `) { // the SDK's, which names one of them
		err = cmp.Or(wrongArguments(s.tools[call.Params.Name], call.Params.Arguments), err)
	}
	message := brief(err.Error())
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

// wrongArguments returns what is wrong with the arguments of a call, each in a line.
func wrongArguments(tool *jsonschema.Schema, call json.RawMessage) error {
	var given map[string]any
	wrong := []error{json.Unmarshal(call, &given)}
	check := func(s jsonschema.Schema) {
		resolved, err := s.Resolve(nil)
		if err == nil {
			err = resolved.Validate(given)
		}
		if err != nil {
			message := brief(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "validating root: "), "/properties/", ""))
			if all := []rune(message); len(all) > 2*maxWord { // it repeats a value, whatever its length
				message = string(all[:maxWord]) + "…" + string(all[len(all)-maxWord:])
			}
			wrong = append(wrong, errors.New(message))
		}
	}
	names := jsonschema.Schema{Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: tool.AdditionalProperties}
	for _, name := range tool.PropertyOrder {
		check(jsonschema.Schema{Properties: map[string]*jsonschema.Schema{name: tool.Properties[name]}})
		names.Properties[name] = &jsonschema.Schema{}
	}
	check(names)
	check(jsonschema.Schema{Required: tool.Required})
	return errors.Join(wrong...)
}

// brief cuts each word of a message after maxWord characters.
func brief(message string) string {
	return regexp.MustCompile(fmt.Sprintf(`(\S{%d})\S+`, maxWord)).ReplaceAllString(message, "${1}…")
}
