package pane_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/theme"
)

const peak = "What is the peak write rate of the billing service?"

var (
	c1 = request("C1", peak, "WAL allows one writer. Below some 500 small commits a second it does not queue; above, it does.",
		ledger.Required, noon.Add(-2*time.Minute-8*time.Second), turn(cy, 2), 1, turn(ada, 2), 4)
	c2 = request("C2", "Does another process read the billing tables directly?", "A reader in another process changes the locking picture.",
		ledger.Optional, noon.Add(-time.Minute), turn(brook, 2), 3)
)

const adaText = `Move, behind a single writer. Brook is right that the ledger must stay append-only. That rule does not need` +
	` Postgres: a trigger that refuses UPDATE and DELETE gives the same guarantee.

- All 8 transactions start in ledger.go, so one goroutine can own the write connection.
- WAL lets readers go on while it commits.
- VACUUM INTO replaces the nightly pg_dump.

I hold that WAL is enough while the write rate stays below `

const brookText = `In round 1 I assumed two writers. The search shows one: every INSERT is in ledger.go. That removes my main objection.

Conditions
1. A trigger refuses UPDATE and DELETE on ledger_entries.
2. Migrations run in the writer, at start, after a file copy.
3. Reports read a copy, never the live file.

A second process with write access would change my mind.`

const cyText = `Ada and Brook both argue from the code. The code shows who writes, not how often. Month end is the case that
hurts: every subscription renews within one hour.

With the peak in hand I can say yes or no and mean it.`

// billing is a debate whose second round is running: Brook and Cy are done.
func billing() debate.Session {
	b, c := turn(brook, 2), turn(cy, 2)
	moved := stated("Move, but keep the ledger append-only.", 0.71, "yes", brookText)
	moved.ChangedBy = ptr("search")
	return session([]agents.Profile{ada, brook, cy}, 4, []ledger.Request{c1, c2},
		[]debate.Response{
			doneResponse(turn(ada, 1), stated("Move. One writer is enough for 1,900 invoices a day, and a backup becomes a file copy.",
				0.64,
				"yes", ""), 300, 0.001),
			doneResponse(turn(brook, 1), stated("Stay. Two services that write one file are a queue with extra steps.", 0.58,
				"no", ""),
				300, 0.001),
			doneResponse(turn(cy, 1), stated("Stay. Nothing we know rules out lock waits at month end.", 0.52, "no", ""), 300, 0),
		},
		[]debate.Response{
			withRole("red", doneResponse(b, moved, 903, 0.004,
				debate.Passage{Tools: []debate.ToolRecord{
					call(b, 1, "search", `{"pattern": "INSERT"}`, "8 matches, all in billing/ledger.go", 11),
					call(b, 2, "read_file", `{"path": "billing/ledger.go"}`, "212 lines", 3),
					asks(b, 3),
				}})),
			doneResponse(c, stated("Stay until the peak is known.", 0.5, "no", cyText), 310, 0,
				debate.Passage{Tools: []debate.ToolRecord{asks(c, 1)}}),
		})
}

func adaWrites(p *seatPane) {
	t := turn(ada, 2)
	p.Apply(debate.TurnStarted{Turn: t, Profile: ada, At: noon.Add(-time.Minute)})
	p.now = noon.Add(-40 * time.Second)
	p.Apply(debate.Text{Turn: t, Reasoning: true, Text: strings.Repeat("thinking ", 125)})
	p.now = noon.Add(-31 * time.Second)
	for _, c := range []debate.ToolRecord{
		call(t, 1, "read_file", `{"path": "go.mod"}`, "31 lines", 4),
		call(t, 2, "search", `{"pattern": "BEGIN", "glob": "**/*.go"}`, "8 matches in 3 files", 11),
		call(t, 3, "read_evidence", `{"id": "R1:Brook"}`, "R1:Brook", 2),
		asks(t, 4),
	} {
		running := c
		running.State, running.Result, running.Took = debate.ToolRunning, agents.ToolResult{}, 0
		apply(p, debate.ToolStarted{Turn: t, Tool: running, At: p.now}, debate.ToolEnded{Turn: t, Tool: c, At: p.now})
	}
	all := pieces(t, 1, adaText)
	for i, piece := range all {
		p.now = noon.Add(-time.Duration(len(all)-1-i) * 2 * time.Second / time.Duration(len(all)-1))
		p.Apply(piece)
	}
}

func TestView_drawsThreeSeats(t *testing.T) {
	a, b, c := newPane(1, ada, 46, 36), newPane(2, brook, 46, 36), newPane(3, cy, 46, 36)
	for _, p := range []*seatPane{a, b, c} {
		p.SetSession(billing())
	}
	a.SetFocused(true)
	adaWrites(a)
	requireGolden(t, a, b, c)
}

func requireGolden(t *testing.T, panes ...*seatPane) {
	t.Helper()
	var views []string
	for _, p := range panes {
		views = append(views, p.View(noon, 0))
	}
	golden.RequireEqual(t, beside(views...))
}

func withRole(name string, r debate.Response) debate.Response {
	r.Role = name
	return r
}

// In a small pane a request takes one row, and the border shows two figures.
func TestView_shortensSmallPanes(t *testing.T) {
	a, b := newPane(1, ada, 40, 20), newPane(2, brook, 39, 20)
	a.SetSession(billing())
	b.SetSession(billing())
	adaWrites(a)
	if got := rows(t, a, 40, 20)[19]; !strings.HasSuffix(got, "─ 303 tok · 44 tok/s ─╯") {
		t.Errorf("the border is %q", got)
	}
	b.Scroll(-9)
	if got := body(t, b, 39, 20); !strings.Contains(got, "○ Brook asks C2 optional") ||
		strings.Contains(got, "another process") {
		t.Errorf("the request takes more than a row:\n%s", got)
	}
	if got := rows(t, b, 39, 20)[19]; !strings.HasPrefix(got, "╰─ 9 below ──") || !strings.HasSuffix(got, "── $0.004 ─╯") {
		t.Errorf("the border is %q", got)
	}
}

func TestView_styles(t *testing.T) {
	golden.RequireEqual(t, viewtest.SameStyles(t, func(th *theme.Theme) string {
		p := paneOf(1, ada, th)
		p.SetSize(60, 36)
		p.SetFocused(true)
		p.SetSession(billing())
		adaWrites(p)
		find(p, "append-only")
		return p.View(noon, 0)
	}))
}
