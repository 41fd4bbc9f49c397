package store_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/debate/report"
	"roundtable/store"
)

// knownModes are the modes that the program has.
func knownModes(t *testing.T) report.Modes {
	t.Helper()
	all, _, err := modes.Load("")
	must(t, err)
	return func(name string) (debate.Mode, bool) {
		for _, m := range all {
			if m.Name == name {
				return m, true
			}
		}
		return debate.Mode{}, false
	}
}

// imported stores an export in a store, and returns the session.
func imported(t *testing.T, s *store.Store, raw []byte, sum string) debate.Session {
	t.Helper()
	d, err := report.Read(raw, knownModes(t))
	must(t, err)
	d.Imported.SHA256, d.Imported.At = sum, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	d.ID, err = s.ImportID(t.Context(), d.ID)
	must(t, err)
	d, err = s.Import(t.Context(), d)
	must(t, err)
	return d
}

// exported returns the JSON export of a session without what an import changes.
func exported(t *testing.T, d debate.Session) (raw []byte, doc map[string]any) {
	t.Helper()
	var b bytes.Buffer
	must(t, report.Of(d, report.Options{}).Write(&b, report.JSON))
	must(t, json.Unmarshal(b.Bytes(), &doc))
	delete(doc, "imported")
	delete(doc, "id")
	return b.Bytes(), doc
}

// TestImport_isWhatWasExported takes one debate in each state from one database to another.
func TestImport_isWhatWasExported(t *testing.T) {
	from, err := store.Open(t.Context(), before(t), store.Options{})
	must(t, err)
	defer from.Close()
	to, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "roundtable.db"), store.Options{})
	must(t, err)
	defer to.Close()
	for title, listed := range titled(t, from) {
		d, err := from.Session(t.Context(), listed.ID)
		must(t, err)
		raw, want := exported(t, d)
		got := imported(t, to, raw, title)
		if _, again := exported(t, got); cmp.Diff(want, again) != "" {
			t.Errorf("%s (-exported +imported):\n%s", title, cmp.Diff(want, again))
		}
		if got.ID != d.ID || got.Imported.Session != d.ID {
			t.Errorf("%s is %s from %s, not %s", title, got.ID, got.Imported.Session, d.ID)
		}
		twin := imported(t, to, raw, title+" again")
		if _, again := exported(t, twin); twin.ID == d.ID || cmp.Diff(want["history"], again["history"]) != "" {
			t.Errorf("%s, whose id is taken, became %s", title, twin.ID)
		}
		twin.ID = ""
		var known *store.ImportedError
		if _, err := to.Import(t.Context(), twin); !errors.As(err, &known) {
			t.Errorf("%s is imported twice: %v", title, err)
		}
		s := titled(t, to)[title]
		if s.Tokens != listed.Tokens || cmp.Diff(s.Cost, listed.Cost) != "" || s.Status != listed.Status ||
			s.Required != listed.Required || s.Imported != d.ID {
			t.Errorf("%s is listed as %+v, was %+v", title, s, listed)
		}
	}
	if found, err := to.Sessions(t.Context(), store.Query{Text: "week"}); err != nil || len(found) == 0 {
		t.Errorf("a search finds %d imports: %v", len(found), err)
	}
}

// TestImport_readsEarlierExports imports what commit 9ff01fb exported.
func TestImport_readsEarlierExports(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "before", "9ff01fb.exports.json.gz"))
	must(t, err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	must(t, err)
	var all map[string]json.RawMessage
	must(t, json.NewDecoder(r).Decode(&all))
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "roundtable.db"), store.Options{})
	must(t, err)
	defer s.Close()
	for title, raw := range all {
		d := imported(t, s, raw, title)
		var doc struct {
			Status debate.Status
			Topic  string
		}
		must(t, json.Unmarshal(raw, &doc))
		if d.Status() != doc.Status || d.Topic != doc.Topic {
			t.Errorf("%s is %s about %q, was %s about %q", title, d.Status(), d.Topic, doc.Status, doc.Topic)
		}
		if _, err := s.Fork(t.Context(), d.ID, debate.ForkPlan{}); err != nil {
			t.Errorf("fork %s: %v", title, err)
		}
	}
}
