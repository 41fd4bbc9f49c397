package tui_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
	"roundtable/tui"
	"roundtable/tui/home"
	"roundtable/tui/setup"
)

// atHome runs a test on the list of two sessions.
func atHome(t *testing.T, test func(r *rig, script *scripted)) {
	synctest.Test(t, func(t *testing.T) {
		second := held(3, 1, 2)
		second.ID, second.Topic = "b222222222", "One queue or two for webhooks?"
		script := shelf(gate(), second)
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		test(r, script)
	})
}

func TestHome_deleteCanBeUndone(t *testing.T) {
	atHome(t, func(r *rig, script *scripted) {
		r.press("u")
		r.sees("Nothing was deleted.")
		r.press("x")
		r.sees("Deleted Should billing move to SQLite? u brings it back, until you quit.")
		r.press("u")
		r.sees("Brought back.")
		if !script.did("delete "+billing) || !script.did("undelete "+billing) {
			t.Errorf("%q", script.calls)
		}
	})
}

// How a deleted session comes back is said until it is back, whatever keys come
// after the slip: the offer ends with the program, not with the next key.
func TestHome_deleteStaysUndoable(t *testing.T) {
	atHome(t, func(r *rig, _ *scripted) {
		const offer = "Deleted Should billing move to SQLite? u brings it back, until you quit."
		r.press("x", "j", "k", "n", "esc", "/", "esc")
		r.sees(offer)
		r.press("j", "enter")
		r.wait(time.Second)
		r.misses(offer)
		r.press("q")
		r.wait(time.Second)
		r.sees("All is saved.")
		r.press("j")
		r.sees(offer)
		r.press("u")
		r.sees("Brought back.")
		r.press("j")
		r.misses(offer)
	})
}

// Two deletions in a row are both undone, the last first: the notice of each promised it.
func TestHome_everyDeleteCanBeUndone(t *testing.T) {
	atHome(t, func(r *rig, script *scripted) {
		r.press("x", "j", "x", "u", "u")
		if n := len(script.calls); n < 2 || script.calls[n-2] != "undelete b222222222" || script.calls[n-1] != "undelete "+billing {
			t.Errorf("%q", script.calls)
		}
		r.press("u")
		r.sees("Nothing was deleted.")
	})
}

// What could not be brought back can be tried again.
func TestHome_aFailedUndoIsKept(t *testing.T) {
	atHome(t, func(r *rig, script *scripted) {
		r.press("x")
		script.fail = errors.New("the disk is full")
		r.press("u")
		r.sees("The disk is full")
		script.fail = nil
		r.press("u")
		r.sees("Brought back.")
	})
}

func TestHome_renames(t *testing.T) {
	atHome(t, func(r *rig, script *scripted) {
		r.press("r", "ctrl+u")
		r.typeText("Billing, q and x")
		r.press("enter")
		if !script.did("rename " + billing + " Billing, q and x") {
			t.Errorf("%q", script.calls)
		}
	})
}

func TestHome_escReturnsToTheOpenDebate(t *testing.T) {
	atHome(t, func(r *rig, script *scripted) {
		r.press("enter")
		r.wait(2 * time.Second)
		r.press("esc", "s")
		r.sees("Sessions", "esc back to the debate")
		r.press("x")
		r.sees("This session is open. q leaves it first.")
		r.press("esc")
		r.sees("waiting for you", "▸1 Ada")
		r.press("q")
		r.wait(time.Second)
		r.sees("Roundtable", "All is saved.")
		if !script.did("close " + billing) {
			t.Errorf("%q", script.calls)
		}
	})
}

func TestHome_openingAnotherLeavesTheFirst(t *testing.T) {
	atHome(t, func(r *rig, script *scripted) {
		r.press("enter")
		r.wait(2 * time.Second)
		r.press("esc", "s", "down", "enter")
		r.wait(time.Second)
		r.sees("One queue or two for webhooks?", "‖ Paused. Round 1 is done.")
		if !script.did("close " + billing) {
			t.Errorf("%q", script.calls)
		}
	})
}

func TestHome_aSessionThatCannotBeOpenedSaysWhy(t *testing.T) {
	atHome(t, func(r *rig, script *scripted) {
		delete(script.sessions, billing)
		r.press("enter")
		r.sees("No such session.", "+ New debate")
		r.press("esc")
		r.misses("No such session.")
	})
}

func TestFirstStart_enterStartsTheDemo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := shelf()
		script.offer = setup.Options{FirstStart: true, Demo: session(3, 2)}
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		r.press("enter")
		if !script.did("create Should billing move to SQLite?") || !script.did("start 1") {
			t.Errorf("%q", script.calls)
		}
		finish(r, script.current())
	})
}

// Models that are found lead to the form of a new debate, filled in.
func TestFirstStart_looksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := shelf()
		script.offer.FirstStart = true
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		r.sees("Start the demo debate")
		r.press("r")
		r.sees("No model was found. The list says where.")
		r.misses("Looking for models")
		script.offer.FirstStart = false
		r.press("r")
		r.sees("New debate", "[x] 1 Ada", "3 models were found: this panel can debate.")
	})
}

func TestFirstStart_withModelsIsTheNewDebate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 80, 24, shelf().deps())
		defer r.stop()
		r.sees("New debate", "[x] 1 Ada", "kept as a draft")
		r.typeText("Rust or Go? q")
		r.press("ctrl+c")
		r.quit.Do(r.ended)
	})
}

// What cannot be kept is not thrown away with one key.
func TestNewDebate_asksBeforeItLosesWhatCannotBeKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps := shelf().deps()
		deps.ReadOnly = "the database is read-only"
		deps.Start.New = true
		r := start(t, 80, 24, deps)
		defer r.stop()
		r.typeText("Rust or Go? q")
		r.press("ctrl+c")
		r.sees("What you typed for a new debate is not kept. ctrl+c quits · esc stays")
		r.press("esc")
		r.misses("is not kept")
		r.press("esc", "q")
		r.sees("q quits · esc stays")
		r.press("ctrl+c")
		r.quit.Do(r.ended)
	})
}

// What was typed for a new debate is kept while it is typed and when the program
// ends, stands in the form again, and goes when the debate begins.
func TestNewDebate_draftIsKeptUntilItBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := shelf(gate())
		r := start(t, 80, 24, script.deps())
		r.press("n")
		r.typeText("Rust or Go?")
		r.wait(time.Second)
		if !strings.Contains(script.typed.Text, "Rust or Go?") {
			t.Errorf("a second later %q is kept", script.typed.Text)
		}
		r.press("tab", "right", "tab", "tab", "right", "tab", "space") // another mode, a round more
		r.stop()                                                       // before it was time to keep that

		script.typed.At = time.Date(1999, 12, 31, 14, 2, 0, 0, time.UTC)
		r = start(t, 80, 24, script.deps())
		defer r.stop()
		r.misses("draft")
		r.press("n")
		r.sees("Rust or Go?", "tradeoff", "Your draft of 31 Dec 14:02 is kept, as you left it.")
		r.typeText(" Now.")
		r.press("esc", "n")
		r.sees("Rust or Go? Now.")
		r.misses("is kept")
		r.press("ctrl+s")
		r.wait(time.Second)
		if !script.did("create Rust or Go? Now.") || script.typed.Text != "" {
			t.Errorf("%q, and %q is kept", script.calls, script.typed.Text)
		}
		finish(r, script.current())
	})
}

// The demo of another screen leaves the draft alone.
func TestNewDebate_draftOutlivesTheDemo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := shelf()
		script.offer.FirstStart, script.offer.Demo = true, session(3, 2)
		script.typed.Text, script.typed.At = `{"topic": "Rust or Go?"}`, at(time.Hour)
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		r.press("enter")
		r.wait(time.Second)
		if !script.did("create Should billing move to SQLite?") || !strings.Contains(script.typed.Text, "Rust or Go?") {
			t.Errorf("%q, and %q is kept", script.calls, script.typed.Text)
		}
		finish(r, script.current())
	})
}

func TestNewDebate_escKeepsADraft(t *testing.T) {
	atHome(t, func(r *rig, script *scripted) {
		r.press("n")
		r.press("ctrl+s")
		r.sees("Say what the debate is about first.")
		r.typeText("Rust or Go?")
		r.press("esc", "n")
		r.sees("Rust or Go?")
		r.press("tab", "tab", "space")
		r.sees("[ ]   Ada")
		r.press("ctrl+s")
		if !script.did("create Rust or Go?") {
			t.Errorf("%q", script.calls)
		}
		finish(r, script.current())
	})
}

func TestPalette_runsByNameAndSaysWhyNot(t *testing.T) {
	bubble(t, interrupted, func(r *rig, _ *scripted) {
		r.press(":")
		r.typeText("verdict")
		r.sees("Verdict – No verdict yet: round 2 of 4")
		r.press("esc")
		r.misses("Commands")
		r.press("ctrl+p")
		r.typeText("one seat")
		r.press("enter")
		r.misses("╭ 1 Ada", "Commands")
		r.sees("3 Cy · llama3.1 (ollama)")
	})
}

func TestKeys_aDisabledKeySaysWhy(t *testing.T) {
	bubble(t, interrupted, func(r *rig, _ *scripted) {
		r.press("t")
		r.sees("No tool was used, and nothing was told.")
		for key, why := range map[string]string{
			"v": "No verdict yet: round 2 of 4.",
			"c": "Nobody has asked for anything yet.", "n": "Nothing is searched for. / begins.", "o": "No pager is set: $PAGER names one.", "9": "There are 3 seats.",
		} {
			r.press(key)
			r.sees(why)
		}
	})
}

func TestHelp_filters(t *testing.T) {
	bubble(t, interrupted, func(r *rig, _ *scripted) {
		r.press("?", "/")
		r.typeText("pause")
		r.sees("pause, resume")
		r.misses("one seat, all seats")
		r.press("esc", "esc")
		r.misses("Help · Debate")
	})
}

func TestSearch_inATranscript(t *testing.T) {
	bubble(t, interrupted, func(r *rig, _ *scripted) {
		r.press("1", "/")
		r.typeText("invoices q")
		r.press("backspace", "backspace", "enter")
		r.sees(`"invoices": 2 matches, the newest is shown.`)
		r.press("n")
		r.sees(`"invoices": match 1 of 2.`)
		r.press("esc", "/")
		r.typeText("nowhere")
		r.press("enter")
		r.sees(`Nothing matches "nowhere" in Ada's transcript.`)
	})
}

func TestExport_asksForTheFormat(t *testing.T) {
	bubble(t, concluded, func(r *rig, s *scripted) {
		r.press("e")
		r.sees("Export as: m Markdown · j JSON · h HTML · esc cancels")
		r.press("h")
		r.wait(time.Second)
		r.sees("Wrote debate.html in /home.")
		if !s.did("export html, running false") {
			t.Errorf("it was asked for %v", s.calls)
		}
	})
}

func TestExport_ofARoundUnderWaySaysSo(t *testing.T) {
	bubble(t, interrupted, func(r *rig, s *scripted) {
		r.press("space") // the rest of round 2
		r.press("e", "m")
		r.wait(time.Second)
		r.sees("Wrote debate.md in /home.")
		if !s.did("export md, running true") {
			t.Errorf("it was asked for %v", s.calls)
		}
	})
}

func TestExport_worksAtTheGate(t *testing.T) {
	bubble(t, gate, func(r *rig, s *scripted) {
		r.press("c")
		r.wait(2 * time.Second)
		r.typeText("42 e")
		r.press("ctrl+p")
		r.typeText("export")
		r.press("enter", "j")
		r.wait(time.Second)
		r.sees("Wrote debate.json in /home.", "42 e", "release")
		if !s.did("export json, running false") {
			t.Errorf("it was asked for %v", s.calls)
		}
	})
}

func TestExport_saysWhyNothingWasWritten(t *testing.T) {
	bubble(t, concluded, func(r *rig, s *scripted) {
		s.mu.Lock()
		s.fail = errors.New("write debate.json: no space left on device")
		s.mu.Unlock()
		r.press("e", "j")
		r.wait(time.Second)
		r.sees("Write debate.json: no space left on device.")
		r.misses("Wrote")
	})
}

func TestCopy_saysWhatIfNothingArrives(t *testing.T) {
	bubble(t, interrupted, func(r *rig, _ *scripted) {
		r.press("2", "y")
		r.sees("Copied Brook's statement. If nothing arrives, your terminal refuses it: o opens it.")
	})
}

// used is a debate in which tools were called.
func used() debate.Session {
	s := interrupted()
	for i, name := range []string{"read_file", "search", "request_context"} {
		x := &s.History[1].Responses[i]
		x.Passages = append([]debate.Passage{{Tools: []debate.ToolRecord{{ID: x.Turn.ToolCall(1), Name: name, Args: `{"path":"../infra/grafana.json"}`, State: debate.ToolDone, Began: at(5 * time.Minute), Took: time.Duration(i) * 4 * time.Millisecond}}}}, x.Passages...)
	}
	s.History[1].Responses[0].Passages[0].Tools[0].Result.Status = "denied"
	s.History[1].Responses[0].Passages[0].Tools[0].Result.Text = "The path leaves the workspace: ../infra/grafana.json"
	s.History[1].Responses[1].Passages[0].Tools[0].Result.Status = "ok"
	s.History[1].Responses[2].Passages[0].Tools[0].Result.Status = "ok"
	return s
}

func TestScreen_toolLog(t *testing.T) { opened(t, used, "t", "k", "k") }

func TestToolLog_filtersAndShowsTheCallInItsPane(t *testing.T) {
	bubble(t, used, func(r *rig, _ *scripted) {
		r.press("t", "/")
		r.typeText("read")
		r.press("enter")
		r.sees("read_file", "✗ denied · call 1 · round 2, attempt 1")
		r.misses("request_context")
		r.misses("went on", "Nothing was read") // the result alone says what came of it
		r.press("esc", "tab", "tab")
		r.sees("seat Brook")
		r.press("enter")
		r.sees("▸2 Brook", "search")
		r.press("t", "esc", "esc")
		r.sees("‖ Paused.")
	})
}

// edits answers in an editor that runs a command of the shell on the file "$0".
func edits(t *testing.T, command string, look func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		script := shelf(gate())
		deps := script.deps()
		deps.Start.Session = billing
		deps.Editor = []string{"sh", "-c", command}
		r := start(t, 140, 40, deps)
		defer r.stop()
		r.wait(2 * time.Second)
		r.press("ctrl+o")
		for range 100 {
			r.wait(10 * time.Millisecond)
			synctest.Wait()
		}
		look(r)
	})
}

func TestEditor_bringsTheAnswerBack(t *testing.T) {
	edits(t, `printf '42 writes/s,\nfrom the editor' > "$0"`, func(r *rig) {
		r.sees("42 writes/s,", "from the editor")
	})
}

// Text that is not UTF-8 is not taken: characters of it would be lost. The file stays.
func TestEditor_leavesTextThatIsNotUTF8InItsFile(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	edits(t, `printf 'caf\351 at noon' > "$0"`, func(r *rig) {
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

// What was found for a query that has changed since is passed over, and nothing
// is asked for before the typing pauses.
func TestSearch_waitsForAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := shelf(gate())
		deps := script.deps()
		asked := make(chan home.Query, 8)
		deps.Sessions = searching{script, asked}
		r := start(t, 80, 24, deps)
		defer r.stop()
		r.press("/")
		r.typeText("append-only mode:expert-panel")
		r.wait(time.Second)
		r.sees("R2 Brook   keep it append-only")
		if len(asked) != 1 {
			t.Fatalf("asked %d times", len(asked))
		}
		if q := <-asked; q.Text != "append-only" || q.Mode != "expert-panel" {
			t.Errorf("%+v", q)
		}
	})
}

type searching struct {
	*scripted
	asked chan home.Query
}

func (s searching) Search(_ context.Context, q home.Query) ([]home.Hit, error) {
	s.asked <- q
	return []home.Hit{{Session: billing, Matches: []home.Match{{Where: "R2 Brook", Before: "keep it ", Text: "append-only"}}}}, nil
}

func TestStart_aSessionThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps := shelf(gate()).deps()
		deps.Start = tui.Start{Session: "nosuch0000"}
		r := start(t, 80, 24, deps)
		defer r.stop()
		r.sees("No such session.", "+ New debate")
	})
}
