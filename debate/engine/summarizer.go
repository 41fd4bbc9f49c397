package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/prompt"
	"roundtable/internal/crash"
	"roundtable/internal/text"
)

const (
	summaryTimeout   = 30 * time.Second // for one request that has its place at the provider
	roundSummaryTime = 45 * time.Second // for all summaries of a round, and their waits for a place
)

// summarizer has statements summarized, each once however many seats wait for it. A
// summary that failed is not tried again in the same run.
type summarizer struct {
	*runner
	jobs             sync.WaitGroup
	mu               sync.Mutex
	attempts         map[string]chan struct{} // by response; closed when the attempt has ended
	failureAnnounced bool                     // the user was told that summaries fail
	lastAttempt      int                      // of the light model before this run
	fitting          sync.Mutex               // held while a prompt is fitted
	active           int                      // calls under way
	activeSince      time.Time                // when active last became positive
	activeTime       time.Duration            // earlier time with calls under way
}

func newSummarizer(r *runner, s debate.Session) *summarizer {
	return &summarizer{runner: r, attempts: map[string]chan struct{}{}, lastAttempt: s.LightAttempt}
}

// fit fits a prompt, waits for the summaries that it needs, and announces what was
// shortened. It returns nil if nothing was. Round is the context of the summaries, as
// several readers may wait for the same one.
func (sm *summarizer) fit(ctx, round context.Context, fitter prompt.Fitter) *debate.ContextFit {
	for {
		fit, wanted := sm.fitOne(ctx, fitter)
		if len(wanted) == 0 {
			if ctx.Err() == nil { // otherwise it is not sent
				sm.announce(round, fitter.Speaker(), fit)
			}
			if len(fit.Excerpts) == 0 && fit.Evidence == 0 {
				return nil
			}
			return &fit
		}
		made := text.Each(wanted, func(x debate.Response) <-chan struct{} { return sm.start(round, x) })
		for _, done := range made {
			select {
			case <-done:
			case <-ctx.Done():
			}
		}
	}
}

// fitOne fits one prompt at a time: each is built in full to learn its size, and all
// seats do that at once.
func (sm *summarizer) fitOne(ctx context.Context, fitter prompt.Fitter) (debate.ContextFit, []debate.Response) {
	sm.fitting.Lock()
	defer sm.fitting.Unlock()
	tried := map[string]bool{}
	sm.mu.Lock()
	for id, done := range sm.attempts {
		select {
		case <-done:
			tried[id] = true
		default:
		}
	}
	sm.mu.Unlock()
	return fitter.Fit(sm.current(), func(id string) bool { return tried[id] || ctx.Err() != nil })
}

// start starts the summary of a statement unless it has been started. It returns a channel that
// is closed when the attempt has ended.
func (sm *summarizer) start(ctx context.Context, x debate.Response) <-chan struct{} {
	sm.mu.Lock()
	defer sm.mu.Unlock()
	if done := sm.attempts[x.ID()]; done != nil {
		return done
	}
	done := make(chan struct{})
	sm.attempts[x.ID()] = done
	remaining := roundSummaryTime - sm.activeTime
	if sm.active > 0 {
		remaining -= time.Since(sm.activeSince)
	}
	if remaining <= 0 {
		close(done)
		return done
	}
	if sm.active++; sm.active == 1 {
		sm.activeSince = time.Now()
	}
	t := sm.turnOf(x)
	sm.jobs.Go(func() {
		defer close(done)
		defer sm.callEnded()
		limited, cancel := context.WithTimeoutCause(ctx, remaining, errLateSummary)
		defer cancel()
		problem, err := sm.summarize(limited, t, x)
		if err != nil {
			sm.run.cancel(err)
		}
		if problem != "" && ctx.Err() == nil {
			sm.announceFailure(ctx, problem)
		}
	})
	return done
}

// turnOf returns the turn that summarizes a statement. Its attempt is counted by the turns
// of the statement's author, so that it does not depend on which seat asks first.
func (sm *summarizer) turnOf(x debate.Response) agents.Turn {
	s := sm.current()
	n := 0
	for _, round := range s.History {
		for _, y := range round.Responses {
			a, b := y.Turn, x.Turn
			if a.Agent == b.Agent && cmp.Or(a.Round-b.Round, a.Step-b.Step, a.Attempt-b.Attempt) <= 0 {
				n++
			}
		}
	}
	return agents.Turn{
		Session: x.Turn.Session, Round: s.Current().Number, Step: debate.SummaryStep,
		Attempt: sm.lastAttempt + n, Agent: x.Turn.Agent,
	}
}

var errLateSummary = &agents.Failure{Kind: agents.KindSilence, Cause: "No summary came in time."}

func (sm *summarizer) callEnded() {
	sm.mu.Lock()
	defer sm.mu.Unlock()
	if sm.active--; sm.active == 0 {
		sm.activeTime += time.Since(sm.activeSince)
	}
}

// announceFailure says once a run why statements are shortened without a model.
func (sm *summarizer) announceFailure(ctx context.Context, problem string) {
	sm.mu.Lock()
	first := !sm.failureAnnounced
	sm.failureAnnounced = true
	sm.mu.Unlock()
	if first {
		sm.note(ctx, debate.Notice{
			Code: "summary_failed",
			Text: fmt.Sprintf("A summary failed (%s). Earlier statements are shortened without a model instead.",
				problem), Round: sm.current().Current().Number,
		})
	}
}

// summarize makes a summary in a separate turn, or says why it could not. The error is the
// store's, or a panic.
func (sm *summarizer) summarize(ctx context.Context, t agents.Turn, x debate.Response) (problem string, err error) {
	defer crash.Catch(&err)
	s := sm.current()
	who := prompt.SummarySpeaker(s, x)
	if m := worstCase(who, agents.Tokens(x.Statement.Body), budget.TokenScale(s, who, t.Round)); !sm.limiter.allows(m) {
		return "the budget does not allow one", nil
	}
	recorder := sm.auxiliary(debate.ForLight, t, who)
	recorder.answered = func(reply agents.Reply) {
		if summary, ok := prompt.NewStatementSummary(s, x, who.Model, reply, sm.Now()); ok {
			recorder.summary = &summary
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	recorder.onPlace = limitWithPlace(summaryTimeout, func() { cancel(errLateSummary) })
	defer recorder.onPlace(true) // ends the limit
	if _, err := recorder.play(ctx, prompt.SummaryMessages(s, x)); err != nil {
		return "", err
	}
	switch f := recorder.response.Failure; {
	case f != nil:
		return who.Name + ": " + strings.TrimSuffix(causeText(f), "."), nil
	case recorder.summary == nil:
		return who.Name + " returned no text, or more than half the statement's length", nil
	}
	sm.update(func(s debate.Session) debate.Session {
		s.Summaries = append(s.Summaries[:len(s.Summaries):len(s.Summaries)], *recorder.summary)
		return s
	})
	return "", nil
}

// limitWithPlace calls late once a request has taken d, not counting its wait for a place
// at the provider, of which the function that it returns is told.
func limitWithPlace(d time.Duration, late func()) (onPlace func(awaited bool)) {
	timer := time.AfterFunc(d, late)
	return func(awaited bool) {
		if timer.Stop(); !awaited {
			timer.Reset(d)
		}
	}
}

// announce records notices for what a fit shortens in a new way.
func (sm *summarizer) announce(ctx context.Context, who agents.ID, fit debate.ContextFit) {
	s := sm.current()
	for _, e := range fit.Excerpts {
		sm.noteOnce(ctx, prompt.ExcerptNotice(s, e))
	}
	if fit.Overflows() {
		sm.note(ctx, debate.Notice{Code: "too_long", Agent: who, Round: s.Current().Number, Text: fmt.Sprintf(
			"The prompt for %s has about %d tokens, over its limit of %d. Nothing more can be shortened, so it is sent as it is.",
			s.NameOf(who), fit.Tokens, fit.Limit)})
	}
}
