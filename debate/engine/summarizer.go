package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/crash"
)

// How long summaries may take.
const (
	summaryTimeout   = 5 * time.Second  // one of them
	roundSummaryTime = 10 * time.Second // all of one round, as far as somebody waits for them
)

// summarizer has statements summarised, each once however many seats wait for it.
// What comes to nothing is not tried again in the same run.
type summarizer struct {
	*runner
	jobs             sync.WaitGroup
	mu               sync.Mutex
	attempts         map[string]chan struct{} // by response; closed when it has been tried
	announced        map[string]bool          // copies of which the user knows
	failureAnnounced bool                     // and that there are no summaries
	turns            int                      // of the light model in this run
	active           int                      // calls under way,
	activeSince      time.Time                // since when without a break,
	activeTime       time.Duration            // and how long there were any before
}

func newSummarizer(p *runner, s debate.Session) *summarizer {
	h := &summarizer{runner: p, attempts: map[string]chan struct{}{}, announced: map[string]bool{}}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.ContextFit != nil {
				for _, c := range x.ContextFit.Excerpts {
					h.announced[excerptKey(c)] = true
				}
			}
		}
	}
	return h
}

func excerptKey(c debate.Excerpt) string { return c.Response + " " + string(c.Form) }

// fit fits a reader's prompt, waits for the summaries that it takes, and says what
// was shortened; it returns nil where nothing was. Round is the context of the
// summaries, since more than one reader may wait for them.
func (h *summarizer) fit(ctx, round context.Context, r prompt.Fitter) *debate.ContextFit {
	for {
		f, wanted := r.Fit(h.cache(ctx))
		if len(wanted) == 0 {
			if ctx.Err() == nil { // else it is not sent
				h.announce(round, r.Speaker(), f)
			}
			if len(f.Excerpts) == 0 {
				return nil
			}
			return &f
		}
		for _, x := range wanted {
			h.start(round, x)
		}
		for _, x := range wanted {
			select {
			case <-h.attempt(x):
			case <-ctx.Done():
			}
		}
	}
}

func (h *summarizer) cache(ctx context.Context) prompt.SummaryCache {
	s := h.current()
	h.mu.Lock()
	defer h.mu.Unlock()
	tried := make(map[string]bool, len(h.attempts))
	for id, done := range h.attempts {
		select {
		case <-done:
			tried[id] = true
		default:
		}
	}
	return prompt.NewSummaryCache(s, func(id string) bool { return tried[id] || ctx.Err() != nil })
}

func (h *summarizer) attempt(x debate.Response) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.attempts[x.ID()]
}

// start starts the summary of a statement unless somebody has before.
func (h *summarizer) start(ctx context.Context, x debate.Response) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.attempts[x.ID()] != nil {
		return
	}
	done := make(chan struct{})
	h.attempts[x.ID()] = done
	left := roundSummaryTime - h.activeTime
	if h.active > 0 {
		left -= time.Since(h.activeSince)
	}
	if left <= 0 {
		close(done)
		return
	}
	if h.active++; h.active == 1 {
		h.activeSince = time.Now()
	}
	h.turns++
	t := agents.Turn{Session: x.Turn.Session, Round: h.current().Current().Number, Step: debate.SummaryStep, Attempt: h.current().LightTurns + h.turns, Agent: x.Turn.Agent}
	h.jobs.Go(func() {
		defer close(done)
		defer h.callEnded()
		limited, cancel := context.WithTimeoutCause(ctx, min(summaryTimeout, left), errLateSummary)
		defer cancel()
		if err := h.summarizeGuarded(limited, t, x); ctx.Err() == nil {
			h.announceFailure(ctx, err)
		}
	})
}

var errLateSummary = errors.New("no summary in time")

// callEnded notes that a call has ended.
func (h *summarizer) callEnded() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.active--; h.active == 0 {
		h.activeTime += time.Since(h.activeSince)
	}
}

// announceFailure tells once a run why statements are shortened without a model.
func (h *summarizer) announceFailure(ctx context.Context, err error) {
	h.mu.Lock()
	first := err != nil && !h.failureAnnounced
	h.failureAnnounced = h.failureAnnounced || first
	h.mu.Unlock()
	if first {
		h.mustRecordNotices(ctx, debate.Notice{Code: "summary_failed", Text: fmt.Sprintf("A summary failed (%v); earlier statements are shortened without a model instead.", err), Round: h.current().Current().Number})
	}
}

// summarizeGuarded makes an error of a panic, which ends the run.
func (h *summarizer) summarizeGuarded(ctx context.Context, t agents.Turn, x debate.Response) (err error) {
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			err = h.failRun(panicked)
		}
	}()
	return h.summarize(ctx, t, x)
}

// summarize makes one summary, in a turn of its own. The error is for people; one
// of the store ends the run.
func (h *summarizer) summarize(ctx context.Context, t agents.Turn, x debate.Response) error {
	s := h.current()
	who := prompt.SummarySpeaker(s, x)
	if m := worstCase(who, agents.Tokens(x.Statement.Body), s.TokenScale(who, t.Round)); !h.limiter.allows(m) {
		return fmt.Errorf("the budget does not allow it")
	}
	w := &turnRecorder{runner: h.runner, purpose: debate.ForLight, speaker: who, response: debate.Response{Turn: t, State: debate.TurnRunning}}
	if err := w.begin(ctx); err != nil {
		return h.failRun(err)
	}
	reply, err := w.speak(ctx, prompt.SummaryMessages(s, x), nil)
	if w.storeErr != nil {
		return h.failRun(w.storeErr)
	}
	if errors.Is(context.Cause(ctx), errLateSummary) {
		err = &agents.SpeakError{Speaker: who, Failure: &agents.Failure{Kind: agents.KindSilence, Cause: fmt.Sprintf("%s did not summarise within %s.", who.Name, summaryTimeout)}}
		ctx = context.WithoutCancel(ctx)
	}
	w.setResult(ctx, reply, err)
	if d, ok := prompt.NewStatementSummary(s, x, who.Model, reply, h.Now()); err == nil && ok {
		w.summary = &d
	}
	if err := w.end(ctx); err != nil {
		return h.failRun(err)
	}
	switch {
	case err != nil:
		return err
	case w.summary == nil:
		return fmt.Errorf("what %s wrote is blank or more than half as long as the statement", who.Name)
	}
	h.update(func(s debate.Session) debate.Session {
		s.Summaries = append(s.Summaries[:len(s.Summaries):len(s.Summaries)], *w.summary)
		return s
	})
	return nil
}

// failRun ends the run for an error of the store.
func (h *summarizer) failRun(err error) error {
	h.run.cancel(err)
	return err
}

// announce says what a fitting has shortened that was not shortened like this before.
func (h *summarizer) announce(ctx context.Context, who agents.ID, f debate.ContextFit) {
	s := h.current()
	h.mu.Lock()
	var ns []debate.Notice
	for _, c := range f.Excerpts {
		if !h.announced[excerptKey(c)] {
			h.announced[excerptKey(c)] = true
			ns = append(ns, prompt.ExcerptNotice(s, c))
		}
	}
	h.mu.Unlock()
	if f.Overflows() {
		ns = append(ns, debate.Notice{Code: "too_long", Agent: who, Round: s.Current().Number, Text: fmt.Sprintf(
			"The prompt of %s takes about %d tokens, %d are meant for it, and nothing is left to shorten: it is sent as it is.", s.NameOf(who), f.Tokens, f.Limit)})
	}
	if len(ns) > 0 {
		h.mustRecordNotices(ctx, ns...)
	}
}
