package control

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

var planning = []spec{
	{
		Action: Action{ID: SetFocus, Title: "Focus question for the next round", Args: []Arg{TextArg}, Idle: true},
		why:    (*Plan).whyNotAnswering,
		check: func(p *Plan, v Values) error {
			if n := len([]rune(v.Text)); n > debate.MaxFocus {
				return because(fmt.Sprintf("The focus has %d characters; the limit is %d.", n, debate.MaxFocus))
			}
			return p.whyNotKept()
		},
		do: func(c *Controller, v Values) Work {
			if v.Text == c.focus.Text {
				return soon(func(context.Context) Told { return Told{} })
			}
			id, f := c.session.ID, debate.Focus{Text: v.Text, Author: c.Author}
			write := func(ctx context.Context) (debate.Focus, error) { return f, c.Writer.SetFocus(ctx, id, f) }
			return save(write, func(f debate.Focus) Told {
				c.SetFocus(f)
				if f.Text == "" {
					return Told{Text: "The next round has no focus question."}
				}
				return c.kept(c.Words().nextRound("Focus", "for") + ": " + text.Line(f.Text))
			})
		},
	},
	{
		Action: Action{
			ID: Interject, Title: "Send a message to one seat or all", Args: []Arg{MaybeSeatArg, TextArg}, Idle: true,
		},
		why: (*Plan).whyNotAnswering,
		check: func(p *Plan, v Values) error {
			_, err := p.session.CheckInterjection(v.Seat, v.Text)
			return cmp.Or(err, p.whyNotKept())
		},
		do: func(c *Controller, v Values) Work {
			id := c.session.ID
			message := debate.Interjection{Agent: v.Seat, Text: v.Text, Author: c.Author}
			return save(func(ctx context.Context) (debate.Interjection, error) {
				return c.Writer.Interject(ctx, id, message)
			}, func(stored debate.Interjection) Told {
				c.session = c.session.WithInterjection(stored)
				return c.kept(c.Words().toldTo(stored) + ": " + text.Line(stored.Text))
			})
		},
	},
	{
		Action: Action{ID: EndAfterRound, Key: "end", Title: "End after this round", Toggle: true},
		why: func(p *Plan) error {
			switch {
			case !p.Running():
				return cmp.Or[error](p.whyNotEnd(), &Reason{"No round is running.", EndNow, "end the debate now"})
			case p.endAfterRound:
				return nil
			case p.chair == "" && p.session.Playing() >= p.session.Rounds:
				return because("This is the last round.")
			}
			return p.whyNotSteer()
		},
		ask: func(p *Plan, _ Values) string {
			if p.endAfterRound {
				return ""
			}
			return fmt.Sprintf("End after round %d with a verdict?", p.session.Playing())
		},
		do: func(c *Controller, _ Values) Work {
			return c.meanwhile(func() Told {
				c.endAfterRound = !c.endAfterRound
				if !c.endAfterRound {
					return Told{Text: "Continues after this round."}
				}
				words := fmt.Sprintf("Ends after round %d with a verdict.", c.session.Playing())
				return Told{Text: words, Fix: EndAfterRound, Verb: "cancel"}
			})
		},
	},
	{
		Action: Action{ID: EndNow, Key: "end", Title: "End the debate now", Idle: true},
		why:    (*Plan).whyNotEnd,
		ask:    func(p *Plan, _ Values) string { return report.EndQuestion(p.session, p.Running()) },
		do: func(c *Controller, _ Values) Work {
			if c.Running() {
				return c.steer(func() {
					c.paused, c.endAfterRound = false, false
					c.run.End()
				})
			}
			return c.changes(func(ctx context.Context, id string) (debate.Session, error) {
				return c.Writer.Stop(ctx, id, debate.StoppedByUser)
			}, func(debate.Session) Told {
				c.endAfterRound = false
				return Told{}
			})
		},
	},
	{
		Action: Action{ID: AddRounds, Key: "more", Title: "Add a round", Args: []Arg{RoundsArg}, Idle: true},
		why:    (*Plan).whyNotAddRounds,
		check: func(p *Plan, v Values) error {
			if v.Rounds < 1 || v.Rounds > debate.MaxRounds {
				return because(fmt.Sprintf("Rounds must be 1-%d, not %d.", debate.MaxRounds, v.Rounds))
			}
			if err := p.session.Mode.CheckRounds(p.session.WithMoreRounds(v.Rounds).Rounds); err != nil {
				return because(text.Sentence(err.Error()))
			}
			if p.Running() { // what the round under way takes is not known yet
				return nil
			}
			return p.Player.Affords(p.session)
		},
		ask: (*Plan).askAddRounds,
		do:  (*Controller).addRounds,
	},
	{
		Action: Action{ID: SetBudget, Key: "palette", Title: "Change budget", Args: []Arg{BudgetArg}, Idle: true},
		why:    (*Plan).whyNotMeanwhile,
		check: func(p *Plan, v Values) error {
			if v.Budget == nil {
				return because("Give a budget in dollars, in tokens, or in both.")
			}
			if p.Author.Kind == ledger.Assistant && p.session.Budget.LowerThan(*v.Budget) {
				return because(fmt.Sprintf("The budget is %s. An assistant can lower it; only a person can raise it.", p.session.Budget))
			}
			wanted := p.session
			wanted.Budget = *v.Budget
			if err := wanted.CheckBudget(); err != nil {
				return err
			}
			if p.session.OwesReport() { // whether the chair can be paid is known once it is asked
				return nil
			}
			return p.Player.Affords(wanted)
		},
		do: func(c *Controller, v Values) Work {
			wanted, before := *v.Budget, c.session.Budget
			if wanted == before {
				return soon(func(context.Context) Told { return Told{} })
			}
			return c.changes(func(ctx context.Context, id string) (debate.Session, error) {
				return c.Writer.SetBudget(ctx, id, wanted)
			}, func(s debate.Session) Told {
				told := Told{Text: fmt.Sprintf("Budget set to %s.", wanted), Good: true}
				if s.Verdict != nil && before.LowerThan(wanted) {
					told.Fix, told.Verb = AddRounds, "add a round"
				}
				return told
			})
		},
	},
	{
		Action: Action{ID: ChangeModel, Title: "Change a seat's model", Args: []Arg{SeatArg, ModelArg}, Idle: true},
		why: func(p *Plan) error {
			takes := slices.ContainsFunc(p.session.SeatIDs(), func(id agents.ID) bool { return p.session.TakesModel(id) > 0 })
			switch open := p.OpenRound(); {
			case p.Running():
				return p.whyNotMeanwhile()
			case takes:
				return nil
			case open.CanGoOn():
				return &Reason{fmt.Sprintf("Round %d has not ended.", open.Round), GoOn, "go on without the others"}
			case p.session.Status() == debate.Interrupted:
				return because(fmt.Sprintf("Round %d has not ended. A fork can take other models at once.", len(p.session.History)))
			case p.session.Next() == 0:
				return &Reason{"No round is left for another model.", AddRounds, "add a round"}
			}
			return nil
		},
		check: func(p *Plan, v Values) error {
			model, err := p.modelOf(v)
			if err == nil {
				_, err = p.session.ChangeSeat(v.Seat, model)
			}
			return err
		},
		do: func(c *Controller, v Values) Work {
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
		},
	},
}
