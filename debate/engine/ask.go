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

// Request puts a question into the ledger and announces it: play is what the
// executor's tools reach the user through. Bad input and caps are the agent's
// errors; an error of the store ends the run.
func (p *runner) Request(ctx context.Context, t agents.Turn, call string, q tools.Question) (tools.Output, error) {
	question, err := ledger.Question{Query: q.Query, Reason: q.Reason, Priority: ledger.Priority(q.Priority), Refresh: q.Refresh}.Check()
	if err != nil {
		return tools.Output{}, err
	}
	asked, err := p.Recorder.Ask(ctx, t, call, question, p.current().Caps)
	switch {
	case errors.Is(err, ledger.ErrCap):
		p.mustRecordNotices(ctx, debate.Notice{Code: "context_cap", Text: fmt.Sprintf("A question of %s was refused: %v.", t.Agent, err), Agent: t.Agent, Round: t.Round})
		return tools.Output{}, err
	case err != nil:
		err = fmt.Errorf("record a question of %s: %w", t.Agent, err)
		p.run.cancel(err)
		return tools.Output{}, err
	}
	if asked.Fresh {
		p.update(func(s debate.Session) debate.Session { return s.WithRequest(asked.Request) })
		p.emit(debate.ContextRequested{Turn: t, Request: asked.Request, Ask: asked.Ask, Joined: asked.Joined, At: p.Now()})
	}
	return output(asked)
}

// output is what the agent reads of the reply, and the line the user sees.
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
