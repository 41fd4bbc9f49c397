//go:build unix

package acp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/acp"
	"roundtable/internal/testing/must"
	"roundtable/internal/testing/processtest"
)

func TestStreamTurn_passesOnWhatTheAgentSays(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, "talkative"), optionsOf(t))
	s := speak(t.Context(), p, ada, turnOf(1), &ground{}, "say One", "say \x1b[31m two.",
		`own {"toolCallId":"c1","kind":"read","title":"Read a.txt","status":"pending"}`,
		`own {"toolCallId":"c1","status":"in_progress","rawInput":{"path":"a.txt"},"locations":[{"path":"a.txt","line":3}]}`,
		`own {"toolCallId":"c1","status":"completed","rawOutput":{"text":"hello"}}`,
		`own {"toolCallId":"c2","kind":"strange","title":"Odd","status":"failed","content":[{"type":"content","content":{"type":"text","text":"no"}}]}`,
		"say Three.")
	must.Do(t, s.err)
	want := []string{
		"thought: as told", "text: One\x1b[31m two.",
		`call: r1.s0.ada.a1.t1 own read {"title":"Read a.txt","locations":["a.txt:3"],"input":{"path":"a.txt"}} own=true`,
		`result: r1.s0.ada.a1.t1 ok {"text":"hello"} {"title":"Read a.txt","locations":["a.txt:3"],"input":{"path":"a.txt"}}`,
		`call: r1.s0.ada.a1.t2 own other {"title":"Odd"} own=true`,
		`result: r1.s0.ada.a1.t2 error no {"title":"Odd"}`,
		"text: Three.",
	}
	if diff := cmp.Diff(want, s.lines); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
	if s.reply.Text != "Three." || s.reply.Finish != agents.FinishStop || len(s.reply.Earlier) != 1 {
		t.Errorf("reply: %+v", s.reply)
	}
	if !s.usage.Estimated || s.usage.Input == 0 || s.usage.Output == 0 {
		t.Errorf("usage that the agent did not count: %+v", s.usage)
	}
	if m := s.sent.Messages; len(m) != 1 || !strings.HasPrefix(m[0].Text, "think as told\n\nsay One\n") {
		t.Errorf("the request has %q, want all messages as one", m)
	}
}

func TestStreamTurn_countsAsTheAgentDoes(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	for i, c := range []struct {
		usage string
		want  agents.Usage
	}{
		{`{"inputTokens":10,"outputTokens":5,"totalTokens":15}`, agents.Usage{Input: 10, Output: 5}},
		{
			`{"inputTokens":10,"outputTokens":5,"cachedReadTokens":30,"thoughtTokens":2,"totalTokens":47}`,
			agents.Usage{Input: 40, Output: 7, Reasoning: 2, Cached: 30},
		},
		{
			`{"inputTokens":40,"outputTokens":7,"cachedReadTokens":30,"thoughtTokens":2,"totalTokens":47}`,
			agents.Usage{Input: 40, Output: 7, Reasoning: 2, Cached: 30},
		},
	} {
		s := speak(t.Context(), p, ada, turnOf(i+1), &ground{}, "say Hello.", "usage "+c.usage)
		if s.err != nil || s.usage != c.want {
			t.Errorf("%s: got %+v, %v", c.usage, s.usage, s.err)
		}
	}
	config := configOf(t, "") // OpenCode reports its last completion only
	config.LastUsage = true
	last := newProvider(t, config, optionsOf(t))
	for i, call := range []string{"say Wait.", `own {"toolCallId":"p","kind":"think","status":"completed","title":"T","rawInput":{"a":"b"}}`} {
		s := speak(t.Context(), last, ada, turnOf(20+i), &ground{}, call, "say Hello.", `usage {"inputTokens":9,"outputTokens":3}`)
		if want := (agents.Usage{Input: 9, Output: 3, Estimated: i > 0}); s.usage != want {
			t.Errorf("%s: got %+v, want %+v", call, s.usage, want)
		}
	}
	s := speak(t.Context(), p, ada, turnOf(4), &ground{}, "say Hello.", `usage {"inputTokens":0,"outputTokens":0,"totalTokens":0}`)
	if !s.usage.Estimated || s.usage.Input == 0 {
		t.Errorf("zero is not told: %+v", s.usage)
	}
}

// split returns what a turn says, its texts joined, and its other lines.
func split(lines []string) (said string, others []string) {
	for _, l := range lines {
		text, isText := strings.CutPrefix(l, "text: ")
		switch {
		case isText && strings.Contains(said, "text: "):
			said += text
		case isText, strings.HasPrefix(l, "thought: "):
			said = strings.TrimSpace(said + " " + l)
		default:
			others = append(others, l)
		}
	}
	return said, others
}

func TestStreamTurn_offersOurTools(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	g := &ground{}
	s := speak(t.Context(), p, ada, turnOf(1), g, "say Wait.",
		`own {"toolCallId":"m1","kind":"other","title":"roundtable_seat_request_context","status":"pending"}`,
		`call request_context {"query":"who?","agent_id":"brook"}`,
		`own {"toolCallId":"m1","status":"completed","rawOutput":"asked"}`,
		`own {"toolCallId":"m2","kind":"other","title":"roundtable_seat_request_context","status":"failed","rawOutput":"not sent"}`)
	want := []string{
		`call: r1.s0.ada.a1.t1 request_context {"query":"who?","agent_id":"brook"} own=false`,
		`result: r1.s0.ada.a1.t1 ok asked {"query":"who?","agent_id":"brook"}`,
		`call: r1.s0.ada.a1.t2 own other {"title":"roundtable_seat_request_context"} own=true`, // our server never saw it
		`result: r1.s0.ada.a1.t2 error not sent {"title":"roundtable_seat_request_context"}`,
	}
	said, calls := split(s.lines) // a call to our server and a text come on two ways
	if diff := cmp.Diff(want, calls); diff != "" || s.err != nil || said != "thought: as told text: Wait.(asked false)" {
		t.Errorf("%v, said %q, observed (-want +got):\n%s", s.err, said, diff)
	}
	if diff := cmp.Diff([]string{`r1.s0.ada.a1.t1 by ada in round 1: {"query":"who?","agent_id":"brook"}`}, g.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	speak(t.Context(), p, ada, turnOf(2), g, `late request_context {}`).wants(t, "(refused: true)")
	if len(g.calls) != 1 {
		t.Errorf("a call with the secret of an earlier turn: %q", g.calls)
	}
}

func TestStreamTurn_saysWhenOurToolsWereNotTaken(t *testing.T) {
	t.Parallel()
	o, waited := optionsOf(t), 0
	expires := atOnce(toolsWait)
	o.AfterFunc = func(d time.Duration, f func()) func() bool {
		if d == toolsWait {
			waited++
		}
		return expires(d, f)
	}
	p := newProvider(t, configOf(t, "lists late"), o)
	for i, c := range []struct {
		script string
		kit    agents.Toolkit
		unread bool
	}{
		{"think Hm.", &ground{}, true},
		{`call request_context {"query":"who?"}`, &ground{}, false},
		{"think Hm.", &ground{}, true}, // that another turn took them is nothing to this one
		{"list", &ground{}, true},      // it has thought before, so its model was asked without them
		{"list\ncall request_context {\"query\":\"who?\"}", &ground{}, false},
		{"think Hm.", nil, false}, // none were offered
	} {
		s := speak(t.Context(), p, ada, turnOf(i+1), c.kit, c.script, "say Yes.")
		receipt := strings.Join(s.last.Patched, "; ")
		if s.err != nil || s.last.ToolsUnread != c.unread || strings.Contains(receipt, "has not taken the tools") != c.unread {
			t.Errorf("%s: unread %v, receipt %q, %v; want %v", c.script, s.last.ToolsUnread, receipt, s.err, c.unread)
		}
		if told := strings.Contains(receipt, "it is not waited for"); told != (c.kit != nil) {
			t.Errorf("%s: receipt %q", c.script, receipt)
		}
	}
	if waited != 1 {
		t.Errorf("its tools were waited for %d times", waited)
	}
	s := speak(t.Context(), newProvider(t, configOf(t, "without http"), optionsOf(t)), ada, turnOf(1), &ground{}, "say Yes.")
	if s.wants(t, "Yes."); !s.last.ToolsUnread {
		t.Error("an agent that takes no server at an address has read the tools")
	}
}

// toolsWait is how long an agent is waited for until it has taken our tools.
const toolsWait = 10 * time.Second

func TestStreamTurn_asksWhenOurToolsAreTaken(t *testing.T) {
	t.Parallel()
	config, o := configOf(t, "lists at a gate"), optionsOf(t)
	config.Set["GATE"] = t.TempDir() + "/gate"
	must.Do(t, syscall.Mkfifo(config.Set["GATE"], 0o600))
	o.AfterFunc = func(d time.Duration, _ func()) func() bool {
		if d == toolsWait {
			go func() { // it is being waited for
				if err := os.WriteFile(config.Set["GATE"], nil, 0o600); err != nil {
					t.Error(err)
				}
			}()
		}
		return func() bool { return false }
	}
	s := speak(t.Context(), newProvider(t, config, o), ada, turnOf(1), &ground{}, "listed")
	if s.wants(t, "(1)"); s.last.ToolsUnread {
		t.Error("the tools are unread")
	}
}

func TestStreamTurn_startsAnewInEachTurn(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	p.Prepare("k7m2", ada, false)
	large := ada
	large.Model = "large"
	speak(t.Context(), p, large, turnOf(1), &ground{}, "state").wants(t, `(s1, model large, 0 entries, <nil>, HOME "")`)
	speak(t.Context(), p, ada, turnOf(2), &ground{}, "state").wants(t, `(s2, model small, 0 entries, <nil>, HOME "")`)
	if about, err := p.Check(t.Context()); err != nil || about.Name != "fake" || about.Version != "1.2" || about.Protocol != 1 {
		t.Errorf("about: %+v, %v", about, err)
	}
}

// An agent that has a mode in which it asks is in it, whatever its settings say.
func TestStreamTurn_setsTheModeThatAsks(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"modes": "(careful)", "no mode": "(free)", "": "(free)"} {
		config := configOf(t, kind)
		config.Mode = "careful"
		speak(t.Context(), newProvider(t, config, optionsOf(t)), ada, turnOf(1), &ground{}, "mode").wants(t, want)
	}
}

func TestStreamTurn_trustsOnlyAnEmptyFolderOfOurs(t *testing.T) {
	t.Parallel()
	config := configOf(t, "")
	config.Trust = []string{"--trust"}
	p := newProvider(t, config, optionsOf(t))
	speak(t.Context(), p, ada, turnOf(1), &ground{}, "args").wants(t, "(--trust)")
	speak(t.Context(), p, ada, turnOf(2), &ground{folder: workspaceOf(t)}, "args").wants(t, "()")
	speak(t.Context(), p, ada, turnOf(3), &ground{folder: workspaceOf(t)}, "args").wants(t, "()")
	prepared := newProvider(t, config, optionsOf(t))
	prepared.Prepare("k7m2", ada, true)
	speak(t.Context(), prepared, ada, turnOf(1), &ground{folder: workspaceOf(t)}, "args").wants(t, "()")
	if n := len(processtest.Noted(t, config.Set["PIDS"])); n != 3 {
		t.Errorf("%d programs ran, want one with trust, one without, and one that was prepared", n)
	}
}

// The agent is started with arguments that allow our tools and, where nobody can be asked,
// with those that deny commands.
func TestNew_addsWhatThePresetAllowsAndDenies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		preset     string
		own        bool // a command of the user's, which may be an older version
		noCommands bool
		want       string
	}{
		{"copilot", false, false, "--acp --deny-tool=write --allow-tool=roundtable_seat(request_context)"},
		{"copilot", false, true, "--acp --deny-tool=write --allow-tool=roundtable_seat(request_context) --deny-tool=shell"},
		{"copilot", true, true, ""},
		{"qwen", false, true, "--acp --approval-mode default --allowed-tools=mcp__roundtable_seat__request_context"},
		{"auggie", false, true, "--acp"},
		{"cline", false, true, "--acp"},
		{"droid", false, true, "exec --output-format acp"},
		{"opencode", false, false, `acp {"bash":"ask",`},
		{"opencode", true, true, `{"bash":"deny",`},
		{"gemini", false, false, "--acp --approval-mode default"},
		{"gemini", true, false, ""},
	} {
		preset, _ := acp.PresetNamed(c.preset)
		preset.Command[0] = filepath.Join(t.TempDir(), preset.Command[0])
		config := acp.Config{Preset: preset}
		if c.own {
			config.Preset = preset.Of(preset.Command[:1])
		}
		o := optionsOf(t)
		o.Tools, o.NoCommands = []string{agents.RequestContextName}, c.noCommands
		trust := map[bool]string{false: "--skip-trust"}[c.own]
		if c.preset == "gemini" && (strings.Join(config.Trust, " ") != trust || slices.Contains(config.Command, trust)) {
			t.Errorf("started with %q, where it trusts with %q", config.Command, config.Trust)
		}
		got := started(t, config, o, `"$@" "$OPENCODE_PERMISSION"`)
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s, no commands %v: started with %q, want %q", c.preset, c.noCommands, got, c.want)
		}
	}
}

// started starts an agent and returns what a shell says of words.
func started(t *testing.T, c acp.Config, o acp.Options, words string) string {
	t.Helper()
	told := filepath.Join(t.TempDir(), "told")
	must.Do(t, os.WriteFile(c.Command[0], []byte("#!/bin/sh\necho "+words+" >'"+told+"'\n"), 0o700))
	if _, err := newProvider(t, c, o).Check(t.Context()); err == nil {
		t.Error("a program that says nothing was checked")
	}
	return strings.TrimSpace(string(must.Get(os.ReadFile(told))(t)))
}

// An adapter starts the program that the user has, unless the user names another one.
func TestNew_namesTheUsersOwnProgramForItsAdapter(t *testing.T) {
	dir, empty := t.TempDir(), t.TempDir()
	for _, name := range []string{"claude", "codex"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o700))
	}
	for _, c := range []struct {
		preset, path, mine string
		want               string
	}{
		{"claude", dir, "", dir + "/claude,"},
		{"codex", dir, "", "," + dir + "/codex"},
		{"claude", empty, "", ","},
		{"claude", dir, "/opt/claude", "/opt/claude,"},
		{"claude", dir[1:], "", ","}, // a folder that depends on the one we are in
		{"gemini", dir, "", ","},
	} {
		t.Setenv("PATH", c.path)
		home := t.TempDir()
		preset, _ := acp.PresetNamed(c.preset)
		config := acp.Config{Preset: preset.Of([]string{filepath.Join(home, "adapter")}), EnvAdd: []string{"CLAUDE_CODE_EXECUTABLE"}}
		o := optionsOf(t)
		o.Env = func(name string) (string, bool) {
			value, ok := map[string]string{"HOME": home, "CLAUDE_CODE_EXECUTABLE": c.mine}[name]
			return value, ok && value != ""
		}
		if got := started(t, config, o, `"$CLAUDE_CODE_EXECUTABLE,$CODEX_PATH"`); got != c.want {
			t.Errorf("%s in %s: started with %q, want %q", c.preset, c.path, got, c.want)
		}
	}
}

func TestStreamTurn_readsOnlyInTheFolder(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	outside := filepath.Join(t.TempDir(), "secret")
	must.Do(t, os.WriteFile(outside, []byte("secret"), 0o600))
	g := &ground{folder: workspaceOf(t)}
	s := speak(t.Context(), p, ada, turnOf(1), g, "read DIR/a.txt", "read "+outside, "read DIR/../x", "read DIR/out/x", "read DIR", "read DIR/none", "write DIR/b")
	must.Do(t, s.err)
	if got := s.reply.Text; !strings.HasPrefix(got, "(one\ntwo\n)(") || strings.Contains(got, "secret)") || strings.Count(got, "Invalid params") != 4 ||
		strings.Count(got, "Resource not found") != 1 ||
		!strings.HasSuffix(got, "(true)") {
		t.Errorf("got %q", got)
	}
}

func TestStreamTurn_decidesAboutPermissionsByKind(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	inside, readOnly := workspaceOf(t), workspaceOf(t)
	readOnly.ReadOnly = true
	for i, c := range []struct {
		name, call string
		folder     agents.Folder
		allowed    bool // by the user
		asked      string
		want       string
	}{
		{"a command that looks like our tool", `"kind":"execute","title":"roundtable_seat_request_context","rawInput":{"command":"x"}`, inside, false, "x", "no"},
		{"a read of a file that is not there", `"kind":"read","rawInput":{"path":"b.txt"}`, inside, false, "", "once"},
		{"a read outside", `"kind":"read","title":"R","rawInput":{"path":"/etc/passwd"}`, inside, true, `read: R {"path":"/etc/passwd"}`, "once"},
		{"a read of nothing said", `"kind":"read","title":"R"`, inside, false, "read: R", "no"},
		{"a search outside", `"kind":"search","title":"S","rawInput":{"path":"/"}`, inside, false, `search: S {"path":"/"}`, "no"},
		{"thinking", `"kind":"think"`, inside, false, "", "once"},
		{"a command", `"kind":"execute","title":"T","rawInput":{"command":"git log; rm x"}`, inside, true, "git log; rm x", "once"},
		{"a command in words", `"kind":"execute","rawInput":{"command":["git","log"]}`, inside, true, "git | log", "once"},
		{"a command that is denied", `"kind":"execute","rawInput":{"command":"git log"}`, inside, false, "git | log", "no"},
		{"a command where nothing runs", `"kind":"execute","rawInput":{"command":"git log"}`, readOnly, true, "", "no"},
		{"a command without a workspace", `"kind":"execute","rawInput":{"command":"date"}`, agents.Folder{}, true, "date", "once"},
		{"fetching", `"kind":"fetch","title":"F","rawInput":{"url":"http://x"}`, inside, true, `fetch: F {"url":"http://x"}`, "once"},
		{"another kind", `"kind":"other","title":"O"`, inside, true, "other: O", "once"},
		{"no kind", `"title":"N"`, inside, false, "other: N", "no"},
		{"an unknown kind", `"kind":"levitate","title":"L"`, inside, false, "other: L", "no"},
		{"editing", `"kind":"edit","rawInput":{"path":"DIR/a.txt"}`, inside, true, "", "no"},
		{"deleting", `"kind":"delete"`, inside, true, "", "no"},
		{"moving", `"kind":"move"`, inside, true, "", "no"},
		{"changing its mode", `"kind":"switch_mode"`, inside, true, "", "no"},
		{"too long a command", `"kind":"execute","rawInput":{"command":"` + strings.Repeat("x", 8001) + `"}`, inside, true, "", "no"},
	} {
		g := &ground{folder: c.folder, allowed: c.allowed}
		s := speak(t.Context(), p, ada, turnOf(i+1), g, `ask {"toolCallId":"p",`+c.call+`}`)
		if s.err != nil || s.reply.Text != "("+c.want+")" {
			t.Errorf("%s: got %q, %v, want %q", c.name, s.reply.Text, s.err, c.want)
		}
		var asked []string
		if c.asked != "" {
			asked = []string{turnOf(i+1).ToolCall(1) + " " + c.asked}
		}
		if diff := cmp.Diff(asked, g.asked); diff != "" {
			t.Errorf("%s: the user was asked (-want +got):\n%s", c.name, diff)
		}
		if c.asked != "" && !strings.Contains(s.all(), "call: "+turnOf(i+1).ToolCall(1)) {
			t.Errorf("%s: what the user is asked about is no call: %s", c.name, s.all())
		}
	}
}

func TestStreamTurn_saysWhyAnAgentCannotBeUsed(t *testing.T) {
	t.Parallel()
	const signIn, choose = "Run `fake login` in a terminal and sign in.", `Set model = "default" to use what the agent is set to.`
	for _, c := range []struct {
		fake   string
		change func(*acp.Config)
		model  string
		kind   agents.Kind
		cause  string
		remedy string
	}{
		{
			"", func(c *acp.Config) { c.Command = []string{"no-such-agent-anywhere"} }, "default", agents.KindConfig,
			"The program of fake was not found: no-such-agent-anywhere.", "Install it, or set command of [providers.fake] to its path.",
		},
		{
			"dies", nil, "default", agents.KindTruncated,
			"fake ended while it started: its program ended with exit status 3: first line / no settings / I give up.", "",
		},
		{"mute", nil, "default", agents.KindSilence, "fake did not answer in time while it started.", ""},
		{
			"newer", nil, "default", agents.KindConfig, "fake speaks version 2 of the Agent Client Protocol; Roundtable speaks version 1.",
			"Update the agent or Roundtable, whichever is older.",
		},
		{"signed out", nil, "default", agents.KindAuth, "fake is not signed in: Authentication required: token expired.", signIn},
		{"lists ways", nil, "default", agents.KindAuth, "fake is not signed in: Use Fake to sign in first.", signIn},
		{
			"signed out", func(c *acp.Config) { c.With = "an API key" }, "default", agents.KindAuth,
			"fake is not signed in: Authentication required: token expired.", signIn + " It needs an API key.",
		},
		{
			"", func(c *acp.Config) { c.Free = []string{"small", "l*e"} }, "default", agents.KindAuth,
			"fake has no provider, and nothing to offer but free models of its maker.",
			"Run `fake login` in a terminal, or choose one of these models for the seat, such as small.",
		},
		{
			"", nil, "larg", agents.KindModel, `fake has no model "larg". It offers: small, large.`,
			"Set model of the seat to one of these. " + choose,
		},
		{"no models", nil, "large", agents.KindModel, `fake does not support choosing the model, so "large" cannot be set.`, choose},
	} {
		config, o := configOf(t, c.fake), optionsOf(t)
		if c.change != nil {
			c.change(&config)
		}
		if c.fake == "mute" {
			o.AfterFunc = atOnce(acp.DefaultStart)
		}
		who := ada
		who.Model = c.model
		f := speak(t.Context(), newProvider(t, config, o), who, turnOf(1), &ground{}, "say Hello.").failure(t)
		if f.Kind != c.kind || f.Cause != c.cause || f.Remedy != c.remedy {
			t.Errorf("%s: got %s %q, remedy %q\nwant %s %q, remedy %q", c.fake, f.Kind, f.Cause, f.Remedy, c.kind, c.cause, c.remedy)
		}
	}
}

// A free model is used where the seat names it, or where it is one of several.
func TestStreamTurn_usesAFreeModelThatIsMeant(t *testing.T) {
	t.Parallel()
	for model, free := range map[string][]string{"small": {"*"}, "default": {"small"}} {
		who := ada
		who.Model = model
		config := configOf(t, "")
		config.Free = free
		speak(t.Context(), newProvider(t, config, optionsOf(t)), who, turnOf(1), &ground{}, "say Hello.").wants(t, "Hello.")
	}
}

func TestStreamTurn_startsAProgramOnceMore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind   string
		starts int
		fails  bool
	}{
		{"at first dies", 2, false},
		{"at first garbles", 2, false},
		{"at first leaves at its session", 2, false},
		{"at first has a locked database", 2, false},
		{"at first leaves at our tools", 2, false},
		{"dies", 2, true},
		{"leaves at our tools", 2, true},
		{"signed out", 1, true},
		{"newer", 1, true},
		{"mute", 1, true},
	} {
		for _, prepared := range []bool{false, true} {
			config, options := configOf(t, c.kind), optionsOf(t)
			if c.kind == "mute" {
				options.AfterFunc = func(d time.Duration, f func()) func() bool {
					go func() { // when it has started
						for len(processtest.Noted(t, config.Set["PIDS"])) == 0 && t.Context().Err() == nil {
							time.Sleep(time.Millisecond)
						}
						if d == acp.DefaultStart {
							f()
						}
					}()
					return func() bool { return true }
				}
			}
			p := newProvider(t, config, options)
			if prepared {
				p.Prepare(turnOf(1).Session, ada, false)
			}
			s := speak(t.Context(), p, ada, turnOf(1), &ground{}, "say Hello.")
			if (s.err != nil) != c.fails || !c.fails && s.reply.Text != "Hello." {
				t.Errorf("%s: got %q, %v", c.kind, s.reply.Text, s.err)
			}
			if n := len(processtest.Noted(t, config.Set["PIDS"])); n != c.starts {
				t.Errorf("%s, prepared %t: it was started %d times, want %d", c.kind, prepared, n, c.starts)
			}
		}
	}
}

func TestStreamTurn_startsOneSeatAfterAnother(t *testing.T) {
	t.Parallel()
	config := configOf(t, "starts alone")
	config.Set["HOME"] = t.TempDir()
	p := newProvider(t, config, optionsOf(t))
	var all sync.WaitGroup
	for _, id := range []agents.ID{"ada", "bob", "cy", "dee"} {
		turn, who := turnOf(1), ada
		turn.Agent, who.ID = id, id
		all.Go(func() {
			speak(t.Context(), p, who, turn, &ground{}, "say Hello.").wants(t, "Hello.")
		})
	}
	all.Wait()
	if n := len(processtest.Noted(t, config.Set["PIDS"])); n != 4 {
		t.Errorf("%d programs were started, want 4", n)
	}
}

func TestStreamTurn_takesNoPartForTheWhole(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	for i, c := range []struct {
		script string
		kind   agents.Kind
		cause  string
	}{
		{"die", agents.KindTruncated, "fake ended during its answer: its program ended with exit status 4: out of luck."},
		{"garbage", agents.KindMalformed, "fake was stopped during its answer: it sent an invalid protocol message: {\"jsonrpc\":\"2.0\",\"method\":."},
		{"long", agents.KindMalformed, "fake was stopped during its answer: it sent a message of more than 8 MB."},
		{"half", agents.KindMalformed, "fake was stopped during its answer: its last message broke off."},
		{"flood", agents.KindLimit, "fake sent more than 10 MB of text and was stopped."},
		{"fail the model\nis down", agents.KindRequest, "fake reported an error during its answer: Internal error: the model."},
		{"stop refusal", agents.KindFilter, "fake refused to answer."},
		{"stop cancelled", agents.KindTruncated, "fake says that its answer was cancelled, which nobody asked for."},
		{"stop max_turn_requests", agents.KindLimit, "fake reached its own limit of requests in one turn."},
		{"stop whatever", agents.KindMalformed, `fake ended its answer for an unknown reason: "whatever".`},
	} {
		s := speak(t.Context(), p, ada, turnOf(i+1), &ground{}, "say A part", c.script)
		f := s.failure(t)
		if f.Kind != c.kind || f.Cause != c.cause {
			t.Errorf("%s: got %s %q, want %s %q", c.script, f.Kind, f.Cause, c.kind, c.cause)
		}
		if s.reply.Text != "" || !strings.Contains(s.all(), "text: A part") || s.usage.Output == 0 {
			t.Errorf("%s: the reply is %q, observed %.200q, usage %+v", c.script, s.reply.Text, s.all(), s.usage)
		}
	}
	s := speak(t.Context(), p, ada, turnOf(20), &ground{}, "say Whole.", "stop max_tokens")
	if s.err != nil || s.reply.Finish != agents.FinishLength || s.reply.Text != "Whole." {
		t.Errorf("cut off at the limit: %+v, %v", s.reply, s.err)
	}
}

func TestStreamTurn_endsAnAgentThatIsSilent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wait   time.Duration
		script string
		cause  string
	}{
		{acp.DefaultFirst + 1, "hang", "fake has said nothing for 10m0.000000001s and was stopped."},
		{acp.DefaultSilent + 2, "say A part\nhang", "fake has said nothing for 10m0.000000002s and was stopped."},
	} {
		config, o := configOf(t, ""), optionsOf(t)
		config.First, config.Silent = acp.DefaultFirst+1, acp.DefaultSilent+2
		o.AfterFunc = atOnce(c.wait)
		p := newProvider(t, config, o)
		s := speak(t.Context(), p, agents.Profile{ID: "ada", Model: "default"}, turnOf(1), nil, strings.Split(c.script, "\n")...)
		if f := s.failure(t); f.Kind != agents.KindSilence || f.Cause != c.cause {
			t.Errorf("got %s %q, want %q", f.Kind, f.Cause, c.cause)
		}
	}
}

func TestStreamTurn_canBeCancelled(t *testing.T) {
	t.Parallel()
	config := configOf(t, "")
	p := newProvider(t, config, optionsOf(t))
	for i, script := range []string{"hang politely", "hang"} {
		ctx, cancel := context.WithCancel(t.Context())
		s := speak(context.WithValue(ctx, onText{}, cancel), p, ada, turnOf(2*i+1), &ground{}, "say A part", script)
		if s.err == nil || ctx.Err() == nil {
			t.Errorf("%s: got %v", script, s.err)
		}
		speak(t.Context(), p, ada, turnOf(2*i+2), &ground{}, "say Back.").wants(t, "Back.")
	}
	if n := len(processtest.Noted(t, config.Set["PIDS"])); n != 2 {
		t.Errorf("%d programs ran, want one that ended its turn and another in place of one that did not", n)
	}
}

const envAddKey = "sk-canary-0246813579/+<"

// withKey returns options under which a variable holds a key.
func withKey(t *testing.T) acp.Options {
	t.Helper()
	o := optionsOf(t)
	o.Env = func(name string) (string, bool) {
		if name == "FAKE_API_KEY" {
			return envAddKey, true
		}
		return os.LookupEnv(name)
	}
	return o
}

func TestEnvAdd_isPassedAndMaskedInAllThatTheAgentSays(t *testing.T) {
	t.Parallel()
	config := configOf(t, "")
	config.EnvAdd = []string{"FAKE_API_KEY"}
	p := newProvider(t, config, withKey(t))
	g := &ground{folder: workspaceOf(t), allowed: true}
	s := speak(t.Context(), p, ada, turnOf(1), g, "key", "letters", "think It is "+envAddKey,
		`own {"toolCallId":"c","kind":"execute","title":"echo","status":"completed","rawInput":{"command":"echo `+envAddKey+`"},"rawOutput":"`+envAddKey+`"}`,
		`ask {"toolCallId":"p","kind":"execute","title":"T","rawInput":{"command":"curl `+envAddKey+`"}}`,
		`call request_context {"query":"`+envAddKey+`"}`)
	all := fmt.Sprint(s.lines, s.reply, g.calls, g.asked)
	if s.err != nil || strings.Contains(all, "canary") || strings.Count(all, "[key]") < 7 {
		t.Errorf("%v:\n%s\n%+v\n%q %q", s.err, s.all(), s.reply, g.calls, g.asked)
	}
	for _, script := range []string{"fail " + envAddKey, "die " + envAddKey} {
		f := speak(t.Context(), p, ada, turnOf(2), g, script).failure(t)
		if strings.Contains(f.Cause+fmt.Sprint(f.Err), "canary") || !strings.Contains(f.Cause, "[key]") {
			t.Errorf("%s: %q, %v", script, f.Cause, f.Err)
		}
	}
}

func TestStreamTurn_namesAKeyThatIsSetAndNotPassed(t *testing.T) {
	t.Parallel()
	const hint = ` Or pass it FAKE_API_KEY, which is set here: env_add = ["FAKE_API_KEY"] in [providers.fake].`
	for _, c := range []struct {
		name   string
		change func(*acp.Config)
		want   bool
	}{
		{"of the preset", func(c *acp.Config) { c.Keys = []string{"FAKE_API_KEY"} }, true},
		{"named by the agent", func(c *acp.Config) { c.Set["FAKE_AGENT"] = "names a key" }, true},
		{"not named", func(*acp.Config) {}, false},
		{"passed", func(c *acp.Config) { c.Keys, c.EnvAdd = []string{"FAKE_API_KEY"}, []string{"FAKE_API_KEY"} }, false},
	} {
		config := configOf(t, "signed out")
		c.change(&config)
		f := speak(t.Context(), newProvider(t, config, withKey(t)), ada, turnOf(1), &ground{}, "say Hello.").failure(t)
		if got := strings.HasSuffix(f.Remedy, hint); got != c.want || f.Kind != agents.KindAuth {
			t.Errorf("%s: %q", c.name, f.Remedy)
		}
	}
}

func TestConfig_namesWhatIsWrong(t *testing.T) {
	t.Parallel()
	x := acp.Preset{Command: []string{"x"}}
	const loads = " changes what programs load or run; remove it, or set it in a script of your own that command names"
	for _, c := range []struct {
		config acp.Config
		want   string
	}{
		{acp.Config{}, "command: give the program of the agent, such as [\"opencode\", \"acp\"]"},
		{acp.Config{Preset: acp.Preset{Command: []string{"~/x"}}}, "command: no shell reads it: write the home folder out"},
		{acp.Config{Preset: acp.Preset{Command: []string{"./x"}}}, "command: name a program on PATH, or give its whole path"},
		{acp.Config{Preset: x, Env: []string{"A", "B=sk-1"}}, "env[1]: is not the name of a variable"},
		{acp.Config{Preset: x, Env: []string{"LD_PRELOAD", "NODE_EXTRA_CA_CERTS"}}, "env[0]: LD_PRELOAD" + loads},
		{acp.Config{Preset: x, Env: []string{"DYLD_INSERT_LIBRARIES"}}, "env[0]: DYLD_INSERT_LIBRARIES" + loads},
		{acp.Config{Preset: x, Env: []string{"NODE_OPTIONS"}}, "env[0]: NODE_OPTIONS" + loads},
		{acp.Config{Preset: x, Env: []string{"PYTHONPATH"}}, "env[0]: PYTHONPATH" + loads},
		{acp.Config{Preset: x, Env: []string{"BASH_ENV"}}, "env[0]: BASH_ENV" + loads},
		{acp.Config{Preset: x, Env: []string{"GIT_SSH_COMMAND"}}, "env[0]: GIT_SSH_COMMAND" + loads},
		{acp.Config{Preset: x, EnvAdd: []string{"A KEY"}}, "env_add[0]: is not the name of a variable"},
		{acp.Config{Preset: x, Silent: -1}, "timeouts.idle: -1ns is less than nothing"},
		{acp.Config{Preset: x, Env: acp.DefaultEnv()}, "<nil>"},
		{acp.Config{Preset: acp.Preset{Command: []string{"x", "--acp"}}, Env: []string{"A"}}, "<nil>"},
	} {
		if got := fmt.Sprint(c.config.Validate()); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.config, got, c.want)
		}
	}
}

// The user sees that a program is starting until it was asked.
func TestStreamTurn_saysUntilWhenItsProgramStarts(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	for n := range 2 {
		s := speak(t.Context(), p, ada, turnOf(n+1), &ground{}, "say Hello.")
		if s.wants(t, "Hello."); !slices.Equal(s.starting, []string{"fake", ""}) {
			t.Errorf("starting %q", s.starting)
		}
	}
}
