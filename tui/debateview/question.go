package debateview

import (
	"cmp"
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// focusQuestion is a question that the next round concentrates on.
type focusQuestion struct {
	stored string
	typed  string // and not sent off
}

// promptFor returns a prompt whose text is kept in typed when it is closed, for
// the next time.
func promptFor(label, text string, limit int, typed *string, done func(string) screen.Outcome) screen.Prompt {
	return screen.Prompt{
		Label: label + " >", Text: text, Limit: limit, Files: true, Hints: []string{"enter save", "esc close (text kept)"},
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

// askQuestion asks for the focus question of the next round.
func (d *Debate) askQuestion() screen.Outcome {
	q := &d.question
	p := promptFor("focus", cmp.Or(q.typed, q.stored), debate.MaxFocus, &q.typed, d.setQuestion)
	p.Note = d.laterNote("gives it")
	return screen.Outcome{p}
}

// setQuestion saves the focus question; an empty one removes it.
func (d *Debate) setQuestion(question string) screen.Outcome {
	add := d.later() == roundAdded && question != ""
	if question == d.question.stored && !add {
		return nil
	}
	if out, ok := d.cannotAfford(); ok && add {
		d.question.typed = question
		return out
	}
	ctx, writer, id := context.WithoutCancel(d.ctx), d.config.Writer, d.session.ID
	return screen.Run(func() tea.Msg {
		return questionMsg{sessionID: sessionID(id), question: question, told: true, add: add, err: writer.SetFocus(ctx, id, question)}
	})
}

// readQuestion reads the focus question of a saved session.
func (d *Debate) readQuestion() tea.Cmd {
	ctx, writer, id := d.ctx, d.config.Writer, d.session.ID
	return func() tea.Msg {
		question, err := writer.Focus(ctx, id)
		return questionMsg{sessionID: sessionID(id), question: question, err: err}
	}
}

// questionSaved shows the focus question as it was saved or read.
func (d *Debate) questionSaved(msg questionMsg) screen.Outcome {
	if msg.err != nil {
		d.question.typed = cmp.Or(d.question.typed, msg.question)
		return d.refused(msg.err, savingAnswer)
	}
	out := d.saved(savingAnswer)
	d.question.stored = text.Line(msg.question)
	d.Arrange()
	switch {
	case !msg.told:
		return out
	case d.question.stored == "":
		return append(out, screen.Tell(screen.Info, "The next round has no focus question.")...)
	}
	words := "Focus for round %d: %s"
	if d.later() == roundAfter {
		words = "Focus, if you add round %d: %s"
	}
	out = append(out, screen.Tell(screen.Success, fmt.Sprintf(words, len(d.session.History)+1, d.question.stored))...)
	if msg.add && d.later() == roundAdded {
		out = append(out, d.addRound()...)
	}
	return out
}
