package debateview

import (
	"cmp"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate/control"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
)

func (d *Debate) ownCommands() []screen.Command {
	s := &d.search
	found := func() bool { return s.words != "" }
	search := screen.SearchKeys("Search all seats and rounds", nil, found, s.find, s.next)
	return slices.Concat(d.movingKeys(), search, screen.JumpKeys(d.halfPage, d.edge), d.steeringKeys())
}

func (d *Debate) movingKeys() []screen.Command {
	sc := d.Screen
	bind, do, move := screen.Bind, screen.Do, screen.Moves
	return []screen.Command{
		{
			Binding: bind("verdict", "v", "verdict"), Title: "Verdict", Group: screen.Looking, Why: d.Words().NoVerdict, Rank: 1,
			Hint: screen.Say("v verdict"), Run: do(func() screen.Outcome { return screen.Outcome{ShowVerdict{}} }),
		},
		{
			Binding: bind("next-seat", "tab 1-9", "seat"), Title: "Next seat", Group: screen.Moving,
			Hint: screen.Say("tab seat"), Rank: 2, Run: move(sc.nextSeat, 1),
		},
		{Binding: bind("previous-seat", "", ""), Title: "Previous seat", Group: screen.Moving, Run: move(sc.nextSeat, -1)},
		{
			Binding: bind("seat-by-number", "", ""), Group: screen.Moving, Hint: sc.jumpHint, Rank: 6,
			Run: sc.jump,
		},
		{
			Binding: bind("zoom", "z", "one seat or all"), Title: "Zoom one seat, or show all", Group: screen.Looking,
			Hint: sc.zoomHint, Rank: 3, Run: do(sc.zoom),
		},
		{
			Binding: bind("down", "j k", "scroll; G follows"), Title: "Scroll down", Group: screen.Moving,
			Run: move(sc.scroll, 1),
		},
		{Binding: bind("up", "", ""), Title: "Scroll up", Group: screen.Moving, Run: move(sc.scroll, -1)},
		{Binding: bind("page-down", "", ""), Title: "Half a page down", Group: screen.Moving, Run: move(sc.halfPage, 1)},
		{Binding: bind("page-up", "", ""), Title: "Half a page up", Group: screen.Moving, Run: move(sc.halfPage, -1)},
		{
			Binding: bind("earlier", "[ ]", "earlier, later round"), Title: "Earlier round", Group: screen.Moving,
			Hint: screen.When(sc.zoomed, "[ ] round"), Rank: 5, Run: move(sc.turnRound, -1),
		},
		{Binding: bind("later", "", ""), Title: "Later round", Group: screen.Moving, Run: move(sc.turnRound, 1)},
	}
}

// keyOf returns the key of an action, as the notices name it.
func (sc *Screen) keyOf(id control.ID) string {
	key := sc.keys.Of(cmp.Or(control.ActionOf(id).Key, string(id)))
	switch id {
	case control.PauseNow:
		return key + " twice"
	case control.SetBudget:
		return key + " and choose Change budget"
	default:
		return key
	}
}

// command completes the command of an action with its title, and why it is not possible.
func (d *Debate) command(id control.ID, c screen.Command) screen.Command {
	c.Title = cmp.Or(c.Title, control.ActionOf(id).Title)
	if c.Group == "" {
		c.Group = screen.Steering
	}
	if c.Why == nil {
		c.Why = func() string { return d.whyNot(id) }
	}
	return c
}

func (d *Debate) whyNot(id control.ID) string {
	return d.why(d.WhyNot(id))
}

func (d *Debate) steeringKeys() []screen.Command {
	sc := d.Screen
	bind, do := screen.Bind, screen.Do
	own := []screen.Command{
		{
			Binding: bind("pause", "space", "pause; again: now"), Title: "Pause after this round, now, or go on", Also: "continue stop",
			Group: screen.Steering,
			Hint:  d.spaceHint, Rank: 9, Urgent: d.isPaused, Run: do(d.pauseOrContinue),
			Why: func() string { return d.whyNot(d.onSpace()) },
		},
		{
			Binding: bind("cancel-seat", "x", "cancel this seat"), Title: "Cancel this seat", Also: "stop",
			Group: screen.Steering, Why: d.whyNotCancel, Run: do(d.askCancel),
		},
		{
			Binding: bind("focus", "f", "focus question"), Title: "Focus question for the next round", Group: screen.Steering,
			Opens: true, Run: do(d.askFocus),
		},
		{
			Binding: bind("tell", "i", "message one seat or all"), Title: "Send a message to one seat or all", Also: "interject",
			Group: screen.Steering,
			Opens: true, Run: do(d.askMessage),
		},
		d.command(control.ChangeModel, screen.Command{
			Binding: bind("change-model", "m", "other model for this seat"), Run: do(d.askModel),
		}),
		{
			Binding: bind("retry", "R", "retry this seat"), Title: "Retry this seat, or do not wait", Group: screen.Steering,
			Hint: screen.When(sc.inTrouble, "R retry"), Rank: 4, Why: d.whyNotRetry, Run: do(d.askRetry),
		},
	}
	more := screen.Shared("skip-ahead", "more", "ask", "budget", "end", "answer", "approvals")
	return slices.Concat(screen.Shared("tool-log"), own, more, d.lookingKeys())
}

func (d *Debate) lookingKeys() []screen.Command {
	sc, bind, do := d.Screen, screen.Bind, screen.Do
	whyNone := screen.When(func() bool { return len(sc.citationsInFocus()) == 0 }, "This seat cites no evidence.")
	return append([]screen.Command{
		{
			Binding: bind("receipt", "p", "prompt receipt"), Title: "Prompt receipt of this seat", Group: screen.Looking,
			Run: do(func() screen.Outcome { return screen.Outcome{screen.OpenReceipt{Seat: sc.seatInFocus()}} }),
		},
		{
			Binding: bind("open", "enter", "show tools, thinking"), Title: "Show or hide tools and thinking", Group: screen.Looking,
			Run: do(sc.unfold),
		},
		{
			Binding: bind("next-citation", ". ,", "citation, enter opens it"), Title: "Next citation of this seat",
			Group: screen.Looking, Run: do(func() screen.Outcome { return sc.markCitation(1) }), Why: whyNone,
		},
		{
			Binding: bind("previous-citation", "", ""), Title: "Previous citation of this seat", Group: screen.Looking,
			Run: do(func() screen.Outcome { return sc.markCitation(-1) }), Why: whyNone,
		},
		{Binding: bind("copy", "y", "copy the statement"), Title: "Copy the statement", Group: screen.Always, Run: do(sc.copyStatement)},
	}, screen.Shared("evidence", "outcome", "fork", "export", "debates")...)
}

// Shared returns the commands that other screens of the session offer, too.
func (d *Debate) Shared() map[string]screen.Command {
	bind, do := screen.Bind, screen.Do
	return map[string]screen.Command{
		"more": {
			Binding: bind("more", "+", "add a round"), Title: "Add a round", Group: screen.Steering, Run: d.AskRound,
		},
		"ask": d.command(control.AskFollowUp, screen.Command{
			Binding: bind("ask", "a", "ask a follow-up"), Group: screen.Answering, Writes: true, Opens: true, Rank: 1,
			Hint: screen.Say("a ask"), Run: do(d.askFollowUp),
		}),
		"skip-ahead": d.command(control.SkipAhead, screen.Command{
			Binding: bind("skip-ahead", ">", "skip ahead in the demo"), Hint: screen.Say("> skip ahead"), Rank: 1,
			Run: do(func() screen.Outcome { return d.act(control.SkipAhead, control.Values{}, ">", "skip") }),
		}),
		"retry-now": d.command(control.RetryNow, screen.Command{
			Binding: bind("retry", "R", "do not wait for a provider"), Title: "Do not wait for the provider any longer", Rank: 1,
			Hint: screen.Say("R ask now"),
			Why:  func() string { return d.whyNotRetryNow("") }, Run: do(func() screen.Outcome { return d.retryNow("") }),
		}),
		"pause-now": d.command(control.PauseNow, screen.Command{
			Binding: bind("pause", "space", "pause now"), Also: "stop", Run: do(d.askPauseNow),
		}),
		"cancel-answer": d.command(control.CancelAnswer, screen.Command{
			Binding: bind("cancel-answer", "x", "cancel the answer"), Rank: 1, Hint: screen.Say("x cancel"),
			Run: do(func() screen.Outcome { return d.act(control.CancelAnswer, control.Values{}, "x", "cancel") }),
		}),
		"budget": d.command(control.SetBudget, screen.Command{
			Opens: true, Run: do(func() screen.Outcome { return d.askBudget("", nil) }),
		}),
		"end": {
			Binding: bind("end", "S", "end after round, or now"), Title: "End the debate after this round, or now",
			Group: screen.Steering, Why: d.whyNotEnd, Run: d.askEnd,
		},
		"outcome": d.command(control.SayOutcome, screen.Command{
			Binding: bind("outcome", "O", "how it turned out"), Also: "right wrong settle", Group: screen.Choosing, Writes: true,
			Hint: screen.When(d.asksOutcome, "O right?"), Rank: 3,
			Run: do(func() screen.Outcome { return screen.Outcome{d.outcomeField().Question()} }),
		}),
		"answer": {
			Binding: bind("answer", "c", "context form"), Title: "Answer the seats' questions", Also: "context form",
			Group: screen.Answering,
			Run:   do(d.openForm),
		},
	}
}

// AskRound plans another round, or says at its key why none can be. What a debate needs first
// is the report that its budget did not allow.
func (d *Debate) AskRound(pressed string) screen.Outcome {
	v := control.Values{Rounds: 1}
	if why := d.whyNot(control.AddRounds); why != "" {
		return screen.Outcome{screen.Question{Text: why, Key: pressed}}
	}
	if d.OwesReport() {
		return d.askBudget("", nil)
	}
	if err := d.Check(control.AddRounds, v); control.FixOf(err) == control.SetBudget {
		return append(screen.Tell(screen.Warning, d.why(err)), d.askBudget("", err)...)
	}
	if pressed == "enter" { // on the row of the form that says what it costs
		return d.carryOut(control.AddRounds, v)
	}
	return d.act(control.AddRounds, v, pressed, "add")
}

func (d *Debate) openForm() screen.Outcome {
	d.Form.Open()
	d.Arrange()
	return nil
}

func (d *Debate) whyNotEnd() string {
	if d.WhyNot(control.EndAfterRound) == nil {
		return ""
	}
	return d.whyNot(control.EndNow)
}

// askEnd asks when the debate ends, where there is a choice.
func (d *Debate) askEnd(pressed string) screen.Outcome {
	now := func() screen.Outcome { return d.AskEnd("enter") }
	switch {
	case d.WhyNot(control.EndAfterRound) != nil:
		return d.AskEnd(pressed)
	case d.Question(control.EndAfterRound, control.Values{}) == "": // it is to end
		return d.carryOut(control.EndAfterRound, control.Values{})
	}
	q := d.questionOf(control.EndAfterRound, control.Values{}, pressed, "after this round")
	return screen.Outcome{orElse(q, screen.Answer{Key: "n", Verb: "now", Do: now})}
}

// orElse adds an answer to a question, for as long as what it asks about is possible.
func orElse(q screen.Question, other screen.Answer) screen.Question {
	if q.Do != nil {
		ask := q.Renew
		q.Others, q.Renew = []screen.Answer{other}, func() screen.Question { return orElse(ask(), other) }
	}
	return q
}

// AskEnd asks before it ends the debate, also in the middle of a round.
func (d *Debate) AskEnd(pressed string) screen.Outcome {
	return d.act(control.EndNow, control.Values{}, pressed, "end")
}

func (d *Debate) whyNotRetryNow(focus agents.ID) string {
	return d.why(d.Check(control.RetryNow, control.Values{Seat: d.RetriedNow(focus)}))
}

func (sc *Screen) zoomed() bool { return sc.view.zoom }

// inTrouble reports whether a seat needs help.
func (sc *Screen) inTrouble() bool {
	trouble := []control.SeatKind{control.SeatFailed, control.SeatCancelled, control.SeatRetrying, control.SeatPaused}
	return slices.ContainsFunc(sc.panes, func(p *pane.Pane) bool { return slices.Contains(trouble, p.Seat().State().Kind) })
}

// asksOutcome reports whether a verdict has not been asked yet what only a person knows.
func (d *Debate) asksOutcome() bool {
	_, said := d.Session().Settled()
	return !said && d.WhyNot(control.SayOutcome) == nil
}

// The functions below word the hints of the bottom line; "" shows none.

func (sc *Screen) jumpHint() string {
	if n := len(sc.panes); n > 4 {
		return fmt.Sprintf("1-%d jump", n)
	}
	return ""
}

func (sc *Screen) zoomHint() string {
	if sc.view.zoom {
		return "z all"
	}
	return "z zoom"
}

func (sc *Screen) spaceHint() string {
	switch id := sc.onSpace(); {
	case id == control.PauseNow:
		return "space pause now"
	case id == control.Pause:
		return "space pause"
	case sc.Paused() && id != control.Answer:
		return "space go on"
	}
	return ""
}

func (sc *Screen) isPaused() bool { return sc.Paused() && !sc.Running() }
