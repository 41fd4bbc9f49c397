package app_test

import (
	"testing"

	"roundtable/debate"
	"roundtable/internal/app"
	"roundtable/internal/config"
)

// Joiners that the user wrote stay in a topic and a focus.
func TestBuilder_keepsJoiners(t *testing.T) {
	t.Parallel()
	const written = "می\u200cخواهم 👩\u200d👩\u200d👧"
	b := app.NewBuilder(config.Default(), false)
	s, err := b.Build(debate.Plan{Topic: written, Panel: "demo", Rounds: 1})
	if err != nil || s.Topic != written {
		t.Errorf("the topic is %q: %v", s.Topic, err)
	}
	if focus, err := app.CheckText("focus", written, debate.MaxFocus); err != nil || focus != written {
		t.Errorf("the focus is %q: %v", focus, err)
	}
}
