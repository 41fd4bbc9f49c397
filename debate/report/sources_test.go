package report_test

import (
	"testing"

	"roundtable/debate/report"
)

// An answer that only the report of the chair cites is cited all the same.
func TestConclude_namesTheVerdictAmongThoseWhoCiteAnAnswer(t *testing.T) {
	s := completed()
	for _, c := range []struct{ text, want string }{
		{"It is settled [C1].", "Ada, Brook and the verdict"},
		{"It is settled.", "Ada and Brook"},
	} {
		s.Verdict.Text = c.text
		if got := report.Conclude(s).Sources[0].CitedBy; got != c.want {
			t.Errorf("%s: cited by %q, want %q", c.text, got, c.want)
		}
	}
}
