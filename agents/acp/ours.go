package acp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/agents"
)

// maxNamed bounds a title that is read for the name of a tool of ours, in bytes: some
// agents put all arguments of a call into it.
const maxNamed = 64 << 10

// titleForms are how agents title a call of a tool of an MCP server. Titles are compared
// whole.
func titleForms() []string {
	return []string{
		"%[1]s: %[2]s", "%[1]s/%[2]s", "%[1]s-%[2]s", "%[1]s_%[2]s", "mcp__%[1]s__%[2]s", "mcp.%[1]s.%[2]s",
		"%[2]s (%[1]s MCP Server)", "Tool: %[1]s/%[2]s",
	}
}

// name notes which of our tools the title of an update names. A title that tells nothing
// leaves what an earlier update of the call named; t.calls.mu is held.
func (t *turn) name(c *ownCall, n sdk.ToolCallUpdate) {
	if len(t.specs) == 0 || n.Title == nil || *n.Title == "" {
		return
	}
	title := *n.Title
	if len(title) > maxNamed {
		c.tool, c.written = "", ""
		return
	}
	for _, spec := range t.specs {
		for _, form := range titleForms() {
			named := fmt.Sprintf(form, serverName, spec.Name)
			if title == named {
				c.tool, c.written = spec.Name, ""
				return
			}
			if args, ok := strings.CutPrefix(title, named+": "); ok && strings.HasSuffix(named, "MCP Server)") {
				c.tool, c.written = spec.Name, args
				return
			}
		}
	}
	if title != c.tool && title != "Approve MCP tool call" { // those of Copilot and of Codex' older adapter
		c.tool, c.written, c.mine = "", "", false
	}
}

// nameByOptions notes which of our tools Qwen Code asks about: the title of its request is
// the arguments, and the tool is named by what it offers; t.calls.mu is held.
func (t *turn) nameByOptions(c *ownCall, req sdk.RequestPermissionRequest) {
	if c.tool != "" || c.kindOf() != sdk.ToolKindOther || req.ToolCall.Title == nil || len(*req.ToolCall.Title) > maxNamed {
		return
	}
	var titled any
	if json.Unmarshal([]byte(*req.ToolCall.Title), &titled) != nil || !hasContent(c.input) || !reflect.DeepEqual(titled, c.input) {
		return
	}
	for _, spec := range t.specs {
		for _, o := range req.Options {
			if o.Name == "Always Allow in project: "+spec.Name {
				c.tool = spec.Name
				return
			}
		}
	}
}

// ours returns the name of our tool that a call is of, "" if it is of another one. A name
// alone is not enough, since models choose the titles of some calls: the arguments have to
// be those of the tool, too.
func (t *turn) ours(c *ownCall) string {
	i := slices.IndexFunc(t.specs, func(s agents.ToolSpec) bool { return s.Name == c.tool })
	if i < 0 {
		return ""
	}
	args, wrapped, ok := c.arguments()
	if !ok || !wrapped && c.kindOf() != sdk.ToolKindOther || !fits(t.specs[i].Schema, args) {
		return ""
	}
	return c.tool
}

// arguments returns what the input says the arguments of a tool of ours are; wrapped if it
// names our server and the tool beside them.
func (c *ownCall) arguments() (args any, wrapped, ok bool) {
	if c.written != "" {
		if json.Unmarshal([]byte(c.written), &args) != nil || hasContent(c.input) && !reflect.DeepEqual(args, c.input) {
			return nil, false, false
		}
		return args, false, true
	}
	fields, isObject := c.input.(map[string]any)
	switch {
	case !hasContent(c.input): // Gemini CLI tells them as content only
		if len(c.content) != 1 || c.content[0].Content == nil || c.content[0].Content.Content.Text == nil {
			return nil, false, false
		}
		err := json.Unmarshal([]byte(c.content[0].Content.Content.Text.Text), &args)
		return args, false, err == nil
	case !isObject:
		return nil, false, false
	case fields["arguments"] != nil: // Codex
		return fields["arguments"], true, fields["server"] == serverName && fields["tool"] == c.tool && len(fields) == 3
	case fields["server_name"] != nil: // Codex through its older adapter
		request, _ := fields["request"].(map[string]any)
		meta, _ := request["_meta"].(map[string]any)
		known := onlyHas(fields, "turn_id", "server_name", "id", "request") &&
			onlyHas(request, "mode", "_meta", "message", "requested_schema") &&
			onlyHas(meta, "codex_approval_kind", "persist", "tool_description", "tool_params", "tool_params_display")
		return meta["tool_params"], false, known && fields["server_name"] == serverName
	}
	return fields, false, true
}

func onlyHas(fields map[string]any, names ...string) bool {
	for name := range fields {
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

// fits reports whether arguments are valid for a schema and have no property that it does
// not name.
func fits(raw json.RawMessage, args any) bool {
	var schema jsonschema.Schema
	if _, isObject := args.(map[string]any); !isObject || json.Unmarshal(raw, &schema) != nil {
		return false
	}
	closeObjects(&schema)
	resolved, err := schema.Resolve(nil)
	return err == nil && resolved.Validate(args) == nil
}

func closeObjects(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Type == "object" || len(s.Properties) > 0 {
		s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	for _, p := range s.Properties {
		closeObjects(p)
	}
	closeObjects(s.Items)
}

// resembles reports whether a call that is not ours looks as if it should be, so that the
// user is asked about it: the agent may have changed its form. A call with a command or a
// place is judged by its kind.
func (t *turn) resembles(c *ownCall) bool {
	if len(t.specs) == 0 || c.kindOf() != sdk.ToolKindOther && c.acts() {
		return false
	}
	fields, _ := c.input.(map[string]any)
	named := c.tool != "" || strings.Contains(c.title, serverName) || fields["server"] == serverName || fields["server_name"] == serverName
	for _, spec := range t.specs {
		named = named || strings.Contains(c.title, spec.Name)
	}
	return named
}

// acts reports whether a call has what a command, a change or a request on the web has.
func (c *ownCall) acts() bool {
	fields, _ := c.input.(map[string]any)
	for name := range fields {
		name = strings.ToLower(name)
		if slices.Contains([]string{"command", "cmd", "script", "argv", "url", "content"}, name) ||
			strings.Contains(name, "path") || strings.Contains(name, "file") {
			return true
		}
	}
	return len(c.locations) > 0 || slices.ContainsFunc(c.content, func(part sdk.ToolCallContent) bool { return part.Diff != nil })
}
