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

// Who reads an answer is named as in the form of a new debate. The variable of a preset moves its
// provider wherever it is used: in a table without an address, and without a table.
func TestRecipient_isACompanyOrThisMachine(t *testing.T) {
	cfg := parsed(t, "[providers.work]\npreset = \"openai\"\n[providers.proxy]\npreset = \"openai\"\n"+
		"base_url = \"https://gate.example.com/v1\"\n[providers.box]\nbase_url = \"http://127.0.0.1:8080/v1\"\n"+
		"[providers.local]\npreset = \"ollama\"\n")
	for _, c := range []struct {
		env  variables
		want map[string]string
	}{
		{
			variables{"XAI_BASE_URL": "https://gate.example.com/v1", "GROQ_BASE_URL": "localhost:99/v1", "GEMINI_BASE_URL": " "},
			map[string]string{
				"work": "OpenAI", "anthropic": "Anthropic", "gemini": "Google", "proxy": "gate.example.com", "unknown": "unknown",
				"box": "box, here", "ollama": "ollama, here", "demo": "demo, here", "xai": "gate.example.com", "groq": "groq, here",
			},
		},
		{
			variables{"OLLAMA_HOST": "box.example.com", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"},
			map[string]string{
				"work": "work, here", "proxy": "gate.example.com", "local": "box.example.com", "ollama": "box.example.com",
				"openai": "openai, here",
			},
		},
	} {
		for provider, want := range c.want {
			name, here := cfg.Recipient(provider, c.env.find)
			if here {
				name += ", here"
			}
			if name != want {
				t.Errorf("%s: %q, want %q", provider, name, want)
			}
		}
	}
	env := variables{"VLLM_BASE_URL": "http://127.0.0.1:9/v1"}
	if got := (config.Config{}).Usable(env.find); !slices.Equal(got, []string{"ollama", "vllm"}) {
		t.Errorf("without a file %q are asked", got)
	}
}

func TestLook_offersLoadedModelsThenThoseThatFitTogether(t *testing.T) {
	large := openai.LocalModel{Name: "large", Size: 18, Chat: true}
	for name, c := range map[string]struct {
		models []openai.LocalModel
		want   string // model, window; a spare one in brackets
		host   string
		agent  string // that is on the PATH; with one, only what is on this machine is offered
	}{
		"none loaded: what fits beside others comes first": {
			[]openai.LocalModel{{Name: "huge", Size: 40, Chat: true}, large, {Name: "small", Size: 5, Chat: true}},
			"large 0, small 0, (huge 0)", "box", "",
		},
		"the loaded one comes first": {
			[]openai.LocalModel{large, {Name: "small", Size: 5, Chat: true, Loaded: true, Window: 65536}}, "small 65536, (large 0)", "box", "",
		},
		"what cannot answer is not offered": {[]openai.LocalModel{{Name: "embedder", Size: 1}, large}, "large 0", "box", ""},
		"with only_local an agent takes no maker from it": {
			[]openai.LocalModel{{Name: "qwen3:4b", Size: 3, Chat: true}}, "qwen3:4b 0", "127.0.0.1", "qwen",
		},
	} {
		var asked string
		d := config.Discovery{
			Now: time.Now, OnlyLocal: c.agent != "", LookPath: onPath(c.agent), Env: variables{"OLLAMA_HOST": c.host}.find,
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
		if strings.Join(got, ", ") != c.want || asked != "http://"+c.host+":11434/v1" {
			t.Errorf("%s: %s of %s, want %s", name, strings.Join(got, ", "), asked, c.want)
		}
	}
}

// A model that retires and a price that changes are said of the server itself, not of another at the address of the file.
func TestRetires_saysSoBeforeAndAfter(t *testing.T) {
	t.Parallel()
	cfg := parsed(t, "[providers.openai]\npreset = 'openai'\n[providers.anthropic]\npreset = 'anthropic'\n"+
		"[providers.gemini]\npreset = 'gemini'\n[providers.openrouter]\npreset = 'openrouter'\n"+
		"[providers.mine]\nbase_url = 'https://mine.example/v1'\npreset = 'gemini'\n"+
		"[providers.ours]\nbase_url = 'https://mine.example/v1'\npreset = 'openai'\n"+
		seated("openai gpt-5-mini", "anthropic claude-sonnet-5-5", "ours gpt-5-mini", "gemini gemini-3.8-flash",
			"openrouter google/gemini-3.8-flash", "gemini gemini-3.8-flash price_in = 0.75\nprice_out = 3", "mine gemini-3.8-flash",
			"gemini gemini-3.8-flash included = true", "gemini gemini-3.5-flash"))
	const change, nearest = "costs $1.50 / $7.50 from 1 Jan 2027", "no longer offered since 11 Dec; nearest: gpt-5.4-mini"
	for day, want := range map[string]struct{ first, price string }{
		"2026-12-01": {"retires in 10 days (11 Dec)", ""}, "2026-12-02": {"retires in 9 days (11 Dec)", change},
		"2026-12-11": {"retires today (11 Dec)", change}, "2026-12-12": {nearest, change}, "2026-12-31": {nearest, change},
		"2027-01-01": {"no longer offered since 11 Dec 2026; nearest: gpt-5.4-mini", ""},
	} {
		now := must.Get(time.Parse(time.DateOnly, day))(t).Add(23*time.Hour + 59*time.Minute)
		cfg := cfg.WithLists(config.NewLists(unset, "", func() time.Time { return now }))
		for i, expected := range []string{want.first, "", "", want.price, want.price, want.price, "", "", ""} {
			a := cfg.Agents[i]
			if got := cfg.Retires(a.Provider, a.Model) + cfg.Reprices(a.Profile); got != expected {
				t.Errorf("%s: %s of %s: %q, want %q", day, a.Model, a.Provider, got, expected)
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
