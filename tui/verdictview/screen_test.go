package verdictview_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
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
	v := verdictview.New(theme.New(theme.Options{Dark: true}), "", nil)
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
	v.SetSession(concluded())
	if got := drawn(v); !strings.Contains(got, "Conclusion") || strings.Contains(got, "writes it") {
		t.Errorf("the verdict does not replace what was written:\n%s", got)
	}
}

func TestCommands_ofAVerdictThatIsWritten(t *testing.T) {
	v := newScreen(session(), 80, 21)
	for _, c := range v.Commands() {
		switch c.Title {
		case "Results of the round before":
			none := c.Why()
			v.Apply(debate.Concluding{Profile: agents.Profile{Name: "Ada"}})
			if none != "There is no verdict yet." || c.Why() != "The chair is writing the verdict." {
				t.Errorf("the round can be turned: %q, then %q", none, c.Why())
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
	s.Question = debate.QuestionOpen
	both := debate.Tally{
		Voters: 2, Votes: map[debate.Side]int{"Postgres": 1, "SQLite": 1},
		Sides: []debate.Side{"Postgres", "SQLite"}, Split: true,
	}
	v := s.Verdict
	v.Rules, v.Final, v.Baseline = debate.VerdictRules, both, both
	v.Headline = "Split: Postgres 1, SQLite 1 · incomplete: 1 of 2 seats missed a turn (Brook), the answers of Ada and Brook in round 3 could not be read" +
		" · changed: Postgres → Postgres 1, SQLite 1; Brook changed, citing your answer C1"
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

// The headline takes two rows at most; what it leaves out is counted, and stands in the report.
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
		want := s.Verdict.Headline
		if size[0] == 80 {
			want = strings.Join(strings.Split(want, " · ")[:2], " · ") + " · +1"
			all := strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(rows, " "), "│", "")), " ")
			if !strings.Contains(all, s.Verdict.Headline) {
				t.Errorf("%v: it is nowhere whole:\n%s", size, strings.Join(rows, "\n"))
			}
		}
		if got := strings.Join(words, " "); !strings.Contains(got, want) {
			t.Errorf("%v: %q", size, got)
		}
	}
}

// The picture of the votes has a row for each seat with what moved it, and where it has no
// room for all rounds, the first, the last and those in which somebody changed sides.
func TestView_drawsOnePictureOfTheVotes(t *testing.T) {
	s := concluded()
	s.Question, s.Requests = debate.QuestionYesNo, []ledger.Request{{
		ID: "C1", State: ledger.Released, Delivered: []ledger.Delivery{{Revision: 1, Round: 2}},
		Answers: []ledger.Answer{{Revision: 1, Outcome: ledger.Answered, Content: "12", Author: ledger.Author{Kind: ledger.Person}}},
	}}
	v := s.Verdict
	v.Rules, v.Baseline.None = debate.VerdictRules, false
	sure := []float64{0.76, 0.52, 1}
	s.History = nil
	for n := 1; n <= 5; n++ {
		s.History = append(s.History, debate.Round{Number: n})
		ada := debate.Move{Agent: "ada", Round: n, Change: debate.Held, Side: "yes", Confidence: &sure[0]}
		brook := debate.Move{Agent: "brook", Round: n, Change: debate.Held, Side: "no", Confidence: &sure[1]}
		switch n {
		case 1:
			ada.Change, brook.Change = debate.Opening, debate.Opening
		case 3:
			brook = debate.Move{Agent: "brook", Round: n, Change: debate.Revised, Side: "yes", Confidence: &sure[2], Cites: []string{"C1"}}
		case 4, 5:
			brook.Side, brook.Confidence = "yes", nil
		}
		v.Moves = append(v.Moves, ada, brook)
	}
	for _, tt := range []struct {
		width, height int
		ascii         bool
		want          []string
	}{
		{140, 38, false, []string{
			"          R1           R3           R5 ", "1 Ada     yes ▇76   …  yes ▇76   …  yes ▇76", "2 Brook   no  ▅52  ──→ yes █100  …  yes",
			"  R3: answer C1",
		}},
		{38, 30, true, []string{"          R1           R5", "1 Ada     yes  76   ~  yes  76", "2 Brook   no   52  --> yes"}},
		{80, 30, true, []string{"2 Brook   no   52      no   52  --> yes  100     yes          yes", "  R3: answer C1"}},
	} {
		screen := verdictview.New(theme.New(theme.Options{Dark: true, ASCII: tt.ascii}), "", nil)
		screen.SetSize(tt.width, tt.height)
		screen.SetSession(s)
		if tt.width < 100 {
			run(screen, "Next panel")
		}
		got := drawn(screen)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("at %d, %q is not shown:\n%s", tt.width, want, got)
			}
		}
	}
}

func run(v *verdictview.Screen, title string) {
	for _, c := range v.Commands() {
		if c.Title == title {
			c.Run("")
		}
	}
}

// What is included in a subscription is told.
func TestView_saysWhatIsIncluded(t *testing.T) {
	s := counted()
	cost := 0.0042
	s.Seats[0].Included = true
	s.Verdict.Spending = []debate.Spending{{Calls: 1, Usage: agents.Usage{Input: 90_000}, Cost: &cost}}
	got := strings.Join(strings.Fields(strings.ReplaceAll(drawn(newScreen(s, 200, 60)), "│", " ")), " ")
	if want := "Spent 1 call, 90.0k tok, $0.004 + included."; !strings.Contains(got, want) {
		t.Errorf("%q is not shown:\n%s", want, got)
	}
}

// A verdict and an answer of megabytes are laid out by one drawing after the other.
func TestView_laysLongTextsOutInParts(t *testing.T) {
	s := concluded()
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

// picked returns a debate whose chair picked Brook's answer, which the majority is against.
func picked() debate.Session {
	s := counted()
	s.Mode.Phases, s.Mode.Votes = []debate.Phase{{Name: "", Asks: debate.AsksVote}}, ""
	for i, id := range []agents.ID{"ada", "brook"} {
		s.History[0].Responses = append(s.History[0].Responses, debate.Response{
			Turn: agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: id}, State: debate.TurnDone,
			Statement: debate.Statement{Choice: []string{"Postgres", "SQLite"}[i], Body: "One file is **enough**.\n\n" + strings.Repeat("Why. ", 900) + "The end."},
		})
	}
	s.Verdict.Pick = &debate.Pick{Agent: "brook", By: "Zoe", Reason: "It says\x1b[2J what breaks.", Off: "SQLite"}
	return s
}

// The pick is read whole, in the place of the report, and copied as it was given.
func TestView_hasThePickAsATab(t *testing.T) {
	for _, size := range [][2]int{{80, 22}, {140, 38}} {
		v := newScreen(picked(), size[0], size[1])
		if got := drawn(v); strings.Contains(got, "picked by Zoe") || !strings.Contains(got, "Use tabs.") {
			t.Errorf("%v: the report does not come first:\n%s", size, got)
		}
		run := map[string]func(string) screen.Outcome{}
		for _, c := range v.Commands() {
			run[c.Title] = c.Run
		}
		run["Next panel"]("tab")
		got := drawn(v)
		for _, want := range []string{
			"The pick argues for SQLite, against the majority", "Brook, picked by Zoe: It says what breaks.", "One file is enough.", " below",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%v: %q is not shown:\n%s", size, want, got)
			}
		}
		if strings.Contains(got, "Use tabs.") {
			t.Errorf("%v: the report is shown with it:\n%s", size, got)
		}
		v.Wheel(0, 0, 0, 1000)
		if got := drawn(v); !strings.Contains(got, "The end.") {
			t.Errorf("%v: it is cut:\n%s", size, got)
		}
		want := picked().History[0].Responses[1].Statement.Body
		if diff := cmp.Diff(screen.Outcome{screen.Copy{Text: want, What: "the pick"}}, run["Copy the statement"]("y")); diff != "" {
			t.Error(diff)
		}
		run["Next panel"]("tab")
		if got := drawn(v); strings.Contains(got, "picked by Zoe") || !strings.Contains(got, "Votes") {
			t.Errorf("%v: the next panel is not the votes:\n%s", size, got)
		}
	}
}

// What is missing and weak is said once, beside the report.
func TestView_saysWhatIsMissingAndWeakOnce(t *testing.T) {
	s := counted()
	v := s.Verdict
	v.Weak, v.Warnings = []string{"without an answer to C1", "all voting seats are one model"}, []string{debate.WarningOneFamily}
	v.Missing = []debate.MissingResponse{{Agent: "brook", Name: "Brook", Round: 1, Cause: "timed out"}}
	v.Unstated = []agents.ID{"ada"}
	got := strings.Join(strings.Fields(strings.ReplaceAll(drawn(newScreen(s, 200, 60)), "│", "")), " ")
	for _, want := range []string{
		"Missing and weak", "! 1 of 2 seats missed a turn: Brook in round 1 (timed out).", "! The answer of Ada in round 1 could not be read.",
		"! Decided without an answer to C1, though required.", "! All voting seats are one model, which tends to make the same mistakes.",
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is not shown once:\n%s", want, drawn(newScreen(s, 200, 60)))
		}
	}
	if strings.Contains(got, debate.WarningOneFamily) {
		t.Error("the warning about one family repeats that it is one model")
	}
	if got := drawn(newScreen(concluded(), 200, 60)); !strings.Contains(got, "Both seats answered in every round.") {
		t.Errorf("it does not say that nothing is missing:\n%s", got)
	}
}

// A round without the panel in focus does not leave the focus behind the last one.
func TestRounds_withFewerPanelsKeepTheFocusOnOne(t *testing.T) {
	s := counted()
	s.History = append(s.History, debate.Round{Number: 2})
	s.Verdict.Results = &debate.Results{Ranking: &debate.Ranking{Round: 2}}
	v := newScreen(s, 80, 22)
	for _, c := range v.Commands() {
		switch c.Title {
		case "Previous panel":
			c.Run("shift+tab")
		case "Results of the round before":
			c.Run("[")
			if got := drawn(v); !strings.Contains(got, "╭▸Missing") {
				t.Errorf("the last panel is not in focus:\n%s", got)
			}
		}
	}
}
