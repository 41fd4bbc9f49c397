package debateview

import (
	"cmp"
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// followUp is a question after the verdict: the one that is being typed, and the one that
// is being answered.
type followUp struct {
	seat  int         // whom, from 1; 0: the chair
	typed string      // and not sent off
	turn  agents.Turn // that answers; its zero value: none
	name  string      // of who answers
}

// active reports whether a question is being answered.
func (f followUp) active() bool { return f.turn.Step == debate.FollowUpStep }

// CancelFollowUp cancels the answer to a follow-up question that is being written.
func CancelFollowUp(d *Debate) {
	if d.Running() && d.followUp.active() {
		d.run.Cancel(d.followUp.turn)
	}
}

// followUpCommand asks a follow-up question.
func followUpCommand(d *Debate) screen.Command {
	return screen.Command{
		Binding: screen.Bind(screen.Keys("a"), "a", "ask a follow-up"), Title: "Ask the chair or a member a follow-up question",
		Group: screen.Answering, Writes: true, Opens: true, Rank: 1,
		Hint: func() string {
			if noFollowUp(d) != "" {
				return ""
			}
			return "a ask"
		},
		Why: func() string { return noFollowUp(d) },
		Run: screen.Do(func() screen.Outcome { return askFollowUp(d) }),
	}
}

// noFollowUp says why no follow-up question can be asked now; "" if one can.
func noFollowUp(d *Debate) string {
	switch {
	case d.readOnly != "":
		return d.readOnly
	case d.session.Verdict == nil:
		return "Follow-up questions come after the verdict."
	case d.followUp.active():
		return d.followUp.name + " is still answering; x on the verdict cancels it."
	case d.Running():
		return "Not while a round is running."
	}
	return ""
}

// askFollowUp asks for a follow-up question to the chair; tab chooses a member.
func askFollowUp(d *Debate) screen.Outcome {
	p := promptFor(askedLabel(d), d.followUp.typed, debate.MaxFollowUp, &d.followUp.typed, func(question string) screen.Outcome {
		return sendFollowUp(d, question)
	})
	p.Files = false
	p.Hints[0] = "enter ask"
	p.Turn = func(n int) string {
		k := len(d.session.Seats) + 1
		d.followUp.seat = (d.followUp.seat + n + k) % k
		return askedLabel(d) + " >"
	}
	return screen.Outcome{p}
}

// askedLabel is the label of the prompt: who is asked, and the key that changes it.
func askedLabel(d *Debate) string {
	name := "the chair"
	if d.followUp.seat > 0 {
		name = d.nameOf(d.session.Seats[d.followUp.seat-1].ID)
	}
	return "ask " + name + " (tab: someone else)"
}

// sendFollowUp starts the run that answers a question, under the verdict.
func sendFollowUp(d *Debate, question string) screen.Outcome {
	if question == "" {
		return nil
	}
	var to agents.ID
	if d.followUp.seat > 0 {
		to = d.session.Seats[d.followUp.seat-1].ID
	}
	if why := noFollowUp(d); why != "" {
		d.followUp.typed = question
		return screen.Tell(screen.Warning, why)
	}
	if _, err := d.session.CheckFollowUp(to, question); err != nil {
		d.followUp.typed = question
		return screen.Tell(screen.Warning, screen.Sentence(err))
	}
	d.saveError = noSaveError
	out := append(screen.Outcome{screen.ClearError{}}, d.follow(d.config.Player.Ask(d.ctx, d.session, to, question))...)
	return append(out, ShowVerdict{})
}

// applyFollowUp keeps who answers, and the answer once it has ended. A question without an
// answer stands in the prompt again.
func (f *followUp) applyFollowUp(s debate.Session, ev debate.Event) debate.Session {
	switch ev := ev.(type) {
	case debate.FollowUpStarted:
		f.turn, f.name = ev.Turn, text.Line(ev.Profile.Name)
	case debate.FollowUpEnded:
		f.turn = agents.Turn{}
		if !ev.FollowUp.Answered() {
			f.typed = cmp.Or(f.typed, ev.FollowUp.Question)
		}
		s.FollowUps = append(s.FollowUps[:len(s.FollowUps):len(s.FollowUps)], ev.FollowUp)
	case debate.RoundEnded:
		f.turn = agents.Turn{}
	default: // of a round
	}
	return s
}

// followUpEnded is the notice of an answer.
func followUpEnded(s debate.Session, ev debate.FollowUpEnded) screen.Notice {
	name := text.Line(s.FollowUpName(ev.FollowUp))
	if ev.FollowUp.Answered() {
		return screen.Notice{Text: name + " has answered.", Tone: screen.Success, At: ev.At}
	}
	keys := "a: ask again"
	if x := ev.FollowUp.Response.Failure; x != nil && x.Kind == agents.KindBudget {
		keys = "ctrl+p, Change budget, then a: ask again"
	}
	return screen.Notice{
		Text: fmt.Sprintf("%s did not answer: %s", name, text.Line(ev.FollowUp.Problem())), Keys: keys, Tone: screen.Warning, At: ev.At,
	}
}
