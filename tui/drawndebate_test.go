package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// The debates of the screens that are shown in full: one about billing with three
// seats, whose second round runs, and one about passkeys with six.

const (
	peakQuery  = "What is the peak write rate of the billing service?"
	rpoQuery   = "Which recovery point and recovery time (RPO, RTO) does finance demand?"
	rpoWhy     = "With a replicated WAL we lose about 1 s, with a nightly copy a day. If the answer is zero loss, SQLite alone is out."
	rpoDraft   = "RPO 5 minutes, RTO 1 hour. Finance signed the continuity plan in March; the ledger export is checked every night, so"
	adaOpening = "Move, behind a single writer. Brook is right that the ledger must stay append-only. That rule does not need Postgres: a trigger that refuses UPDATE and DELETE gives the same guarantee.\n\n" +
		"- All 8 transactions start in ledger.go, so one goroutine can own the write connection.\n- WAL lets readers go on while it commits.\n- VACUUM INTO replaces the nightly pg_dump.\n\n" +
		"I hold that WAL is enough while the write rate stays below "
	brookBody = "In round 1 I assumed two writers. The search shows one: every INSERT is in ledger.go. That removes my main objection.\n\n"
	brookEnd  = "Conditions\n1. A trigger refuses UPDATE and DELETE on ledger_entries.\n2. Migrations run in the writer, at start, after a file copy.\n3. Reports read a copy, never the live file.\n\n" +
		"A second process with write access would change my mind."
	brookTable = "| Criterion | SQLite, WAL | Postgres | Weight |\n|---|---|---|---|\n| Writes at peak | one writer, a queue | many writers | ? waits for C1 |\n" +
		"| Restore | file copy, minutes | pg_restore, 1–2 h | high |\n| Operations | no server | server and replica | high |\n| Readers elsewhere | same host only | any host | ? waits for C2 |\n\n"
	cyBody = "Ada and Brook both argue from the code. The code shows who writes, not how often. Month end is the case that hurts: every subscription renews within one hour.\n\n" +
		"With the peak in hand I can say yes or no and mean it."
)

func said(t agents.Turn, s debate.Statement, tokens int, cost float64, tools ...debate.ToolRecord) debate.Response {
	x := debate.Response{
		Turn: t, State: debate.TurnDone, Finish: agents.FinishStop, Statement: s, Usage: agents.Usage{Input: 2058, Output: tokens},
		Cost:  &cost,
		Calls: 1, Began: at(2 * time.Minute), Ended: at(time.Minute), Side: debate.Side(s.Vote),
	}
	if len(tools) > 0 {
		x.Passages = append(x.Passages, debate.Passage{Tools: tools})
	}
	x.Passages = append(x.Passages, debate.Passage{Text: s.Body})
	return x
}

func states(position string, sure float64, side, body string, cites ...string) debate.Statement {
	return debate.Statement{Position: position, Confidence: &sure, Vote: side, Body: body, Citations: cites}
}

// called is a tool call that ended well, the n-th of its turn.
func called(t agents.Turn, n int, name, args, summary string, took int) debate.ToolRecord {
	return debate.ToolRecord{
		ID: t.ToolCall(n), Name: name, Args: args, State: debate.ToolDone, Began: at(time.Minute),
		Took:   time.Duration(took) * time.Millisecond,
		Result: agents.ToolResult{Status: agents.ToolOK, Text: summary, Summary: summary},
	}
}

func asks(t agents.Turn, n int) debate.ToolRecord {
	return called(t, n, "request_context", `{}`, "", 1)
}

// asked is a request that the n-th calls of turns have asked.
func asked(id, query, why string, p ledger.Priority, ago time.Duration, by ...any) ledger.Request {
	r := ledger.Request{ID: id, Seq: 1, Key: id, Query: query, Round: 2, Asked: at(ago), Priority: p, State: ledger.Pending}
	for i := 0; i < len(by); i += 2 {
		t := by[i].(agents.Turn)
		r.Asks = append(r.Asks, ledger.Ask{Turn: t, Call: t.ToolCall(by[i+1].(int)), Query: query, Reason: why, Priority: p, At: at(ago)})
	}
	return r
}

func peakAsked() ledger.Request {
	return asked(
		"C1",
		peakQuery,
		"WAL allows one writer. Below some 500 small commits a second it does not queue; above, it does.",
		ledger.Required,
		2*time.Minute,
		turn("cy", 2),
		1,
	)
}

func readersAsked() ledger.Request {
	return asked(
		"C2",
		"Does another process read the billing tables directly?",
		"A reader in another process changes the locking picture.",
		ledger.Optional,
		3*time.Minute,
		turn("brook", 2),
		3,
	)
}

// opened1 is the debate about billing after its first round.
func opened1() debate.Session {
	s := session(3, 4)
	s.History = []debate.Round{{Number: 1, Began: at(5 * time.Minute), Ended: at(3 * time.Minute), Responses: []debate.Response{
		said(
			turn("ada", 1),
			states("Move. One writer is enough for 1,900 invoices a day, and a backup becomes a file copy.", 0.64, "yes", ""),
			300,
			0.01,
		),
		said(
			turn("brook", 1),
			states("Stay. Two services that write one file are a queue with extra steps.", 0.58, "no", ""),
			300,
			0.016,
		),
		said(turn("cy", 1), states("Stay. Nothing we know rules out lock waits at month end.", 0.52, "no", ""), 300, 0),
	}}}
	return s
}

// nothingSaid is the same debate without what was said in its first round.
func nothingSaid() debate.Session {
	s := opened1()
	for i := range s.History[0].Responses {
		s.History[0].Responses[i].Statement = debate.Statement{}
	}
	return s
}

func brookSays(body string, short bool) debate.Response {
	t := turn("brook", 2)
	tools := []debate.ToolRecord{
		called(
			t,
			1,
			"search",
			`{"pattern": "INSERT"}`,
			"8 matches, all in billing/ledger.go",
			11,
		), called(t, 2, "read_file", `{"path": "billing/ledger.go"}`, "212 lines", 3), asks(t, 3),
	}
	if short {
		tools = slices.Delete(tools, 1, 2)
	}
	return said(t, states("Move, but keep the ledger append-only.", 0.71, "yes", body, "search"), 903, 0.004, tools...)
}

func cySays() debate.Response {
	t := turn("cy", 2)
	return said(t, states("Stay until the peak is known.", 0.5, "no", cyBody), 310, 0, asks(t, 1))
}

// adaUses plays the tools of Ada's second turn, after it has thought for a while.
func (r *run) adaUses(wait func(time.Duration), short bool) {
	t := turn("ada", 2)
	calls := []debate.ToolRecord{
		called(
			t,
			1,
			"read_file",
			`{"path": "go.mod"}`,
			"31 lines",
			4,
		), called(t, 2, "search", `{"pattern": "BEGIN", "glob": "**/*.go"}`, "8 matches in 3 files", 11),
		called(t, 3, "read_evidence", `{"id": "R1:Brook"}`, "R1:Brook", 2), asks(t, 4),
	}
	if short {
		calls = []debate.ToolRecord{called(t, 2, "search", `{"pattern": "BEGIN"}`, "8 matches in 3 files", 11), asks(t, 4)}
	} else {
		r.events <- debate.Text{Turn: t, Reasoning: true, Text: strings.Repeat("thinking ", 125)}
		for range 9 { // on the screen, and out of step with the spinner
			wait(1003 * time.Millisecond)
		}
	}
	for _, c := range calls {
		running := c
		running.State, running.Result, running.Took = debate.ToolRunning, agents.ToolResult{}, 0
		r.events <- debate.ToolStarted{Turn: t, Tool: running, At: time.Now()}
		r.events <- debate.ToolEnded{Turn: t, Tool: c, At: time.Now()}
	}
}

// secondRound plays the second round about billing: Ada writes, the others are
// done, and Cy has asked what decides. A short one has fewer tools and less text.
func (r *run) secondRound(wait func(time.Duration), brook debate.Response, short bool) {
	s := opened1()
	s.History = append(s.History, debate.Round{Number: 2, Began: time.Now(), Manifest: started(s, 2)})
	r.events <- debate.RoundStarted{Session: s, Round: 2, At: time.Now()}
	for _, p := range s.Seats {
		r.events <- debate.TurnStarted{Turn: turn(p.ID, 2), Profile: p, At: time.Now()}
	}
	r.adaUses(wait, short)
	readers, peak, both := readersAsked(), peakAsked(), peakAsked()
	t := turn("ada", 2)
	both.Seq, both.Asks = 2, append(both.Asks, ledger.Ask{
		Turn: t, Call: t.ToolCall(4), Query: peakQuery, Reason: "I hold that WAL is enough.",
		Priority: ledger.Required, At: time.Now(),
	})
	r.events <- debate.ContextRequested{Turn: turn("brook", 2), Request: readers, Ask: readers.Asks[0], At: time.Now()}
	r.events <- debate.ContextRequested{Turn: t, Request: both, Ask: both.Asks[1], Joined: true, At: time.Now()}
	r.events <- debate.ContextRequested{Turn: turn("cy", 2), Request: peak, Ask: peak.Asks[0], At: time.Now()}
	for _, x := range []debate.Response{brook, cySays()} {
		r.events <- debate.TurnEnded{Response: x, At: x.Ended}
	}
	text := adaOpening
	if short {
		text, _, _ = strings.Cut(text, "nightly")
	}
	for piece := range strings.SplitAfterSeq(text, " ") {
		r.events <- debate.Text{Turn: t, Passage: 1, Text: piece}
	}
}

// waiting is the debate about billing after its second round: C1 is answered, C3
// is not.
func waiting() debate.Session {
	s := opened1()
	t := turn("ada", 2)
	body := strings.TrimSuffix(
		adaOpening,
		" ",
	) + " some 500 commits a second [C1 open].\n\nWhat I cannot judge is the restore promise. With a replicated WAL the loss is about one second; with a nightly copy it is a day. " +
		"Finance decides which one is needed [C3 open]."
	s.History = append(s.History, debate.Round{Number: 2, Began: at(4 * time.Minute), Ended: at(time.Minute), Responses: []debate.Response{
		said(
			t,
			states("Move, behind a single writer.", 0.69, "yes", strings.TrimPrefix(body, "Move, behind a single writer. ")),
			1100,
			0.005,
			asks(t, 4),
			asks(t, 5),
		),
		brookSays(brookBody+brookEnd, false), cySays(),
	}})
	c1 := asked(
		"C1",
		peakQuery,
		"Below some 500 small commits a second it does not queue; above it does.",
		ledger.Required,
		4*time.Minute,
		turn("cy", 2),
		1,
		t,
		4,
	)
	c1.State = ledger.Resolved
	c1.Answers = []ledger.Answer{
		{
			Revision: 1,
			Outcome:  ledger.Answered,
			Content:  "42 writes/s at month end, p99 over 5 minutes.",
			Source:   "dashboard billing-writes",
			At:       at(53 * time.Second),
		},
	}
	s.Requests = []ledger.Request{c1, readersAsked(), asked("C3", rpoQuery, rpoWhy, ledger.Required, time.Minute, t, 5)}
	return s
}

// cutShort is the debate about billing whose second round Cy did not finish.
func cutShort() debate.Session {
	s := opened1()
	s.History[0].Ended = at(2*time.Hour + 4*time.Minute)
	c := turn("cy", 2)
	brook, ada := brookSays(
		brookBody,
		true,
	), said(
		turn("ada", 2),
		states("Move, behind a single writer.", 0.69, "yes", ""),
		412,
		0.002,
	)
	for _, x := range []*debate.Response{&ada, &brook} {
		x.Began, x.Ended = at(2*time.Hour+3*time.Minute), at(2*time.Hour+2*time.Minute)
	}
	manifest, began := debate.Manifest{Round: 2, Rounds: 4, Seats: s.SeatIDs()}, at(2*time.Hour+3*time.Minute)
	s.History = append(s.History, debate.Round{Number: 2, Began: began, Manifest: manifest, Responses: []debate.Response{ada, brook, {
		Turn: c, State: debate.TurnInterrupted, Began: at(2*time.Hour + 3*time.Minute), Ended: at(2*time.Hour + time.Minute),
		Passages: []debate.Passage{
			{Tools: []debate.ToolRecord{asks(c, 1)}},
			{
				Text: "**Position**  Stay until the peak is known.\n\nAda and Brook both argue from the code. The code shows who writes, not how",
			},
		},
		Failure: &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "The program ended meanwhile."},
	}}})
	peak := peakAsked()
	peak.Asked = at(2*time.Hour + 2*time.Minute)
	s.Requests = []ledger.Request{peak, readersAsked()}
	s.Drafts = map[string]debate.Draft{"C1": {Text: "42 writes/s at month end, p99 over 5 minutes.", At: at(2 * time.Hour)}}
	return s
}

// passkeys is the debate of six seats in two teams after its first round.
func passkeys() debate.Session {
	s := session(6, 3)
	s.Topic, s.Mode.Name, s.Budget.USD = "Ship passkeys without a password fallback?", "red-team-blue-team", 1
	s.History = []debate.Round{{Number: 1, Began: at(9 * time.Minute), Ended: at(7 * time.Minute)}}
	s.AuxiliarySpending = []debate.Spending{
		{Purpose: debate.ForLight, Calls: 12, Usage: agents.Usage{Input: 22000, Output: 1300}, Cost: num(0.21)},
	}
	return s
}

var teams = []string{"blue", "red", "blue", "red", "blue", "red"}

// attack plays the second round about passkeys: one seat writes, one has failed,
// one tries again, three are done, of which one waits for the user.
func (r *run) attack(wait func(time.Duration)) {
	s := passkeys()
	s.History = append(s.History, debate.Round{Number: 2, Began: time.Now(), Manifest: started(s, 2)})
	r.events <- debate.RoundStarted{Session: s, Round: 2, At: time.Now()}
	for i, p := range s.Seats {
		r.events <- debate.TurnStarted{Turn: turn(p.ID, 2), Profile: p, Role: teams[i], At: time.Now()}
	}
	end := func(seat int, x debate.Response) {
		x.Role, x.Ended = teams[seat-1], time.Now()
		r.events <- debate.TurnEnded{Response: x, At: time.Now()}
	}
	wait(21*time.Second + 17*time.Millisecond) // out of step with the spinner
	b, d, e := turn("brook", 2), turn("dee", 2), turn("eli", 2)
	end(
		2,
		said(
			b,
			states(
				"",
				0.66,
				"yes",
				"**Attack 1**  Account recovery becomes the login. docs/recovery.md still offers SMS: who steals the number owns the account.\n\n"+
					"**Attack 2**  Shared devices. Warehouse tablets have one user profile and forty people.\n\n**Risk**  high for 1, medium for 2.",
			),
			640,
			0.003,
			called(b, 1, "search", `{"pattern": "recovery", "path": "docs/"}`, "5 matches in 2 files", 9),
		),
	)
	devices := asked(
		"C1",
		"How many users sign in from shared devices?",
		"Above a few percent the kiosk path is the product, not an exception.",
		ledger.Required,
		47*time.Second,
		d,
		1,
	)
	r.events <- debate.ContextRequested{Turn: d, Request: devices, Ask: devices.Asks[0], At: time.Now()}
	end(
		4,
		said(
			d,
			debate.Statement{
				Body: "**Attack 3**  The kiosk path has no owner and no metric. I rate it low until I know how many people use it.",
			},
			355,
			0.001,
			asks(d, 1),
		),
	)
	end(
		6,
		said(
			turn("fay", 2),
			states(
				"",
				0.81,
				"yes",
				"**Attack 4**  Support desk\\\nWithout a password the help desk becomes the reset button. A caller who sounds hurried gets a new key in four minutes today.\n\n"+
					"**Attack 5**  Old browsers\\\nSome 2% of sessions cannot use passkeys. They are our largest accounts.\n\n**Risk**  high for 4, low for 5.",
			),
			512,
			0.004,
		),
	)
	for _, c := range []struct {
		of   agents.Turn
		tool debate.ToolRecord
	}{{turn("ada", 2), called(turn("ada", 2), 1, "read_evidence", `{"id": "R1:Fay"}`, "R1:Fay", 3)}, {e, called(e, 1, "read_file", `{"path": "docs/recovery.md"}`, "88 lines", 5)}} {
		r.events <- debate.ToolStarted{Turn: c.of, Tool: c.tool, At: time.Now()}
		r.events <- debate.ToolEnded{Turn: c.of, Tool: c.tool, At: time.Now()}
	}
	for who, text := range map[agents.ID]string{
		"ada": "**Answer to attack 1** (recovery)  Recovery by SMS is the weak link, so we drop it: two passkeys at sign-up, or one passkey and ten printed codes.\n\n" +
			"**Answer to attack 2** (shared devices)\\\nKiosk sessions never enrol a key. They sign in by QR code from the phone, and the session ends with the ",
		"eli": "Answer to attack 1  Printed codes are lost more often than phones. I would rather let a second",
	} {
		for piece := range strings.SplitAfterSeq(text, " ") {
			r.events <- debate.Text{Turn: turn(who, 2), Passage: 1, Text: piece}
		}
	}
	end(5, debate.Response{
		Turn: e, State: debate.TurnFailed, Calls: 1, Cost: num(0.001), Usage: agents.Usage{Output: 24}, Began: at(20 * time.Second),
		Ended: time.Now(),
		Passages: []debate.Passage{
			{Tools: []debate.ToolRecord{called(e, 1, "read_file", `{"path": "docs/recovery.md"}`, "88 lines", 5)}},
			{Text: "Answer to attack 1  Printed codes are lost more often than phones. I would rather let a second"},
		},
		Failure: &debate.TurnFailure{Kind: agents.KindBusy, Cause: "groq rate-limited us (429)."},
	})
	e.Attempt = 2
	r.events <- debate.TurnRetrying{Turn: e, At: time.Now(), Retry: agents.Retry{Cause: "groq rate-limited us (429): retry after 12 s.", Try: 2, Of: 3, In: 5 * time.Second}}
	end(3, debate.Response{
		Turn: turn("cy", 2), State: debate.TurnFailed, Cost: num(0), Began: at(21 * time.Second), Ended: time.Now(),
		Failure: &debate.TurnFailure{
			Kind:   agents.KindNetwork,
			Cause:  "Ollama does not answer at localhost:11434: connection refused.",
			Remedy: "Start it with `ollama serve`.",
			Tries:  3,
		},
	})
}

func settled() debate.Session {
	s := opened1()
	votes := map[agents.ID][]string{"ada": {"yes", "yes", "yes", "yes"}, "brook": {"no", "yes", "yes", "yes"}, "cy": {"no", "no", "yes", "no"}}
	moved := map[string]string{"brook 2": "", "cy 3": "C1", "cy 4": "C2"}
	s.Verdict = &debate.Verdict{
		Chair: "brook", ChairName: "Brook", ChairModel: "claude-sonnet", ChairIsMember: true, Round: 4,
		Text: "## Conclusion\nMove billing to SQLite with WAL, behind one writer. At 42 writes/s the writer is idle nine tenths of the time [C1], and an RPO of 5 minutes is met by WAL shipping [C3].\n\n" +
			"## Recommendation\n1. Move the report job to a nightly copy first; it reads the tables directly [C2].\n2. Refuse UPDATE and DELETE on ledger_entries by trigger.\n3. Ship the WAL every minute; rehearse one restore before the switch [C3].\n\n" +
			"## Common ground\n- One goroutine owns the write connection.\n- The ledger stays append-only.\n\n## Key difference\nAda and Brook accept the report job on a copy; Cy wants it gone before any move.\n\n" +
			"## How positions moved\nBrook: no → yes in round 2, on the search result (one writer, not two). Cy: no → yes in round 3 on [C1], back to no in round 4 on [C2].\n\n" +
			"## Open question\nWho owns the report job? Nobody was asked.\n",
	}
	s.AuxiliarySpending = []debate.Spending{
		{Purpose: debate.ForLight, Calls: 4, Usage: agents.Usage{Input: 4000, Output: 900}, Cost: num(0.01)},
		{Purpose: debate.ForChair, Calls: 1, Usage: agents.Usage{Input: 600, Output: 1200}, Cost: num(0.02)},
	}
	first := s.History[0]
	s.History = nil
	for n := 1; n <= 4; n++ {
		round := debate.Round{Number: n, Began: first.Began, Ended: first.Ended}
		for i, p := range s.Seats {
			st := states(fmt.Sprintf("Round %d.", n), 0.5+0.06*float64(n-i), votes[p.ID][n-1], "")
			if by, ok := moved[fmt.Sprint(p.ID, " ", n)]; ok {
				st.ChangedBy = &by
			}
			round.Responses = append(round.Responses, said(turn(p.ID, n), st, 300, 0.01, called(turn(p.ID, n), 1, "search", `{}`, "", 1)))
		}
		s.History = append(s.History, round)
	}
	for n, ids := range map[int][]string{3: {"C1", "C3"}, 4: {"C2"}} {
		for i := range s.Seats {
			s.History[n-1].Responses[i].Statement.ContextUsed = ids
		}
	}
	for i, at := range []int{3, 4, 3} {
		r := asked(fmt.Sprintf("C%d", i+1), "?", "", ledger.Optional, time.Hour, turn("cy", 2), i+1)
		r.State, r.Answers, r.Delivered = ledger.Released, []ledger.Answer{{Revision: 1, Outcome: ledger.Answered, Content: "x"}},
			[]ledger.Delivery{{Revision: 1, Round: at}}
		s.Requests = append(s.Requests, r)
	}
	s.Ends = debate.EndsAgreed
	for i, r := range s.Requests {
		s.Requests[i].Answers = slices.Clone(r.Answers)
		for j := range r.Answers {
			s.Requests[i].Answers[j].Author = ledger.Author{Kind: ledger.Person}
		}
	}
	return s
}
