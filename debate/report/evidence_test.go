package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/testing/must"
	"roundtable/internal/text"
)

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
