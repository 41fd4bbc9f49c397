package config_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/internal/testing/must"
)

// twoAgents is a configuration with comments and spacing of its own.
const twoAgents = "# mine\n[providers.local]\npreset = 'ollama' # here\n\n" +
	"[[agents]]\nid='ada'\nprovider = \"local\"\nmodel = \"llama3.1\"\n" +
	"[[agents]]\nid = \"ben\"\nprovider = \"local\"\nmodel = \"qwen3\"\n" +
	"[panels.two] # both\nagents = [\n  \"ada\", # first\n  \"ben\",\n]\nchair = \"ben\"\n"

// profilesOf returns agents of a configuration.
func profilesOf(t *testing.T, doc string, ids ...agents.ID) []agents.Profile {
	t.Helper()
	cfg := parsed(t, doc)
	var out []agents.Profile
	for _, id := range ids {
		out = append(out, *cfg.Agent(id))
	}
	return out
}

func TestAddPanel(t *testing.T) {
	price := 0.25
	found := []agents.Profile{
		{ID: "ada", Name: "Ada", Provider: "openai", Model: "gpt-5-mini", Persona: "Say \"no\".\nTwice.", PriceIn: &price, PriceOut: &price},
		{ID: "ben", Name: "Ben", Provider: "ollama", Model: "llama3.1", ExtraBody: []byte(`{"seed":7,"stop":["x"]}`)},
	}
	more := debate.Panel{Name: "more", Seats: profilesOf(t, twoAgents, "ben", "ada")}
	other := profilesOf(t, twoAgents, "ben", "ada")
	other[1].Model = "gemma3"
	inline := strings.Split(twoAgents, "[panels.two]")[0] + "[panels]\ntwo = { agents = [\"ada\", \"ben\"] }\n"
	const tail = "\n[panels.more]\nagents = ['ben', 'ada']\n"
	for _, tt := range []struct {
		name, doc string
		panel     debate.Panel
		want      string // of the file; behind "+" what is appended
		err       string
	}{
		{name: "appended", doc: twoAgents, panel: more, want: "+" + tail},
		{name: "without a line end", doc: strings.TrimSuffix(twoAgents, "\n"), panel: more, want: "+\n" + tail},
		{
			name: "line ends of Windows", doc: strings.ReplaceAll(twoAgents, "\n", "\r\n"),
			panel: more, want: "+" + strings.ReplaceAll(tail, "\n", "\r\n"),
		},
		{name: "with a byte order mark", doc: "\ufeff" + twoAgents, panel: more, want: "+" + tail},
		{
			name: "in UTF-16", doc: "\xff\xfe" + strings.Join(strings.Split(twoAgents, ""), "\x00") + "\x00",
			panel: more, want: twoAgents + tail,
		},
		{name: "chair and light model", doc: twoAgents, panel: debate.Panel{
			Name: "more", Seats: more.Seats, Chair: &profilesOf(t, twoAgents, "ada")[0],
			Light: &profilesOf(t, twoAgents, "ben")[0],
		}, want: "+" + tail + "chair = 'ada'\nlight = 'ben'\n"},
		{
			name: "another model", doc: twoAgents, panel: debate.Panel{Name: "more", Seats: other},
			want: "+\n[[agents]]\nid = 'ada-2'\nname = 'Ada 2'\nprovider = 'local'\nmodel = 'gemma3'\n\n" +
				"[panels.more]\nagents = ['ben', 'ada-2']\n",
		},
		{
			name: "no config", panel: debate.Panel{Name: "mine", Seats: found},
			want: "[defaults]\npanel = 'mine'\n\n[providers.openai]\npreset = 'openai'\n\n" +
				"[[agents]]\nid = 'ada'\nname = 'Ada'\nprovider = 'openai'\nmodel = 'gpt-5-mini'\npersona = \"Say \\\"no\\\".\\nTwice.\"\n" +
				"price_in = 0.25\nprice_out = 0.25\n\n[providers.ollama]\npreset = 'ollama'\n\n" +
				"[[agents]]\nid = 'ben'\nname = 'Ben'\nprovider = 'ollama'\nmodel = 'llama3.1'\nextra = {seed = 7.0, stop = ['x']}\n\n" +
				"[panels.mine]\nagents = ['ada', 'ben']\n",
		},
		{
			name: "an agent that was found", doc: twoAgents, panel: debate.Panel{
				Name: "more", Seats: append(profilesOf(t, twoAgents, "ben"), agents.Profile{
					ID: "cy", Name: "Cy", Provider: "opencode-acp", Model: agents.DefaultModel, Loop: true,
				}),
			},
			want: "+\n[providers.opencode-acp]\nkind = 'acp'\npreset = 'opencode'\n\n[[agents]]\nid = 'cy'\nname = 'Cy'\n" +
				"provider = 'opencode-acp'\nmodel = 'default'\n\n[panels.more]\nagents = ['ben', 'cy']\n",
		},
		{
			name: "it exists", doc: twoAgents, panel: debate.Panel{Name: "two", Seats: profilesOf(t, twoAgents, "ben", "ada")},
			err: "a panel two already",
		},
		{name: "a table that cannot be appended to", doc: inline, panel: more, want: "+" + tail},
		{name: "the name of the demo", doc: twoAgents, panel: debate.Panel{Name: demo.Name, Seats: found}, err: "reserved"},
		{name: "no name", doc: twoAgents, panel: debate.Panel{Name: "My Panel", Seats: found}, err: "is not a name"},
		{name: "one seat", doc: twoAgents, panel: debate.Panel{Name: "one", Seats: found[:1]}, err: "1 seat"},
		{name: "an unknown provider", doc: twoAgents, panel: debate.Panel{Name: "more", Seats: []agents.Profile{found[0], {
			ID: "cy", Name: "Cy", Provider: "elsewhere", Model: "m",
		}}}, err: "provider elsewhere"},
		{name: "a faulty file", doc: "x = 1\n", panel: debate.Panel{Name: "more", Seats: found}, err: "unknown key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var raw []byte
			if tt.doc != "" {
				raw = []byte(tt.doc)
			}
			out, err := config.AddPanel("c.toml", raw, tt.panel)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				return
			}
			must.Do(t, err)
			want := tt.want
			if added, ok := strings.CutPrefix(tt.want, "+"); ok {
				want = tt.doc + added
			}
			if string(out) != want {
				t.Errorf("the file is\n%s\nwant\n%s", out, want)
			}
			if cfg, err := config.Parse("c.toml", out); err != nil || len(cfg.Panels[tt.panel.Name].Agents) != len(tt.panel.Seats) {
				t.Errorf("it has %d agents, %v", len(cfg.Panels[tt.panel.Name].Agents), err)
			}
			if string(raw) != tt.doc {
				t.Error("the file that was given has changed")
			}
			if again, err := config.AddPanel("c.toml", out, tt.panel); err == nil || !strings.Contains(err.Error(), "already") {
				t.Errorf("again: %s, %v", again, err)
			}
		})
	}
}
