package config_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/catalog"
	"roundtable/internal/config"
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

// What was proposed is recalled as it was, whatever has come since; only what cannot be had is
// replaced, and by nothing dearer.
func TestRecall_replacesOnlyWhatIsGone(t *testing.T) {
	keys := map[string]string{"OPENAI_API_KEY": "k", "OPENROUTER_API_KEY": "k"}
	failing := config.List{Err: errors.New("HTTP 502")}
	for name, c := range map[string]struct {
		vars  map[string]string
		lists map[string]config.List
		local []openai.LocalModel
		only  bool
		named []config.Proposed
		want  string
		gone  string
	}{
		"a newer one has come": {
			keys,
			map[string]config.List{"openai": listing("gpt-6.1-sol 10", "gpt-7-sol 24")},
			nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-6.1-sol"}, {Provider: "openai", Model: "gpt-6.1-sol"}},
			"openai gpt-6.1-sol, openai gpt-6.1-sol", "",
		},
		"the server gives no list today": {
			keys,
			map[string]config.List{"openrouter": failing},
			nil, false,
			[]config.Proposed{{Provider: "openrouter", Model: "acme/brand-new"}},
			"openrouter acme/brand-new", "",
		},
		"it retires soon": {
			keys,
			map[string]config.List{"openai": listing("~gpt-6.1-sol 10", "gpt-7-sol 9")},
			nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-6.1-sol"}},
			"openai gpt-6.1-sol", "",
		},
		"it is past its day, and the next of its maker is dearer": {
			map[string]string{"OPENAI_API_KEY": "k"},
			map[string]config.List{"openai": listing("!gpt-6.1-sol 10", "gpt-7-sol 24", "gpt-6.3-terra 9")},
			nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-6.1-sol", PriceOut: usd(10)}},
			"openai gpt-6.3-terra",
			"gpt-6.1-sol of openai: no longer offered since 10 Dec; nearest: gpt-7-sol",
		},
		"the catalogue says so": {
			keys, nil, nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-5-mini", PriceOut: usd(2)}, {Provider: "openai", Model: "gpt-6.1-sol"}},
			"openai gpt-6.1-sol, ", "gpt-5-mini of openai: no longer offered since 11 Dec; nearest: gpt-5.4-mini",
		},
		"it costs more than is proposed to anyone": {
			map[string]string{"OPENROUTER_API_KEY": "k"},
			map[string]config.List{"openrouter": listing("acme/big 30", "beta/two 2")},
			nil, false,
			[]config.Proposed{{Provider: "openrouter", Model: "acme/big"}},
			"openrouter beta/two",
			"acme/big of openrouter: it costs $30.00 per million tokens of answer now",
		},
		"the server states its price per token, which is no other": {
			map[string]string{"OPENAI_API_KEY": "k"},
			map[string]config.List{"openai": listing("gpt-6.1-sol 10.000000000000002")},
			nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-6.1-sol", PriceOut: usd(10)}},
			"openai gpt-6.1-sol", "",
		},
		"its price has risen": {
			map[string]string{"OPENROUTER_API_KEY": "k"},
			map[string]config.List{"openrouter": listing("acme/big 21", "acme/big-small 1", "beta/two 2")},
			nil, false,
			[]config.Proposed{{Provider: "openrouter", Model: "acme/big", PriceOut: usd(20)}},
			"openrouter beta/two",
			"acme/big of openrouter: it costs $21.00 per million tokens of answer now",
		},
		"its key is not set": {
			map[string]string{"OPENROUTER_API_KEY": "k"},
			map[string]config.List{"openrouter": listing("openai/gpt-6.1-sol 10")},
			nil, false,
			[]config.Proposed{{Provider: "openai", Model: "gpt-6.1-sol", PriceOut: usd(10)}},
			"openrouter openai/gpt-6.1-sol",
			"gpt-6.1-sol of openai: OPENAI_API_KEY is not set",
		},
		"another local model is loaded": {
			nil, nil,
			[]openai.LocalModel{
				{Name: "a:1b", Size: 50, Chat: true, Loaded: true},
				{Name: "b:1b", Size: 49, Chat: true},
				{Name: "c:1b", Size: 48, Chat: true},
				{Name: "d:1b", Size: 47, Chat: true},
				{Name: "e:1b", Size: 46, Chat: true},
			},
			false,
			[]config.Proposed{{Provider: "ollama", Model: "e:1b", PriceOut: usd(0)}},
			"ollama e:1b", "",
		},
		"a local one was removed, and paid ones are found": {
			keys, nil,
			[]openai.LocalModel{{Name: "a:1b", Size: 5, Chat: true}},
			false,
			[]config.Proposed{{Provider: "ollama", Model: "gone:1b", PriceOut: usd(0)}},
			"ollama a:1b", "gone:1b of ollama: its server does not list it",
		},
		"nothing may leave this machine": {
			keys, nil, nil, true,
			[]config.Proposed{{Provider: "openai", Model: "gpt-6.1-sol", PriceOut: usd(10)}},
			"", "gpt-6.1-sol of openai: not on this machine",
		},
		"a program that was removed": {
			keys, nil, nil, false,
			[]config.Proposed{{Provider: "claude-acp", Model: "default"}},
			"",
			"default of claude-acp: it was not found again",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := config.Discovery{
				Catalog: catalog.Load(), Now: func() time.Time { return decemberTwelfth }, OnlyLocal: c.only,
				Env:    func(name string) (string, bool) { v, ok := c.vars[name]; return v, ok },
				Listed: func(provider string) config.List { return c.lists[provider] },
				Ollama: func(context.Context, openai.Config) ([]openai.LocalModel, error) { return c.local, nil },
			}
			seats, gone := d.Recall(d.Look(t.Context()), c.named)
			got := modelsOf(seats)
			if got != c.want && (!strings.HasSuffix(c.want, ", ") || !strings.HasPrefix(got, c.want)) {
				t.Errorf("seats %q, want %q", got, c.want)
			}
			if strings.Join(gone, "; ") != c.gone {
				t.Errorf("gone %q, want %q", gone, c.gone)
			}
		})
	}
}

// Whatever the file holds, what is asked is what it names, and what takes a place costs no more
// than what it replaces.
func TestRecall_isNeverDearer(t *testing.T) {
	dir := t.TempDir()
	now := func() time.Time { return decemberTwelfth }
	env := func(name string) (string, bool) { return "k", name == "OPENROUTER_API_KEY" }
	cfg := config.Default().WithLists(config.NewLists(env, dir, now))
	prices := map[string]float64{"a/one": 3, "b/two": 25, "c/three": 26, "d/four": 0.5, "openai/gpt-6.1-sol": 11, "e/five-pro": 600}
	var names []string
	for name, price := range prices {
		names = append(names, fmt.Sprint(name, " ", price))
	}
	list := listing(append(names, "f/six")...)
	d := config.Discovery{Catalog: catalog.Load(), Now: now, Env: env, Listed: func(provider string) config.List {
		return map[string]config.List{"openrouter": list}[provider]
	}}
	found := d.Look(t.Context())
	seat := rapid.Custom(func(t *rapid.T) string {
		strange := []string{"gone/x", "f/six", "\x1b[2J", "", strings.Repeat("x", 300)}
		model := rapid.SampledFrom(append(strange, slices.Sorted(maps.Keys(prices))...)).Draw(t, "model")
		return fmt.Sprintf(`{"provider":%q,"model":%q,"price_out":%s}`, rapid.SampledFrom([]string{"openrouter", "openai", "zz"}).Draw(t, "provider"),
			model, rapid.SampledFrom([]string{"null", "0", "2", "25", "9999", "-1", `"x"`}).Draw(t, "price"))
	})
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(seat, 0, 12), func(all []string) string {
			return "[" + strings.Join(all, ",") + "]"
		})).Draw(t, "content")
		if err := os.WriteFile(filepath.Join(dir, "found.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		named, err := cfg.Proposal()
		if err != nil {
			if !errors.Is(err, config.ErrProposal) || named != nil {
				t.Fatalf("%v, %v", named, err)
			}
			return
		}
		seats, gone := d.Recall(found, named)
		if len(gone) == 0 && len(seats) != len(named) || len(seats) > len(named) {
			t.Fatalf("%d seats of %d, gone %q", len(seats), len(named), gone)
		}
		limit := 0.0 // of what is named
		for _, n := range named {
			limit = max(limit, priceOf(n, prices))
		}
		for i, s := range seats {
			if len(gone) == 0 && (s.Profile.Model != named[i].Model || s.Profile.Provider != named[i].Provider) {
				t.Fatalf("%s runs for %s", s.Profile.Model, named[i].Model)
			}
			if p := s.Profile.PriceOut; p != nil && (*p > limit || *p > catalog.MaxProposed) {
				t.Fatalf("%s for %g is dearer than %g", s.Profile.Model, *p, limit)
			}
		}
	})
}

// priceOf returns what a model cost when it was named, or what it costs now if that is less.
func priceOf(n config.Proposed, prices map[string]float64) float64 {
	price, known := prices[n.Model]
	switch known = known && n.Provider == "openrouter"; {
	case n.PriceOut == nil:
		return map[bool]float64{true: price}[known]
	case known:
		return min(price, *n.PriceOut)
	}
	return *n.PriceOut
}

func TestProposal_isKeptWithItsSteps(t *testing.T) {
	m := &machine{dir: filepath.Join(t.TempDir(), "lists"), day: decemberTwelfth, vars: map[string]string{"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}}
	if _, err := m.config(config.Default()).Proposal(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before there is one: %v", err)
	}
	cfg := m.config(config.Default())
	d := config.Discovery{Catalog: catalog.Load(), Now: m.now, Env: m.env, Listed: cfg.Listed}
	if err := cfg.KeepProposal(d.Look(t.Context()).Candidates[:3]); err != nil {
		t.Fatal(err)
	}
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
