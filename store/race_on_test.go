//go:build race

package store_test

// underRace reports whether the race detector watches, which takes four times as long.
const underRace = true
