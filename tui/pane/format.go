package pane

import (
	"fmt"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// formatCountdown returns a remaining time, rounded up.
func formatCountdown(d time.Duration) string {
	n := int((d + time.Second - 1) / time.Second)
	if n >= 120 {
		return fmt.Sprintf("%d min", (n+59)/60)
	}
	return fmt.Sprintf("%d s", n)
}

// formatDuration returns how long something took.
func formatDuration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min", int(d.Minutes()))
}

// formatAge returns how long ago something happened.
func formatAge(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// ageKey returns a value that changes whenever formatAge does.
func ageKey(d time.Duration) int64 {
	if d < time.Minute {
		return int64(d.Seconds())
	}
	return 60 + int64(d.Minutes())
}

// formatTokens returns a count of tokens, such as "1.2k tok".
func formatTokens(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d tok", n)
	case n < 99_950:
		return fmt.Sprintf("%.1fk tok", float64(n)/1000)
	case n < 999_500:
		return fmt.Sprintf("%.0fk tok", float64(n)/1000)
	}
	return fmt.Sprintf("%.1fM tok", float64(n)/1e6)
}

// formatCost returns what a turn cost: "price ?" if that is unknown, and "demo" or
// "local" if the model has no price.
func formatCost(profile agents.Profile, cost *float64) string {
	switch {
	case profile.Provider == debate.DemoProvider:
		return "demo"
	case isFree(profile):
		return "local"
	case cost == nil:
		return "price ?"
	}
	return debate.USD(*cost)
}

// isFree reports whether the agent's tokens are known to cost nothing.
func isFree(profile agents.Profile) bool {
	return profile.PriceIn != nil && profile.PriceOut != nil && *profile.PriceIn == 0 && *profile.PriceOut == 0
}
