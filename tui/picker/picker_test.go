package picker_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/picker"
	"roundtable/tui/theme"
)


// now is a Thursday.
var now = time.Date(2026, 11, 12, 14, 36, 0, 0, time.UTC)

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

// screen checks that a view has exactly the size and compares it to its golden.
func screen(t *testing.T, view string, w, h int) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) != h {
		t.Errorf("%d rows, want %d", len(lines), h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != w {
			t.Errorf("row %d has %d cells, want %d: %q", i, n, w, ansi.Strip(l))
		}
	}
	golden.RequireEqual(t, ansi.Strip(view)+"\n")
}

func usd(f float64) *float64 { return &f }

func seats(names ...string) []agents.Profile {
	var out []agents.Profile
	for _, n := range names {
		out = append(out, agents.Profile{ID: agents.ID(strings.ToLower(n)), Name: n})
	}
	return out
}

// sessions are the ones of a usual week.
func sessions() []debate.SessionSummary {
	panel := seats("Ada", "Brook", "Cy")
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	return []debate.SessionSummary{
		{
			ID: "k7m2x9qd4t", Topic: "Should billing move to SQLite?", Mode: "expert-panel", Status: debate.NeedsContext, Round: 2, Rounds: 4,
			Required: 1, Asking: `C3 Ada "Which recovery point and recovery time (RPO, RTO) does finance demand?"`, Seats: panel, Cost: usd(0.03), Tokens: 1, Updated: ago(2 * time.Minute),
		},
		{ID: "b2", Topic: "Ship passkeys without a password fallback?", Mode: "red-team-blue-team", Status: debate.Interrupted, Round: 2, Rounds: 3, Seats: panel, Cost: usd(0.22), Tokens: 1, Updated: ago(41 * time.Minute)},
		{ID: "c3", Topic: "One queue or two for webhooks?", Mode: "tradeoff", Status: debate.Complete, Outcome: debate.OutcomeFull, Round: 3, Rounds: 3, Seats: panel, Cost: usd(0.11), Tokens: 1, Updated: ago(3 * time.Hour)},
		{ID: "d4", Topic: "Drop Node 18 in the SDK?", Mode: "delphi", Status: debate.Complete, Outcome: debate.OutcomeDegraded, Missing: 1, Round: 3, Rounds: 3, Seats: seats("A", "B", "C", "D", "E", "F"), Cost: usd(0.19), Tokens: 1, Updated: ago(48 * time.Hour)},
		{ID: "e5", Topic: "Rewrite the importer in Go?", Mode: "adversarial", Status: debate.Stopped, Outcome: debate.OutcomeStopped, Stopped: debate.StoppedByBudget, Round: 2, Rounds: 4, Seats: panel, Cost: usd(0.50), Tokens: 1, Updated: ago(72 * time.Hour)},
		{ID: "f6", Topic: "請求システムをSQLiteへ移すか", Mode: "council", Status: debate.Ready, Round: 1, Rounds: 2, Seats: panel, Tokens: 1, Updated: ago(73 * time.Hour)},
		{ID: "g7", Topic: "Which log retention do we owe?", Mode: "collaborative", Status: debate.Complete, Outcome: debate.OutcomeFull, Round: 2, Rounds: 2, Seats: panel, Cost: usd(0.02), Tokens: 1, Updated: ago(9 * 24 * time.Hour)},
	}
}

func home(w, h int) *picker.Home {
	m := picker.NewHome(colors())
	m.SetSize(w, h)
	m.Load(sessions())
	return m
}

func TestHome_view(t *testing.T) {
	for name, size := range map[string][2]int{"40x9": {40, 9}, "80x21": {80, 21}, "140x37": {140, 37}} {
		t.Run(name, func(t *testing.T) { screen(t, home(size[0], size[1]).View(now), size[0], size[1]) })
	}
}

func TestHome_emptyNamesTheNextKey(t *testing.T) {
	h := picker.NewHome(colors())
	h.SetSize(80, 21)
	h.Load(nil)
	if v := ansi.Strip(h.View(now)); !strings.Contains(v, "No debates yet. n starts one.") {
		t.Error(v)
	}
}

func typed(h *picker.Home, text string) {
	for _, r := range text {
		h.HandleKey(press(string(r)), now)
	}
}

func TestHome_searchShowsWhereTheWordsWereFound(t *testing.T) {
	h := home(80, 21)
	h.Search()
	typed(h, "append-only")
	h.Found("append-only", []picker.Hit{
		{Session: "k7m2x9qd4t", Matches: []picker.Match{
			{Where: "R2 Brook", Before: "Move, but keep the ledger ", Text: "append-only", After: "."},
			{Where: "R2 Ada", Before: "Brook is right that the ledger must stay ", Text: "append-only", After: ". That rule does not need Postgres"},
		}},
		{Session: "g7", Matches: []picker.Match{{Where: "C1 answer", Before: "Audit logs are ", Text: "append-only", After: " and kept for seven years."}}},
	}, 4*time.Millisecond, now)
	screen(t, h.View(now), 80, 21)
}

func TestHome_searchFiltersAtOnce(t *testing.T) {
	h := home(80, 21)
	h.Search()
	if act, _ := h.HandleKey(press("q"), now); act != picker.Searched {
		t.Errorf("a letter is text in the search: %v", act)
	}
	typed(h, "ueue")
	if s, _ := h.Selected(); s.ID != "c3" {
		t.Errorf("selected %q", s.ID)
	}
	if act, _ := h.HandleKey(press("enter"), now); act != picker.Opened {
		t.Errorf("enter opens: %v", act)
	}
	typed(h, "x")
	if v := ansi.Strip(h.View(now)); !strings.Contains(v, `Nothing matches "queuex". ctrl+u clears the search.`) {
		t.Error(v)
	}
	h.HandleKey(press("ctrl+u"), now)
	if h.Query() != "" {
		t.Errorf("ctrl+u left %q", h.Query())
	}
}

// A filter that fits nothing says what there is; one that fits something does not,
// whatever the words beside it find.
func TestHome_saysWhatAFilterMayBe(t *testing.T) {
	for query, want := range map[string]string{
		"status:foo": `No status begins with "foo"; there are: draft, ready, running, interrupted, needs_context, complete, stopped, full, degraded, no_synthesis, user, budget, consensus, convergence.`,
		"mode:foo":   `No mode begins with "foo"; there are: adversarial, collaborative, council, delphi, expert-panel`,
		"agent:foo":  `No agent begins with "foo"; there are: a, ada, b, `,
		"since:7x":   "since:7x is no age; there are m, h, d and w, such as since:7d.",
		"status:dra": "",
		"queuex":     "",
	} {
		h := home(80, 21)
		h.Search()
		typed(h, query)
		v := strings.Join(strings.Fields(ansi.Strip(h.View(now))), " ")
		if !strings.Contains(v, "Nothing matches") || !strings.Contains(v, want) || want == "" && strings.Contains(v, "there are:") {
			t.Errorf("%s, want %q:\n%s", query, want, v)
		}
	}
}

func TestHome_passesOverResultsOfAnOlderQuery(t *testing.T) {
	h := home(80, 21)
	h.Search()
	typed(h, "abc")
	h.Found("ab", []picker.Hit{{Session: "c3"}}, 0, now)
	if _, ok := h.Selected(); ok {
		t.Error("a session is shown for a query that is no longer there")
	}
}

func TestHome_escGoesBackStepByStep(t *testing.T) {
	h := home(80, 21)
	h.Search()
	typed(h, "queue")
	for i, want := range []bool{true, true, false} {
		if got := h.Back(now); got != want {
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

func TestHome_renames(t *testing.T) {
	h := home(80, 21)
	h.Rename()
	h.HandleKey(press("ctrl+u"), now)
	typed(h, "Billing")
	if act, _ := h.HandleKey(press("enter"), now); act != picker.Renamed {
		t.Fatal(act)
	}
	if id, name := h.Renaming(); id != "k7m2x9qd4t" || name != "Billing" {
		t.Errorf("%s is %q", id, name)
	}
}

// A list that is read again keeps the cursor on its session, wherever that is now.
func TestHome_cursorStaysWithItsSession(t *testing.T) {
	h := home(80, 21)
	h.Move(2)
	before, _ := h.Selected()
	list := sessions()
	h.Load(append(list[2:3:3], list[:2]...))
	if after, _ := h.Selected(); after.ID != before.ID {
		t.Errorf("the cursor went from %s to %s", before.ID, after.ID)
	}
	h.Move(-99)
	if _, ok := h.Selected(); ok {
		t.Error("the first row is the new debate")
	}
}

// A verdict is degraded for several reasons; only one of them is that somebody is
// missing.
func TestHome_saysWhoIsMissingOnlyWhereSomebodyIs(t *testing.T) {
	for missing, want := range map[int]string{0: "Degraded: no consensus is claimed. The verdict says why.", 1: "1 answer missing in the last round: no consensus is claimed.", 2: "2 answers missing in the last round"} {
		h := home(80, 21)
		list := sessions()[3:4]
		list[0].Missing = missing
		h.Load(list)
		h.Select(list[0].ID)
		if v := ansi.Strip(h.View(now)); !strings.Contains(v, want) {
			t.Errorf("%d missing:\n%s", missing, v)
		}
	}
}

func TestParseQuery(t *testing.T) {
	tests := map[string]picker.Query{
		"ledger mode:delphi":     {Text: "ledger", Mode: "delphi"},
		"since:7d a b agent:Ada": {Text: "a b", Since: 7 * 24 * time.Hour, Agent: "ada"},
		"status:needs":           {Status: "needs"},
		"http://x since:soon":    {Text: "http://x since:soon"},
		"since:99999999999999d":  {Text: "since:99999999999999d"},
	}
	for in, want := range tests {
		if got := picker.ParseQuery(in); got != want {
			t.Errorf("%q: %+v, want %+v", in, got, want)
		}
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		10 * time.Second: "now", 2 * time.Minute: "2 m", 3 * time.Hour: "3 h", 48 * time.Hour: "Tue", 9 * 24 * time.Hour: "3 Nov", 400 * 24 * time.Hour: "Oct 25",
	} {
		if got := picker.Age(now, now.Add(-d)); got != want {
			t.Errorf("%v ago: %q, want %q", d, got, want)
		}
	}
}

func TestMoney(t *testing.T) {
	for _, tt := range []struct {
		in   *float64
		want string
	}{{nil, "?"}, {usd(0), "free"}, {usd(0.0021), "$0.002"}, {usd(0.031), "$0.03"}, {usd(123.4), "$123"}} {
		if got := picker.Money(tt.in); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// Of a long panel the names are cut, never the id that other commands take.
func TestHome_keepsTheID(t *testing.T) {
	s := debate.SessionSummary{ID: "k7m2x9qd4t", Topic: "Why?", Updated: time.Now()}
	for i := range 8 {
		s.Seats = append(s.Seats, agents.Profile{Name: fmt.Sprint("Somebody", i)})
	}
	h := picker.NewHome(colors())
	h.SetSize(40, 20)
	h.Load([]debate.SessionSummary{s})
	if v := ansi.Strip(h.View(time.Now())); !strings.Contains(v, "… · k7m2x9qd4t") {
		t.Errorf("the id is missing:\n%s", v)
	}
}

// The cursor stands in the name that is typed, and a click finds it, wherever the
// list is scrolled to: a row of its own may say how many sessions are above.
func TestHome_findsItsRowsWhereverItIsScrolledTo(t *testing.T) {
	for _, width := range []int{40, 80} {
		for rows := range 12 {
			h := home(width, 9)
			h.Move(-99)
			h.Move(rows)
			h.View(now)
			s, ok := h.Selected()
			if !ok {
				continue
			}
			h.Rename()
			lines := strings.Split(ansi.Strip(h.View(now)), "\n")
			c := h.Cursor()
			if c == nil || !strings.HasPrefix(lines[c.Y], "▸") {
				t.Fatalf("%d cells, %s: the cursor is at %+v:\n%s", width, s.ID, c, strings.Join(lines, "\n"))
			}
			h.Back(now)
			if hit, again := h.Click(c.Y); !hit || !again {
				t.Errorf("%d cells, %s: a click on its row finds another:\n%s", width, s.ID, strings.Join(lines, "\n"))
			}
		}
	}
}
