package tui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/tui"
	"roundtable/tui/debateview"
	"roundtable/tui/home"
	"roundtable/tui/setup"
)

// scripted stands where engine and store stand in the program: it hands out
// runs whose events the test sends, and keeps sessions in memory.
type scripted struct {
	mu         sync.Mutex
	list       []debate.SessionSummary
	sessions   map[string]debate.Session
	runs       []*run
	calls      []string // what was asked of it, in order
	fail       error    // of the next thing that is to be saved
	offer      setup.Options
	focus      debate.Focus // question of the next round
	poor       func(debate.Session) error
	typed      debate.Draft // for a new debate
	closing    func()       // before a lock is given back; nil: nothing
	draft      debate.Draft // that was saved last
	created    debate.Session
	unreadable error          // why the list cannot be read
	holder     *debate.Holder // the process that has all sessions open; nil: none has
	unread     error          // of Read
	searched   []home.Query
	hits       []home.Hit      // of every search
	delays     []time.Duration // of the next saves of what is typed
}

// run is a run whose events the test sends.
type run struct {
	session debate.Session
	events  chan debate.Event
	stopped chan struct{}
	over    chan struct{}
	once    sync.Once
	ending  sync.Once

	mu    sync.Mutex
	asked []string // what was asked of it, in order

	paused atomic.Bool
}

func (r *run) Events() <-chan debate.Event { return r.events }
func (r *run) Cancel(t agents.Turn)        { r.ask("cancel", t.Agent) }
func (r *run) Pause(on bool)               { r.paused.Store(on) }
func (r *run) End()                        { r.ask("end", "") }
func (r *run) Retry(id agents.ID)          { r.ask("retry", id) }
func (r *run) RetryNow(id agents.ID)       { r.ask("now", id) }
func (r *run) Decide(call string, a debate.Approval) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, fmt.Sprintf("decide %s %s %q", call, a.Choice, a.Reason))
}

// ask is called by the program while the test looks on.
func (r *run) ask(what string, id agents.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, what+" "+string(id))
}

// wasAsked is what the program has asked of the run, in order.
func (r *run) wasAsked() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.asked, ", ")
}

// Stop ends the run as the engine does: the channel gets its last event and is closed.
func (r *run) Stop() { r.once.Do(func() { close(r.stopped) }) }

// end is the last event of a run.
func (r *run) end(s debate.Session, err error) {
	select {
	case <-r.over:
		return
	default:
	}
	r.events <- debate.RunEnded{Session: s, Err: err}
	close(r.events)
	close(r.over)
}

// finish lets a run end when the program stops it.
func finish(run *run) {
	run.ending.Do(func() {
		go func() {
			select {
			case <-run.over:
			case <-run.stopped:
				run.end(run.session, context.Canceled)
			}
		}()
	})
}

func (s *scripted) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, fmt.Sprintf(format, args...))
}

// saves lets a save of what is typed take its time.
func (s *scripted) saves() {
	s.mu.Lock()
	d := time.Duration(0)
	if len(s.delays) > 0 {
		d, s.delays = s.delays[0], s.delays[1:]
	}
	s.mu.Unlock()
	time.Sleep(d)
}

// set changes the script while the program runs.
func (s *scripted) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// fails has the next thing that is to be saved fail.
func (s *scripted) fails(why string) { s.set(func() { s.fail = errors.New(why) }) }

// did reports whether something was asked of it.
func (s *scripted) did(call string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.calls, call)
}

func (s *scripted) play(what string, d debate.Session) control.Run {
	s.note("%s", what)
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &run{session: d, events: make(chan debate.Event, 4096), stopped: make(chan struct{}), over: make(chan struct{})}
	s.runs = append(s.runs, r)
	return r
}

// current is the newest run.
func (s *scripted) current() *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs[len(s.runs)-1]
}

func (s *scripted) Start(_ context.Context, d debate.Session) control.Run {
	return s.play(fmt.Sprintf("start %d", d.Next()), d)
}

func (s *scripted) GoOn(_ context.Context, d debate.Session) control.Run {
	return s.play("go on", d)
}

func (s *scripted) Retry(_ context.Context, d debate.Session, id agents.ID) control.Run {
	return s.play("retry "+string(id), d)
}

func (s *scripted) Conclude(_ context.Context, d debate.Session) control.Run {
	return s.play("conclude", d)
}

func (s *scripted) Ask(_ context.Context, d debate.Session, to agents.ID, question string) control.Run {
	return s.play(fmt.Sprintf("ask %q %s", to, question), d)
}

func (s *scripted) Affords(d debate.Session) error {
	if s.poor != nil {
		return s.poor(d)
	}
	return nil
}

func (s *scripted) Models(debate.Session) []agents.Profile {
	price := 2.0
	return []agents.Profile{{Provider: "openai", Model: "gpt-x", PriceIn: &price, PriceOut: &price}}
}

// ChangeSeat gives a seat of the session another model.
func (s *scripted) ChangeSeat(_ context.Context, id string, seat agents.ID, model agents.Profile) (debate.Session, error) {
	s.note("change %s of %s to %s", seat, id, model.Model)
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.sessions[id]
	c, err := d.ChangeSeat(seat, model)
	if err == nil {
		d = d.WithSeatChange(c)
		s.sessions[id] = d
	}
	return d, err
}

// SetBudget gives the session other caps.
func (s *scripted) SetBudget(_ context.Context, id string, b debate.Budget) (debate.Session, error) {
	s.note("budget %s", b)
	d := s.sessions[id].WithBudget(b)
	s.sessions[id] = d
	return d, s.fail
}

func (s *scripted) Sessions(context.Context) ([]debate.SessionSummary, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list, s.unreadable
}

func (s *scripted) Search(_ context.Context, q home.Query) ([]home.Hit, error) {
	time.Sleep(4 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.searched = append(s.searched, q)
	return s.hits, nil
}

func (s *scripted) Open(_ context.Context, id string) (debate.Session, error) {
	s.note("open %s", id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holder != nil {
		return debate.Session{}, debate.ErrLocked
	}
	d, ok := s.sessions[id]
	if !ok {
		return d, debate.ErrNoSession
	}
	return d, nil
}

// Read reads a session that another process has open, if one has.
func (s *scripted) Read(_ context.Context, id string, since time.Time) (d debate.Session, by *debate.Holder, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holder != nil && s.sessions[id].Updated.After(since) {
		d = s.sessions[id]
	}
	return d, s.holder, s.unread
}

func (s *scripted) Close(id string) error {
	if s.closing != nil {
		s.closing()
	}
	s.note("close %s", id)
	return nil
}

func (s *scripted) Session(_ context.Context, id string) (debate.Session, error) {
	d, ok := s.sessions[id]
	if !ok {
		return d, debate.ErrNoSession
	}
	return d, nil
}

// changed says what a plan changes of a debate, and which facts it copies.
func changed(p debate.ForkPlan) string {
	var out []string
	for _, sub := range p.Answers {
		out = append(out, fmt.Sprintf("%s %s %q", sub.Request, sub.Outcome, sub.Content))
	}
	for _, m := range p.Models {
		out = append(out, string(m.ID)+" on "+m.Model)
	}
	for _, id := range p.Omitted {
		out = append(out, "without "+id)
	}
	for _, id := range p.Facts {
		out = append(out, "with "+id)
	}
	return strings.Join(out, ", ")
}

// Fork makes the fork without its rounds' turns being copied under new ids.
func (s *scripted) Fork(_ context.Context, id string, plan debate.ForkPlan) (debate.Session, error) {
	d, _, err := s.sessions[id].Fork(plan)
	if err != nil {
		return d, err
	}
	d.ID, d.Verdict, d.History = "fork000000", nil, d.History[:plan.Round]
	s.note("fork %s after %d: %s", id, plan.Round, changed(plan))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.created = d
	return d, nil
}

func (s *scripted) Create(_ context.Context, d debate.Session) (debate.Session, error) {
	d.ID = "new0000000"
	s.note("create %s", d.Topic)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.created = d
	return d, nil
}

// AddEvidence adds it to the session, as the store does.
func (s *scripted) AddEvidence(_ context.Context, id string, added ...debate.Evidence) (debate.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.sessions[id]
	if s.fail != nil {
		return d, s.fail
	}
	all, err := debate.AddEvidence(d.Evidence, added)
	if err != nil {
		return d, err
	}
	d.Evidence = all
	s.sessions[id] = d
	return d, nil
}

func (s *scripted) KeepNew(_ context.Context, d debate.Draft) error {
	s.saves()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.typed = d
	return s.fail
}

func (s *scripted) KeptNew(context.Context) (debate.Draft, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typed, nil
}

func (s *scripted) Rename(_ context.Context, id, title string) error {
	s.note("rename %s %s", id, title)
	return s.fail
}

func (s *scripted) SaveOutcome(_ context.Context, id, typed string) (debate.Settlement, error) {
	s.note("settle %s %s", id, typed)
	return debate.Settlement{Result: debate.ResultWrong, Rounds: len(s.sessions[id].History), Author: ledger.ByPerson("interface")}, s.fail
}

func (s *scripted) Settle(_ context.Context, id string, v debate.Settlement) error {
	s.note("settle %s as %s: %s", id, v.Result, v.Note)
	return s.fail
}

func (s *scripted) Delete(_ context.Context, id string) error {
	s.note("delete %s", id)
	return nil
}

func (s *scripted) Undelete(_ context.Context, id string) error {
	s.note("undelete %s", id)
	return s.fail
}

// Answer folds the submission into the session, as the store does.
func (s *scripted) Answer(_ context.Context, id string, subs ...ledger.Submission) ([]ledger.Request, error) {
	s.saves()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return nil, s.fail
	}
	d := s.sessions[id]
	var out []ledger.Request
	for _, sub := range subs {
		s.calls = append(s.calls, "answer "+sub.Request+" "+sub.Content)
		r, _ := d.Request(sub.Request)
		r = r.Clone()
		r.State, r.Seq = ledger.Resolved, r.Seq+100
		r.Answers = append(r.Answers, ledger.Answer{
			Revision: len(r.Answers) + 1, Outcome: sub.Outcome, Content: sub.Content,
			Source: sub.Source, Author: sub.By, At: time.Now(),
		})
		d = d.WithRequest(r)
		out = append(out, r)
	}
	s.sessions[id] = d
	return out, nil
}

func (s *scripted) SaveDraft(_ context.Context, _, request string, d debate.Draft) error {
	s.saves()
	s.note("draft %s %s", request, d.Text)
	s.mu.Lock()
	defer s.mu.Unlock()
	d.At = time.Time{}
	s.draft = d
	return nil
}

func (s *scripted) AddRounds(_ context.Context, id string, n int) (debate.Session, error) {
	s.note("add %d", n)
	d := s.sessions[id]
	if d.Verdict != nil || d.Stopped != debate.NotStopped { // as the store does: rounds that were never played are no longer planned
		d.Rounds = len(d.History)
	}
	d.Rounds += n
	d.Verdict, d.Stopped = nil, debate.NotStopped
	s.sessions[id] = d
	return d, nil
}

func (s *scripted) Stop(_ context.Context, id string, why debate.StopReason) (debate.Session, error) {
	s.note("stop %s", why)
	d := s.sessions[id]
	d.Stopped = why
	return d, nil
}

func (s *scripted) SetFocus(_ context.Context, _ string, f debate.Focus) error {
	s.note("focus %s", f.Text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.focus = f
	return s.fail
}

func (s *scripted) Focus(context.Context, string) (debate.Focus, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.focus, nil
}

func (s *scripted) export(_ context.Context, _ debate.Session, running bool, f report.Format) (string, error) {
	s.note("export %s, running %t", f, running)
	s.mu.Lock()
	defer s.mu.Unlock()
	return "/home/debate." + string(f), s.fail
}

// Interject keeps it in the session, as the store does.
func (s *scripted) Interject(_ context.Context, id string, i debate.Interjection) (debate.Interjection, error) {
	s.note("tell %q %s", i.Agent, i.Text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return debate.Interjection{}, s.fail
	}
	d := s.sessions[id]
	i.N, i.At = len(d.Interjections)+1, time.Now()
	d.Interjections = append(slices.Clip(d.Interjections), i)
	s.sessions[id] = d
	return i, nil
}

// deps are the interface's needs, met by the script.
func (s *scripted) deps() tui.Deps {
	return tui.Deps{
		Common: debateview.Common{
			Player: s, Writer: s, Now: time.Now, EnterSends: true, Company: func(p string) (string, bool) {
				if name := map[string]string{"openai": "OpenAI", "anthropic": "Anthropic"}[p]; name != "" {
					return name, false
				}
				return p, p == "ollama"
			},
		},
		Sessions: s, Receipts: sent{}, Export: s.export,
		Offer: func(context.Context) (setup.Options, error) { return s.offer, nil },
	}
}
