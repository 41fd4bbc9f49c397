package control

import (
	"cmp"
	"context"
	"slices"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

var answering = []spec{
	{
		Action:    Action{ID: Answer, Title: "Answer the seats' questions", Args: []Arg{AnswersArg}, Idle: true},
		asPlanned: true,
		do: func(c *Controller, v Values) Work {
			id, answers := c.session.ID, slices.Clone(v.Answers)
			for i := range answers {
				answers[i].By = cmp.Or(answers[i].By, c.Author)
			}
			return save(func(ctx context.Context) ([]ledger.Request, error) { return c.Writer.Answer(ctx, id, answers...) }, c.learn)
		},
	},
	{
		Action: Action{
			ID: AskFollowUp, Title: "Ask the chair or a seat a follow-up question", Args: []Arg{MaybeSeatArg, TextArg}, Idle: true,
		},
		why: func(p *Plan) error {
			switch {
			case p.session.Verdict == nil:
				return because("Follow-up questions come after the verdict.")
			case p.followUp.name != "":
				return p.whyNotAnswering()
			case p.Running():
				return because("Not while a round is running.")
			}
			return nil
		},
		check: func(p *Plan, v Values) error {
			_, err := p.session.CheckFollowUp(v.Seat, v.Text)
			return err
		},
		do: func(c *Controller, v Values) Work {
			return soon(func(ctx context.Context) Told {
				who, _ := c.session.CheckFollowUp(v.Seat, v.Text)
				told := c.begin(func() Run { return c.Player.Ask(ctx, c.session, v.Seat, v.Text) })
				if c.Running() {
					c.followUp.name = text.Line(who.Name)
				}
				return told
			})
		},
	},
	{
		Action: Action{ID: CancelAnswer, Title: "Cancel the answer to the follow-up question"}, asPlanned: true,
		why: func(p *Plan) error {
			switch {
			case p.followUp.name == "" && p.chair != "":
				return &Reason{"The chair cannot be cancelled.", PauseNow, "pause now"}
			case p.followUp.name == "":
				return because("Nobody is answering a follow-up question.")
			case p.followUp.turn.Step != debate.FollowUpStep:
				return because(p.followUp.name + " has not begun to answer. Try again in a moment.")
			}
			return nil
		},
		do: func(c *Controller, _ Values) Work { return c.steer(func() { c.run.Cancel(c.followUp.turn) }) },
	},
	{
		Action: Action{ID: SayOutcome, Title: "Say how the verdict turned out", Args: []Arg{OutcomeArg}, Idle: true},
		why: func(p *Plan) error {
			if p.session.Verdict == nil {
				return because("The debate has no verdict that could have turned out right or wrong.")
			}
			return nil
		},
		check: func(p *Plan, v Values) error {
			if _, err := verdict.ReadOutcome(p.session, v.Text, p.Author, p.Now()); err != nil {
				return because(text.Sentence(err.Error()))
			}
			return nil
		},
		do: func(c *Controller, v Values) Work {
			id := c.session.ID
			settled, _ := verdict.ReadOutcome(c.session, v.Text, c.Author, c.Now()) // it was checked
			return save(func(ctx context.Context) (debate.Settlement, error) {
				return settled, c.Writer.Settle(ctx, id, settled)
			}, func(settled debate.Settlement) Told {
				c.AddOutcome(settled)
				return Told{Text: "Outcome: " + verdict.SettledLine(c.session) + ".", Good: true}
			})
		},
	},
}
