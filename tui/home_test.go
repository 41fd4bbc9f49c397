package tui_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/tui"
	"roundtable/tui/home"
	"roundtable/tui/setup"
)

// atHome runs a test on the list of two sessions.
func atHome(t *testing.T, test func(r *harness, script *scripted)) {
	t.Helper()
	bubbleWith(t, small, gate, func(d *tui.Deps, s *scripted) {
		second := held(3, 1, 2)
		second.ID, second.Topic = "b222222222", "One queue or two for webhooks?"
		s.knows(second)
		onList(d, s)
	}, test)
}

// The list follows what other programs do while it is shown. The cursor stays on its debate; that
// the list cannot be read is told once.
func TestHome_followsOtherPrograms(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		r.press("j", "j")
		r.sees("▸· One queue or two")
		was := script.list
		more := was[0]
		more.ID, more.Title, more.Topic = "c333333333", "", "Begun elsewhere?"
		script.set(func() { script.list = append([]debate.SessionSummary{more}, was...) })
		r.wait(3 * time.Second)
		r.sees("Begun elsewhere?", "▸· One queue or two")
		script.set(func() { script.unreadable = errors.New("disk gone") })
		r.wait(10 * time.Second)
		r.sees("Cannot read the debates: Disk gone.", "Begun elsewhere?")
		r.press("", "k", "j")
		script.set(func() { script.list, script.unreadable = was, nil })
		r.wait(3 * time.Second)
		r.misses("Begun elsewhere?")
	})
}

func TestHome_saysThatTheListCannotBeRead(t *testing.T) {
	bubbleWith(t, small, nil, func(_ *tui.Deps, s *scripted) { s.unreadable = errors.New("disk gone") }, func(r *harness, _ *scripted) {
		r.sees("Cannot read the debates: Disk gone.", "The debates cannot be read.")
		r.misses("Loading debates")
	})
}

// How a deleted session comes back is said until it is back, whatever keys come
// after the slip: the offer ends with the program, not with the next key.
func TestHome_deleteStaysUndoable(t *testing.T) {
	atHome(t, func(r *harness, _ *scripted) {
		const offer = "Deleted Should billing move to SQLite? u to undo, or `roundtable undelete`."
		r.press("x", "j", "k", "ctrl+n", "esc", "/", "esc")
		r.sees(offer)
		r.press("j", "enter")
		r.wait(time.Second)
		r.misses(offer)
		r.press("q")
		r.sees("Everything is saved.")
		r.press("j")
		r.sees(offer)
		r.press("u")
		r.sees("Restored.")
		r.press("j")
		r.misses(offer)
	})
}

// Two deletions in a row are both undone, the last first: the notice of each promised it.
func TestHome_everyDeleteCanBeUndone(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		r.press("x", "j", "x", "u", "u")
		if n := len(script.calls); n < 2 || script.calls[n-2] != "undelete b222222222" || script.calls[n-1] != "undelete "+billing {
			t.Errorf("%q", script.calls)
		}
		r.press("u")
		r.sees("Nothing to restore.")
	})
}

// A key that repeats deletes one session, and its offer to undo that stays.
func TestHome_deletesASessionOnce(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		r.press("x", "x", "x")
		r.sees("u to undo, or `roundtable undelete`")
		r.misses("unresolved error")
		r.press("u", "x")
		if r.did("undelete " + billing); len(script.calls) != 3 {
			t.Errorf("%q", script.calls)
		}
	})
}

// What could not be brought back can be tried again, and is then no error any more.
func TestHome_aFailedUndoIsKept(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		r.press("x")
		script.fails("the disk is full")
		r.press("u")
		r.sees("The disk is full")
		script.fail = nil
		r.press("u")
		r.sees("Restored.")
		r.press("j")
		r.misses("unresolved error", "The disk is full")
	})
}

func TestHome_renames(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		r.press("r", "ctrl+u")
		r.sees("enter rename", "esc cancel")
		r.press("Billing, q and x", "enter")
		r.did("rename " + billing + " Billing, q and x")
		script.fails("it is open elsewhere")
		r.press("r", "ctrl+u", "Mine", "enter")
		r.sees("new name > Mine")
	})
}

func TestHome_escReturnsToTheOpenDebate(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		r.press("enter", "esc", "s")
		r.asks("Debates", "esc back to the debate")
		r.press("x")
		r.sees("This debate is open: esc goes back to it, and q leaves it.")
		r.press("esc")
		r.sees("Round 3 waits for C", "▸1 Ada")
		r.press("q")
		r.sees("Roundtable", "Everything is saved.")
		r.did("close " + billing)
	})
}

func TestHome_aSessionThatCannotBeOpenedSaysWhy(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		delete(script.sessions, billing)
		r.press("enter")
		r.sees("No such debate.", "+ New debate")
		r.press("esc")
		r.misses("No such debate.")
	})
}

// The list under the first start, which says what a question needs, has the debate that was just made.
func TestHome_listsTheDebateThatWasMade(t *testing.T) {
	offers := func(_ *tui.Deps, s *scripted) { s.offer = setup.Options{FirstStart: true, Demo: concluded()} }
	bubbleWith(t, small, nil, offers, func(r *harness, script *scripted) {
		r.press("enter")
		script.list = storing(gate()).list
		r.press("ctrl+n")
		r.sees("first start", "No model yet. Below is how to get one; the demo needs none.", "Without a model, answers to your own topic")
		r.press("esc")
		r.sees("1 debate, newest first")
		r.misses("No debates yet")
	})
}

// Models that are found lead to the form of a new debate, filled in.
// A question about a config file comes first, since its key begins many questions.
func TestFirstStart_writesNoConfigForASentence(t *testing.T) {
	bubbleWith(t, small, nil, func(d *tui.Deps, s *scripted) {
		s.offer.FirstStart = true
		d.WriteConfig = func(context.Context) (string, error) {
			s.offer.Found = []setup.Finding{{What: "a config file", Result: "found, read at the next start", OK: true}}
			return "/home/me/config.toml", nil
		}
	}, func(r *harness, _ *scripted) {
		r.press("w", "hat now, and why")
		r.misses("Wrote")
		r.wait(time.Second)
		r.press("w")
		r.asks("Write a commented config file? w write · esc back")
		r.confirm("w")
		r.sees("Wrote /home/me/config.toml. Edit it, then restart Roundtable.", "found, read at the next start")
	})
}

// What was found for a query that has changed since is passed over, and nothing
// is asked for before the typing pauses.
func TestSearch_waitsForAPause(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		script.hits = []home.Hit{{Session: billing, Matches: []home.Match{{Where: "R2 Brook", Before: "keep it ", Text: "append-only"}}}}
		r.press("/", "append-only mode:expert-panel")
		r.wait(time.Second)
		r.sees("R2 Brook    keep it append-only")
		if want := []home.Query{{Text: "append-only", Mode: "expert-panel"}}; !slices.Equal(script.searched, want) {
			t.Errorf("asked for %+v", script.searched)
		}
	})
}

func TestFirstStart_looksAgain(t *testing.T) {
	bubbleWith(t, small, nil, func(_ *tui.Deps, s *scripted) { s.offer.FirstStart = true }, func(r *harness, script *scripted) {
		r.sees("Start the demo debate")
		r.press("R")
		r.sees("No models found. The list shows where we looked.")
		r.misses("Looking for models")
		script.offer.FirstStart, script.offer.Sources, script.offer.Summary = false, "ollama", "3 chat models found at Ollama"
		script.offer.Panel = "found"
		r.press("R")
		r.sees("New debate", "Ada gpt-5-mini", "3 chat models found at Ollama; panel: found, 3 seats.")
	})
}
