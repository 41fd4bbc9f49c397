package config_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/catalog"
	"roundtable/internal/config"
	"roundtable/internal/testing/must"
)

func usd(v float64) *float64 { return &v }

// listing returns a list of models, each "name price" or "name"; "!" before it: it is past its day.
func listing(models ...string) config.List {
	var l config.List
	for _, m := range models {
		name, price, known := strings.Cut(strings.TrimPrefix(m, "!"), " ")
		info := agents.ModelInfo{Name: name}
		if known {
			var out float64
			fmt.Sscan(price, &out)
			info.PriceIn, info.PriceOut = usd(out/5), &out
		}
		if m[0] == '!' {
			info.Retires = decemberTwelfth.AddDate(0, 0, -2)
		}
		if m[0] == '~' {
			info.Name, info.Retires = name[1:], decemberTwelfth.AddDate(0, 0, 5)
		}
		l.Models = append(l.Models, info)
	}
	slices.SortFunc(l.Models, func(a, b agents.ModelInfo) int { return strings.Compare(a.Name, b.Name) })
	return l
}

// modelsOf writes candidates as "provider model, ...".
func modelsOf(seats []config.Candidate) string {
	var all []string
	for _, s := range seats {
		all = append(all, s.Profile.Provider+" "+s.Profile.Model)
	}
	return strings.Join(all, ", ")
}

// What was proposed is recalled as it was, whatever has come since. In the seat of a model that cannot
// be had at its price is one that costs no more.
func TestRecall_namesWhatIsGone(t *testing.T) {
	keys := map[string]string{"OPENAI_API_KEY": "k", "OPENROUTER_API_KEY": "k"}
	for name, c := range map[string]struct {
		lists map[string]config.List
		local []openai.LocalModel
		only  bool
		named []config.Proposed
		want  string
		gone  string
	}{
		"a newer one has come": {
			map[string]config.List{"openai": listing("gpt-6.1-sol 10", "gpt-7-sol 24")},
			nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-6.1-sol"}, {Provider: "openai", Model: "gpt-6.1-sol"}},
			"openai gpt-6.1-sol, openai gpt-6.1-sol", "",
		},
		"it is past its day": {
			map[string]config.List{"openai": listing("!gpt-6.1-sol 10", "gpt-7-sol 24", "gpt-6.3-terra 9")},
			nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-6.1-sol", PriceOut: usd(10)}, {Provider: "openai", Model: "gpt-7-sol"}},
			"openrouter anthropic/claude-sonnet-5.5, openai gpt-7-sol", "gpt-6.1-sol of openai: it is not found any more",
		},
		"the catalogue says so": {
			nil, nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-5-mini", PriceOut: usd(2)}, {Provider: "openai", Model: "gpt-6.1-sol"}},
			"openrouter qwen/qwen3.7-plus, openai gpt-6.1-sol", "gpt-5-mini of openai: it is not found any more",
		},
		"it costs more than is proposed to anyone": {
			map[string]config.List{"openrouter": listing("acme/big 30", "beta/two 2")},
			nil, false,
			[]config.Proposed{{Provider: "openrouter", Model: "acme/big"}},
			"", "acme/big of openrouter: it costs $30.00 per million tokens of answer now",
		},
		"the server states its price per token, which is no other": {
			map[string]config.List{"openai": listing("gpt-6.1-sol 10.000000000000002")},
			nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-6.1-sol", PriceOut: usd(10)}},
			"openai gpt-6.1-sol", "",
		},
		"its price has risen": {
			map[string]config.List{"openrouter": listing("acme/big 21", "beta/two 2")},
			nil, false,
			[]config.Proposed{{Provider: "openrouter", Model: "acme/big", PriceOut: usd(20)}},
			"openai gpt-6.1-sol", "acme/big of openrouter: it costs $21.00 per million tokens of answer now",
		},
		"what takes its seat costs no more": {
			map[string]config.List{"openai": listing("gpt-6.3-terra 9"), "openrouter": listing("beta/two 2", "gamma/new", "delta/dear 8")},
			nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-5", PriceOut: usd(4)}, {Provider: "openai", Model: "gpt-5-mini", PriceOut: usd(1)}},
			"openrouter beta/two", "gpt-5 of openai: it is not found any more; gpt-5-mini of openai: it is not found any more",
		},
		"what its seat costs is not known": {
			map[string]config.List{"openai": listing("gpt-6.3-terra 1"), "openrouter": listing("beta/two", "gamma/cheap 1")},
			nil, false,
			[]config.Proposed{{Provider: "openrouter", Model: "acme/big"}},
			"openrouter beta/two", "acme/big of openrouter: it is not found any more",
		},
		"one model had all seats": {
			nil,
			[]openai.LocalModel{{Name: "a:1b", Size: 50, Chat: true}},
			true,
			slices.Repeat([]config.Proposed{{Provider: "ollama", Model: "e:1b", PriceOut: usd(0)}}, 3),
			"ollama a:1b, ollama a:1b, ollama a:1b", "e:1b of ollama: it is not found any more",
		},
		"another local model is loaded": {
			nil,
			[]openai.LocalModel{{Name: "a:1b", Size: 50, Chat: true, Loaded: true}, {Name: "e:1b", Size: 46, Chat: true}},
			false,
			[]config.Proposed{{Provider: "ollama", Model: "e:1b", PriceOut: usd(0)}},
			"ollama e:1b", "",
		},
		"nothing may leave this machine": {
			nil, nil, true,
			[]config.Proposed{{Provider: "openai", Model: "gpt-6.1-sol", PriceOut: usd(10)}},
			"", "gpt-6.1-sol of openai: it is not found any more",
		},
		"a program that was removed": {
			nil, nil, false,
			[]config.Proposed{{Provider: "claude-acp", Model: "default"}},
			"", "default of claude-acp: it is not found any more",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := config.Discovery{
				Catalog: catalog.Load(), Now: func() time.Time { return decemberTwelfth }, OnlyLocal: c.only,
				Env:    func(name string) (string, bool) { v, ok := keys[name]; return v, ok },
				Listed: func(provider string) config.List { return c.lists[provider] },
				Ollama: func(context.Context, openai.Config) ([]openai.LocalModel, error) { return c.local, nil },
			}
			seats, gone := d.Recall(d.Look(t.Context()), c.named)
			if got := modelsOf(seats); got != c.want {
				t.Errorf("seats %q, want %q", got, c.want)
			}
			if strings.Join(gone, "; ") != c.gone {
				t.Errorf("gone %q, want %q", gone, c.gone)
			}
		})
	}
}

// Whatever the file holds, it is a panel or an error.
func TestProposal_isForeignText(t *testing.T) {
	dir := t.TempDir()
	cfg := config.Default().WithLists(config.NewLists(unset, dir, time.Now))
	for _, content := range []string{
		"", "[]", "x", `[{"provider":"openrouter","model":"\u001b[2J"}]`, `[{"provider":"","model":"m"}]`, `[{"provider":"p","model":"m","price_out":"x"}]`,
		"[" + strings.Repeat(`{"provider":"p","model":"m"},`, 20) + `{"provider":"p","model":"m"}]`,
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, "found.json"), []byte(content), 0o600))
		if named, err := cfg.Proposal(); !errors.Is(err, config.ErrProposal) || named != nil {
			t.Errorf("%s: %v, %v", content, named, err)
		}
	}
}

func TestProposal_isKeptWithItsSteps(t *testing.T) {
	m := &machine{dir: filepath.Join(t.TempDir(), "lists"), day: decemberTwelfth, vars: map[string]string{"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}}
	if _, err := m.config(config.Default()).Proposal(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before there is one: %v", err)
	}
	cfg := m.config(config.Default())
	d := config.Discovery{Catalog: catalog.Load(), Now: m.now, Env: m.env, Listed: cfg.Listed}
	must.Do(t, cfg.KeepProposal(d.Look(t.Context()).Candidates[:3]))
	panel, err := m.config(config.Default()).Proposal()
	var got []string
	for _, s := range panel {
		got = append(got, fmt.Sprintf("%s of %s for $%g, %s", s.Model, s.Provider, *s.PriceOut, s.Step))
	}
	want := "gpt-6.1-sol of openai for $10, the best of gpt; claude-sonnet-5-5 of anthropic for $10, the best of claude; " +
		"gpt-6.1-terra of openai for $5, another line of gpt"
	if err != nil || strings.Join(got, "; ") != want {
		t.Errorf("%s, %v, want %s", strings.Join(got, "; "), err, want)
	}
}
