package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// fillTimeout is how long the light model may take to name a mode's lists.
const listsTimeout = 30 * time.Second

var errLateLists = errors.New("no lists in time")

// fillLists has the light model name the lists of the mode that are to suit the question,
// before any member speaks. What comes to nothing leaves the mode's own, and says
// so; the error is the store's, or the end of the run.
func (p *runner) fillLists(ctx context.Context) error {
	s := p.current()
	lists := s.Mode.UnfilledLists()
	if s.Light == nil || len(lists) == 0 || len(s.History) > 1 || len(s.History[0].Responses) > 0 {
		return nil
	}
	text, err := p.requestLists(ctx, s, lists)
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
	for _, l := range lists {
		if !mode.IsGiven(l) {
			mode.Given = append(slices.Clone(mode.Given), l) // its own, for good
		}
	}
	next, stored := p.Recorder.SetMode(ctx, s.ID, mode)
	if stored != nil {
		return fmt.Errorf("keep the lists of the mode: %w", stored)
	}
	p.update(func(debate.Session) debate.Session { return next })
	if err != nil {
		p.mustRecordNotices(ctx, debate.Notice{Code: "lists", Round: 1, Text: fmt.Sprintf("%s did not name what the mode asks for (%v); the mode's own is used: %s.", s.Light.Name, err, prompt.DescribeLists(mode, lists))})
		return nil
	}
	p.mustRecordNotices(ctx, debate.Notice{Code: "lists", Round: 1, Text: fmt.Sprintf("%s names for this question: %s.", s.Light.Name, prompt.DescribeLists(mode, lists))})
	return nil
}

// requestLists is the light model's answer, also one that was stored already; an error
// of a failed call is a *agents.SpeakError.
func (p *runner) requestLists(ctx context.Context, s debate.Session, lists []debate.List) (string, error) {
	who := s.WithOutputLimit(*s.Light)
	if who.MaxTokens == 0 {
		who.MaxTokens = 2000
	}
	prompt := prompt.ListMessages(s, lists)
	if reply, ok := s.CachedAnswer(debate.ListsStep, who.ID, agents.Agent{Profile: who}.Request(prompt, nil)); ok {
		return reply.Text, nil
	}
	t := agents.Turn{Session: s.ID, Round: 1, Step: debate.ListsStep, Attempt: s.LightTurns + 1, Agent: who.ID}
	w := &turnRecorder{runner: p, purpose: debate.ForLight, speaker: who, response: debate.Response{Turn: t, State: debate.TurnRunning}}
	if err := w.begin(ctx); err != nil {
		return "", err
	}
	limited, cancel := context.WithTimeoutCause(ctx, listsTimeout, errLateLists)
	defer cancel()
	reply, err := w.speak(limited, prompt, nil)
	if w.storeErr != nil {
		return "", w.storeErr
	}
	if ctx.Err() == nil && errors.Is(context.Cause(limited), errLateLists) {
		err = &agents.SpeakError{Speaker: who, Failure: &agents.Failure{Kind: agents.KindSilence, Cause: fmt.Sprintf("%s did not answer within %s.", who.Name, listsTimeout)}}
	}
	w.setResult(ctx, reply, err)
	if ended := w.end(ctx); ended != nil {
		return "", ended
	}
	p.update(func(s debate.Session) debate.Session {
		s.LightTurns++
		return s
	})
	return reply.Text, err
}
