//go:build cgo && linux

package world_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var plant = flag.String("plant", "", "a regular expression: plant the faults whose names match, one by one, and look for each")

// fault is a mistake that could be made in the product: old stands once in a file, and is
// replaced by new.
type fault struct{ name, file, old, new string }

// planted are mistakes of all kinds of which each has to be found.
var planted = []fault{
	{
		"a missing fsync of the log", "store/open.go",
		`"_synchronous": "EXTRA", "_txlock": "immediate", "_stmt_cache_size": "100"`,
		`"_synchronous": "NORMAL", "_txlock": "immediate", "_stmt_cache_size": "100"`,
	},
	{
		"a failed commit is acknowledged", "store/tx.go",
		"if err := inner.Commit(); err != nil {\n\t\treturn err", "if err := inner.Commit(); err != nil {\n\t\treturn nil",
	},
	{
		"an answer removes all drafts", "store/documents.go",
		"`DELETE FROM documents WHERE session = ? AND kind = ? AND key = ?`", "`DELETE FROM documents WHERE session = ? AND kind = ? AND key >= substr(?, 1, 1)`",
	},
	{
		"a gate that forgets what two seats asked", "debate/ledger/ledger.go",
		"return r.State == Pending && r.Priority == Required }", "return r.State == Pending && r.Priority == Required && len(r.Asks) < 2 }",
	},
	{
		"a later request is sent before it is recorded", "debate/engine/turnrecorder.go",
		"err := tr.Recorder.BeginCall(save, tr.response.Turn, tr.purpose, tr.completions, p.Request)",
		"var err error\n\tif tr.completions == 1 {\n\t\terr = tr.Recorder.BeginCall(save, tr.response.Turn, tr.purpose, tr.completions, p.Request)\n\t}",
	},
	{
		"a retry is counted twice", "debate/engine/budget.go",
		"lost = r.Failed.Took(tr.inputEstimate)", "lost = r.Failed.Took(tr.inputEstimate).Add(r.Failed.Took(tr.inputEstimate))",
	},
	{
		"who has answered is asked again", "debate/due.go",
		"case s.Stopped.Forced() || begun && x.State != TurnInterrupted:",
		"case s.Stopped.Forced() || begun && x.State != TurnInterrupted && (x.Turn.Attempt < 2 || x.State != TurnDone):",
	},
	{
		"a lock that keeps nobody out", "store/lock.go",
		"ok, err = l.file.TryLockContext(waiting, lockRetry)", "ok, err = l.file.TryLockContext(waiting, lockRetry)\n\t\tok = true",
	},
	{
		"the end of a round forgets the focus", "store/rounds.go",
		"changeHead(tx, session, func(d *debate.Session) { d.Stopped = ending })",
		"changeHead(tx, session, func(d *debate.Session) { d.Stopped = ending })\n\t\tdeleteDocument(tx, session, focusDocument, \"\")",
	},
	{
		"a budget of dollars is not stored", "store/rounds.go",
		"{ d.Budget = b }", "{ d.Budget = debate.Budget{Tokens: b.Tokens} }",
	},
	{
		"a corrected answer is not released", "debate/ledger/answer.go",
		"if a, ok := r.Undelivered(); ok {", "if a, ok := r.Undelivered(); ok && a.Revision == 1 {",
	},
	{
		"an answer with thoughts loses its text", "store/turns.go",
		"if f.Text+f.Reasoning != \"\" {", "if f.Text+f.Reasoning != \"\" && (f.Reasoning == \"\" || e.Response.Turn.Attempt < 2) {",
	},
	{"a goroutine that nobody ends", "internal/linear/linear.go", "\tdefer close(done)\n", ""},
	{
		"a file that is never closed", "store/store.go",
		"for _, db := range []*sql.DB{s.reader, s.writer} {", "for _, db := range []*sql.DB{s.writer} {",
	},
	{
		"lines that do not say what comes next", "internal/linear/session.go",
		"p.open.Words().State(time.Now()).Lines, \" \"", "p.open.Words().State(time.Now()).Lines[:0], \" \"",
	},
	{
		"who waits for the budget is let in by nobody", "debate/engine/budget.go",
		"decided, err := l.decide(w.amount, true)\n", "decided, err := l.decide(w.amount, true)\n\t\tif l.pending > 0 {\n\t\t\treturn false\n\t\t}\n",
	},
	{
		"an answer is announced before it is recorded", "debate/engine/turnrecorder.go",
		"changed, err := tr.Recorder.EndTurn(ctx, e)\n",
		"if tr.purpose == debate.ForMember {\n\t\ttr.emit(debate.TurnEnded{Response: tr.response, At: tr.response.Ended})\n\t}\n\tchanged, err := tr.Recorder.EndTurn(ctx, e)\n",
	},
	{
		"a stored prompt is made of another one than it was cut by", "store/requests.go",
		"packed, err := compress(slices.Concat(raw, []byte(\"\\n\"), titles), before)",
		"packed, err := compress(slices.Concat(raw, []byte(\"\\n\"), titles), before[:max(len(before)-9, 0)])",
	},
	{
		"a fork lacks its last round", "store/fork.go",
		"FROM rounds WHERE session = ?2 AND number <= ?3`", "FROM rounds WHERE session = ?2 AND number < ?3`",
	},
	{
		"a chair that was cut off is never asked again", "store/repair.go",
		"`SELECT id FROM turns WHERE session = ? AND state = 'running'`", "`SELECT id FROM turns WHERE session = ? AND state = 'running' AND step >= 0`",
	},
}

// Each of the planted faults is found. It builds the test of worlds once a fault, with the
// faulty file in the place of the real one.
func TestPlanted(t *testing.T) {
	if *plant == "" {
		t.Skip("run it with -plant .; it takes half a minute for each fault")
	}
	names := regexp.MustCompile(*plant)
	var found []int
	for _, f := range planted {
		if !names.MatchString(f.name) {
			continue
		}
		seed, rule, err := f.look(t)
		switch {
		case err != nil:
			t.Errorf("%s: %v", f.name, err)
		case seed == 0:
			t.Errorf("%s: not found in %d seeds", f.name, *worlds)
		default:
			t.Logf("%s: found by seed %d (%s)", f.name, seed, rule)
			found = append(found, seed)
		}
	}
	if slices.Sort(found); len(found) > 0 {
		t.Logf("%d found; the median seed is %d, the last %d", len(found), found[len(found)/2], found[len(found)-1])
	}
}

// look plays worlds with the fault and returns the first seed that fails, and on what; 0 if none does.
func (f fault) look(t *testing.T) (seed int, rule string, err error) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		return 0, "", err
	}
	dir, path := t.TempDir(), filepath.Join(root, f.file)
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, "", err
	}
	if n := bytes.Count(raw, []byte(f.old)); f.old == "" || n != 1 {
		return 0, "", fmt.Errorf("what it replaces stands %d times in %s", n, f.file)
	}
	faulty, overlay, binary := filepath.Join(dir, "faulty.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "world.test")
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{path: faulty}})
	if err == nil {
		content := bytes.Replace(raw, []byte(f.old), []byte(f.new), 1)
		err = errors.Join(os.WriteFile(faulty, content, 0o600), os.WriteFile(overlay, replaced, 0o600))
	}
	if err != nil {
		return 0, "", err
	}
	build := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, "", fmt.Errorf("build it: %w: %s", err, out)
	}
	out, err := exec.Command(binary, "-test.run", "^TestWorlds$", "-worlds", strconv.Itoa(*worlds), "-shrinks", "0", "-name").CombinedOutput()
	if err == nil {
		return 0, "", nil
	}
	if m := regexp.MustCompile(`seed (\d+): ([a-z ]+): .*`).FindStringSubmatch(string(out)); m != nil {
		seed, err = strconv.Atoi(m[1])
		return seed, strings.TrimSpace(m[0]), err
	}
	begun := regexp.MustCompile(`seed (\d+) begins`).FindAllStringSubmatch(string(out), -1)
	if len(begun) == 0 {
		return 0, "", fmt.Errorf("%w: %s", err, out)
	}
	first, _, _ := strings.Cut(string(out[bytes.Index(out, []byte("panic: ")):]), "\n")
	seed, err = strconv.Atoi(begun[len(begun)-1][1])
	return seed, first, err
}
