package control

import (
	"cmp"
	"context"
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
)

var steering = []spec{
	{
		Action: Action{ID: Continue, Key: "pause", Title: "Continue the debate", Idle: true}, asPlanned: true,
		why: func(p *Plan) error {
			open := p.session.Unanswered()
			switch {
			case p.session.Verdict != nil:
				return ended()
			case p.chair != "":
				return p.whyNotBesideChair()
			case p.Running():
				return because("A round is running.")
			case p.session.Status() == debate.NeedsContext:
				return &debate.BlockedError{Session: p.session.ID, Round: p.session.Next(), Requests: open}
			}
			return nil
		},
		do: func(c *Controller, _ Values) Work { return c.start(Player.Start) },
	},
	{
		Action: Action{ID: GoOn, Key: "pause", Title: "Go on without the seats that did not answer", Idle: true},
		why: func(p *Plan) error {
			if !p.OpenRound().CanGoOn() {
				return &Reason{"There is no round that one seat alone has answered.", Continue, "continue"}
			}
			return nil
		},
		do: func(c *Controller, _ Values) Work { return c.start(Player.GoOn) },
	},
	{
		Action: Action{ID: Pause, Title: "Pause after this round"}, asPlanned: true,
		why: (*Plan).whyNotSteer,
		do: func(c *Controller, _ Values) Work {
			return c.meanwhile(func() Told {
				c.paused = !c.paused
				c.run.Pause(c.paused)
				if !c.paused {
					return Told{Text: fmt.Sprintf("No pause after round %d.", c.session.Playing())}
				}
				return Told{Text: fmt.Sprintf("Pauses after round %d.", c.session.Playing()), Fix: Pause, Verb: "keep going"}
			})
		},
	},
	{
		Action: Action{ID: PauseNow, Key: "pause", Title: "Pause now"}, asPlanned: true,
		why: func(p *Plan) error {
			if p.Queued() {
				return nil
			}
			return p.whyNotSteerAny()
		},
		ask: func(p *Plan, _ Values) string {
			if p.Queued() {
				return ""
			}
			return "Pause now? " + p.Words().Unfinished()
		},
		do: func(c *Controller, v Values) Work {
			if c.Queued() {
				return soon(func(context.Context) Told { c.Pause(); return Told{} })
			}
			return c.steer(func() { c.paused = true; c.run.Stop() })
		},
	},
	{
		Action: Action{ID: CancelSeat, Title: "Cancel a seat", Args: []Arg{SeatArg}},
		why:    (*Plan).whyNotSteer,
		check: func(p *Plan, v Values) error {
			if _, open := p.session.OpenTurn(v.Seat, agents.Turn{}); !open {
				return because(p.nameOf(v.Seat) + " has already finished; there is nothing to cancel.")
			}
			return nil
		},
		ask: func(p *Plan, v Values) string {
			return fmt.Sprintf("Cancel %s? The round goes on without its answer.", p.nameOf(v.Seat))
		},
		do: func(c *Controller, v Values) Work {
			turn, _ := c.session.OpenTurn(v.Seat, agents.Turn{})
			turn.Agent = v.Seat
			return c.steer(func() { c.run.Cancel(turn) })
		},
	},
	{
		Action: Action{ID: RetrySeat, Key: "retry", Title: "Retry a seat", Args: []Arg{SeatArg}, Idle: true},
		check: func(p *Plan, v Values) error {
			if !p.Running() && p.startsAgain(v.Seat) {
				return nil
			}
			_, err := p.session.AskAgain(v.Seat)
			return err
		},
		ask: func(p *Plan, v Values) string {
			if p.session.Verdict == nil || p.Running() {
				return ""
			}
			return fmt.Sprintf("Retry %s? The chair then writes a new verdict.", p.nameOf(v.Seat))
		},
		do: func(c *Controller, v Values) Work {
			if c.Running() {
				return c.steer(func() { c.run.Retry(v.Seat) })
			}
			if c.startsAgain(v.Seat) {
				return c.start(Player.Start)
			}
			return soon(func(ctx context.Context) Told {
				c.paused = c.paused && c.session.Status() != debate.Interrupted && c.session.Verdict == nil
				return c.begin(func() Run { return c.Player.Retry(ctx, c.session, v.Seat) })
			})
		},
	},
	{
		Action:    Action{ID: RetryNow, Key: "retry", Title: "Retry a waiting seat, or the chair, now", Args: []Arg{WaitingArg}},
		asPlanned: true, why: (*Plan).whyNotSteerAny,
		check: func(p *Plan, v Values) error {
			if p.Waiting(v.Seat) {
				return nil
			}
			if v.Seat == "" {
				return because(cmp.Or(p.writing(), "The chair") + " is not waiting for its provider.")
			}
			if r := p.session.Current(); r != nil {
				if tries := r.AttemptsOf(v.Seat); len(tries) > 0 && tries[len(tries)-1].State == debate.TurnFailed {
					return &Reason{"This seat has failed.", RetrySeat, "retry it"}
				}
			}
			return because("This seat is not waiting for its provider.")
		},
		do: func(c *Controller, v Values) Work { return c.steer(func() { c.run.RetryNow(v.Seat) }) },
	},
	{
		Action: Action{ID: SkipAhead, Title: "Skip ahead in the demo"}, asPlanned: true,
		why: func(p *Plan) error {
			switch {
			case !p.session.Demo():
				return because("Only the demo can be skipped ahead.")
			case !p.Running():
				return because("Nothing is being written.")
			}
			return nil
		},
		do: func(c *Controller, _ Values) Work {
			return c.steer(func() {
				for _, seat := range c.session.Seats {
					c.run.RetryNow(seat.ID)
				}
			})
		},
	},
}
