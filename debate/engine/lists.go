package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// listsTimeout limits how long the light model may take to name a mode's lists.
const listsTimeout = 30 * time.Second

var errLateLists = errors.New("no lists in time")

// fillLists has the light model name the mode's lists for the question, before any
// member speaks. If that fails the mode's own lists are used, with a notice. The error
// is the store's or the context's.
func (r *runner) fillLists(ctx context.Context) error {
	s := r.current()
	lists := s.Mode.UnfilledLists()
	text, err := r.requestLists(ctx, s, lists)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var failed *agents.SpeakError
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	mode := s.Mode
	if err == nil {
		mode, err = mode.ReadLists(text, lists)
	} else {
		err = errors.New(strings.TrimSuffix(failed.Failure.Cause, "."))
	}
	mode = mode.FilledFrom(s.Mode, lists) // also if that failed: the mode's own are kept from now on
	if stored := r.commit(ctx, func(ctx context.Context) (debate.Session, error) {
		return r.Recorder.SetMode(ctx, s.ID, mode)
	}); stored != nil {
		return fmt.Errorf("save the lists of the mode: %w", stored)
	}
	if err != nil {
		r.mustRecordNotices(ctx, debate.Notice{
			Code: "lists", Round: 1,
			Text: fmt.Sprintf("%s did not name what the mode asks for (%v). Using the mode's own: %s.", s.Light.Name, err,
				prompt.DescribeLists(mode, lists)),
		})
		return nil
	}
	r.mustRecordNotices(ctx, debate.Notice{Code: "lists", Round: 1, Text: fmt.Sprintf("%s chose for this question: %s.",
		s.Light.Name, prompt.DescribeLists(mode, lists))})
	return nil
}

// requestLists returns the light model's answer, which may be a cached one. If the call
// fails the error is an *agents.SpeakError.
func (r *runner) requestLists(ctx context.Context, s debate.Session, lists []debate.List) (string, error) {
	who := s.WithOutputLimit(*s.Light)
	if who.MaxTokens == 0 {
		who.MaxTokens = 2000
	}
	prompt := prompt.ListMessages(s, lists)
	if reply, ok := s.CachedAnswer(debate.ListsStep, who.ID, agents.Agent{Profile: who}.Request(prompt, nil)); ok {
		return reply.Text, nil
	}
	t := agents.Turn{Session: s.ID, Round: 1, Step: debate.ListsStep, Attempt: s.LightTurns + 1, Agent: who.ID}
	recorder := &turnRecorder{runner: r, purpose: debate.ForLight, speaker: who, response: debate.Response{
		Turn:  t,
		State: debate.TurnRunning,
	}}
	if err := recorder.begin(ctx); err != nil {
		return "", err
	}
	limited, cancel := context.WithTimeoutCause(ctx, listsTimeout, errLateLists)
	defer cancel()
	reply, err := recorder.speak(limited, prompt, nil)
	if recorder.storeErr != nil {
		return "", recorder.storeErr
	}
	if ctx.Err() == nil && errors.Is(context.Cause(limited), errLateLists) {
		err = &agents.SpeakError{Speaker: who, Failure: &agents.Failure{
			Kind:  agents.KindSilence,
			Cause: fmt.Sprintf("%s did not answer within %s.", who.Name, listsTimeout),
		}}
	}
	recorder.setResult(ctx, reply, err)
	if ended := recorder.end(ctx); ended != nil {
		return "", ended
	}
	return reply.Text, err
}
