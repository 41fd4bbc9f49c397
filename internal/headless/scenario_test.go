package headless_test

import (
	"errors"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// began is when the scenario begins.
var began = time.Date(2026, 3, 1, 14, 30, 0, 0, time.UTC)

func clock() time.Time { return began }

func ptr[T any](v T) *T { return &v }

// controls is text that a terminal would act on, or that hides or reverses other text.
const controls = "\a\x1b]0;owned\a\x1b[2J\u202e\u200b"

// newSession returns a session of three seats before its first round.
func newSession() debate.Session {
	return debate.Session{
		ID: "k7m2x9qd4t", Topic: "Should billing move to SQLite?" + controls,
		Mode: debate.Mode{Name: "expert-panel", Order: debate.Parallel}, Rounds: 2, Budget: debate.Budget{USD: 0.5},
		Seats: []agents.Profile{
			{ID: "ada", Name: "Ada", Model: "gpt-5-mini", Provider: "openai"},
			{ID: "brook", Name: "Brook", Model: "claude-sonnet", Provider: "anthropic"},
			{ID: "cy", Name: "Cy", Model: "llama3.1", Provider: "ollama"},
		},
	}
}

func turn(agent agents.ID, round, attempt int) agents.Turn {
	return agents.Turn{Session: "k7m2x9qd4t", Round: round, Attempt: attempt, Agent: agent}
}

func done(agent agents.ID, round int, vote string, confidence float64, body string, used ...string) debate.TurnEnded {
	var notes []string
	if strings.Contains(body, controls) {
		notes = []string{"a trailing comma was taken out" + controls, "confidence 52 was read as 52%"}
	}
	return debate.TurnEnded{Response: debate.Response{
		Turn: turn(agent, round, 1), State: debate.TurnDone, Finish: agents.FinishStop,
		Usage: agents.Usage{Input: 900, Output: 100}, Cost: ptr(0.01), Calls: 1,
		Passages: []debate.Passage{{Text: body + "\n```json\n{}\n```"}},
		Statement: debate.Statement{
			Body: body, Position: "Move.", Vote: vote, Confidence: &confidence, ContextUsed: used, Notes: notes,
		},
	}, At: began}
}

func peakRequest(state ledger.State) ledger.Request {
	asker := turn("cy", 1, 1)
	r := ledger.Request{
		ID:    "C1",
		Query: "What is the peak write rate of the billing service?" + controls,
		Round: 1, Priority: ledger.Required, State: state,
		Asks: []ledger.Ask{{
			Turn: asker, Call: asker.ToolCall(1),
			Reason: "below some 500 small commits a second WAL does not queue." + controls, Priority: ledger.Required,
		}},
	}
	if state != ledger.Pending && state != ledger.Withdrawn {
		r.Answers = []ledger.Answer{{Revision: 1, Outcome: ledger.Answered, Content: "42 writes/s" + controls, Source: "dashboard"}}
	}
	if state == ledger.Released {
		r.Seq, r.Delivered = 1, []ledger.Delivery{{Revision: 1, Round: 2}}
	}
	return r
}

// scenario returns a debate with events of every kind.
func scenario() (first debate.Session, events []debate.Event, last debate.Session) {
	first = newSession()
	one := first
	one.History = []debate.Round{{Number: 1, Manifest: debate.Manifest{Round: 1, Seats: []agents.ID{"ada", "brook", "cy"}}, Hash: hash}}
	two := one
	two.History = append(one.History[:1:1], debate.Round{
		Number:   2,
		Manifest: debate.Manifest{Round: 2, Seats: []agents.ID{"ada", "brook", "cy"}}, Hash: hash,
	})
	two.History[0].Ended = began
	two.Requests = []ledger.Request{peakRequest(ledger.Released)}
	tool := debate.ToolRecord{
		ID: "r1.s0.ada.a1.t1", Name: "read_file" + controls, Args: `{"path":`,
		Result: agents.ToolResult{Status: agents.ToolOK, Summary: "31 lines" + controls}, Took: 4 * time.Millisecond,
	}
	ask := debate.ToolRecord{
		ID: "r1.s0.cy.a1.t1", Name: "request_context", Args: "{}",
		Result: agents.ToolResult{Status: agents.ToolOK, Summary: "C1 required"},
	}
	refused := debate.ToolRecord{
		ID: "r2.s0.cy.a1.t1", Name: "request_context",
		Result: agents.ToolResult{Status: agents.ToolError, Summary: "final round 2 of 2; no later round can use it"},
	}
	chair := agents.Turn{Session: first.ID, Round: 2, Step: debate.VerdictStep, Attempt: 1, Agent: "ada"}
	events = []debate.Event{
		debate.RoundStarted{Session: one, Round: 1, At: began},
		debate.TurnStarted{Turn: turn("ada", 1, 1), Profile: first.Seats[0], At: began},
		debate.TurnQueued{Turn: turn("brook", 1, 1)},
		debate.Text{Turn: turn("ada", 1, 1), Text: "Mo" + controls},
		debate.Text{Turn: turn("ada", 1, 1), Text: "hm", Reasoning: true},
		debate.Text{Turn: turn("ada", 1, 1), Text: "Mo", Reasoning: true, Moves: true},
		debate.TurnRetrying{Turn: turn("brook", 1, 1), At: began, Retry: agents.Retry{
			Cause: "anthropic rate-limited us (429)." + controls, Try: 2, Of: 3, In: 4 * time.Second,
		}},
		debate.ToolStarted{Turn: turn("ada", 1, 1), Tool: tool, At: began},
		debate.ToolEnded{Turn: turn("ada", 1, 1), Tool: tool, At: began},
		debate.ApprovalAsked{
			Turn: turn("ada", 1, 1), CallID: "r1.s0.ada.a1.t2", Tool: "run_command", Argv: []string{"go", "test", "./my pkg" + controls},
			Dir: "/clone", Mode: debate.WorkspaceClone, Hash: hash, At: began,
		},
		debate.ApprovalDecided{
			Turn: turn("ada", 1, 1), CallID: "r1.s0.ada.a1.t2",
			Approval: debate.Approval{Choice: debate.ApprovalDenied, Reason: "not now" + controls}, At: began,
		},
		debate.ApprovalDecided{
			Turn: turn("ada", 1, 1), CallID: "r1.s0.ada.a1.t3",
			Approval: debate.Approval{Choice: debate.ApprovalPattern, Pattern: []string{"make"}}, At: began,
		},
		debate.ToolStarted{Turn: turn("cy", 1, 1), Tool: ask, At: began},
		debate.ContextRequested{
			Turn: turn("cy", 1, 1), Request: peakRequest(ledger.Pending), Ask: peakRequest(ledger.Pending).Asks[0], At: began,
		},
		debate.ToolEnded{Turn: turn("cy", 1, 1), Tool: ask, At: began},
		debate.ContextRequested{Turn: turn("ada", 1, 1), Request: peakRequest(ledger.Pending), At: began},
		done("cy", 1, "no", 0.52, "Stay. Nothing we know rules out lock waits at month end."+controls),
		done("ada", 1, "yes", 0.64, "Move. One writer is enough for 1,900 invoices a day."),
		debate.TurnEnded{Response: debate.Response{
			Turn: turn("brook", 1, 1), State: debate.TurnFailed, Passages: []debate.Passage{{Text: "I would"}},
			Failure: &debate.TurnFailure{Cause: "anthropic rate-limited us (429)." + controls, Remedy: "Wait a while.", Tries: 4},
		}, At: began},
		debate.Noticed{Notice: debate.Notice{
			Code: "shortened", Text: "Two older statements were summarised for Cy." + controls, At: began,
		}},
		debate.Assisting{Task: debate.TaskCompare, Profile: agents.Profile{Name: "Lum" + controls}, Limit: time.Minute, At: began},
		debate.RoundCounted{Round: 1, At: began},
		debate.ContextChanged{Request: peakRequest(ledger.Withdrawn), At: began},
		debate.ContextChanged{Request: peakRequest(ledger.Resolved), At: began},
		debate.RoundStarted{Session: two, Round: 2, At: began},
		debate.ToolEnded{Turn: turn("cy", 2, 1), Tool: refused, At: began},
		done("cy", 2, "yes", 0.6, "Move, then.", "C1"),
		done("ada", 2, "yes", 0.69, "Move."),
		done("brook", 2, "yes", 0.71, "Move, behind one writer.", "C1"),
		debate.RoundCounted{Round: 2, At: began},
		debate.Concluding{Turn: chair, Profile: first.Seats[0], At: began},
		debate.TurnEnded{Response: debate.Response{
			Turn: chair, State: debate.TurnDone, Finish: agents.FinishStop,
			Passages: []debate.Passage{{Text: "Move billing."}},
		}, At: began},
	}
	last = concluded(two, events)
	return first, append(events, debate.Concluded{Session: last, At: began},
		debate.RunEnded{Session: two, Err: errors.New("told by the ending")}), last
}

// concluded returns a session with the answers that are among events, and its verdict.
func concluded(s debate.Session, events []debate.Event) debate.Session {
	s.History = slices.Clone(s.History)
	for _, ev := range events {
		if end, ok := ev.(debate.TurnEnded); ok && end.Response.Turn.Step >= 0 {
			r := &s.History[end.Response.Turn.Round-1]
			r.Responses = append(slices.Clip(r.Responses), end.Response)
		}
	}
	s.Verdict = ptr(verdict())
	return s
}

const hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func verdict() debate.Verdict {
	return debate.Verdict{
		Chair: "ada", ChairName: "Ada", ChairModel: "gpt-5-mini", ChairIsMember: true, Round: 2,
		Text:  "Move billing to SQLite, behind one writer [C1]." + controls,
		Notes: []string{"The report was cut at the chair's length limit."},
	}
}
