package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Request records an agent's question and announces it. It implements the interface by
// which tools reach the user. Bad input and caps are errors for the agent; an error of
// the store ends the run.
func (r *runner) Request(ctx context.Context, t agents.Turn, call string, q tools.Question) (tools.Output, error) {
	question, err := ledger.Question{Query: q.Query, Reason: q.Reason, Priority: ledger.Priority(q.Priority), Refresh: q.Refresh}.Check()
	if err != nil {
		return tools.Output{}, err
	}
	if err := ctx.Err(); err != nil {
		return tools.Output{}, err
	}
	save := context.WithoutCancel(ctx) // cancelling this seat must not fail the transaction, which would end the run
	asked, err := r.Recorder.Ask(save, t, call, question, r.current().Caps)
	switch {
	case errors.Is(err, ledger.ErrCap):
		r.mustRecordNotices(ctx, debate.Notice{Code: "context_cap", Text: fmt.Sprintf("A question from %s was refused: %v.",
			t.Agent, err), Agent: t.Agent, Round: t.Round})
		return tools.Output{}, err
	case err != nil:
		err = fmt.Errorf("record a question from %s: %w", t.Agent, err)
		r.run.cancel(err)
		return tools.Output{}, err
	}
	if asked.Fresh {
		r.update(func(s debate.Session) debate.Session { return s.WithRequest(asked.Request) })
		r.emit(debate.ContextRequested{Turn: t, Request: asked.Request, Ask: asked.Ask, Joined: asked.Joined, At: r.Now()})
	}
	return output(asked)
}

// output returns what the agent reads of the reply, and the line that the user sees.
func output(a debate.AskResult) (tools.Output, error) {
	raw, err := json.Marshal(a.Reply)
	if err != nil {
		return tools.Output{}, err
	}
	var line string
	switch a.Reply.Status {
	case ledger.StatusQueued:
		line = a.Reply.RequestID + " " + string(a.Ask.Priority)
	case ledger.StatusDuplicate:
		line = "joins " + a.Reply.RequestID
	case ledger.StatusAnswered:
		line = a.Reply.RequestID + " is answered"
	case ledger.StatusUnavailable:
		line = a.Reply.RequestID + " is unavailable"
	}
	return tools.Output{Text: string(raw), Summary: line}, nil
}
