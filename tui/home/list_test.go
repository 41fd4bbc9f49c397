package home_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/home"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// now is a Thursday.
var now = time.Date(2026, 11, 12, 14, 36, 0, 0, time.UTC)

func usd(f float64) *float64 { return &f }

func seats(names ...string) []agents.Profile {
	var out []agents.Profile
	for _, n := range names {
		out = append(out, agents.Profile{ID: agents.ID(strings.ToLower(n)), Name: n})
	}
	return out
}

func sessions() []debate.SessionSummary {
	panel := seats("Ada", "Brook", "Cy")
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	return []debate.SessionSummary{
		{
			ID: "k7m2x9qd4t", Topic: "Should billing move to SQLite?", Mode: "expert-panel", Status: debate.NeedsContext, Round: 2,
			Rounds:   4,
			Required: 1, Asking: `C3 Ada "Which recovery point and recovery time (RPO, RTO) does finance demand?"`, Seats: panel,
			Cost:   usd(0.03),
			Tokens: 1, Updated: ago(2 * time.Minute),
		},
		{
			ID: "b2", Topic: "Ship passkeys without a password fallback?", Mode: "red-team-blue-team", Status: debate.Interrupted, Round: 2,
			Rounds: 3, Seats: panel, Cost: usd(0.22), Tokens: 1, Updated: ago(41 * time.Minute),
		},
		{
			ID: "c3", Topic: "One queue or two for webhooks?", Mode: "socratic", Status: debate.Complete, Verdict: true,
			Line: "No, 2 of 3; yes 1 · was yes; Cy moved by C1", Side: "no",
			Round:  3,
			Rounds: 3, Seats: panel, Cost: usd(0.11), Tokens: 1, Updated: ago(3 * time.Hour),
		},
		{
			ID: "d4", Topic: "Drop Node 18 in the SDK?", Mode: "delphi", Status: debate.Complete, Verdict: true, NoReport: true,
			Line:  "Median 9 weeks (4 to 20), 5 of 6 · incomplete (no vote: F)",
			Round: 3, Rounds: 3, Seats: seats("A", "B", "C", "D", "E", "F"), Cost: usd(0.19), Tokens: 1, Updated: ago(48 * time.Hour),
		},
		{
			ID: "e5", Topic: "Rewrite the importer in Go?", Mode: "adversarial", Status: debate.Stopped, Verdict: true,
			Line:    "Split of 3: yes 1, no 1, undecided 1 · incomplete (stopped after round 2 of 4 by the budget)",
			Stopped: debate.StoppedByBudget, Round: 2, Rounds: 4, Seats: panel, Cost: usd(0.50), Tokens: 1, Updated: ago(72 * time.Hour),
		},
		{
			ID: "f6", Topic: "請求システムをSQLiteへ移すか", Mode: "council", Status: debate.Ready, Round: 1, Rounds: 2, Seats: panel, Tokens: 1,
			Updated: ago(73 * time.Hour),
		},
		{
			ID: "g7", Topic: "Which log retention do we owe?", Mode: "collaborative", Status: debate.Complete, Verdict: true,
			Line: "Yes, 3 of 3", Side: "yes", Round: 2, Rounds: 2, Seats: panel, Cost: usd(0.02), Tokens: 1, Updated: ago(9 * 24 * time.Hour),
		},
	}
}

// A round that failed, or that one seat answered, is not interrupted: the list says what
// happened and why.
func TestList_saysWhyARoundIsOpen(t *testing.T) {
	h := newList(90, 21)
	all := sessions()[:2]
	cause := []debate.MissingResponse{{Agent: "ada", Name: "Ada", Cause: "The server is down."}}
	all[0] = debate.SessionSummary{
		ID: "k7m2x9qd4t", Topic: "Why?", Status: debate.Interrupted, Round: 1, Rounds: 2, Updated: now,
		Open:   &debate.RoundFailedError{Round: 1, Causes: cause},
		Origin: debate.Origin{Session: "b2", Round: 1},
		Seats:  []agents.Profile{{Name: "Ada"}},
	}
	all[1].Open = &debate.RoundFailedError{Round: 2, Answered: "Cy", Causes: cause}
	h.SetSessions(all)
	for range 2 {
		h.Move(1)
	}
	for _, selected := range []struct{ up int }{{0}, {1}} {
		h.Move(-selected.up)
		view := ansi.Strip(h.View(screen.Frame{Now: now}))
		want := []string{"✗ Fork: Why?", "failed: ", "◷ Ship", "round open: "}
		if selected.up == 0 {
			want = append(want, "Only Cy of 2 seats answered in round 2. Ada: The server is down.")
		} else {
			want = append(want, "Round 1 failed: no model answered. Ada: The server is down.", " · Ada · k7m2x9qd4t · fork of b2, from round 1")
		}
		for _, w := range want {
			if !strings.Contains(view, w) {
				t.Errorf("%q is missing:\n%s", w, view)
			}
		}
	}
}

// What is drawn depends on what is visible, not on how many sessions there are.
func TestList_drawsTheVisibleRows(t *testing.T) {
	h := newList(90, 21)
	var all []debate.SessionSummary
	for i := range 3_000 {
		s := sessions()[i%7]
		s.ID, s.Title, s.Updated = fmt.Sprint(i), fmt.Sprintf("Debate %d.", i), now.Add(-time.Duration(i)*time.Minute)
		all = append(all, s)
	}
	h.SetSessions(all)
	for _, move := range []int{0, 1, 5, 40, 1000, -1, 20000, -7, -20000} {
		h.Move(move)
		view := ansi.Strip(h.View(screen.Frame{Now: now}))
		selected, ok := h.Selected()
		if ok && !strings.Contains(view, selected.Title) || strings.Count(view, "Debate ") < 6 {
			t.Fatalf("after %d:\n%s", move, view)
		}
	}
	allocated := testing.AllocsPerRun(3, func() { h.View(screen.Frame{Now: now}) })
	if allocated > 15_000 {
		t.Errorf("%v allocations for one view", allocated)
	}
}

type records struct {
	home.Store
	renamed [2]string // id and title
}

func (r *records) Rename(_ context.Context, id, title string) error {
	r.renamed = [2]string{id, title}
	return nil
}

func emptyList(store home.Store, w, h int) *home.Screen {
	m := home.New(context.Background(), home.Config{
		Theme: colors(), Store: store, Now: func() time.Time { return now }, Open: func() string { return "" },
		Live: func(string) home.Live { return home.NotOpen },
	})
	m.SetSize(w, h)
	return m
}

func newList(w, h int) *home.Screen {
	m := emptyList(nil, w, h)
	m.SetSessions(sessions())
	return m
}

func TestList_emptyNamesTheNextKey(t *testing.T) {
	h := emptyList(nil, 80, 21)
	h.SetSessions(nil)
	if v := ansi.Strip(h.View(screen.Frame{Now: now})); !strings.Contains(v, "No debates yet. Press ctrl+n to start one.") {
		t.Error(v)
	}
}

func typeText(h *home.Screen, text string) {
	for _, r := range text {
		h.HandleKey(press(string(r)))
	}
}

// The matches of a session are rows, and the selected one is visible.
func TestList_movesThroughTheMatches(t *testing.T) {
	for _, height := range []int{21, 7} {
		h := newList(80, height)
		h.Search()
		typeText(h, "append-only")
		var matches []home.Match
		for round := 1; round <= 5; round++ {
			matches = append(matches, home.Match{Where: fmt.Sprintf("R%d Ada", round), Text: "append-only", Agent: "ada", Round: round})
		}
		h.SetHits("append-only", []home.Hit{{Session: "k7m2x9qd4t", Matches: matches}, {Session: "g7", Matches: matches[:1]}})
		opened := func() (id string, round int) {
			open := h.HandleKey(press("enter"))[0].(home.OpenSession)
			return open.ID, open.Match.Round
		}
		for _, want := range []int{1, 1, 2, 3, 4, 5} { // the session is opened at its first match
			if id, round := opened(); id != "k7m2x9qd4t" || round != want {
				t.Errorf("enter opens %s in round %d, not %d", id, round, want)
			}
			h.Move(1)
		}
		if id, _ := opened(); id != "g7" {
			t.Errorf("after the last match comes %s", id)
		}
		h.Move(-1)
		if id, round := opened(); id != "k7m2x9qd4t" || round != 5 {
			t.Errorf("before the next session comes round %d of %s", round, id)
		}
		if got := h.View(screen.Frame{Now: now}); !strings.Contains(ansi.Strip(got), "▸   R5 Ada") {
			t.Errorf("the selected match is out of sight:\n%s", ansi.Strip(got))
		}
	}
}

func TestList_searchFiltersAtOnce(t *testing.T) {
	h := newList(80, 21)
	h.Search()
	if out := h.HandleKey(press("q")); len(out) == 0 || h.Query() != "q" {
		t.Errorf("a letter is text in the search, which follows: %v", out)
	}
	typeText(h, "ueue")
	if s, _ := h.Selected(); s.ID != "c3" {
		t.Errorf("selected %q", s.ID)
	}
	if out, want := h.HandleKey(press("enter")), (screen.Outcome{home.OpenSession{ID: "c3"}}); !cmp.Equal(out, want) {
		t.Errorf("enter opens: %v", out)
	}
	typeText(h, "x")
	if v := ansi.Strip(h.View(screen.Frame{Now: now})); !strings.Contains(v, `No match for "queuex". Press ctrl+u to clear the search.`) {
		t.Error(v)
	}
	h.HandleKey(press("ctrl+u"))
	if h.Query() != "" {
		t.Errorf("ctrl+u left %q", h.Query())
	}
}

// A filter that matches nothing names its possible values; one that matches something
// does not, even if the words beside it are not found.
func TestList_namesTheValuesOfAFilter(t *testing.T) {
	for query, want := range map[string]string{
		"status:foo": `No status starts with "foo". Choose from: ` +
			`draft, running, interrupted, failed, round_open, needs_context, ready, complete, no_report, ` +
			`ended_by_user, out_of_budget, gone, paused, stopped, user, budget, consensus, convergence.`,
		"mode:foo":   `No mode starts with "foo". Choose from: adversarial, collaborative, council, delphi, expert-panel`,
		"agent:foo":  `No agent starts with "foo". Choose from: a, ada, b, `,
		"since:7x":   "Invalid age since:7x; use m, h, d or w, as in since:7d.",
		"status:dra": "",
		"queuex":     "",
	} {
		h := newList(80, 21)
		h.Search()
		typeText(h, query)
		v := strings.Join(strings.Fields(ansi.Strip(h.View(screen.Frame{Now: now}))), " ")
		if !strings.Contains(v, "No match for") || !strings.Contains(v, want) || want == "" && strings.Contains(v, "Choose from:") {
			t.Errorf("%s, want %q:\n%s", query, want, v)
		}
	}
}

func TestList_ignoresResultsOfAnOlderQuery(t *testing.T) {
	h := newList(80, 21)
	h.Search()
	typeText(h, "abc")
	h.SetHits("ab", []home.Hit{{Session: "c3"}})
	if _, ok := h.Selected(); ok {
		t.Error("a session is shown for a query that is no longer there")
	}
}

func TestList_escGoesBackStepByStep(t *testing.T) {
	h := newList(80, 21)
	h.Search()
	typeText(h, "queue")
	for i, want := range []screen.Outcome{nil, nil, {screen.Close{}}} {
		if got := h.Back(); !cmp.Equal(got, want) {
			t.Errorf("step %d: %v, want %v", i, got, want)
		}
		if h.Typing() {
			t.Error("the list has no focus")
		}
	}
	if h.Query() != "" {
		t.Error("the search is still there")
	}
}

// From the width of one row on a debate takes one, and in a narrow window the side is left.
func TestList_saysWhatWasDecidedAtEveryWidth(t *testing.T) {
	for width, want := range map[int][]string{
		140: {"✓ One queue or two for webhooks?  ", " No, 2 of 3; yes 1 · was yes; Cy moved by C1 ", "◷ Should billing move to SQLite? ", " needs you: C3 Ada"},
		60:  {"✓ One queue or two for webhooks?  ", "\n   Split of 3: yes 1, no 1, undecided 1 · incomplete (stop… \n"},
		40:  {"✓ One queue or two for webhooks?    no ", "‖ Ship passkeys without a pa…   paused ", "! Drop Node 18 in the SDK?   no report "},
	} {
		h := newList(width, 30)
		view := ansi.Strip(h.View(screen.Frame{Now: now}))
		for _, w := range want {
			if !strings.Contains(view, w) {
				t.Errorf("at %d, %q is missing:\n%s", width, w, view)
			}
		}
	}
}

func TestParseQuery(t *testing.T) {
	tests := map[string]home.Query{
		"ledger mode:delphi":     {Text: "ledger", Mode: "delphi"},
		"since:7d a b agent:Ada": {Text: "a b", Since: 7 * 24 * time.Hour, Agent: "ada"},
		"status:needs":           {Status: "needs"},
		"http://x since:soon":    {Text: "http://x since:soon"},
		"since:99999999999999d":  {Text: "since:99999999999999d"},
	}
	for in, want := range tests {
		if got := home.ParseQuery(in); got != want {
			t.Errorf("%q: %+v, want %+v", in, got, want)
		}
	}
}

// For a large panel the names are cut, but never the id, which other commands need.
func TestList_keepsTheID(t *testing.T) {
	s := debate.SessionSummary{ID: "k7m2x9qd4t", Topic: "Why?", Updated: time.Now()}
	for i := range 8 {
		s.Seats = append(s.Seats, agents.Profile{Name: fmt.Sprint("Somebody", i)})
	}
	h := emptyList(nil, 40, 20)
	h.SetSessions([]debate.SessionSummary{s})
	if v := ansi.Strip(h.View(screen.Frame{Now: time.Now()})); !strings.Contains(v, "… · k7m2x9qd4t") {
		t.Errorf("the id is missing:\n%s", v)
	}
}

// Clicks find the right row wherever the list is scrolled to, even if a row of its own counts the sessions above.
func TestList_findsItsRowsWhenScrolled(t *testing.T) {
	for _, width := range []int{40, 80} {
		for rows := range 12 {
			h := newList(width, 9)
			h.Move(-99)
			h.Move(rows)
			h.View(screen.Frame{Now: now})
			s, ok := h.Selected()
			if !ok {
				continue
			}
			lines := strings.Split(ansi.Strip(h.View(screen.Frame{Now: now})), "\n")
			row := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "▸") })
			if row < 0 {
				t.Fatalf("%d cells, %s: it is not shown:\n%s", width, s.ID, strings.Join(lines, "\n"))
			}
			if out := h.Click(0, row); !cmp.Equal(out, screen.Outcome{home.OpenSession{ID: s.ID}}) {
				t.Errorf("%d cells, %s: a click on its row finds another:\n%s", width, s.ID, strings.Join(lines, "\n"))
			}
		}
	}
}

func (r *records) SaveOutcome(_ context.Context, id, typed string) (debate.Settlement, error) {
	r.renamed = [2]string{id, typed}
	return debate.Settlement{Result: debate.ResultWrong}, nil
}

func TestList_asksHowAVerdictTurnedOut(t *testing.T) {
	store := &records{}
	h := emptyList(store, 100, 40)
	list := sessions()
	list[0].Verdict, list[0].Settled = true, debate.ResultOpen
	h.SetSessions(list)
	var asked screen.Outcome
	for _, c := range h.Commands() {
		if c.ID == "outcome" {
			asked = c.Run("O")
		}
	}
	q := asked[0].(screen.Question)
	if got := q.Text + " " + q.Keys(); got != "How did it turn out? r right · w wrong · m mixed · o open · esc back" {
		t.Error(got)
	}
	wrong, _ := q.Answer("w")
	prompt := wrong()[0].(screen.Prompt)
	if prompt.Label != "wrong, note >" || prompt.Text != "" {
		t.Errorf("asks %q, with %q in the field", prompt.Label, prompt.Text)
	}
	for note, want := range map[string]string{"two writers": "wrong: two writers", "": "wrong"} {
		for _, effect := range prompt.Done(note) {
			effect.(tea.Cmd)().(screen.Then)()
		}
		if want := [2]string{list[0].ID, want}; store.renamed != want {
			t.Errorf("saved %q, want %q", store.renamed, want)
		}
	}
	if !strings.Contains(ansi.Strip(h.View(screen.Frame{Now: now})), " · outcome open") {
		t.Error("the outcome of the selected debate is not shown")
	}
}

func TestList_view(t *testing.T) {
	requireScreen(t, newList(80, 21).View(screen.Frame{Now: now}), 80, 21)
}

func TestList_styles(t *testing.T) {
	golden.RequireEqual(t, viewtest.SameStyles(t, func(th *theme.Theme) string {
		l := newList(80, 21)
		l.SetTheme(th)
		return l.View(screen.Frame{Now: now})
	}))
}

// At any size, and whatever the user does, the view has exactly its size, and no text
// is cut without a mark.
func TestList_fitsEverySize(t *testing.T) {
	var texts []string
	for _, s := range sessions() {
		texts = append(texts, s.Topic, s.Asking) // a mode may be wrapped at its hyphens in a sentence
	}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(1, 160).Draw(rt, "w"), rapid.IntRange(4, 50).Draw(rt, "h")
		l := newList(w, h)
		for range rapid.IntRange(0, 8).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0:
				l.Move(rapid.IntRange(-3, 5).Draw(rt, "rows"))
			case 1:
				l.Search()
			case 2:
				typeText(l, rapid.SampledFrom([]string{"q", "mode:de", " ", "status:x"}).Draw(rt, "text"))
				l.SetHits(l.Query(), []home.Hit{{Session: "c3", Matches: []home.Match{
					{Where: "R2 Brook", Before: strings.Repeat("before ", 20), Text: "queue", After: "."},
				}}})
			case 3:
				l.Back()
			case 4:
				l.Page(1)
			case 5:
				w, h = rapid.IntRange(1, 160).Draw(rt, "w"), rapid.IntRange(4, 50).Draw(rt, "h")
				l.SetSize(w, h)
			}
			view := l.View(screen.Frame{Now: now})
			viewtest.RequireSize(rt, view, w, h)
			if c := l.Cursor(); c != nil && w >= 40 && (c.X < 0 || c.X >= w || c.Y < 0) {
				rt.Fatalf("the cursor is at %d,%d of %dx%d", c.X, c.Y, w, h)
			}
			viewtest.RequireMarkedCuts(rt, view, "…", texts...)
		}
	})
}

func colors() *theme.Theme {
	return theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
}

func press(k string) tea.KeyPressMsg {
	switch k {
	case "enter":
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case "down":
		return tea.KeyPressMsg{Code: tea.KeyDown}
	case "backspace":
		return tea.KeyPressMsg{Code: tea.KeyBackspace}
	case "ctrl+u":
		return tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}
	}
	r := []rune(k)[0]
	return tea.KeyPressMsg{Code: r, Text: k}
}

func requireScreen(t *testing.T, view string, w, h int) {
	t.Helper()
	viewtest.RequireSize(t, view, w, h)
	golden.RequireEqual(t, ansi.Strip(view)+"\n")
}
