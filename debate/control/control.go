// Package control conducts sessions. A [Plan] says what comes next in one and what can be done
// now, or why not; its [Words] say what a person sees of it; a [Controller] steers the run of an
// open one. All front ends draw these and feed them: none of them decides about rounds, budgets
// or what is possible. An action is one row of the tables steering, planning and answering.
//
// It imports debate and its rules, report and verdict. It knows neither engine nor store:
// what it needs of them are a [Player] and a [Writer]. It knows no key, no command line
// and no protocol; a front end names an [ID] in its own way.
package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Run is one run of an engine. Its events must be read until the channel is closed.
type Run interface {
	Events() <-chan debate.Event
	Cancel(agents.Turn)
	Retry(agents.ID)
	RetryNow(agents.ID)
	Decide(call string, a debate.Approval) // on a command that waits
	Pause(on bool)                         // before the verdict
	End()
	Stop()
}

// Player starts runs. Its methods return at once.
type Player interface {
	Start(ctx context.Context, s debate.Session) Run
	// GoOn ends a round that only one seat answered, and plays what comes next.
	GoOn(ctx context.Context, s debate.Session) Run
	Retry(ctx context.Context, s debate.Session, seat agents.ID) Run
	Conclude(ctx context.Context, s debate.Session) Run
	// Ask asks an agent, or the chair for "", a follow-up question after the verdict.
	Ask(ctx context.Context, s debate.Session, to agents.ID, question string) Run
	// Affords returns a *debate.BudgetError where the budget pays for no call of the next round.
	Affords(s debate.Session) error
	// Models returns the models that a seat of the session can take, without asking anybody.
	Models(s debate.Session) []agents.Profile
}

// Writer saves what the user enters in the session. When a method returns without error,
// its change is on disk.
type Writer interface {
	Answer(ctx context.Context, session string, subs ...ledger.Submission) ([]ledger.Request, error)
	AddRounds(ctx context.Context, session string, n int) (debate.Session, error)
	Stop(ctx context.Context, session string, why debate.StopReason) (debate.Session, error)
	SetBudget(ctx context.Context, session string, b debate.Budget) (debate.Session, error)
	// SetFocus saves a question for the next round; an empty one removes it.
	SetFocus(ctx context.Context, session string, f debate.Focus) error
	// ChangeSeat gives a seat another model from the next round on.
	ChangeSeat(ctx context.Context, session string, seat agents.ID, model agents.Profile) (debate.Session, error)
	// Interject saves what one seat, or all, are told in their next turns.
	Interject(ctx context.Context, session string, i debate.Interjection) (debate.Interjection, error)
	// Settle saves how the verdict turned out.
	Settle(ctx context.Context, session string, v debate.Settlement) error
}

// Options are what a Controller works with.
type Options struct {
	Player   Player
	Writer   Writer
	Author   ledger.Author // of what is entered here: answers, focus and messages
	ReadOnly string        // why nothing can be saved; "": it can
	// Elsewhere says that another program has the session open, whose turns may still run.
	Elsewhere bool
	// Planned says that a message or a focus is refused if its round is not planned. Otherwise it
	// is kept for the round that the user adds.
	Planned bool
	// Room reports whether a run may begin beside those of other sessions; nil: it may.
	Room func() bool
	// Now tells the time at which an outcome is said, and whose prices hold; nil: time.Now.
	Now func() time.Time
}

// Plan is what comes next in a session and what can be done in it now. All of it follows from
// the session and, if it is open, from the run that is under way.
type Plan struct {
	Options
	session  debate.Session
	run      Run          // under way; nil: nothing runs
	begins   func() Run   // begins the run that waits for room; nil: none waits
	problem  *Problem     // that the last run ended with
	focus    debate.Focus // question for the next round
	forecast forecasts    // of the session as it was last counted
	followUp followUp     // that is being answered

	// speaking has everyone whose turn has begun, with the wait for their provider; nil: they are at work.
	speaking map[agents.ID]*debate.TurnRetrying

	approvals     []debate.ApprovalAsked // commands that wait for the user
	chair         string                 // who writes the verdict; "": nobody
	activity      string                 // what the round waits for besides its turns; "": nothing
	paused        bool                   // no round begins by itself
	endAfterRound bool                   // the debate ends after the round under way
	held          bool                   // the next round waits until the user has left the open requests
	counted       debate.Counted         // what the votes come to
}

// Controller conducts one open session: it begins runs, steers the one under way and keeps the
// [Plan] up to date. One goroutine owns it. Its methods are quick and do no I/O; what blocks is
// the [Work] that [Controller.Do] returns.
type Controller struct {
	Plan
	cutShown bool    // the debate paused for a prompt that was cut
	seats    []*Seat // that are watched
}

type followUp struct {
	turn agents.Turn // its zero value: none
	name string      // of who answers
}

// Problem is why a run ended before it was done.
type Problem struct {
	Err   error
	Fix   ID   // the action that helps; "": none
	Saved bool // false: what happened could not be saved
}

// New returns the controller of a session.
func New(s debate.Session, o Options) *Controller {
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Controller{Plan: Plan{Options: o, session: s, speaking: map[agents.ID]*debate.TurnRetrying{}}}
	c.Recount()
	return c
}

// Session returns the session with all events applied so far.
func (p *Plan) Session() debate.Session { return p.session }

// Running reports whether a run is under way.
func (p *Plan) Running() bool { return p.run != nil }

// Run returns the run under way; nil if there is none.
func (c *Controller) Run() Run { return c.run }

// Paused reports whether the debate pauses: now, or when the round under way has ended.
func (p *Plan) Paused() bool { return p.paused }

// Pause keeps every round from beginning by itself, as when a saved session is opened.
func (c *Controller) Pause() { c.paused, c.endAfterRound, c.begins = true, false, nil }

// Queued reports whether a run waits until fewer debates run.
func (p *Plan) Queued() bool { return p.begins != nil }

// BeginQueued begins the run that waits, if there is room now, and reports whether it did.
func (c *Controller) BeginQueued() bool {
	if !c.Queued() || !c.Room() {
		return false
	}
	c.begin(c.begins)
	return true
}

// EndsAfterRound reports whether the debate ends after the round under way.
func (p *Plan) EndsAfterRound() bool { return p.endAfterRound }

// Chair returns who writes the verdict at the moment, "" for nobody.
func (p *Plan) Chair() string { return p.chair }

// Retrying returns when the chair, or who answers a follow-up question, asks its provider
// again; ok is false if it does not wait for that.
func (p *Plan) Retrying() (ev debate.TurnRetrying, ok bool) {
	for _, wait := range p.speaking {
		if wait != nil && wait.Turn.Step < 0 {
			return *wait, true
		}
	}
	return ev, false
}

// Activity says what the round waits for besides its turns; "" is nothing.
func (p *Plan) Activity() string { return p.activity }

// Answering returns who answers a follow-up question at the moment, "" for nobody.
func (p *Plan) Answering() string { return p.followUp.name }

// Approvals lists the commands that wait for the user, oldest first.
func (p *Plan) Approvals() []debate.ApprovalAsked { return p.approvals }

// Focus returns the question that the next round concentrates on.
func (p *Plan) Focus() string { return p.focus.Text }

// SetFocus sets that question as it is stored.
func (c *Controller) SetFocus(f debate.Focus) {
	c.focus = debate.Focus{Text: text.Clean(f.Text), Author: f.Author}
}

// Problem returns why the last run ended before it was done; nil if it did not, or if
// another one has begun since.
func (p *Plan) Problem() *Problem { return p.problem }

// NotSaved reports whether the last run ended because the round could not be saved.
func (p *Plan) NotSaved() bool { return p.problem != nil && !p.problem.Saved }

// OpenRound returns why the newest round stays open until the user decides; nil if it does
// not.
func (p *Plan) OpenRound() *debate.RoundFailedError {
	var failed *debate.RoundFailedError
	switch {
	case p.problem != nil && errors.As(p.problem.Err, &failed):
		return failed
	case p.Running(), p.NotSaved():
		return nil
	}
	return p.session.OpenRound()
}

// Hold keeps the next round waiting while the user looks at the open requests.
func (c *Controller) Hold() { c.held = true }

// Unhold ends what Hold began, and reports whether a round was waiting.
func (c *Controller) Unhold() (waited bool) {
	waited, c.held = c.held, false
	return waited
}

// SetSession replaces the session by one that was read back.
func (c *Controller) SetSession(s debate.Session) {
	c.session = c.session.Apply(debate.RunEnded{Session: s})
	c.Recount()
	c.showSession()
}

// SetTitle changes the title of the session.
func (c *Controller) SetTitle(title string) { c.session.Title = title }

// SetEvidence replaces the evidence of the session, since some was added.
func (c *Controller) SetEvidence(all []debate.Evidence) { c.session.Evidence = all }

// SetDraft takes over a draft that was saved.
func (c *Controller) SetDraft(request string, d debate.Draft) {
	drafts := map[string]debate.Draft{}
	maps.Copy(drafts, c.session.Drafts)
	drafts[request] = d
	c.session.Drafts = drafts
}

// Apply takes an event of the run into account.
func (c *Controller) Apply(ev debate.Event) {
	begun := len(c.session.History)
	c.session = c.session.Apply(ev)
	c.follow(ev)
	switch ev.(type) {
	case debate.Noticed, debate.Refused:
	default:
		c.activity = ""
	}
	switch ev := ev.(type) {
	case debate.RoundStarted:
		c.problem = nil
		if ev.Round > begun { // it began with the focus; the rest of a round does not
			c.focus = debate.Focus{}
		}
	case debate.TurnStarted:
		c.chair = "" // the seat goes first
	case debate.ApprovalAsked:
		c.approvals = append(slices.Clip(c.approvals), ev)
	case debate.ApprovalDecided:
		c.approvals = slices.DeleteFunc(slices.Clone(c.approvals), func(o debate.ApprovalAsked) bool { return o.CallID == ev.CallID })
	case debate.Assisting:
		c.activity = text.Line(ev.Description())
	case debate.Concluding:
		c.chair = ev.Profile.Name
	case debate.FollowUpStarted:
		c.followUp = followUp{ev.Turn, text.Line(ev.Profile.Name)}
	case debate.FollowUpEnded:
		c.followUp = followUp{}
	case debate.RunEnded:
		c.endRun(ev)
	case debate.TurnQueued, debate.TurnAlive, debate.TurnRetrying, debate.Text, debate.ToolsCalled, debate.ToolStarted, debate.ToolEnded,
		debate.ContextRequested, debate.ContextChanged, debate.TurnEnded, debate.RoundCounted, debate.Concluded, debate.Refused,
		debate.Noticed: // the session has all of it
	}
	for _, s := range c.seats {
		s.apply(ev)
	}
}

// follow keeps who speaks, and who waits for a provider.
func (c *Controller) follow(ev debate.Event) {
	switch ev := ev.(type) {
	case debate.TurnStarted:
		maps.DeleteFunc(c.speaking, func(_ agents.ID, wait *debate.TurnRetrying) bool { return wait != nil && wait.Turn.Step < 0 })
		c.speaking[ev.Turn.Agent] = nil
	case debate.Concluding:
		c.speaking[ev.Turn.Agent] = nil
	case debate.TurnRetrying:
		c.speaking[ev.Turn.Agent] = &ev
	case debate.TurnEnded:
		delete(c.speaking, ev.Response.Turn.Agent)
	case debate.FollowUpStarted, debate.FollowUpEnded, debate.RunEnded:
		clear(c.speaking)
	default:
		if t, ok := debate.TurnOf(ev); ok && c.speaking[t.Agent] != nil {
			c.speaking[t.Agent] = nil
		}
	}
}

// onlyWait returns the wait that ends last, if every speaker waits for more than a minute.
func (p *Plan) onlyWait() *debate.TurnRetrying {
	var last *debate.TurnRetrying
	for _, wait := range p.speaking {
		if wait == nil || wait.Retry.Until.IsZero() {
			return nil
		}
		if last == nil || wait.Retry.Until.After(last.Retry.Until) {
			last = wait
		}
	}
	r := p.session.Current()
	if last == nil || r == nil || last.Turn.Step < 0 {
		return last
	}
	for _, id := range p.session.StepsOf(*r)[last.Turn.Step].Seats { // one can wait before another begins
		x, _ := r.Newest(last.Turn.Step, id)
		if _, speaks := p.speaking[id]; !speaks && !x.Finished() {
			return nil
		}
	}
	return last
}

func (c *Controller) endRun(ev debate.RunEnded) {
	c.chair, c.followUp, c.approvals = "", followUp{}, nil
	c.problem = c.problemOf(ev.Err)
	if ev.Err != nil && !c.blockedBy(ev.Err) {
		c.paused, c.endAfterRound = true, false
	}
}

func (p *Plan) blockedBy(err error) bool {
	return is[*debate.BlockedError](err) && len(p.session.Unanswered()) > 0
}

func (p *Plan) problemOf(err error) *Problem {
	switch {
	case err == nil, p.blockedBy(err), errors.Is(err, context.Canceled), errors.Is(err, debate.ErrStopped):
		return nil
	case Rejected(err):
		return &Problem{Err: err, Fix: FixOf(err), Saved: true}
	default:
		return &Problem{Err: err, Fix: Continue, Saved: is[*debate.RoundFailedError](err) || is[*debate.WorkspaceError](err)}
	}
}

// RunEnded says that the channel of the run is closed. It returns what to tell the user:
// what the run failed on, or that a required request keeps the debate from ending.
func (c *Controller) RunEnded() Told {
	c.run = nil
	if c.endAfterRound && c.Next().Kind == AskUser {
		c.endAfterRound = false
		open := c.session.Unanswered()
		words := fmt.Sprintf("Not ended: %s %s no answer.", text.List(ledger.IDs(open)), text.Inflect(len(open), "has", "have"))
		return Told{Text: words, Fix: EndNow}
	}
	p := c.problem
	if p == nil {
		return Told{}
	}
	if failed, ok := errors.AsType[*debate.RoundFailedError](p.Err); ok {
		return Told{Text: text.Capitalize(text.Line(failed.Summary())) + ".", Fix: p.Fix}
	}
	return Told{Text: text.Sentence(p.Err.Error()), Fix: p.Fix}
}

// PauseForCut pauses the debate once before a round, if a prompt was cut and somebody is
// there to see it. It returns what the user is told; "" if it does not pause.
func (c *Controller) PauseForCut() Told {
	cut, ok := c.session.FirstCut()
	if !ok || c.cutShown || c.Next() != (Step{Kind: Play, Action: Continue}) {
		return Told{}
	}
	c.paused, c.cutShown = true, true
	return Told{Text: cut.Text(), Fix: Continue}
}

// begin begins a run; without room for it, it waits, and the user is told so.
func (c *Controller) begin(start func() Run) Told {
	c.problem, c.held, c.begins = nil, false, nil
	clear(c.speaking)
	if c.Room != nil && !c.Room() {
		c.begins = start
		return Told{Text: waitsForRoom}
	}
	c.run = start()
	c.run.Pause(c.paused)
	return Told{}
}

const waitsForRoom = "As many debates run as may at once. This one begins when one of them waits or ends."

// Decide decides on a command that waits.
func (c *Controller) Decide(call string, a debate.Approval) {
	if c.run != nil {
		c.run.Decide(call, a)
	}
}

// StepKind is what comes next in a session.
type StepKind int

const (
	Idle        StepKind = iota // until the user acts
	Watch                       // a run is under way
	AskApproval                 // in it, a command waits for the user
	WaitUntil                   // in it, only waits for providers are left
	AskUser                     // a required request has no answer
	Play                        // Step.Action continues the debate by itself
	Finished                    // there is a verdict
)

// Step is what comes next.
type Step struct {
	Kind   StepKind
	Action ID                   // of Play
	Wait   *debate.TurnRetrying // of WaitUntil
}

// Next returns what comes next: what a front end does by itself, or waits for.
func (p *Plan) Next() Step {
	wait := p.onlyWait()
	switch {
	case p.Running() && len(p.approvals) > 0:
		return Step{Kind: AskApproval}
	case p.Running() && wait != nil:
		return Step{Kind: WaitUntil, Wait: wait}
	case p.Running():
		return Step{Kind: Watch}
	case p.session.Verdict != nil:
		return Step{Kind: Finished}
	case p.ReadOnly != "", p.session.Gone != "":
		return Step{}
	case p.session.Status() == debate.NeedsContext:
		return Step{Kind: AskUser}
	case p.endAfterRound:
		return Step{Kind: Play, Action: EndNow}
	case p.held, p.Queued(), p.paused:
		return Step{}
	}
	return Step{Kind: Play, Action: Continue}
}
