//go:build unix

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// listed is what `sessions --json` says of a session.
type listed struct {
	ID      string `json:"id"`
	Topic   string `json:"topic"`
	Status  string `json:"status"`
	Pending int    `json:"pending"`
}

func sessions(t testing.TB, env []string) []listed {
	t.Helper()
	out, err := program(t, env, "sessions", "--json").Output()
	if err != nil {
		t.Fatalf("sessions --json: %v", err)
	}
	var all []listed
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("sessions --json printed %s: %v", out, err)
	}
	return all
}

// takesKeys is a key hint that is shown while an answer is typed.
const takesKeys = "alt+enter new line"

// entersForm waits for the form that opens by itself after round 1, and goes into it. A key
// that comes too late for that is text, which is deleted.
func (tm *terminal) entersForm() {
	tm.Helper()
	tm.await("Context for round 2", takesKeys)
	tm.send("c")
	tm.send("\x7f")
}

// skipAhead has the demo show the rest of a stage at once.
func (tm *terminal) skipAhead(stage string) {
	tm.Helper()
	tm.await(stage, "> skip ahead")
	tm.send(">")
}

// toTheForm starts the demo debate as a newcomer does and goes into its form.
func toTheForm(t *testing.T, env []string, w, h int) *terminal {
	t.Helper()
	tm := open(t, env, w, h)
	tm.await("Start the demo debate")
	tm.send(enter)
	tm.skipAhead("They answer blind")
	tm.entersForm()
	return tm
}

func TestDemo_theFormBlocksAndTypedTextSurvivesKill(t *testing.T) {
	skipShort(t)
	t.Parallel()
	for _, size := range []struct{ w, h int }{{80, 24}, {140, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			t.Parallel()
			env := home(t)
			tm := toTheForm(t, env, size.w, size.h)
			tm.await("required", "How many servers write")
			tm.send(startRow)
			tm.await("C1 needs an answer")
			tm.send("a week of work, seen within a day")
			tm.await("a week of work", "draft saved")
			tm.kill()

			all := sessions(t, env)
			if len(all) != 1 || all[0].Status != "needs_context" || all[0].Pending != 1 {
				t.Fatalf("after the kill: %+v", all)
			}
			tm = open(t, env, size.w, size.h, "resume", all[0].ID[:6])
			tm.await("a week of work", takesKeys)
			tm.send(startRow)
			tm.skipAhead("they have read each other")
			tm.skipAhead("is writing it")
			tm.await("2 of 3; ", "Ada (yes)")
			tm.send("q")
			tm.send("q")
			if code := tm.end(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if all := sessions(t, env); all[0].Status != "complete" {
				t.Errorf("at the end: %+v", all)
			}
			for _, x := range attempts(t, env, all[0].ID) {
				if x != 1 {
					t.Errorf("an agent that had finished was called again: attempt %d", x)
				}
			}
		})
	}
}

// An export while a round runs holds what was said so far, whoever makes it: the
// interface left out all that was still being written, and the command did not.
func TestExport_duringARoundHoldsWhatWasSaid(t *testing.T) {
	t.Parallel()
	env, dir := home(t), t.TempDir()
	cmd := program(t, env)
	cmd.Dir = dir
	x := newExit(t, env, cmd)
	x.begins()
	x.await("SQLite is a library", "writing")
	x.send("e")
	x.await("m Markdown")
	x.send("m")
	x.await("Wrote ")
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(raw), "For most small") {
		t.Errorf("%v; the export has no text of the round:\n%s", err, raw)
	}
	x.quit()
	x.end()
}

// What was typed for a new debate is there again, whatever ended the program.
func TestNewDebate_draftSurvives(t *testing.T) {
	skipShort(t)
	t.Parallel()
	for name, end := range map[string]func(x *exit){
		"kill -9":      func(x *exit) { x.keeps("Rust or Go for the importer?"); x.kill() },
		"TERM":         func(x *exit) { signalled(syscall.SIGTERM)(x); x.end() },
		"HUP":          func(x *exit) { signalled(syscall.SIGHUP)(x); x.end() },
		"ctrl+c twice": func(x *exit) { x.send(ctrlC + ctrlC); x.end() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := home(t)
			x := newExit(t, env, program(t, env, "new"))
			x.await("New debate", "draft kept", "Without a model, answers to your own topic are scripted.")
			x.send("Rust or Go for the importer?")
			x.await("Rust or Go for the importer?")
			end(x)
			tm := open(t, env, 80, 24, "new")
			tm.await("Rust or Go for the importer?")
			tm.send(ctrlC)
			tm.end()
		})
	}
}

// keeps waits until a text is in the files of the database.
func (x *exit) keeps(text string) {
	x.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		found := false
		err := filepath.WalkDir(strings.TrimPrefix(x.env[1], "HOME="), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(d.Name(), ".db") {
				return err
			}
			raw, err := os.ReadFile(path)
			found = found || bytes.Contains(raw, []byte(text))
			return err
		})
		if err == nil && found {
			return
		}
	}
	x.Fatalf("%q is not kept", text)
}

// attempts lists the attempt numbers of all turns of a session.
func attempts(t *testing.T, env []string, id string) []int {
	t.Helper()
	out, err := program(t, env, "show", id, "--json").Output()
	if err != nil {
		t.Fatalf("show %s --json: %v", id, err)
	}
	var doc any
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatal(err)
	}
	var found []int
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if n, ok := x.(float64); ok && strings.EqualFold(k, "attempt") {
					found = append(found, int(n))
				}
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(doc)
	if len(found) == 0 {
		t.Fatalf("show prints no attempts: %s", out)
	}
	return found
}
