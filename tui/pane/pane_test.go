package pane_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/statement"
	"roundtable/tui/pane"
	"roundtable/tui/theme"
)

func started(t agents.Turn) debate.Event { return debate.TurnStarted{Turn: t, At: noon} }

func ended(t agents.Turn, state debate.TurnState, passages ...debate.Passage) debate.Event {
	return debate.TurnEnded{Response: debate.Response{Turn: t, State: state, Passages: passages, Began: noon, Ended: noon}}
}

func TestState_followsTheEvents(t *testing.T) {
	one := turn(ada, 1)
	running := call(one, 1, "search", `{}`, "", 1)
	running.State = debate.ToolRunning
	c := request("C1", "Why?", "So.", ledger.Required, noon, one, 1)
	answered := c
	answered.Seq, answered.State = 2, ledger.Resolved
	answered.Answers = []ledger.Answer{{Revision: 1, Outcome: ledger.Answered}}
	text, ran := debate.Text{Turn: one, Text: "So"}, debate.ToolStarted{Turn: one, Tool: running}
	ranUntil := debate.ToolEnded{Turn: one, Tool: running, At: noon.Add(-40 * time.Second)}
	approval := debate.ApprovalAsked{Turn: one, CallID: running.ID}
	retries := func(r agents.Retry) debate.Event { return debate.TurnRetrying{Turn: one, At: noon, Retry: r} }
	late, years := noon.Add(40*time.Minute), noon.AddDate(73, 0, 0)
	begun := func(then ...debate.Event) []debate.Event { return append([]debate.Event{started(one)}, then...) }
	for _, tt := range []struct {
		name   string
		events []debate.Event
		want   string
	}{
		{"before the first round", nil, "· not started"},
		{"its turn has not come", []debate.Event{debate.RoundStarted{Round: 1}}, "· queued"},
		{"no word of the provider yet", begun(), "▖ waiting 0 s"},
		{"text", begun(text), "▖ writing"},
		{"the next completion is queued", begun(text, debate.TurnQueued{Turn: one}), "▖ waiting 0 s"},
		{"tool", begun(ran), "▖ tool"},
		{"a command that waits", begun(ran, approval), "◷ asks to run"},
		{"the command is allowed", begun(ran, approval, debate.ApprovalDecided{Turn: one, CallID: running.ID}), "▖ tool"},
		{"after the tool", begun(ran, ranUntil), "▖ waiting 40 s"},
		{"retry", begun(retries(agents.Retry{Try: 2, Of: 3, In: 3500 * time.Millisecond})), "↻ retry 2 of 3 in 4 s"},
		{"retry that is due", begun(retries(agents.Retry{Try: 2, Of: 3})), "↻ retry 2 of 3"},
		{"loading", begun(retries(agents.Retry{Try: 2, Of: 36, Loads: true})), "↻ the server loads the model"},
		{"long wait", begun(retries(agents.Retry{Try: 1, Of: 3, Until: late})), "‖ paused until 15:11"},
		{"wait past midnight", begun(retries(agents.Retry{Try: 1, Of: 3, Until: years})), "‖ paused until " + years.Format("2 Jan 2006 15:04")},
		{"the wait is over", begun(retries(agents.Retry{Try: 1, Of: 3, Until: late}), debate.TurnQueued{Turn: one}), "▖ waiting 0 s"},
		{"the retry answers", begun(retries(agents.Retry{Try: 1, Of: 3}), text), "▖ writing"},
		{"done", begun(ended(one, debate.TurnDone)), "✓ done"},
		{"done with a question", begun(debate.ContextRequested{Turn: one, Request: c}, ended(one, debate.TurnDone)), "✓ asked C1"},
		{
			"the question is answered",
			begun(debate.ContextRequested{Turn: one, Request: c}, ended(one, debate.TurnDone), debate.ContextChanged{Request: answered}),
			"✓ done",
		},
		{
			"an older copy comes late",
			begun(debate.ContextChanged{Request: answered}, debate.ContextRequested{Turn: one, Request: c}, ended(one, debate.TurnDone)),
			"✓ done",
		},
		{"failed", begun(ended(one, debate.TurnFailed)), "✗ failed"},
		{"cancelled", begun(ended(one, debate.TurnCancelled)), "– cancelled"},
		{"interrupted", begun(ended(one, debate.TurnInterrupted)), "~ interrupted"},
		{"the next round", begun(ended(one, debate.TurnDone), debate.RoundStarted{Round: 2}), "· queued"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPane(1, ada, 60, 10)
			apply(p, tt.events...)
			if got := pane.Part(p.State(), plain(), noon, 0).Text; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			rows(t, p, 60, 10)
		})
	}
}

func TestApply_ignoresOtherSeats(t *testing.T) {
	one := turn(ada, 1)
	p := newPane(1, ada, 60, 10)
	apply(p, started(one), debate.Text{Turn: one, Text: "Mine. "})
	want := body(t, p, 60, 10)
	later, chair := one, one
	later.Attempt, chair.Step = 2, debate.VerdictStep
	for _, stranger := range []agents.Turn{turn(brook, 1), later, chair, {Agent: "nobody"}} {
		apply(p,
			debate.Text{Turn: stranger, Text: "Foreign. "},
			debate.ToolStarted{Turn: stranger, Tool: debate.ToolRecord{ID: "x", Name: "search"}},
			debate.ToolEnded{Turn: stranger, Tool: debate.ToolRecord{ID: "x", Name: "search"}},
			debate.TurnQueued{Turn: stranger},
		)
		if stranger.Agent != ada.ID || stranger.Step == debate.VerdictStep {
			apply(p, started(stranger), ended(stranger, debate.TurnDone, debate.Passage{Text: "Foreign."}))
		}
	}
	if diff := cmp.Diff(want, body(t, p, 60, 10)); diff != "" {
		t.Error(diff)
	}
}

func TestApply_saysHowAnAnswerEnded(t *testing.T) {
	for finish, want := range map[agents.Finish]string{
		agents.FinishStop:   "",
		agents.FinishLength: "! Cut off at the token limit. A higher max_tokens allows\n  a longer answer.",
		"eos\x1b[2J":        `! The server ended the answer with "eos\x1b[2J".`,
	} {
		r := doneResponse(turn(ada, 1), debate.Statement{Body: "So it is."}, 9, 0.1)
		r.Finish = finish
		p := newPane(1, ada, 60, 12)
		apply(p, started(r.Turn), debate.TurnEnded{Response: r}, debate.RoundStarted{Round: 2})
		if _, got, _ := strings.Cut(body(t, p, 60, 12), "So it is."); strings.TrimSpace(got) != want {
			t.Errorf("%q: the pane says %q, want %q", finish, strings.TrimSpace(got), want)
		}
	}
}

// A retry after part of an answer is a new attempt, and the text of the first one
// stays, marked. If the round ends before the retry, the stored session applies.
func TestApply_keepsTheTextOfAnEarlierAttempt(t *testing.T) {
	one := turn(ada, 1)
	two := one
	two.Attempt = 2
	broke := debate.Response{
		Turn: one, State: debate.TurnFailed, Passages: []debate.Passage{{Text: "Half of a th"}},
		Failure: &debate.TurnFailure{Cause: "It broke off."},
	}
	p := newPane(1, ada, 60, 14)
	apply(p, started(one), debate.Text{Turn: one, Text: "Half of a th"}, debate.TurnEnded{Response: broke},
		debate.TurnRetrying{Turn: two, At: noon, Retry: agents.Retry{Cause: "The server was cut off.", Try: 1, Of: 1, In: 9 * time.Second}})
	want := strings.Join([]string{
		"── round 1 ─────────────────────────────────────────────",
		"Kept from attempt 1, not used:", "", "Half of a th", "",
		"↻ The server was cut off.", "  Retry 1 of 1 in 9 s · x: cancel",
	}, "\n")
	if diff := cmp.Diff(want, body(t, p, 60, 14)); diff != "" {
		t.Error(diff)
	}
	p.Apply(debate.RunEnded{Session: session([]agents.Profile{ada}, 2, nil, []debate.Response{broke}), Err: errors.New("stopped")})
	if got := p.State().Kind; got != control.SeatFailed {
		t.Errorf("the state is %d after the round, want failed", got)
	}
	apply(p, started(two), debate.Text{Turn: two, Text: "Whole. "})
	if got := body(t, p, 60, 14); !strings.HasSuffix(got,
		"Kept from attempt 1, not used:\n\nHalf of a th\n\n── attempt 2 ───────────────────────────────────────────\nWhole.") {
		t.Errorf("the second attempt shows\n%s", got)
	}
}

// A seat that failed in an early step of a round can be repeated after later steps.
func TestApply_showsARetryOfAnEarlierStep(t *testing.T) {
	first, second := turn(ada, 1), turn(ada, 1)
	second.Step = 1
	again := first
	again.Attempt = 2
	p := newPane(1, ada, 60, 20)
	apply(p, started(first), ended(first, debate.TurnFailed), started(second),
		ended(second, debate.TurnDone, debate.Passage{Text: "Ranked."}),
		started(again), debate.Text{Turn: again, Text: "Now it works. "})
	if got := p.State().Kind; got != control.SeatWriting {
		t.Errorf("the state is %d, want writing", got)
	}
	if got := body(t, p, 60, 20); !strings.Contains(got, "Now it works.") {
		t.Errorf("the text is missing in\n%s", got)
	}
}

// A failed seat says what helps.
func TestView_saysWhatToDoAfterAFailure(t *testing.T) {
	one := turn(ada, 1)
	failed := debate.TurnEnded{Response: debate.Response{
		Turn: one, State: debate.TurnFailed,
		Failure: &debate.TurnFailure{Cause: "It refused the key.", Remedy: "Set a valid one."},
	}}
	p := newPane(1, ada, 60, 14)
	p.SetSession(session([]agents.Profile{ada, brook, cy}, 2, nil))
	apply(p, started(one), failed)
	for _, ev := range []debate.Event{debate.TurnQueued{Turn: turn(cy, 1)}, debate.Concluding{}, debate.RunEnded{}} {
		p.Apply(ev)
		if got, want := body(t, p, 60, 14), "Next   Set a valid one. Press R to retry Ada."; !strings.Contains(got, want) {
			t.Errorf("after %T %q is missing in\n%s", ev, want, got)
		}
	}
	p.Apply(debate.RoundStarted{Round: 2})
	if got := body(t, p, 60, 14); !strings.Contains(got, "Cause  It refused the key.") || strings.Contains(got, "Press R") {
		t.Errorf("in the next round:\n%s", got)
	}
}

// Text before a tool call is not part of the statement, and fades once the call
// begins.
func TestApply_fadesWorkingText(t *testing.T) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	p := paneOf(1, ada, th)
	p.SetSize(60, 10)
	one := turn(ada, 1)
	apply(p, started(one), debate.Text{Turn: one, Text: "Looking. "})
	if view := p.View(noon, 0); !strings.Contains(view, th.Text.Render("Looking.")) {
		t.Errorf("text that streams is not in the text colour:\n%q", view)
	}
	p.Apply(debate.ToolStarted{Turn: one, Tool: debate.ToolRecord{ID: "t", Name: "search", State: debate.ToolRunning, Began: noon}})
	if view := p.View(noon, 0); !strings.Contains(view, th.Faint.Render("Looking.")) {
		t.Errorf("working text is not faint:\n%q", view)
	}
}

// After a turn has ended, the pane shows the same as one that loads the session.
func TestTurnEnded_showsTheSameAsSetSession(t *testing.T) {
	live, loaded := newPane(1, ada, 46, 60), newPane(1, ada, 46, 60)
	s := billing()
	live.SetSession(s)
	adaWrites(live)
	two := turn(ada, 2)
	full := adaText + "some 500.\n\n```json\n{\"position\": \"Move.\", \"confidence\": 0.69, \"vote\": \"no\"}\n```"
	r := debate.Response{
		Turn: two, State: debate.TurnDone, Statement: statement.Parse(full), Usage: agents.Usage{Input: 9, Output: 400},
		Cost: ptr(0.25),
		Passages: []debate.Passage{{
			Text:  "Let me look.",
			Tools: []debate.ToolRecord{call(two, 1, "search", `{"pattern":"a"}`, "1 match", 3), asks(two, 4)},
		}, {Text: full}},
	}
	live.Apply(debate.TurnEnded{Response: r})
	live.Recount()
	s.History[1].Responses = append(s.History[1].Responses, r)
	loaded.SetSession(s)
	if diff := cmp.Diff(body(t, loaded, 46, 60), body(t, live, 46, 60)); diff != "" {
		t.Errorf("(-loaded +live)\n%s", diff)
	}
	if got := rows(t, live, 46, 60)[59]; !strings.Contains(got, "400 tok · $0.25") {
		t.Errorf("the border says %q", got)
	}
}

func TestView_saysWhatARequestHasBecome(t *testing.T) {
	one := turn(ada, 1)
	with := func(change func(*ledger.Request)) ledger.Request {
		r := request("C1", "Why?", "So.", ledger.Required, noon.Add(-time.Minute), one, 1)
		r.Seq = 2
		change(&r)
		return r
	}
	for _, tt := range []struct {
		want   string
		change func(*ledger.Request)
	}{
		{"● Ada asks C1 required\n    \"Why?\"\n    why  \"So.\"", func(*ledger.Request) {}},
		{"○ Ada asks C1 optional\n    \"Why?\"", func(r *ledger.Request) { r.Priority = ledger.Optional }},
		{"✓ Ada asked C1 answered\n    \"Why?\"", func(r *ledger.Request) {
			r.State, r.Answers = ledger.Resolved, []ledger.Answer{{Outcome: ledger.Answered}}
		}},
		{"✓ Ada asked C1 answered by “aide”, not you\n    \"Why?\"", func(r *ledger.Request) {
			r.State, r.Answers = ledger.Resolved, []ledger.Answer{{
				Outcome: ledger.Answered, Author: ledger.Author{Kind: ledger.Assistant, Door: "a\x1b[31mide"},
			}}
		}},
		{"✓ Ada asked C1 proposed by “aide”, accepted by you\n    \"Why?\"", func(r *ledger.Request) {
			r.State, r.Answers = ledger.Resolved, []ledger.Answer{{
				Outcome: ledger.Answered, Author: ledger.Author{Kind: ledger.Person, Door: "form", ProposedBy: "aide"},
			}}
		}},
		{"∅ Ada asked C1 unavailable\n    \"Why?\"", func(r *ledger.Request) {
			r.State, r.Answers = ledger.Released, []ledger.Answer{{Outcome: ledger.Unavailable}}
		}},
		{"– Ada asked C1 withdrawn\n    \"Why?\"", func(r *ledger.Request) { r.State = ledger.Withdrawn }},
	} {
		p := newPane(1, ada, 60, 12)
		apply(p, started(one), debate.ToolStarted{Turn: one, Tool: asks(one, 1)},
			debate.ContextRequested{Turn: one, Request: request("C1", "Why?", "So.", ledger.Required, noon, one, 1)},
			debate.ToolEnded{Turn: one, Tool: asks(one, 1)})
		p.View(noon, 0)
		p.Apply(debate.ContextChanged{Request: with(tt.change)})
		if got := body(t, p, 60, 12); !strings.HasSuffix(got, tt.want) {
			t.Errorf("got\n%s\nwant\n%s", got, tt.want)
		}
	}
}

func TestView_unfoldsDetailsOnDemand(t *testing.T) {
	one := turn(ada, 1)
	read := call(one, 1, "read_file", `{"path": "go.mod"}`, "31 lines", 4)
	read.Result.Text = numbered(60)
	p := newPane(1, ada, 60, 60)
	p.SetSession(session([]agents.Profile{ada}, 1, nil, []debate.Response{
		doneResponse(one, stated("", 1, "", "Said."), 9, 0, debate.Passage{Reasoning: "I wonder.", Tools: []debate.ToolRecord{read}}),
	}))
	folded := body(t, p, 60, 60)
	if strings.Contains(folded, "I wonder") || strings.Contains(folded, "Line 1 of") {
		t.Errorf("details are shown unasked:\n%s", folded)
	}
	p.ToggleTools()
	for _, want := range []string{"I wonder.", `    {"path": "go.mod"}`, "    Line 1 of the statement.", "    … 79 more lines"} {
		if got := body(t, p, 60, 60); !strings.Contains(got, want+"\n") {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	p.ToggleTools()
	if diff := cmp.Diff(folded, body(t, p, 60, 60)); diff != "" {
		t.Error(diff)
	}
}

func TestView_measuresSpeedWhileTextComes(t *testing.T) {
	one := turn(ada, 1)
	p := newPane(1, ada, 60, 10)
	p.Apply(started(one))
	now := noon
	for range 60 {
		now = now.Add(time.Second / 30)
		p.Apply(debate.Text{Turn: one, Text: "🙂"}) // 1.25 tokens
		p.View(now, 0)
	}
	if got := ansi.Strip(p.View(now, 0)); !strings.Contains(got, " 75 tok · 37 tok/s ─╯") {
		t.Errorf("the border says\n%s", got)
	}
	if got := ansi.Strip(p.View(now.Add(3*time.Second), 0)); strings.Contains(got, "tok/s") {
		t.Errorf("there is a speed although nothing comes:\n%s", got)
	}
}

// A frame without a change is not drawn again.
func TestView_isCached(t *testing.T) {
	p := newPane(2, brook, 60, 20)
	p.SetSession(billing())
	p.View(noon, 0)
	if n := testing.AllocsPerRun(10, func() { p.View(noon, 3) }); n > 50 { // a drawn frame allocates about 500 times
		t.Errorf("a frame without a change allocates %v times", n)
	}
}

// The arguments of a command are shown as it is typed, others by name unless they name
// something.
func TestArgsSummary(t *testing.T) {
	for args, want := range map[string]string{
		`{"argv":["go","test","./my pkg"]}`: "go test './my pkg'",
		`{"argv":"ls"}`:                     `"ls"`,
		`{"path":"a.go","lines":[1,2]}`:     "a.go lines=[1,2]",
		`not json`:                          "not json",
	} {
		if got := pane.ArgsSummary(args); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

// A command that waited for the user has run since the user allowed it, and says how long it may
// run. In a narrow pane its row still says which one waits.
func TestView_saysHowLongACommandRunsOrThatItWaits(t *testing.T) {
	one := turn(ada, 1)
	id := one.ToolCall(1)
	asked := debate.ApprovalAsked{Turn: one, CallID: id, At: noon.Add(-time.Minute)}
	for args, c := range map[string]struct {
		width  int
		limit  time.Duration
		events []debate.Event
		want   []string
	}{
		`{"argv":["make"]}`: {
			60, 0,
			[]debate.Event{asked, debate.ApprovalDecided{Turn: one, CallID: id, At: noon.Add(-3 * time.Second)}},
			[]string{"run_command make   ", " 3 s "},
		},
		`{"argv":["go","test"]}`:             {60, 10 * time.Minute, nil, []string{"60 s of 10 min"}},
		`{"argv":["git","log","--oneline"]}`: {40, 0, []debate.Event{asked}, []string{"run_command git", " waits: A "}},
	} {
		running := call(one, 1, "run_command", args, "", 1)
		running.State, running.Began = debate.ToolRunning, noon.Add(-time.Minute)
		p := newPane(1, ada, c.width, 20)
		apply(p, started(one), debate.ToolStarted{Turn: one, Tool: running, Limit: c.limit})
		apply(p, c.events...)
		for _, want := range c.want {
			if view := ansi.Strip(p.View(noon, 0)); !strings.Contains(view, want) {
				t.Errorf("%s: no %q in\n%s", args, want, view)
			}
		}
	}
}

// A seat that joins a request eleven times says so once.
func TestPane_drawsEqualJoinsOnce(t *testing.T) {
	t.Parallel()
	turn, other := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}, agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "cy"}
	p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 30)
	q := ledger.Request{ID: "C1", Query: "How many?", Priority: ledger.Required, State: ledger.Pending, Asked: noon}
	q.Asks = []ledger.Ask{{Turn: other, Call: other.ToolCall(1)}}
	apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon})
	for n := range 11 {
		call := debate.ToolRecord{ID: turn.ToolCall(n + 1), Name: agents.RequestContextName, Args: `{"query":"C1"}`}
		q.Asks = append(q.Asks, ledger.Ask{Turn: turn, Call: call.ID, Query: "C1"})
		q.Seq++
		apply(p, debate.ToolsCalled{Turn: turn, Tools: []debate.ToolRecord{call}}, debate.ToolStarted{Turn: turn, Tool: call, At: noon},
			debate.ContextRequested{Turn: turn, Request: q, Ask: q.Asks[len(q.Asks)-1]},
			debate.ToolEnded{Turn: turn, Tool: call, At: noon})
	}
	apply(p, debate.Text{Turn: turn, Text: "So it is."})
	view := ansi.Strip(p.View(noon, 0))
	if strings.Count(view, "joins C1") != 1 || strings.Count(view, "asks C1") != 0 || !strings.Contains(view, "So it is.") {
		t.Errorf("got\n%s", view)
	}
}

// Text that turns out to be reasoning is no longer shown as a statement.
func TestPane_movesTextThatWasReasoning(t *testing.T) {
	t.Parallel()
	turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}
	p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 12)
	apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon})
	apply(p, pieces(turn, 0, "Okay, the user wants a vote.")...)
	if got := body(t, p, 60, 12); !strings.Contains(got, "Okay, the user") {
		t.Fatalf("the text is not shown:\n%s", got)
	}
	apply(p, debate.Text{Turn: turn, Text: "Okay, the user wants a vote.", Reasoning: true, Moves: true}, debate.Text{Turn: turn, Text: "It is so."})
	got := body(t, p, 60, 12)
	if strings.Contains(got, "Okay") || !strings.Contains(got, "+ reasoning") || !strings.Contains(got, "It is so.") {
		t.Errorf("shown is:\n%s", got)
	}
}

// A question that the model wrote into its text says so, as long as it streams and once it is
// stored.
func TestPane_saysThatAQuestionWasWrittenAsText(t *testing.T) {
	t.Parallel()
	turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}
	asked := call(turn, 1, agents.RequestContextName, "{}", "C1 required, "+agents.WrittenAsText, 1)
	q := request("C1", "How many?", "It decides.", ledger.Required, noon, turn, 1)
	p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 12)
	apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon},
		debate.ToolsCalled{Turn: turn, Tools: []debate.ToolRecord{asked}}, debate.ContextRequested{Turn: turn, Request: q, Ask: q.Asks[0]},
		debate.ToolEnded{Turn: turn, Tool: asked, At: noon}, debate.Text{Turn: turn, Passage: 1, Text: "It is so."})
	streamed := body(t, p, 60, 12)
	apply(p, debate.TurnEnded{Response: debate.Response{
		Turn: turn, State: debate.TurnDone, Statement: debate.Statement{Body: "It is so."},
		Passages: []debate.Passage{{Tools: []debate.ToolRecord{asked}}, {Text: "It is so."}},
	}, At: noon})
	for _, got := range []string{streamed, body(t, p, 60, 12)} {
		if strings.Count(got, "written as text") != 1 || !strings.Contains(got, "C1 required") || !strings.Contains(got, "It is so.") {
			t.Errorf("shown is:\n%s", got)
		}
	}
}

// What was repaired or ignored in a statement is one muted line below it; a side of the
// role is argued, and no change when the seat then states its own.
func TestView_showsNotesAndWhoseSideItIs(t *testing.T) {
	s := session([]agents.Profile{ada}, 2, nil)
	s.Mode.Roles = []debate.Role{{Name: "proponent", Stance: debate.Yes}}
	s.Mode.Phases = []debate.Phase{{Name: "own view", Asks: debate.AsksVote}}
	s.Mode.Votes = "own view"
	first := doneResponse(turn(ada, 1), stated("Move.", 0.5, "yes", "Move it."), 9, 0)
	first.Statement.Notes = []string{"a trailing comma was taken out", "confidence 52\x1b[2J was read as 52%"}
	own := doneResponse(turn(ada, 2), stated("Stay.", 0.5, "no", "Stay."), 9, 0)
	own.Phase = "own view"
	s.History = []debate.Round{
		{Number: 1, Responses: []debate.Response{first}}, {Number: 2, Responses: []debate.Response{own}},
	}
	p := newPane(1, ada, 90, 30)
	p.SetSession(s)
	got := body(t, p, 90, 30)
	for _, want := range []string{
		"argues yes · 50%", "Note: a trailing comma was taken out; confidence 52 was read as 52%", "votes no · 50%",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "hanged") {
		t.Errorf("leaving the role is shown as a change:\n%s", got)
	}
}

// A silence is shown with its length, and as a warning once it is longer than it may be;
// a sign of life ends it, and who answers all at once is not warned of.
func TestPane_showsASilence(t *testing.T) {
	t.Parallel()
	turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}
	for name, c := range map[string]struct {
		events []debate.Event
		after  time.Duration
		alive  time.Duration // when a sign of life comes; 0 for none
		label  string
		body   string
		warned bool
	}{
		"before the first token": {nil, 27 * time.Second, 0, "waiting 27 s", "Waiting for a first token 27 s. x: cancel", false},
		"for too long":           {nil, 3 * time.Minute, 0, "waiting 3 min", "Waiting for a first token 3 min. x: cancel", true},
		"with signs of life":     {nil, 3 * time.Minute, 2 * time.Minute, "waiting 3 min", "Waiting for a first token 3 min.", false},
		"not sent, for the budget": {
			[]debate.Event{debate.TurnQueued{Turn: turn, Budget: true}},
			3 * time.Minute, 0, "waiting 3 min", "Waiting for other calls to free budget 3 min.", false,
		},
		"sent once there is budget": {
			[]debate.Event{debate.TurnQueued{Turn: turn, Budget: true}, debate.TurnQueued{Turn: turn}},
			27 * time.Second, 0, "waiting 27 s", "Waiting for a first token 27 s. x: cancel", false,
		},
		"a program that is not ready": {
			[]debate.Event{debate.TurnQueued{Turn: turn, Starting: "opencode"}},
			3 * time.Minute, 0, "starting opencode 3 min", "Starting opencode 3 min. x: cancel", false,
		},
		"asked once its program is ready": {
			[]debate.Event{debate.TurnQueued{Turn: turn, Starting: "opencode"}, debate.TurnQueued{Turn: turn}},
			27 * time.Second, 0, "waiting 27 s", "Waiting for a first token 27 s. x: cancel", false,
		},
		"all at once": {
			[]debate.Event{debate.TurnAlive{Turn: turn, Whole: true}},
			3 * time.Minute, 0, "answers all at once", "Answers all at once 3 min. x: cancel", false,
		},
		"between pieces":         {[]debate.Event{debate.Text{Turn: turn, Text: "So"}}, 31 * time.Second, 0, "silent 31 s", "Silent 31 s. x: cancel", true},
		"alive between pieces":   {[]debate.Event{debate.Text{Turn: turn, Text: "So"}}, 31 * time.Second, 20 * time.Second, "writing", "So", false},
		"a pause between pieces": {[]debate.Event{debate.Text{Turn: turn, Text: "So"}}, 29 * time.Second, 0, "writing", "So", false},
	} {
		p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 12)
		apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon})
		apply(p, c.events...)
		p.View(noon, 0)
		if c.alive > 0 {
			p.now = noon.Add(c.alive)
			apply(p, debate.TurnAlive{Turn: turn})
		}
		now := noon.Add(c.after)
		view := ansi.Strip(p.View(now, 0))
		if state := p.State(); pane.Label(state, now) != c.label || state.Silence(now) > 0 != c.warned {
			t.Errorf("%s: %q, warned: %v", name, pane.Label(state, now), state.Silence(now) > 0)
		}
		if !strings.Contains(view, c.body) {
			t.Errorf("%s: %q is not in\n%s", name, c.body, view)
		}
	}
	p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 12)
	p.Seat().SetSilence(control.Silence{})
	apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon})
	p.View(noon, 0)
	if p.State().Silence(noon.Add(time.Hour)) > 0 {
		t.Error("a silence without a limit is warned of")
	}
}

// A statement that is a side without words is shown as its side.
func TestPane_showsASideWithoutWords(t *testing.T) {
	t.Parallel()
	turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}
	p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 12)
	apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon}, debate.TurnEnded{Response: debate.Response{
		Turn: turn, State: debate.TurnDone, Passages: []debate.Passage{{Text: "```json\n{\"vote\": \"Zig\"}\n```"}},
		Statement: debate.Statement{Vote: "Zig"}, Ended: noon,
	}})
	if got := body(t, p, 60, 12); !strings.Contains(got, "Position  Zig") || strings.Contains(got, "vote") {
		t.Errorf("the pane shows\n%s", got)
	}
}
