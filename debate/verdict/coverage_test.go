package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/must"
)

const twoFiles = "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n" +
	"diff --git a/go.sum b/go.sum\n--- a/go.sum\n+++ b/go.sum\n@@ -1 +1 @@\n-x\n+y\n"

// shown returns a session whose two seats voted on a diff, a file and a folder with a file, of which
// they were shown these lines; nil: that was not stored.
func shown(t *testing.T, first, second []debate.Citation) debate.Session {
	s := scriptedSession(t, "yes 0.8|yes 0.7")
	s.History = nil
	s.Evidence = must.Get(debate.AddEvidence(nil, []debate.Evidence{
		debate.NewEvidence("pr.diff", debate.EvidenceDiff, twoFiles, ""),
		debate.NewEvidence("notes.md", debate.EvidenceFile, strings.Repeat("x\n", 10), ""),
		debate.NewEvidence("src", debate.EvidenceFolder, "main.go\n", ""),
		debate.NewEvidence("src/main.go", debate.EvidenceFile, "package main\n", ""),
	}))(t)
	s = addRound(t, s, "yes 0.8|yes 0.7")
	for i, cited := range [][]debate.Citation{first, second} {
		s.History[0].Responses[i].Statement.Shown = cited
	}
	return s
}

func lines(id string, from, to int) debate.Citation {
	return debate.Citation{ID: id, From: from, To: to}
}

func TestCoverage_countsLinesThatNoSeatWasShown(t *testing.T) {
	all := []debate.Citation{{ID: "F1"}, {ID: "F2"}}
	for _, c := range []struct {
		name          string
		first, second []debate.Citation
		cut           bool // a server read the prompt of the first only in part
		want          string
		sentences     []string
	}{
		{"all by one", all, []debate.Citation{}, false, "", []string{
			"F4, src/main.go: 1 of 1 line shown to no seat: lines 1.", "Left out of the prompts: go.sum (a lock file).",
		}},
		{
			"each a part",
			[]debate.Citation{lines("F1", 1, 6), lines("F2", 1, 5)},
			[]debate.Citation{lines("F1", 7, 14), lines("F2", 4, 10)},
			false, "",
			[]string{"F4, src/main.go: 1 of 1 line shown to no seat: lines 1.", "Left out of the prompts: go.sum (a lock file)."},
		},
		{
			"a line of a diff, and of a file",
			[]debate.Citation{lines("F1", 1, 6), lines("F2", 2, 4)},
			[]debate.Citation{lines("F1", 8, 8), lines("F2", 6, 9)},
			false,
			"unread_evidence 4 ",
			[]string{
				"F1, a.go: 1 of 3 lines shown to no seat: lines 7.", "F2, notes.md: 3 of 10 lines shown to no seat: lines 1, 5, 10.",
				"F4, src/main.go: 1 of 1 line shown to no seat: lines 1.", "Left out of the prompts: go.sum (a lock file).",
			},
		},
		{"a prompt that was cut", all, []debate.Citation{{ID: "F1"}}, true, "cut_prompts 0 unread_evidence 10 ", nil},
		{"not stored", all, nil, false, "", nil},
	} {
		s := shown(t, c.first, c.second)
		if c.cut {
			s.History[0].Responses[0].Statement.MarkCut(&agents.PromptCut{Server: "Ollama", Read: 10, Estimate: 90})
		}
		got := ""
		for _, k := range verdict.Count(s).Cautions {
			got += fmt.Sprintf("%s %d ", k.ID, k.Items[0].Lines)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := verdict.CoverageSentences(s); c.sentences != nil && !cmp.Equal(got, c.sentences) {
			t.Errorf("%s: %s", c.name, cmp.Diff(c.sentences, got))
		}
	}
}

func TestMeets_namesTheFilesThatNoSeatWasShown(t *testing.T) {
	part := []debate.Citation{lines("F1", 1, 6), lines("F2", 1, 9)}
	for _, c := range []struct {
		name    string
		allowed []string
		want    string
		second  []debate.Citation
	}{
		{"a diff and a file", nil, "lines of a.go and notes.md were shown to no seat", part},
		{"one is allowed", []string{"*.go"}, "lines of notes.md were shown to no seat", part},
		{"each is", []string{"*.go", "notes.md"}, "", part},
		{"all are", []string{"*"}, "", part},
		{"all were shown", nil, "", []debate.Citation{{ID: "F1"}, {ID: "F2"}}},
	} {
		got := verdict.Meets(shown(t, part, c.second), verdict.Demand{Label: "yes", AllowUnread: c.allowed})
		if reasons := strings.Join(got.Reasons, "; "); reasons != c.want || got.Met != (c.want == "") {
			t.Errorf("%s: %q, met %v; want %q", c.name, reasons, got.Met, c.want)
		}
	}
}

// A change that a diff does not show, and a value that may be code, were shown to no seat,
// whatever stood in a prompt.
func TestCoverage_ofWhatADiffDoesNotShow(t *testing.T) {
	const diff = `diff --git a/tool b/tool
index 1..2 100755
Binary files a/tool and b/tool differ
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/big b/big
shown to no seat: 3.1 MB of changes
new file mode 100644
diff --git a/a.png b/a.png
not counted: PNG image, 12 B
diff --git a/a.sh b/a.sh
--- a/a.sh
+++ b/a.sh
@@ -1,1 +1,4 @@
 shown to no seat: this is in the file
+A="[masked 9 characters, shown to no seat]"
+B=[masked 9 characters]
+xRLOy
Only in b: x.so
Binary files a/y.so and b/y.so differ
`
	s := scriptedSession(t, "yes 0.8|yes 0.7")
	s.History = nil
	e := debate.NewEvidence("pr.diff", debate.EvidenceDiff, strings.ReplaceAll(diff, "RLO", "\u202e"), "")
	s.Evidence = must.Get(debate.AddEvidence(nil, []debate.Evidence{e}))(t)
	s = addRound(t, s, "yes 0.8|yes 0.7")
	for i := range s.History[0].Responses {
		s.History[0].Responses[i].Statement.Shown = []debate.Citation{{ID: "F1"}}
	}
	got := verdict.Meets(s, verdict.Demand{Label: "yes"})
	if got.Met || got.Reasons[0] != "lines of tool, big, a.sh, x.so and y.so were shown to no seat" {
		t.Errorf("%v", got.Reasons)
	}
	want := []string{
		"F1, tool: shown to no seat: Binary files a/tool and b/tool differ.", "F1, big: shown to no seat: 3.1 MB of changes.",
		"F1, a.sh: values that look like secrets are masked in 2 lines.",
		"F1, a.sh: 1 line has characters that cannot be seen or that change the order of others.",
		"F1, a.sh: 1 of 3 lines shown to no seat: lines 17.",
		"F1, x.so: shown to no seat: Only in b: x.so.", "F1, y.so: shown to no seat: Binary files a/y.so and b/y.so differ.",
		"Left out of the prompts: a.png (PNG image, 12 B).",
	}
	if diff := cmp.Diff(want, verdict.CoverageSentences(s)); diff != "" {
		t.Error(diff)
	}
}

// Evidence that is not stored yet is told by its name, with the masks that no change has.
func TestEvidenceSentences_ofWhatIsNotStored(t *testing.T) {
	const diff = "commit 0a\n\n    [masked 40 characters]\n\ndiff --git a/a.sh b/a.sh\n--- a/a.sh\n+++ b/a.sh\n@@ -1,2 +1,2 @@\n A=[masked 9 characters]\n-x\n+y\n" +
		"diff --git a/go.sum b/go.sum\n--- a/go.sum\n+++ b/go.sum\n@@ -1 +1 @@\n-x\n+y\n"
	got := verdict.EvidenceSentences(debate.Session{Evidence: []debate.Evidence{
		debate.NewEvidence("pr.diff", debate.EvidenceDiff, diff, ""),
		debate.NewEvidence(".env", debate.EvidenceFile, "A=[masked 9 characters]\n", ""),
		debate.NewEvidence("src/", debate.EvidenceFolder, "main.go\n", "1 of 2 files are not included: a is empty."),
	}})
	want := []string{
		"src/: 1 of 2 files are not included: a is empty.", "pr.diff, a.sh: values that look like secrets are masked in 2 lines.",
		".env: values that look like secrets are masked in 1 line.", "Left out of the prompts: go.sum (a lock file).",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// bring adds files of so many lines to a session, for the next round.
func bring(t testing.TB, s debate.Session, lines ...int) debate.Session {
	t.Helper()
	var added []debate.Evidence
	for i, n := range lines {
		name := fmt.Sprintf("file %d of round %d", i+1, len(s.History)+1)
		added = append(added, debate.NewEvidence(name, debate.EvidenceFile, strings.Repeat("x\n", n), ""))
	}
	var err error
	if s.Evidence, err = debate.AddEvidence(s.Evidence, added); err != nil {
		t.Fatal(err)
	}
	return s
}

// called adds a tool call to the newest turn of a seat.
func called(s debate.Session, seat agents.ID, name string, status agents.ToolStatus) {
	name, args, _ := strings.Cut(name, " ")
	r := s.Current()
	for i := range r.Responses {
		if x := &r.Responses[i]; x.Turn.Agent == seat {
			x.Passages = append(x.Passages, debate.Passage{Tools: []debate.ToolRecord{{
				Name: name, Args: args, State: debate.ToolDone, Result: agents.ToolResult{Status: status, Text: "a result"},
			}}})
		}
	}
}

// sayBy says what changed the newest vote of a seat, by its own account.
func sayBy(s debate.Session, seat agents.ID, by string) {
	for i := range s.Current().Responses {
		if x := &s.Current().Responses[i]; x.Turn.Agent == seat {
			x.Statement.ChangedBy = &by
		}
	}
}

// movedBy returns what is said to have changed Ada's vote in the newest round.
func movedBy(s debate.Session) string {
	for _, v := range verdict.Count(s).Votes {
		if v.Seat == "ada" && v.Round == len(s.History) {
			return v.By
		}
	}
	return "no vote"
}

func TestVotes_areChangedByLinesThatWereReleased(t *testing.T) {
	for said, want := range map[string]string{
		"F1:3": "F1:3", "[F1:10]": "F1:10", "F1:11": "?", "F2:1": "?", "F9": "?", "the costs": "?", "": "", "Brook": "brook", "Ada": "?",
	} {
		s := bring(t, scriptedSession(t, "yes 0.8|no 1"), 10) // F1 comes with round 2
		s.Rounds = 3
		s = addRound(t, s, "no 0.8|no 1")
		s.Current().Responses[0].SeenResponses = []string{debate.TurnID(s.History[0].Responses[1].Turn)}
		sayBy(s, "ada", said)
		if got := movedBy(s); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestVotes_areChangedByToolsSinceTheVoteBefore(t *testing.T) {
	for _, c := range []struct {
		tool   string
		status agents.ToolStatus
		round  int
		want   string
	}{
		{"read_evidence", agents.ToolOK, 3, "read_evidence"},
		{"server__lookup", agents.ToolOK, 2, "?"}, // before a vote that could be read
		{"read_evidence", agents.ToolError, 3, "?"},
		{`read_evidence {"id":"F1:2"}`, agents.ToolOK, 3, "read_evidence"},
		{`read_evidence {"id":"R1:Brook"}`, agents.ToolOK, 3, "?"},
		{"request_context", agents.ToolOK, 3, "?"},
		{"list_dir", agents.ToolOK, 3, "?"},
	} {
		s := scriptedSession(t, "yes 0.8|no 1")
		s.Rounds = 3
		for round := 1; round <= 3; round++ {
			if round > 1 {
				s = addRound(t, s, []string{"yes .|no 1", "no 0.8|no 1"}[round-2])
			}
			if round == c.round {
				called(s, "ada", c.tool, c.status)
			}
			called(s, "brook", "read_evidence", agents.ToolOK) // of another seat
		}
		name, _, _ := strings.Cut(c.tool, " ")
		sayBy(s, "ada", name)
		if got := movedBy(s); got != c.want {
			t.Errorf("%s, %s in round %d: %q, want %q", c.tool, c.status, c.round, got, c.want)
		}
	}
}

// A seat does not move itself, and nothing moves it that it called in a turn that failed.
func TestVotes_areNotChangedByTheSeatItselfOrByATurnThatFailed(t *testing.T) {
	s := scriptedSession(t, "yes 0.8|no 1")
	s.Rounds = 3
	s = addRound(t, s, "no 0.8|no 1")
	s = addRound(t, s, "yes 0.8|no 1")
	s.Current().Responses[0].SeenResponses = []string{debate.TurnID(s.History[0].Responses[0].Turn)}
	if sayBy(s, "ada", "Ada"); movedBy(s) != "?" {
		t.Errorf("moved by itself: %q", movedBy(s))
	}
	s = scriptedSession(t, "yes 0.8|no 1")
	s.Rounds = 3
	s = addRound(t, s, "-|no 1")
	called(s, "ada", "lookup", agents.ToolOK)
	s = addRound(t, s, "no 0.8|no 1")
	if sayBy(s, "ada", "lookup"); movedBy(s) != "?" {
		t.Errorf("moved by a turn that failed: %q", movedBy(s))
	}
}

func TestCautions_nameWhatIsCitedAndNotThere(t *testing.T) {
	s := bring(t, scriptedSession(t, "yes 1 see [F1:1]|no 1|no 1"), 10) // no seat has been shown F1
	s.Rounds = 2
	s = addRound(t, s, "yes 1 see [F1:10], [F1:11]|no 1 [F2:3], [C9]|no 1 [F1:11]")
	for _, c := range verdict.Count(s).Cautions {
		if c.ID != verdict.CautionUnknownCitation {
			continue
		}
		var got []string
		for _, i := range c.Items {
			got = append(got, i.ID)
		}
		if diff := cmp.Diff([]string{"C9", "F1:1", "F1:11", "F2:3"}, got); diff != "" {
			t.Error(diff)
		}
		return
	}
	t.Error("nothing is unknown")
}
