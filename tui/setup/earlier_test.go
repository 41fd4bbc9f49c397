package setup_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/attach"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
	"roundtable/tui/viewtest"
)

// finder knows earlier debates on SQLite, and counts its searches.
type finder struct{ topics []string }

func (e *finder) find(_ context.Context, topic string) ([]setup.Earlier, error) {
	e.topics = append(e.topics, topic)
	if !strings.Contains(topic, "SQLite") {
		return nil, nil
	}
	return []setup.Earlier{
		{
			Path: "debate:k7m2.x9qd4t", Name: "Which database should billing use, with several writers?", Result: "Yes, 3 of 4 votes; outcome wrong",
			Line: "Earlier debate k7m2x9qd4t of 2026-10-01: Yes, 3 of 4 votes. Outcome: wrong; right was no (two writers).",
		},
		{
			Path: "debate:b3c4.x9qd4t", Name: "Is SQLite\x1b[31m safe?", Result: "No, 2 of 3 votes; outcome unknown",
			Line: "Earlier debate b3c4x9qd4t of 2026-11-02: No, 2 of 3 votes. Outcome: nobody has said how it turned out.",
		},
	}, nil
}

// withEarlier returns a form that finds earlier debates.
func withEarlier(w, h int) (*setup.Form, *finder, *attach.Service) {
	f, e := newForm(w, h), &finder{}
	service := attach.New(context.Background(), memory{}, nil, screen.NewSaveQueue())
	f.SetFiles(service)
	f.SetEarlier(context.Background(), e.find)
	return f, e, service
}

// carryOut runs commands and what follows from them.
func carryOut(f *setup.Form, service *attach.Service, out screen.Outcome) {
	for len(out) > 0 {
		cmd, ok := out[0].(tea.Cmd)
		if out = out[1:]; !ok || cmd == nil {
			continue
		}
		msg := cmd()
		if _, ok := service.Receive(msg); ok {
			continue
		}
		more, _ := f.Receive(msg)
		out = append(out, more...)
	}
}

func TestEarlier_isSearchedOnceTheTopicRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, e, service := withEarlier(80, 21)
		var all screen.Outcome
		for _, key := range []string{" ", "S", "o", "?"} {
			all = append(all, f.HandleKey(press(key))...)
		}
		carryOut(f, service, all)
		if want := []string{"Should billing move to SQLite? So?"}; !slices.Equal(e.topics, want) {
			t.Errorf("searched %q, want %q", e.topics, want)
		}
		carryOut(f, service, f.HandleKey(press("down"))) // changes no topic
		if len(e.topics) != 1 {
			t.Errorf("searched %q", e.topics)
		}
		requireScreen(t, f.View(screen.Frame{}), 80, 21)
	})
}

func TestEarlier_attachesTheSelectedOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _, service := withEarlier(80, 21)
		carryOut(f, service, f.HandleKey(press("!")))
		focusOn(f, "Earlier")
		f.Move(1)
		f.Move(-1)
		enter := func() {
			for _, c := range f.Commands() {
				if slices.Contains(c.Keys(), "enter") {
					carryOut(f, service, c.Run("enter"))
				}
			}
		}
		enter()
		requireScreen(t, f.View(screen.Frame{}), 80, 21)
		if draft := f.Draft(); !strings.Contains(draft, "debate:k7m2.x9qd4t") {
			t.Errorf("the draft forgets it: %s", draft)
		}
		enter()
		if draft := f.Draft(); strings.Contains(draft, "debate:") {
			t.Errorf("it is still attached: %s", draft)
		}
	})
}

// A result that comes after the topic has changed is not shown, and nothing is where no topic is.
func TestEarlier_dropsStaleResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, e, service := withEarlier(80, 21)
		waited := f.HandleKey(press("!"))
		searching, _ := f.Receive(waited[len(waited)-1].(tea.Cmd)())
		found := searching[0].(tea.Cmd)() // on its way while the user types on
		later := f.HandleKey(press("?"))
		if f.Receive(found); strings.Contains(ansi.Strip(f.View(screen.Frame{})), "Earlier ") {
			t.Error("a stale result is shown")
		}
		carryOut(f, service, later)
		if len(e.topics) != 2 || !strings.Contains(ansi.Strip(f.View(screen.Frame{})), "Earlier ") {
			t.Errorf("searched %q", e.topics)
		}
		focusOn(f, "Topic")
		for range 40 {
			carryOut(f, service, f.HandleKey(press("backspace")))
		}
		if f.Topic() != "" || strings.Contains(ansi.Strip(f.View(screen.Frame{})), "Earlier ") {
			t.Errorf("%q has earlier debates:\n%s", f.Topic(), f.View(screen.Frame{}))
		}
		if last := e.topics[len(e.topics)-1]; last == "" {
			t.Error("an empty topic is searched")
		}
	})
}

func TestEarlier_fitsEverySize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _, service := withEarlier(80, 21)
		carryOut(f, service, f.HandleKey(press("!")))
		for _, name := range []string{"Earlier", "Topic"} {
			focusOn(f, name)
			for w := 1; w <= 140; w += 3 {
				for _, h := range []int{4, 9, 12, 21, 37} {
					f.SetSize(w, h)
					viewtest.RequireSize(t, f.View(screen.Frame{}), w, h)
				}
			}
			f.SetSize(80, 21)
		}
	})
}
