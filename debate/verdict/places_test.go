package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

// foundAt returns the place that a finding comes to which states one, in a review of a diff.
func foundAt(t *testing.T, diff, where string, named ...debate.FileLines) debate.CodePlace {
	t.Helper()
	f := debatetest.New(t, "review", 2, "Ada", "Brook")
	if named != nil {
		f.Workspace = debate.Workspace{Dir: "/work", Mode: debate.WorkspaceLocal}
	}
	f.Bring(debate.NewEvidence("pr.diff", debate.EvidenceDiff, diff, ""))
	f.BeginRound("")
	f.Say("ada", fmt.Sprintf(`So. {"position": "Bad.", "findings": [{"title": "Leak", "where": %q, "severity": "high"}]}`, where))
	for _, r := range f.Session.History {
		for i := range r.Responses {
			r.Responses[i].Statement.Named = named
		}
	}
	f.Say("brook", `So. {"position": "Good.", "findings": []}`)
	f.EndRound()
	found := verdict.FirstFindings(f.Session)
	if len(found) != 1 || len(found[0].Places) != 1 {
		t.Fatalf("%+v", found)
	}
	return found[0].Places[0]
}

func TestFindings_placesInOddDiffs(t *testing.T) {
	const (
		twice = "commit 1\n\ndiff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n-old\n+first\n same\n" +
			"diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n-first\n+second\n same\n@@ -9 +9 @@\n-x\n+y\n"
		renamed = "diff --git a/db/old.sql b/db/new.sql\nrename from db/old.sql\nrename to db/new.sql\n--- a/db/old.sql\n+++ b/db/new.sql\n" +
			"@@ -3,2 +3,1 @@\n keep\n-gone\n"
		letters = "diff --git a/x.go a/x.go\n--- a/x.go\n+++ a/x.go\n@@ -1 +1 @@\n-a\n+in a\n" +
			"diff --git b/x.go b/x.go\n--- b/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+in b\n"
	)
	for _, c := range []struct{ name, diff, where, want string }{
		{"in two sections, the last", twice, "a.go:1", "a.go:1 second, in 2 places"},
		{"in one of two sections", twice, "a.go:9", "a.go:9 y"},
		{"removed in two sections", twice, "old:a.go:1", "old:a.go:1 first, in 2 places"},
		{"cited", twice, "F1:8", "a.go:1 first"},
		{"lines of two sections", twice, "F1:9-14", "a.go:2 same"},
		{"removed, by the old name", renamed, "old:db/old.sql:4", "old:db/old.sql:4 gone"},
		{"removed, by the new name", renamed, "old:db/new.sql:4", "old:db/old.sql:4 gone"},
		{"kept in a renamed file", renamed, "db/new.sql:3", "db/new.sql:3 keep"},
		{"a folder of one letter", letters, "b/x.go:1", "b/x.go:1 in b"},
		{"another one", letters, "a/x.go:1", "a/x.go:1 in a"},
		{"no such line", twice, "a.go:500", "absent"},
		{"no such file", twice, "c.go:1", "absent"},
	} {
		at := foundAt(t, c.diff, c.where)
		got := at.String() + " " + at.Text
		if times := at.Times(); times != "" {
			got += ", " + times
		}
		if at.Absent {
			got = "absent"
		}
		if got != c.want {
			t.Errorf("%s: %q is %q, want %q", c.name, c.where, got, c.want)
		}
	}
}

// A place in the workspace exists if the file was found there with so many lines.
func TestFindings_placesInTheWorkspace(t *testing.T) {
	const diff = "--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-a\n+b\n"
	main := debate.FileLines{Path: "cmd/main.go", From: 1, To: 12, Hash: strings.Repeat("0", 32)}
	for where, absent := range map[string]bool{
		"cmd/main.go:12": false, "./cmd/main.go:3-12": false, "cmd/main.go:13": true, "cmd/main.go:10-13": true, "main.go:3": true,
		"cmd/other.go:1": true, "old:cmd/main.go:3": true, "a.go:1": false,
	} {
		if at := foundAt(t, diff, where, main); at.Absent != absent {
			t.Errorf("%s: %+v", where, at)
		}
	}
	if got := verdict.NamedFiles(debate.Statement{Findings: []debate.Finding{
		{Where: "cmd/main.go:3, F1:2"}, {Where: "`cmd/main.go` line 9"}, {Where: "old:gone.go:1"}, {Where: "nowhere"}, {Where: "a.go:1"},
	}}); strings.Join(got, " ") != "cmd/main.go a.go" {
		t.Errorf("%q are named", got)
	}
}
