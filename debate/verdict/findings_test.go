package verdict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
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
