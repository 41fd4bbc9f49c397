//go:build !race

package engine_test

// underRace reports whether the race detector watches, which takes ten times as long.
const underRace = false
