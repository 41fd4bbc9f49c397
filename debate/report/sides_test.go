package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
)

// choosing returns a session of an open question in which every seat names its answer,
// once or in two rounds.
func choosing(rounds ...[]string) debate.Session {
	s := debate.Session{
		ID: id, Topic: "Which database?", Rounds: len(rounds), Question: debate.QuestionOpen,
		Mode:    debate.Mode{Name: "collaborative", Order: debate.Parallel},
		Created: began, Updated: began,
	}
	for i, name := range []string{"Ada", "Brook", "Cy"} {
		s.Seats = append(s.Seats, agents.Profile{ID: agents.ID([]string{"ada", "brook", "cy"}[i]), Name: name})
	}
	for n, labels := range rounds {
		r := debate.Round{Number: n + 1, Began: began, Ended: began}
		for i, label := range labels {
			x := said(s.Seats[i].ID, n+1, "", 0.5, "Take "+label+".", "")
			x.Statement.Choice = label
			r.Responses = append(r.Responses, x)
		}
		for _, p := range s.Seats[len(labels):] {
			r.Responses = append(r.Responses, debate.Response{
				Turn: agents.Turn{Agent: p.ID, Round: n + 1, Attempt: 1}, State: debate.TurnFailed,
			})
		}
		s.History = append(s.History, r)
	}
	v := verdict.Compute(s)
	verdict.AddFallback(&v, s, nil)
	s.Verdict = &v
	return s
}

func TestConclude_comparesTheVotesInWords(t *testing.T) {
	for _, c := range []struct {
		name   string
		rounds [][]string
		title  string
		want   []string
	}{
		{"changed", [][]string{{"yes", "no", "no"}, {"yes", "yes", "no"}}, "Without and with the debate", []string{
			"First votes: no 2, yes 1.",
			"Last votes: yes 2, no 1.",
			"The debate changed the answer: no → yes.",
		}},
		{"undecided first", [][]string{{"unsure", "unsure", "yes"}, {"no", "no", "no"}}, "Without and with the debate", []string{
			"First votes: yes 1, undecided 2.",
			"Last votes: no 3.",
			"The debate changed the answer: yes 1, undecided 2 → no 3.",
		}},
		{"one left", [][]string{{"yes", "yes", "no"}, {"yes", "yes"}}, "Without and with the debate", []string{
			"First votes: yes 2, no 1.",
			"Last votes: yes 2.",
			"Of the 2 who voted both times: yes 2, as before. 1 seat is missing in round 2.",
			"They differed from the start: yes 2, no 1.",
		}},
		{"one came later", [][]string{{"yes", "no"}, {"no", "no", "yes"}}, "Without and with the debate", []string{
			"First votes: yes 1, no 1.",
			"Last votes: no 2, yes 1.",
			"Of the 2 who voted both times: yes 1, no 1 → no 2. Their answer changed. 1 seat was missing in round 1.",
			"They differed from the start: yes 1, no 1.",
		}},
		{"once", [][]string{{"yes", "no", "no"}}, "Votes", []string{
			"Votes: no 2, yes 1.",
			"Votes were taken once: there is no earlier vote to compare with.",
		}},
	} {
		s := choosing(c.rounds...)
		b := report.Conclude(*s.Verdict, s).Baseline
		if diff := cmp.Diff(c.want, b.Lines()); diff != "" || b.Title != c.title {
			t.Errorf("%s: %q\n%s", c.name, b.Title, diff)
		}
	}
}

func TestConclude_saysHowTheDebateEnded(t *testing.T) {
	for reason, want := range map[string]string{
		"": "", "maximum of rounds": "Ended after the planned rounds",
		"all agree, blind":                 "Ended because all agree, blind",
		"stopped by you after round 1":     "Stopped by you after round 1",
		"no seat changed sides in round 2": "Ended because no seat changed sides in round 2",
	} {
		s := completed()
		s.Verdict.EndReason = reason
		if got := report.Conclude(*s.Verdict, s).Ended; got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
	}
}

func TestExport_countsAVerdictOfAnEarlierVersionAnew(t *testing.T) {
	note := "An earlier version wrote this verdict. Its votes are counted anew, and may differ from what it said then."
	for _, f := range report.Formats() {
		if text := renderText(t, earlier(), f, report.Options{}); !strings.Contains(text, note) {
			t.Errorf("%s does not say so", f)
		}
		if text := renderText(t, completed(), f, report.Options{}); strings.Contains(text, note) {
			t.Errorf("%s says so of a new one", f)
		}
	}
	s := earlier()
	c := report.Conclude(*s.Verdict, s)
	if c.Headline != report.Headline(*completed().Verdict, completed()) || len(c.Changes.Seats) != 3 ||
		c.Changes.Seats[0].Moves[0].Side != "yes" {
		t.Errorf("got %q, %+v", c.Headline, c.Changes)
	}
	if s.Verdict.Rules != 0 {
		t.Error("the session has changed")
	}
}
