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
	digestTimeout = 5 * time.Second  // one of them
	digestRound   = 10 * time.Second // all of one round, as far as somebody waits for them
)

// summarizer has statements summarised, each once however many seats wait for it.
// What comes to nothing is not tried again in the same run.
type summarizer struct {
	*runner
	jobs   sync.WaitGroup
	mu     sync.Mutex
	asked  map[string]chan struct{} // by response; closed when it has been tried
	told   map[string]bool          // copies of which the user knows
	failed bool                     // and that there are no summaries
	turns  int                      // of the light model in this run
	active int                      // calls under way,
	since  time.Time                // since when without a break,
	used   time.Duration            // and how long there were any before
}

func newShortener(p *runner, s debate.Session) *summarizer {
	h := &summarizer{runner: p, asked: map[string]chan struct{}{}, told: map[string]bool{}}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.Fitting != nil {
				for _, c := range x.Fitting.Copies {
					h.told[key(c)] = true
				}
			}
		}
	}
	return h
}

func key(c debate.Excerpt) string { return c.Response + " " + string(c.Form) }

// fit fits a reader's prompt, waits for the summaries that it takes, and says what
// was shortened; it returns nil where nothing was. Round is the context of the
// summaries, since more than one reader may wait for them.
func (h *summarizer) fit(ctx, round context.Context, r prompt.Reader) *debate.ContextFit {
	for {
		f, wanted := r.Fit(h.shelf(ctx))
		if len(wanted) == 0 {
			if ctx.Err() == nil { // else it is not sent
				h.tell(round, r.Self, f)
			}
			if len(f.Copies) == 0 {
				return nil
			}
			return &f
		}
		for _, x := range wanted {
			h.ask(round, x)
		}
		for _, x := range wanted {
			select {
			case <-h.trial(x):
			case <-ctx.Done():
			}
		}
	}
}

func (h *summarizer) shelf(ctx context.Context) prompt.SummaryCache {
	s := h.current()
	h.mu.Lock()
	defer h.mu.Unlock()
	tried := make(map[string]bool, len(h.asked))
	for id, done := range h.asked {
		select {
		case <-done:
			tried[id] = true
		default:
		}
	}
	return prompt.NewSummaryCache(s, func(id string) bool { return tried[id] || ctx.Err() != nil })
}

func (h *summarizer) trial(x debate.Response) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked[x.ID()]
}

// ask starts the summary of a statement unless somebody has before.
func (h *summarizer) ask(ctx context.Context, x debate.Response) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.asked[x.ID()] != nil {
		return
	}
	done := make(chan struct{})
	h.asked[x.ID()] = done
	left := digestRound - h.used
	if h.active > 0 {
		left -= time.Since(h.since)
	}
	if left <= 0 {
		close(done)
		return
	}
	if h.active++; h.active == 1 {
		h.since = time.Now()
	}
	h.turns++
	t := agents.Turn{Session: x.Turn.Session, Round: h.current().Current().Number, Step: debate.LightStep, Attempt: h.current().LightTurns + h.turns, Agent: x.Turn.Agent}
	h.jobs.Go(func() {
		defer close(done)
		defer h.rest()
		limited, cancel := context.WithTimeoutCause(ctx, min(digestTimeout, left), errLate)
		defer cancel()
		if err := h.guarded(limited, t, x); ctx.Err() == nil {
			h.complain(ctx, err)
		}
	})
}

var errLate = errors.New("no summary in time")

// rest notes that a call has ended.
func (h *summarizer) rest() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.active--; h.active == 0 {
		h.used += time.Since(h.since)
	}
}

// complain tells once a run why statements are shortened without a model.
func (h *summarizer) complain(ctx context.Context, err error) {
	h.mu.Lock()
	first := err != nil && !h.failed
	h.failed = h.failed || first
	h.mu.Unlock()
	if first {
		h.notice(ctx, debate.Notice{Code: "summary_failed", Text: fmt.Sprintf("A summary failed (%v); earlier statements are shortened without a model instead.", err), Round: h.current().Current().Number})
	}
}

// guarded makes an error of a panic, which ends the run.
func (h *summarizer) guarded(ctx context.Context, t agents.Turn, x debate.Response) (err error) {
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			err = h.broken(panicked)
		}
	}()
	return h.summarise(ctx, t, x)
}

// summarise makes one summary, in a turn of its own. The error is for people; one
// of the store ends the run.
func (h *summarizer) summarise(ctx context.Context, t agents.Turn, x debate.Response) error {
	s := h.current()
	who := prompt.AsSummarizer(prompt.Summarizer(s, x), x.Statement.Body)
	if m := need(who, agents.Tokens(x.Statement.Body), s.TokenScale(who, t.Round)); !h.purse.allows(m) {
		return fmt.Errorf("the budget does not allow it")
	}
	w := &turnRecorder{runner: h.runner, purpose: debate.ForLight, who: who, response: debate.Response{Turn: t, State: debate.TurnRunning}}
	if err := w.begin(ctx); err != nil {
		return h.broken(err)
	}
	reply, err := w.speak(ctx, prompt.SummaryMessages(s, x), nil)
	if w.err != nil {
		return h.broken(w.err)
	}
	if errors.Is(context.Cause(ctx), errLate) {
		err = &agents.SpeakError{Speaker: who, Failure: &agents.Failure{Kind: agents.KindSilence, Cause: fmt.Sprintf("%s did not summarise within %s.", who.Name, digestTimeout)}}
		ctx = context.WithoutCancel(ctx)
	}
	w.settle(ctx, reply, err)
	if d, ok := prompt.NewStatementSummary(x, who.Model, prompt.Scrub(s, summaryOf(reply)), h.Now()); err == nil && ok {
		w.digest = &d
	}
	if err := w.end(ctx); err != nil {
		return h.broken(err)
	}
	switch {
	case err != nil:
		return err
	case w.digest == nil:
		return fmt.Errorf("what %s wrote is blank or more than half as long as the statement", who.Name)
	}
	h.change(func(s debate.Session) debate.Session {
		s.Digests = append(s.Digests[:len(s.Digests):len(s.Digests)], *w.digest)
		return s
	})
	return nil
}

// broken ends the run for an error of the store.
func (h *summarizer) broken(err error) error {
	h.run.cancel(err)
	return err
}

// summaryOf is what a reply gives of a summary: whole sentences.
func summaryOf(r agents.Reply) string {
	if r.Finish == agents.FinishLength {
		return prompt.Sentences(r.Text, prompt.Size(r.Text))
	}
	return r.Text
}

// tell says what a fitting has shortened that was not shortened like this before.
func (h *summarizer) tell(ctx context.Context, who agents.ID, f debate.ContextFit) {
	s := h.current()
	h.mu.Lock()
	var ns []debate.Notice
	for _, c := range f.Copies {
		if !h.told[key(c)] {
			h.told[key(c)] = true
			ns = append(ns, shortened(s, c))
		}
	}
	h.mu.Unlock()
	if f.Over() {
		ns = append(ns, debate.Notice{Code: "too_long", Agent: who, Round: s.Current().Number, Text: fmt.Sprintf(
			"The prompt of %s takes about %d tokens, %d are meant for it, and nothing is left to shorten: it is sent as it is.", s.NameOf(who), f.Tokens, f.Limit)})
	}
	if len(ns) > 0 {
		h.notice(ctx, ns...)
	}
}

// shortened says in a notice what became of a statement.
func shortened(s debate.Session, c debate.Excerpt) debate.Notice {
	n := debate.Notice{Code: string(c.Form), Round: s.Current().Number}
	name, round := "", 0
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.ID() == c.Response {
				p, _ := s.Seat(x.Turn.Agent)
				n.Agent, name, round = p.ID, p.Name, r.Number
			}
		}
	}
	sizes := fmt.Sprintf("%d of %d characters", c.To, c.From)
	switch c.Form {
	case prompt.Capped:
		n.Text = fmt.Sprintf("What %s said in round %d is handed on up to the configured length, %s.", name, round, sizes)
	case prompt.Summarised:
		n.Text = fmt.Sprintf("What %s said in round %d is handed on as a summary, %s.", name, round, sizes)
		if 100*c.To > prompt.TargetMost*c.From || 100*c.To < prompt.TargetLeast*c.From {
			n.Text += fmt.Sprintf(" The aim was %d to %d percent.", prompt.TargetLeast, prompt.TargetMost)
		}
	case prompt.KeyPoints:
		n.Text = fmt.Sprintf("What %s said in round %d is handed on as its key points, %s.", name, round, sizes)
	case prompt.CutShort:
		n.Text = fmt.Sprintf("What %s said in round %d is handed on as its beginning, %s.", name, round, sizes)
	case prompt.LeftOut:
		n.Text = fmt.Sprintf("What %s said in round %d no longer fits and is left out, %d characters.", name, round, c.From)
	}
	return n
}
