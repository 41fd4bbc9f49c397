package form_test

import (
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/ledger"
)

// The list becomes shorter while the form has no room for any row.
func TestView_drawsAShorterListWithoutRoom(t *testing.T) {
	s := newHarness(t, 80, 21)
	s.SetSize(s.w, s.h)
	s.open(options{})
	s.View()
	s.press("tab")
	s.View()
	s.w, s.h = 1, 1
	s.SetSize(s.w, s.h)
	s.asks(seats[0].ID, "世界\r\na", "Plain question?", ledger.Required, time.Minute)
	s.SetSession(s.session())
	s.View()
	for _, key := range []string{"tab", "ctrl+x"} {
		s.Paste(paste(""))
		s.View()
		s.press(key)
		s.View()
	}
	s.apply(s.now, s.ledger.Release(3))
	s.SetSession(s.session())
	if got := ansi.StringWidth(s.View()); got != 1 {
		t.Errorf("%d cells", got)
	}
}
