package home

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// asking is a debate that is read before it is asked how its verdict turned out. What is typed
// meanwhile goes into the field.
type asking struct {
	id    string
	typed string
	sent  bool // enter was pressed
}

func (a *asking) key(msg tea.KeyPressMsg) {
	switch pressed := msg.String(); {
	case a.sent:
	case pressed == "enter":
		a.sent = true
	case pressed == "backspace":
		_, last := utf8.DecodeLastRuneInString(a.typed)
		a.typed = a.typed[:len(a.typed)-last]
	default:
		a.typed += text.Line(msg.Text)
		if msg.Text == " " {
			a.typed += " "
		}
	}
}

// The messages of the outcome.
type (
	// askedMsg is the debate of which it is asked.
	askedMsg struct {
		asking  *asking
		session debate.Session
		err     error
	}
	// settledMsg says what has become of a line that was to be saved.
	settledMsg struct {
		field screen.OutcomeField
		id    string
		typed string
		saved debate.Settlement
		err   error
	}
)

func (h *Screen) outcomeKey() screen.Command {
	return screen.Command{
		Binding: screen.Bind("outcome", "O", "how it turned out"), Title: "Say how the verdict turned out", Also: "right wrong settle",
		Group: screen.Choosing, Hint: h.outcomeHint, Rank: 2, Why: h.noOutcome, Writes: true, Run: screen.Do(h.AskOutcome),
	}
}

// AskOutcome reads the selected debate, and asks how its verdict turned out.
func (h *Screen) AskOutcome() screen.Outcome {
	s, _ := h.Selected()
	a := &asking{id: s.ID}
	if kept := h.outcomes[s.ID]; kept != nil {
		a.typed = *kept
	}
	h.asking, h.match = a, 0
	return screen.Run(func() tea.Msg {
		read, err := h.config.Store.Session(h.ctx, a.id)
		return askedMsg{a, read, err}
	})
}

// ask opens the field, unless the user has left it meanwhile.
func (h *Screen) ask(msg askedMsg) screen.Outcome {
	if msg.asking != h.asking {
		return nil
	}
	h.asking = nil
	c := control.New(msg.session, control.Options{Now: h.config.Now})
	err := msg.err
	if err == nil {
		err = c.WhyNot(control.SayOutcome)
	}
	if err != nil {
		return screen.Tell(screen.Warning, text.Sentence(err.Error()))
	}
	field := screen.OutcomeField{
		Asks:  text.Clip(text.Line(msg.session.Name()), 40) + " · " + c.OutcomeQuestion(), // the row may be covered
		Check: func(line string) error { return c.Check(control.SayOutcome, control.Values{Text: line}) },
		Typed: &msg.asking.typed,
	}
	h.outcomes[msg.asking.id] = field.Typed
	field.Save = func(line string) screen.Outcome { return h.saveOutcome(field, msg.asking.id, line) }
	if prompt := field.Prompt(); !msg.asking.sent {
		return screen.Outcome{Ask{prompt}}
	} else if line := text.Line(msg.asking.typed); line != "" {
		return prompt.Done(line)
	}
	return nil
}

func (h *Screen) saveOutcome(field screen.OutcomeField, id, line string) screen.Outcome {
	return screen.Run(func() tea.Msg {
		saved, err := h.config.Store.SaveOutcome(h.ctx, id, line)
		return settledMsg{field, id, line, saved, err}
	})
}

// settled tells that a line was saved, or puts it back into the field.
func (h *Screen) settled(msg settledMsg) screen.Outcome {
	if msg.err != nil {
		return screen.Outcome{Ask{msg.field.Refused(msg.typed, msg.err)}}
	}
	return append(screen.Tell(screen.Success, "The outcome is saved."), Settled{msg.id, msg.saved}, h.ReadSessions())
}

func (h *Screen) noOutcome() string {
	if s, _ := h.Selected(); s.Outcome == "" {
		return "Only a verdict can turn out right or wrong."
	}
	return ""
}

func (h *Screen) outcomeHint() string {
	if s, ok := h.Selected(); ok && s.Due(h.config.Now()) {
		return h.config.Keys.Of("outcome") + " how did it turn out?"
	}
	return ""
}
