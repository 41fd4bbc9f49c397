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
