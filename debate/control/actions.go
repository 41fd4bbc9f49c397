package control

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// ID names an action: the command of a line, the flag of `continue` and the action of the
// MCP server have this name, a key of the interface has it in its table.
type ID string

// The actions.
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
	Title  string // "End the debate now"
	Args   []Arg  // what has to be asked for
	Stored bool   // it changes what is stored and no run; else it returns at once
	Idle   bool   // it is for a session in which nothing runs, or for both; else for a run under way
	Toggle bool   // done again, it takes itself back: only a front end in which one key does it has to ask
	WhyNot error  // nil: possible, else shown unchanged; often a [Reason]
}

// Values are the arguments of an action.
type Values struct {
	Seat    agents.ID // "": all, or the chair
	Text    string
	Rounds  int
	Budget  *debate.Budget // nil: as it is
	Answers []ledger.Submission
}

// Work carries an action out. It may block, and can run on any goroutine.
type Work func(ctx context.Context) (Commit, error)

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

// spec is an action as the table has it. Each function may read the Controller; do copies
// what its work needs.
type spec struct {
	Action
	why   func() error
	check func(Values) error  // nil: every value will do
	ask   func(Values) string // nil: no question
	do    func(Values) Work
}

// specs is the table of all actions, in the order in which they are listed.
func (c *Controller) specs() []spec {
	return slices.Concat(c.runSpecs(), c.planSpecs(), c.answerSpecs())
}

// runSpecs are the actions that start a run or steer it.
func (c *Controller) runSpecs() []spec {
	seat := []Arg{SeatArg}
	return []spec{
		{Action: Action{ID: Continue, Title: "Continue the debate", Idle: true}, why: c.whyNotContinue, do: c.start(Player.Start)},
		{
			Action: Action{ID: GoOn, Title: "Go on without the seats that did not answer", Idle: true},
			why:    c.whyNotGoOn, do: c.start(Player.GoOn),
		},
		{Action: Action{ID: Pause, Title: "Pause after this round"}, why: c.whyNotSteer, do: c.togglePause},
		{
			Action: Action{ID: PauseNow, Title: "Pause now"}, why: c.whyNotPauseNow,
			ask: c.askPauseNow, do: c.pauseNow,
		},
		{
			Action: Action{ID: CancelSeat, Title: "Cancel a seat", Args: seat},
			why:    c.whyNotSteer, check: c.checkCancel, ask: c.askCancel, do: c.cancelSeat,
		},
		{
			Action: Action{ID: RetrySeat, Title: "Retry a seat", Args: seat, Idle: true},
			why:    c.whyNotChange, check: c.checkRetry, ask: c.askRetry, do: c.retrySeat,
		},
		{
			Action: Action{ID: RetryNow, Title: "Retry a waiting seat, or the chair, now", Args: []Arg{WaitingArg}},
			why:    c.whyNotSteerAny, check: c.checkRetryNow,
			do: func(v Values) Work { return c.steer(func() { c.run.RetryNow(v.Seat) })(v) },
		},
		{Action: Action{ID: SkipAhead, Title: "Skip ahead in the demo"}, why: c.whyNotSkip, do: c.steer(c.skipAhead)},
	}
}

// planSpecs are the actions that change what comes.
func (c *Controller) planSpecs() []spec {
	return []spec{
		{
			Action: Action{ID: SetFocus, Title: "Focus question for the next round", Args: []Arg{TextArg}, Idle: true, Stored: true},
			why:    c.whyNotNextRound, check: c.checkFocus, ask: c.askNextRound, do: c.setFocus,
		},
		{
			Action: Action{
				ID: Interject, Title: "Send a message to one seat or all", Args: []Arg{MaybeSeatArg, TextArg}, Idle: true, Stored: true,
			},
			why: c.whyNotNextRound, check: c.checkInterject, ask: c.askNextRound, do: c.interject,
		},
		{
			Action: Action{ID: EndAfterRound, Title: "End after this round", Toggle: true},
			why:    c.whyNotEndAfterRound, ask: c.askEndAfterRound, do: c.toggleEndAfterRound,
		},
		{
			Action: Action{ID: EndNow, Title: "End the debate now", Idle: true, Stored: true}, why: c.whyNotEnd,
			ask: func(Values) string { return report.EndQuestion(c.session, c.Running()) }, do: c.endNow,
		},
		{
			Action: Action{ID: AddRounds, Title: "Add a round", Args: []Arg{RoundsArg}, Idle: true, Stored: true},
			why:    c.whyNotAddRounds, check: c.checkAddRounds, ask: c.askAddRounds, do: c.addRounds,
		},
		{
			Action: Action{ID: SetBudget, Title: "Change budget", Args: []Arg{BudgetArg}, Idle: true, Stored: true},
			why:    c.whyNotSetBudget, check: c.checkBudget, ask: c.askBudget, do: c.setBudget,
		},
		{
			Action: Action{ID: ChangeModel, Title: "Change a seat's model", Args: []Arg{SeatArg, ModelArg}, Idle: true, Stored: true},
			why:    c.whyNotChangeModel, check: c.checkModel, do: c.changeModel,
		},
	}
}

// answerSpecs are the actions of questions: those of the agents, and those about the verdict.
func (c *Controller) answerSpecs() []spec {
	return []spec{
		{
			Action: Action{ID: Answer, Title: "Answer the seats' questions", Args: []Arg{AnswersArg}, Idle: true, Stored: true},
			why:    c.whyNotChange, do: c.answer,
		},
		{
			Action: Action{
				ID: AskFollowUp, Title: "Ask the chair or a seat a follow-up question", Args: []Arg{MaybeSeatArg, TextArg}, Idle: true,
			},
			why: c.whyNotAsk, check: c.checkFollowUp, do: c.askFollowUp,
		},
		{
			Action: Action{ID: CancelAnswer, Title: "Cancel the answer to the follow-up question"}, why: c.whyNotCancelAnswer,
			do: c.steer(func() { c.run.Cancel(c.followUp.turn) }),
		},
		{
			Action: Action{ID: SayOutcome, Title: "Say how the verdict turned out", Args: []Arg{OutcomeArg}, Idle: true, Stored: true},
			why:    c.whyNotOutcome, check: c.checkOutcome, do: c.sayOutcome,
		},
	}
}

// Actions lists what can be done in any session, with why it cannot be done now.
func (c *Controller) Actions() []Action {
	var out []Action
	for _, s := range c.specs() {
		a := s.Action
		a.WhyNot = c.whyNot(s)
		if a.ID == Pause && c.Running() && c.paused {
			a.Title = "Do not pause after this round"
		}
		out = append(out, a)
	}
	return out
}

// All lists the actions that there are, apart from any session.
func All() []Action {
	var out []Action
	for _, s := range new(Controller).specs() {
		out = append(out, s.Action)
	}
	return out
}

func (c *Controller) find(id ID) spec {
	all := c.specs()
	return all[slices.IndexFunc(all, func(s spec) bool { return s.ID == id })]
}

func (c *Controller) whyNot(s spec) error {
	if c.ReadOnly != "" {
		return because("Nothing can be saved: " + c.ReadOnly + ".")
	}
	if gone := c.session.Gone; gone != "" {
		return because(gone.Error())
	}
	asPlanned := []ID{Continue, Pause, PauseNow, RetryNow, SkipAhead, Answer, CancelAnswer}
	if e := c.session.Eval; e != nil && !slices.Contains(asPlanned, s.ID) {
		return because(e.Refusal())
	}
	return s.why()
}

// WhyNot returns why an action is not possible, whatever its values; nil if it is.
func (c *Controller) WhyNot(id ID) error { return c.whyNot(c.find(id)) }

// Check returns why an action is not possible with these values; nil if it is.
func (c *Controller) Check(id ID, v Values) error {
	s := c.find(id)
	if err := c.whyNot(s); err != nil || s.check == nil {
		return err
	}
	return s.check(v)
}

// Question returns what the user is asked before the action, with what it costs; "" if
// nothing is.
func (c *Controller) Question(id ID, v Values) string {
	if s := c.find(id); s.ask != nil {
		return s.ask(v)
	}
	return ""
}

// Do returns the work of an action that [Controller.Check] allows. The context of a work
// that starts a run is that of the run.
func (c *Controller) Do(id ID, v Values) Work { return c.find(id).do(v) }

// Act checks an action and carries it out at once, for a front end that can wait.
func (c *Controller) Act(ctx context.Context, id ID, v Values) (Told, error) {
	if err := c.Check(id, v); err != nil {
		return Told{}, err
	}
	commit, err := c.Do(id, v)(ctx)
	if err != nil {
		return Told{}, err
	}
	return commit(), nil
}

// start returns what begins a run that plays what comes next.
func (c *Controller) start(begin func(Player, context.Context, debate.Session) Run) func(Values) Work {
	return func(Values) Work {
		return func(ctx context.Context) (Commit, error) {
			return func() Told {
				c.paused = false
				return c.begin(func() Run { return begin(c.Player, ctx, c.session) })
			}, nil
		}
	}
}

// steer returns what sends a command to the run under way, if it has not ended meanwhile.
func (c *Controller) steer(send func()) func(Values) Work {
	return func(Values) Work {
		return func(context.Context) (Commit, error) {
			return func() Told {
				if c.run != nil {
					send()
				}
				return Told{}
			}, nil
		}
	}
}

// changes returns a work that changes the plan of the session, and continues it.
func (c *Controller) changes(do func(ctx context.Context, id string) (debate.Session, error), words func(debate.Session) Told) Work {
	id := c.session.ID
	return func(ctx context.Context) (Commit, error) {
		s, err := do(context.WithoutCancel(ctx), id)
		if err != nil {
			return nil, err
		}
		return func() Told { return c.planned(ctx, s, words(s)) }, nil
	}
}

// planned takes over the plan of a session that was read back. A debate that is to end, or
// that can have the report that it lacked, is concluded; whether another round begins is up
// to Next.
func (c *Controller) planned(ctx context.Context, s debate.Session, told Told) Told {
	if s.ID != c.session.ID {
		return Told{}
	}
	if c.Running() { // turns may have ended since it was read
		c.session = c.session.WithPlan(s)
		c.Recount()
		c.showSession()
		return told
	}
	owed := c.session.OwesReport() && s.Next() == 0
	c.SetSession(s)
	if s.Verdict == nil && (s.Stopped.Forced() || owed) {
		c.paused = false
		c.begin(func() Run { return c.Player.Conclude(ctx, c.session) })
	}
	return told
}

func (*Controller) whyNotChange() error { return nil }

// whyNotSteer says why the round under way cannot be steered.
func (c *Controller) whyNotSteer() error {
	if err := c.whyNotSteerAny(); err != nil {
		return err
	}
	return c.whyNotBesideChair()
}

// whyNotBesideChair says what the chair does, which has to be over first.
func (c *Controller) whyNotBesideChair() error {
	switch _, waits := c.Retrying(); {
	case c.chair == "":
		return nil
	case waits:
		return &Reason{text.Line(c.chair) + " must wait before it writes the verdict.", RetryNow, "ask it now"}
	}
	return because("The verdict is being written.")
}

func (c *Controller) whyNotSteerAny() error {
	switch {
	case !c.Running() && c.session.Verdict != nil:
		return ended()
	case !c.Running():
		return because("No round is running.")
	}
	return nil
}

func (c *Controller) whyNotAnswering() error {
	if c.followUp.name == "" {
		return nil
	}
	return &Reason{c.followUp.name + " is still answering.", CancelAnswer, "cancel the answer"}
}

func ended() error { return &Reason{"The debate has ended.", AddRounds, "add a round"} }

func (c *Controller) whyNotContinue() error {
	open := c.session.Unanswered()
	switch {
	case c.session.Verdict != nil:
		return ended()
	case c.chair != "":
		return c.whyNotBesideChair()
	case c.Running():
		return because("A round is running.")
	case c.session.Status() == debate.NeedsContext:
		return &debate.BlockedError{Session: c.session.ID, Round: c.session.Next(), Requests: open}
	}
	return nil
}

func (c *Controller) whyNotGoOn() error {
	if !c.OpenRound().CanGoOn() {
		return &Reason{"There is no round that one seat alone has answered.", Continue, "continue"}
	}
	return nil
}

func (c *Controller) whyNotPauseNow() error {
	if c.Queued() {
		return nil
	}
	return c.whyNotSteerAny()
}

func (c *Controller) askPauseNow(Values) string {
	if c.Queued() {
		return ""
	}
	return "Pause now? " + strings.TrimPrefix(c.Unfinished(), "A round is running. ")
}

// pauseNow stops the run. One that waits for room does not begin.
func (c *Controller) pauseNow(v Values) Work {
	if c.Queued() {
		return func(context.Context) (Commit, error) {
			return func() Told { c.Pause(); return Told{} }, nil
		}
	}
	return c.steer(func() { c.paused = true; c.run.Stop() })(v)
}

func (c *Controller) togglePause(_ Values) Work {
	return func(context.Context) (Commit, error) {
		return func() Told {
			if !c.Running() {
				return Told{}
			}
			c.paused = !c.paused
			c.run.Pause(c.paused)
			if !c.paused {
				return Told{Text: fmt.Sprintf("No pause after round %d.", c.session.Playing())}
			}
			return Told{Text: fmt.Sprintf("Pauses after round %d.", c.session.Playing()), Fix: Pause, Verb: "keep going"}
		}, nil
	}
}

func (c *Controller) checkCancel(v Values) error {
	if _, open := c.session.OpenTurn(v.Seat, agents.Turn{}); !open {
		return because(c.nameOf(v.Seat) + " has already finished; there is nothing to cancel.")
	}
	return nil
}

func (c *Controller) askCancel(v Values) string { return fmt.Sprintf("Cancel %s?", c.nameOf(v.Seat)) }

func (c *Controller) cancelSeat(v Values) Work {
	turn, _ := c.session.OpenTurn(v.Seat, agents.Turn{})
	turn.Agent = v.Seat
	return c.steer(func() { c.run.Cancel(turn) })(v)
}

// checkRetry returns why a seat cannot be asked again. While a round runs the engine knows
// better, and answers with debate.Refused.
func (c *Controller) checkRetry(v Values) error {
	if c.Running() || c.startsAgain(v.Seat) {
		return nil
	}
	_, err := c.session.AskAgain(v.Seat)
	return err
}

// startsAgain reports whether retrying a seat continues the whole round, as Continue does:
// the seat was cut off, or nobody has answered yet. Otherwise only that seat is asked.
func (c *Controller) startsAgain(seat agents.ID) bool {
	r := c.session.Current()
	if r == nil || c.session.Status() != debate.Interrupted {
		return false
	}
	tries := r.AttemptsOf(seat)
	if len(tries) == 0 {
		return true
	}
	switch x := tries[len(tries)-1]; x.State {
	case debate.TurnCancelled, debate.TurnDone:
		return false
	case debate.TurnFailed:
		return len(r.Answered()) == 0
	default:
		return true
	}
}

func (c *Controller) askRetry(v Values) string {
	if c.session.Verdict == nil || c.Running() {
		return ""
	}
	return fmt.Sprintf("Retry %s? The chair then writes a new verdict.", c.nameOf(v.Seat))
}

// retrySeat asks a seat of the newest round again. A pause after the round stays.
func (c *Controller) retrySeat(v Values) Work {
	if c.Running() {
		return c.steer(func() { c.run.Retry(v.Seat) })(v)
	}
	if c.startsAgain(v.Seat) {
		return c.start(Player.Start)(v)
	}
	return func(ctx context.Context) (Commit, error) {
		return func() Told {
			c.paused = c.paused && c.session.Status() != debate.Interrupted && c.session.Verdict == nil
			return c.begin(func() Run { return c.Player.Retry(ctx, c.session, v.Seat) })
		}, nil
	}
}

// Waiting reports whether a seat waits until it may ask its provider again.
func (c *Controller) Waiting(seat agents.ID) bool { return c.Running() && c.waiting[seat] }

// RetriedNow returns whom [RetryNow] asks where no seat is named: the chair or who answers a
// follow-up question, if that waits, else the seat in focus.
func (c *Controller) RetriedNow(focus agents.ID) agents.ID {
	if ev, ok := c.Retrying(); ok {
		return ev.Turn.Agent
	}
	return focus
}

// writing returns who writes the verdict or answers a follow-up question; "" for nobody.
func (c *Controller) writing() string { return cmp.Or(text.Line(c.chair), c.followUp.name) }

func (c *Controller) checkRetryNow(v Values) error {
	if ev, ok := c.Retrying(); c.waiting[v.Seat] || ok && ev.Turn.Agent == v.Seat {
		return nil
	}
	if v.Seat == "" {
		return because(cmp.Or(c.writing(), "The chair") + " is not waiting for its provider.")
	}
	if r := c.session.Current(); r != nil {
		if tries := r.AttemptsOf(v.Seat); len(tries) > 0 && tries[len(tries)-1].State == debate.TurnFailed {
			return &Reason{"This seat has failed.", RetrySeat, "retry it"}
		}
	}
	return because("This seat is not waiting for its provider.")
}

func (c *Controller) whyNotSkip() error {
	switch {
	case !c.session.Demo():
		return because("Only the demo can be skipped ahead.")
	case !c.Running():
		return because("Nothing is being written.")
	}
	return nil
}

func (c *Controller) skipAhead() {
	for _, p := range c.session.Seats {
		c.run.RetryNow(p.ID)
	}
}

// later is what becomes of a line that is meant for a later round.
type later int

const (
	roundPlanned later = iota
	roundAdded         // no later round is planned: the line adds one
	roundAfter         // nor can one be added before the verdict: the line is kept
)

func (c *Controller) later() later {
	switch {
	case c.Running() && c.whyNotAddRounds() != nil:
		return roundAfter
	case c.session.Verdict != nil || len(c.session.History) >= c.session.Rounds:
		return roundAdded
	}
	return roundPlanned
}

// WhyNotLater returns why nothing can be meant for a later round that is planned; nil if
// there is one.
func (c *Controller) WhyNotLater() error {
	if c.later() == roundPlanned {
		return nil
	}
	if err := c.whyNotAddRounds(); err != nil {
		return err
	}
	return &Reason{fmt.Sprintf("No round follows round %d.", len(c.session.History)), AddRounds, "add a round"}
}

// LaterNote says what becomes of a line for the next round if that is not planned, "" if it
// is. Does is how the user adds a round for it, such as "enter adds one and sends this".
func (c *Controller) LaterNote(does string) string {
	switch c.later() {
	case roundAdded:
		cost := ""
		if c.session.Verdict != nil { // the round begins at once
			cost = fmt.Sprintf(" The round takes %s.", budget.Estimate(c.withMore(1)))
		}
		return fmt.Sprintf("There is no later round: %s.%s", does, cost)
	case roundAfter:
		return "The last round is running: this is kept for the round that you add after it."
	case roundPlanned:
	}
	return ""
}

// withMore returns the session with rounds more to play.
func (c *Controller) withMore(n int) debate.Session { return c.session.WithMoreRounds(n) }

// nextRound names the round that a line for a later round is for.
func (c *Controller) nextRound(words string) string {
	n := len(c.session.History) + 1
	if c.later() == roundAfter {
		return fmt.Sprintf("%s, if you add round %d", words, n)
	}
	return fmt.Sprintf("%s round %d", words, n)
}

func (c *Controller) whyNotNextRound() error { return c.whyNotAnswering() }

// askNextRound asks before a line begins a round after the verdict. Before the verdict the
// front end has shown what becomes of the line.
func (c *Controller) askNextRound(_ Values) string {
	if c.later() != roundAdded || c.session.Verdict == nil {
		return ""
	}
	return fmt.Sprintf("There is no later round. Add round %d? %s.", len(c.session.History)+1, budget.Estimate(c.withMore(1)))
}

// checkRound returns why a line cannot be for a later round: none is planned, or the round
// that the line adds cannot be paid for.
func (c *Controller) checkRound() error {
	if c.Planned {
		return c.WhyNotLater()
	}
	if c.later() != roundAdded {
		return nil
	}
	return c.Player.Affords(c.session)
}

func (c *Controller) checkFocus(v Values) error {
	if n := len([]rune(v.Text)); n > debate.MaxFocus {
		return because(fmt.Sprintf("The focus has %d characters; the limit is %d.", n, debate.MaxFocus))
	}
	if v.Text == "" {
		return nil
	}
	return c.checkRound()
}

func (c *Controller) setFocus(v Values) Work {
	add, id, more := c.later() == roundAdded && v.Text != "", c.session.ID, c.addRounds(Values{Rounds: 1})
	if v.Text == c.focus.Text && !add {
		return nothing
	}
	f := debate.Focus{Text: v.Text, Author: c.Author}
	return func(ctx context.Context) (Commit, error) {
		if err := c.Writer.SetFocus(context.WithoutCancel(ctx), id, f); err != nil {
			return nil, err
		}
		return c.withRound(ctx, add, more, func() Told {
			told := Told{Text: "The next round has no focus question."}
			if v.Text != "" {
				told = Told{Text: c.nextRound("Focus for") + ": " + text.Line(v.Text), Good: true}
				told.Text = strings.Replace(told.Text, "Focus for, if", "Focus, if", 1)
			}
			c.SetFocus(f)
			return told
		})
	}
}

func nothing(context.Context) (Commit, error) { return func() Told { return Told{} }, nil }

// withRound adds the round that a line is for, after the line was saved.
func (c *Controller) withRound(ctx context.Context, add bool, more Work, saved Commit) (Commit, error) {
	if !add {
		return saved, nil
	}
	added, err := more(ctx)
	return func() Told {
		told := saved()
		if err != nil {
			return Told{Text: told.Text + " No round was added: " + err.Error()}
		}
		added()
		return told
	}, nil
}

func (c *Controller) checkInterject(v Values) error {
	if _, err := c.session.CheckInterjection(v.Seat, v.Text); err != nil {
		return err
	}
	return c.checkRound()
}

func (c *Controller) interject(v Values) Work {
	add, id, more := c.later() == roundAdded, c.session.ID, c.addRounds(Values{Rounds: 1})
	message := debate.Interjection{Agent: v.Seat, Text: v.Text, Author: c.Author}
	return func(ctx context.Context) (Commit, error) {
		stored, err := c.Writer.Interject(context.WithoutCancel(ctx), id, message)
		if err != nil {
			return nil, err
		}
		return c.withRound(ctx, add, more, func() Told {
			told := Told{Text: c.WillTell(stored) + ": " + text.Line(stored.Text), Good: true}
			c.session = c.session.WithInterjection(stored)
			return told
		})
	}
}

// WillTell says who gets a message in which round.
func (c *Controller) WillTell(i debate.Interjection) string {
	who := "all"
	if i.Agent != "" {
		who = c.nameOf(i.Agent)
	}
	words := c.nextRound("To " + who + " in")
	return strings.Replace(words, " in, if", ", if", 1)
}

func (c *Controller) whyNotEndAfterRound() error {
	switch {
	case !c.Running():
		if err := c.whyNotEnd(); err != nil {
			return err
		}
		return &Reason{"No round is running.", EndNow, "end the debate now"}
	case c.endAfterRound:
		return nil
	case c.chair != "":
		return c.whyNotBesideChair()
	case c.session.Playing() >= c.session.Rounds:
		return because("This is the last round.")
	}
	return c.whyNotSteer()
}

func (c *Controller) askEndAfterRound(_ Values) string {
	if c.endAfterRound {
		return ""
	}
	return fmt.Sprintf("End after round %d with a verdict?", c.session.Playing())
}

func (c *Controller) toggleEndAfterRound(_ Values) Work {
	return func(context.Context) (Commit, error) {
		return func() Told {
			c.endAfterRound = !c.endAfterRound
			if !c.endAfterRound {
				return Told{Text: "Continues after this round."}
			}
			words := fmt.Sprintf("Ends after round %d with a verdict.", c.session.Playing())
			return Told{Text: words, Fix: EndAfterRound, Verb: "cancel"}
		}, nil
	}
}

func (c *Controller) whyNotEnd() error {
	switch {
	case c.chair != "":
		return c.whyNotBesideChair()
	case c.session.Verdict != nil:
		return because("The debate has ended.")
	case c.session.Current() == nil:
		return because("No round has started.")
	}
	return nil
}

func (c *Controller) endNow(_ Values) Work {
	if c.Running() {
		return c.steer(func() {
			c.paused, c.endAfterRound = false, false
			c.run.End()
		})(Values{})
	}
	return c.changes(func(ctx context.Context, id string) (debate.Session, error) {
		return c.Writer.Stop(ctx, id, debate.StoppedByUser)
	}, func(debate.Session) Told {
		c.endAfterRound = false
		return Told{}
	})
}

func (c *Controller) whyNotAddRounds() error {
	if err := c.whyNotAnswering(); err != nil {
		return err
	}
	if c.Running() && (c.chair != "" || c.session.Playing() >= c.session.Rounds) {
		return &Reason{Text: "The last round is running. A round can be added once the verdict is ready."}
	}
	return nil
}

func (c *Controller) checkAddRounds(v Values) error {
	if v.Rounds < 1 || v.Rounds > debate.MaxRounds {
		return because(fmt.Sprintf("Rounds must be 1-%d, not %d.", debate.MaxRounds, v.Rounds))
	}
	if err := c.session.Mode.CheckRounds(c.withMore(v.Rounds).Rounds); err != nil {
		return because(text.Sentence(err.Error()))
	}
	if c.Running() { // what the round under way takes is not known yet
		return nil
	}
	return c.Player.Affords(c.session)
}

// askAddRounds asks after the verdict, since the round starts at once and the verdict is
// written again.
func (c *Controller) askAddRounds(v Values) string {
	if c.session.Verdict == nil {
		return ""
	}
	s := c.withMore(v.Rounds)
	if v.Rounds > 1 {
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

func (c *Controller) whyNotSetBudget() error {
	if c.Running() {
		return &Reason{"Not while a round is running.", PauseNow, "pause now"}
	}
	return nil
}

func (c *Controller) checkBudget(v Values) error {
	if v.Budget == nil {
		return because("Give a budget in dollars, in tokens, or in both.")
	}
	if c.Author.Kind == ledger.Assistant && c.session.Budget.LowerThan(*v.Budget) {
		return because(fmt.Sprintf("The budget is %s. An assistant can lower it; only a person can raise it.", c.session.Budget))
	}
	wanted := c.session
	wanted.Budget = *v.Budget
	if err := wanted.CheckBudget(); err != nil {
		return err
	}
	if c.session.OwesReport() && v.Rounds == 0 { // whether the chair can be paid is known once it is asked
		return nil
	}
	return c.Player.Affords(wanted)
}

// askBudget asks before a larger budget begins a round after the verdict.
func (c *Controller) askBudget(v Values) string {
	if c.session.Verdict == nil || v.Rounds == 0 {
		return ""
	}
	return c.askAddRounds(v)
}

// setBudget sets other limits. A session that has ended gets the rounds that are asked for.
func (c *Controller) setBudget(v Values) Work {
	wanted := *v.Budget
	if wanted == c.session.Budget && v.Rounds == 0 {
		return nothing
	}
	return c.changes(func(ctx context.Context, id string) (debate.Session, error) {
		s, err := c.Writer.SetBudget(ctx, id, wanted)
		if err == nil && v.Rounds > 0 {
			s, err = c.Writer.AddRounds(ctx, id, v.Rounds)
		}
		return s, err
	}, func(debate.Session) Told {
		return Told{Text: fmt.Sprintf("Budget set to %s.", wanted), Good: true}
	})
}

func (c *Controller) whyNotChangeModel() error {
	takes := slices.ContainsFunc(c.session.SeatIDs(), func(id agents.ID) bool { return c.session.TakesModel(id) > 0 })
	switch open := c.OpenRound(); {
	case c.Running():
		return &Reason{"Not while a round is running.", PauseNow, "pause now"}
	case takes:
		return nil
	case open.CanGoOn():
		return &Reason{fmt.Sprintf("Round %d has not ended.", open.Round), GoOn, "go on without the others"}
	case c.session.Status() == debate.Interrupted:
		return because(fmt.Sprintf("Round %d has not ended. A fork of the debate can take other models at once.", len(c.session.History)))
	case c.session.Next() == 0:
		return &Reason{"No round is left for another model.", AddRounds, "add a round"}
	}
	return nil
}

// modelOf returns the seat of an action with the model that it names.
func (c *Controller) modelOf(v Values) (agents.Profile, error) {
	seat, _ := c.session.Upcoming().Seat(v.Seat)
	model, err := debate.FindModel(seat, v.Text, c.Player.Models(c.session))
	if err != nil {
		err = because(text.Sentence(err.Error()))
	}
	return model, err
}

func (c *Controller) checkModel(v Values) error {
	model, err := c.modelOf(v)
	if err == nil {
		_, err = c.session.ChangeSeat(v.Seat, model)
	}
	return err
}

func (c *Controller) changeModel(v Values) Work {
	model, err := c.modelOf(v)
	return c.changes(func(ctx context.Context, id string) (debate.Session, error) {
		if err != nil {
			return debate.Session{}, err
		}
		return c.Writer.ChangeSeat(ctx, id, v.Seat, model)
	}, func(s debate.Session) Told {
		seat, _ := s.Upcoming().Seat(v.Seat)
		from := s.SeatChanges[len(s.SeatChanges)-1].Round
		return Told{Text: fmt.Sprintf("%s: %s from round %d.", text.Line(seat.Name), text.Line(seat.ModelName()), from), Good: true}
	})
}

// answer records answers together: all of them, or none.
func (c *Controller) answer(v Values) Work {
	id, answers := c.session.ID, slices.Clone(v.Answers)
	for i := range answers {
		answers[i].By = cmp.Or(answers[i].By, c.Author)
	}
	return func(ctx context.Context) (Commit, error) {
		stored, err := c.Writer.Answer(context.WithoutCancel(ctx), id, answers...)
		if err != nil {
			return nil, err
		}
		return func() Told { return c.learn(stored) }, nil
	}
}

// learn takes over requests as they are stored now.
func (c *Controller) learn(stored []ledger.Request) Told {
	var ids []string
	for _, r := range stored {
		c.session = c.session.WithRequest(r)
		if !slices.Contains(ids, r.ID) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return Told{}
	}
	c.showSession()
	told := Told{Text: text.List(ids) + " saved.", Good: true}
	switch {
	case c.session.Verdict != nil:
		told.Text += " No later round: it is used if you add rounds."
	case c.later() == roundAfter:
		told.Text += " It is used if you add a round."
	case c.Running():
		told.Text += " It goes to the seats with the next round."
	}
	return told
}

func (c *Controller) whyNotAsk() error {
	switch {
	case c.session.Verdict == nil:
		return because("Follow-up questions come after the verdict.")
	case c.followUp.name != "":
		return c.whyNotAnswering()
	case c.Running():
		return because("Not while a round is running.")
	}
	return nil
}

func (c *Controller) checkFollowUp(v Values) error {
	_, err := c.session.CheckFollowUp(v.Seat, v.Text)
	return err
}

func (c *Controller) askFollowUp(v Values) Work {
	return func(ctx context.Context) (Commit, error) {
		return func() Told {
			who, _ := c.session.CheckFollowUp(v.Seat, v.Text)
			told := c.begin(func() Run { return c.Player.Ask(ctx, c.session, v.Seat, v.Text) })
			if c.Running() {
				c.followUp.name = text.Line(who.Name)
			}
			return told
		}, nil
	}
}

func (c *Controller) whyNotCancelAnswer() error {
	switch {
	case c.followUp.name == "" && c.chair != "":
		return &Reason{"The chair cannot be cancelled.", PauseNow, "pause now"}
	case c.followUp.name == "":
		return because("Nobody is answering a follow-up question.")
	case c.followUp.turn.Step != debate.FollowUpStep:
		return because(c.followUp.name + " has not begun to answer. Try again in a moment.")
	}
	return nil
}

func (c *Controller) whyNotOutcome() error {
	if c.session.Verdict == nil {
		return because("The debate has no verdict that could have turned out right or wrong.")
	}
	return nil
}

func (c *Controller) checkOutcome(v Values) error {
	if _, err := verdict.ReadOutcome(c.session, v.Text, c.Author, c.now()); err != nil {
		return because(text.Sentence(err.Error()))
	}
	return nil
}

func (c *Controller) sayOutcome(v Values) Work {
	id := c.session.ID
	settled, err := verdict.ReadOutcome(c.session, v.Text, c.Author, c.now())
	return func(ctx context.Context) (Commit, error) {
		if err == nil {
			err = c.Writer.Settle(context.WithoutCancel(ctx), id, settled)
		}
		if err != nil {
			return nil, err
		}
		return func() Told {
			c.AddOutcome(settled)
			return Told{Text: "Outcome: " + verdict.SettledLine(c.session) + ".", Good: true}
		}, nil
	}
}

// AddOutcome takes over how the verdict turned out, as it is stored.
func (c *Controller) AddOutcome(v debate.Settlement) { c.session = c.session.WithSettlement(v) }

// nameOf returns what an agent is called.
func (c *Controller) nameOf(id agents.ID) string {
	if id == "" {
		return "nobody"
	}
	return text.Line(c.session.NameOf(id))
}

// Rejected reports whether an error is about what the user entered rather than about the
// store.
func Rejected(err error) bool {
	var reason *Reason
	var submission *ledger.SubmissionError
	var unpriced *debate.UnpricedError
	var budget *debate.BudgetError
	var blocked *debate.BlockedError
	return errors.As(err, &reason) || errors.As(err, &submission) || errors.As(err, &unpriced) || errors.As(err, &budget) ||
		errors.As(err, &blocked) || errors.Is(err, debate.ErrNotReady) || errors.Is(err, debate.ErrNoSession) ||
		errors.Is(err, debate.ErrLocked) || errors.Is(err, debate.ErrAmbiguous) || errors.Is(err, debate.ErrNewer)
}

// FixOf returns the action that helps with an error; "" if none does.
func FixOf(err error) ID {
	var reason *Reason
	var budget *debate.BudgetError
	switch {
	case errors.As(err, &reason):
		return reason.Instead
	case errors.As(err, &budget):
		return SetBudget
	}
	return ""
}
