package tui_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
)

// slowOpen needs seconds to open another session.
type slowOpen struct{ *scripted }

func (u slowOpen) Open(ctx context.Context, id string) (debate.Session, error) {
	if id != billing {
		time.Sleep(time.Second)
	}
	return u.scripted.Open(ctx, id)
}

// What was asked about one debate is not answered for another that opens meanwhile.
func TestOpen_dropsAQuestionAboutAnotherDebate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := gate()
		other.ID, other.Topic = "other00000", "Rust or Go?"
		script := storing(gate(), other)
		deps := script.deps()
		deps.Sessions, deps.Start.Session = slowOpen{script}, billing
		r := start(t, 140, 40, deps)
		defer r.stop()
		r.wait(2 * time.Second)
		r.press("esc", "s", "j", "enter", "esc", "S")
		r.sees("End now?")
		r.wait(2 * time.Second)
		r.sees("Rust or Go?")
		r.misses("End now?")
		r.press("enter")
		if len(script.runs) > 0 {
			t.Errorf("the other debate was ended: %q", script.calls)
			finish(r, script.current())
		}
	})
}
