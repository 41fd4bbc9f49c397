package debateview

import (
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/form"
	"roundtable/tui/pane"
	"roundtable/tui/theme"
)

// sessionView is the open session as this package shows it: its controller, the panes of
// its seats, and what was typed and not sent off.
type sessionView struct {
	*control.Controller
	panes  []*pane.Pane
	Form   *form.Screen        // lies over the debate and the verdict
	replay Replay              // nil: the debate is played by models
	sides  []report.RoundSides // where the voters stand, by round
	typed  typed
}

// typed is what the user has typed into prompts and not sent off.
type typed struct {
	focus, message, question, usd, tokens string

	messageTo  int // which seat, from 1; 0: all
	questionTo int // which seat, from 1; 0: the chair
}

func newSessionView(c *control.Controller, th *theme.Theme) *sessionView {
	v := &sessionView{Controller: c}
	for i, p := range c.Session().Seats {
		one := pane.New(i+1, p, th)
		one.SetSession(c.Session())
		v.panes = append(v.panes, one)
	}
	v.Recount()
	return v
}

// Recount counts what follows from the session: what is left to spend, and where the
// voters stand, for the top line and the panes.
func (v *sessionView) Recount() {
	v.Controller.Recount()
	v.sides = report.SidesByRound(v.Session())
	for i, p := range v.panes {
		var moves []debate.Move
		for _, r := range v.sides {
			if m := r.Moves[i]; m != nil {
				moves = append(moves, *m)
			}
		}
		p.SetMoves(moves)
	}
}

// pane returns the pane of a seat; nil if there is no such seat.
func (v *sessionView) pane(id agents.ID) *pane.Pane {
	_, n := v.Session().Seat(id)
	if n == 0 {
		return nil
	}
	return v.panes[n-1]
}

// apply shows an event in the panes, and updates the session.
func (v *sessionView) apply(ev debate.Event) {
	v.Controller.Apply(ev)
	switch round := ev.(type) { // what the panes are shown has what was entered since it was read
	case debate.RoundStarted:
		round.Session = v.Session()
		ev = round
	case debate.RoundEnded:
		round.Session = v.Session()
		ev = round
	default: // it has no session
	}
	for _, p := range v.panes {
		p.Apply(ev)
	}
	switch ev := ev.(type) {
	case debate.TurnEnded:
		if p := v.pane(ev.Response.Turn.Agent); p != nil && ev.Response.Turn.Step != debate.VerdictStep {
			p.SetSession(v.Session()) // which answers it did not address is known only now
		}
	case debate.FollowUpEnded:
		if v.typed.question == "" && !ev.FollowUp.Answered() {
			v.typed.question = ev.FollowUp.Question
		}
	default: // the session and the panes have it
	}
}

// showSession shows the panes the session as it is now.
func (v *sessionView) showSession() {
	for _, p := range v.panes {
		p.SetSession(v.Session())
	}
}

// nameOf returns what a seat is called.
func (v *sessionView) nameOf(id agents.ID) string { return text.Line(v.Session().NameOf(id)) }

// windowTitle names topic and state. It does not change while text streams in.
func (v *sessionView) windowTitle(th *theme.Theme) string {
	s, name := v.Session(), text.Clip(v.title(), 60)
	switch open := len(s.Unanswered()); {
	case v.replay != nil:
		return "Replay: " + name
	case v.Running() && v.Answering() == "":
		return fmt.Sprintf("%s · round %d/%d", name, len(s.History), s.Rounds)
	case s.Verdict == nil && open > 0 && s.Status() == debate.NeedsContext:
		return fmt.Sprintf("%s %s · %d required", th.Symbols.Waits, name, open)
	case s.Verdict != nil:
		return fmt.Sprintf("%s %s · verdict", th.Symbols.Ready, name)
	default:
		return th.Symbols.Paused + " " + name
	}
}
