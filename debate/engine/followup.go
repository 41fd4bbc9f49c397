package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// Ask asks a follow-up question about a session that has its verdict: of an agent, or of
// the chair if to is "". The answer is made from the stored debate and stored with it; the
// verdict, the status and later rounds stay as they are. How it ended is told by the event
// FollowUpEnded. The run ends with an error if the question cannot be asked, such as a
// *debate.RefusedError, if the run was stopped, or if the store failed.
func (e *Engine) Ask(ctx context.Context, s debate.Session, to agents.ID, question string) *Run {
	return e.run(ctx, s, true, func(r *runner, ctx context.Context) error { return r.answerFollowUp(ctx, to, question) })
}

// answerFollowUp asks a follow-up question in a turn of its own, which the user can cancel.
func (r *runner) answerFollowUp(ctx context.Context, to agents.ID, question string) error {
	who, err := r.current().CheckFollowUp(to, question)
	if err != nil {
		return err
	}
	r.learnWindows(ctx)
	s := r.current()
	turn := agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.FollowUpStep, Agent: who.ID}
	for _, f := range s.FollowUps {
		turn.Attempt = max(turn.Attempt, f.Number())
	}
	turn.Attempt++
	tr := r.auxiliary(debate.ForFollowUp, turn, s.WithOutputLimit(s.SpeakerOf(debate.ForFollowUp, turn)))
	tr.question = strings.TrimSpace(question)
	built, fit, err := prompt.FollowUp(s, tr.speaker, tr.question)
	if err != nil {
		return fmt.Errorf("ask %s: %w", who.Name, err)
	}
	tr.response.ContextFit = fit
	asking, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.turns.Lock()
	r.active[turn] = cancel
	r.turns.Unlock()
	_, err = tr.play(asking, built.Messages())
	r.turns.Lock()
	delete(r.active, turn)
	r.turns.Unlock()
	return cmp.Or(err, context.Cause(ctx))
}

func (tr *turnRecorder) followUp() debate.FollowUp {
	return debate.FollowUp{Question: tr.question, Response: tr.response}
}
