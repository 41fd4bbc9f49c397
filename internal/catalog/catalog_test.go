package catalog_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"roundtable/internal/catalog"
	"roundtable/internal/config"
	"roundtable/internal/testing/must"
)

// decemberTwelfth is a day on which models that were proposed in November are gone.
var decemberTwelfth = time.Date(2026, 12, 12, 0, 0, 0, 0, time.UTC)

func TestLoad_hasModelsWithPricesForThePresets(t *testing.T) {
	table := catalog.Load()
	if table.Source.Module == "" || table.Source.Version == "" || table.Source.Date.IsZero() || len(table.Models) < 100 {
		t.Fatalf("%+v with %d models", table.Source, len(table.Models))
	}
	for _, m := range table.Models {
		if m.Window <= 0 || m.In < 0 || m.Out < 0 || m.Cached != nil && *m.Cached >= m.In {
			t.Errorf("%+v", m)
		}
	}
}

func TestNearest_isTheNewestOfTheLineOrOfTheMaker(t *testing.T) {
	for _, c := range []struct {
		gone    string
		offered []string
		want    string
	}{
		{"claude-sonnet-4-5-20250929", []string{"claude-sonnet-4-6", "claude-sonnet-5-5", "claude-opus-9"}, "claude-sonnet-5-5"},
		{"claude-sonnet-8", []string{"claude-sonnet-9", "claude-sonnet-10", "claude-sonnet-11-preview"}, "claude-sonnet-10"},
		{"gpt-5.8-sol", []string{"gpt-5.9-sol", "gpt-5.10-sol", "gpt-6-luna"}, "gpt-5.10-sol"},
		{"grok-4", []string{"grok-4.20", "grok-4.7", "grok-4.20-non-reasoning"}, "grok-4.7"},
		{"gpt-4o", []string{"gpt-6-luna", "gpt-6.2-sol", "claude-opus-9"}, "gpt-6.2-sol"}, // the line is gone
		{"gpt-4o", []string{"gpt-4o", "gpt-audio", "claude-opus-9"}, ""},
	} {
		for range 2 {
			if got := catalog.Nearest(c.gone, c.offered); got != c.want {
				t.Errorf("in place of %s of %q: %q, want %q", c.gone, c.offered, got, c.want)
			}
			slices.Reverse(c.offered)
		}
	}
}

func TestGone_beginsTheDayAfter(t *testing.T) {
	nothing := func(string) (string, bool) { return "", false }
	for _, c := range []struct {
		provider, model string
		day             string
		want            bool
		says            string
	}{
		{"openai", "gpt-5-mini", "2026-12-11T23:59:59Z", false, "retires today (11 Dec)"},
		{"openai", "gpt-5-mini", "2026-12-12T00:00:00Z", true, "no longer offered since 11 Dec"},
		{"openai", "gpt-5-nano", "2026-11-30T00:00:00Z", false, "is said to retire on 11 Dec"},
		{"openai", "gpt-5-nano", "2026-12-12T00:00:00Z", false, "was said to retire on 11 Dec"}, // by no page of its maker
		{"anthropic", "claude-sonnet-4-5", "2026-12-01T00:00:00Z", true, "no longer offered since 30 Nov"},
		{"anthropic", "claude-sonnet-4-5-20250929", "2026-12-01T00:00:00Z", true, "no longer offered since 30 Nov"},
		{"openrouter", "gpt-5-mini", "2027-12-12T00:00:00Z", false, ""},
		{"anthropic", "claude-sonnet-5-5", "2026-12-12T00:00:00Z", false, ""},
	} {
		now := must.Get(time.Parse(time.RFC3339, c.day))(t)
		cfg := config.Default().WithLists(config.NewLists(nothing, "", func() time.Time { return now }))
		if got := cfg.IsOff(c.provider, c.model); got != c.want {
			t.Errorf("%s %s on %s: gone is %v", c.provider, c.model, c.day, got)
		}
		if got := cfg.Retires(c.provider, c.model); !strings.HasPrefix(got, c.says) || c.says == "" && got != "" {
			t.Errorf("%s %s on %s: %q", c.provider, c.model, c.day, got)
		}
	}
}

// Who copies the example gets models that are offered.
func TestExample_namesModelsOfTheTable(t *testing.T) {
	raw, err := os.ReadFile("../../config.example.toml")
	must.Do(t, err)
	cfg, err := config.Parse("config.example.toml", raw)
	must.Do(t, err)
	table := catalog.Load()
	nothing := func(string) (string, bool) { return "", false }
	cfg = cfg.WithLists(config.NewLists(nothing, "", func() time.Time { return decemberTwelfth }))
	for _, a := range cfg.Agents {
		if retires := cfg.Retires(a.Provider, a.Model); retires != "" {
			t.Errorf("%s: %s", a.ID, retires)
		}
		m, known := table.Find(a.Provider, a.Model)
		if listed := slices.ContainsFunc(table.Models, func(m catalog.Model) bool { return m.Provider == a.Provider }); listed && !known {
			t.Errorf("%s: the table has no %s of %s", a.ID, a.Model, a.Provider)
		}
		if p := a.Profile; known && p.PriceIn != nil && (*p.PriceIn != m.In || *p.PriceOut != m.Out || p.ContextWindow != m.Window) {
			t.Errorf("%s: %s costs %v and %v with a window of %d", a.ID, a.Model, m.In, m.Out, m.Window)
		}
	}
}

// What a model costs depends on the day, and is never less than its maker asks.
func TestOn_saysWhatAModelCostsThatDay(t *testing.T) {
	for _, c := range []struct{ provider, id, day, want string }{
		{"deepseek", "deepseek-v4-pro", "2026-11-28", "1.32 0.044 3.96"}, // at its peak
		{"deepseek", "deepseek-v4-flash", "2026-11-28", "0.3 0.006 1.2"}, // it is answered by another one
		{"anthropic", "claude-fable-5-2", "2026-11-28", "8 ? 40"},        // the table does not have it
		{"anthropic", "claude-haiku-5-5", "2026-11-28", "0.5 ? 2.5"},     // of long prompts
		{"gemini", "gemini-4-argon", "2026-11-30", "2 ? 10"},
		{"gemini", "gemini-4-argon", "2026-12-01", "4 ? 20"},
		{"gemini", "gemini-3.8-flash", "2026-12-31", "0.75 ? 3.75"},
		{"gemini", "gemini-3.8-flash", "2027-01-01", "1.5 ? 7.5"},
		{"openrouter", "google/gemini-3.8-flash", "2026-12-31", "0.75 ? 3.75"}, // the table has half of it
		{"openrouter", "google/gemini-3.8-flash", "2027-01-01", "1.5 ? 7.5"},
		{"openrouter", "anthropic/claude-sonnet-5.5", "2026-11-28", "2 ? 10"},
		{"openrouter", "z-ai/glm-5.3", "2026-11-28", "0.0699 ? 1.4"},
	} {
		day := must.Get(time.Parse(time.DateOnly, c.day))(t)
		m, ok := catalog.Load().On(c.provider, c.id, day)
		cached := "?"
		if m.Cached != nil && !strings.Contains(c.want, "?") {
			cached = fmt.Sprint(*m.Cached)
		}
		if got := fmt.Sprint(m.In, " ", cached, " ", m.Out); !ok || got != c.want {
			t.Errorf("%s %s on %s: got %s, want %s", c.provider, c.id, c.day, got, c.want)
		}
	}
	table := catalog.Load()
	for _, m := range table.Models {
		vendor, name, _ := strings.Cut(m.ID, "/")
		if m.Provider != "openrouter" || vendor != "openai" {
			continue
		}
		routed, _ := table.On(m.Provider, m.ID, decemberTwelfth)
		if own, ok := table.On("openai", name, decemberTwelfth); ok && (routed.In < own.In || routed.Out < own.Out) {
			t.Errorf("%s costs less than at its maker: %v", m.ID, routed)
		}
	}
}

// Each row that is kept by hand says where it is from, and why it is lower than the table.
func TestHand_saysWhereItsRowsAreFrom(t *testing.T) {
	raw := must.Get(os.ReadFile("hand.toml"))(t)
	var kept struct {
		Price   []catalog.Price
		Retired []catalog.Retirement
	}
	must.Do(t, toml.NewDecoder(bytes.NewReader(raw)).DisallowUnknownFields().Decode(&kept))
	fromWhere := func(model, source string, seen toml.LocalDate) {
		if !strings.HasPrefix(source, "https://") && !strings.HasPrefix(source, "secondary: ") || seen.Year < 2026 {
			t.Errorf("%s: from %q, seen %s", model, source, seen)
		}
	}
	for _, p := range kept.Price {
		fromWhere(p.Model, p.Source, p.Seen)
		m, known := catalog.Load().Find(p.Provider, p.Model)
		if known && (p.In < m.In || p.Out < m.Out) && p.Reason == "" {
			t.Errorf("%s is lower than in the table, without a reason", p.Model)
		}
		if p.In <= 0 || p.Out <= 0 || p.Cached != nil && *p.Cached > p.In {
			t.Errorf("%s costs %v", p.Model, p)
		}
	}
	for _, r := range kept.Retired {
		fromWhere(r.Model, r.Source, r.Seen)
	}
}
