package verdict_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
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
		{"a side that nobody took where all answered yes or no", openYes, "wrong maybe banana", `!"maybe banana" is neither`},
		{"such a side if the verdict has none", openSplit, "wrong maybe banana", `!"maybe banana" is neither`},
		{"the side that was right alone", yesNo, "no", `!"no" is no outcome`},
		{"the side of the verdict", yesNo, "right Yes", "right"},
		{"a contradiction", yesNo, "right no", `!the verdict is "yes", so "no" cannot be right and the verdict right`},
		{"the other contradiction", openYes, "wrong yes", "!cannot be right and the verdict wrong"},
		{"mixed", yesNo, "mixed: it depends", "mixed (it depends)"},
		{"mixed and yet known", yesNo, "mixed no", "!so the outcome is not mixed"},
		{"open", yesNo, "open: ask in May: again", "open (ask in May: again)"},
		{"an answer that is none", yesNo, "wrong Postgres", `!answered with yes or no, not with "Postgres"`},
		{"nothing", yesNo, "", "!say how it turned out: right, wrong, mixed or open"},
		{"a wrong choice leaves open which was right", choice, "wrong", "wrong"},
		{"another option", choice, "wrong rust", "wrong; right was Rust"},
		{"no option", choice, "wrong C", `!"C" is none of the options`},
		{"a label with the result", open, "wrong Oracle", "wrong; right was Oracle"},
		{"no side", split, "right", "right"},
		{"no side, and what was right", split, "wrong no", "wrong; right was no"},
		{"no side, right, and what was right", split, "right no", "right; right was no"},
		{"an estimate", estimate, "right: 11 weeks", "right (11 weeks)"},
		{"a side of an estimate", estimate, "wrong 5 weeks", "!the verdict takes no side"},
		{"a review", review, "wrong: H1 was no defect", "wrong (H1 was no defect)"},
		{"a side of a review", review, "right yes", "!the verdict takes no side"},
		{"no verdict", unconcluded, "right", "!the debate has no verdict"},
	} {
		claim, err := verdict.ReadClaim(c.claim)
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
		case !refused && verdict.SettledLine(c.session.WithSettlement(got)) != c.want:
			t.Errorf("%s: %q, want %q", c.name, verdict.SettledLine(c.session.WithSettlement(got)), c.want)
		}
	}
}

// An outcome is of the verdict that stood when it was said.
func TestSettledLine_isOfThePresentVerdict(t *testing.T) {
	s := answered(t, debate.QuestionYesNo, nil, "yes", "yes")
	s = s.WithSettlement(debate.Settlement{Result: debate.ResultMixed, Rounds: len(s.History), Author: ledger.ByPerson("interface")})
	if got := verdict.SettledLine(s); got != "mixed" {
		t.Error(got)
	}
	if s.History = append(s.History, debate.Round{Number: 2}); verdict.SettledLine(s) != "" {
		t.Error("an outcome of an earlier verdict counts")
	}
}

// What was right is asked for where "wrong" leaves it open, and nowhere else.
func TestRightUnsaid_namesTheFlagWhereItIsNeeded(t *testing.T) {
	review := answered(t, debate.QuestionOpen, nil, "", "")
	review.Verdict.Findings = &debate.Findings{}
	for _, c := range []struct {
		name    string
		session debate.Session
		claim   string
		want    string // of the sentence
	}{
		{"yes or no", answered(t, debate.QuestionYesNo, nil, "yes", "yes"), "wrong", ""},
		{"no side", answered(t, debate.QuestionYesNo, nil, "yes", "no"), "wrong", "--was LABEL (yes, no)"},
		{"a choice", answered(t, debate.QuestionChoice, []string{"Go", "Rust"}, "Go", "Go"), "wrong", "--was LABEL (Go, Rust)"},
		{"a choice, said", answered(t, debate.QuestionChoice, []string{"Go", "Rust"}, "Go", "Go"), "wrong Rust", ""},
		{"a right choice", answered(t, debate.QuestionChoice, []string{"Go", "Rust"}, "Go", "Go"), "right", ""},
		{"an estimate", answered(t, debate.QuestionEstimate, nil, "", ""), "wrong", ""},
		{"a review", review, "wrong", ""},
	} {
		claim, err := verdict.ReadClaim(c.claim)
		if err != nil {
			t.Fatal(err)
		}
		settled, err := verdict.Settle(c.session, claim)
		if err != nil {
			t.Fatal(err)
		}
		got := verdict.RightUnsaid(c.session, settled)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
