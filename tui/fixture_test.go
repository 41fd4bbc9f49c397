package tui_test

import (
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/setup"
)

// at is the moment of a clock of the fixture's debate; a synctest bubble begins
// at midnight of 2000-01-01, UTC.
func at(ago time.Duration) time.Time { return time.Now().Add(-ago) }

func num(f float64) *float64 { return &f }

var names = []string{"Ada", "Brook", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal"}

func panel(n int) []agents.Profile {
	models := []string{"gpt-5-mini", "claude-sonnet", "llama3.1", "gemini-flash", "qwen3", "mistral-large", "grok-4", "deepseek"}
	providers := []string{"openai", "anthropic", "ollama", "gemini", "groq", "mistral", "xai", "deepseek"}
	windows := []int{400_000, 200_000, 0, 1_048_576, 0, 128_000, 256_000, 0}
	var out []agents.Profile
	for i := range n {
		p := agents.Profile{
			ID: agents.ID(strings.ToLower(names[i])), Name: names[i], Model: models[i], Provider: providers[i], ContextWindow: windows[i],
			PriceIn: num(0.25), PriceOut: num(2),
		}
		if p.Provider == "ollama" {
			p.PriceIn, p.PriceOut = num(0), num(0)
		}
		out = append(out, p)
	}
	return out
}

const billing = "k7m2x9qd4t"

func session(seats, rounds int) debate.Session {
	return debate.Session{
		ID: billing, Topic: "Should billing move to SQLite?", Rounds: rounds, Seats: panel(seats), Created: at(time.Hour), Updated: at(time.Minute),
		Mode: debate.Mode{
			Name: "expert-panel", Summary: "each seat in one perspective", Use: "a design choice", MinSeats: 2, MaxSeats: 8, Rounds: 2,
			Order: debate.Parallel,
		},
		Budget: debate.Budget{USD: 0.5},
	}
}

func turn(id agents.ID, round int) agents.Turn {
	return agents.Turn{Session: billing, Round: round, Attempt: 1, Agent: id}
}

// stated is a turn that is done.
func stated(id agents.ID, round int, vote string, sure float64, text string) debate.Response {
	return debate.Response{
		Turn: turn(id, round), State: debate.TurnDone, Finish: agents.FinishStop, Calls: 1, Cost: num(0.004),
		Usage: agents.Usage{Input: 3200, Output: 400}, Began: at(5 * time.Minute), Ended: at(4 * time.Minute),
		Passages:  []debate.Passage{{Text: text}},
		Statement: debate.Statement{Body: text, Vote: vote, Confidence: num(sure), Position: strings.SplitAfter(text, ".")[0]},
	}
}

// held is a debate whose first n rounds are done.
func held(seats, done, rounds int) debate.Session {
	s := session(seats, rounds)
	sides := []string{"yes", "no", "no"}
	for n := 1; n <= done; n++ {
		r := debate.Round{Number: n, Began: at(10 * time.Minute), Ended: at(4 * time.Minute)}
		r.Manifest = started(s, n)
		for i, p := range s.Seats {
			side := sides[i%3]
			if i%3 == 1 && n > 1 {
				side = "yes"
			}
			text := fmt.Sprintf("Round %d of %s. One writer is enough for 1,900 invoices a day, and a backup becomes a file copy.", n, p.Name)
			r.Responses = append(r.Responses, stated(p.ID, n, side, 0.5+0.04*float64(i+n), text))
		}
		s.History = append(s.History, r)
	}
	return s
}

// request is a question that an agent asked in a round.
func request(id string, who agents.ID, round int, p ledger.Priority, query, reason string) ledger.Request {
	return ledger.Request{
		ID: id, Seq: 1, Query: query, Round: round, Asked: at(2 * time.Minute), Priority: p, State: ledger.Pending,
		Asks: []ledger.Ask{{Turn: turn(who, round), Call: "t1", Query: query, Reason: reason, Priority: p, At: at(2 * time.Minute)}},
	}
}

func peak() ledger.Request {
	return request("C1", "cy", 2, ledger.Required, "What is the peak write rate of the billing service?",
		"WAL allows one writer. Below some 500 small commits a second it does not queue; above, it does.")
}

func readers() ledger.Request {
	return request("C2", "brook", 2, ledger.Optional, "Does another process read the billing tables directly?",
		"A reader in another process changes the locking picture.")
}

// gate is a debate of three seats that waits for the user after round 2.
func gate() debate.Session {
	s := held(3, 2, 4)
	s.Requests = []ledger.Request{peak(), readers()}
	return s
}

// interrupted is a debate in whose second round Cy was cut off.
func interrupted() debate.Session {
	s := held(3, 2, 4)
	r := &s.History[1]
	r.Ended = time.Time{}
	r.Responses[2].State = debate.TurnInterrupted
	r.Responses[2].Statement = debate.Statement{}
	r.Responses[2].Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "The program ended meanwhile."}
	return s
}

func concluded() debate.Session {
	s := held(3, 4, 4)
	released := peak()
	released.State = ledger.Released
	released.Answers = []ledger.Answer{
		{
			Revision: 1, Outcome: ledger.Answered, Content: "42 writes/s at month end", Source: "dashboard billing-writes",
			Author: ledger.Author{Kind: ledger.Person},
		},
	}
	released.Delivered = []ledger.Delivery{{Revision: 1, Round: 3}}
	s.Requests = []ledger.Request{released}
	for _, i := range []int{0, 2} {
		s.History[2].Responses[i].Statement.ContextUsed = []string{"C1"}
	}
	s.Verdict = &debate.Verdict{
		Chair: "brook", ChairName: "Brook", ChairModel: "claude-sonnet", ChairIsMember: true, Round: 4,
		Text: "## Conclusion\nMove billing to SQLite with WAL, behind one writer. At 42 writes/s the writer is idle nine tenths of the time [C1], and an RPO of 5 minutes is met by WAL shipping.\n\n" +
			"## Recommendation\n1. Move the report job to a nightly copy first; it reads the tables directly.\n2. Refuse UPDATE and DELETE on ledger_entries by trigger.\n3. Ship the WAL every minute; rehearse one restore before the switch.\n\n" +
			"## Common ground\n- One goroutine owns the write connection.\n- The ledger stays append-only.\n",
	}
	s.AuxiliarySpending = []debate.Spending{
		{Purpose: debate.ForChair, Calls: 1, Usage: agents.Usage{Input: 600, Output: 1200}, Cost: num(0.02)},
	}
	return s
}

func summary(s debate.Session) debate.SessionSummary {
	x := debate.SessionSummary{
		ID: s.ID, Topic: s.Topic, Mode: s.Mode.Name, Status: s.Status(), Round: len(s.History), Rounds: s.Rounds,
		Seats: s.Seats, Cost: num(0.03), Tokens: 12400, Created: s.Created, Updated: s.Updated, Origin: s.Origin(),
	}
	for _, r := range s.Unanswered() {
		x.Required++
		x.Asking = fmt.Sprintf("%s %s %q", r.ID, "Cy", r.Query)
	}
	return x
}

// storing returns a script that has some sessions and a usual offer.
func storing(sessions ...debate.Session) *scripted {
	s := &scripted{sessions: map[string]debate.Session{}, offer: offer()}
	s.knows(sessions...)
	return s
}

// knows adds sessions to those that are stored.
func (s *scripted) knows(sessions ...debate.Session) {
	for _, d := range sessions {
		s.sessions[d.ID] = d
		s.list = append(s.list, summary(d))
	}
}

func offer() setup.Options {
	o := setup.Options{Sources: "ollama, 2 keys", Modes: []debate.Mode{
		session(2, 2).Mode,
		{
			Name: "socratic", Summary: "options against criteria", Use: "you can already name the options", MinSeats: 2, MaxSeats: 8,
			Rounds: 3, Order: debate.Parallel,
		},
	}}
	companies := map[string]string{"openai": "OpenAI", "anthropic": "Anthropic"}
	for i, p := range panel(4) {
		o.Seats = append(o.Seats, setup.SeatOption{Profile: p, Chosen: i < 3, Local: p.Provider == "ollama", Company: companies[p.Provider]})
	}
	o.Seats[3].Problem = "set GEMINI_API_KEY"
	return o
}

// speaking plays the second round of a debate up to the middle: the first seat
// writes, the second is done, the third is done and has asked; of more seats one
// has failed and one tries again.
func (r *run) speaking(s debate.Session) debate.Session {
	s.History = append(s.History, debate.Round{Number: 2, Began: time.Now(), Manifest: started(s, 2)})
	r.events <- debate.RoundStarted{Session: s, Round: 2, At: time.Now()}
	for _, p := range s.Seats {
		r.events <- debate.TurnStarted{Turn: turn(p.ID, 2), Profile: p, At: time.Now()}
	}
	tool := debate.ToolRecord{
		ID: "r2.s0.ada.a1.t1", Name: "search", Args: `{"query":"BEGIN"}`, State: debate.ToolRunning, Began: time.Now(),
	}
	r.events <- debate.ToolStarted{Turn: turn("ada", 2), Tool: tool, At: time.Now()}
	tool.State, tool.Took, tool.Result = debate.ToolDone, 11*time.Millisecond, agents.ToolResult{
		Status: agents.ToolOK, Text: "ledger.go:12", Summary: "8 matches in 3 files",
	}
	r.events <- debate.ToolEnded{Turn: turn("ada", 2), Tool: tool, At: time.Now()}
	r.say(
		"ada",
		"Move, behind a single writer. Brook is right that the ledger must stay append-only. That rule does not need Postgres: a trigger that refuses UPDATE and DELETE gives the same guarantee.\n\n",
	)
	r.say(
		"ada",
		"- All 8 transactions start in ledger.go, so one goroutine can own the write connection.\n- WAL lets readers go on while it commits.\n\nI hold that WAL is enough while the write rate stays below",
	)
	if len(s.Seats) > 2 {
		ask := peak()
		r.events <- debate.ContextRequested{Turn: turn("cy", 2), Request: ask, Ask: ask.Asks[0], At: time.Now()}
	}
	for i, p := range s.Seats[1:] {
		switch i {
		case 3:
			r.events <- debate.TurnEnded{At: time.Now(), Response: debate.Response{
				Turn: turn(p.ID, 2), State: debate.TurnFailed, Calls: 1, Cost: num(0), Began: time.Now(), Ended: time.Now(),
				Failure: &debate.TurnFailure{Kind: agents.KindNetwork, Cause: "Groq does not answer: connection refused.", Remedy: "Check the network.", Tries: 3},
			}}
		case 4:
			r.events <- debate.TurnRetrying{
				Turn: turn(p.ID, 2), Retry: agents.Retry{Cause: "mistral rate-limited us (429).", Try: 2, Of: 3, In: 4 * time.Second},
				At: time.Now(),
			}
		default:
			text := "Stay until the peak is known. Ada and Brook both argue from the code. The code shows who writes, not how often."
			r.say(p.ID, text)
			x := stated(p.ID, 2, "no", 0.5, text)
			x.Began, x.Ended = time.Now(), time.Now()
			r.events <- debate.TurnEnded{Response: x, At: time.Now()}
		}
	}
	return s
}

func (r *run) say(id agents.ID, text string) {
	for _, w := range strings.SplitAfter(text, " ") {
		r.events <- debate.Text{Turn: turn(id, 2), Text: w}
	}
}

// started returns the manifest of a round in which all seats of a session speak.
func started(s debate.Session, round int) debate.Manifest {
	m := debate.Manifest{Round: round, Rounds: s.Rounds}
	for _, p := range s.Seats {
		m.Seats = append(m.Seats, p.ID)
	}
	return m
}
