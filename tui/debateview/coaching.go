package debateview

import (
	"fmt"

	"roundtable/debate"
	"roundtable/tui/screen"
)

// coaching explains the stage that the demo is in, one line for each; "" while nothing
// runs, after the verdict, and in a debate of real models.
func (v *sessionView) coaching() string {
	s := v.session
	if v.replay != nil || !v.Running() || !s.Demo() || s.Verdict != nil || len(s.History) == 0 {
		return ""
	}
	required := s.Unanswered()
	switch round := s.History[len(s.History)-1]; {
	case v.chair != "":
		return "The chair writes the verdict, and who disagrees."
	case v.activity != "":
		return ""
	case len(required) > 0 && round.Number < s.Rounds:
		return fmt.Sprintf("%s asks you for a fact. Round %d waits for it.",
			s.NameOf(required[0].Askers()[0]), round.Number+1)
	case round.Number == 1 && s.Mode.Order == debate.Parallel:
		return "They answer blind, so that disagreement shows."
	case round.Number == 1:
		return "They take turns, and each reads what was said before."
	default:
		return "Now they have read each other. Who changes sides?"
	}
}

func (d *Debate) skipKey() screen.Command {
	return screen.Command{
		Binding: screen.Bind(screen.Keys(">"), ">", "skip ahead in the demo"), Title: "Skip ahead in the demo", Group: screen.Steering,
		Hint: d.skipHint, Rank: 1, Why: d.noSkip, Run: screen.Do(d.skipAhead),
	}
}

// skipAhead shows the rest of the demo's stage at once.
func (d *Debate) skipAhead() screen.Outcome {
	for _, p := range d.panes {
		d.run.RetryNow(p.Profile().ID)
	}
	return nil
}

func (d *Debate) noSkip() string {
	switch {
	case !d.session.Demo():
		return "Only the demo can be skipped ahead."
	case !d.Running():
		return "Nothing is being written."
	}
	return ""
}

func (d *Debate) skipHint() string {
	if d.noSkip() != "" {
		return ""
	}
	return "> skip ahead"
}
