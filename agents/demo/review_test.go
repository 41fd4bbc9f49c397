package demo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/must"
)

func sampleReview(t *testing.T, seats int) *harness {
	t.Helper()
	s := newHarness(t, "review", seats, debate.ReviewRounds)
	e := debate.NewEvidence(demo.SampleName, debate.EvidenceDiff, demo.Sample(), "")
	all := must.Get(debate.AddEvidence(nil, []debate.Evidence{e}))(t)
	s.Topic, s.Question, s.Evidence = demo.ReviewQuestion(), debate.QuestionOpen, all
	return s
}

func TestReviewQuestion_isTheTopicThatFormsOffer(t *testing.T) {
	if demo.ReviewQuestion() != debate.DemoReviewTopic {
		t.Errorf("the question is %q", demo.ReviewQuestion())
	}
}

// Panels of all sizes find the three bugs at their lines, and refute the false finding if they
// have two judges of it.
func TestStream_reviewsTheSample(t *testing.T) {
	for seats := 2; seats <= debate.MaxSeats; seats++ {
		s := sampleReview(t, seats)
		s.round()
		s.round()
		if len(s.Requests) > 0 {
			t.Errorf("%d seats ask %+v", seats, s.Requests)
		}
		v := s.conclude()
		var got []string
		for _, f := range verdict.Review(s.Session) {
			at := f.Places[0]
			line, _, _ := strings.Cut(strings.TrimSpace(at.Text), "\n")
			got = append(got, fmt.Sprint(f.State, " ", f.Severity, " ", at.String(), " ", line))
		}
		slices.Sort(got)
		fate := "refuted"
		if seats == 2 {
			fate = "disputed"
		}
		want := []string{
			"agreed high shop/orders.go:23 rows, err := o.db.QueryContext(ctx, \"SELECT id, total FROM orders WHERE customer = '\"+customer+\"'\")",
			"agreed high shop/orders.go:41 for i := 0; i <= len(orders); i++ {",
			"agreed medium shop/orders.go:53-54 defer f.Close()",
			fate + " medium shop/orders.go:23-29 rows, err := o.db.QueryContext(ctx, \"SELECT id, total FROM orders WHERE customer = '\"+customer+\"'\")",
		}
		if !slices.Equal(got, want) || verdict.Count(s.Session).Incomplete {
			t.Errorf("%d seats, %+v:\n%s", seats, verdict.Count(s.Session), strings.Join(got, "\n"))
		}
		for _, title := range []string{"The loop runs past the last order", "becomes part of the query", "closing the file is lost"} {
			if first, _, _ := strings.Cut(v.Text, "## Where they differ"); !strings.Contains(first, title) {
				t.Errorf("%d seats: the report leaves out %q:\n%s", seats, title, v.Text)
			}
		}
	}
}
