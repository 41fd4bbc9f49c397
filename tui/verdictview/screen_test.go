package verdictview_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/screen"
	"roundtable/tui/verdictview"
)

func TestScreen_isExactlyItsSize(t *testing.T) {
	all := cases(t)
	all["none"] = debate.Session{ID: "s", Topic: "Tabs?", Rounds: 1}
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(all))).Draw(rt, "case")
		w, h := rapid.IntRange(8, 160).Draw(rt, "w"), rapid.IntRange(4, 50).Draw(rt, "h")
		v := newScreen(all[name], w, h)
		for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"Next panel", "Scroll the text down", "Open this part"}), 0, 4).Draw(rt, "keys") {
			run(v, key)
		}
		viewtest.RequireSize(rt, v.View(screen.Frame{}), w, h)
	})
}

func TestApply_showsWhatTheChairWritesAndNothingElse(t *testing.T) {
	s := unconcluded()
	s.Written = &debate.Verdict{Text: "We ponder.", Chair: "ada", ChairName: "Ada", Round: 1}
	v := newScreen(s, 120, 30)
	if got := drawn(v); !strings.Contains(got, "We ponder.") || strings.Contains(got, "another round") {
		t.Errorf("what was written before a round was added is not shown:\n%s", got)
	}
	chair := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada", Step: debate.VerdictStep}
	v.Apply(debate.Concluding{Turn: chair, Profile: agents.Profile{ID: "ada", Name: "Ada", Model: "m"}})
	v.Apply(debate.Text{Turn: chair, Reasoning: true, Text: "I ponder.\n\n"})
	v.Apply(debate.Text{Turn: agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "brook"}, Text: "I disagree.\n\n"})
	v.Apply(debate.Text{Turn: chair, Text: "I muse.\n\n"})
	v.Apply(debate.Text{Turn: chair, Text: "I muse.\n\n", Reasoning: true, Moves: true})
	v.Apply(debate.Text{Turn: chair, Text: "Use tabs.\n\n"})
	v.Apply(debate.Text{Turn: chair, Text: "```json\n{\"position\": \"I ponder"})
	got := drawn(v)
	for _, want := range []string{"Use tabs.", "Ada · m is writing it"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not shown:\n%s", want, got)
		}
	}
	for _, other := range []string{"ponder", "disagree", "muse"} {
		if strings.Contains(got, other) {
			t.Errorf("%q is shown:\n%s", other, got)
		}
	}
	v.SetSession(played(debate.QuestionYesNo, "yes"))
	if got := drawn(v); !strings.Contains(got, "The majority would") || strings.Contains(got, "writes it") {
		t.Errorf("the verdict does not replace what was written:\n%s", got)
	}
}

func TestCommands_ofAVerdictThatIsWritten(t *testing.T) {
	v := newScreen(unconcluded(), 80, 21)
	for _, c := range v.Commands() {
		switch c.Title {
		case "Everybody's position, by side":
			none := c.Why()
			v.Apply(debate.Concluding{Profile: agents.Profile{Name: "Ada"}})
			if none != "There is no verdict yet." || c.Why() != "The chair is writing the verdict." {
				t.Errorf("there are positions: %q, then %q", none, c.Why())
			}
		case "Copy the part":
			if diff := cmp.Diff(screen.Outcome{screen.Copy{}}, c.Run("y")); diff != "" {
				t.Error(diff)
			}
		}
	}
}

// A verdict and an answer of megabytes are laid out by one drawing after the other.
func TestView_laysLongTextsOutInParts(t *testing.T) {
	s := played(debate.QuestionYesNo, "yes")
	long := strings.Repeat("```json\n{\"a\": 1}\n```\n\nWords of no **meaning**.\n\n", 10_000)
	s.Verdict.Text = long + "The end of the verdict."
	s.FollowUps = []debate.FollowUp{{Question: "Why?", Response: debate.Response{
		Turn: agents.Turn{Attempt: 1, Agent: "ada", Step: debate.FollowUpStep}, State: debate.TurnDone,
		Statement: debate.Statement{Body: long + "The end."}, Passages: []debate.Passage{{Text: long + "The end."}},
	}}}
	v := newScreen(s, 120, 30)
	for _, width := range []int{120, 110} {
		v.SetSize(width, 30)
		drawings := 0
		for ; v.LayingOut() && drawings < 50; drawings++ {
			drawn(v)
		}
		if drawings < 2*len(long)/(200<<10) || drawings == 50 {
			t.Errorf("%d drawings for twice %d bytes", drawings, len(long))
		}
		v.Wheel(0, 0, 0, 1_000_000)
		if got := drawn(v); strings.Contains(got, "laying out") || !strings.Contains(got, "The end.") {
			t.Errorf("it is not laid out:\n%s", got)
		}
	}
}

// The pick is read whole, in the place of the report, and copied as it was given.
func TestView_hasThePickInPlaceOfTheReport(t *testing.T) {
	s := played(debate.QuestionYesNo, "yes 60, no 55, yes 70")
	s.History[0].Responses[1].Statement.Body = "One file is **enough**.\n\n" + strings.Repeat("Why. ", 900) + "The end."
	s.Verdict.Pick = &debate.Pick{Agent: "brook", Reason: "It says\x1b[2J what breaks."}
	for _, size := range [][2]int{{80, 22}, {140, 38}} {
		v := newScreen(s, size[0], size[1])
		run(v, "The strongest single answer")
		got := drawn(v)
		for _, want := range []string{"Strongest single answer: Brook", "It says what breaks.", "One file is enough.", " below"} {
			if !strings.Contains(got, want) {
				t.Errorf("%v: %q is not shown:\n%s", size, want, got)
			}
		}
		if strings.Contains(got, "Nobody covered") {
			t.Errorf("%v: the report is shown with it:\n%s", size, got)
		}
		v.Wheel(0, 0, 0, 1000)
		if got := drawn(v); !strings.Contains(got, "The end.") {
			t.Errorf("%v: it is cut:\n%s", size, got)
		}
		want := screen.Outcome{screen.Copy{Text: s.History[0].Responses[1].Statement.Body, What: "the pick"}}
		if diff := cmp.Diff(want, run(v, "Copy the part")); diff != "" {
			t.Error(diff)
		}
		run(v, "The strongest single answer")
		if got := drawn(v); !strings.Contains(got, "The majority would") {
			t.Errorf("%v: the report does not come back:\n%s", size, got)
		}
	}
}

// Positions are read by side, each side once.
func TestView_hasPositionsBySide(t *testing.T) {
	v := newScreen(played(debate.QuestionYesNo, "no 55, yes 60, yes 70, undecided 20"), 80, 30)
	run(v, "Everybody's position, by side")
	got := drawn(v)
	at := -1
	for _, want := range []string{"│ yes ", "Brook, 60%", "I say yes.", "Cy, 70%", "│ no ", "Ada, 55%", "│ undecided ", "Dee, 20%"} {
		i := strings.Index(got, want)
		if i <= at || strings.HasPrefix(want, "│") && strings.Count(got, want) != 1 {
			t.Fatalf("%q is not shown once and in its place:\n%s", want, got)
		}
		at = i
	}
}

func run(v *verdictview.Screen, title string) screen.Outcome {
	for _, c := range v.Commands() {
		if c.Title == title {
			return c.Run("")
		}
	}
	panic("no command " + title)
}

func unconcluded() debate.Session {
	s := played(debate.QuestionYesNo, "yes, no")
	s.Verdict = nil
	return s
}
