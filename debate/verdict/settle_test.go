package verdict_test

import (
	"strings"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/debate/verdict"
)

func TestSettle_saysWhatIsRight(t *testing.T) {
	yesNo := answered(t, debate.QuestionYesNo, nil, "yes", "yes", "no")
	openYes := answered(t, debate.QuestionOpen, nil, "yes", "yes", "no")
	open := answered(t, debate.QuestionOpen, nil, "Postgres", "Postgres", "SQLite")
	choice := answered(t, debate.QuestionChoice, []string{"Go", "Rust"}, "Go", "Go", "Rust")
	openSplit := answered(t, debate.QuestionOpen, nil, "yes", "no")
	split := answered(t, debate.QuestionYesNo, nil, "yes", "no")
	estimate := answered(t, debate.QuestionEstimate, nil, "", "")
	for i, weeks := range []float64{8, 12} {
		estimate.History[0].Responses[i].Statement.Estimate = &debate.Estimate{Value: weeks, Unit: "weeks"}
	}
	verdict.Recount(estimate.Verdict, estimate)
	review := answered(t, debate.QuestionOpen, nil, "", "")
	review.Verdict.Findings = &debate.Findings{List: []debate.ReviewFinding{{ID: "H1"}, {ID: "H2"}, {ID: "H10"}}}
	unconcluded := yesNo
	unconcluded.Verdict = nil
	for _, c := range []struct {
		name    string
		session debate.Session
		claim   string
		want    string // the phrase, or the error after "!"
	}{
		{"right", yesNo, "right", "right"},
		{"wrong means the other", yesNo, "wrong", "wrong; right was no"},
		{"wrong means the other if all answered yes or no", openYes, "wrong", "wrong; right was no"},
		{"the example as the question prints it", yesNo, "wrong (no was right)", "wrong; right was no"},
		{"the example if all answered yes or no", openYes, "wrong (no was right): seen", "wrong; right was no"},
		{"the example with the side of the verdict", openYes, "wrong (yes was right)", "!cannot be right and the verdict wrong"},
		{"a side that nobody took where all answered yes or no", openYes, "wrong maybe banana", `!"maybe banana" is neither`},
		{"such a side if the verdict has none", openSplit, "maybe banana", `!"maybe banana" is neither`},
		{"words around a side that is free", open, "wrong (Oracle was right)", "wrong; right was Oracle"},
		{"the side that was right", yesNo, "no", "wrong; right was no"},
		{"the side of the verdict", yesNo, "Yes", "right"},
		{"a contradiction", yesNo, "right no", `!the verdict is "yes", so "no" cannot be right and the verdict right`},
		{"mixed", yesNo, "mixed: it depends", "mixed"},
		{"mixed and yet known", yesNo, "mixed no", "!so the outcome is not mixed"},
		{"an answer that is none", yesNo, "Postgres", `!answered with yes or no, not with "Postgres"`},
		{"nothing", yesNo, "", "!say how it turned out: right, wrong, mixed or open"},
		{"open until", yesNo, "open 6w", "open, look again on 2026-04-12"},
		{"no time", yesNo, "open soon", `!"soon" is neither a time`},
		{"a wrong choice leaves open which was right", choice, "wrong", "wrong"},
		{"another option", choice, "rust", "wrong; right was Rust"},
		{"no option", choice, "C", `!"C" is none of the options`},
		{"a label that may mean the same", open, "Oracle", "!say right or wrong too"},
		{"a label with the result", open, "wrong Oracle", "wrong; right was Oracle"},
		{"no side", split, "right", "!the verdict has no side"},
		{"no side, and what was right", split, "no", "the verdict took no side; right was no"},
		{"an estimate", estimate, "11 weeks", "it was 11 weeks; the median of 10 weeks is 9 % too low, inside the range"},
		{"an estimate far off", estimate, "5 weeks", "it was 5 weeks; the median of 10 weeks is 100 % too high, outside the range"},
		{"an estimate in another unit", estimate, "11 days", "!give the number in the same unit"},
		{"a wrong estimate", estimate, "wrong", "!an estimate is neither right nor wrong"},
		{"findings", review, "H10=real h2=real H1=false", "real: H2, H10; false: H1"},
		{"a finding that is not there", review, "H3=real", "!there is no finding H3"},
		{"a finding that is neither", review, "H1=maybe", "!use H3=real or H3=false"},
		{"a review as a whole", review, "right", "!a review turns out by its findings"},
		{"findings of no review", yesNo, "H1=real", "!only a review has findings"},
		{"no verdict", unconcluded, "right", "!the debate has no verdict"},
	} {
		claim, err := verdict.ReadClaim(c.claim, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
		var got debate.Settlement
		if err == nil {
			got, err = verdict.Settle(c.session, claim)
		}
		reason, refused := strings.CutPrefix(c.want, "!")
		switch {
		case refused && (err == nil || !strings.Contains(err.Error(), reason)):
			t.Errorf("%s: error %v, want %q", c.name, err, reason)
		case !refused && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case !refused && verdict.SettledPhrase(c.session, got) != c.want:
			t.Errorf("%s: %q, want %q", c.name, verdict.SettledPhrase(c.session, got), c.want)
		}
	}
}

func TestSettle_addsToWhatIsKnownOfFindings(t *testing.T) {
	s := answered(t, debate.QuestionOpen, nil, "", "")
	s.Verdict.Findings = &debate.Findings{List: []debate.ReviewFinding{{ID: "H1"}, {ID: "H2"}}}
	for _, line := range []string{"H1=real", "H2=false", "H1=false: a second look"} {
		claim, err := verdict.ReadClaim(line, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := verdict.Settle(s, claim)
		if err != nil {
			t.Fatal(err)
		}
		s = s.WithSettlement(v)
	}
	if got := verdict.SettledLine(s); got != "false: H1, H2 (a second look)" {
		t.Error(got)
	}
	if s.History = append(s.History, debate.Round{Number: 2}); verdict.SettledLine(s) != "" {
		t.Error("an outcome of an earlier verdict counts")
	}
}
