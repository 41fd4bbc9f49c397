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

// proposed is what was proposed, each "provider model" or "provider model price".
func proposed(seats ...string) (all []config.Proposed) {
	for _, s := range seats {
		f := strings.Fields(s)
		p := config.Proposed{Provider: f[0], Model: f[1]}
		if len(f) == 3 {
			p.PriceOut = new(0.0)
			fmt.Sscan(f[2], p.PriceOut)
		}
		all = append(all, p)
	}
	return all
}

// listing returns a list of models, each "name price" or "name"; "!" before it: it is past its day.
func listing(models ...string) config.List {
	var l config.List
	for _, m := range models {
		name, price, known := strings.Cut(strings.TrimPrefix(m, "!"), " ")
		info := agents.ModelInfo{Name: name}
		if known {
			var out float64
			fmt.Sscan(price, &out)
			info.PriceIn, info.PriceOut = new(out/5), &out
		}
		if m[0] == '!' {
			info.Retires = decemberTwelfth.AddDate(0, 0, -2)
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
	keys := variables{"OPENAI_API_KEY": "k", "OPENROUTER_API_KEY": "k"}
	type lists = map[string]config.List
	for name, c := range map[string]struct {
		lists lists
		local []openai.LocalModel
		only  bool
		named []config.Proposed
		want  string
		gone  string
	}{
		"a newer one has come": {
			lists: lists{"openai": listing("gpt-6.1-sol 10", "gpt-7-sol 24")}, named: proposed("openai gpt-6.1-sol", "openai gpt-6.1-sol"),
			want: "openai gpt-6.1-sol, openai gpt-6.1-sol",
		},
		"it is past its day": {
			lists: lists{"openai": listing("!gpt-6.1-sol 10", "gpt-7-sol 24", "gpt-6.3-terra 9")},
			named: proposed("openai gpt-6.1-sol 10", "openai gpt-7-sol"),
			want:  "openrouter anthropic/claude-sonnet-5.5, openai gpt-7-sol", gone: "gpt-6.1-sol of openai: it is not found any more",
		},
		"the catalogue says so": {
			named: proposed("openai gpt-5-mini 2", "openai gpt-6.1-sol"),
			want:  "openrouter qwen/qwen3.7-plus, openai gpt-6.1-sol", gone: "gpt-5-mini of openai: it is not found any more",
		},
		"it costs more than is proposed to anyone": {
			lists: lists{"openrouter": listing("acme/big 30", "beta/two 2")}, named: proposed("openrouter acme/big"),
			gone: "acme/big of openrouter: it costs $30.00 per million tokens of answer now",
		},
		"the server states its price per token, which is no other": {
			lists: lists{"openai": listing("gpt-6.1-sol 10.000000000000002")}, named: proposed("openai gpt-6.1-sol 10"),
			want: "openai gpt-6.1-sol",
		},
		"its price has risen": {
			lists: lists{"openrouter": listing("acme/big 21", "beta/two 2")}, named: proposed("openrouter acme/big 20"),
			want: "openai gpt-6.1-sol", gone: "acme/big of openrouter: it costs $21.00 per million tokens of answer now",
		},
		"what takes its seat costs no more": {
			lists: lists{"openai": listing("gpt-6.3-terra 9"), "openrouter": listing("beta/two 2", "gamma/new", "delta/dear 8")},
			named: proposed("openai gpt-5 4", "openai gpt-5-mini 1"), want: "openrouter beta/two",
			gone: "gpt-5 of openai: it is not found any more; gpt-5-mini of openai: it is not found any more",
		},
		"what its seat costs is not known": {
			lists: lists{"openai": listing("gpt-6.3-terra 1"), "openrouter": listing("beta/two", "gamma/cheap 1")},
			named: proposed("openrouter acme/big"), want: "openrouter beta/two", gone: "acme/big of openrouter: it is not found any more",
		},
		"one model had all seats": {
			local: []openai.LocalModel{{Name: "a:1b", Size: 50, Chat: true}}, only: true,
			named: slices.Repeat(proposed("ollama e:1b 0"), 3),
			want:  "ollama a:1b, ollama a:1b, ollama a:1b", gone: "e:1b of ollama: it is not found any more",
		},
		"another local model is loaded": {
			local: []openai.LocalModel{{Name: "a:1b", Size: 50, Chat: true, Loaded: true}, {Name: "e:1b", Size: 46, Chat: true}},
			named: proposed("ollama e:1b 0"), want: "ollama e:1b",
		},
		"nothing may leave this machine": {
			only: true, named: proposed("openai gpt-6.1-sol 10"), gone: "gpt-6.1-sol of openai: it is not found any more",
		},
		"a program that was removed": {named: proposed("claude-acp default"), gone: "default of claude-acp: it is not found any more"},
	} {
		t.Run(name, func(t *testing.T) {
			d := config.Discovery{
				Catalog: catalog.Load(), Now: func() time.Time { return decemberTwelfth }, OnlyLocal: c.only,
				Env:    keys.find,
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
	keys := variables{"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}
	m := &machine{dir: filepath.Join(t.TempDir(), "lists"), day: decemberTwelfth, vars: keys}
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
