package debateview

import (
	"fmt"
	"slices"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// ApprovalKeys says which key opens the commands that wait.
func ApprovalKeys(keys keymap.Changes) string { return keys.Does("approvals", "approve or deny") }

// NoticeOf returns the notice of an event that was applied; ok is false if the event
// has none.
func (sc *Screen) NoticeOf(ev debate.Event) (n screen.Notice, ok bool) {
	switch ev := ev.(type) {
	case debate.RoundStarted:
		return screen.Notice{Text: ev.Words(), At: ev.At, Live: true}, true
	case debate.ContextRequested:
		return sc.requested(ev), !ev.Request.Rejoined(ev.Ask.Call)
	case debate.ApprovalAsked:
		return screen.Notice{
			Text: fmt.Sprintf("%s asks to run: %s", sc.nameOf(ev.Turn.Agent), text.Command(ev.Argv)), Keys: ApprovalKeys(sc.keys),
			Tone: screen.Warning, At: ev.At, Seat: ev.Turn.Agent, Live: true,
		}, true
	case debate.TurnRetrying:
		text := fmt.Sprintf("%s: %s Retry %d of %d.", sc.nameOf(ev.Turn.Agent), ev.Retry.Cause, ev.Retry.Try, ev.Retry.Of)
		if ev.Retry.Loads {
			return n, false // its pane says so as long as it is true
		}
		return screen.Notice{Text: text, At: ev.At, Seat: ev.Turn.Agent, Live: true}, true
	case debate.TurnEnded:
		return sc.turnFailed(ev)
	case debate.Assisting:
		if ev.Task == debate.TaskTools {
			return n, false // the top line says so as long as it is true
		}
		text := fmt.Sprintf("%s (up to %s).", text.Line(ev.Description()), text.Duration(ev.Limit))
		return screen.Notice{Text: text, Keys: sc.keys.Does("pause", "pause now"), At: ev.At, Live: true}, true
	case debate.Concluded:
		return screen.Notice{Text: "Verdict ready.", Tone: screen.Success, At: ev.At}, true
	case debate.FollowUpEnded:
		return sc.followUpEnded(ev), true
	case debate.Refused:
		return screen.Notice{Text: ev.Text, Tone: screen.Warning, At: ev.At, Transient: true}, true
	case debate.Noticed:
		return screen.Notice{Text: ev.Notice.Text, Tone: screen.Warning, At: ev.Notice.At}, true
	case debate.RunEnded:
		if ev.Err == nil && sc.Session().Verdict == nil && len(sc.Session().History) > 0 {
			return screen.Notice{Text: fmt.Sprintf("Round %d is done.", len(sc.Session().History))}, true
		}
	default: // seen in the panes
	}
	return screen.Notice{}, false
}

func (sc *Screen) requested(ev debate.ContextRequested) screen.Notice {
	who, sep := sc.nameOf(ev.Turn.Agent), sc.th.Symbols.Sep
	n := screen.Notice{
		Text: fmt.Sprintf("%s asks: \"%s\"", who, text.Line(ev.Ask.Query)),
		Keys: fmt.Sprintf("%s %s %s", ev.Request.Priority, sep, ev.Request.ID), At: ev.At,
	}
	if ev.Request.Joins(ev.Ask.Call) {
		n.Text, n.Keys = fmt.Sprintf("%s joins %s: \"%s\"", who, ev.Request.ID, text.Line(ev.Request.Query)), string(ev.Request.Priority)
	}
	n.Required, n.Optional = ev.Request.Priority == ledger.Required, ev.Request.Priority == ledger.Optional
	if n.Required {
		n.Tone = screen.Warning
	}
	return n
}

// turnFailed reports a seat without a statement, with the keys that help.
func (sc *Screen) turnFailed(ev debate.TurnEnded) (n screen.Notice, ok bool) {
	x := ev.Response
	if x.State != debate.TurnFailed || x.Failure == nil {
		return n, false
	}
	_, seat := sc.Session().Seat(x.Turn.Agent)
	who, keys := sc.nameOf(x.Turn.Agent), sc.keys.Does("retry", "retry")
	switch {
	case x.Turn.Step == debate.VerdictStep: // the next chair tries by itself
		who, keys = "The chair "+text.Line(sc.Chair()), ""
	case sc.view.focus != seat-1:
		keys = fmt.Sprintf("%d then %s", seat, keys)
	}
	n = failure(who, x)
	n.Keys, n.At, n.Seat = keys, ev.At, x.Turn.Agent
	return n, true
}

func failure(who string, x debate.Response) screen.Notice {
	return screen.Notice{
		Text: text.Line(fmt.Sprintf("%s failed: %s", who, x.Failure.Cause)),
		Tone: screen.Warning, At: x.Ended,
	}
}

// StoredNotices returns the notices of a stored session, oldest first, with those of
// failed turns.
func (sc *Screen) StoredNotices() []screen.Notice {
	out := text.Each(sc.Session().Notices, func(n debate.Notice) screen.Notice {
		return screen.Notice{Text: text.Line(n.Text), At: n.At}
	})
	for _, r := range sc.Session().History {
		for _, x := range r.Responses {
			if x.State == debate.TurnFailed && x.Failure != nil {
				out = append(out, failure(sc.nameOf(x.Turn.Agent), x))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b screen.Notice) int { return a.At.Compare(b.At) })
	return out
}
