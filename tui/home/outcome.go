package home

import (
	"cmp"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/tui/screen"
)

func (h *Screen) outcomeKey() screen.Command {
	return screen.Command{
		Binding: screen.Bind("outcome", "O", "how it turned out"), Title: "Say how the verdict turned out", Also: "right wrong settle",
		Group: screen.Choosing, Writes: true, Run: screen.Do(h.AskOutcome),
		Why: screen.When(func() bool {
			s, _ := h.Selected()
			return !s.Verdict
		}, "Only a verdict can turn out right or wrong."),
	}
}

// AskOutcome asks how the verdict of the selected debate turned out.
func (h *Screen) AskOutcome() screen.Outcome {
	s, _ := h.Selected()
	field := screen.OutcomeField{Note: cmp.Or(h.outcomes[s.ID], new(string))}
	h.outcomes[s.ID] = field.Note
	field.Save = func(line string) screen.Outcome { return h.saveOutcome(field, s.ID, line) }
	return screen.Outcome{field.Question()}
}

func (h *Screen) saveOutcome(field screen.OutcomeField, id, line string) screen.Outcome {
	return screen.Run(screen.Later(func() (debate.Settlement, error) {
		return h.config.Store.SaveOutcome(h.ctx, id, line)
	}, func(saved debate.Settlement, err error) screen.Outcome {
		if err != nil {
			return screen.Outcome{Ask{field.Refused(line, err)}}
		}
		changed := Changed{id, func(c *control.Controller) { c.AddOutcome(saved) }}
		return append(screen.Tell(screen.Success, "The outcome is saved."), changed, h.ReadSessions())
	}))
}
