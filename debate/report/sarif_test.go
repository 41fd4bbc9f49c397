package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// sarifValidator returns the validation by the committed schema. The schema says that it is
// of draft 4 and uses no keyword that has another meaning in draft 7, which the library reads.
func sarifValidator(t *testing.T) func(any) error {
	t.Helper()
	raw := must.Get(os.ReadFile("testdata/sarif/sarif-schema-2.1.0.json"))(t)
	const want = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != want {
		t.Fatalf("the schema is not the one of SOURCE.md: %x", sum)
	}
	raw = bytes.Replace(raw, []byte("json-schema.org/draft-04/schema#"), []byte("json-schema.org/draft-07/schema#"), 1)
	return validator(t, raw, jsonschema.ResolveOptions{})
}

// sarif is what the tests read of a SARIF file.
type sarif struct {
	Runs []struct {
		Results []struct {
			RuleID, Level string
			Message       struct{ Text string }
			Locations     []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine, EndLine int } // none: 0
				}
			}
			PartialFingerprints map[string]string
			Properties          struct{ Finding, State string }
		}
		Invocations []struct{ ToolExecutionNotifications []any }
	}
}

func sarifOf(t *testing.T, s debate.Session) sarif {
	t.Helper()
	var out sarif
	must.Do(t, json.Unmarshal(export(t, s, report.SARIF, report.Options{}), &out))
	return out
}

func TestSARIF_fitsItsSchema(t *testing.T) {
	valid := sarifValidator(t)
	decode := func() map[string]any { return document(t, debatetest.Reviewed(), report.SARIF, report.Options{}) }
	must.Do(t, valid(decode()))
	for name, spoil := range map[string]func(run, result map[string]any){
		"another level":     func(_, r map[string]any) { r["level"] = "high" },
		"no message":        func(_, r map[string]any) { delete(r, "message") },
		"an unknown member": func(_, r map[string]any) { r["finding"] = "H1" },
		"no tool":           func(run, _ map[string]any) { delete(run, "tool") },
		"line 0": func(_, r map[string]any) {
			at := r["locations"].([]any)[0].(map[string]any)["physicalLocation"].(map[string]any)
			at["region"].(map[string]any)["startLine"] = 0
		},
	} {
		doc := decode()
		run := doc["runs"].([]any)[0].(map[string]any)
		if spoil(run, run["results"].([]any)[0].(map[string]any)); valid(doc) == nil {
			t.Errorf("%s passes", name)
		}
	}
}

// Levels follow severity, removed lines are on the next line that was kept, and each result
// has a file, since GitHub refuses all of a file for one without.
func TestSARIF_placesEveryFindingThatIsNotRefuted(t *testing.T) {
	s := debatetest.Reviewed()
	s.History[1].Responses[3].Statement.ListCut = true
	s.History[0].Responses[2].Statement.Findings[0].Where = "store/open.go:900"
	run := sarifOf(t, s).Runs[0]
	want := []struct {
		id, level, file string
		from, to        int
	}{
		{"H1", "error", "tui/form.go", 41, 42},
		{"H2", "warning", "store/open.go", 11, 11},
		{"H3", "warning", "tui/form.go", 41, 41},
		{"H4", "note", "tui/form.go", 0, 0},
		{"H5", "note", "store/open.go", 0, 0},
	}
	if len(run.Results) != len(want) || len(run.Invocations[0].ToolExecutionNotifications) != 1 {
		t.Fatalf("%+v", run)
	}
	for i, w := range want {
		r := run.Results[i]
		at := r.Locations[0].PhysicalLocation
		if from, to := at.Region.StartLine, at.Region.EndLine; r.Properties.Finding != w.id || r.Level != w.level ||
			at.ArtifactLocation.URI != w.file || from != w.from || to != w.to {
			t.Errorf("want %+v, got %+v", w, r)
		}
		if unknown := strings.Contains(r.Message.Text, "Its lines are not known"); unknown != (w.from == 0) || r.RuleID != "review-finding" {
			t.Errorf("%s: %+v", w.id, r)
		}
	}
}

// The fingerprint is of what was found, not of where its file moved it, who found it and
// what number it has.
func TestSARIF_fingerprintsOutlastAnotherReview(t *testing.T) {
	prints := func(s debate.Session) map[string]bool {
		all := map[string]bool{}
		for _, r := range sarifOf(t, s).Runs[0].Results {
			all[r.PartialFingerprints["roundtableFinding/v1"]] = true
		}
		return all
	}
	first, again := prints(debatetest.Reviewed()), debatetest.Reviewed()
	for _, x := range again.History[0].Responses {
		for j := range x.Statement.Findings {
			f := &x.Statement.Findings[j]
			f.Severity, f.Title = debate.SeverityLow, strings.ToUpper(f.Title)
		}
	}
	for print := range prints(again) {
		if !first[print] {
			t.Errorf("%s is new", print)
		}
	}
	if len(first) != 5 {
		t.Errorf("%d fingerprints of 5 findings", len(first))
	}
}

func TestWrite_refusesFindingsOfWhatIsNoReview(t *testing.T) {
	for _, f := range []report.Format{report.SARIF, report.Comment} {
		for _, s := range []debate.Session{completed(), newSession()} {
			if err := report.Of(s, report.Options{}).Write(&bytes.Buffer{}, f); !errors.Is(err, report.ErrNoReview) {
				t.Errorf("%s: %v", f, err)
			}
		}
	}
}

// A finding without a place is not put on a file that no seat was shown.
func TestSARIF_placesNothingOnAFileThatIsLeftOut(t *testing.T) {
	f := debatetest.New(t, "review", 1, "Ada", "Brook")
	const diff = "diff --git a/.env b/.env\nshown to no seat: a file of keys or passwords\nnew file mode 100644\n" +
		"diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-one\n+two\n"
	f.Bring(debate.NewEvidence("pr.diff", debate.EvidenceDiff, diff, ""))
	f.BeginRound("")
	for _, seat := range f.Seats {
		f.Say(seat.ID, `So. {"position": "It leaks.", "findings": [{"title": "Leak", "where": "", "severity": "high"}]}`)
	}
	f.EndRound()
	f.Session.Verdict = &debate.Verdict{Chair: "ada"}
	for _, r := range sarifOf(t, f.Session).Runs[0].Results {
		if uri := r.Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != "a.go" {
			t.Errorf("it is on %s", uri)
		}
	}
}
