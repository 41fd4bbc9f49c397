package report_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/report"
)

// A pick of one sentence is written although it only repeats the position, and where there
// is none the reason is.
func TestExport_hasThePickOrWhyThereIsNone(t *testing.T) {
	s := completed()
	last := s.History[len(s.History)-1].Responses
	for i := range last {
		last[i].Statement.Body = "It is enough."
		last[i].Statement.Position = "It is enough."
	}
	s.Verdict.Pick = &debate.Pick{Agent: "cy", Reason: "It is short."}
	for _, f := range []report.Format{report.Markdown, report.HTML} {
		got := string(export(t, s, f, report.Options{}))
		_, after, _ := strings.Cut(got, "Strongest single answer: Cy")
		if said, _, _ := strings.Cut(after, "Everything after"); !strings.Contains(said, "It is short.") ||
			!strings.Contains(said, "It is enough.") {
			t.Errorf("%s: the pick is\n%s", f, said)
		}
	}
	s.Verdict.Pick = nil
	for _, f := range []report.Format{report.Markdown, report.HTML} {
		if got := string(export(t, s, f, report.Options{})); strings.Contains(got, "Strongest single answer: Cy") {
			t.Errorf("%s has a pick", f)
		}
	}
}
