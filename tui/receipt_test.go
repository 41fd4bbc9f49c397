package tui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// sent stands where the store stands: it knows what a debate's seats were sent,
// two requests each in round 2.
type sent struct{ session debate.Session }

func (p sent) Receipts(_ context.Context, _ string) ([]debate.Receipt, error) {
	var out []debate.Receipt
	for _, r := range p.session.History {
		for _, x := range r.Responses {
			for n := range r.Number {
				out = append(out, p.receipt(x, n+1, r.Number))
			}
		}
	}
	return out, nil
}

func (p sent) receipt(x debate.Response, n, of int) debate.Receipt {
	return debate.Receipt{
		Turn: x.Turn, N: n, Of: of, Hash: "5b1e000000000000000000000000000000000000000000000000000000c0c07a", Intact: true, Purpose: debate.ForMember, State: "done",
		Estimate: 2850, Patched: []string{}, Finish: agents.FinishStop, Usage: x.Usage, Cost: x.Cost, Sent: x.Began,
	}
}

func (p sent) Prompt(_ context.Context, _ string, t agents.Turn, n int) (agents.Request, debate.Receipt, error) {
	for _, x := range p.session.History[t.Round-1].Responses {
		if x.Turn != t {
			continue
		}
		snap, err := prompt.NewSnapshot(p.session, t.Round)
		if err != nil {
			return agents.Request{}, debate.Receipt{}, err
		}
		who, _ := p.session.Seat(t.Agent)
		req := agents.Request{
			Model: who.Model, Messages: prompt.Member(snap.Mode, snap, debate.Step{}, who).Messages(),
			Tools: []agents.ToolSpec{
				{Name: "request_context", Description: "Asks the user.", Schema: json.RawMessage(`{"type":"object"}`)},
			},
		}
		if n == 2 {
			req.Messages = append(
				req.Messages,
				agents.Message{
					Role:  agents.Assistant,
					Calls: []agents.ToolCall{{ID: "c1", Name: "request_context", Args: `{"query":"How many?"}`}},
				},
				agents.Message{Role: agents.ToolRole, CallID: "c1", Text: "Asked \x1b[2Jas C1."},
			)
		}
		return req, p.receipt(x, n, t.Round), nil
	}
	return agents.Request{}, debate.Receipt{}, fmt.Errorf("nothing was sent")
}

// sessionWithPromptedStatements is a debate of so many seats whose second round was given the statements of the first.
func sessionWithPromptedStatements(seats int) debate.Session {
	s := held(seats, 2, 4)
	s.Nonce = "n"
	s.Mode.Rules = "Say what you hold."
	for i := range s.History {
		r := &s.History[i]
		r.Manifest = debate.Manifest{Session: s.ID, Round: r.Number, Rounds: 4, Seats: s.SeatIDs()}
		for _, x := range s.History[0].Responses {
			if i > 0 {
				r.Manifest.Responses = append(r.Manifest.Responses, x.ID())
				for j := range r.Responses {
					r.Responses[j].SeenResponses = r.Manifest.Responses
				}
			}
		}
		r.Hash = r.Manifest.Hash()
	}
	return s
}

func TestReceipt_showsExactlyWhatWasSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 140, 40, withReceipts(3))
		defer r.stop()
		r.press("2", "p")
		r.sees(
			"Prompt receipt",
			"Brook · claude-sonnet (anthropic)   round 2, attempt 1, request 2 of 2",
			"sha256 5b1e00000000",
			"✓ matches what was sent",
			"patches: none",
			"round 1, 3 statements, by seat",
			"form of the statement",
			"instructions for round 2",
			"assistant calls request_context",
			"result of c1",
			"1 tool    request_context",
			"the request as a whole",
			"user · the question",
			"Should billing move to SQLite?",
			"done: 3,200 tok read, 400 written, $0.004",
		)
		r.press("j", "j")
		r.sees("user · round 1, 3 statements, by seat", "statement: seat 2, Brook (your own), round 1")
		r.press("j", "j", "j", "j")
		r.sees("tool · result of c1", "Asked as C1.")
		r.press("[") // the request before it has no such message
		r.sees("request 1 of 2")
		r.misses("result of c1")
		r.press("[")
		r.sees("round 1, attempt 1")
		r.press("[") // before those of Brook are those of Ada
		r.sees("Ada · gpt-5-mini (openai)   round 2, attempt 1, request 2 of 2")
		for range 3 {
			r.press("[")
		}
		r.sees("No more requests that way.", "Ada · gpt-5-mini (openai)   round 1")
		r.press("enter")
		r.sees("╭▸user · the question")
		r.press("esc", "esc")
		r.misses("Prompt receipt")
	})
}
