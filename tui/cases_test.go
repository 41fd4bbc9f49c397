package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/colorprofile"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
	"roundtable/tui"
	"roundtable/tui/home"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

// screenCase is a screen in one state.
type screenCase struct {
	name  string
	deps  func() tui.Deps
	scene func(r *harness, script *scripted) // brings the screen into the state; nil: it is in it
}

// dark is the theme of most screens.
var dark = theme.Options{Dark: true, Profile: colorprofile.TrueColor}

// drawScreen runs the program, brings it into the state of a case, and passes the
// harness to take.
func drawScreen(t *testing.T, m screenCase, look theme.Options, take func(r *harness)) {
	synctest.Test(t, func(t *testing.T) {
		noon := time.Date(2000, 11, 16, 14, 36, 0, 0, time.Local) // a Thursday
		time.Sleep(time.Until(noon))
		deps := m.deps()
		deps.Theme = look
		script, _ := deps.Player.(*scripted)
		r := start(t, 140, 40, deps)
		defer r.stop()
		if m.scene != nil {
			m.scene(r, script)
		}
		take(r)
	})
}

func sessionOf(s func() debate.Session) func() tui.Deps {
	return func() tui.Deps {
		d := storing(s()).deps()
		d.Start.Session = billing
		return d
	}
}

func press(names ...string) func(r *harness, script *scripted) {
	return func(r *harness, _ *scripted) { r.press(names...) }
}

// keys presses keys once the form listens.
func keys(names ...string) func(r *harness, script *scripted) {
	return func(r *harness, _ *scripted) {
		r.wait(2 * time.Second)
		r.press(names...)
	}
}

// all does one thing after the other; nil is nothing.
func all(steps ...func(r *harness, script *scripted)) func(r *harness, script *scripted) {
	return func(r *harness, script *scripted) {
		for _, s := range steps {
			if s != nil {
				s(r, script)
			}
		}
	}
}

// speaks plays the second round of a debate of so many seats up to its middle.
func speaks(seats int) func(r *harness, script *scripted) {
	return func(r *harness, script *scripted) {
		r.press("space")
		script.current().speaking(held(seats, 1, 4))
		r.wait(2 * time.Second)
	}
}

// mainScreens are the screens that are looked at most, of a debate with so many seats.
func mainScreens(seats int) []screenCase {
	return []screenCase{
		{"debate", sessionOf(func() debate.Session { return held(seats, 1, 4) }), speaks(seats)},
		{"form", sessionOf(func() debate.Session { return everyoneAsks(seats) }), keys()},
		{"verdict", sessionOf(func() debate.Session { return concludedBy(seats) }), keys()},
		{"new debate", func() tui.Deps { return offering(seats) }, keys("tab", "tab", "tab")},
	}
}

// debateScreens are the others of a debate with so many seats.
func debateScreens(seats int) []screenCase {
	cut := sessionOf(func() debate.Session { return lastCutOff(seats) })
	return []screenCase{
		{"unavailable", sessionOf(func() debate.Session { return everyoneAsks(seats) }), keys("ctrl+x", "Nobody knows.")},
		{"resumed", cut, keys()},
		{"zoom", cut, keys("2", "z")},
		{"find", cut, keys("1", "/", "invoices", "enter")},
		{"tool log", cut, keys("t", "k")},
		{"receipt", func() tui.Deps { return withReceipts(seats) }, all(keys("2", "p"), func(r *harness, _ *scripted) { r.wait(time.Second) })},
		{"keys", cut, keys("?")},
		{"palette", cut, keys(":", "r", "o")},
	}
}

// concludedBy is a debate of so many seats with its verdict.
func concludedBy(seats int) debate.Session {
	s := concluded()
	more := held(seats, 4, 4)
	s.Seats, s.History = more.Seats, more.History
	return s
}

// everyoneAsks is a debate of so many seats that waits after its second round:
// each seat has asked something.
func everyoneAsks(seats int) debate.Session {
	s := held(seats, 2, 4)
	for i, p := range s.Seats {
		priority := []ledger.Priority{ledger.Required, ledger.Optional}[i%2]
		query := fmt.Sprintf("What does %s need to know about the peak of the billing service?", p.Name)
		r := request(fmt.Sprintf("C%d", i+1), p.ID, 2, priority, query, "It decides between the two sides.")
		r.Asks[0].Call = turn(p.ID, 2).ToolCall(1)
		s.Requests = append(s.Requests, r)
	}
	return s
}

// lastCutOff is a debate of so many seats of which the last was cut off in round
// 2; each has used a tool.
func lastCutOff(seats int) debate.Session {
	s := held(seats, 2, 4)
	r := &s.History[1]
	r.Ended = time.Time{}
	for i := range r.Responses {
		x := &r.Responses[i]
		x.Passages = append([]debate.Passage{{Tools: []debate.ToolRecord{searched(x.Turn, 1)}}}, x.Passages...)
	}
	last := &r.Responses[seats-1]
	last.State, last.Statement = debate.TurnInterrupted, debate.Statement{}
	last.Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "The program ended meanwhile."}
	return s
}

// searched is the n-th tool call of a turn, which has ended.
func searched(t agents.Turn, n int) debate.ToolRecord {
	return debate.ToolRecord{
		ID: t.ToolCall(n), Name: "search", Args: `{"pattern": "BEGIN", "glob": "**/*.go"}`, State: debate.ToolDone, Began: at(time.Minute),
		Took:   4 * time.Millisecond,
		Result: agents.ToolResult{Status: agents.ToolOK, Text: "8 matches in 3 files", Summary: "8 matches in 3 files"},
	}
}

// withReceipts is a debate of so many seats with receipts.
func withReceipts(seats int) tui.Deps {
	s := sessionWithPromptedStatements(seats)
	d := storing(s).deps()
	d.Receipts, d.Start.Session = sent{s}, s.ID
	return d
}

// offering offers so many seats to a new debate.
func offering(seats int) tui.Deps {
	script := storing(gate())
	script.offer = offered()
	script.offer.Seats = nil
	for _, p := range panel(seats) {
		script.offer.Seats = append(script.offer.Seats, setup.SeatOption{
			Profile: p, Chosen: true, Local: p.Provider == "ollama",
			Company: strings.ToUpper(p.Provider[:1]) + p.Provider[1:],
		})
	}
	d := script.deps()
	d.Start = tui.Start{New: true, Topic: "Should billing move to SQLite?", Rounds: 4}
	return d
}

// offered is the usual offer, with a chair, a budget and a third mode.
func offered() setup.Options {
	o := offer()
	o.Chair, o.Budget = &o.Seats[1].Profile, debate.Budget{USD: 0.5}
	o.Modes = append(o.Modes, debate.Mode{
		Name: "devils-advocate", Use: "everybody is about to agree", MinSeats: 2, MaxSeats: 8, Rounds: 3, Order: debate.Parallel,
	})
	return o
}

// first is what is found where there is no model.
func first() tui.Deps {
	s := storing()
	s.offer = setup.Options{FirstStart: true, Demo: session(3, 2), Found: []setup.Finding{
		{What: "OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY and 6 more", Result: "not set"},
		{What: "Ollama at localhost:11434", Result: "no answer"},
		{What: "a config file", Result: "none (optional)"},
	}}
	d := s.deps()
	d.WriteConfig = func(context.Context) (string, error) { return "", nil }
	return d
}

// newDebateScreens are the form of a new debate in its states.
func newDebateScreens() []screenCase {
	offers := func(change func(d *tui.Deps, o *setup.Options)) func() tui.Deps {
		return func() tui.Deps {
			d := offering(3)
			change(&d, &d.Player.(*scripted).offer)
			return d
		}
	}
	plain := offers(func(*tui.Deps, *setup.Options) {})
	return []screenCase{
		{"first start", first, nil},
		{"no text", offers(func(d *tui.Deps, _ *setup.Options) { d.Start.Topic = "" }), nil},
		{"all modes", plain, keys("tab", "tab", "tab", "enter")},
		{"a faulty mode", offers(func(_ *tui.Deps, o *setup.Options) {
			o.Modes[0].Question, o.Modes[0].Perspectives, o.Light = debate.QuestionChoice, []string{"cost", "risk"}, &o.Seats[0].Profile
			o.Faults = []string{`modes/mine.toml:14: unknown field "visibilty"; did you mean visibility? The mode is left out.`}
		}), keys("tab", "tab", "tab")},
		{"too few seats", func() tui.Deps { return offering(2) }, keys("tab", "tab", "down", "space", "ctrl+s")},
		{"a price to confirm", plain, keys("enter")},
		{"a panel to save", offers(func(d *tui.Deps, o *setup.Options) {
			d.SavePanel = func(context.Context, setup.NewPanel) (string, error) { return "", nil }
			o.Panels = []setup.PanelOption{{Name: "four", Configured: true}}
		}), keys("tab", "tab", "w", "q")},
		{"a long topic", plain, all(keys(), func(r *harness, _ *scripted) {
			r.paste(" " + strings.Repeat("It holds every invoice of nine years. ", 8))
		})},
		{"no model", offers(func(_ *tui.Deps, o *setup.Options) {
			for i := range o.Seats {
				o.Seats[i].Problem = "no answer at localhost:11434"
			}
		}), keys("tab", "tab")},
	}
}

// weekOfSessions are debates of a week, in all states.
func weekOfSessions() []debate.SessionSummary {
	list := []debate.SessionSummary{
		{
			Topic: "Should billing move to SQLite?", Mode: "expert-panel", Status: debate.NeedsContext, Round: 2, Rounds: 4, Required: 1,
			Asking: `C3 Ada "Which recovery point and recovery time (RPO, RTO) does finance demand?"`, Cost: num(.03), Updated: at(2 * time.Minute),
		},
		{
			Topic: "Ship passkeys without a password fallback?", Mode: "red-team-blue-team", Status: debate.Interrupted, Round: 2, Rounds: 3,
			Cost: num(.22), Updated: at(41 * time.Minute),
		},
		{
			Topic: "One queue or two for webhooks?", Mode: "socratic", Status: debate.Complete, Verdict: true, Round: 3, Rounds: 3, Cost: num(.11),
			Updated: at(3 * time.Hour),
		},
		{
			Topic: "Drop Node 18 in the SDK?", Mode: "delphi", Status: debate.Complete, Verdict: true, NoReport: true, Round: 3, Rounds: 3,
			Seats: panel(6), Cost: num(.19), Updated: at(48 * time.Hour),
		},
		{
			Topic: "Rewrite the importer in Go?", Mode: "adversarial", Status: debate.Stopped, Verdict: true, Stopped: debate.StoppedByBudget,
			Round: 2, Rounds: 4, Cost: num(.5), Updated: at(72 * time.Hour),
		},
		{Topic: "請求システムをSQLiteへ移すか", Mode: "council", Status: debate.Ready, Round: 1, Rounds: 2, Updated: at(73 * time.Hour)},
		{
			Topic: "Which log retention do we owe?", Mode: "collaborative", Status: debate.Complete, Verdict: true, Round: 2, Rounds: 2,
			Cost: num(.02), Updated: at(13 * 24 * time.Hour),
		},
	}
	for i := range list {
		s := &list[i]
		s.ID, s.Tokens = string(rune('a'+i))+"234567890", 1
		if s.Seats == nil {
			s.Seats = panel(3)
		}
	}
	return list
}

func weekly() tui.Deps {
	script := storing()
	script.list = weekOfSessions()
	return script.deps()
}

// longTitles has sessions with long and wide titles, and with requests of both
// kinds.
func longTitles() tui.Deps {
	script := storing()
	script.list = weekOfSessions()
	script.list[0].Topic = "Should billing move to SQLite, and if so, before or after the invoices of the year's end are written, with or without the report job?"
	script.list[0].Required, script.list[0].Optional = 12, 3
	script.list[1].Title = "Übergang: Паскали, 請求システム und e\u0301 " + strings.Repeat("weiter ", 20)
	script.list[5].Topic = strings.Repeat("請求システムをSQLiteへ移すか", 8)
	script.list[2].Running = true
	return script.deps()
}

// homeScreens are the list of sessions in its states.
func homeScreens() []screenCase {
	searching := func(words string) func(r *harness, _ *scripted) {
		return all(press("/", words), func(r *harness, _ *scripted) { r.wait(time.Second) })
	}
	return []screenCase{
		{"list", weekly, nil},
		{"list, found", weekly, all(func(_ *harness, script *scripted) {
			script.hits = []home.Hit{
				{Session: "a234567890", Matches: []home.Match{
					{Where: "R2 Brook", Before: "Move, but keep the ledger ", Text: "append-only", After: "."},
					{
						Where: "R2 Ada", Before: "Brook is right that the ledger must stay ", Text: "append-only",
						After: ". That rule does not need Postgres.",
					},
				}},
				{Session: "c234567890", Matches: []home.Match{
					{Where: "verdict", Before: "One queue, with an ", Text: "append-only", After: " outbox table."},
				}},
			}
		}, searching("append-only"))},
		{"list, empty", func() tui.Deps { return storing().deps() }, keys("esc")},
		{"list, long titles", longTitles, nil},
		{"list, no match", weekly, searching("append-olny status:needs")},
		{"list, renaming", weekly, keys("r")},
		{"list, its keys", weekly, press("?")},
		{"list, beside an open debate", sessionOf(func() debate.Session { return lastCutOff(3) }), keys("s")},
	}
}

// evidenceScreens are the screens of evidence.
func evidenceScreens() []screenCase {
	return []screenCase{
		{"evidence", sessionOf(cited), keys("t")},
		{"evidence, text", sessionOf(cited), keys("t", "enter")},
		{"evidence, searched", sessionOf(cited), press("t", "enter", "/", "(17", "enter")},
	}
}

// forkedFrom is a fork of a concluded debate, with another answer and another verdict.
func forkedFrom(origin debate.Session) debate.Session {
	s := origin
	s.ForkedFrom, s.ForkRound, s.Parent = "b222222222", 1, &debate.Parent{Name: origin.Name(), Result: "yes"}
	s.Requests = []ledger.Request{origin.Requests[0].Clone()}
	s.Requests[0].Answers[0].Content = "Two days."
	return s
}

// choices offers other models, modes and panels to a fork.
func choices(s debate.Session) func() tui.Deps {
	return func() tui.Deps {
		script := storing(s)
		script.offer = offered()
		for i := range script.offer.Seats {
			script.offer.Seats[i].Problem = ""
		}
		deps := script.deps()
		deps.Start.Session = s.ID
		deps.Panels = []debate.Panel{{Name: "pair", Seats: panel(2)}, {Name: "four", Seats: panel(4)}}
		return deps
	}
}

// forkScreens are the screens on which a debate is forked.
func forkScreens() []screenCase {
	eight := concludedBy(8)
	eight.Requests = answered().Requests
	return []screenCase{
		{"fork", choices(answered()), keys("F")},
		{"fork, from the start", choices(answered()), keys("F", "start", "enter")},
		{"fork, another answer", choices(answered()), keys("F", "enter", "ctrl+u", "Two days, and a reference customer.")},
		{"fork, another model", choices(answered()), keys("F", "down", "down", "down", "enter")},
		{"fork, made", choices(answered()), keys("F", "enter", "ctrl+u", "Two days.", "enter")},
		{"fork, its verdict", sessionOf(func() debate.Session { return forkedFrom(answered()) }), nil},
		{"fork, with eight seats", choices(eight), keys("F", "pgdown", "pgdown", "pgdown", "pgdown")},
	}
}

// manyFound returns a review of which 40 findings have long titles, some in wide characters.
func manyFound() debate.Session {
	s := nothingFound()
	var all []debate.Finding
	for i := range 40 {
		one := debate.Finding{
			Severity: []debate.Severity{debate.SeverityHigh, debate.SeverityMedium, debate.SeverityLow}[i/14],
			Title:    fmt.Sprintf("Finding %d: %s", i+1, strings.Repeat("the loop reads behind its slice ", i%5)),
			Where:    fmt.Sprintf("internal/provider/anthropic/streaming.go:%d", 100+20*i), Why: "Its index is not checked.",
		}
		if i%3 == 0 {
			one.Title = "範囲外の添字で読み込むので落ちる " + one.Title
			one.Where = fmt.Sprintf("資料/請求システム/データベース接続.go:%d", 100+20*i)
		}
		all = append(all, one)
	}
	for i := range s.History[0].Responses {
		s.History[0].Responses[i].Statement.Findings = []debate.Finding{}
	}
	s.History[0].Responses[1].Statement.Findings = all
	return s
}

// nothingFound returns a review in which two lists could not be read and two are empty.
func nothingFound() debate.Session {
	s := debatetest.Reviewed()
	for i := range s.History[0].Responses {
		s.History[0].Responses[i].Statement.Findings = [][]debate.Finding{{}, nil, {}, nil}[i]
		s.History[1].Responses[i].Statement.Judgements = []debate.Judgement{}
	}
	return s
}

// reviewScreens are the verdict of a review, which is a list of findings, in its states.
func reviewScreens() []screenCase {
	of := func(s func() debate.Session) func() tui.Deps {
		return func() tui.Deps {
			d := storing(s()).deps()
			d.Start.Session = s().ID
			return d
		}
	}
	return []screenCase{
		{"review", of(debatetest.Reviewed), nil},
		{"review, a finding", of(debatetest.Reviewed), keys("j", "enter")},
		{"review, a refuted one", of(debatetest.Reviewed), keys("G", "enter", "j")},
		{"review, forty findings", of(manyFound), keys("ctrl+d", "j", "j")},
		{"review, none", of(nothingFound), nil},
		{"review, its summary", of(debatetest.Reviewed), keys("shift+tab")},
	}
}
