//go:build cgo && linux

package world_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/report"
)

// controlFront is a front end that draws nothing: it conducts one session and carries out whatever
// the conductor offers. Its user knows every action.
type controlFront struct {
	p    *process
	ctrl *control.Controller // nil: no session is open
}

func openControl(p *process) frontEnd { return &controlFront{p: p} }

// read takes the events of the run, and plays what comes next by itself.
func (d *controlFront) read() (any bool) {
	c := d.ctrl
	if c == nil {
		return false
	}
	for c.Running() {
		select {
		case ev, ok := <-c.Run().Events():
			any = true
			if !ok {
				d.told("its run has ended", c.RunEnded())
				continue
			}
			d.p.w.log("  %s: %s", d.p.name, describe(ev))
			switch ev.(type) {
			case debate.TurnStarted, debate.TurnEnded, debate.RoundStarted, debate.RoundCounted, debate.Concluded, debate.ContextRequested:
				d.p.w.announced(d.p, c.Session().ID, ev)
			}
			c.Apply(ev)
			if asked, ok := ev.(debate.ApprovalAsked); ok {
				c.Decide(asked.CallID, debate.Approval{})
			}
			continue
		default:
			return any
		}
	}
	if c.PauseForCut().Text != "" || d.p.gate.dead() {
		return any
	}
	if next := c.Next(); next.Kind == control.Play {
		if _, err := c.Act(d.p.ctx, next.Action, control.Values{}); err != nil {
			d.p.w.log("  %s: %s is not possible: %v", d.p.name, next.Action, err)
			c.Pause()
			return any
		}
		return true
	}
	return any
}

func (d *controlFront) told(what string, t control.Told) {
	if t.Text != "" {
		d.p.w.log("  %s: %s: %s", d.p.name, what, t.Text)
	}
}

// describe names an event.
func describe(ev debate.Event) string {
	switch ev := ev.(type) {
	case debate.TurnEnded:
		return fmt.Sprintf("%s %s", ev.Response.ID(), ev.Response.State)
	case debate.RunEnded:
		return fmt.Sprintf("the run ends in state %s: %v", ev.Session.State(false), ev.Err)
	case debate.Text:
		return fmt.Sprintf("%s text of %d bytes", debate.TurnID(ev.Turn), len(ev.Text))
	case debate.ContextRequested:
		return fmt.Sprintf("%s asked by %s", ev.Request.ID, debate.TurnID(ev.Turn))
	case debate.Concluded:
		return "verdict: " + report.Line(ev.Session)
	case debate.Noticed:
		return "notice: " + ev.Notice.Text
	}
	return fmt.Sprintf("%T", ev)
}

func (d *controlFront) busy() bool { return d.ctrl != nil && d.ctrl.Running() }

// act has the user begin a debate, open one, or do something in the one that is open.
func (d *controlFront) act() {
	w := d.p.w
	switch {
	case d.ctrl == nil && (len(w.sessions) == 0 || w.pick(4) == 3 && len(w.sessions) < 4):
		d.begin()
	case d.ctrl == nil && w.percent(40):
		d.beside(w.sessions[w.pick(len(w.sessions))])
	case d.ctrl == nil:
		d.open(w.sessions[w.pick(len(w.sessions))])
	case !d.busy() && w.percent(10):
		d.leave()
	default:
		d.something()
	}
}

// begin makes a new debate.
func (d *controlFront) begin() {
	s, err := d.p.w.newSession(d.p)
	if err == nil {
		s.Author = ledger.ByPerson("world")
		s, err = d.p.all.Create(d.p.ctx, s)
	}
	if err != nil {
		d.p.w.tell("%s begins no debate: %v", d.p.name, err)
		return
	}
	d.p.w.tell("%s begins %s: %s, %d seats, %d rounds, %s", d.p.name, s.ID, s.Mode.Name, len(s.Seats), s.Rounds, s.Question)
	d.conduct(s)
}

func (d *controlFront) conduct(s debate.Session) {
	d.ctrl = control.New(s, control.Options{Player: d.p.all.Player, Writer: d.p.all, Author: ledger.ByPerson("world")})
	if f, err := d.p.store.Focus(d.p.ctx, s.ID); err == nil {
		d.ctrl.SetFocus(f)
	}
}

// open opens a session, which starts paused.
func (d *controlFront) open(id string) {
	w := d.p.w
	holder, faulty := w.locks[id], w.disk.Failing()
	s, err := d.p.all.Open(d.p.ctx, id)
	w.tell("%s opens %s: %v", d.p.name, id, err)
	switch {
	case err == nil:
		d.conduct(s)
		d.ctrl.Pause()
	case errors.Is(err, debate.ErrLocked):
		if (holder == nil || holder == d.p) && !w.hasAssistant() { // what a client has open is not known
			w.violate("lock", "%s does not open for %s, and nobody has it open: %v", id, d.p.name, err)
		}
	case faulty || w.disk.Dead():
	default:
		w.violate("open", "%s does not open: %v", id, err)
	}
}

// beside does something with a session that need not be open.
func (d *controlFront) beside(id string) {
	w := d.p.w
	switch w.pick(4) {
	case 0, 1:
		s, err := d.p.store.Session(d.p.ctx, id)
		if err != nil || len(s.History) == 0 || len(w.sessions) > 3 {
			return
		}
		plan := debate.ForkPlan{Round: 1 + w.pick(len(s.History))}
		fork, err := d.p.all.Fork(d.p.ctx, id, plan)
		w.tell("%s forks %s after round %d: %s %v", d.p.name, id, plan.Round, fork.ID, err)
		if err == nil {
			if len(fork.History) != plan.Round {
				w.violate("fork", "a fork after round %d has %d rounds", plan.Round, len(fork.History))
			}
			d.conduct(fork)
		}
	case 2:
		w.tell("%s renames %s: %v", d.p.name, id, d.p.all.Rename(d.p.ctx, id, fmt.Sprintf("Title %d", w.next("title"))))
	case 3:
		_, err := d.p.all.SaveOutcome(d.p.ctx, id, oneOf(w.choices, "open", "mixed", "right"))
		w.tell("%s says how %s turned out: %v", d.p.name, id, err)
	}
}

// leave closes the session that is open.
func (d *controlFront) leave() {
	id := d.ctrl.Session().ID
	d.ctrl = nil
	d.p.w.tell("%s closes %s: %v", d.p.name, id, d.p.all.Close(id))
}

// something does one of the actions that there are.
func (d *controlFront) something() {
	w, s := d.p.w, d.ctrl.Session()
	switch w.pick(12) {
	case 0, 1, 2:
		d.answer()
	case 3, 4:
		d.draft()
	case 5:
		d.evidence()
	default:
		all := control.All()
		impossible := func(a control.Action) bool { return d.ctrl.WhyNot(a.ID) != nil }
		if possible := slices.DeleteFunc(slices.Clone(all), impossible); w.pick(5) > 0 {
			all = possible
		}
		a := all[w.pick(len(all))]
		v := control.Values{Text: oneOf(w.choices, "What of cost?", "Think of the worst day.", ""), Rounds: 1}
		v.Seat = s.Seats[w.pick(len(s.Seats))].ID
		for _, arg := range a.Args {
			switch arg {
			case control.MaybeSeatArg, control.WaitingArg:
				if w.pick(2) == 0 {
					v.Seat = ""
				}
			case control.BudgetArg:
				v.Budget = oneOf(w.choices, &debate.Budget{USD: 5}, &debate.Budget{USD: 0.03}, &debate.Budget{Tokens: 30000},
					&debate.Budget{})
			case control.ModelArg:
				v.Text = "lab/" + oneOf(w.choices, "m-ivy", "m-jon")
			case control.OutcomeArg:
				v.Text = oneOf(w.choices, "right", "open: ask in May", "mixed: so so", "wrong yes")
			case control.AnswersArg: // see answer
				return
			case control.SeatArg, control.TextArg, control.RoundsArg:
			}
		}
		d.do(a.ID, v)
	}
}

// do carries out an action if it is possible.
func (d *controlFront) do(id control.ID, v control.Values) bool {
	told, err := d.ctrl.Act(d.p.ctx, id, v)
	synctest.Wait() // a run that is steered does so now
	d.p.w.tell("%s: %s %s %q in %s: %s %v", d.p.name, id, v.Seat, v.Text, d.ctrl.Session().ID, told.Text, err)
	return err == nil
}

// answer answers a request, or says that there is no answer.
func (d *controlFront) answer() {
	w, s := d.p.w, d.ctrl.Session()
	if len(s.Requests) == 0 {
		return
	}
	q := s.Requests[w.pick(len(s.Requests))]
	sub := ledger.Submission{
		Request: q.ID, Outcome: oneOf(w.choices, ledger.Answered, ledger.Answered, ledger.Unavailable),
		Content: oneOf(w.choices, "About 400.", "Nobody knows.", "12,000 EUR", " "), Correct: w.pick(4) == 3,
	}
	d.do(control.Answer, control.Values{Answers: []ledger.Submission{sub}})
}

// draft saves what is typed for an answer.
func (d *controlFront) draft() {
	w, s := d.p.w, d.ctrl.Session()
	pending := slices.DeleteFunc(slices.Clone(s.Requests), func(q ledger.Request) bool { return q.State != ledger.Pending })
	if len(pending) == 0 {
		return
	}
	id := pending[w.pick(len(pending))].ID
	draft := debate.Draft{Text: fmt.Sprintf("perhaps %d", w.next("draft")), At: time.Now()}
	err := d.p.all.SaveDraft(d.p.ctx, s.ID, id, draft)
	w.tell("%s: draft for %s of %s: %v", d.p.name, id, s.ID, err)
	if err == nil {
		d.ctrl.SetDraft(id, draft)
	}
}

// evidence brings a file.
func (d *controlFront) evidence() {
	w, s := d.p.w, d.ctrl.Session()
	if w.next("evidence asked") > 5 {
		return
	}
	e := debate.NewEvidence(fmt.Sprintf("notes-%d.txt", w.next("file")), debate.EvidenceFile, strings.Repeat("It costs 12,000 EUR a year.\n", 1+w.pick(40)), "")
	e.Author = ledger.ByPerson("world")
	now, err := d.p.all.AddEvidence(d.p.ctx, s.ID, e)
	w.tell("%s: evidence %s for %s: %v", d.p.name, e.Name, s.ID, err)
	if err == nil {
		d.ctrl.SetEvidence(now.Evidence)
	}
}

// calm leads the sessions of the world to their ends, one after the other.
func (d *controlFront) calm() bool {
	if d.ctrl == nil {
		i := slices.IndexFunc(d.p.w.sessions, func(id string) bool {
			s, err := d.p.store.Session(d.p.ctx, id)
			if err != nil {
				d.p.w.violate("read", "%s cannot be read: %v", id, err)
				return false
			}
			return s.Verdict == nil
		})
		if i < 0 {
			return false
		}
		d.open(d.p.w.sessions[i])
		return d.ctrl != nil
	}
	if d.busy() {
		return true
	}
	return d.conclude()
}

// conclude does what the conductor says is next, as a user who wants the verdict.
func (d *controlFront) conclude() bool {
	s := d.ctrl.Session()
	var budget *debate.BudgetError
	switch next := d.ctrl.Next(); {
	case s.Verdict != nil:
		d.leave()
		if d.p.w.isCutOff(s.ID) {
			d.p.w.violate("goes on", "%s was played to its verdict, and one of its turns that was cut off is not ended", s.ID)
		}
		return true
	case next.Kind == control.AskUser:
		var subs []ledger.Submission
		for _, q := range s.Unanswered() {
			subs = append(subs, ledger.Submission{Request: q.ID, Outcome: ledger.Answered, Content: "About 400."})
		}
		return d.must(control.Answer, control.Values{Answers: subs})
	case d.ctrl.Problem() != nil && errors.As(d.ctrl.Problem().Err, &budget), s.CheckBudget() != nil, d.p.all.Player.Affords(s) != nil:
		return d.must(control.SetBudget, control.Values{Budget: &debate.Budget{USD: 500, Tokens: 50_000_000}}) &&
			(d.busy() || d.must(control.Continue, control.Values{})) // one that it had stopped is concluded at once
	case d.ctrl.OpenRound().CanGoOn():
		return d.must(control.GoOn, control.Values{})
	default:
		return d.must(control.Continue, control.Values{})
	}
}

// must does what has to be possible.
func (d *controlFront) must(id control.ID, v control.Values) bool {
	if d.do(id, v) {
		return true
	}
	s := d.ctrl.Session()
	st := d.ctrl.Words().State(time.Now())
	d.p.w.violate("stuck", "%s in %s (%s) is not possible: %v; the screen says %q, next: %s", id, s.ID, s.State(false),
		d.ctrl.Check(id, v), st.Lines, st.Next)
	return false
}

func (d *controlFront) close() {
	if d.ctrl == nil {
		return
	}
	if d.busy() {
		d.ctrl.Run().Stop()
	}
}

func (d *controlFront) kill() {}

// wait reads the run to its end.
func (d *controlFront) wait() {
	if d.ctrl == nil || !d.ctrl.Running() {
		return
	}
	for range d.ctrl.Run().Events() { //nolint:revive // nobody is left to see them
	}
}

// newSession returns what a new debate is made of.
func (w *world) newSession(p *process) (debate.Session, error) {
	builtin, err := modes.Builtin()
	if err != nil {
		return debate.Session{}, err
	}
	first := slices.IndexFunc(builtin, func(m debate.Mode) bool { return m.Name == "collaborative" })
	m := builtin[(first+w.pick(len(builtin)))%len(builtin)]
	seats := m.MinSeats + w.few(min(m.MaxSeats, len(seatNames))-m.MinSeats)
	plan := debate.Plan{
		Topic: oneOf(w.choices, "Should a small team use SQLite in production?", "Is it so?", "How many weeks does the move take?"),
		Mode:  m.Name, Agents: seatNames[:seats], Rounds: min(1+w.few(3), m.MostRounds()),
		Ends: oneOf(w.choices, "", debate.EndsAgreed, debate.EndsSettled),
	}
	if m.Rounds == 1 || m.Reviews() {
		plan.Rounds = 0
	}
	switch w.pick(5) {
	case 3:
		plan.USD = 0.05
	case 4:
		plan.Tokens = 60_000
	}
	if m.Question == "" && !m.Reviews() {
		plan.Question = oneOf(w.choices, "", "yes-no", "estimate")
	}
	s, err := p.builder.Build(plan)
	if err != nil {
		return s, err
	}
	if w.pick(2) == 1 {
		s.Light = &agents.Profile{ID: "light", Name: "Light", Provider: "lab", Model: "m-light", PriceIn: new(1.0), PriceOut: new(4.0), ContextWindow: 64_000}
	}
	if w.pick(2) == 1 {
		s.Chair = &agents.Profile{ID: "chair", Name: "Chair", Provider: "lab", Model: "m-chair", PriceIn: new(2.0), PriceOut: new(8.0), ContextWindow: 64_000}
	}
	if m.Reviews() {
		s.Evidence = []debate.Evidence{debate.NewEvidence("change.diff", debate.EvidenceDiff, sampleDiff, "")}
	}
	return s, nil
}

// few decides on a number up to most, of which small ones are likelier.
func (w *world) few(most int) int { return min(w.pick(most+1), w.pick(most+1)) }

// seatNames are the ids of the configured agents.
var seatNames = []string{"ada", "brook", "cleo", "dee", "eli", "fay", "gus", "hal"}

// configuration is the file that all processes of a world have, with models that read so many
// tokens.
func configuration(window int) string {
	var b strings.Builder
	b.WriteString("[defaults]\nask_lists = false\n[providers.lab]\nbase_url = \"http://127.0.0.1:9/v1\"\n")
	for i, id := range append(slices.Clone(seatNames), "ivy", "jon") {
		fmt.Fprintf(&b, "[[agents]]\nid = %q\nprovider = \"lab\"\nmodel = \"m-%s\"\ncontext_window = %d\nprice_in = %d.5\nprice_out = %d\n",
			id, id, window, i%3, 2+i%4)
	}
	b.WriteString("[panels.main]\nagents = [\"ada\", \"brook\", \"cleo\"]\n")
	return b.String()
}

// sampleDiff is what a review looks at.
const sampleDiff = `diff --git a/pay.go b/pay.go
--- a/pay.go
+++ b/pay.go
@@ -10,4 +10,5 @@ func Pay(amount int) error {
 	if amount < 0 {
 		return errNegative
 	}
+	charge(amount + 1)
 	return nil
`
