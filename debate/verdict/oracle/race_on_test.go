//go:build race

package oracle_test

// underRace reports whether the race detector watches, which takes five times as long.
const underRace = true
