package app_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/internal/app"
	"roundtable/internal/testing/must"
	"roundtable/tui/setup"
)

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
