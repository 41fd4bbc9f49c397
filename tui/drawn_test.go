package tui_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui"
	"roundtable/tui/home"
	"roundtable/tui/setup"
)

type usualScreen struct {
	w, h  int
	clock string // of the Thursday on which it is drawn
	deps  func() tui.Deps
	scene func(r *harness, script *scripted)
}

// sleepUntil sleeps until a moment before the clock time, on a day in the middle
// of a year.
func sleepUntil(t *testing.T, clock string) {
	t.Helper()
	then, err := time.ParseInLocation(time.DateTime, "2000-11-16 "+clock, time.Local)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(then))
}

func sessionOf(s func() debate.Session) func() tui.Deps {
	return func() tui.Deps {
		d := storing(s()).deps()
		d.Start.Session = billing
		return d
	}
}

func secondRound(brook string, short bool) func(r *harness, script *scripted) {
	return func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		run.secondRound(r.wait, brookSays(brook, short), short)
		r.wait(time.Second)
		finish(r, run)
		if short { // what is said in this round is looked at
			r.press("2", "g", "j", "j", "j", "1", "g", "j", "j", "j")
		}
	}
}

func keys(names ...string) func(r *harness, script *scripted) {
	return func(r *harness, _ *scripted) {
		r.wait(2 * time.Second)
		r.press(names...)
	}
}

func typing(text string) func(r *harness, script *scripted) {
	return func(r *harness, _ *scripted) { r.typeText(text) }
}

func all(steps ...func(r *harness, script *scripted)) func(r *harness, script *scripted) {
	return func(r *harness, script *scripted) {
		for _, s := range steps {
			s(r, script)
		}
	}
}

func withDraft(r *harness, _ *scripted) {
	r.wait(2 * time.Second)
	r.press("tab", "tab")
	r.typeText("docs/continuity.md")
	r.press("shift+tab")
	r.typeText(rpoDraft)
	r.wait(2 * time.Second)
}

// asking plays the second round about billing, after which the debate waits.
func asking(r *harness, script *scripted) {
	r.press("space")
	run, s, before := script.current(), waiting(), opened1()
	before.History = append(before.History, debate.Round{Number: 2, Began: time.Now(), Manifest: started(s, 2)})
	run.events <- debate.RoundStarted{Session: before, Round: 2, At: time.Now()}
	for i, x := range s.History[1].Responses {
		run.events <- debate.TurnStarted{Turn: x.Turn, Profile: s.Seats[i], At: time.Now()}
		run.events <- debate.TurnEnded{Response: x, At: time.Now()}
	}
	run.end(s, nil)
}

func weekOfSessions() []debate.SessionSummary {
	list := []debate.SessionSummary{
		{
			Topic: "Should billing move to SQLite?", Mode: "expert-panel", Status: debate.NeedsContext, Round: 2, Rounds: 4, Required: 1, Asking: `C3 Ada "` + rpoQuery + `"`, Cost: num(.03),
			Updated: at(2 * time.Minute),
		},
		{
			Topic:   "Ship passkeys without a password fallback?",
			Mode:    "red-team-blue-team",
			Status:  debate.Interrupted,
			Round:   2,
			Rounds:  3,
			Cost:    num(.22),
			Updated: at(41 * time.Minute),
		},
		{
			Topic: "One queue or two for webhooks?", Mode: "socratic", Status: debate.Complete, Verdict: true, Round: 3, Rounds: 3, Cost: num(.11),
			Updated: at(3 * time.Hour),
		},
		{
			Topic: "Drop Node 18 in the SDK?", Mode: "delphi", Status: debate.Complete, Verdict: true, NoReport: true, Round: 3, Rounds: 3, Seats: panel(6),
			Cost: num(.19), Updated: at(48 * time.Hour),
		},
		{
			Topic: "Rewrite the importer in Go?", Mode: "adversarial",
			Status: debate.Stopped, Verdict: true, Stopped: debate.StoppedByBudget, Round: 2, Rounds: 4,
			Cost: num(.5), Updated: at(72 * time.Hour),
		},
		{Topic: "請求システムをSQLiteへ移すか", Mode: "council", Status: debate.Ready, Round: 1, Rounds: 2, Updated: at(73 * time.Hour)},
		{
			Topic: "Which log retention do we owe?", Mode: "collaborative", Status: debate.Complete, Verdict: true, Round: 2, Rounds: 2, Cost: num(.02),
			Updated: at(13 * 24 * time.Hour),
		},
	}
	for i := range list {
		s := &list[i]
		s.ID, s.Tokens = string(rune('a'+i))+"234567890", 1
		if s.Seats == nil {
			s.Seats = panel(3)
		}
	}
	list[0].ID = billing
	return list
}

func weekly() tui.Deps {
	script := storing()
	script.list = weekOfSessions()
	return script.deps()
}

// findsThree finds words in three debates.
type findsThree struct{ *scripted }

func (findsThree) Search(context.Context, home.Query) ([]home.Hit, error) {
	time.Sleep(4 * time.Millisecond)
	hit := func(id string, matches ...home.Match) home.Hit { return home.Hit{Session: id, Matches: matches} }
	return []home.Hit{
		hit(
			billing,
			home.Match{Where: "R2 Brook", Before: "Move, but keep the ledger ", Text: "append-only", After: "."},
			home.Match{
				Where:  "R2 Ada",
				Before: "Brook is right that the ledger must stay ",
				Text:   "append-only",
				After:  ". That rule does not need Postgres.",
			},
		),
		hit(
			"c234567890",
			home.Match{Where: "R1 Dee", Before: "An ", Text: "append-only", After: " outbox makes the second queue unnecessary."},
			home.Match{Where: "verdict", Before: "One queue, with an ", Text: "append-only", After: " outbox table."},
		),
		hit(
			"g234567890",
			home.Match{Where: "C1 answer", Before: "Audit logs are ", Text: "append-only", After: " and kept for seven years."},
		),
	}, nil
}

func offered() setup.Options {
	o := offer()
	o.Chair = &o.Seats[1].Profile
	o.Budget = debate.Budget{USD: 0.5}
	o.Modes = []debate.Mode{
		{
			Name:     "expert-panel",
			Summary:  "each seat in one perspective, in depth",
			Use:      "a design choice that several specialties see differently",
			MinSeats: 2,
			MaxSeats: 8,
			Rounds:   2,
			Order:    debate.Parallel,
		},
		{Name: "socratic", Use: "you can already name the options", MinSeats: 2, MaxSeats: 8, Rounds: 3, Order: debate.Parallel},
		{Name: "devils-advocate", Use: "everybody is about to agree", MinSeats: 2, MaxSeats: 8, Rounds: 3, Order: debate.Parallel},
	}
	return o
}

func working() debate.Session {
	s := opened1()
	var n int
	use := func(id agents.ID, round, second int, name, args, status string, took int) {
		n++
		c := called(turn(id, round), n, name, args, "", took)
		c.Began = at(0).Truncate(time.Hour).Add(30*time.Minute + time.Duration(second)*time.Second)
		switch status {
		case "":
			c.State = debate.ToolRunning
		case "denied":
			c.Result = agents.ToolResult{
				Status: agents.ToolDenied,
				Text: "The path leaves the workspace: ../infra/grafana.json\nOnly files below ~/src/billing can be read.\n\nThe agent was told the same and went on. Nothing was read.\n\n" +
					"To let agents read it, copy it below the workspace, or paste the part that\nmatters into an answer.",
			}
		}
		for len(s.History) < round {
			s.History = append(s.History, debate.Round{
				Number: len(s.History) + 1, Began: at(time.Minute),
				Responses: []debate.Response{{Turn: turn("ada", 2)}, {Turn: turn("brook", 2)}, {Turn: turn("cy", 2)}},
			})
		}
		for i := range s.History[round-1].Responses {
			if x := &s.History[round-1].Responses[i]; x.Turn.Agent == id {
				x.State = debate.TurnInterrupted
				x.Passages = append(x.Passages, debate.Passage{Tools: []debate.ToolRecord{c}})
			}
		}
	}
	s.Requests = []ledger.Request{
		asked("C1", peakQuery, "", ledger.Required, time.Minute, turn("cy", 2), 7),
		asked("C2", "Does another process read it?", "", ledger.Optional, time.Minute, turn("brook", 2), 8),
	}
	use("cy", 1, 2, "find_files", `{"glob": "*.sql"}`, "ok", 6)
	use("ada", 1, 3, "read_file", `{"path": "README.md"}`, "ok", 3)
	use("ada", 2, 68, "read_file", `{"path": "go.mod"}`, "ok", 4)
	use("brook", 2, 70, "search", `{"pattern": "INSERT"}`, "ok", 11)
	use("ada", 2, 71, "search", `{"pattern": "BEGIN", "glob": "**/*.go"}`, "ok", 11)
	use("cy", 2, 75, "read_file", `{"path": "../infra/grafana.json"}`, "denied", 0)
	use("cy", 2, 100, "request_context", `{"query": "`+peakQuery+`", "priority": "required"}`, "ok", 1)
	use("brook", 2, 112, "request_context", `{"query": "Does another process read it?"}`, "ok", 1)
	use("ada", 2, 124, "search", `{"pattern": "PRAGMA", "glob": "**/*.go"}`, "", 0)
	return s
}

// usualScreens are all screens in their usual states, each at the size at which it
// is read best.
func usualScreens() map[string]usualScreen {
	screens := map[string]usualScreen{
		"debate-3":     {120, 36, "14:31:30", sessionOf(opened1), secondRound(brookBody+brookEnd, false)},
		"debate-small": {80, 24, "14:31:27", sessionOf(nothingSaid), secondRound(brookBody+brookEnd, true)},
		"debate-6": {120, 36, "14:51:45", sessionOf(passkeys), func(r *harness, script *scripted) {
			r.press("space")
			script.current().attack(r.wait)
			r.wait(time.Second)
			finish(r, script.current())
		}},
		"form":       {120, 36, "14:34:58", sessionOf(opened1), all(asking, withDraft)},
		"form-small": {80, 24, "14:34:58", sessionOf(opened1), all(asking, withDraft)},
		"form-waits": {80, 24, "14:34:58", sessionOf(opened1), asking},
		"verdict": {120, 36, "14:50:00", func() tui.Deps {
			d := sessionOf(settled)()
			d.Receipts = sent{settled()}
			return d
		}, nil},
		"help": {80, 24, "14:31:27", sessionOf(opened1), keys("?")},
		"palette": {
			80, 24, "14:31:27", sessionOf(nothingSaid),
			all(secondRound(brookBody+brookEnd, true), func(r *harness, _ *scripted) { r.press(":", "r", "o") }),
		},
		"zoom": {
			80, 24, "14:31:27", sessionOf(opened1),
			all(secondRound(brookBody+brookTable+brookEnd, false), func(r *harness, _ *scripted) { r.press("2", "z", "[") }),
		},
		"panes":       {80, 24, "14:50:00", sessionOf(settled), keys("esc")},
		"resumed":     {80, 24, "16:36:00", sessionOf(cutShort), nil},
		"home":        {80, 24, "14:36:00", weekly, nil},
		"first-start": {80, 24, "14:36:00", first, nil},
		"search": {80, 24, "14:36:00", func() tui.Deps {
			script := storing(waiting())
			script.list = weekOfSessions()
			d := script.deps()
			d.Sessions, d.Start.Session = findsThree{script}, billing
			return d
		}, func(r *harness, _ *scripted) {
			r.wait(2 * time.Second)
			r.press("esc", "s", "/")
			r.typeText("append-only")
			r.wait(time.Second)
		}},
		"new-debate": {80, 24, "14:36:00", func() tui.Deps {
			script := storing()
			script.offer = offered()
			d := script.deps()
			d.Start = tui.Start{New: true, Topic: "Should billing move to SQLite?", Rounds: 4}
			return d
		}, keys("tab", "tab", "tab")},
		"tool-log": {80, 24, "14:32:03", sessionOf(working), keys("t", "k", "k", "k")},
		"receipt": {80, 24, "14:31:27", func() tui.Deps {
			s := sessionWithPromptedStatements()
			s.History[0].Responses = opened1().History[0].Responses
			d := storing(s).deps()
			d.Receipts, d.Start.Session = sent{s}, s.ID
			return d
		}, func(r *harness, _ *scripted) { r.press("2", "p", "["); r.wait(time.Second) }},
		"unavailable": {80, 24, "14:36:00", sessionOf(waiting), all(keys("ctrl+x"), func(r *harness, _ *scripted) {
			r.typeText("Finance has not decided; the plan is due in January.")
		})},
		"find":      {80, 24, "14:36:00", sessionOf(interrupted), all(keys("1", "/"), typing("invoices"), keys("enter"))},
		"verdict-8": {120, 36, "14:36:00", sessionOf(func() debate.Session { return concludedBy(8) }), nil},
	}
	deps, scene := debating(8)
	screens["debate-8"] = usualScreen{120, 36, "14:36:00", deps, scene}
	return screens
}

func TestScreen(t *testing.T) {
	t.Parallel()
	for name, d := range usualScreens() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sleepUntil(t, d.clock)
				deps := d.deps()
				script, _ := deps.Player.(*scripted)
				r := start(t, d.w, d.h, deps)
				defer r.stop()
				if d.scene != nil {
					d.scene(r, script)
				}
				r.golden(d.w, d.h)
			})
		})
	}
}

// first is what is found where there is no model.
func first() tui.Deps {
	s := storing()
	s.offer = setup.Options{FirstStart: true, Demo: session(3, 2), Found: []setup.Finding{
		{What: "OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY and 6 more", Result: "not set"},
		{What: "Ollama at localhost:11434", Result: "no answer"},
		{What: "a config file", Result: "none (optional)"},
	}}
	return s.deps()
}
