package tui_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"roundtable/tui"
)

// Every file that needs a question is named in its own, also at 80 columns.
func TestNewDebate_asksAboutEachFile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), ".env")
	if err := os.WriteFile(outside, []byte("KEY=2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "elsewhere.txt")
	if err := os.WriteFile(other, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	attaching(t, 80, 24, tui.Start{New: true}, gate, func(r *harness, script *scripted, _ *folder) {
		r.typeText("Compare @" + other + " , @.env and @" + outside)
		answer := func(keys ...string) {
			for _, key := range keys {
				r.press(key)
				r.wait(time.Second)
			}
		}
		answer("ctrl+s")
		r.asks("elsewhere.txt is outside this folder. ctrl+s attach · esc back")
		answer("enter")
		r.asks(" .env may hold secrets. ctrl+s attach · esc back")
		answer("enter")
		r.asks("/.env may hold secrets. ctrl+s attach · esc back")
		answer("x")
		r.misses("ctrl+s attach")
		if n := len(script.created.Topic); n != 0 {
			t.Fatal("the debate began although a file was not attached")
		}
		answer("backspace", "ctrl+s", "enter", "enter", "enter")
		if n := len(script.created.Evidence); n != 3 {
			t.Errorf("the debate has %d pieces of evidence", n)
		}
	})
}
