package config_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"roundtable/agents/openai"
	"roundtable/internal/config"
)

// noneLocal is an Ollama server that does not answer.
func noneLocal(context.Context, openai.Config) ([]openai.LocalModel, error) {
	return nil, errors.New("no answer")
}

func TestDiscovery_findsAgentsOnPath(t *testing.T) {
	for _, tt := range []struct{ name, onPath, candidates, findings string }{
		{"none", "", "", "Agents such as opencode, gemini: none found"},
		{"two", "gemini opencode", "gemini-acp opencode-acp", "Agents: gemini, opencode found: sign-in is checked when they are asked"},
		{
			"no adapter", "claude opencode", "opencode-acp",
			"Agents: opencode found: sign-in is checked when it is asked" +
				"; claude has no adapter: npm install -g @agentclientprotocol/claude-agent-acp",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := config.Discovery{
				Env: func(string) (string, bool) { return "", false }, Ollama: noneLocal,
				LookPath: func(program string) (string, error) {
					for _, p := range strings.Fields(tt.onPath) {
						if p == program {
							return "/bin/" + p, nil
						}
					}
					return "", errors.New("not found")
				},
			}
			found := d.Look(t.Context())
			var candidates, findings []string
			for _, c := range found.Candidates {
				candidates = append(candidates, c.Profile.Provider)
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
		})
	}
}

func TestACP_presetsAreChecked(t *testing.T) {
	for table, want := range map[string]string{
		`preset = "opencode"`: "",
		`preset = "opncode"`:  `providers.one.preset: "opncode" is not an agent that is known`,
		`env = ["PATH"]`:      "providers.one.command: give the program of the agent",
	} {
		_, err := config.Parse("config.toml", []byte("[providers.one]\nkind = \"acp\"\n"+table+"\n"))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", table, err, want)
		}
	}
}
