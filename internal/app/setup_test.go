package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/testing/must"
	tuiscreen "roundtable/tui/screen"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

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
	return string(must.Get(os.ReadFile("../config/testdata/good.toml"))(t))
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
			if err := o.Demo.Mode.CheckPanel(o.Demo.Seats); err != nil || o.Demo.Topic == "" {
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

// Joiners that the user wrote stay in a topic and a focus.
func TestBuilder_keepsJoiners(t *testing.T) {
	t.Parallel()
	const written = "می\u200cخواهم 👩\u200d👩\u200d👧"
	b := app.NewBuilder(config.Default(), false)
	s, err := b.Build(debate.Plan{Topic: written, Panel: "demo", Rounds: 1})
	if err != nil || s.Topic != written {
		t.Errorf("the topic is %q: %v", s.Topic, err)
	}
	if focus, err := app.CheckText("focus", written, debate.MaxFocus); err != nil || focus != written {
		t.Errorf("the focus is %q: %v", focus, err)
	}
}

// formOf returns a new-debate form with an offer and a topic filled in.
func formOf(o setup.Options, mode string) *setup.Form {
	f := setup.NewForm(theme.New(theme.Options{}), time.Now)
	f.SetSize(120, 40)
	f.SetOptions(o)
	f.Prefill("So?", mode, 0)
	return f
}

// A mode of the user's own can be chosen in the form of a new debate; a faulty one
// is told there.
func TestOffer_hasTheUsersModesForTheForm(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"config.toml": goodConfig(t),
		"modes/mine.toml": `name = "mine"
summary = "as I like it"
use = "trying"
min_seats = 2
max_seats = 3
rounds = 1
order = "parallel"
first = "Begin."
later = "Go on."
last = "End."
rules = "Be brief."
`,
		"modes/bad.toml": "name = \"bad\"\nsummary = 3\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	o := must.Get(app.Setup{
		Config: must.Get(config.Load(filepath.Join(dir, "config.toml")))(t),
		Env:    map[string]string{"OPENAI_API_KEY": "k"},
	}.Offer(t.Context()))(t)
	if len(o.Faults) != 1 || !strings.Contains(o.Faults[0], "modes/bad.toml:2") || !strings.HasSuffix(o.Faults[0],
		"The mode was skipped.") {
		t.Errorf("faults %q", o.Faults)
	}
	f := formOf(o, "mine")
	if view := ansi.Strip(f.View(tuiscreen.Frame{})); !strings.Contains(view, "mine") {
		t.Errorf("the form has no mode of the user's:\n%s", view)
	}
	if s, err := f.Session(); err != nil || s.Mode.Name != "mine" || s.Mode.Rules != "Be brief." {
		t.Errorf("%v: the debate is in the mode %q", err, s.Mode.Name)
	}
}

// What the command line says of the question is in the form.
func TestOffer_hasTheQuestionOfTheCommandLine(t *testing.T) {
	o := must.Get(app.Setup{
		Config: parseConfig(t, goodConfig(t)), Panel: "demo", Options: []string{"Postgres", "SQLite"},
	}.Offer(t.Context()))(t)
	f := formOf(o, "")
	if view := ansi.Strip(f.View(tuiscreen.Frame{})); !strings.Contains(view, "one of the options") {
		t.Errorf("the form does not say it:\n%s", view)
	}
	if s, err := f.Session(); err != nil || s.Question != debate.QuestionChoice || strings.Join(s.Mode.Options, " ") != "Postgres SQLite" {
		t.Errorf("%q among %q, %v", s.Question, s.Mode.Options, err)
	}
}

// What the last debate had is offered first, all of it or nothing.
func TestOffer_whatTheLastDebateHadComesBack(t *testing.T) {
	example, price := exampleConfig(t), 80.0
	cfg := parseConfig(t, goodConfig(t))
	one, other := cfg.Agents[0], cfg.Agents[1]
	seat := func(id agents.ID, provider, model string) agents.Profile {
		return agents.Profile{ID: id, Name: strings.ToUpper(string(id)), Persona: "Doubt it.", Provider: provider, Model: model}
	}
	keys := map[string]string{"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}
	two := []agents.Profile{seat("dee", "anthropic", "claude-haiku-5-5"), seat("eli", "openai", "gpt-6.1-luna")}
	two[1].ReasoningEffort, two[1].PriceOut = "high", &price
	chosen := func(of ...agents.Profile) debate.Choice {
		return debate.Choice{
			Seats: of, Mode: "collaborative", Rounds: 5, Budget: debate.Budget{USD: 3}, Ends: debate.EndsSettled,
		}
	}
	withMode := chosen(two...)
	withMode.Mode = "gone"
	withChair := chosen(two...)
	withChair.Chair = &two[0]
	for _, c := range []struct {
		name  string
		setup app.Setup
		last  debate.Choice
		want  string // "": nothing comes back
	}{
		{
			"models that were chosen by hand, before those that are found",
			app.Setup{Env: keys},
			chosen(two...),
			"[x] dee anthropic claude-haiku-5-5\n[x] eli openai gpt-6.1-luna\n[ ] ada openai gpt-6.1-sol\n[ ] brook anthropic claude-sonnet-5-5",
		},
		{"a key is gone", app.Setup{Env: map[string]string{"OPENAI_API_KEY": "k"}}, chosen(two...), ""},
		{"a local model is not there", app.Setup{Env: keys}, chosen(two[0], seat("ada", "ollama", "qwen3:4b")), ""},
		{
			"three of one local model",
			app.Setup{Ollama: []openai.LocalModel{local("qwen3:4b", 3)}},
			chosen(seat("a", "ollama", "qwen3:4b"), seat("b", "ollama", "qwen3:4b"), seat("c", "ollama", "qwen3:4b")),
			"[x] a ollama qwen3:4b\n[x] b ollama qwen3:4b\n[x] c ollama qwen3:4b",
		},
		{"a mode is gone", app.Setup{Env: keys}, withMode, ""},
		{"the mode takes another number of seats now", app.Setup{Env: keys}, chosen(two[0]), ""},
		{"the chair is in no config", app.Setup{Env: keys}, withChair, ""},
		{"the command line says who debates", app.Setup{Env: keys, Panel: app.DemoPanel}, chosen(two...), ""},
		{
			"seats of the config in another order, one with another model",
			app.Setup{Config: cfg, Configured: true, Env: keys},
			chosen(seat(other.ID, other.Provider, other.Model), seat(one.ID, one.Provider, "gpt-6.1-luna")),
			"[x] brook openai gpt-5-mini\n[x] ada openai gpt-6.1-luna",
		},
		{
			"a seat of the config has another provider now",
			app.Setup{Config: cfg, Configured: true, Env: keys},
			chosen(seat(one.ID, "mistral", "mistral-large-latest"), seat(other.ID, other.Provider, other.Model)), "",
		},
		{
			"a seat is in the config no more",
			app.Setup{Config: cfg, Configured: true, Env: keys},
			chosen(seat("zoe", one.Provider, one.Model), seat(other.ID, other.Provider, other.Model)), "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.setup.Example, c.setup.Last = example, &c.last
			o := must.Get(c.setup.Offer(t.Context()))(t)
			if c.want == "" {
				c.setup.Last = nil
				plain, _ := c.setup.Offer(t.Context())
				if o.Last != nil || o.Mode != plain.Mode || o.Rounds != plain.Rounds || o.Budget != plain.Budget ||
					o.Ends != plain.Ends {
					t.Errorf("some of it came back: %+v, %s, %d rounds", o.Last, o.Mode, o.Rounds)
				}
				return
			}
			if o.Last == nil {
				t.Fatal("nothing came back")
			}
			if got := seats(setup.Options{Seats: o.Last.Seats}); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if o.Mode != c.last.Mode || o.Rounds != c.last.Rounds || o.Budget != c.last.Budget || o.Ends != c.last.Ends {
				t.Errorf("not all of it came back: %s, %d rounds, %v, %v", o.Mode, o.Rounds, o.Budget, o.Ends)
			}
			for i, p := range c.last.Seats {
				now := o.Last.Seats[i].Profile
				if now.ReasoningEffort != p.ReasoningEffort || !c.setup.Configured && (now.Persona != p.Persona || now.Name != p.Name) {
					t.Errorf("seat %+v was %+v", now, p)
				}
			}
		})
	}
}
