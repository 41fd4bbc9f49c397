package config

import (
	"fmt"
	"time"

	"roundtable/agents"
	"roundtable/internal/catalog"
	"roundtable/internal/text"
)

// Retires says in a clause until when the model of an agent is offered, such as "retires in
// 7 days (30 Nov)", or that it is offered no longer, and which one is instead. It is "" where
// nothing is known.
func (c Config) Retires(a Agent, table catalog.Table, now time.Time) string {
	preset, ok := presetNamed(c.presetOf(a.Provider))
	if !ok {
		return ""
	}
	r, ok := table.Retires(preset.Name, a.Model)
	if !ok {
		return ""
	}
	day := r.Date.Format("2 Jan")
	if !table.Gone(preset.Name, a.Model, now) {
		days := int(r.Date.Sub(now.Truncate(24*time.Hour)).Hours() / 24)
		if days == 0 {
			return "retires today (" + day + ")"
		}
		return fmt.Sprintf("retires in %s (%s)", text.Count(days, "day"), day)
	}
	instead := ""
	if m, ok := table.Newest(preset.Name, preset.Family, now); ok {
		instead = "; nearest: " + m.ID
	}
	return "no longer offered since " + day + instead
}

// Offered returns the models that the catalogue has of a provider, without those that are
// offered no longer.
func (c Config) Offered(provider string, now time.Time) []agents.Profile {
	table, preset := catalog.Load(), c.presetOf(provider)
	var out []agents.Profile
	for _, m := range table.Models {
		if m.Provider == preset && !table.Gone(preset, m.ID, now) {
			out = append(out, c.profile(Agent{Name: m.Name, Provider: provider, Model: m.ID, ContextWindow: m.Window}))
		}
	}
	return out
}

// presetOf returns the preset of a provider: that of its table, or that of the same name.
func (c Config) presetOf(provider string) string {
	if t, ok := c.Providers[provider]; ok {
		if t.BaseURL != "" { // it is another server
			return ""
		}
		return t.Preset
	}
	if _, ok := presetNamed(provider); ok {
		return provider
	}
	return ""
}
