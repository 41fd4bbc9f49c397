package tui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
	"roundtable/tui"
	"roundtable/tui/setup"
)

// What was typed for a new debate is kept while it is typed and when the program
// ends, stands in the form again, and goes when the debate begins.
func TestNewDebate_draftIsKeptUntilItBegins(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		r.press("ctrl+n", "Rust or Go?")
		r.wait(time.Second)
		if !strings.Contains(script.typed.Text, "Rust or Go?") {
			t.Errorf("a second later %q is kept", script.typed.Text)
		}
		r.press("tab", "tab", "down", "space", "tab", "right", "tab", "enter", "tab", "right") // another mode, a round more
		r.stop()                                                                               // before it was time to keep that

		script.typed.At = time.Date(1999, 12, 31, 14, 2, 0, 0, time.UTC)
		r = start(r.t, 80, 24, script.deps())
		defer r.stop()
		r.misses("draft")
		r.press("ctrl+n")
		r.sees("Rust or Go?", "socratic")
		r.press(" Now.", "esc", "ctrl+n")
		r.sees("Rust or Go? Now.")
		r.misses("is kept")
		r.send()
		r.wait(time.Second)
		if r.did("create Rust or Go? Now."); script.typed.Text != "" {
			t.Errorf("%q is kept", script.typed.Text)
		}
	})
}

// enter starts the demo, which leaves the draft of another screen alone.
func TestFirstStart_enterStartsTheDemo(t *testing.T) {
	bubbleWith(t, small, nil, func(_ *tui.Deps, s *scripted) {
		s.offer = setup.Options{FirstStart: true, Demo: session(3, 2)}
		s.typed.Text, s.typed.At = `{"topic": "Rust or Go?"}`, at(time.Hour)
	}, func(r *harness, script *scripted) {
		r.press("enter")
		r.wait(time.Second)
		if r.did("create Should billing move to SQLite?", "start 1"); !strings.Contains(script.typed.Text, "Rust or Go?") {
			t.Errorf("%q is kept", script.typed.Text)
		}
	})
}

// What is possible comes before what is not.
func TestPalette_orders(t *testing.T) {
	bubble(t, interrupted, func(r *harness, _ *scripted) {
		first := func() string {
			for _, l := range strings.Split(r.screen(), "\n") {
				if after, ok := strings.CutPrefix(l, " ▸ "); ok {
					return strings.TrimSpace(strings.Split(after, "  ")[0])
				}
			}
			return ""
		}
		r.press(":")
		if got := first(); got != "Pause after this round, now, or go on" {
			t.Errorf("%q comes first in an interrupted debate", got)
		}
		r.misses("Verdict –")
		if s := r.screen(); strings.Index(s, "Scroll down") < strings.Index(s, "Export") {
			t.Errorf("what moves comes first:\n%s", s)
		}
		r.press("expt")
		if got := first(); got != "Export" {
			t.Errorf("%q comes first for expt", got)
		}
		for _, word := range []string{"theme", "keys", "seat", "model", "copy"} { // also letters of other commands
			r.press("ctrl+u", word)
			if got := first(); !strings.Contains(strings.ToLower(got), word) {
				t.Errorf("%q comes first for %s", got, word)
			}
		}
		r.press("esc")
		r.named("cid")
		r.sees("Copied: " + billing)
		r.named("interject")
		r.sees("to Cy")
	})
}

func TestPalette_beginsWithWhatIsWaitedFor(t *testing.T) {
	bubble(t, gate, func(r *harness, _ *scripted) {
		r.press("esc", ":")
		r.sees("▸ Answer the seats' questions")
	})
}

func TestKeyList_filtersAndRuns(t *testing.T) {
	bubble(t, interrupted, func(r *harness, _ *scripted) {
		r.press("?")
		r.sees("Keys · Debate", "one seat or all")
		r.press("pause")
		r.sees("pause; again: now")
		r.misses("one seat or all")
		r.press("esc")
		r.misses("Keys · Debate")
		r.press("?", "one seat", "enter")
		r.sees("z all")
		r.misses("Keys · Debate")
		r.press("?", "all keys", "enter")
		r.sees("All keys", "page-down: debate, verdict")
		r.press("save-panel", "enter")
		r.sees("save-panel: new debate.")
	})
}

// A row of help is what its key does: of two commands that share one, the second is not listed.
func TestKeyList_isWhatTheKeysDo(t *testing.T) {
	bubble(t, func() debate.Session {
		s := cited()
		s.Notices = append(s.Notices, debate.Notice{Round: 1, Text: "Ada waits."})
		return s
	}, func(r *harness, _ *scripted) {
		r.press("esc", "?", "evidence")
		r.sees("tools and evidence")
		r.misses("   evidence")
	})
}

func TestSearch_inAllTranscripts(t *testing.T) {
	bubble(t, interrupted, func(r *harness, _ *scripted) {
		r.press("1", "/", "invoices", "enter")
		r.sees(`"invoices": 4 of 6 · Ada, round 2. n: next · N: previous · esc: clear`)
		r.press("n")
		r.sees("5 of 6 · Brook, round 2", "▸2 Brook")
		r.press("n", "n")
		r.sees("1 of 6 · Ada, round 1", "▸1 Ada", "── round 1 · ✓ votes no")
		r.press("N")
		r.sees("6 of 6 · Cy, round 2", "▸3 Cy")
		r.press("esc")
		r.misses("of 6", "esc end search")
		r.press("n")
		r.sees("Nothing is found.")
		r.press("/") // at once, as the notice advises
		r.press("nowhere", "enter")
		r.sees(`No match for "nowhere" in this debate.`)
	})
}

func TestExport_asksForTheFormat(t *testing.T) {
	bubble(t, concluded, func(r *harness, _ *scripted) {
		r.press("e")
		r.asks("Export as: m Markdown · j JSON · h HTML · esc back")
		r.press("enter") // answers nothing, and does nothing on the screen below
		r.misses("Export as", "Only the findings")
		r.press("e")
		r.asks("h HTML")
		r.press("h")
		r.sees("Wrote debate.html in /home.")
		r.did("export html, running false")
	})
}

// used is a debate in which tools were called.
func used() debate.Session {
	s := interrupted()
	for i, name := range []string{"read_file", "search", "request_context"} {
		x := &s.History[1].Responses[i]
		x.Passages = append([]debate.Passage{{Tools: []debate.ToolRecord{{
			ID: x.Turn.ToolCall(1), Name: name, Args: `{"path":"../infra/grafana.json"}`,
			State: debate.ToolDone, Began: at(5 * time.Minute), Took: time.Duration(i) * 4 * time.Millisecond,
		}}}}, x.Passages...)
	}
	s.History[1].Responses[0].Passages[0].Tools[0].Result.Status = "denied"
	s.History[1].Responses[0].Passages[0].Tools[0].Result.Text = "The path leaves the workspace: ../infra/grafana.json"
	s.History[1].Responses[1].Passages[0].Tools[0].Result.Status = "ok"
	s.History[1].Responses[2].Passages[0].Tools[0].Result.Status = "ok"
	return s
}

// edits answers in an editor that runs a command of the shell on the file "$0".
func edits(t *testing.T, command string, look func(r *harness)) {
	t.Helper()
	bubbleWith(t, usual, gate, func(d *tui.Deps, _ *scripted) { d.Editor = []string{"sh", "-c", command} }, func(r *harness, _ *scripted) {
		r.wait(2 * time.Second)
		r.press("ctrl+o")
		for range 100 {
			r.wait(10 * time.Millisecond)
			synctest.Wait()
		}
		look(r)
	})
}

// Text that is not UTF-8 is not taken: characters of it would be lost. The file stays.
func TestEditor_leavesTextThatIsNotUTF8InItsFile(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	edits(t, `printf 'caf\351 at noon' > "$0"`, func(r *harness) {
		r.sees("C1.md is not UTF-8 text")
		r.misses("at noon")
	})
	kept, err := filepath.Glob(filepath.Join(tmp, "*", "C1.md"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept are %v, %v", kept, err)
	}
	if raw, err := os.ReadFile(kept[0]); err != nil || string(raw) != "caf\xe9 at noon" {
		t.Errorf("kept is %q, %v", raw, err)
	}
}

func TestEditor_bringsTheAnswerBack(t *testing.T) {
	edits(t, `printf '42 writes/s,\nfrom the editor' > "$0"`, func(r *harness) {
		r.sees("42 writes/s,", "from the editor")
	})
}
