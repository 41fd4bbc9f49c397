package pane_test

import (
	"testing"

	"roundtable/tui/pane"
)

// The arguments of a command are shown as it is typed, others by name unless they name
// something.
func TestArgsSummary(t *testing.T) {
	for args, want := range map[string]string{
		`{"argv":["go","test","./my pkg"]}`: "go test './my pkg'",
		`{"argv":"ls"}`:                     `"ls"`,
		`{"path":"a.go","lines":[1,2]}`:     "a.go lines=[1,2]",
		`not json`:                          "not json",
	} {
		if got := pane.ArgsSummary(args); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}
