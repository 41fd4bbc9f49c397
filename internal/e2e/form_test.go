//go:build unix

package e2e_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
)

// cue is what a model of a script waits for.
type cue chan struct{}

// wait returns when the cue is given, or when the test ends.
func (c cue) wait(t *testing.T) {
	select {
	case <-c:
	case <-t.Context().Done():
	}
}

const (
	esc   = "\x1b"
	left  = "\x1b[D"
	ctrlX = "\x18"
)

// cursor returns where the screen's cursor is, and the row it is in.
func (tm *terminal) cursor() (x, y int, row string) {
	tm.mu.Lock()
	at := tm.screen.CursorPosition()
	tm.mu.Unlock()
	return at.X, at.Y, strings.Split(tm.text(), "\n")[at.Y]
}

// awaitCursor waits until the cursor stands behind some text.
func (tm *terminal) awaitCursor(text string) (x, y int, row string) {
	tm.Helper()
	deadline := time.After(patience)
	for {
		x, y, row = tm.cursor()
		if r := []rune(row); x <= len(r) && strings.HasSuffix(string(r[:x]), text) {
			return x, y, row
		}
		select {
		case <-tm.changed:
		case <-deadline:
			tm.Fatalf("the cursor is at %d of %q, not behind %q:\n%s", x, row, text, tm.text())
		}
	}
}

// Requests arrive while the user types: one that sorts above the one that is being
// answered, and one more asker of that. Nothing of it moves what the user has.
func TestForm_whatArrivesChangesNeitherTextNorCursor(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {140, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			t.Parallel()
			second, third, end := make(cue), make(cue), make(cue)
			srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
				first := strings.Contains(r.Messages[1].Content, "round 1 of 2")
				asks := first && r.Last().Role != "tool"
				switch {
				case asks && r.Model == "m1":
					return endpoint.Reply{Call: `{"query":"Who decides?","reason":"it helps","priority":"optional"}`}
				case asks && r.Model == "m2":
					second.wait(t)
					return endpoint.Reply{Call: `{"query":"What is the budget?","reason":"it decides","priority":"required"}`}
				case asks && r.Model == "m3":
					third.wait(t)
					return endpoint.Reply{Call: `{"query":"who decides","reason":"all turns on it","priority":"optional"}`}
				case first:
					end.wait(t)
				}
				return endpoint.Reply{Text: "So says " + r.Model + "."}
			})
			tm := open(t, home(t), size.w, size.h, "--config", panelOf(t, srv.URL, 3), "new", "Is it so?", "--rounds", "2", "--start")
			tm.await("C1 open")
			tm.send("c")
			tm.await("Context for round 2", "Who decides?", takesKeys)
			tm.send("the board, in May" + left + left + left)
			tm.await("the board, in May", "draft saved")
			x, y, row := tm.awaitCursor("the board, in ")
			same := func(event string) {
				if nx, ny, now := tm.cursor(); nx != x || ny != y || now != row {
					t.Errorf("%s: the cursor was at %d,%d in %q and is at %d,%d in %q:\n%s", event, x, y, row, nx, ny, now, tm.text())
				}
			}
			close(second)
			tm.await("+1 new")
			same("a required request arrived")
			close(third)
			tm.await("M3: ")
			same("another seat asked the same")
			tm.send("!")
			tm.awaitCursor("the board, in !")
			close(end)
			tm.await("■ Round 2 waits for")
			tm.awaitCursor("the board, in !")

			// It records the one answer, and the start row says what is still open.
			tm.send(ctrlS)
			tm.await("C1 saved", "C2 (M2)")
			tm.send(ctrlS)
			tm.await("Not started: C2 needs an answer")
			tm.send("ten thousand")
			tm.awaitCursor("ten thousand")
			tm.send(esc)
			tm.await("c answers")
			tm.send("c")
			tm.awaitCursor("ten thousand")
			tm.await("your draft for")
			tm.send(startRow)
			tm.await("Verdict ready.")
			tm.send("q")
			tm.send("q")
			if code := tm.end(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			for _, m := range []string{"m1", "m2", "m3"} {
				told := false
				for _, r := range srv.Requests(m) {
					told = told || strings.Contains(r.Messages[1].Content, "the board, in !May") && strings.Contains(r.Messages[1].Content, "ten thousand")
				}
				if !told {
					t.Errorf("%s was never given both answers", m)
				}
			}
		})
	}
}
