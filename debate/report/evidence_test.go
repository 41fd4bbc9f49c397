package report_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/report"
	"roundtable/internal/testing/must"
	"roundtable/internal/text"
)

func TestConclude_showsTheCitedLinesAndFlagsWrongCitations(t *testing.T) {
	s := withEvidence()
	c := report.Conclude(s, text.Clean)
	var got []string
	for _, x := range c.Cited {
		got = append(got, x.Title()+"|"+x.Why()+"|"+x.Excerpt())
	}
	var many strings.Builder
	many.WriteString("2| +++ b/form.go\n3| @@ -0,0 +1,57 @@\n")
	for n := 4; n < 2+cite.MaxCitedLines; n++ {
		fmt.Fprintf(&many, "%d| +line\n", n)
	}
	want := []string{
		"[F1:3-5] main.go, cited by Ada||3| func main() {\n4| 	println(\"```\")\n5| }",
		"[F1:4] main.go, cited by the verdict||4| 	println(\"```\")",
		"[F1:6-7] main.go, cited by Brook|F1 has 5 lines.|",
		"[F2] standard input, cited by Ada||",
		"[F2:2-50 · form.go:1-47] standard input, cited by Brook||" + many.String() + "…",
		"[F2:10-11 · form.go:7-8] standard input, cited by Ada||10| +line\n11| +line",
		"[F2:61] standard input, cited by the verdict|F2 has 60 lines.|",
		"[F3:1] late.txt, cited by Brook|F3 came with a later round.|",
		"[F9], cited by Ada|There is no F9.|",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The text of evidence in JSON has the lines that were read, made safe, and what is cited are
// the lines that a person counts in the file.
func TestExport_evidenceKeepsItsTextAndItsLines(t *testing.T) {
	hidden := "tab\there\n\x1b[2Jred\u202e\u2066 \x7f\u0085two\u2028three\U000e0041\n\"quoted\\\"\n<b>&amp;\U0001f600\n"
	s := withEvidence()
	s.Evidence = []debate.Evidence{debate.NewEvidence("x", debate.EvidenceFile, hidden, "")}
	s.Evidence[0].ID = "F1"
	s.Verdict.Text = "[F1:3]"
	raw := export(t, s, report.JSON, report.Options{})
	var doc report.Document
	must.Do(t, json.Unmarshal(raw, &doc))
	if want := text.CleanLines(hidden); doc.Evidence[0].Content != want {
		t.Errorf("got the text %q, want %q", doc.Evidence[0].Content, want)
	}
	if strings.ContainsAny(string(raw), "\x1b\u202e\u2066\x7f\u0085\u2028") {
		t.Error("the export has characters that cannot be seen")
	}
	for _, c := range report.Of(s, report.Options{}).Cited {
		if c.Citation.String() == "F1:3" && c.Excerpt() != "3| \"quoted\\\"" {
			t.Errorf("line 3 is shown as %q", c.Excerpt())
		}
	}
}

func TestHostileEvidence_staysText(t *testing.T) {
	with := func(content string) debate.Session {
		s := withEvidence()
		for i := range s.Evidence {
			e := &s.Evidence[i]
			e.Text, e.Name, e.Note = content+"\n"+content+"\n"+content, content, content
		}
		s.History[0].Responses[0].Statement.Body = "[F1:1], [F1:1-3], [F2:2]"
		return s
	}
	for i, content := range hostile {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			plain := strings.Split(content, "\n")
			for i, line := range plain {
				if line != "" {
					plain[i] = "word"
				}
			}
			checkShape(t, with(content), content, shapeOf(t, with(strings.Join(plain, "\n"))))
		})
	}
}
