package headless

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// ClosedRequest writes a request that is not open any more, with its latest answer.
func (l *TextReporter) ClosedRequest(r ledger.Request) {
	if r.JoinedTo != "" {
		l.line("%s, joined to %s:", r.ID, r.JoinedTo)
		l.block(r.Query)
		return
	}
	l.Request(r)
	a, answered := r.Answer()
	if !answered {
		l.line("  %s, no answer.", text.Capitalize(string(r.State)))
		return
	}
	where := "not yet used"
	for _, d := range r.Delivered {
		if d.Revision == a.Revision {
			where = fmt.Sprintf("sent with round %d", d.Round)
		}
	}
	l.answer(a, where)
}

// answer writes one revision of an answer, and where it was used.
func (l *TextReporter) answer(a ledger.Answer, where string) {
	raw := fmt.Sprintf("%s, %s", text.Capitalize(string(a.Outcome)), where)
	if a.Revision > 1 {
		raw += fmt.Sprintf(", revision %d", a.Revision)
	}
	l.line("  %s:", raw)
	l.block(text.Indent(a.Content))
	if a.Source != "" {
		l.line("  Source: %s", text.Line(a.Source))
	}
}

// Transcript writes a saved session as it was reported while it was played.
func (l *TextReporter) Transcript(s debate.Session) {
	l.Session = s
	l.heading()
	for _, n := range s.Notices {
		if n.Round < 1 || n.Round > len(s.History) {
			l.Event(debate.Noticed{Notice: n})
		}
	}
	for i, r := range s.History {
		l.round(s, i, r)
	}
	for _, r := range s.Requests {
		if _, waits := r.Undelivered(); waits || !r.Open() && len(r.Delivered) == 0 {
			l.ClosedRequest(r)
		}
	}
	l.Session = s
	switch s.Status() {
	case debate.Complete, debate.Stopped:
		l.verdict(*s.Verdict)
		for _, f := range s.FollowUps {
			l.followUp(f)
		}
	case debate.NeedsContext:
		l.openRequests(s)
	case debate.Drafted:
		l.line("No round has begun. `roundtable continue %s` starts the first.", s.ID)
	case debate.Interrupted:
		if open := debate.OpenRound(s); open != nil {
			l.openRound(open)
			return
		}
		l.line("Round %d is interrupted. `roundtable continue %s` runs the rest.", len(s.History), s.ID)
	case debate.Ready:
		l.line("`roundtable continue %s` continues.", s.ID)
	}
}

// round writes one round: what it started with, its turns, notices and agreement.
func (l *TextReporter) round(s debate.Session, i int, r debate.Round) {
	begun := s
	begun.History = slices.Clone(s.History[:i+1])
	begun.History[i].Responses = nil
	l.Event(debate.RoundStarted{Session: begun, Round: r.Number, Hash: r.Hash, Facts: releasedFor(s, r.Number), At: r.Began})
	for _, q := range s.Requests {
		for _, d := range q.Delivered {
			if a, ok := q.Revision(d.Revision); ok && d.Round == r.Number {
				l.Request(q)
				l.answer(a, fmt.Sprintf("sent with round %d", d.Round))
			}
		}
	}
	if r.Manifest.Focus != "" {
		l.line("Focus: %s", text.Line(r.Manifest.Focus))
	}
	for _, x := range r.Responses {
		l.response(s, x)
	}
	for _, n := range s.Notices {
		if n.Round == r.Number {
			l.Event(debate.Noticed{Notice: n})
		}
	}
	if r.Consensus != nil {
		l.Event(debate.Assessed{Round: r.Number, Consensus: *r.Consensus, At: r.Ended})
	}
}

// response writes one attempt: its working text, tools and requests, and how it ended.
func (l *TextReporter) response(s debate.Session, x debate.Response) {
	for i, p := range x.Passages {
		text := strings.TrimSpace(statement.HideStructuredPart(p.Text))
		last := i == len(x.Passages)-1 && len(p.Tools) == 0
		switch {
		case text == "" || x.State == debate.TurnDone && (last || x.Statement.AllPassages): // written below as the statement
		case last:
			l.line("%s wrote this before it ended; it is kept but not used:", l.seat(x.Turn.Agent))
			l.block(text)
		default:
			l.line("%s working text, not shared:", l.seat(x.Turn.Agent))
			l.block(text)
		}
		for _, t := range p.Tools {
			if t.State == debate.ToolDone {
				l.Event(debate.ToolEnded{Turn: x.Turn, Tool: t, At: t.Began})
			}
			l.requestOf(s, x.Turn, t.ID)
		}
	}
	l.Event(debate.TurnEnded{Response: x, At: x.Ended})
}

// requestOf writes the request that a tool call has made.
func (l *TextReporter) requestOf(s debate.Session, t agents.Turn, call string) {
	for _, r := range s.Requests {
		for i, k := range r.Asks {
			if k.Turn == t && k.Call == call {
				l.Event(debate.ContextRequested{Turn: t, Request: r, Ask: k, Joined: i > 0, At: k.At})
			}
		}
	}
}

// releasedFor returns the ids of the requests whose answers were released for a round.
func releasedFor(s debate.Session, round int) []string {
	var ids []string
	for _, r := range s.Requests {
		if slices.ContainsFunc(r.Delivered, func(d ledger.Delivery) bool { return d.Round == round }) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
