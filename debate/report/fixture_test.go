package report_test

import (
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
)

// began is when the debate of these tests begins.
var began = time.Date(2026, 3, 1, 14, 30, 0, 0, time.FixedZone("", 3600))

func ptr[T any](v T) *T { return &v }

const id = "k7m2x9qd4t"

func turn(who agents.ID, round, attempt int) agents.Turn {
	return agents.Turn{Session: id, Round: round, Attempt: attempt, Agent: who}
}

// said is a turn that is done.
func said(who agents.ID, round int, side string, sure float64, position, body string, used ...string) debate.Response {
	return debate.Response{
		Turn: turn(who, round, 1), State: debate.TurnDone, Finish: agents.FinishStop, Calls: 1,
		Usage: agents.Usage{Input: 3200, Output: 400}, Cost: ptr(0.004),
		Passages:  []debate.Passage{{Text: position + "\n\n" + body}},
		Statement: debate.Statement{Position: position, Body: body, Vote: side, Confidence: &sure, ContextUsed: used},
		Began:     began.Add(time.Minute), Ended: began.Add(2 * time.Minute),
	}
}

// newSession returns a debate of three seats before its first round.
func newSession() debate.Session {
	return debate.Session{
		ID: id, Topic: "Should billing move to SQLite?", Rounds: 2, Nonce: "unguessable-nonce", ConfigHash: "c0ffee",
		Created: began, Updated: began.Add(time.Hour),
		Mode: debate.Mode{
			Name: "adversarial", Summary: "seats argue for and against", MinSeats: 2, MaxSeats: 8, Rounds: 2, Order: debate.Parallel,
			Roles: []debate.Role{{Name: "proponent", Stance: debate.Yes}, {Name: "opponent", Stance: debate.No}},
		},
		Seats: []agents.Profile{
			{ID: "ada", Name: "Ada", Provider: "openai", Model: "gpt-5-mini"},
			{ID: "brook", Name: "Brook", Provider: "anthropic", Model: "claude-sonnet"},
			{ID: "cy", Name: "Cy", Provider: "ollama", Model: "llama3.1"},
		},
		Light: &agents.Profile{ID: "light", Name: "Light", Provider: "openai", Model: "gpt-5-nano"}, Budget: debate.Budget{USD: 0.5},
	}
}

// needsContext returns the debate after its first round: Brook has failed in it, and what Cy
// asked is not answered.
func needsContext() debate.Session {
	s := newSession()
	ada := said("ada", 1, "yes", 0.64, "Move.", "One writer is enough for **1,900 invoices** a day. See [the "+
		"notes](https://example.com/wal).\n\n- `BEGIN IMMEDIATE` keeps writers apart.\n- Backups become a file copy.")
	ada.Role = "proponent"
	ada.Statement.Citations = []string{"SQLite documentation, WAL mode"}
	ada.Passages = []debate.Passage{
		{Text: "Let me look at the ledger first.", Reasoning: "The user wants a decision.", Tools: []debate.ToolRecord{
			{
				ID: "r1.s0.ada.a1.t1", Name: "read_file", Args: `{"path":"ledger.go"}`, State: debate.ToolDone, Took: 4 * time.Millisecond,
				Result: agents.ToolResult{
					Status: agents.ToolOK, Text: "func Post(tx *sql.Tx) error {\n\treturn nil\n}",
					Summary: "3 lines",
				},
			},
		}},
		ada.Passages[0],
	}
	cy := said("cy", 1, "no", 0.52, "Stay.", "Nothing we know rules out lock waits at month end.")
	cy.Role = "proponent"
	cy.Passages = []debate.Passage{{Tools: []debate.ToolRecord{
		{
			ID: "r1.s0.cy.a1.t1", Name: "request_context", Args: `{"query":"peak?"}`, State: debate.ToolDone,
			Result: agents.ToolResult{Status: agents.ToolOK, Text: "queued", Summary: "C1 required"},
		},
	}}, cy.Passages[0]}
	s.History = []debate.Round{{
		Number: 1, Hash: "aa11", Began: began, Ended: began.Add(5 * time.Minute),
		Manifest: debate.Manifest{Session: id, Round: 1, Rounds: 2, Seats: []agents.ID{"ada", "brook", "cy"}},
		Responses: []debate.Response{ada, {
			Turn: turn("brook", 1, 1), State: debate.TurnFailed, Role: "opponent",
			Passages: []debate.Passage{{Text: "I would stay, bec"}}, Calls: 4,
			Failure: &debate.TurnFailure{
				Kind: agents.KindBusy, Cause: "anthropic is busy (429).", Remedy: "Give it a moment.",
				Tries: 4,
			}, Began: began, Ended: began.Add(time.Minute),
		}, cy},
	}}
	s.Requests = []ledger.Request{{
		ID: "C1", Seq: 2, Query: "What is the peak write rate?", Round: 1, Asked: began.Add(time.Minute), Priority: ledger.Required,
		State: ledger.Pending,
		Asks: []ledger.Ask{
			{
				Turn: turn("cy", 1, 1), Call: "r1.s0.cy.a1.t1", Query: "What is the peak write rate?", Reason: "WAL allows one writer.",
				Priority: ledger.Required, At: began.Add(time.Minute),
			},
			{
				Turn: turn("ada", 1, 1), Call: "r1.s0.ada.a1.t2", Query: "what is the peak write rate", Reason: "It decides.",
				Priority: ledger.Optional, At: began.Add(time.Minute),
			},
		},
	}}
	s.Notices = []debate.Notice{{Code: "provider", Text: "The slash at the end of an address was taken off.", At: began}}
	return s
}

// completed returns the debate with its second round and its verdict.
func completed() debate.Session {
	s := needsContext()
	r := &s.Requests[0]
	r.State, r.Delivered = ledger.Released, []ledger.Delivery{{Revision: 1, Round: 2}}
	r.Answers = []ledger.Answer{
		{
			Revision: 1, Outcome: ledger.Answered, Content: "42 writes/s at month end", Source: "dashboard billing-writes",
			Author: ledger.Author{Kind: ledger.Person, Door: "interface"}, At: began.Add(10 * time.Minute),
		},
		{
			Revision: 2, Outcome: ledger.Answered, Content: "48 writes/s at month end", Author: ledger.Author{Kind: ledger.Person, Door: "interface"}, Correction: true,
			At: began.Add(40 * time.Minute),
		},
	}
	s.Requests = append(s.Requests, ledger.Request{
		ID: "C2", Query: "Does another process read the tables?", Round: 2, Asked: began, Priority: ledger.Optional, State: ledger.AfterVerdict,
		Asks: []ledger.Ask{{
			Turn: turn("brook", 1, 1), Query: "Does another process read the tables?",
			Reason: "It changes the locking.", Priority: ledger.Optional, At: began,
		}},
	})
	s.Interjections = []debate.Interjection{
		{N: 1, Text: "Think of the auditors.", Author: ledger.ByPerson("interface"), At: began.Add(11 * time.Minute)},
		{N: 2, Agent: "cy", Text: "Be brief.", At: began.Add(50 * time.Minute)},
	}
	two := debate.Round{
		Number: 2, Hash: "bb22", Began: began.Add(12 * time.Minute), Ended: began.Add(20 * time.Minute),
		Manifest: debate.Manifest{
			Session: id, Round: 2, Rounds: 2, Seats: []agents.ID{"ada", "brook", "cy"},
			Focus:         "What would it cost to move back?",
			FocusAuthor:   ledger.ByPerson("interface"),
			Interjections: []debate.InterjectionRef{{N: 1, Seats: []agents.ID{"ada", "brook", "cy"}}},
		},
		Responses: []debate.Response{
			said("ada", 2, "yes", 0.69, "Move.", "At 42 writes/s the writer is idle [C1].", "C1"),
			said("brook", 2, "yes", 0.71, "Move, behind one writer.", "The peak [C1] leaves room; [C9] says the same.", "C1"),
			said("cy", 2, "no", 0.4, "Stay until the report job is moved.", "It opens the live file."),
		},
	}
	two.Responses[2].Finish = agents.FinishLength
	two.Responses[2].Statement.Notes = []string{"confidence 4 was clamped to 0..1"}
	two.Responses[2].ContextFit = &debate.ContextFit{
		Limit: 100, Tokens: 90,
		Excerpts: []debate.Excerpt{{Response: "r1.s0.ada.a1", Form: debate.FormOmitted}},
	}
	s.History = append(s.History, two)
	s.Notices = append(s.Notices, debate.Notice{
		Code: "shortened", Text: "One older statement was left out for Cy.", Agent: "cy",
		Round: 2, At: began,
	})
	s.Verdict = &debate.Verdict{
		Chair: "ada", ChairName: "Ada", ChairModel: "gpt-5-mini", ChairIsMember: true, Round: 2,
		Text: "## Conclusion\nMove billing to SQLite, behind one writer [C1].\n\n| risk | answer |\n| :--- | ---: |\n| lock waits | WAL |\n",
	}
	s.FollowUps = []debate.FollowUp{
		followUp(1, debate.TurnDone, "Why?", "Because\n\n## Verdict\nof it."), followUp(2, debate.TurnRunning, "And then?", "Half an ans"),
	}
	return s
}

// followUp is a question after the verdict to Ada, with its answer.
func followUp(number int, state debate.TurnState, question, answer string) debate.FollowUp {
	of := turn("ada", 2, number)
	of.Step = debate.FollowUpStep
	said := []debate.Passage{{Text: answer}}
	return debate.FollowUp{Question: question, Response: debate.Response{Turn: of, State: state, Passages: said}}
}

// ranked returns a debate of which the members rank each other's answers.
func ranked() debate.Session {
	s := completed()
	s.Mode = debate.Mode{
		Name: "council", Summary: "seats rank each other's answers", MinSeats: 2, MaxSeats: 8, Rounds: 2, Order: debate.Parallel,
		Label: "Participant", Votes: "ranking", Phases: []debate.Phase{{Name: "ranking", Asks: debate.AsksRanking}},
	}
	for i, order := range [][]string{{"Cy", "Brook"}, {"Cy", "Ada"}, nil} {
		x := said(s.Seats[i].ID, 2, "", 0.6, "", "So I rank them.")
		x.Turn.Step, x.Phase, x.Statement.Ranking = 1, "ranking", order
		s.History[1].Responses = append(s.History[1].Responses, x)
	}
	return s
}

// withEvidence returns a debate of which members and the verdict cite evidence, rightly
// and wrongly.
func withEvidence() debate.Session {
	s := completed()
	main := "package main\n\nfunc main() {\n\tprintln(\"```\")\n}\n"
	all, err := debate.AddEvidence(nil, []debate.Evidence{
		debate.NewEvidence("main.go", debate.EvidenceFile, main, ""),
		debate.NewEvidence("standard input", debate.EvidenceDiff, "--- a/form.go\n+++ b/form.go\n@@ -0,0 +1,57 @@\n"+strings.Repeat("+line\n", 57), "Converted from UTF-16."),
		debate.NewEvidence("late.txt", debate.EvidenceFile, "late\n", ""),
	})
	if err != nil {
		panic(err)
	}
	for i := range all {
		all[i].Added = began
	}
	s.Evidence = all
	s.History[0].Manifest.Evidence, s.History[1].Manifest.Evidence = []string{"F1", "F2"}, []string{"F1", "F2"}
	s.History[0].Responses[0].Statement.Body += "\n\nIt prints a fence [F1:3-5]."
	s.History[1].Responses[0].Statement.Body += " It prints a fence [F1:3-5], see [F2], [F2:10-11] and [F9]."
	s.History[1].Responses[1].Statement.Body += " All of it [F2:2-50]; not [F1:6-7], not [F3:1]."
	s.Verdict.Text += "\nMerge it: [F1:4] is harmless, [F2:61] is not there."
	return s
}

// assisted returns a debate in which an assistant spoke for the user throughout.
func assisted() debate.Session {
	s, by := withEvidence(), ledger.Author{Kind: ledger.Assistant, Door: "claude-code"}
	s.Author, s.Evidence[0].Author, s.Interjections[0].Author, s.History[1].Manifest.FocusAuthor = by, by, by, by
	for i := range s.Requests[0].Answers {
		s.Requests[0].Answers[i].Author = by
	}
	return s
}

// running returns a debate of an assistant whose second round has not ended: Ada is done, Brook was cut
// off, Cy has not begun.
func running() debate.Session {
	s := assisted()
	s.Verdict, s.FollowUps = nil, nil
	r := &s.History[1]
	r.Ended = time.Time{}
	r.Responses = r.Responses[:2]
	r.Responses[1].State, r.Responses[1].Ended, r.Responses[1].Statement = debate.TurnRunning, time.Time{}, debate.Statement{}
	return s
}

// sessions are debates in every state that one can be in, by name.
func sessions() map[string]debate.Session {
	all := map[string]debate.Session{
		"draft": newSession(), "blocked": needsContext(), "ended": completed(),
		"ranked": ranked(), "interrupted": running(), "assisted": assisted(),
	}
	failed := needsContext()
	failed.History[0].Ended = time.Time{}
	for i := range failed.History[0].Responses {
		x := &failed.History[0].Responses[i]
		x.State, x.Statement, x.Failure = debate.TurnFailed, debate.Statement{}, &debate.TurnFailure{Cause: fmt.Sprintf("No %d.", i)}
	}
	all["failed"] = failed
	ready := needsContext()
	ready.Requests = nil
	all["ready"] = ready
	over := completed()
	over.Verdict, over.FollowUps = nil, nil
	all["without a verdict"] = over
	broke := completed()
	broke.Stopped = debate.StoppedByBudget
	all["stopped"] = broke
	unsaid := completed()
	unsaid.Verdict = &debate.Verdict{Cause: "Ada failed: no answer", Round: 2}
	all["no report"] = unsaid
	whole := completed()
	whole.History[0].Responses[1] = said("brook", 1, "no", 0.6, "Stay.", "Lock waits.")
	all["whole"] = whole
	all["with evidence"], all["review"] = withEvidence(), debatetest.Reviewed()
	return all
}
