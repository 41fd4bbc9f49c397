package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/crash"
)

// Ask asks a follow-up question about a session that has its verdict: of an agent, or of
// the chair if to is "". The answer is made from the stored debate and stored with it; the
// verdict, the status and later rounds stay as they are. How it ended is told by the event
// FollowUpEnded. The run ends with an error if the question cannot be asked, such as a
// *debate.NoVerdictError, if the run was stopped, or if the store failed.
func (e *Engine) Ask(ctx context.Context, s debate.Session, to agents.ID, question string) *Run {
	return e.run(ctx, s, true, func(r *runner, ctx context.Context) error { return r.answerFollowUp(ctx, to, question) })
}

// answerFollowUp asks a follow-up question in a turn of its own.
func (r *runner) answerFollowUp(ctx context.Context, to agents.ID, question string) (err error) {
	who, err := r.current().CheckFollowUp(to, question)
	if err != nil {
		return err
	}
	r.learnWindows(ctx)
	s := r.current()
	who = s.WithOutputLimit(s.SpeakerOf(debate.ForFollowUp, agents.Turn{Agent: who.ID, Round: len(s.History)}))
	turn := &auxTurn{runner: r, purpose: debate.ForFollowUp, question: strings.TrimSpace(question)}
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			r.reportPanic(panicked)
			err = errors.Join(turn.storeErr(), turn.abandon(ctx, panicked))
		}
	}()
	key := agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.FollowUpStep, Attempt: nextFollowUp(s), Agent: who.ID}
	asking, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.setActive(key, cancel)
	defer r.setActive(key, nil)
	err = r.speakFollowUp(asking, turn, key, who)
	var failed *agents.SpeakError
	switch {
	case err == nil:
		return nil
	case turn.storeErr() != nil:
		return turn.storeErr()
	case ctx.Err() != nil:
		return joinErrors(context.Cause(ctx), turn.abandon(asking, err))
	case errors.As(err, &failed), asking.Err() != nil:
		return turn.abandon(asking, err)
	}
	return joinErrors(fmt.Errorf("ask %s: %w", who.Name, err), turn.abandon(asking, err))
}

// nextFollowUp returns the number of the next follow-up question of a session.
func nextFollowUp(s debate.Session) int {
	n := 0
	for _, f := range s.FollowUps {
		n = max(n, f.Number())
	}
	return n + 1
}

// speakFollowUp has the speaker answer. A turn whose provider cannot be had fails, so that
// the question is kept.
func (r *runner) speakFollowUp(ctx context.Context, turn *auxTurn, key agents.Turn, who agents.Profile) error {
	built, err := prompt.FollowUp(r.current(), who, turn.question)
	if err != nil {
		return err
	}
	turn.start(ctx, key, who)
	if turn.storeErr() != nil {
		return turn.storeErr()
	}
	client, err := r.Provider(who)
	if err != nil {
		var f *agents.Failure
		if !errors.As(err, &f) {
			f = &agents.Failure{Kind: agents.KindConfig, Cause: err.Error(), Err: err}
		}
		return &agents.SpeakError{Speaker: who, Failure: f}
	}
	speaker := agents.Agent{Profile: who, Client: client}
	_, err = speaker.Speak(ctx, key, built.Messages(), nil, func(p agents.Progress) error { return turn.observe(ctx, key, who, p) })
	return err
}

// setActive makes a follow-up one that the user can cancel, or not any more if cancel is
// nil.
func (r *runner) setActive(t agents.Turn, cancel context.CancelCauseFunc) {
	r.turns.Lock()
	defer r.turns.Unlock()
	if cancel == nil {
		delete(r.active, t)
	} else {
		r.active[t] = cancel
	}
}

// followUp returns the follow-up that the turn answers.
func (tr *turnRecorder) followUp() debate.FollowUp {
	return debate.FollowUp{Question: tr.question, Response: tr.response}
}

// addTo returns the session with the turn, which has ended.
func (tr *turnRecorder) addTo(s debate.Session) debate.Session {
	switch tr.purpose {
	case debate.ForMember:
		if s = s.WithResponse(tr.response); tr.again != nil {
			s = s.WithDue(*tr.again)
		}
		return s
	case debate.ForFollowUp:
		s.FollowUps = append(slices.Clip(s.FollowUps), tr.followUp())
	case debate.ForChair, debate.ForLight:
	}
	return s.WithAuxiliaryTurn(tr.purpose, tr.response)
}
