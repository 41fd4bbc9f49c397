package tui_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/internal/testing/must"
	"roundtable/tui/setup"
)

// The form can be used while servers are asked for their models. What they say changes the
// panel that is proposed, unless the user has changed it.
func TestNewDebate_takesTheModelsOfTheServersWhenTheyCome(t *testing.T) {
	for _, changed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d := offering(3)
			before := must.Get(d.Offer(t.Context()))(t)
			before.Seats[0].Profile.Model, before.Seats[0].Note = "gpt-of-the-table", "openai: not checked with the server"
			after := before
			after.Seats = slices.Clone(before.Seats)
			after.Seats[0].Profile.Model, after.Seats[0].Note = "gpt-of-the-server", "gpt-of-the-server retires in 7 days (30 Nov)"
			asked, answered := 0, make(chan struct{})
			before.Ask = func(context.Context) (setup.Options, error) {
				asked++
				<-answered
				return after, nil
			}
			d.Offer = func(context.Context) (setup.Options, error) { return before, nil }
			r := start(t, 120, 40, d)
			defer r.stop()
			r.sees("gpt-of-the-table", "Models are still being looked for: seats and price may change.")
			r.press(" Soon?")
			if changed {
				r.press("tab", "tab", "down", "space")
				r.sees("[ ]")
			}
			close(answered)
			r.wait(time.Second)
			r.sees("Soon?")
			if changed {
				r.sees("gpt-of-the-table")
				r.misses("gpt-of-the-server")
			} else {
				r.sees("gpt-of-the-server retires in 7 days (30 Nov).")
				r.misses("gpt-of-the-table", "not checked")
			}
			if asked != 1 {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}
