package pane

import (
	"fmt"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)


// seconds returns a wait that is counted down: never less than what is left.
func seconds(d time.Duration) string {
	n := int((d + time.Second - 1) / time.Second)
	if n >= 120 {
		return fmt.Sprintf("%d min", (n+59)/60)
	}
	return fmt.Sprintf("%d s", n)
}

// took returns how long something lasted.
func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min", int(d.Minutes()))
}

// age returns how long ago something was.
func age(d time.Duration) string {
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

// ageStamp changes as the age does in words.
func ageStamp(d time.Duration) int64 {
	if d < time.Minute {
		return int64(d.Seconds())
	}
	return 60 + int64(d.Minutes())
}

// tokens returns a count of tokens.
func tokens(n int) string {
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

// price returns what a turn of the speaker cost: unknown is "price ?", and what has no
// price says why.
func price(who agents.Profile, cost *float64) string {
	switch {
	case who.Provider == debate.DemoProvider:
		return "demo"
	case free(who):
		return "local"
	case cost == nil:
		return "price ?"
	}
	return debate.USD(*cost)
}

// free reports whether the speaker's tokens cost nothing.
func free(who agents.Profile) bool {
	return who.PriceIn != nil && who.PriceOut != nil && *who.PriceIn == 0 && *who.PriceOut == 0
}
