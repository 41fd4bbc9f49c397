package debate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/internal/crash"
)

// How long summaries may take.
const (
	digestTimeout = 5 * time.Second  // one of them
	digestRound   = 10 * time.Second // all of one round, as far as somebody waits for them
)

// shortener has statements summarised, each once however many seats wait for it.
// What comes to nothing is not tried again in the same run.
type shortener struct {
	*play
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

func newShortener(p *play, s Session) *shortener {
	h := &shortener{play: p, asked: map[string]chan struct{}{}, told: map[string]bool{}}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.Fitting != nil {
				for _, c := range x.Fitting.Copies {
					h.told[c.key()] = true
				}
			}
		}
	}
	return h
}

func (c Copy) key() string { return c.Response + " " + string(c.Form) }

// fit fits a reader's prompt, waits for the summaries that it takes, and says what
// was shortened; it returns nil where nothing was. Round is the context of the
// summaries, since more than one reader may wait for them.
func (h *shortener) fit(ctx, round context.Context, r reader) *Fitting {
	for {
		f, wanted := r.fit(h.shelf(ctx))
		if len(wanted) == 0 {
			if ctx.Err() == nil { // else it is not sent
				h.tell(round, r.self, f)
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

// library is the shelf of a session: the summaries that there are by now.
type library struct {
	session Session
	digests map[string][]Digest // by response
	tried   func(id string) bool
}

func (s Session) stock(tried func(id string) bool) library {
	l := library{session: s, digests: map[string][]Digest{}, tried: tried}
	for _, d := range s.Digests {
		l.digests[d.Response] = append(l.digests[d.Response], d)
	}
	return l
}

func (l library) summary(x Response) (Digest, bool) {
	model := l.session.digester(x).Model
	for _, d := range l.digests[x.ID()] {
		if d.is(x, model) {
			return d, true
		}
	}
	return Digest{}, false
}

func (l library) pending(x Response) bool { return !l.tried(x.ID()) }

func (h *shortener) shelf(ctx context.Context) library {
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
	return s.stock(func(id string) bool { return tried[id] || ctx.Err() != nil })
}

func (h *shortener) trial(x Response) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked[x.ID()]
}

// ask starts the summary of a statement unless somebody has before.
func (h *shortener) ask(ctx context.Context, x Response) {
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
	t := agents.Turn{Session: x.Turn.Session, Round: h.current().Current().Number, Step: LightStep, Attempt: h.current().LightTurns + h.turns, Agent: x.Turn.Agent}
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
func (h *shortener) rest() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.active--; h.active == 0 {
		h.used += time.Since(h.since)
	}
}

// complain tells once a run why statements are shortened without a model.
func (h *shortener) complain(ctx context.Context, err error) {
	h.mu.Lock()
	first := err != nil && !h.failed
	h.failed = h.failed || first
	h.mu.Unlock()
	if first {
		h.notice(ctx, Notice{Code: "summary_failed", Text: fmt.Sprintf("A summary failed (%v); earlier statements are shortened without a model instead.", err), Round: h.current().Current().Number})
	}
}

// guarded makes an error of a panic, which ends the run.
func (h *shortener) guarded(ctx context.Context, t agents.Turn, x Response) (err error) {
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			err = h.broken(panicked)
		}
	}()
	return h.summarise(ctx, t, x)
}

// summarise makes one summary, in a turn of its own. The error is for people; one
// of the store ends the run.
func (h *shortener) summarise(ctx context.Context, t agents.Turn, x Response) error {
	s := h.current()
	who := asDigester(s.digester(x), x.Statement.Body)
	if m := need(who, agents.Tokens(x.Statement.Body), s.scale(who, t.Round)); !h.purse.allows(m) {
		return fmt.Errorf("the budget does not allow it")
	}
	w := &watcher{play: h.play, purpose: ForLight, who: who, response: Response{Turn: t, State: TurnRunning}}
	if err := w.begin(ctx); err != nil {
		return h.broken(err)
	}
	reply, err := w.speak(ctx, s.digestPrompt(x), nil)
	if w.err != nil {
		return h.broken(w.err)
	}
	if errors.Is(context.Cause(ctx), errLate) {
		err = &agents.SpeakError{Speaker: who, Failure: &agents.Failure{Kind: agents.KindSilence, Cause: fmt.Sprintf("%s did not summarise within %s.", who.Name, digestTimeout)}}
		ctx = context.WithoutCancel(ctx)
	}
	w.settle(ctx, reply, err)
	if d, ok := x.digest(who.Model, s.Scrubbed(summaryOf(reply)), h.Now()); err == nil && ok {
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
	h.change(func(s Session) Session {
		s.Digests = append(s.Digests[:len(s.Digests):len(s.Digests)], *w.digest)
		return s
	})
	return nil
}

// broken ends the run for an error of the store.
func (h *shortener) broken(err error) error {
	h.run.cancel(err)
	return err
}

// summaryOf is what a reply gives of a summary: whole sentences.
func summaryOf(r agents.Reply) string {
	if r.Finish == agents.FinishLength {
		return sentences(r.Text, size(r.Text))
	}
	return r.Text
}

// tell says what a fitting has shortened that was not shortened like this before.
func (h *shortener) tell(ctx context.Context, who agents.ID, f Fitting) {
	s := h.current()
	h.mu.Lock()
	var ns []Notice
	for _, c := range f.Copies {
		if !h.told[c.key()] {
			h.told[c.key()] = true
			ns = append(ns, s.shortened(c))
		}
	}
	h.mu.Unlock()
	if f.Over() {
		ns = append(ns, Notice{Code: "too_long", Agent: who, Round: s.Current().Number, Text: fmt.Sprintf(
			"The prompt of %s takes about %d tokens, %d are meant for it, and nothing is left to shorten: it is sent as it is.", s.nameOf(who), f.Tokens, f.Limit)})
	}
	if len(ns) > 0 {
		h.notice(ctx, ns...)
	}
}

// shortened says in a notice what became of a statement.
func (s Session) shortened(c Copy) Notice {
	n := Notice{Code: string(c.Form), Round: s.Current().Number}
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
	case Capped:
		n.Text = fmt.Sprintf("What %s said in round %d is handed on up to the configured length, %s.", name, round, sizes)
	case Summarised:
		n.Text = fmt.Sprintf("What %s said in round %d is handed on as a summary, %s.", name, round, sizes)
		if 100*c.To > targetMost*c.From || 100*c.To < targetLeast*c.From {
			n.Text += fmt.Sprintf(" The aim was %d to %d percent.", targetLeast, targetMost)
		}
	case KeyPoints:
		n.Text = fmt.Sprintf("What %s said in round %d is handed on as its key points, %s.", name, round, sizes)
	case CutShort:
		n.Text = fmt.Sprintf("What %s said in round %d is handed on as its beginning, %s.", name, round, sizes)
	case LeftOut:
		n.Text = fmt.Sprintf("What %s said in round %d no longer fits and is left out, %d characters.", name, round, c.From)
	}
	return n
}
