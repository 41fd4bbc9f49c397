package config_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/config"
	"roundtable/internal/testing/must"
)

// Who reads an answer is named as in the form of a new debate.
func TestRecipient_isACompanyOrThisMachine(t *testing.T) {
	cfg := must.Get(config.Parse("c.toml", []byte("[providers.work]\npreset = \"openai\"\n[providers.proxy]\npreset = \"openai\"\n"+
		"base_url = \"https://gate.example.com/v1\"\n[providers.box]\nbase_url = \"http://127.0.0.1:8080/v1\"\n")))(t)
	for provider, want := range map[string]string{
		"work": "OpenAI", "anthropic": "Anthropic", "gemini": "Google", "proxy": "gate.example.com", "unknown": "unknown",
		"box": "box, here", "ollama": "ollama, here", "demo": "demo, here",
		"xai": "gate.example.com", "groq": "groq, here",
	} {
		name, here := cfg.Recipient(provider, func(name string) (string, bool) {
			address, ok := map[string]string{
				"XAI_BASE_URL": "https://gate.example.com/v1", "GROQ_BASE_URL": "localhost:99/v1", "GEMINI_BASE_URL": " ",
			}[name]
			return address, ok
		})
		if here {
			name += ", here"
		}
		if name != want {
			t.Errorf("%s: %q, want %q", provider, name, want)
		}
	}
}

// The variable of a preset moves its provider wherever it is used: in a table without an
// address, and without a table.
func TestWithEnvironment_movesProvidersThatNameNoAddress(t *testing.T) {
	vars := map[string]string{"OLLAMA_HOST": "box.example.com", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
	env := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	cfg := must.Get(config.Parse("c.toml", []byte("[providers.work]\npreset = \"openai\"\n[providers.own]\npreset = \"openai\"\n"+
		"base_url = \"https://gate.example.com/v1\"\n[providers.local]\npreset = \"ollama\"\n")))(t)
	for provider, want := range map[string]string{
		"work": "work, here", "own": "gate.example.com", "local": "box.example.com", "ollama": "box.example.com", "openai": "openai, here",
	} {
		name, here := cfg.Recipient(provider, env)
		if here {
			name += ", here"
		}
		if name != want {
			t.Errorf("%s: %q, want %q", provider, name, want)
		}
	}
	vars = map[string]string{"VLLM_BASE_URL": "http://127.0.0.1:9/v1"}
	if got := (config.Config{}).Usable(env); !slices.Equal(got, []string{"ollama", "vllm"}) {
		t.Errorf("without a file %q are asked", got)
	}
}

func TestLook_offersLoadedModelsThenThoseThatFitTogether(t *testing.T) {
	for name, c := range map[string]struct {
		models []openai.LocalModel
		want   string // model, window; a spare one in brackets
	}{
		"none loaded: what fits beside others comes first": {[]openai.LocalModel{
			{Name: "huge", Size: 40, Chat: true},
			{Name: "large", Size: 18, Chat: true},
			{Name: "small", Size: 5, Chat: true},
		}, "large 0, small 0, (huge 0)"},
		"the loaded one comes first": {[]openai.LocalModel{
			{Name: "large", Size: 18, Chat: true},
			{Name: "small", Size: 5, Chat: true, Loaded: true, Window: 65536},
		}, "small 65536, (large 0)"},
		"what cannot answer is not offered": {[]openai.LocalModel{{Name: "embedder", Size: 1}, {Name: "only", Size: 5, Chat: true}}, "only 0"},
	} {
		var asked string
		d := config.Discovery{
			Now: time.Now,
			Env: func(name string) (string, bool) { return "box", name == "OLLAMA_HOST" },
			Ollama: func(_ context.Context, server openai.Config) ([]openai.LocalModel, error) {
				asked = server.BaseURL
				return c.models, nil
			},
		}
		var got []string
		for _, x := range d.Look(t.Context()).Candidates {
			line := fmt.Sprint(x.Profile.Model, " ", x.Profile.ContextWindow)
			if x.Spare {
				line = "(" + line + ")"
			}
			got = append(got, line)
		}
		if strings.Join(got, ", ") != c.want || asked != "http://box:11434/v1" {
			t.Errorf("%s: %s of %s, want %s", name, strings.Join(got, ", "), asked, c.want)
		}
	}
}

func TestRetires_saysSoBeforeAndAfter(t *testing.T) {
	cfg := must.Get(config.Parse("c.toml", []byte("[providers.openai]\npreset = 'openai'\n[providers.anthropic]\npreset = 'anthropic'\n"+
		"[[agents]]\nid = 'ada'\nprovider = 'openai'\nmodel = 'gpt-5-mini'\n"+
		"[[agents]]\nid = 'brook'\nprovider = 'anthropic'\nmodel = 'claude-sonnet-5-5'\n"+
		"[providers.mine]\nbase_url = 'https://mine.example/v1'\npreset = 'openai'\n"+
		"[[agents]]\nid = 'cleo'\nprovider = 'mine'\nmodel = 'gpt-5-mini'\n")))(t)
	for day, want := range map[string]string{
		"2026-12-04": "retires in 7 days (11 Dec)", "2026-12-11": "retires today (11 Dec)",
		"2026-12-12": "no longer offered since 11 Dec; nearest: gpt-5.4-mini",
	} {
		now := must.Get(time.Parse(time.DateOnly, day))(t)
		cfg := cfg.WithLists(config.NewLists(func(string) (string, bool) { return "", false }, "", func() time.Time { return now }))
		if got := cfg.Retires(cfg.Agents[0].Provider, cfg.Agents[0].Model); got != want {
			t.Errorf("%s: %q, want %q", day, got, want)
		}
		for _, other := range cfg.Agents[1:] {
			if got := cfg.Retires(other.Provider, other.Model); got != "" {
				t.Errorf("%s: %s %s", day, other.ID, got)
			}
		}
	}
}

// A price that changes within 30 days is said, in both directions of time, unless it is another's.
func TestReprices_saysSoThirtyDaysBefore(t *testing.T) {
	t.Parallel()
	cfg := must.Get(config.Parse("c.toml", []byte("[providers.gemini]\npreset = 'gemini'\n[providers.openrouter]\npreset = 'openrouter'\n"+
		"[providers.mine]\nbase_url = 'https://mine.example/v1'\npreset = 'gemini'\n"+
		"[[agents]]\nid = 'ada'\nprovider = 'gemini'\nmodel = 'gemini-3.8-flash'\n"+
		"[[agents]]\nid = 'ben'\nprovider = 'openrouter'\nmodel = 'google/gemini-3.8-flash'\n"+
		"[[agents]]\nid = 'cy'\nprovider = 'gemini'\nmodel = 'gemini-3.8-flash'\nprice_in = 0.75\nprice_out = 3\n"+
		"[[agents]]\nid = 'dee'\nprovider = 'mine'\nmodel = 'gemini-3.8-flash'\n"+
		"[[agents]]\nid = 'eli'\nprovider = 'gemini'\nmodel = 'gemini-3.8-flash'\nincluded = true\n"+
		"[[agents]]\nid = 'fay'\nprovider = 'gemini'\nmodel = 'gemini-3.5-flash'\n")))(t)
	for day, want := range map[string]string{
		"2026-12-01": "", "2026-12-02": "costs $1.50 / $7.50 from 1 Jan 2027", "2026-12-31": "costs $1.50 / $7.50 from 1 Jan 2027",
		"2027-01-01": "",
	} {
		now := must.Get(time.Parse(time.DateOnly, day))(t)
		late := now.Add(23*time.Hour + 59*time.Minute)
		cfg := cfg.WithLists(config.NewLists(func(string) (string, bool) { return "", false }, "", func() time.Time { return late }))
		for i, a := range cfg.Agents {
			want := want
			if i >= 3 {
				want = ""
			}
			if got := cfg.Reprices(a.Profile); got != want {
				t.Errorf("%s: %s %q, want %q", day, a.ID, got, want)
			}
		}
	}
}

// A server at an address from the environment is asked without a key: many need none.
func TestDiscovery_asksAServerThatNeedsNoKey(t *testing.T) {
	for _, c := range []struct {
		name, address string
		models        []agents.ModelInfo
		err           error
		want, finding string
	}{
		{
			"on this machine", "http://127.0.0.1:8000/v1",
			[]agents.ModelInfo{{Name: "qwen3-8b", Window: 40960}, {Name: "bge-embed"}, {Name: "gemma3:12b"}, {Name: "llama3.1:8b"}},
			nil, // the next seats come by makers
			"openai qwen3-8b 40960 free, openai llama3.1:8b 0 free, openai gemma3:12b 0 free", "OPENAI_BASE_URL, 127.0.0.1:8000: 3 models",
		},
		{
			"elsewhere", "http://box.example:8000/v1",
			[]agents.ModelInfo{{Name: "qwen3-8b"}, {Name: "phi"}},
			nil,
			"openai qwen3-8b 0 price ?, openai phi 0 price ?", "OPENAI_BASE_URL, box.example:8000: 2 models",
		},
		{"no answer", "http://127.0.0.1:8000/v1", nil, errors.New("it refused the connection"), "", "OPENAI_BASE_URL, 127.0.0.1:8000: it refused the connection"},
		{"no models", "http://127.0.0.1:8000/v1", nil, nil, "", "OPENAI_BASE_URL, 127.0.0.1:8000: no models"},
	} {
		d := config.Discovery{
			Now: time.Now,
			Env: func(name string) (string, bool) { return c.address, name == "OPENAI_BASE_URL" },
			Ollama: func(context.Context, openai.Config) ([]openai.LocalModel, error) {
				return nil, errors.New("it is not running")
			},
			Models: func(context.Context, openai.Config) ([]agents.ModelInfo, error) { return c.models, c.err },
		}
		found := d.Look(t.Context())
		var got []string
		for _, x := range found.Candidates {
			price := "price ?"
			if p := x.Profile.PriceIn; p != nil && *p == 0 {
				price = "free"
			}
			got = append(got, fmt.Sprint(x.Profile.Provider, " ", x.Profile.Model, " ", x.Profile.ContextWindow, " ", price))
			if x.Problem != "" {
				t.Errorf("%s: %s: %s", c.name, x.Profile.Model, x.Problem)
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", c.name, strings.Join(got, ", "), c.want)
		}
		if last := found.Findings[len(found.Findings)-1]; last.What+": "+last.Result != c.finding {
			t.Errorf("%s: %s: %s, want %s", c.name, last.What, last.Result, c.finding)
		}
	}
}
