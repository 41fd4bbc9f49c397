package openai_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// providersOf reads the providers of a configuration, strictly.
func providersOf(t *testing.T, doc string) map[string]openai.Config {
	t.Helper()
	var cfg struct {
		Providers map[string]openai.Config `toml:"providers"`
	}
	if err := toml.NewDecoder(strings.NewReader(doc)).DisallowUnknownFields().Decode(&cfg); err != nil {
		t.Fatalf("%v in\n%s", err, doc)
	}
	return cfg.Providers
}

// The example configuration shows the actual presets and defaults.
func TestExample_tellsPresetsAndDefaultsAsTheyAre(t *testing.T) {
	raw := must.Get(os.ReadFile("../../config.example.toml"))(t)
	_, doc, _ := strings.Cut(string(raw), "# Providers:")
	doc, _, _ = strings.Cut(doc, "# Agents:")
	doc, _, _ = strings.Cut(doc, "# An agent that you have installed") // a table of another kind
	written, aside, _ := strings.Cut(doc[strings.Index(doc, "\n[providers."):], "\n# A server without a preset")
	var names []string
	tables := providersOf(t, written)
	for _, p := range openai.Presets() {
		names = append(names, p.Name)
		if p.Local && p.Name != "ollama" {
			continue
		}
		if tables[p.Name].Preset != p.Name {
			t.Errorf("there is no table of %s", p.Name)
		}
		table := regexp.MustCompile(`\[providers\.` + p.Name + `\][^\[]*`).FindString(written)
		if p.KeyEnv == "" && !strings.Contains(table, "no key") || !strings.Contains(table, p.KeyEnv) {
			t.Errorf("the table of %s does not name %q:\n%s", p.Name, p.KeyEnv, table)
		}
	}
	listed := regexp.MustCompile(`preset = "openai" +# ([^;]+);`).FindStringSubmatch(written)
	if listed == nil {
		t.Fatal("the presets are not listed")
	}
	words := regexp.MustCompile(`[a-z]+`).FindAllString(strings.Replace(listed[1], " or ", " ", 1), -1)
	if diff := cmp.Diff(names, words); diff != "" {
		t.Errorf("the list of presets (-code +example):\n%s", diff)
	}
	var off strings.Builder
	for line := range strings.Lines(aside[strings.Index(aside, "# [providers.work]"):]) {
		if body, is := strings.CutPrefix(line, "# "); is && !strings.HasPrefix(body, "---") {
			off.WriteString(body)
		}
	}
	work := providersOf(t, off.String())["work"]
	if err := work.Validate(); err != nil {
		t.Error(err)
	}
	timeouts, limits := openai.Defaults()
	if work.Timeouts != timeouts || work.Limits != limits || work.MaxConcurrent != 8 {
		t.Errorf("the defaults are\n%+v\n%+v\nand the example says\n%+v\n%+v", timeouts, limits, work.Timeouts, work.Limits)
	}
}
