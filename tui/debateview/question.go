package debateview

import (
	"cmp"
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/screen"
)

// focusQuestion is what the next round is to look at.
type focusQuestion struct {
	stored string
	typed  string // and not sent off
}

// promptFor lets the user type a line. What is closed without being done is put
// back into typed for the next time.
func promptFor(label, text string, limit int, typed *string, done func(string) screen.Outcome) screen.Prompt {
	return screen.Prompt{
		Label: label + " >", Text: text, Limit: limit, Hints: []string{"enter done", "esc puts it away"},
		Done: func(text string) screen.Outcome {
			*typed = ""
			return done(text)
		},
		Closed: func(text string) screen.Outcome {
			*typed = text
			return nil
		},
	}
}

// askQuestion lets the user type what the next round is to look at.
func (d *Debate) askQuestion() screen.Outcome {
	q := &d.question
	return screen.Outcome{promptFor("in focus", cmp.Or(q.typed, q.stored), debate.MaxFocus, &q.typed, d.setQuestion)}
}

// setQuestion saves the question, or removes it if it is empty.
func (d *Debate) setQuestion(question string) screen.Outcome {
	if question == d.question.stored {
		return nil
	}
	ctx, writer, id := context.WithoutCancel(d.ctx), d.Writer, d.session.ID
	return screen.Run(func() tea.Msg {
		return questionMsg{sessionID: sessionID(id), question: question, told: true, err: writer.SetFocus(ctx, id, question)}
	})
}

// readQuestion reads what was asked for before the session was closed.
func (d *Debate) readQuestion() tea.Cmd {
	ctx, writer, id := d.ctx, d.Writer, d.session.ID
	return func() tea.Msg {
		question, err := writer.Focus(ctx, id)
		return questionMsg{sessionID: sessionID(id), question: question, err: err}
	}
}

// questionSaved shows what is in focus.
func (d *Debate) questionSaved(msg questionMsg) screen.Outcome {
	if msg.err != nil {
		d.question.typed = cmp.Or(d.question.typed, msg.question)
		return d.refused(msg.err, savingAnswer)
	}
	out := d.saved(savingAnswer)
	d.question.stored = safetext.Line(msg.question)
	d.Arrange()
	switch {
	case !msg.told:
		return out
	case d.question.stored == "":
		return append(out, screen.Tell(screen.Info, "The next round has no question in focus.")...)
	default:
		return append(out, screen.Tell(screen.Success, fmt.Sprintf("Round %d will look at: %s", len(d.session.History)+1, d.question.stored))...)
	}
}
