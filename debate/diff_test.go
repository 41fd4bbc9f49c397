package debate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
)

const sampleDiff = `diff --git a/go.sum b/go.sum
index 1..2 100644
--- a/go.sum
+++ b/go.sum
@@ -1 +1,2 @@
 a
+b
diff --git a/db/old.sql b/db/new.sql
rename from db/old.sql
rename to db/new.sql
--- a/db/old.sql
+++ b/db/new.sql
@@ -10,4 +10,3 @@ begin
 keep
--- a comment that was removed
-gone
+++ counter;

\ No newline at end of file
diff --git a/dead.txt b/dead.txt
deleted file mode 100644
--- a/dead.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/pic.png b/pic.png
Binary files a/pic.png and b/pic.png differ
`

func TestParseDiff(t *testing.T) {
	for _, c := range []struct{ name, diff, want string }{
		{"of git", sampleDiff, `f go.sum|. go.sum|. go.sum|. go.sum|@ go.sum|  go.sum:1|+ go.sum:2|` +
			`f db/new.sql|m db/new.sql|m db/new.sql|. db/new.sql|. db/new.sql|@ db/new.sql|` +
			`  db/new.sql:10|- db/old.sql:11|- db/old.sql:12|+ db/new.sql:11|  db/new.sql:12|. db/new.sql|` +
			`f dead.txt|m dead.txt|. dead.txt|. dead.txt|@ dead.txt|- dead.txt:1|f pic.png|u pic.png`},
		{
			"of diff", "--- x.c\t2026-01-01\n+++ x.c\t2026-01-02\n@@ -3,2 +3,2 @@\n-a\n+b\n c\n--- y.c\n+++ y.c\n@@ -1 +1 @@\n-a\n+b\n",
			"f x.c|. x.c|@ x.c|- x.c:3|+ x.c:3|  x.c:4|f y.c|. y.c|@ y.c|- y.c:1|+ y.c:1",
		},
		{
			"combined", "diff --cc m.go\n--- a/m.go\n+++ b/m.go\n@@@ -1,3 -1,3 +1,3 @@@\n  both\n+ one\n +two\n- old\n -other\n",
			"f m.go|. m.go|. m.go|. m.go|. m.go|m m.go|m m.go|m m.go|m m.go",
		},
		{
			"a wrong count", "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
			"f x|. x|@ x|  x:1|f y|. y|. y|@ y|- y:1|+ y:1",
		},
		{
			"context", "diff -c a/x.c b/x.c\n*** a/x.c\t2026\n--- b/x.c\t2026\n***************\n*** 3,5 ****\n  a\n! b\n- c\n--- 3,5 ----\n  a\n! B\n+ d\n" +
				"*** a/y.c\n--- b/y.c\n***************\n*** 1,2 ****\n--- 1,3 ----\n  a\n  b\n+ c\n",
			"f x.c|. x.c|. x.c|. x.c|. x.c|. x.c|m x.c|m x.c|m x.c|. x.c|m x.c|m x.c|f y.c|. y.c|. y.c|. y.c|m y.c|. y.c|. y.c|m y.c",
		},
		{
			"combined, with lines like headers", "diff --cc m.go\n--- a/m.go\n+++ b/m.go\n@@@ -1,1 -1,1 +1,3 @@@\n--- go.sum\n+++ go.sum\n++evil\n",
			"f m.go|. m.go|. m.go|. m.go|m m.go|m m.go|m m.go",
		},
		{
			"folders of one letter", "diff --git b/x b/x\n--- b/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n" +
				"@@ -0,0 +1 @@\n+b\n",
			"f b/x|. b/x|. b/x|@ b/x|- b/x:1|+ b/x:1|f x|m x|. x|. x|@ x|+ x:1",
		},
		{
			"names with blanks", "diff --git a/x b/y b/x b/y\nold mode 1\nnew mode 2\ndiff --git \"a/q\\\"\" \"b/q\\\"\"\nnew file mode 1\n",
			"f x b/y|m x b/y|m x b/y|f q\"|m q\"",
		},
		{
			"what is not shown", "Only in b: x\ndiff -ru a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\nBinary files a/z and b/z differ\nFiles a/p and b/p differ\n",
			"u x|f y|. y|. y|@ y|- y:1|+ y:1|u z|u p",
		},
		{
			"said of a file, and by it", "diff --git a/x b/x\nnot counted: a lock file of y\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\nnot counted: no\nshown to no seat: no\n",
			"f x|l x|. x|. x|@ x|+ x:1|. x|. x",
		},
		{"no diff", "hello\n@@ what\n", ". |. "},
	} {
		var got []string
		for _, l := range debate.ParseDiff(c.diff) {
			op := "."
			if l.Op != debate.DiffOther {
				op = string(l.Op)
			}
			at := op + " " + l.Path()
			if l.Line > 0 {
				at += fmt.Sprint(":", l.Line)
			}
			got = append(got, at)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add(sampleDiff)
	f.Add("@@@ -1,2 -1,2 +1,3 @@@\n  both\n")
	f.Fuzz(func(t *testing.T, diff string) {
		got := debate.ParseDiff(diff)
		if want := max(1, debate.Evidence{Text: diff}.Lines()); len(got) != want {
			t.Fatalf("%d lines, want %d", len(got), want)
		}
		for i, l := range got {
			if header := l.Op == debate.DiffOther || l.Op == debate.DiffFile || l.Op == debate.DiffHunk; header && l.Line != 0 {
				t.Fatalf("line %d is %+v", i+1, l)
			}
		}
	})
}
