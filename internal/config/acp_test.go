package config_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents/openai"
	"roundtable/internal/config"
)

// noneLocal is an Ollama server that does not answer.
func noneLocal(context.Context, openai.Config) ([]openai.LocalModel, error) {
	return nil, errors.New("no answer")
}

// onPath finds programs by their names.
func onPath(names string) func(string) (string, error) {
	return func(program string) (string, error) {
		for _, name := range strings.Fields(names) {
			if strings.TrimSuffix(name, ".CMD") == program {
				return "/bin/" + name, nil
			}
		}
		return "", errors.New("not found")
	}
}

const (
	claudeCommand = "npm install -g --omit=optional @agentclientprotocol/claude-agent-acp@0.101.0 --cpu=none"
	bothCommand   = "npm install -g --omit=optional @agentclientprotocol/claude-agent-acp@0.101.0 " +
		"@agentclientprotocol/codex-acp@2.6.0 --cpu=none"
)

func TestDiscovery_findsAgentsOnPath(t *testing.T) {
	for _, tt := range []struct {
		name, onPath, candidates, findings string
		unseated                           config.Unseated
	}{
		{"none", "", "", "Agents such as opencode, gemini: none found", config.Unseated{}},
		{
			"two", "gemini opencode", "gemini-acp opencode-acp",
			"Agents: gemini, opencode found: sign-in is checked when they are asked",
			config.Unseated{},
		},
		{"an adapter alone", "codex-acp", "codex-acp", "Agents: codex found: sign-in is checked when it is asked", config.Unseated{}},
		{
			"one of two has it", "claude claude-agent-acp codex npm", "claude-acp",
			"Agents: claude found: sign-in is checked when it is asked",
			config.Unseated{
				"codex is on the PATH; one command makes it a seat",
				"npm install -g --omit=optional @agentclientprotocol/codex-acp@2.6.0 --cpu=none", "Node 20 or later and 22 MB",
			},
		},
		{
			"a script of Windows, which Node cannot start", "claude.CMD codex npm", "", "",
			config.Unseated{
				"claude and codex are on the PATH; one command makes them seats",
				"npm install -g @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0",
				"Node 22 or later and 859 MB",
			},
		},
		{
			"no node", "claude", "", "",
			config.Unseated{
				"claude is on the PATH; one command makes it a seat", claudeCommand,
				"Node 22 or later with npm, which is not on the PATH, and 80 MB",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := config.Discovery{Now: time.Now, Env: unset, Ollama: noneLocal, LookPath: onPath(tt.onPath)}
			found := d.Look(t.Context())
			var candidates, findings []string
			for _, c := range found.Candidates {
				candidates = append(candidates, c.Profile.Provider)
				if gemini := c.Profile.Provider == "gemini-acp"; gemini != (c.Note == "gemini needs an API key or a company licence") {
					t.Errorf("%s: %q", c.Profile.Provider, c.Note)
				}
				if !c.Profile.Loop || c.Asks == "" {
					t.Errorf("%s is not offered as a program", c.Profile.Provider)
				}
			}
			for _, f := range found.Findings[2:] {
				findings = append(findings, f.What+": "+f.Result)
			}
			if got := strings.Join(candidates, " "); got != tt.candidates {
				t.Errorf("candidates %q, want %q", got, tt.candidates)
			}
			if got := strings.Join(findings, "; "); got != tt.findings {
				t.Errorf("findings %q, want %q", got, tt.findings)
			}
			if diff := cmp.Diff(tt.unseated, found.Unseated); diff != "" {
				t.Error(diff)
			}
			d.OnlyLocal = true
			if found := d.Look(t.Context()); found.Unseated != (config.Unseated{}) {
				t.Errorf("with only_local: %s", found.Unseated)
			}
		})
	}
}

// An agent that the file starts by a command of its own needs no adapter.
func TestUnseated_leavesOutWhatHasACommand(t *testing.T) {
	for table, want := range map[string]string{
		"": bothCommand,
		"[providers.mine]\nkind = \"acp\"\npreset = \"codex\"\n":                             bothCommand,
		"[providers.mine]\nkind = \"acp\"\npreset = \"codex\"\ncommand = [\"my-adapter\"]\n": claudeCommand,
		"[defaults]\nonly_local = true\n":                                                    "",
	} {
		if got := parsed(t, table).Unseated(onPath("claude codex npm")).Command; got != want {
			t.Errorf("%q: %q, want %q", table, got, want)
		}
	}
}

func TestACP_profilesKnowHowTheirModelNamesOurTools(t *testing.T) {
	for table, want := range map[string]string{
		`preset = "claude"`: "mcp__roundtable_seat__", `preset = "qwen"`: "mcp__roundtable_seat__", `preset = "gemini"`: "mcp_roundtable_seat_",
		`preset = "opencode"`: "roundtable_seat_", `preset = "copilot"`: "roundtable_seat-", `preset = "codex"`: "", `command = ["x"]`: "",
	} {
		cfg := parsed(t, "[providers.one]\nkind = \"acp\"\n"+table+
			"\n[[agents]]\nid = \"olive\"\nprovider = \"one\"\nmodel = \"m\"\n")
		if got := cfg.Agent("olive").ToolPrefix; got != want {
			t.Errorf("%s: got %q, want %q", table, got, want)
		}
	}
}

func TestACP_presetsAreChecked(t *testing.T) {
	for table, want := range map[string]string{
		`preset = "opencode"`: "",
		`preset = "opncode"`:  `providers.one.preset: "opncode" is not an agent that is known`,
		`env = ["PATH"]`:      "providers.one.command: give the program of the agent",
		"preset = \"claude\"\nenv_add = [\"MY_KEY\", \"sk-canary 1\"]":  "providers.one.env_add[1]: is not the name of a variable",
		"preset = \"claude\"\nenv_add = [\"MY_KEY\", \"NODE_OPTIONS\"]": "providers.one.env_add[1]: NODE_OPTIONS changes what programs load or run",
		"preset = \"claude\"\nenv = [\"\"]\nenv_add = [\"\", \"LD_X\"]": "providers.one.env_add[1]: LD_X changes",
	} {
		checkParse(t, "[providers.one]\nkind = \"acp\"\n"+table+"\n", want)
	}
	checkParse(t, "[providers.one]\npreset = \"openai\"\nenv_add = [\"MINE\"]\n", `providers.one.env_add: needs kind = "acp"`)
}

// A variable of env_add is a key, and the form of a new debate says that the commands of the agent can read it.
func TestACP_envAddIsAKeyThatCommandsCanRead(t *testing.T) {
	cfg := parsed(t, "[providers.one]\nkind = \"acp\"\npreset = \"claude\"\nenv_add = [\"MY_KEY\", \"OTHER\"]\n"+
		"[[agents]]\nid = \"olive\"\nprovider = \"one\"\nmodel = \"default\"\n")
	if !config.HoldsKey(cfg, "MY_KEY") || config.HoldsKey(cfg, "THIRD") {
		t.Error("a variable of env_add is no key, or another one is")
	}
	if all := cfg.Candidates(unset); len(all) != 1 || !strings.HasSuffix(all[0].Asks, "; its commands can read MY_KEY and OTHER") {
		t.Errorf("got %+v", all)
	}
}
