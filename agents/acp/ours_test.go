//go:build unix

package acp_test

import (
	"fmt"
	"strings"
	"testing"
)

// args are arguments of request_context, and quoted as JSON in JSON.
const (
	args   = `{"query":"How many?","reason":"It decides.","priority":"required"}`
	quoted = `{\"query\":\"How many?\",\"reason\":\"It decides.\",\"priority\":\"required\"}`
)

// olderCodex is what Codex' older adapter asks with.
const olderCodex = `"title":"Approve MCP tool call","rawInput":{"turn_id":"1","server_name":"roundtable_seat","id":"x","request":{` +
	`"mode":"form","_meta":{"tool_description":"d","tool_params":` + args + `,"tool_params_display":[]},"message":"m","requested_schema":{}}}`

func TestStreamTurn_recognisesOurToolsAndWhatOnlyLooksLikeThem(t *testing.T) {
	t.Parallel()
	other, qwen := newProvider(t, configOf(t, ""), optionsOf(t)), newProvider(t, configOf(t, "qwen"), optionsOf(t))
	wrapped := `"rawInput":{"server":"roundtable_seat","tool":"request_context","arguments":` + args + `}`
	const known = `"kind":"other","title":"roundtable_seat_request_context","rawInput":` + args
	for i, c := range []struct{ name, before, call, want string }{
		{"OpenCode", "", `"kind":"other","title":"roundtable_seat_request_context","rawInput":` + args, "allowed"},
		{"Claude Code", "", `"kind":"other","title":"mcp__roundtable_seat__request_context","rawInput":` + args, "allowed"},
		{
			"Claude Code, older", `"kind":"other","title":"mcp__roundtable_seat__request_context","rawInput":{}`,
			`"title":"mcp__roundtable_seat__request_context","rawInput":` + args, "allowed",
		},
		{"Codex", `"kind":"execute","title":"mcp.roundtable_seat.request_context","status":"in_progress",` + wrapped, `"kind":"execute"`, "allowed"},
		{"Codex, older", `"title":"Tool: roundtable_seat/request_context",` + wrapped, olderCodex, "allowed"},
		{
			"Copilot", `"kind":"other","title":"roundtable_seat-request_context","rawInput":` + args,
			`"kind":"other","title":"request_context","rawInput":` + args, "allowed",
		},
		{"Gemini CLI", "", `"kind":"other","title":"request_context (roundtable_seat MCP Server)","locations":[],` +
			`"content":[{"type":"content","content":{"type":"text","text":"` + quoted + `"}}]`, "allowed"},
		{"Gemini CLI, title", "", `"kind":"other","title":"request_context (roundtable_seat MCP Server): ` + quoted + `"`, "allowed"},
		{"Qwen Code", "", `"kind":"other","title":"` + quoted + `","rawInput":` + args, "allowed"},
		{"colon", "", `"kind":"other","title":"roundtable_seat: request_context","rawInput":` + args, "allowed"},
		{"slash", "", `"kind":"other","title":"roundtable_seat/request_context","rawInput":` + args, "allowed"},
		{"further property", "", `"kind":"other","title":"roundtable_seat_request_context","rawInput":{"query":"q","command":"x"}`, "noticed"},
		{"no arguments", "", `"kind":"other","title":"roundtable_seat_request_context"`, "noticed"},
		{"wrong value", "", `"kind":"other","title":"roundtable_seat_request_context","rawInput":{"query":"q","priority":"now"}`, "noticed"},
		{"the user's server", "", `"kind":"other","title":"roundtable_request_context","rawInput":` + args, "noticed"},
		{"more in the title", "", `"kind":"other","title":"roundtable_seat_request_context; rm x","rawInput":` + args, "noticed"},
		{"kind execute without the server", "", `"kind":"execute","title":"mcp.roundtable_seat.request_context","rawInput":` + args, "noticed"},
		{"another server", "", `"kind":"execute","title":"mcp.roundtable_seat.request_context","rawInput":{"server":"x","tool":"request_context","arguments":` +
			args + `}`, "noticed"},
		{"a command beside", "", `"kind":"execute","title":"mcp.roundtable_seat.request_context","rawInput":{"server":"roundtable_seat",` +
			`"tool":"request_context","cmd":"rm x","arguments":` + args + `}`, "asked"},
		{
			"a command in a known call", known,
			`"kind":"execute","title":"roundtable_seat_request_context","rawInput":{"command":"rm x"}`, "asked",
		},
		{"other arguments in a known call", known, `"rawInput":{"script":"rm x"}`, "noticed"},
		{"kind edit", "", `"kind":"edit","title":"roundtable_seat_request_context","rawInput":` + args, "noticed"},
		{"kind delete, another form", "", `"kind":"delete","title":"roundtable_seat.request_context","rawInput":` + args, "noticed"},
		{"the name alone", "", `"kind":"other","title":"request_context","rawInput":` + args, "noticed"},
		{"other arguments in the title", "", `"kind":"other","title":"request_context (roundtable_seat MCP Server): {}","rawInput":` + args, "noticed"},
		{"arguments as the title, without the options", "", `"kind":"other","title":"` + quoted + `","rawInput":` + args, "asked"},
		{"a change, whatever its title says", "", `"kind":"edit","title":"Edit request_context.md","rawInput":{"file_path":"request_context.md","new_string":"x"}`, "denied"},
		{"a deletion of our name", "", `"kind":"delete","title":"roundtable_seat_request_context","locations":[{"path":"DIR/a"}],"rawInput":` + args, "denied"},
		{"a change of our name", "", `"kind":"edit","title":"roundtable_seat_request_context","content":[{"type":"diff","path":"DIR/a","newText":"x"}],"rawInput":` + args, "denied"},
	} {
		p := other
		if c.name == "Qwen Code" {
			p = qwen
		}
		g := &ground{folder: workspaceOf(t), allowed: true}
		script := []string{"read none", `ask {"toolCallId":"p",` + c.call + `}`}
		if c.before != "" {
			script = append([]string{`own {"toolCallId":"p",` + c.before + `}`}, script...)
		}
		s := speak(t.Context(), p, ada, turnOf(i+1), g, script...)
		got := fmt.Sprint(s.reply.Text, s.err, g.asked)
		switch {
		case s.err != nil || len(g.asked) > 1:
		case strings.HasSuffix(s.reply.Text, "(no)") && len(g.asked) == 0:
			got = "denied"
		case !strings.HasSuffix(s.reply.Text, "(once)"):
		case len(g.asked) == 0:
			got = "allowed"
		case strings.Contains(g.asked[0], "looks like a tool of the debate"):
			got = "noticed"
		default:
			got = "asked"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
