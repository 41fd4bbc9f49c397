package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/internal/text"
)

// tool is a tool of a server.
type tool struct {
	server *server
	entry  *entry
}

// Spec describes the tool.
func (t tool) Spec() agents.ToolSpec { return t.entry.spec }

// Run calls the tool on its server. The server learns nothing of who calls it.
func (t tool) Run(ctx context.Context, tc tools.Context, args json.RawMessage) (tools.Output, error) {
	res, err := t.server.call(ctx, t.entry.Tool, args)
	refused := answerOf(err)
	switch {
	case refused != nil:
		return t.failed(tc, refused.Message)
	case err != nil:
		return tools.Output{}, err
	case len(res.InputRequests) > 0:
		return tools.Output{}, fmt.Errorf("the MCP server %s asks the user for input, which is not possible here", t.server.name)
	case res.IsError:
		return t.failed(tc, contentOf(res))
	}
	content := t.clean(contentOf(res))
	if content == "" {
		return tools.Output{Text: fmt.Sprintf("%s returned nothing.", t.entry.Name), Summary: "nothing"}, nil
	}
	return tools.Output{
		Text:    tc.Foreign(fmt.Sprintf("result of %s of the MCP server %s", t.entry.Name, t.server.name), content),
		Summary: summarize(content),
	}, nil
}

var errRefused = errors.New("the server answered with an error")

// failed returns an error of the server.
func (t tool) failed(tc tools.Context, content string) (tools.Output, error) {
	content = t.clean(content)
	if content == "" {
		content = "(no reason given)"
	}
	return tools.Output{
		Text: fmt.Sprintf("%s failed. ", t.entry.Name) +
			"What the server says:\n" + tc.Foreign("error of the MCP server "+t.server.name, content),
		Summary: summarize(content),
	}, errRefused
}

// clean makes a server's text safe, without the secrets that the server was given.
func (t tool) clean(s string) string { return strings.TrimSpace(t.server.mask(text.Sanitize(s))) }

func summarize(content string) string { return text.Clip(text.Line(content), 100) }

// contentOf returns a result as text. Structured content is left out if the text has it
// already. Images and sounds are named.
func contentOf(res *sdk.CallToolResult) string {
	var parts []string
	for _, c := range res.Content {
		parts = append(parts, describe(c))
	}
	if said := strings.Join(parts, "\n"); res.StructuredContent != nil && !repeats(res.StructuredContent, said) {
		structured, err := encode(res.StructuredContent, "")
		if err == nil && !hasJSON(res.Content, string(structured)) {
			parts = append(parts, string(structured))
		}
	}
	return strings.Join(parts, "\n\n")
}

// repeats reports whether structured content has no value but texts that were said.
func repeats(v any, said string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(said, strings.TrimSpace(v))
	case map[string]any:
		for _, value := range v {
			if !repeats(value, said) {
				return false
			}
		}
		return true
	case []any:
		for _, value := range v {
			if !repeats(value, said) {
				return false
			}
		}
		return true
	}
	return false
}

// hasJSON reports whether a text among the content is the JSON.
func hasJSON(content []sdk.Content, structured string) bool {
	for _, c := range content {
		written, ok := c.(*sdk.TextContent)
		var value any
		if !ok || json.Unmarshal([]byte(written.Text), &value) != nil {
			continue
		}
		if same, err := encode(value, ""); err == nil && string(same) == structured {
			return true
		}
	}
	return false
}

// describe returns a piece of content as text.
func describe(c sdk.Content) string {
	switch c := c.(type) {
	case *sdk.TextContent:
		return c.Text
	case *sdk.ImageContent:
		return fmt.Sprintf("[an image, %s, %d bytes: not passed on]", c.MIMEType, len(c.Data))
	case *sdk.AudioContent:
		return fmt.Sprintf("[a sound, %s, %d bytes: not passed on]", c.MIMEType, len(c.Data))
	case *sdk.ResourceLink:
		return strings.TrimSpace(fmt.Sprintf("[a resource: %s %s] %s", c.Name, c.URI, c.Description))
	case *sdk.EmbeddedResource:
		switch r := c.Resource; {
		case r == nil:
			return "[an empty resource]"
		case r.Text != "":
			return fmt.Sprintf("[the resource %s]\n%s", r.URI, r.Text)
		default:
			return fmt.Sprintf("[the resource %s, %s, %d bytes: not passed on]", r.URI, r.MIMEType, len(r.Blob))
		}
	default:
		return "[content of an unknown kind: not passed on]"
	}
}
