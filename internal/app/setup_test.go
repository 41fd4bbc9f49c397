package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/testing/must"
	"roundtable/tui/setup"
)

func loadConfig(t *testing.T, path string) config.Config {
	t.Helper()
	return must.Get(config.Load(path))(t)
}

// exampleConfig returns the example configuration.
func exampleConfig(t *testing.T) []byte {
	t.Helper()
	return must.Get(os.ReadFile("../../config.example.toml"))(t)
}

func parseConfig(t *testing.T, text string) config.Config {
	t.Helper()
	return must.Get(config.Parse("c.toml", []byte(text)))(t)
}

// goodConfig returns a small configuration of two seats.
func goodConfig(t *testing.T) string {
	t.Helper()
	raw := must.Get(os.ReadFile("../config/testdata/good.toml"))(t)
	return string(raw)
}

// seats writes an offer's seats as [x] for who sits and [ ] for who does not.
func seats(o setup.Options) string {
	var lines []string
	for _, s := range o.Seats {
		box := "[ ]"
		if s.Chosen {
			box = "[x]"
		}
		line := strings.Join([]string{box, string(s.Profile.ID), s.Profile.Provider, s.Profile.Model}, " ")
		if s.Problem != "" {
			line += " ! " + s.Problem
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// local is a model of a local server.
func local(name string, size int64) openai.LocalModel {
	return openai.LocalModel{Name: name, Size: size, Chat: true}
}

func TestOffer_isMadeOfWhatIsFound(t *testing.T) {
	example := exampleConfig(t)
	mixed := parseConfig(t, strings.Replace(goodConfig(t), "[panels.default]",
		"[[agents]]\nid = \"cy\"\nprovider = \"local\"\nmodel = \"llama3.1\"\n[providers.local]\npreset = \"ollama\"\n[panels.default]", 1))
	for _, c := range []struct {
		name  string
		setup app.Setup
		want  string
		first bool
		from  string
	}{
		{"nothing: no seat", app.Setup{}, "", true, ""},
		{"an empty key is no key", app.Setup{Env: map[string]string{"OPENAI_API_KEY": " "}}, "", true, ""},
		{
			"a key is not used where nothing may leave this machine",
			app.Setup{
				Config: config.Config{Defaults: config.Defaults{OnlyLocal: true}}, Env: map[string]string{"OPENAI_API_KEY": "k"},
				Ollama: []openai.LocalModel{local("qwen3:4b", 3)},
			},
			"[x] ada ollama qwen3:4b\n[x] brook ollama qwen3:4b\n[x] cleo ollama qwen3:4b", false, "ollama",
		},
		{
			"one key fills three seats",
			app.Setup{Env: map[string]string{"OPENAI_API_KEY": "k"}},
			"[x] ada openai gpt-6.1-sol\n[x] brook openai gpt-6.1-sol\n[x] cleo openai gpt-6.1-sol", false, "1 key",
		},
		{
			"two keys of one model each fill two seats",
			app.Setup{Env: map[string]string{"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}},
			"[x] ada openai gpt-6.1-sol\n[x] brook anthropic claude-sonnet-5-5", false, "2 keys",
		},
		{
			"a local server's models",
			app.Setup{Ollama: []openai.LocalModel{local("llama3.1:8b", 5), {Name: "nomic", Size: 1}, local("qwen3:4b", 3)}},
			"[x] ada ollama llama3.1:8b\n[x] brook ollama llama3.1:8b\n[x] cleo ollama llama3.1:8b\n[ ] dee ollama qwen3:4b", false, "ollama",
		},
		{
			"a local server and a key",
			app.Setup{Ollama: []openai.LocalModel{local("qwen3", 3), local("llama3.1", 5)}, Env: map[string]string{"MISTRAL_API_KEY": "k"}},
			"[x] ada mistral mistral-large-latest\n[x] brook ollama llama3.1\n[ ] cleo ollama qwen3", false, "ollama, 1 key",
		},
		{
			"a config without agents looks around too",
			app.Setup{Configured: true, Env: map[string]string{"OPENAI_API_KEY": "k"}},
			"[x] ada openai gpt-6.1-sol", false, "1 key",
		},
		{
			"the config's panel",
			app.Setup{Configured: true, Config: mixed, Env: map[string]string{"OPENAI_API_KEY": "k"}},
			"[x] ada openai gpt-5-mini\n[x] brook openai gpt-5-mini\n[ ] cy local llama3.1", false, "",
		},
		{
			"a missing key keeps its seats empty",
			app.Setup{Configured: true, Config: mixed},
			"[ ] ada openai gpt-5-mini ! set OPENAI_API_KEY\n[ ] brook openai gpt-5-mini ! set OPENAI_API_KEY\n[ ] cy local llama3.1", false, "",
		},
		{"named agents, in their order", app.Setup{
			Configured: true, Config: mixed, Agents: []string{"cy", " ada"},
			Env: map[string]string{"OPENAI_API_KEY": "k"},
		}, "[x] cy local llama3.1\n[x] ada openai gpt-5-mini\n[ ] brook openai gpt-5-mini", false, ""},
		{"the demo by name", app.Setup{Configured: true, Config: mixed, Panel: "demo"}, "[x] ada demo scripted-1", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.setup.Example = example
			o := must.Get(c.setup.Offer(t.Context()))(t)
			if got := seats(o); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
				t.Errorf("seats:\n%s\nwant:\n%s", got, c.want)
			}
			if o.FirstStart != c.first || o.Sources != c.from {
				t.Errorf("first start %v, sources %q; want %v, %q", o.FirstStart, o.Sources, c.first, c.from)
			}
			if err := (debate.Session{
				Mode:  o.Demo.Mode,
				Seats: o.Demo.Seats,
			}).Mode.CheckPanel(o.Demo.Seats); err != nil || o.Demo.Topic == "" {
				t.Errorf("the demo cannot be played: %v", err)
			}
		})
	}
}

// The variable that a seat lacks is the one that its provider would be asked with.
func TestOffer_namesTheVariableThatTheProviderReads(t *testing.T) {
	for text, want := range map[string]string{
		"preset = \"openai\"": "set OPENAI_API_KEY",
		"preset = \"openai\"\nbase_url = \"https://api.openai.com/v1\"":                              "set OPENAI_API_KEY",
		"preset = \"openai\"\nbase_url = \"https://llm.example.com/v1\"":                             "",
		"preset = \"openai\"\nbase_url = \"https://llm.example.com/v1\"\napi_key_env = \"WORK_KEY\"": "set WORK_KEY",
		"preset = \"openai\"\napi_key_command = [\"pass\"]":                                          "",
		"preset = \"ollama\"": "",
	} {
		cfg := parseConfig(t, strings.Replace(goodConfig(t), `preset = "openai"`, text, 1))
		o, err := app.Setup{Configured: true, Config: cfg, Example: exampleConfig(t)}.Offer(t.Context())
		if err != nil || o.Seats[0].Problem != want {
			t.Errorf("%s: got %q, %v, want %q", text, o.Seats[0].Problem, err, want)
		}
	}
}

func TestOffer_saysWhereItLooked(t *testing.T) {
	o := must.Get(app.Setup{
		Example: exampleConfig(t),
		Config:  config.Config{Context: config.Context{Caps: ledger.DefaultCaps}},
	}.Offer(t.Context()))(t)
	if want := "OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY and 6 more"; o.Found[0].What != want || o.Found[0].OK {
		t.Errorf("got %+v, want %s", o.Found[0], want)
	}
	if o.Found[1].Result != "no answer" || o.Found[2].Result != "none (optional)" {
		t.Errorf("got %+v", o.Found[1:])
	}
	written := filepath.Join(t.TempDir(), "config.toml")
	must.Do(t, os.WriteFile(written, nil, 0o600))
	unset := config.Config{Context: config.Context{Caps: ledger.DefaultCaps}}
	again, err := app.Setup{Config: unset, Example: exampleConfig(t), Path: written}.Offer(t.Context())
	if err != nil || again.Found[2].Result != "found, read at the next start" || !again.Found[2].OK {
		t.Errorf("a config that was written since: %+v, %v", again.Found[2], err)
	}
	if o.Caps != ledger.DefaultCaps {
		t.Errorf("caps %+v", o.Caps)
	}
}

func TestOffer_saysWhereTheTextGoesByTheEnvironment(t *testing.T) {
	s := app.Setup{
		Example: exampleConfig(t), Ollama: []openai.LocalModel{{Name: "llama3.1", Chat: true}},
		Env: map[string]string{
			"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://gate.example.com/v1", "XAI_API_KEY": "k",
			"OLLAMA_HOST": "box.example.com",
		},
	}
	o := must.Get(s.Offer(t.Context()))(t)
	want := map[string]string{"openai": "gate.example.com", "xai": "xAI", "ollama": "box.example.com"}
	for _, seat := range o.Seats {
		if seat.Company != want[seat.Profile.Provider] || seat.Local {
			t.Errorf("text of %s goes to %q, local %t", seat.Profile.Provider, seat.Company, seat.Local)
		}
	}
	if o.Found[1].What != "Ollama at box.example.com:11434" {
		t.Errorf("it asked %s", o.Found[1].What)
	}
}
