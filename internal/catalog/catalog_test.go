package catalog_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"roundtable/agents/openai"
	"roundtable/internal/catalog"
	"roundtable/internal/config"
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
	for _, p := range openai.Presets() {
		id, ok := catalog.NewestOf(p.Family, table.Offered(p.Name, decemberTwelfth))
		if ok != (p.Family != "") {
			t.Errorf("%s: nothing is of family %q", p.Name, p.Family)
		}
		if ok && table.Gone(p.Name, id, decemberTwelfth) {
			t.Errorf("%s: %s is proposed and gone", p.Name, id)
		}
	}
}

func TestNewestOf_goesByVersionsAndNotByStrings(t *testing.T) {
	for _, c := range []struct {
		family string
		ids    []string
		want   string
	}{
		{"claude-sonnet-*", []string{"claude-sonnet-4-5-20250929", "claude-sonnet-5", "claude-sonnet-5-5", "claude-opus-9"}, "claude-sonnet-5-5"},
		{"claude-sonnet-*", []string{"claude-sonnet-9", "claude-sonnet-10"}, "claude-sonnet-10"},
		{"claude-sonnet-*", []string{"claude-sonnet-4-5-20250929"}, "claude-sonnet-4-5-20250929"},
		{"gpt-*-sol", []string{"gpt-5.9-sol", "gpt-5.10-sol", "gpt-5.10-sol-preview", "gpt-6-luna"}, "gpt-5.10-sol"},
		{"gemini-*-flash", []string{"gemini-3-flash-preview", "gemini-2.5-flash", "gemini-2.5-flash-lite"}, "gemini-2.5-flash"},
		{"grok-#", []string{"grok-4.20", "grok-4.7", "grok-4.3", "grok-4.20-non-reasoning"}, "grok-4.7"},
		{"one", []string{"two", "one"}, "one"},
		{"one-*", []string{"two"}, ""},
	} {
		if got, ok := catalog.NewestOf(c.family, c.ids); got != c.want || ok != (c.want != "") {
			t.Errorf("%s of %q: %q, want %q", c.family, c.ids, got, c.want)
		}
		slices.Reverse(c.ids)
		if got, _ := catalog.NewestOf(c.family, c.ids); got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.family, c.ids, got, c.want)
		}
	}
}

func TestGone_beginsTheDayAfter(t *testing.T) {
	table := catalog.Load()
	for _, c := range []struct {
		provider, model string
		day             string
		want            bool
	}{
		{"openai", "gpt-5-mini", "2026-12-11T23:59:59Z", false},
		{"openai", "gpt-5-mini", "2026-12-12T00:00:00Z", true},
		{"anthropic", "claude-sonnet-4-5", "2026-12-01T00:00:00Z", true},
		{"anthropic", "claude-sonnet-4-5-20250929", "2026-12-01T00:00:00Z", true},
		{"openrouter", "gpt-5-mini", "2027-12-12T00:00:00Z", false},
		{"anthropic", "claude-sonnet-5-5", "2026-12-12T00:00:00Z", false},
	} {
		now, err := time.Parse(time.RFC3339, c.day)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Gone(c.provider, c.model, now); got != c.want {
			t.Errorf("%s %s on %s: gone is %v", c.provider, c.model, c.day, got)
		}
	}
}

// Who copies the example gets models that are offered.
func TestExample_namesModelsOfTheTable(t *testing.T) {
	raw, err := os.ReadFile("../../config.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Parse("config.example.toml", raw)
	if err != nil {
		t.Fatal(err)
	}
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
		if p := a.Profile(); known && p.PriceIn != nil && (*p.PriceIn != m.In || *p.PriceOut != m.Out || p.ContextWindow != m.Window) {
			t.Errorf("%s: %s costs %v and %v with a window of %d", a.ID, a.Model, m.In, m.Out, m.Window)
		}
	}
}
