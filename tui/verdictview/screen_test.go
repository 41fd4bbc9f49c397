package verdictview_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
	"roundtable/tui/verdictview"
)

func session() debate.Session {
	return debate.Session{
		ID: "s", Topic: "Tabs?", Rounds: 1, Seats: []agents.Profile{{ID: "ada", Name: "Ada", Model: "m"}, {ID: "brook", Name: "Brook", Model: "m"}},
		History: []debate.Round{{Number: 1}},
	}
}

func concluded() debate.Session {
	s := session()
	s.Verdict = &debate.Verdict{Outcome: debate.OutcomeFull, EndReason: "maximum of rounds", Text: "# Conclusion\nUse tabs.", Baseline: debate.Tally{None: true}}
	return s
}

func newScreen(s debate.Session, w, h int) *verdictview.Screen {
	v := verdictview.New(theme.New(theme.Options{Dark: true}), "")
	v.SetSize(w, h)
	v.SetSession(s)
	return v
}

func drawn(v *verdictview.Screen) string { return ansi.Strip(v.View(screen.Frame{})) }

func TestScreen_isExactlyItsSize(t *testing.T) {
	for _, s := range []debate.Session{session(), concluded()} {
		for _, size := range [][2]int{{40, 7}, {80, 21}, {140, 37}} {
			rows := strings.Split(newScreen(s, size[0], size[1]).View(screen.Frame{}), "\n")
			if len(rows) != size[1] {
				t.Errorf("%v: %d rows", size, len(rows))
			}
			for i, r := range rows {
				if w := ansi.StringWidth(r); w != size[0] {
					t.Errorf("%v: row %d has %d cells", size, i, w)
				}
			}
		}
	}
}

func TestApply_showsWhatTheChairWritesAndNothingElse(t *testing.T) {
	v := newScreen(session(), 120, 30)
	chair := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada", Step: debate.VerdictStep}
	v.Apply(debate.Concluding{Turn: chair, Profile: agents.Profile{ID: "ada", Name: "Ada", Model: "m"}})
	v.Apply(debate.Text{Turn: chair, Reasoning: true, Text: "I ponder.\n\n"})
	v.Apply(debate.Text{Turn: agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "brook"}, Text: "I disagree.\n\n"})
	v.Apply(debate.Text{Turn: chair, Text: "Use tabs.\n\n"})
	got := drawn(v)
	for _, want := range []string{"Use tabs.", "Ada · m is writing it"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not shown:\n%s", want, got)
		}
	}
	for _, other := range []string{"ponder", "disagree"} {
		if strings.Contains(got, other) {
			t.Errorf("%q is shown:\n%s", other, got)
		}
	}
	v.SetSession(concluded())
	if got := drawn(v); !strings.Contains(got, "Conclusion") || strings.Contains(got, "writes it") {
		t.Errorf("the verdict does not replace what was written:\n%s", got)
	}
}

func TestCommands_ofAVerdictThatIsWritten(t *testing.T) {
	for _, c := range newScreen(session(), 80, 21).Commands() {
		switch c.Title {
		case "Results of the round before":
			if c.Why() != "The verdict is being written." {
				t.Errorf("the round can be turned: %q", c.Why())
			}
		case "Copy the statement":
			if diff := cmp.Diff(screen.Outcome{screen.Copy{}}, c.Run("y")); diff != "" {
				t.Error(diff)
			}
		}
	}
}

// counted returns a debate in which the members name two databases.
func counted() debate.Session {
	s := concluded()
	level := 0.97
	s.Question, s.History[0].Consensus = debate.QuestionOpen, &debate.Consensus{
		Level: &level, Method: debate.ConsensusByModel, Answered: 2, Seats: 2, Contradicts: "Postgres 1, SQLite 1",
	}
	both := debate.Tally{
		Voters: 2, Votes: map[debate.Side]int{"Postgres": 1, "SQLite": 1}, Weights: map[debate.Side]float64{"Postgres": 0.9, "SQLite": 0.1},
		Sides: []debate.Side{"Postgres", "SQLite"}, Split: true, Weighted: "Postgres",
	}
	v := s.Verdict
	v.Rules, v.Final, v.Baseline = debate.VerdictRules, both, both
	v.Headline = "Split: Postgres 1, SQLite 1 · degraded; 1 of 2 seats answered in every round: Brook is missing in round 2 (test is busy), " +
		"Brook is missing in the own view of round 3 (timed out) · changed: Postgres → split; Brook, citing your answer C1"
	v.Labels = &debate.Grouping{By: "Luma", Groups: []debate.LabelGroup{
		{Side: "Postgres", Labels: []string{"Postgres", "PostgreSQL 17"}}, {Side: "SQLite", Labels: []string{"SQLite"}},
	}}
	v.Moves = []debate.Move{
		{Agent: "ada", Round: 1, Change: debate.Opening, Side: "Postgres"}, {Agent: "brook", Round: 1, Change: debate.Opening, Side: "SQLite"},
	}
	return s
}

// What chairs cost is said below a report that one of them wrote, and not below one that is
// counted after they failed.
func TestView_saysWhatTheAuthorCost(t *testing.T) {
	for _, author := range []string{"Ada", ""} {
		s := counted()
		s.Verdict.Chair, s.Verdict.ChairName = agents.ID(strings.ToLower(author)), author
		s.Verdict.Spending = []debate.Spending{{Purpose: debate.ForChair, Calls: 1, Usage: agents.Usage{Input: 700, Output: 86}}}
		got := drawn(newScreen(s, 80, 22))
		if foot := got[strings.LastIndex(got, "╰"):]; strings.Contains(foot, "786 tok") != (author != "") {
			t.Errorf("by %q: %q", author, foot)
		}
	}
}

// No word of the headline is cut, whatever the width.
func TestView_wrapsTheHeadlineAboveEverything(t *testing.T) {
	s := counted()
	for _, size := range [][2]int{{80, 22}, {140, 38}} {
		rows := strings.Split(drawn(newScreen(s, size[0], size[1])), "\n")
		var words []string
		for _, row := range rows {
			if strings.ContainsAny(row, "╭▸") {
				break
			}
			words = append(words, strings.Fields(row)...)
		}
		if got := strings.Join(words, " "); !strings.Contains(got, s.Verdict.Headline) {
			t.Errorf("%v: %q", size, got)
		}
	}
}

func TestView_comparesVotesAndSaysWhoGroupedLabels(t *testing.T) {
	got := strings.Join(strings.Fields(drawn(newScreen(counted(), 140, 38))), " ")
	for _, want := range []string{
		"by confidence Postgres 90%", "╭ Votes ", "Votes Postgres 1 · SQLite 1 → split", "SQLite 10% → Postgres",
		"Read as the same answer by Luma: Postgres,", "the model says 0.97; the count says Postgres", "No chair wrote this",
	} {
		if !strings.Contains(strings.ToLower(got), strings.ToLower(want)) {
			t.Errorf("%q is not shown:\n%s", want, drawn(newScreen(counted(), 140, 38)))
		}
	}
	if strings.Contains(got, "█") {
		t.Errorf("a level that contradicts the count is drawn as a bar:\n%s", got)
	}
}

// What is included in a subscription is told, in a footnote if the row has no room for it.
func TestView_saysWhatIsIncluded(t *testing.T) {
	s := counted()
	cost := 0.0042
	s.Seats[0].Included = true
	s.Verdict.Spending = []debate.Spending{{Purpose: debate.ForChair, Calls: 1, Usage: agents.Usage{Input: 90_000}, Cost: &cost}}
	for w, want := range map[int]string{140: "$0.004 + │ included in a subscription", 200: "$0.004 + included"} {
		got := drawn(newScreen(s, w, 60))
		for part := range strings.SplitSeq(want, "│") {
			if !strings.Contains(strings.Join(strings.Fields(got), " "), strings.TrimSpace(part)) {
				t.Errorf("width %d: %q is not shown:\n%s", w, part, got)
			}
		}
		if strings.Contains(got, "inc…") {
			t.Errorf("width %d: it is cut:\n%s", w, got)
		}
	}
}
