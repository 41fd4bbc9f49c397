package verdict_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// reviewOf returns a review of two files of 80 lines, in which each seat reports findings,
// as "title @ where".
func reviewOf(t *testing.T, found ...[]string) *debatetest.Scenario {
	t.Helper()
	f := debatetest.New(t, "review", 2, []string{"Ada", "Brook", "Cy", "Dee"}[:len(found)]...)
	f.Bring(debate.NewEvidence("pr.diff", debate.EvidenceDiff, addedFiles("a.go", "b.go"), ""))
	f.BeginRound("")
	for i, list := range found {
		var all []string
		for _, one := range list {
			title, where, _ := strings.Cut(one, " @ ")
			all = append(all, fmt.Sprintf(`{"title": %q, "where": %q, "severity": "medium"}`, title, where))
		}
		f.Say(f.Seats[i].ID, `So. {"position": "It has defects.", "findings": [`+strings.Join(all, ", ")+`]}`)
	}
	f.EndRound()
	return f
}

// addedFiles is a diff that adds files of 80 lines.
func addedFiles(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "--- /dev/null\n+++ b/%s\n@@ -0,0 +1,80 @@\n", name)
		for i := range 80 {
			fmt.Fprintf(&b, "+line %d of %s\n", i+1, name)
		}
	}
	return b.String()
}

// judged plays round 2, in which seats say what they think, such as "H1 yes, H2 no = H3".
func judged(f *debatetest.Scenario, said ...string) []debate.ReviewFinding {
	f.BeginRound("")
	for i, line := range said {
		var all []string
		for _, one := range strings.Split(line, ", ") {
			if words := strings.Fields(one); len(words) > 1 {
				same := ""
				if len(words) > 3 {
					same = words[3]
				}
				all = append(all, fmt.Sprintf(`{"finding": %q, "true": %q, "same_as": %q}`, words[0], words[1], same))
			}
		}
		f.Say(f.Seats[i].ID, `So. {"position": "It has defects.", "findings": [], "judgements": [`+strings.Join(all, ", ")+`]}`)
	}
	f.EndRound()
	return verdict.Review(f.Session)
}

func TestFindings_areOneByTitleAndPlace(t *testing.T) {
	for _, c := range []struct {
		name  string
		found [][]string
		want  []string // how many reports each finding has
	}{
		{"the same title, three lines apart", [][]string{{"Leak @ a.go:10"}, {"leak. @ a.go:13"}}, []string{"Leak 2"}},
		{"four lines apart", [][]string{{"Leak @ a.go:10"}, {"Leak @ a.go:14"}}, []string{"Leak 1", "Leak 1"}},
		{"places that overlap", [][]string{{"Leak @ a.go:10-30"}, {"Leak @ a.go:20-22"}}, []string{"Leak 2"}},
		{"no chain of places", [][]string{{"Leak @ a.go:10"}, {"Leak @ a.go:13"}, {"Leak @ a.go:16"}}, []string{"Leak 2", "Leak 1"}},
		{"other files", [][]string{{"Leak @ a.go:10"}, {"Leak @ b.go:10"}}, []string{"Leak 1", "Leak 1"}},
		{"other titles", [][]string{{"Leak @ a.go:10"}, {"Race @ a.go:10"}}, []string{"Leak 1", "Race 1"}},
		{"a file without lines", [][]string{{"Leak @ a.go"}, {"Leak @ a.go:60"}}, []string{"Leak 2"}},
		{"another file without lines", [][]string{{"Leak @ b.go"}, {"Leak @ a.go:60"}}, []string{"Leak 1", "Leak 1"}},
		{"no place", [][]string{{"Leak @ "}, {"Leak @ in the loop"}}, []string{"Leak 2"}},
		{"lines that are not there", [][]string{{"Leak @ a.go:900"}, {"Leak @ a.go:900"}}, []string{"Leak 1", "Leak 1"}},
		{"several places", [][]string{{"Leak @ a.go:10, b.go:40"}, {"Leak @ b.go:41"}}, []string{"Leak 2"}},
		{"titles without letters", [][]string{{"?! @ a.go:10"}, {"?! @ a.go:10"}, {"!! @ a.go:10"}}, []string{"?! 2", "!! 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, x := range verdict.FirstFindings(reviewOf(t, c.found...).Session) {
				got = append(got, fmt.Sprint(x.Title, " ", len(x.Reports)))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFindings_ofOneLineWithFortyTitlesAreForty(t *testing.T) {
	found := make([][]string, 4)
	for i := range 40 {
		found[i%4] = append(found[i%4], fmt.Sprintf("Defect number %d @ F1:8", i))
	}
	f := reviewOf(t, found...)
	if got := verdict.FirstFindings(f.Session); len(got) != 40 || got[39].ID != "H40" || got[7].Places[0].String() != "a.go:5" {
		t.Errorf("%d findings: %+v", len(got), got)
	}
	if v := judged(f, "", "", "", ""); len(v) != 40 {
		t.Errorf("%d findings in the verdict", len(v))
	}
}

func TestFindings_haveStatesByFindersAndJudges(t *testing.T) {
	one := [][]string{{"Leak @ a.go:10"}, nil, nil, nil}
	two := [][]string{{"Leak @ a.go:10"}, {"Leak @ a.go:11"}, nil, nil}
	apart := [][]string{{"Leak @ a.go:10"}, {"Lost file @ a.go:30"}, nil, nil}
	for _, c := range []struct {
		name  string
		found [][]string
		said  []string
		want  string
	}{
		{"one finder, one yes", one, []string{"", "H1 yes", "", ""}, "H1 agreed"},
		{"two finders", two, []string{"", "", "", ""}, "H1 agreed"},
		{"nobody judges", one, []string{"", "", "", ""}, "H1 single"},
		{"cannot tell", one, []string{"", "H1 unsure", "H1 unclear", ""}, "H1 single"},
		{"one no", one, []string{"", "H1 no", "", ""}, "H1 disputed"},
		{"two no", one, []string{"", "H1 no", "H1 no", ""}, "H1 refuted"},
		{"a yes and two no", one, []string{"", "H1 no", "H1 no", "H1 yes"}, "H1 disputed"},
		{"two finders, two no", two, []string{"", "", "H1 no", "H1 no"}, "H1 disputed"},
		{"a finder's own judgement", one, []string{"H1 yes", "", "", ""}, "H1 single"},
		{"one says that two are the same", apart, []string{"", "", "H1 yes = H2", ""}, "H1 agreed, H2 single"},
		{"two say so", apart, []string{"", "", "H1 yes = H2", "H2 unsure = H1"}, "H1 agreed, H2 single in H1"},
		{"one says so twice", apart, []string{"", "", "H1 unsure = H2, H2 unsure = H1", ""}, "H1 single, H2 single"},
		{"a finder says that his is the same", apart, []string{"H2 yes = H1", "", "H1 yes = H2", ""}, "H1 agreed, H2 agreed in H1"},
		{"yes and no to the same", apart, []string{"", "", "H1 yes = H2, H2 no", "H2 no = H1, H1 no"}, "H1 disputed, H2 refuted in H1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, x := range judged(reviewOf(t, c.found...), c.said...) {
				line := x.ID + " " + string(x.State)
				if x.MergedInto != "" {
					line += " in " + x.MergedInto
				}
				got = append(got, line)
			}
			slices.Sort(got)
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%s, want %s", strings.Join(got, ", "), c.want)
			}
		})
	}
}

// A finding is as grave as the middle one of those who report it, the graver of two, and says if
// all who hold it run on one model.
func TestFindings_haveTheMiddleSeverityAndTheirModels(t *testing.T) {
	for said, want := range map[string]string{
		"high": "single high", "high medium": "agreed high", "low medium": "agreed medium", "low high low": "agreed low, one model",
	} {
		f := debatetest.New(t, "review", 2, "Ada", "Brook", "Cy")
		f.Bring(debate.NewEvidence("pr.diff", debate.EvidenceDiff, addedFiles("a.go"), ""))
		if strings.Contains(want, "one model") {
			f.Seats[1].Model, f.Seats[2].Model = f.Seats[0].Model, f.Seats[0].Model
		}
		f.BeginRound("")
		for i, severity := range strings.Fields(said) {
			f.Say(f.Seats[i].ID, fmt.Sprintf(`So. {"position": "So.", "findings": [{"title": "Leak", "where": "a.go:10", "severity": %q}]}`, severity))
		}
		f.EndRound()
		x := judged(f, "", "", "")[0]
		got := fmt.Sprint(x.State, " ", x.Severity)
		if x.OneModel {
			got += ", one model"
		}
		if got != want {
			t.Errorf("reported as %s: %s, want %s", said, got, want)
		}
	}
}

// What a model says joins findings of one file whose places touch, and no others.
func TestReadSame_takesLabelsOnly(t *testing.T) {
	lum := agents.Profile{ID: "lum", Name: "Lum"}
	const apart = "Leak Ada; Race Ada; Typo Ada; Lost handle Brook; Hang Brook Cy; Wrong name Cy"
	for _, c := range []struct{ name, answer, want, ignored string }{
		{
			"two are the same", `{"groups": [["H1", "H4"], ["H6", "H3"]]}`,
			"Leak Ada Brook; Race Ada; Typo Ada Cy; Hang Brook Cy", "",
		},
		{"an id that nobody has", `{"groups": [["H1", "H30"]]}`, apart, ""},
		{"findings that were not compared", `{"groups": [["H1", "H5"]]}`, apart, ""},
		{"words", `{"groups": [["Leak", "Lost handle"]]}`, apart, ""},
		{"different files", `{"groups": [["H1", "H4"], ["H2", "H6"]]}`, apart, "it puts findings in different files together"},
		{"none", `{"groups": []}`, apart, ""},
		{"no groups", "I cannot tell.", apart, "it holds no groups"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := reviewOf(t, []string{"Leak @ a.go:10", "Race @ a.go:12", "Typo @ b.go:12"},
				[]string{"Lost handle @ a.go:11", "Hang @ a.go:60"}, []string{"Wrong name @ b.go:11", "Hang @ a.go:61"})
			f.Light = &lum
			same := verdict.ReadSame(f.Session, lum, c.answer)
			f.Current().Same = same
			var got []string
			for _, x := range verdict.FirstFindings(f.Session) {
				got = append(got, x.Title+" "+strings.Join(f.NamesOf(x.FoundBy), " "))
			}
			if strings.Join(got, "; ") != c.want || same.Ignored != c.ignored || same.By != "Lum" {
				t.Errorf("%s, %+v\nwant %s", strings.Join(got, "; "), same, c.want)
			}
		})
	}
}

// A path is read in the ways in which it is written, and the whole name of a file comes before
// the end of another one's.
func TestFindings_havePlacesHoweverTheyAreWritten(t *testing.T) {
	f := debatetest.New(t, "review", 2, "Ada", "Brook")
	f.Bring(debate.NewEvidence("pr.diff", debate.EvidenceDiff, addedFiles("pkg/a.go", "a.go"), ""),
		debate.NewEvidence("notes.txt", debate.EvidenceFile, "one\ntwo\nthree\n", ""))
	f.BeginRound("")
	for where, want := range map[string]string{
		"a.go:3": "a.go:3", "b/a.go:3": "a.go:3", "pkg/a.go#L3-L5": "pkg/a.go:3-5", "`pkg/a.go`, lines 3-5": "pkg/a.go:3-5",
		"pkg/a.go, lines 3-5": "pkg/a.go:3-5", "a.go line 7 (the loop)": "a.go:7", "[F1:4]": "pkg/a.go:1", "F1:4 (Open)": "pkg/a.go:1",
		"F1:2": "F1:2", "F1:999": "F1:999 absent", "F3:1": "F3:1 absent", "gone.go:3": "gone.go:3 absent", "a.go:300": "a.go:300 absent",
		"notes.txt:2": "notes.txt:2", "F2:2-3": "notes.txt:2-3", "notes.txt:4": "notes.txt:4 absent", "old:a.go:3": "old:a.go:3 absent",
		"in the middle": "in the middle",
	} {
		s := f.Clone()
		s.Say("ada", fmt.Sprintf(`So. {"position": "It has defects.", "findings": [{"title": "Leak", "where": %q, "severity": "low"}]}`, where))
		p := verdict.FirstFindings(s.Session)[0].Places[0]
		got := p.String()
		if p.Absent {
			got += " absent"
		}
		if got != want {
			t.Errorf("%q is %q, want %q; %+v", where, got, want, p)
		}
	}
}

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

// answerKey is what can be reported of a change: a bug, or what only looks like one.
type answerKey struct {
	Title    string          `json:"title"`
	Place    string          `json:"place"`
	Line     string          `json:"line"` // the text of that line
	Severity debate.Severity `json:"severity"`
	Bug      bool            `json:"bug"`
}

// Seats that find different bugs of small changes, in their own words for the place, come to
// the answer key: every bug is confirmed at its line, and nothing else is.
func TestFindings_ofChangesWithKnownBugs(t *testing.T) {
	diffs, err := filepath.Glob("testdata/reviews/*.diff")
	if err != nil || len(diffs) != 6 {
		t.Fatalf("%d changes, %v", len(diffs), err)
	}
	for _, path := range diffs {
		for seats := 3; seats <= 5; seats++ {
			t.Run(fmt.Sprint(filepath.Base(path), " ", seats), func(t *testing.T) {
				reviewChange(t, path, seats)
			})
		}
	}
}

func reviewChange(t *testing.T, path string, seats int) {
	diff := must.Get(os.ReadFile(path))(t)
	raw := must.Get(os.ReadFile(strings.TrimSuffix(path, ".diff") + ".json"))(t)
	var keys []answerKey
	must.Do(t, json.Unmarshal(raw, &keys))
	f := debatetest.New(t, "review", 2, []string{"Ada", "Brook", "Cy", "Dee", "Eli"}[:seats]...)
	f.Bring(debate.NewEvidence("pr.diff", debate.EvidenceDiff, string(diff), ""))
	want, got := map[string]string{}, map[string]string{}
	f.BeginRound("")
	for i, p := range f.Seats {
		var list []string
		for k, key := range keys {
			where := key.Place
			if i >= len(keys) { // found again, and cited by the line of the diff
				where = fmt.Sprintf("F1:%d", 1+strings.Count(strings.SplitAfter(string(diff), key.Line+"\n")[0], "\n")-1)
			}
			if i%len(keys) == k || i == 0 && k >= seats { // each is found by one seat at least
				list = append(list, fmt.Sprintf(`{"title": %q, "where": %q, "severity": %q}`, key.Title, where, key.Severity))
			}
		}
		f.Say(p.ID, `So. {"position": "It has defects.", "findings": [`+strings.Join(list, ", ")+`]}`)
	}
	f.EndRound()
	found := verdict.FirstFindings(f.Session)
	f.BeginRound("")
	for _, p := range f.Seats {
		var list []string
		for _, x := range found {
			for _, key := range keys {
				if key.Title == x.Title {
					list = append(list, fmt.Sprintf(`{"finding": %q, "true": %t}`, x.ID, key.Bug))
				}
			}
		}
		f.Say(p.ID, `So. {"position": "It has defects.", "findings": [], "judgements": [`+strings.Join(list, ", ")+`]}`)
	}
	f.EndRound()
	for i, key := range keys {
		state := debate.FindingAgreed
		switch twice := i+len(keys) < seats; {
		case !key.Bug && twice:
			state = debate.FindingDisputed
		case !key.Bug:
			state = debate.FindingRefuted
		}
		want[key.Title] = fmt.Sprint(state, " ", key.Severity, " ", key.Place, " ", key.Line)
	}
	for _, x := range verdict.Review(f.Session) {
		for _, at := range x.Places {
			got[x.Title] = fmt.Sprint(x.State, " ", x.Severity, " ", at.String(), " ", at.Text)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(found) != len(keys) {
		t.Errorf("%d findings (-want +got):\n%s", len(found), diff)
	}
}
