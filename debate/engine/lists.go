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
	"roundtable/debate/statement"
)

// listsTimeout limits how long the light model may take to name a mode's lists. A
// member's model gets seatListsTimeout, since it may be a large one.
const (
	listsTimeout     = 30 * time.Second
	seatListsTimeout = 2 * time.Minute
)

var errLateLists = errors.New("no lists in time")

// fillLists has the session's list author name the mode's lists for the question, before
// any member speaks. If that fails the mode's own lists are used, with a notice; but
// options that are not those of the question would make the debate worthless, so the
// round fails without them. Any other error is the store's or the context's.
func (r *runner) fillLists(ctx context.Context) error {
	s := r.current()
	lists := s.Mode.UnfilledLists()
	author, ok := s.ListAuthor()
	if !ok {
		return nil
	}
	text, err := r.requestLists(ctx, s, author, lists)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var failed *agents.SpeakError
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	mode := s.Mode
	if err == nil {
		mode, err = statement.ReadLists(mode, text, lists)
	} else {
		err = errors.New(strings.TrimSuffix(failed.Failure.Cause, "."))
	}
	if err != nil && slices.Contains(lists, debate.OptionsList) && !r.limiter.isExhausted() {
		return &debate.RoundFailedError{Round: 1, Unfilled: debate.OptionsList, Causes: []debate.MissingResponse{{
			Agent: author.ID, Name: author.Name, Round: 1,
			Cause: fmt.Sprintf("Named no options to compare (%v). Try again, or give them in a new debate.", err),
		}}}
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
			Text: fmt.Sprintf("%s did not name what the mode asks for (%v). Using the mode's own: %s.", author.Name, err,
				prompt.DescribeLists(mode, lists)),
		})
		return nil
	}
	r.mustRecordNotices(ctx, debate.Notice{Code: "lists", Round: 1, Text: fmt.Sprintf("%s chose for this question: %s.",
		author.Name, prompt.DescribeLists(mode, lists))})
	return nil
}

// requestLists returns the author's answer, which may be a cached one that can be read.
// If the call fails the error is an *agents.SpeakError.
func (r *runner) requestLists(ctx context.Context, s debate.Session, who agents.Profile, lists []debate.List) (string, error) {
	if who.MaxTokens == 0 {
		who.MaxTokens = 2000
	}
	prompt := prompt.ListMessages(s, lists)
	if reply, ok := s.CachedAnswer(debate.ListsStep, who.ID, agents.Agent{Profile: who}.Request(prompt, nil)); ok {
		if _, err := statement.ReadLists(s.Mode, reply.Text, lists); err == nil {
			return reply.Text, nil
		}
	}
	t := agents.Turn{Session: s.ID, Round: 1, Step: debate.ListsStep, Attempt: s.LightTurns + 1, Agent: who.ID}
	recorder := &turnRecorder{runner: r, purpose: debate.ForLight, speaker: who, response: debate.Response{
		Turn:  t,
		State: debate.TurnRunning,
	}}
	if err := recorder.begin(ctx); err != nil {
		return "", err
	}
	timeout := listsLimit(s)
	limited, cancel := context.WithTimeoutCause(ctx, timeout, errLateLists)
	defer cancel()
	reply, err := recorder.speak(limited, prompt, nil)
	if recorder.storeErr != nil {
		return "", recorder.storeErr
	}
	if ctx.Err() == nil && errors.Is(context.Cause(limited), errLateLists) {
		err = &agents.SpeakError{Speaker: who, Failure: &agents.Failure{
			Kind:  agents.KindSilence,
			Cause: fmt.Sprintf("%s did not answer within %s.", who.Name, timeout),
		}}
	}
	recorder.setResult(ctx, reply, err)
	if ended := recorder.end(ctx); ended != nil {
		return "", ended
	}
	return reply.Text, err
}

// listsLimit returns how long the list author may take.
func listsLimit(s debate.Session) time.Duration {
	author, _ := s.ListAuthor()
	if s.Light == nil {
		return lightLimit(&author, seatListsTimeout)
	}
	return lightLimit(&author, listsTimeout)
}
