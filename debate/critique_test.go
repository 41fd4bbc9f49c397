package debate_test

import (
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/debatetest"
)

func TestOtherFamilies_seatsCriticsThatMissOtherThings(t *testing.T) {
	for _, c := range []struct{ models, want string }{
		{"claude-sonnet-5 gpt-6 claude-haiku-5", "claude-sonnet-5 gpt-6"},
		{"claude-sonnet-5 claude-haiku-5", "claude-sonnet-5 claude-haiku-5"},
		{"claude-sonnet-5 own", "claude-sonnet-5 own"},
		{"", ""},
	} {
		var seats []agents.Profile
		for m := range strings.FieldsSeq(c.models) {
			seats = append(seats, agents.Profile{Model: m})
		}
		var got []string
		for _, p := range debate.OtherFamilies(seats) {
			got = append(got, p.Model)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %q, want %q", c.models, s, c.want)
		}
	}
}

func TestCritique_roundsComeInPairs(t *testing.T) {
	m := debatetest.Mode(t, "critique")
	for n, want := range map[int]string{1: "give 2, not 1", 2: "", 3: "give 4, not 3", 4: ""} {
		if err := m.CheckRounds(n); (err == nil) != (want == "") || err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%d rounds: %v", n, err)
		}
	}
	s := debate.Session{Mode: m, Rounds: 2, History: make([]debate.Round, 2), Verdict: &debate.Verdict{}}
	if got := s.WithMoreRounds(1).Rounds; got != 4 {
		t.Errorf("one more round makes %d", got)
	}
}

// Without a text there is nothing to object to, unless the user brought it.
func TestCritique_criticsWaitForTheText(t *testing.T) {
	f := debatetest.New(t, "critique", 2, "Ada", "Brook", "Cy")
	f.BeginRound("")
	steps := f.Mode.Steps(f.Current().Manifest.Seats, 1, 2)
	f.FailInStep(steps[0], "ada", 1, "the server exploded")
	if due := f.Due(time.Time{}); due.Action != debate.AwaitDecision {
		t.Errorf("after the author failed: %+v", due)
	}
	var err error
	if f.Mode, err = f.Mode.WithDraft("F1"); err != nil {
		t.Fatal(err)
	}
	f.Current().Responses = nil
	if due := f.Due(time.Time{}); due.Step.Phase != "concerns" || len(due.Turns) != 2 {
		t.Errorf("with a draft: %+v", due)
	}
	for id, want := range map[string]string{"F2": "no evidence F2", "F1": ""} {
		s := debate.Session{Mode: f.Mode, Evidence: []debate.Evidence{debate.NewEvidence("plan.md", debate.EvidenceFile, "So.", "")}}
		s.Mode.Draft = id
		if err := s.CheckDraft(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := debatetest.Mode(t, "council").WithDraft("F1"); err == nil {
		t.Error("a council takes a draft")
	}
}
