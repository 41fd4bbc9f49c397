package picker

import (
	"fmt"
	"time"

	"roundtable/debate"
	"roundtable/tui/theme"
)


// Age says how long ago something was, as short as a list needs it.
func Age(now, then time.Time) string {
	then = then.In(now.Location())
	switch d := now.Sub(then); {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d m", int(d.Minutes()))
	case sameDay(now, then):
		return fmt.Sprintf("%d h", int(d.Hours()))
	case thisWeek(now, then):
		return then.Format("Mon")
	case now.Year() == then.Year():
		return then.Format("2 Jan")
	default:
		return then.Format("Jan 06")
	}
}

func sameDay(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

// thisWeek reports whether a day was among the last seven.
func thisWeek(now, then time.Time) bool {
	y, m, d := now.Date()
	return !then.Before(time.Date(y, m, d-6, 0, 0, 0, 0, now.Location()))
}

// Money writes an amount of USD as briefly as a list needs it; nil is unknown.
func Money(usd *float64) string {
	switch {
	case usd == nil:
		return "?"
	case *usd == 0:
		return "free"
	case *usd >= 100:
		return fmt.Sprintf("$%.0f", *usd)
	default:
		return debate.USD(*usd)
	}
}

// standing is how a list shows where a session stands: a symbol and a word.
type standing struct {
	symbol, word string
	kind         kind
}

// kind sorts standings by how much they want from the user.
type kind int

const (
	calm kind = iota
	good
	wants
)

// standingOf names where a session stands.
func standingOf(th *theme.Theme, s debate.SessionSummary) standing {
	y := th.Symbols
	switch {
	case s.Running:
		return standing{y.Busy[0], "running", good}
	case s.Status == debate.NeedsContext:
		return standing{y.Waits, "needs you", wants}
	case s.Status == debate.Interrupted:
		return standing{y.Interrupted, "interrupted", calm}
	case s.Status == debate.Drafted:
		return standing{y.Queued, "draft", calm}
	case s.Status == debate.Ready:
		return standing{y.Queued, "ready", calm}
	case s.Stopped == debate.StoppedByBudget:
		return standing{y.Blocked, "budget", calm}
	case s.Stopped == debate.StoppedByUser:
		return standing{y.Blocked, "ended early", calm}
	case s.Outcome == debate.OutcomeNoSynthesis:
		return standing{y.Warning, "computed", calm}
	case s.Outcome == debate.OutcomeDegraded && s.Missing > 0:
		return standing{y.Warning, fmt.Sprintf("%d of %d", len(s.Seats)-s.Missing, len(s.Seats)), calm}
	case s.Outcome == debate.OutcomeDegraded:
		return standing{y.Warning, "degraded", calm}
	default:
		return standing{y.Done, "full", good}
	}
}

// detail says in one line what there is to do with a session.
func (h *Home) detail(s debate.SessionSummary) string {
	switch {
	case s.ID == h.here && h.plays:
		return "It goes on meanwhile; enter goes back to it."
	case s.Running && s.ID != h.here:
		return fmt.Sprintf("Round %d is under way in another Roundtable.", s.Round)
	}
	switch s.Status {
	case debate.NeedsContext:
		return fmt.Sprintf("%d required left: %s", s.Required, s.Asking)
	case debate.Interrupted:
		return fmt.Sprintf("Round %d was cut off. What is finished is kept; nothing runs until you say so.", s.Round)
	case debate.Drafted:
		return "No round has begun."
	case debate.Ready:
		if s.Round < s.Rounds && s.Stopped == debate.NotStopped {
			return fmt.Sprintf("Round %d can start.", s.Round+1)
		}
		return "The verdict can be written."
	case debate.Complete, debate.Stopped:
	}
	switch {
	case s.Stopped == debate.StoppedByBudget:
		return fmt.Sprintf("Stopped by the budget after round %d; the verdict is there.", s.Round)
	case s.Stopped == debate.StoppedByUser:
		return fmt.Sprintf("Ended by you after round %d; the verdict is there.", s.Round)
	case s.Outcome == debate.OutcomeDegraded && s.Missing > 0:
		return plural(s.Missing, "answer") + " missing in the last round: no consensus is claimed."
	case s.Outcome == debate.OutcomeDegraded:
		return "Degraded: no consensus is claimed. The verdict says why."
	case s.Outcome == debate.OutcomeNoSynthesis:
		return "No synthesis: the verdict is computed from stances and confidences."
	default:
		return "The verdict is there."
	}
}
