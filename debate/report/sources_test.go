package report_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
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
		if got := report.Conclude(*s.Verdict, s).Sources[0].CitedBy; got != c.want {
			t.Errorf("%s: cited by %q, want %q", c.text, got, c.want)
		}
	}
}

// A citation of an answer that there is not names who cites it.
func TestConclude_namesThoseWhoCiteWhatNobodyWasGiven(t *testing.T) {
	s := completed()
	s.Verdict.Text, s.Verdict.UnknownCitations = "See [C8].", []string{"C8"}
	want := "Wrong citation [C8] by the verdict: Nobody was given C8."
	if got := report.Conclude(*s.Verdict, s).Cautions(); !slices.Contains(got, want) {
		t.Errorf("got %q", got)
	}
}

// An answer that came too late is named, and so is a correction of one that was sent.
func TestConclude_namesAnswersThatNoSeatHasRead(t *testing.T) {
	s := completed()
	sent := s.Requests[0]
	sent.Answers = append(slices.Clone(sent.Answers),
		ledger.Answer{Revision: len(sent.Answers) + 1, Outcome: ledger.Answered, Content: "Corrected.", Correction: true})
	s.Requests = []ledger.Request{sent, {
		ID: "C7", State: ledger.Resolved, Answers: []ledger.Answer{{Revision: 1, Outcome: ledger.Answered, Content: "Late."}},
	}}
	got := report.Conclude(*s.Verdict, s).Missing
	for _, what := range []string{"correction of " + sent.ID, "answer to C7"} {
		if want := "No seat has read the " + what + ": it came too late for the last round, and is sent if you add rounds."; !slices.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	s.Requests[0].Delivered = append(slices.Clone(sent.Delivered), ledger.Delivery{Round: 3, Revision: len(sent.Answers)})
	if got := report.Conclude(*s.Verdict, s).Missing; slices.ContainsFunc(got, func(m string) bool { return strings.Contains(m, "correction") }) {
		t.Errorf("what was sent is in %q", got)
	}
}

// Statements are read once, however many answers they cite that there are not.
func TestConclude_readsStatementsOnceForAllUnknownCitations(t *testing.T) {
	s := completed()
	for i := range s.History {
		for j := range s.History[i].Responses {
			s.History[i].Responses[j].Statement.Body += strings.Repeat(" [C1]", 100)
		}
	}
	allocations := func(unknown int) float64 {
		s.Verdict.UnknownCitations = nil
		for i := range unknown {
			s.Verdict.UnknownCitations = append(s.Verdict.UnknownCitations, "C"+strconv.Itoa(100+i))
		}
		return testing.AllocsPerRun(3, func() { report.Conclude(*s.Verdict, s) })
	}
	one, many := allocations(1), allocations(51)
	if each := (many - one) / 50; each > 50 {
		t.Errorf("%.0f allocations for each unknown citation", each)
	}
}

// A member that fails again and again for one cause is told once.
func TestConclude_tellsAFailureOnce(t *testing.T) {
	s := completed()
	s.Verdict.Missing, s.Requests = nil, nil
	for round := 1; round <= 3; round++ {
		for _, id := range []agents.ID{"ada", "cy"} {
			cause := "openai timed out."
			if id == "cy" && round == 2 {
				cause = ""
			}
			s.Verdict.Missing = append(s.Verdict.Missing, debate.MissingResponse{Agent: id, Name: s.NameOf(id), Round: round, Cause: cause})
		}
	}
	want := []string{
		"2 of 3 seats missed a turn: Ada in rounds 1, 2 and 3 (openai timed out); Cy in rounds 1 and 3 (openai timed out); Cy in round 2.",
	}
	got := report.Conclude(*s.Verdict, s).Missing
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
