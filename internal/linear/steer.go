package linear

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/engine"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// reported writes why a wish of the user was not carried out.
func (p *Program) reported(err error) error {
	if err != nil {
		p.say("! %s", sentence(err))
	}
	return nil
}

// seat returns the seat that a word names: by number, id or name.
func (s *session) seat(word string) (agents.Profile, bool) {
	for i, x := range s.Seats {
		if word == strconv.Itoa(i+1) || strings.EqualFold(word, string(x.ID)) || text.Fold(word) == text.Fold(text.Line(x.Name)) {
			return x, true
		}
	}
	return agents.Profile{}, false
}

// seatOf returns the seat that the argument of a command names, and says so if there is
// none.
func (p *Program) seatOf(arg string) (agents.Profile, bool) {
	x, ok := p.open.seat(arg)
	if !ok {
		var names []string
		for i, s := range p.open.Seats {
			names = append(names, fmt.Sprintf("%d %s", i+1, text.Line(s.Name)))
		}
		p.say("Give a seat by number or name: %s.", strings.Join(names, ", "))
	}
	return x, ok
}

// resume goes on with a paused debate.
func resume(ctx context.Context, p *Program, _ string) error {
	s := p.open
	s.paused, s.hint = false, ""
	if s.Status() != debate.NeedsContext {
		p.start(ctx, p.Engine.Start)
	}
	return nil
}

func goOn(ctx context.Context, p *Program, _ string) error {
	if !debate.OpenRound(p.open.Session).CanGoOn() {
		p.say("There is no round that one seat alone has answered. /continue goes on.")
		return nil
	}
	p.start(ctx, p.Engine.GoOn)
	return nil
}

func pause(_ context.Context, p *Program, _ string) error {
	s := p.open
	s.pausing = !s.pausing
	s.run.Pause(s.pausing)
	if s.pausing {
		p.say("Pauses after this round. /pause again to go on.")
	} else {
		p.say("Goes on after this round.")
	}
	return nil
}

func stop(ctx context.Context, p *Program, _ string) error {
	yes, err := p.confirm(ctx, "Pause now? Finished answers are saved, the others are asked again.", "no")
	if err != nil || !yes || !p.open.running() {
		return err
	}
	p.open.run.Stop()
	return nil
}

func cancel(_ context.Context, p *Program, arg string) error {
	x, ok := p.seatOf(arg)
	if !ok {
		return nil
	}
	turn, open := debate.OpenTurn(p.open.Session, x.ID, agents.Turn{})
	if !open {
		p.say("%s has nothing to cancel.", text.Line(x.Name))
		return nil
	}
	p.open.run.Cancel(turn)
	return nil
}

func retry(ctx context.Context, p *Program, arg string) error {
	x, ok := p.seatOf(arg)
	s := p.open
	switch {
	case !ok:
	case s.running():
		s.run.Retry(x.ID)
	default:
		if _, err := debate.AskAgain(s.Session, x.ID); err != nil {
			return p.reported(err)
		}
		if s.Verdict != nil {
			yes, err := p.confirm(ctx, fmt.Sprintf("Ask %s again? The chair then writes a new verdict.", text.Line(x.Name)), "no")
			if err != nil || !yes {
				return err
			}
		}
		p.start(ctx, func(ctx context.Context, d debate.Session) *engine.Run { return p.Engine.Retry(ctx, d, x.ID) })
	}
	return nil
}

func retryNow(_ context.Context, p *Program, arg string) error {
	if x, ok := p.seatOf(arg); ok {
		p.open.run.RetryNow(x.ID)
		p.say("%s is asked without waiting.", text.Line(x.Name))
	}
	return nil
}

// tellSeat sends a message to the seat that its first word names, or else to all.
func tellSeat(ctx context.Context, p *Program, arg string) error {
	first, rest, _ := strings.Cut(arg, " ")
	if x, ok := p.open.seat(first); ok && strings.TrimSpace(rest) != "" {
		return p.interject(ctx, x.ID, rest)
	}
	if arg == "" {
		p.say("Give the message: /tell TEXT, or /tell SEAT TEXT.")
		return nil
	}
	return p.interject(ctx, "", arg)
}

// interject sends a message once the user has confirmed it.
func (p *Program) interject(ctx context.Context, to agents.ID, raw string) error {
	s := p.open
	message, err := s.CheckInterjection(to, raw)
	if err != nil {
		return p.reported(err)
	}
	if message, err = attachHere(ctx, p, message); err != nil {
		return err
	}
	who := "all seats"
	if to != "" {
		_, n := s.Seat(to)
		who = fmt.Sprintf("%d %s only", n, text.Line(s.NameOf(to)))
	}
	p.say("To %s: %s", who, text.Line(message))
	yes, err := p.confirm(ctx, "Send this?", "no")
	if err != nil {
		return err
	}
	if !yes {
		p.say("Not sent.")
		return nil
	}
	if _, err := p.Store.Interject(context.WithoutCancel(ctx), s.ID, to, message); err != nil {
		return p.reported(err)
	}
	p.say("Saved. It is in the next prompt of %s.", who)
	return nil
}

func focus(ctx context.Context, p *Program, arg string) error {
	arg, err := attachHere(ctx, p, arg)
	if err != nil {
		return err
	}
	if len([]rune(arg)) > debate.MaxFocus {
		p.say("The focus has %d characters; the limit is %d.", len([]rune(arg)), debate.MaxFocus)
		return nil
	}
	if err := p.Store.SetFocus(context.WithoutCancel(ctx), p.open.ID, arg); err != nil {
		return p.reported(err)
	}
	if arg == "" {
		p.say("The next round has no focus.")
	} else {
		p.say("Focus for the next round: %s", text.Line(arg))
	}
	return nil
}

// end ends the debate once the user has confirmed it.
func end(ctx context.Context, p *Program, _ string) error {
	s := p.open
	yes, err := p.confirm(ctx, report.EndQuestion(s.Session, s.running()), "no")
	if err != nil || !yes {
		return err
	}
	if s.running() {
		s.run.End()
		return nil
	}
	return conclude(ctx, p)
}

// endAfterRound sets whether the debate ends after the round under way.
func endAfterRound(_ context.Context, p *Program, _ string) error {
	s := p.open
	switch {
	case debate.Playing(s.Session) >= s.Rounds:
		p.say("This is the last round.")
	case s.endsAfter:
		s.endsAfter = false
		p.say("Continues after this round.")
	default:
		s.endsAfter = true
		p.say("Ends after round %d with a verdict. /last again to cancel.", debate.Playing(s.Session))
	}
	return nil
}

// endHere ends the debate after a round, as the user asked, unless a required request has
// no answer.
func endHere(ctx context.Context, p *Program) error {
	s := p.open
	s.endsAfter = false
	if open := s.Unanswered(); len(open) > 0 {
		p.say("Not ended: %s %s no answer. /end ends without.", ids(open), text.Inflect(len(open), "has", "have"))
		return nil
	}
	return conclude(ctx, p)
}

// conclude ends the debate between two rounds and has the verdict written.
func conclude(ctx context.Context, p *Program) error {
	stopped, err := p.Store.Stop(ctx, p.open.ID, debate.StoppedByUser)
	if err != nil {
		p.open.paused = true
		return p.reported(err)
	}
	p.open.Session = stopped
	p.start(ctx, p.Engine.Conclude)
	return nil
}

func setBudget(ctx context.Context, p *Program, arg string) error {
	s := p.open
	usd, err := strconv.ParseFloat(strings.TrimPrefix(arg, "$"), 64)
	if err != nil || !(usd >= 0 && usd < 1e6) {
		p.say("Give the budget in dollars, such as /budget 2.50.")
		return nil
	}
	wanted := s.Session
	wanted.Budget.USD = usd
	if err := wanted.CheckBudget(); err != nil {
		return p.reported(err)
	}
	changed, err := p.Store.SetBudget(ctx, s.ID, wanted.Budget)
	if err != nil {
		return p.reported(err)
	}
	s.Session = changed
	p.say("The budget is %s now.", changed.Budget)
	return nil
}

// addRounds plans more rounds. After the verdict it asks first, since they start at once.
func addRounds(ctx context.Context, p *Program, arg string) error {
	s := p.open
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > debate.MaxRounds {
		p.say("Give how many rounds to add, such as /rounds 1.")
		return nil
	}
	if s.running() && debate.Playing(s.Session) >= s.Rounds {
		p.say("The last round is running. Add a round once the verdict is ready.")
		return nil
	}
	if s.Verdict != nil {
		if err := p.Engine.Affords(s.Session); err != nil {
			return p.reported(err)
		}
		wanted := s.Session
		wanted.Rounds, wanted.Verdict, wanted.Stopped = len(s.History)+n, nil, debate.NotStopped
		question := fmt.Sprintf("Add %s? %s. The verdict is written again.", text.Count(n, "round"), budget.Estimate(wanted))
		yes, err := p.confirm(ctx, question, "no")
		if err != nil || !yes {
			return err
		}
	}
	more, err := p.Store.AddRounds(ctx, s.ID, n)
	if err != nil {
		return p.reported(err)
	}
	s.paused = s.paused && s.Verdict == nil
	s.Rounds = more.Rounds
	if !s.running() {
		s.Session = more
	}
	p.say("Added: now %s are planned.", text.Count(more.Rounds, "round"))
	return nil
}
