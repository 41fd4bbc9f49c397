//go:build unix

package e2e_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unzipped returns what is in a file of store/testdata/before; the test of the
// store beside it says what these files hold and how they were made.
func unzipped(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "store", "testdata", "before", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// withoutWording removes from an export what is worded anew each time.
func withoutWording(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "failure")
		delete(v, "consensus")
		delete(v, "side")
		delete(v, "stance")
		delete(v, "vote")
		delete(v, "choice")
		delete(v, "estimate")
		if v["state"] == "expired" { // it is open after the verdict
			v["state"] = "after_verdict"
		}
		for k, x := range v {
			v[k] = withoutWording(x)
		}
	case []any:
		for i, x := range v {
			v[i] = withoutWording(x)
		}
	}
	return v
}

// asBefore removes from an export the members that an earlier one of the same debate does
// not have: exports may grow.
func asBefore(now, before any) any {
	switch now := now.(type) {
	case map[string]any:
		before, _ := before.(map[string]any)
		maps.DeleteFunc(now, func(k string, _ any) bool { _, had := before[k]; return !had })
		for k, x := range now {
			now[k] = asBefore(x, before[k])
		}
	case []any:
		before, _ := before.([]any)
		for i := range min(len(now), len(before)) {
			now[i] = asBefore(now[i], before[i])
		}
	}
	return now
}

// withPurpose returns a copy of what calls cost, with another purpose.
func withPurpose(spent any, purpose string) map[string]any {
	out := maps.Clone(spent.(map[string]any))
	out["purpose"] = purpose
	return out
}

// A database that commit 9ff01fb wrote is exported as it was exported then, goes
// on, and is exported again.
func TestBefore_theProgramExportsAndContinuesADatabaseOf9ff01fb(t *testing.T) {
	t.Parallel()
	env := home(t)
	path := filepath.Join(t.TempDir(), "roundtable.db")
	if err := os.WriteFile(path, unzipped(t, "91a050bb.db.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	env = append(env, "ROUNDTABLE_DB="+path)
	exported := func(id string) map[string]any {
		out, err := program(t, env, "export", id, "--format", "json", "-o", "-").Output()
		if err != nil {
			t.Fatalf("export %s: %v", id, err)
		}
		var doc map[string]any
		if err := json.Unmarshal(out, &doc); err != nil {
			t.Fatalf("export %s: %v", id, err)
		}
		return doc
	}
	var want map[string]map[string]any
	if err := json.Unmarshal(unzipped(t, "91a050bb.exports.json.gz"), &want); err != nil {
		t.Fatal(err)
	}
	if len(want) != 12 {
		t.Errorf("%d exports", len(want))
	}
	for i, title := range slices.Sorted(maps.Keys(want)) {
		if testing.Short() && i%3 != 0 {
			continue
		}
		doc := want[title]
		id := doc["id"].(string)
		got := exported(id)
		for _, part := range []string{
			"topic", "mode", "status", "rounds", "created", "updated", "agents", "history", "requests", "interjections", "spent",
		} {
			have := got[part]
			if _, forked := got["fork_spent"]; forked && part == "spent" { // a fork has costs of its own since
				members, total := withPurpose(got["fork_spent"], "member"), withPurpose(got["fork_spent"], "")
				have = []any{members, total}
			}
			if diff := cmp.Diff(withoutWording(doc[part]), withoutWording(asBefore(have, doc[part]))); diff != "" {
				t.Errorf("%s of %s:\n%s", part, title, diff)
			}
		}
		if title == "failed" { // its server is not there
			continue
		}
		if doc["status"] == "needs_context" {
			if out, err := program(t, env, "answer", id, "C1", "--text", "A day.").CombinedOutput(); err != nil {
				t.Fatalf("answer %s: %v\n%s", title, err, out)
			}
		}
		out, err := program(t, env, "continue", id, "--quiet").CombinedOutput()
		state := "complete"
		switch title {
		case "killed-first": // its round goes on to the question that blocks the next
			state = "needs_context"
		case "budget":
			state = "stopped"
		}
		if got := exported(id)["status"]; got != state {
			t.Errorf("%s is %s: %v\n%s", title, got, err, out)
		}
	}
}
