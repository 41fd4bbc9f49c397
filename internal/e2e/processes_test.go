//go:build unix

package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// played is a debate that a process was told is complete.
type played struct{ id, topic, answer string }

// worker plays debates on a database that others use at the same time.
type worker struct {
	env  []string
	name string
	done []played
}

// run runs the program, which must end with that code and say nothing of
// the database.
func (w *worker) run(code int, args ...string) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = w.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return "", err
	}
	said := out.String() + errs.String()
	if got := cmd.ProcessState.ExitCode(); got != code || strings.Contains(said, "database") || strings.Contains(said, "Cannot") {
		return "", fmt.Errorf("%q: exit code %d, want %d:\n%s%s", args, got, code, out.String(), errs.String())
	}
	return out.String(), nil
}

// debate plays one debate with a command for each step, as a script would.
func (w *worker) debate() error {
	p := played{topic: fmt.Sprintf("Is it so, %s-%d?", w.name, len(w.done)), answer: fmt.Sprintf("fact %s-%d", w.name, len(w.done))}
	out, err := w.run(3, "run", p.topic, "--panel", "demo", "--json")
	if err != nil {
		return err
	}
	var first struct{ Session string }
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&first); err != nil {
		return fmt.Errorf("read %s: %w", out, err)
	}
	p.id = first.Session
	for _, step := range []struct {
		code int
		args []string
	}{
		{3, []string{"continue", p.id}},
		{0, []string{"requests", p.id}},
		{0, []string{"answer", p.id, "C1", "--text", p.answer}},
		{0, []string{"continue", p.id, "--json"}},
		{0, []string{"sessions", "--search", p.answer}},
	} {
		if out, err = w.run(step.code, step.args...); err != nil {
			return err
		}
	}
	if !strings.Contains(out, p.id) {
		return fmt.Errorf("%s is not found by its answer %q: %s", p.id, p.answer, out)
	}
	w.done = append(w.done, p)
	return nil
}

// Four processes at a time play debates of their own on one database.
func TestProcesses_playBesideEachOtherOnOneDatabase(t *testing.T) {
	skipShort(t)
	load := time.Duration(count(2, 60)) * time.Second
	env := home(t)
	workers := make([]*worker, 4)
	failed := make(chan error)
	until := time.Now().Add(load)
	for i := range workers {
		w := &worker{env: env, name: fmt.Sprint("w", i)}
		workers[i] = w
		go func() {
			var err error
			for err == nil && (len(w.done) == 0 || time.Now().Before(until)) {
				err = w.debate()
			}
			failed <- err
		}()
	}
	for range workers {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	var all []played
	for _, w := range workers {
		all = append(all, w.done...)
	}
	t.Logf("%d debates in %s", len(all), load)
	tr := &trial{T: t, env: env}
	db := tr.open()
	if sick := db.column("PRAGMA integrity_check"); !slices.Equal(sick, []string{"ok"}) {
		t.Errorf("the database is damaged: %q", sick)
	}
	kept := db.column(`SELECT s.id || ' ' || s.topic || ' ' || (e.payload ->> 'content') FROM sessions s
		JOIN context_events e ON e.session = s.id AND e.type = 'answer'
		WHERE s.concluded = 1 AND (SELECT count(*) FROM rounds r WHERE r.session = s.id AND r.ended IS NOT NULL) = s.rounds
		AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.session = s.id AND t.state <> 'done')
		AND EXISTS (SELECT 1 FROM context_events f WHERE f.session = s.id AND f.request = e.request AND f.type = 'release')`)
	var want []string
	for _, p := range all {
		want = append(want, p.id+" "+p.topic+" "+p.answer)
	}
	slices.Sort(kept)
	slices.Sort(want)
	if !slices.Equal(kept, want) {
		t.Errorf("kept are\n%s\nwant\n%s", strings.Join(kept, "\n"), strings.Join(want, "\n"))
	}
}
