package control

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// ID names an action: the command of a line and the action of the MCP server have this name,
// and so have the flag of `continue` and the key of the interface unless they are one with others.
type ID string

const (
	Continue      ID = "continue"
	GoOn          ID = "go-on"
	Pause         ID = "pause"
	PauseNow      ID = "pause-now"
	CancelSeat    ID = "cancel-seat"
	RetrySeat     ID = "retry-seat"
	RetryNow      ID = "retry-now"
	SkipAhead     ID = "skip-ahead"
	SetFocus      ID = "focus"
	Interject     ID = "tell"
	EndAfterRound ID = "end-after-round"
	EndNow        ID = "end-now"
	AddRounds     ID = "add-rounds"
	ChangeModel   ID = "change-model"
	SetBudget     ID = "set-budget"
	Answer        ID = "answer"
	AskFollowUp   ID = "ask"
	CancelAnswer  ID = "cancel-answer"
	SayOutcome    ID = "outcome"
)

// Action is something that the user can do in a session.
type Action struct {
	ID     ID
	Key    string // the command of the interface with its key; "": that of the same name
	Title  string // "End the debate now"
	Args   []Arg  // what has to be asked for
	Idle   bool   // it is for a session in which nothing runs, or for both; else for a run under way
	Toggle bool   // done again, it takes itself back: only a front end in which one key does it has to ask
}

// Values are the arguments of an action.
type Values struct {
	Seat    agents.ID // "": all, or the chair
	Text    string
	Rounds  int
	Budget  *debate.Budget // nil: as it is
	Answers []ledger.Submission
}

// Work carries an action out. It can run on any goroutine.
type Work struct {
	Do     func(ctx context.Context) (Commit, error)
	Writes bool // it may block, since it writes to the store
}

// Commit makes what was done known to the Controller, on its goroutine, and returns what
// the user is told.
type Commit func() Told

// Told is what the user is told.
type Told struct {
	Text string // "": nothing
	Good bool   // something was saved or begun
	Fix  ID     // the action that helps, or takes it back; "": none
	Verb string // what Fix does then
}

// Reason says why an action is not possible, and which one is instead.
type Reason struct {
	Text    string
	Instead ID     // "": none
	Verb    string // what that does: "add a round"
}

// Error returns the reason without the other action, which a front end names in its own way.
func (r *Reason) Error() string { return r.Text }

func because(words string) error { return &Reason{Text: words} }

// spec is an action of the tables: possible unless why or check says why not; do copies what its work needs.
type spec struct {
	Action
	asPlanned bool                       // it changes nothing of the plan, so an evaluation allows it
	why       func(*Plan) error          // nil: it always is possible
	check     func(*Plan, Values) error  // nil: every value will do
	ask       func(*Plan, Values) string // nil: no question
	do        func(*Controller, Values) Work
}

func specs() []spec { return slices.Concat(steering, planning, answering) }

func find(id ID) spec {
	all := specs()
	return all[slices.IndexFunc(all, func(s spec) bool { return s.ID == id })]
}

// All lists the actions that there are, apart from any session.
func All() []Action {
	return text.Each(specs(), func(s spec) Action { return s.Action })
}

// ActionOf returns an action, apart from any session.
func ActionOf(id ID) Action { return find(id).Action }

func (p *Plan) whyNot(s spec) error {
	if p.ReadOnly != "" {
		return because("Nothing can be saved: " + p.ReadOnly + ".")
	}
	if gone := p.session.Gone; gone != "" {
		return because(gone.Error())
	}
	if e := p.session.Eval; e != nil && !s.asPlanned {
		return because(e.Refusal())
	}
	if s.why == nil {
		return nil
	}
	return s.why(p)
}

// WhyNot returns why an action is not possible, whatever its values; nil if it is. It is shown
// unchanged, and often a [Reason].
func (p *Plan) WhyNot(id ID) error { return p.whyNot(find(id)) }

// Check returns why an action is not possible with these values; nil if it is.
func (p *Plan) Check(id ID, v Values) error {
	s := find(id)
	if err := p.whyNot(s); err != nil || s.check == nil {
		return err
	}
	return s.check(p, v)
}

// Question returns what the user is asked before the action, with its cost; "" if nothing is.
func (p *Plan) Question(id ID, v Values) string {
	if s := find(id); s.ask != nil {
		return s.ask(p, v)
	}
	return ""
}

// Do returns the work of an action that [Plan.Check] allows. The context of a work
// that starts a run is that of the run.
func (c *Controller) Do(id ID, v Values) Work { return find(id).do(c, v) }

// Act checks an action and carries it out at once, for a front end that can wait.
func (c *Controller) Act(ctx context.Context, id ID, v Values) (Told, error) {
	if err := c.Check(id, v); err != nil {
		return Told{}, err
	}
	commit, err := c.Do(id, v).Do(ctx)
	if err != nil {
		return Told{}, err
	}
	return commit(), nil
}

// soon returns work that has nothing to write: all of it is done by its commit.
func soon(do func(context.Context) Told) Work {
	return Work{Do: func(ctx context.Context) (Commit, error) { return func() Told { return do(ctx) }, nil }}
}

func (c *Controller) start(begin func(Player, context.Context, debate.Session) Run) Work {
	return soon(func(ctx context.Context) Told {
		c.paused = false
		return c.begin(func() Run { return begin(c.Player, ctx, c.session) })
	})
}

func (c *Controller) steer(send func()) Work {
	return c.meanwhile(func() Told { send(); return Told{} })
}

func (c *Controller) meanwhile(do func() Told) Work {
	return soon(func(context.Context) Told {
		if c.run == nil {
			return Told{}
		}
		return do()
	})
}

// save returns work that writes to the store, even after its context is cancelled, and reports the result.
func save[T any](store func(context.Context) (T, error), told func(T) Told) Work {
	return Work{Writes: true, Do: func(ctx context.Context) (Commit, error) {
		stored, err := store(context.WithoutCancel(ctx))
		if err != nil {
			return nil, err
		}
		return func() Told { return told(stored) }, nil
	}}
}

func (c *Controller) changes(do func(ctx context.Context, id string) (debate.Session, error), words func(debate.Session) Told) Work {
	id := c.session.ID
	return Work{Writes: true, Do: func(ctx context.Context) (Commit, error) {
		return save(func(saving context.Context) (debate.Session, error) { return do(saving, id) },
			func(s debate.Session) Told { return c.planned(ctx, s, words(s)) }).Do(ctx)
	}}
}

// planned takes over the plan of a session that was read back. A debate that is to end, or that
// can have the report that it lacked, is concluded; Next decides whether another round begins.
func (c *Controller) planned(ctx context.Context, s debate.Session, told Told) Told {
	if c.Running() { // turns may have ended since it was read
		c.session = c.session.WithPlan(s)
		c.Recount()
		c.showSession()
		return told
	}
	owed := c.session.OwesReport() && s.Next() == 0
	if c.session.Verdict != nil && s.Verdict == nil { // what was asked before that said so
		c.paused = false
	}
	c.SetSession(s)
	if s.Verdict == nil && (s.Stopped.Forced() || owed) {
		c.paused = false
		c.begin(func() Run { return c.Player.Conclude(ctx, c.session) })
	}
	return told
}

func (p *Plan) whyNotSteer() error { return cmp.Or(p.whyNotSteerAny(), p.whyNotBesideChair()) }

// whyNotBesideChair says what the chair does, which has to be over first.
func (p *Plan) whyNotBesideChair() error {
	switch _, waits := p.Retrying(); {
	case p.chair == "":
		return nil
	case waits:
		return &Reason{text.Line(p.chair) + " must wait before it writes the verdict.", RetryNow, "ask it now"}
	}
	return because("The verdict is being written.")
}

func (p *Plan) whyNotMeanwhile() error {
	if !p.Running() || p.chair != "" {
		return p.whyNotBesideChair()
	}
	return &Reason{"Not while a round is running.", PauseNow, "pause now"}
}

func (p *Plan) whyNotSteerAny() error {
	switch {
	case !p.Running() && p.session.Verdict != nil:
		return ended()
	case !p.Running():
		return because("No round is running.")
	}
	return nil
}

func (p *Plan) whyNotAnswering() error {
	if p.followUp.name == "" {
		return nil
	}
	return &Reason{p.followUp.name + " is still answering.", CancelAnswer, "cancel the answer"}
}

func ended() error { return &Reason{"The debate has ended.", AddRounds, "add a round"} }

// startsAgain reports whether retrying a seat restarts the round: its turn is open, or no seat has answered.
func (p *Plan) startsAgain(seat agents.ID) bool {
	if p.session.Status() != debate.Interrupted {
		return false
	}
	_, open := p.session.OpenTurn(seat, agents.Turn{})
	return open || len(p.session.Current().Answered()) == 0 &&
		slices.ContainsFunc(p.session.AskFailed(), func(d debate.DueTurn) bool { return d.Turn.Agent == seat })
}

// Waiting reports whether a seat waits until it may ask its provider again.
func (p *Plan) Waiting(seat agents.ID) bool { return p.Running() && p.speaking[seat] != nil }

// RetriedNow returns whom [RetryNow] asks where no seat is named: the chair or who answers a
// follow-up question, if that waits, else the seat in focus.
func (p *Plan) RetriedNow(focus agents.ID) agents.ID {
	if ev, ok := p.Retrying(); ok {
		return ev.Turn.Agent
	}
	return focus
}

func (p *Plan) writing() string { return cmp.Or(text.Line(p.chair), p.followUp.name) }

// WhyNotLater returns why nothing can be meant for a later round that is planned; nil if
// there is one.
func (p *Plan) WhyNotLater() error {
	if !p.session.LacksRound() {
		return nil
	}
	words := fmt.Sprintf("No round follows round %d.", len(p.session.History))
	return cmp.Or[error](p.whyNotAddRounds(), &Reason{words, AddRounds, "add a round"})
}

func (p *Plan) whyNotEnd() error {
	switch {
	case p.chair != "":
		return p.whyNotBesideChair()
	case p.session.Verdict != nil:
		return because("The debate has ended.")
	case p.session.Current() == nil:
		return because("No round has started.")
	}
	return nil
}

func (p *Plan) whyNotAddRounds() error {
	if err := p.whyNotAnswering(); err != nil {
		return err
	}
	switch {
	case p.session.Mode.Reviews() && p.session.Rounds >= debate.ReviewRounds:
		return because("A review has two rounds. A fork of round 1 can have it judged again, by other models too.")
	case p.Running() && p.chair != "":
		return because("The verdict is being written. A round can be added once it is ready.")
	case p.Running() && p.session.Playing() >= p.session.Rounds:
		return because("The last round is running. A round can be added once the verdict is ready.")
	}
	return nil
}

// askAddRounds asks after the verdict, since the round starts at once.
func (p *Plan) askAddRounds(v Values) string {
	if p.session.Verdict == nil {
		return ""
	}
	s := p.session.WithMoreRounds(v.Rounds)
	if s.Rounds > len(s.History)+1 {
		return fmt.Sprintf("Add rounds %d to %d? %s.", len(s.History)+1, s.Rounds, budget.Estimate(s))
	}
	return fmt.Sprintf("Add round %d? %s.", s.Rounds, budget.Estimate(s))
}

func (c *Controller) addRounds(v Values) Work {
	return c.changes(func(ctx context.Context, id string) (debate.Session, error) {
		return c.Writer.AddRounds(ctx, id, v.Rounds)
	}, func(s debate.Session) Told {
		return Told{Text: fmt.Sprintf("%s added: now %d are planned.", text.Inflect(v.Rounds, "Round", "Rounds"), s.Rounds), Good: true}
	})
}

func (p *Plan) modelOf(v Values) (agents.Profile, error) {
	seat, _ := p.session.Upcoming().Seat(v.Seat)
	model, err := debate.FindModel(seat, v.Text, p.Player.Models(p.session))
	if err != nil {
		err = because(text.Sentence(err.Error()))
	}
	return model, err
}

// whyNotKept returns why nothing is kept for a round that is not planned.
func (p *Plan) whyNotKept() error {
	if p.Planned {
		return p.WhyNotLater()
	}
	return nil
}

// kept says that something is saved for the next round, and how to add one if none is planned.
func (p *Plan) kept(words string) Told {
	told := Told{Text: words, Good: true}
	if p.session.LacksRound() && p.whyNotAddRounds() == nil {
		told.Text, told.Fix, told.Verb = text.Sentence(words), AddRounds, "add it"
	}
	return told
}

func (c *Controller) learn(stored []ledger.Request) Told {
	if len(stored) == 0 {
		return Told{}
	}
	for _, r := range stored {
		c.session = c.session.WithRequest(r)
	}
	c.showSession()
	told := Told{Text: text.List(ledger.IDs(stored)) + " saved.", Good: true}
	switch {
	case c.session.Verdict != nil && c.whyNotAddRounds() == nil:
		told.Text += " One more round uses it."
	case c.session.LacksRound():
		told.Text += " It is used if you add a round."
	case c.Running():
		told.Text += " It goes to the seats with the next round."
	}
	return told
}

// AddOutcome takes over how the verdict turned out, as it is stored.
func (c *Controller) AddOutcome(v debate.Settlement) {
	c.session = c.session.WithSettlement(v)
	c.showSession()
}

func (p *Plan) nameOf(id agents.ID) string { return text.Line(p.session.NameOf(id)) }

// Rejected reports whether an error is about what the user entered rather than about the
// store.
func Rejected(err error) bool {
	return is[*Reason](err) || is[*ledger.SubmissionError](err) || is[*debate.UnpricedError](err) || is[*debate.BudgetError](err) ||
		is[*debate.BlockedError](err) || errors.Is(err, debate.ErrNotReady) || errors.Is(err, debate.ErrNoSession) ||
		errors.Is(err, debate.ErrLocked) || errors.Is(err, debate.ErrAmbiguous) || errors.Is(err, debate.ErrNewer)
}

func is[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

// FixOf returns the action that helps with an error; "" if none does.
func FixOf(err error) ID {
	if reason, ok := errors.AsType[*Reason](err); ok {
		return reason.Instead
	} else if is[*debate.BudgetError](err) {
		return SetBudget
	}
	return ""
}
