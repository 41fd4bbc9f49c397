package pane

import (
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// ageKey returns a value that changes whenever text.Age does.
func ageKey(d time.Duration) int64 {
	if d < time.Minute {
		return int64(d.Seconds())
	}
	return 60 + int64(d.Minutes())
}

// formatCost returns what a turn cost: "" if that is unknown, which the bottom line of the
// debate says once for all seats, and "demo" or
// "local" if the model has no price, and "included" in a subscription.
func formatCost(profile agents.Profile, cost *float64) string {
	switch {
	case profile.Provider == debate.DemoProvider:
		return "demo"
	case profile.Included:
		return "included"
	case isFree(profile):
		return "local"
	case cost == nil:
		return ""
	}
	return text.Money(*cost)
}

// isFree reports whether the agent's tokens are known to cost nothing.
func isFree(profile agents.Profile) bool {
	return profile.Included || profile.Priced() && *profile.PriceIn == 0 && *profile.PriceOut == 0
}
