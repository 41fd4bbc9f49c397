//go:build unix

package acp_test

import (
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

func TestStreamTurn_recognisesOurToolsInEachForm(t *testing.T) {
	t.Parallel()
	other, qwen := newProvider(t, configOf(t, ""), optionsOf(t)), newProvider(t, configOf(t, "qwen"), optionsOf(t))
	wrapped := `"rawInput":{"server":"roundtable_seat","tool":"request_context","arguments":` + args + `}`
	for i, c := range []struct{ name, before, call string }{
		{"OpenCode", "", `"kind":"other","title":"roundtable_seat_request_context","rawInput":` + args},
		{"Claude Code", "", `"kind":"other","title":"mcp__roundtable_seat__request_context","rawInput":` + args},
		{
			"Claude Code, older", `"kind":"other","title":"mcp__roundtable_seat__request_context","rawInput":{}`,
			`"title":"mcp__roundtable_seat__request_context","rawInput":` + args,
		},
		{"Codex", `"kind":"execute","title":"mcp.roundtable_seat.request_context","status":"in_progress",` + wrapped, `"kind":"execute"`},
		{"Codex, older", `"title":"Tool: roundtable_seat/request_context",` + wrapped, olderCodex},
		{
			"Copilot", `"kind":"other","title":"roundtable_seat-request_context","rawInput":` + args,
			`"kind":"other","title":"request_context","rawInput":` + args,
		},
		{"Gemini CLI", "", `"kind":"other","title":"request_context (roundtable_seat MCP Server)","locations":[],` +
			`"content":[{"type":"content","content":{"type":"text","text":"` + quoted + `"}}]`},
		{"Gemini CLI, title", "", `"kind":"other","title":"request_context (roundtable_seat MCP Server): ` + quoted + `"`},
		{"Qwen Code", "", `"kind":"other","title":"` + quoted + `","rawInput":` + args},
		{"colon", "", `"kind":"other","title":"roundtable_seat: request_context","rawInput":` + args},
		{"slash", "", `"kind":"other","title":"roundtable_seat/request_context","rawInput":` + args},
	} {
		p := other
		if c.name == "Qwen Code" {
			p = qwen
		}
		g := &ground{folder: workspaceOf(t)}
		script := []string{`ask {"toolCallId":"p",` + c.call + `}`}
		if c.before != "" {
			script = append([]string{`own {"toolCallId":"p",` + c.before + `}`, "read none"}, script...)
		}
		s := speak(t.Context(), p, ada, turnOf(i+1), g, script...)
		if s.err != nil || !strings.HasSuffix(s.reply.Text, "(once)") || len(g.asked) > 0 {
			t.Errorf("%s: got %q, %v; asked %q", c.name, s.reply.Text, s.err, g.asked)
		}
	}
}

func TestStreamTurn_asksAboutWhatOnlyLooksLikeOurTool(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	known := `own {"toolCallId":"p","kind":"other","title":"roundtable_seat_request_context","rawInput":` + args + `}`
	for i, c := range []struct {
		name, call string
		before     []string
		notice     bool
	}{
		{"further property", `"kind":"other","title":"roundtable_seat_request_context","rawInput":{"query":"q","command":"x"}`, nil, true},
		{"no arguments", `"kind":"other","title":"roundtable_seat_request_context"`, nil, true},
		{"wrong value", `"kind":"other","title":"roundtable_seat_request_context","rawInput":{"query":"q","priority":"now"}`, nil, true},
		{"the user's server", `"kind":"other","title":"roundtable_request_context","rawInput":` + args, nil, true},
		{"more in the title", `"kind":"other","title":"roundtable_seat_request_context; rm x","rawInput":` + args, nil, true},
		{"kind execute without the server", `"kind":"execute","title":"mcp.roundtable_seat.request_context","rawInput":` + args, nil, true},
		{"another server", `"kind":"execute","title":"mcp.roundtable_seat.request_context","rawInput":{"server":"x","tool":"request_context","arguments":` +
			args + `}`, nil, true},
		{"a command beside", `"kind":"execute","title":"mcp.roundtable_seat.request_context","rawInput":{"server":"roundtable_seat",` +
			`"tool":"request_context","cmd":"rm x","arguments":` + args + `}`, nil, false},
		{
			"a command in a known call", `"kind":"execute","title":"roundtable_seat_request_context","rawInput":{"command":"rm x"}`,
			[]string{known},
			false,
		},
		{"other arguments in a known call", `"rawInput":{"script":"rm x"}`, []string{known}, true},
		{"kind edit", `"kind":"edit","title":"roundtable_seat_request_context","rawInput":` + args, nil, true},
		{"kind delete, another form", `"kind":"delete","title":"roundtable_seat.request_context","rawInput":` + args, nil, true},
		{"the name alone", `"kind":"other","title":"request_context","rawInput":` + args, nil, true},
		{"other arguments in the title", `"kind":"other","title":"request_context (roundtable_seat MCP Server): {}","rawInput":` + args, nil, true},
		{"arguments as the title, without the options", `"kind":"other","title":"` + quoted + `","rawInput":` + args, nil, false},
	} {
		g := &ground{folder: workspaceOf(t), allowed: true}
		s := speak(t.Context(), p, ada, turnOf(i+1), g, append(append([]string{}, c.before...), "read none", `ask {"toolCallId":"p",`+c.call+`}`)...)
		if s.err != nil || !strings.HasSuffix(s.reply.Text, "(once)") || len(g.asked) != 1 {
			t.Errorf("%s: got %q, %v; asked %q", c.name, s.reply.Text, s.err, g.asked)
		} else if got := strings.Contains(g.asked[0], "looks like a tool of the debate"); got != c.notice {
			t.Errorf("%s: notice %v, asked %q", c.name, got, g.asked)
		}
	}
}

// A change is denied, whatever its title says.
func TestStreamTurn_deniesChangesThatAreNamedLikeOurTools(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	for i, call := range []string{
		`"kind":"edit","title":"Edit request_context.md","rawInput":{"file_path":"request_context.md","new_string":"x"}`,
		`"kind":"delete","title":"roundtable_seat_request_context","locations":[{"path":"DIR/a"}],"rawInput":` + args,
		`"kind":"edit","title":"roundtable_seat_request_context","content":[{"type":"diff","path":"DIR/a","newText":"x"}],"rawInput":` + args,
	} {
		g := &ground{folder: workspaceOf(t), allowed: true}
		s := speak(t.Context(), p, ada, turnOf(i+1), g, `ask {"toolCallId":"p",`+call+`}`)
		if s.err != nil || !strings.HasSuffix(s.reply.Text, "(no)") || len(g.asked) > 0 {
			t.Errorf("%s: got %q, %v; asked %q", call, s.reply.Text, s.err, g.asked)
		}
	}
}
