package report

import (
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Line returns what a session comes to, in one line.
func Line(s debate.Session) string { return verdict.WordsOf(s, verdict.Count(s)).Line().String() }

// LineOf returns what a session comes to, see debate.Line, and the side that has the majority, if no seat
// is scripted.
func LineOf(s debate.Session) (string, debate.Side) {
	counted := verdict.Count(s)
	line := string(verdict.WordsOf(s, counted).Line())
	if counted.Demo { // a side alone would not say that it is scripted
		return line, debate.Undecided
	}
	return line, counted.Result.Side
}

// VerdictLine returns the line of the verdict of a session, "" without one.
func VerdictLine(s debate.Session) string {
	if s.Verdict == nil {
		return ""
	}
	return Line(s)
}

// EndQuestion asks whether to end a debate now, and says what follows; running says
// whether a round is under way.
func EndQuestion(s debate.Session, running bool) string {
	_, chair := prompt.LikelyChair(s)
	var ids []string
	for _, r := range s.Unanswered() {
		ids = append(ids, r.ID)
	}
	who := text.List(ids)
	if len(ids) > 3 {
		who = text.Count(len(ids), "required question")
	}
	switch {
	case !chair && running:
		return "End now? Nobody has answered yet. Unfinished answers are cut off, and no chair writes a verdict."
	case !chair:
		return "End now? Nobody has answered, so no chair writes a verdict."
	case running:
		return "End now? Unfinished answers are cut off, and the chair writes the verdict without them."
	case len(ids) > 0:
		return "End now? " + who + text.Inflect(len(ids), " stays", " stay") + " unanswered, and the chair writes the verdict without " +
			text.Inflect(len(ids), "it.", "them.")
	}
	return "End now? The chair writes the verdict."
}

// stateOf returns the state of a session. Only one with a full verdict is complete.
func stateOf(s debate.Session, o Options) State {
	out := State{Word: s.State(o.Holder.Plays(s)).Word()}
	if o.Live {
		out.HeldBy = &o.Holder
	}
	if v := s.Verdict; v != nil {
		counted := verdict.Count(s)
		out.Whole, out.Text = v.Chair != "" && !counted.Incomplete, verdict.WordsOf(s, counted).Line().String()
		return out
	}
	out.Text = incompleteLine(s, o.Holder.Plays(s))
	if o.Live {
		who := o.Holder.String()
		if who != "" {
			who = " (" + who + ")"
		}
		out.Text += " It was still open" + who + " when this was written, so more may have followed."
	}
	return out
}

func incompleteLine(s debate.Session, runs bool) string {
	n := len(s.History)
	switch s.Status() {
	case debate.Drafted:
		return "Not started."
	case debate.Interrupted:
		open := s.OpenRound()
		switch {
		case runs:
			return fmt.Sprintf("Round %d of %d has not ended.", n, s.Rounds)
		case open != nil && !open.CanGoOn():
			return fmt.Sprintf("Round %d of %d failed: no model answered.", n, s.Rounds)
		case open != nil:
			return fmt.Sprintf("Round %d of %d waits for a decision: %s.", n, s.Rounds, open.Summary())
		}
		return fmt.Sprintf("Interrupted in round %d of %d.", n, s.Rounds)
	case debate.NeedsContext:
		var ids []string
		for _, q := range s.Unanswered() {
			ids = append(ids, q.ID)
		}
		return fmt.Sprintf("Waiting for answers to %s: %s of %d played.", strings.Join(ids, ", "), text.Count(n, "round"), s.Rounds)
	case debate.Ready, debate.Stopped, debate.Complete: // the last two have a verdict and do not get here
	}
	switch {
	case s.Stopped == debate.StoppedByBudget:
		return fmt.Sprintf("Stopped by the budget after round %d of %d; no verdict was written.", n, s.Rounds)
	case s.Stopped != debate.NotStopped:
		return fmt.Sprintf("Ended after round %d of %d; no verdict was written.", n, s.Rounds)
	case n < s.Rounds:
		return fmt.Sprintf("Not finished: %s of %d played.", text.Count(n, "round"), s.Rounds)
	}
	return fmt.Sprintf("All %s played; no verdict was written.", text.Count(n, "round"))
}
