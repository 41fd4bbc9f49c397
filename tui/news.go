package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// news puts an event on the notice row, where it is worth that.
func (m *Model) news(ev debate.Event) {
	b := m.board
	m.settledBy(ev)
	switch ev := ev.(type) {
	case debate.RoundStarted:
		text := fmt.Sprintf("Round %d of %d started", ev.Round, ev.Session.Rounds)
		if c := ev.Session.Current(); c != nil && len(c.Responses) > 0 {
			text = fmt.Sprintf("Round %d of %d goes on", ev.Round, ev.Session.Rounds)
		}
		if len(ev.Facts) > 0 {
			text += " with " + strings.Join(ev.Facts, ", ")
		}
		m.announce(notice{text: text + ".", at: ev.At})
	case debate.ContextRequested:
		m.asked(ev)
	case debate.TurnRetrying:
		m.announce(notice{text: fmt.Sprintf("%s: %s Retry %d of %d.", b.nameOf(ev.Turn.Agent), ev.Retry.Cause, ev.Retry.Try, ev.Retry.Of), at: ev.At, of: ev.Turn.Agent})
	case debate.TurnEnded:
		m.turnEnded(ev)
	case debate.Assisting:
		m.announce(notice{text: fmt.Sprintf("%s, %.0f s at most.", safetext.Line(ev.Description()), ev.Limit.Seconds()), keys: "P pauses at once.", at: ev.At})
	case debate.Assessed:
		if c := ev.Consensus; c.Method == debate.ConsensusUnavailable {
			m.announce(notice{text: fmt.Sprintf("Consensus of round %d is unavailable: %s. The round is saved and counts.", ev.Round, strings.TrimSuffix(c.Cause, ".")), at: ev.At})
		}
	case debate.Concluding:
		m.announce(notice{text: ev.Profile.Name + " writes the verdict. v shows it.", at: ev.At})
	case debate.Concluded:
		m.announce(notice{text: "The verdict stands.", tone: gladly, at: ev.At})
	case debate.Noticed:
		m.announce(notice{text: ev.Notice.Text, tone: urgently, at: ev.Notice.At})
	case debate.RoundEnded:
		if ev.Err == nil && b.session.Verdict == nil && len(b.session.History) > 0 {
			m.roundEnded()
		}
	case debate.TurnStarted, debate.TurnQueued, debate.Text, debate.ToolStarted, debate.ToolEnded, debate.ContextChanged:
	}
}

// asked tells of a question, in the same frame in which it is counted.
func (m *Model) asked(ev debate.ContextRequested) {
	who, sep := m.board.nameOf(ev.Turn.Agent), m.th.Symbols.Sep
	n := notice{text: fmt.Sprintf("%s asks: %q", who, safetext.Line(ev.Ask.Query)), keys: fmt.Sprintf("%s %s %s", ev.Request.Priority, sep, ev.Request.ID), at: ev.At}
	if ev.Joined {
		n.text, n.keys = fmt.Sprintf("%s joins %s: %q", who, ev.Request.ID, safetext.Line(ev.Request.Query)), string(ev.Request.Priority)
	}
	if ev.Request.Priority == ledger.Required {
		n.tone = urgently
	}
	m.announce(n)
}

// turnEnded tells of a seat that gave no statement, with the keys that help.
func (m *Model) turnEnded(ev debate.TurnEnded) {
	x := ev.Response
	if x.State != debate.TurnFailed || x.Failure == nil {
		return
	}
	_, n := m.board.session.Seat(x.Turn.Agent)
	who, keys := m.board.nameOf(x.Turn.Agent), fmt.Sprintf("%d then x runs it again.", n)
	switch {
	case x.Turn.Step == debate.VerdictStep: // the next chair tries by itself
		who, keys = "The chair "+safetext.Line(m.board.chair), ""
	case m.board.sight.focus == n-1:
		keys = "x runs it again."
	}
	said := failure(who, x)
	said.keys, said.at, said.of = keys, ev.At, x.Turn.Agent
	m.announce(said)
}

// failure says how the turn of somebody failed.
func failure(who string, x debate.Response) notice {
	return notice{text: safetext.Line(fmt.Sprintf("%s failed: %s", who, sentence(errors.New(x.Failure.Cause)))), tone: urgently, at: x.Ended}
}

// recalled is what was told of a stored session, oldest first, so that it can be
// read again: its notices, and how turns of seats failed.
func recalled(b *board) []notice {
	var out []notice
	for _, n := range b.session.Notices {
		out = append(out, notice{text: safetext.Line(n.Text), at: n.At})
	}
	for _, r := range b.session.History {
		for _, x := range r.Responses {
			if x.State == debate.TurnFailed && x.Failure != nil {
				out = append(out, failure(b.nameOf(x.Turn.Agent), x))
			}
		}
	}
	slices.SortStableFunc(out, func(a, c notice) int { return a.at.Compare(c.at) })
	return out[max(len(out)-maxTold, 0):]
}

func (m *Model) roundEnded() {
	s := m.board.session
	n := len(s.History)
	text := fmt.Sprintf("Round %d is done.", n)
	if s.Status() == debate.NeedsContext {
		text += fmt.Sprintf(" Round %d starts when every required request has an answer.", n+1)
	}
	m.announce(notice{text: text})
}
