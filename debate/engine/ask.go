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
		r.countRefusal(t, err)
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

// refusal is why questions of a turn were refused, and how many.
type refusal struct {
	n   int
	err error
}

// countRefusal counts a refused question, for reportRefusals.
func (r *runner) countRefusal(t agents.Turn, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refusals == nil {
		r.refusals = map[agents.Turn]refusal{}
	}
	r.refusals[t] = refusal{r.refusals[t].n + 1, err}
}

// reportRefusals records one notice about all questions of a turn that were refused.
func (r *runner) reportRefusals(ctx context.Context, t agents.Turn) {
	r.mu.Lock()
	refused := r.refusals[t]
	delete(r.refusals, t)
	r.mu.Unlock()
	if refused.n == 0 {
		return
	}
	questions := fmt.Sprintf("%d questions from %s were", refused.n, t.Agent)
	if refused.n == 1 {
		questions = fmt.Sprintf("A question from %s was", t.Agent)
	}
	r.mustRecordNotices(ctx, debate.Notice{
		Code: "context_cap", Text: fmt.Sprintf("%s refused: %v.", questions, refused.err), Agent: t.Agent, Round: t.Round,
	})
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
