package replay

import (
	"slices"
	"time"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Moment is an event with the time from the beginning of its part, at the speed 1.
type Moment struct {
	At     time.Duration
	Event  debate.Event
	stored time.Time // when it happened
}

// The pace of events without a stored time, and bounds for those with one, so that the wait
// for a busy provider does not take minutes.
const (
	between     = 1500 * time.Millisecond // from one round, or answer, to the next
	firstToken  = 400 * time.Millisecond
	settle      = 300 * time.Millisecond // after the last turn
	lateStart   = time.Second            // at most, of a seat that begins with its round
	shortestRun = 250 * time.Millisecond // of a tool
	longestRun  = 3 * time.Second
	piece       = 100 * time.Millisecond // of streamed text
	readingRate = 150.0                  // characters a second
	slowest     = 40.0
	fastest     = 1000.0 // no model streams faster: these are scripted answers
)

// Part returns the events of a part in order. The last one is debate.RoundEnded.
func (r *Recording) Part(part int) []Moment {
	p := &timeline{Recording: r}
	if part > len(r.session.History) {
		p.verdict()
		return p.moments
	}
	p.round(r.session.History[part-1])
	return p.moments
}

// Order returns the events of a part in the order in which they happened, without the
// pieces of streamed text.
func (r *Recording) Order(part int) []debate.Event {
	moments := slices.DeleteFunc(r.Part(part), func(m Moment) bool {
		_, text := m.Event.(debate.Text)
		return text
	})
	last := len(moments) - 1
	slices.SortStableFunc(moments[:last], func(a, b Moment) int { return a.stored.Compare(b.stored) })
	var out []debate.Event
	for _, m := range moments {
		out = append(out, m.Event)
	}
	return out
}

// timeline collects the moments of a part.
type timeline struct {
	*Recording
	moments []Moment
	turns   []playedTurn // in the order of their beginnings
}

// playedTurn is an attempt with the time at which it ends here.
type playedTurn struct {
	began, ended time.Time
	end          time.Duration
}

func (p *timeline) add(at time.Duration, ev debate.Event, stored time.Time) {
	p.moments = append(p.moments, Moment{at, ev, stored})
}

// round collects a round: the answers given before it, its turns, and its end.
func (p *timeline) round(c debate.Round) {
	before := p.Before(c.Number)
	since := before.Created
	var at time.Duration
	if c.Number > 1 {
		since, at = before.Current().Ended, between
	}
	for _, a := range p.answered(since, c.Began, c.Number-1) {
		p.add(at, a.ev, a.at)
		at += between
	}
	p.add(at, debate.RoundStarted{
		Session: p.begun(before, c), Round: c.Number, Hash: c.Hash, Facts: Facts(p.session, c.Number), At: c.Began,
	}, c.Began)
	start, end := at, at
	for _, x := range byBeginning(c.Responses) {
		end = max(end, p.turn(c, x, start, end))
	}
	p.beside(c, start)
	end += settle
	after := p.Before(c.Number + 1)
	for _, q := range after.Requests {
		if q.State == ledger.Withdrawn && q.Round == c.Number {
			p.add(end, debate.ContextChanged{Request: q, At: c.Ended}, c.Ended)
		}
	}
	if c.Consensus != nil {
		p.add(end, debate.Assessed{Round: c.Number, Consensus: *c.Consensus, At: c.Ended}, c.Ended)
	}
	slices.SortStableFunc(p.moments, func(a, b Moment) int { return int(a.At - b.At) })
	p.add(end, debate.RoundEnded{Session: after, At: c.Ended}, c.Ended)
}

// begun returns the session as a round begins.
func (p *timeline) begun(before debate.Session, c debate.Round) debate.Session {
	before.History = append(before.History, debate.Round{Number: c.Number, Manifest: c.Manifest, Hash: c.Hash, Began: c.Began})
	before.Requests = p.requests(c.Began, c.Number)
	before.Interjections = slices.DeleteFunc(slices.Clone(p.session.Interjections),
		func(i debate.Interjection) bool { return i.At.After(c.Began) })
	return before
}

// Facts returns the ids of the requests whose answers a round began with.
func Facts(s debate.Session, round int) []string {
	var ids []string
	for _, q := range s.Requests {
		if slices.ContainsFunc(q.Delivered, func(d ledger.Delivery) bool { return d.Round == round }) {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

// byBeginning returns attempts in the order in which they began. Those that were skipped
// come last.
func byBeginning(all []debate.Response) []debate.Response {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b debate.Response) int {
		switch {
		case a.Began.IsZero() == b.Began.IsZero():
			return a.Began.Compare(b.Began)
		case a.Began.IsZero():
			return 1
		}
		return -1
	})
	return out
}

// turn collects an attempt and returns when it ends. It begins after all attempts that had
// ended when it began.
func (p *timeline) turn(c debate.Round, x debate.Response, start, latest time.Duration) time.Duration {
	if x.Began.IsZero() {
		p.add(latest, debate.TurnEnded{Response: x, At: x.Ended}, x.Ended)
		return latest
	}
	at := start + min(max(x.Began.Sub(c.Began), 0), lateStart)
	for _, earlier := range p.turns {
		if !earlier.ended.IsZero() && !earlier.ended.After(x.Began) {
			at = max(at, earlier.end)
		}
	}
	profile, _ := p.session.Seat(x.Turn.Agent)
	p.add(at, debate.TurnStarted{Turn: x.Turn, Profile: profile, Role: x.Role, ContextFit: x.ContextFit, At: x.Began}, x.Began)
	rate, tools := rateOf(x), 0
	at += firstToken
	for _, ev := range Turn(p.session, x) {
		switch ev := ev.(type) {
		case debate.Text:
			at = p.text(at, rate, ev)
		case debate.ToolsCalled:
			p.add(at, ev, ev.At)
		case debate.ToolStarted:
			p.add(at, ev, ev.At)
			at += min(max(took(x, tools), shortestRun), longestRun)
			tools++
		case debate.ContextRequested:
			p.add(at, ev, ev.At)
		case debate.ToolEnded:
			p.add(at, ev, ev.At)
		case debate.TurnEnded:
			ev.Again = x.State != debate.TurnDone && slices.ContainsFunc(c.Responses, func(next debate.Response) bool {
				t := x.Turn
				t.Attempt++
				return next.Turn == t
			})
			p.add(at, ev, ev.At)
		default: // a turn has no others
		}
	}
	p.turns = append(p.turns, playedTurn{x.Began, x.Ended, at})
	return at
}

// took returns how long a tool call of an attempt ran, by its number from 0.
func took(x debate.Response, call int) time.Duration {
	for _, passage := range x.Passages {
		if call < len(passage.Tools) {
			return passage.Tools[call].Took
		}
		call -= len(passage.Tools)
	}
	return 0
}

// Turn returns what happened in an attempt of a seat after it began, as events in order: its
// texts, whole, its tool calls, what they asked the user, and how it ended.
func Turn(s debate.Session, x debate.Response) []debate.Event {
	var out []debate.Event
	asks := asksOf(s, x.Turn)
	for i, passage := range x.Passages {
		if passage.Reasoning != "" {
			out = append(out, debate.Text{Turn: x.Turn, Passage: i, Text: passage.Reasoning, Reasoning: true})
		}
		if passage.Text != "" {
			out = append(out, debate.Text{Turn: x.Turn, Passage: i, Text: passage.Text})
		}
		if len(passage.Tools) == 0 {
			continue
		}
		pending := slices.Clone(passage.Tools)
		for i := range pending {
			pending[i].State, pending[i].Result, pending[i].Took = debate.ToolPending, agents.ToolResult{}, 0
		}
		out = append(out, debate.ToolsCalled{Turn: x.Turn, Tools: pending, At: pending[0].Began})
		for i, call := range passage.Tools {
			running := pending[i]
			running.State = debate.ToolRunning
			out = append(out, debate.ToolStarted{Turn: x.Turn, Tool: running, At: call.Began})
			asks = slices.DeleteFunc(asks, func(ev debate.ContextRequested) bool {
				if ev.Ask.Call == call.ID {
					out = append(out, ev)
				}
				return ev.Ask.Call == call.ID
			})
			if call.State == debate.ToolDone {
				out = append(out, debate.ToolEnded{Turn: x.Turn, Tool: call, At: call.Began.Add(call.Took)})
			}
		}
	}
	for _, ev := range asks { // exports of earlier versions do not name their calls
		out = append(out, ev)
	}
	return append(out, debate.TurnEnded{Response: x, At: x.Ended})
}

// rateOf returns how many characters of an attempt come in a second.
func rateOf(x debate.Response) float64 {
	took, n := x.Ended.Sub(x.Began), 0
	for _, passage := range x.Passages {
		n += utf8.RuneCountInString(passage.Reasoning) + utf8.RuneCountInString(passage.Text)
		for _, t := range passage.Tools {
			took -= t.Took
		}
	}
	if took <= 0 {
		return readingRate
	}
	rate := float64(n) / took.Seconds()
	if rate > fastest {
		return readingRate
	}
	return max(rate, slowest)
}

// text collects the pieces of a text and returns when the last one has come.
func (p *timeline) text(at time.Duration, rate float64, whole debate.Text) time.Duration {
	size := max(int(rate*piece.Seconds()), 1)
	for rest := whole.Text; rest != ""; {
		end, n := 0, 0
		for n < size && end < len(rest) {
			_, width := utf8.DecodeRuneInString(rest[end:])
			end += width
			n++
		}
		at += time.Duration(float64(n) / rate * float64(time.Second))
		whole.Text, rest = rest[:end], rest[end:]
		p.add(at, whole, time.Time{})
	}
	return at
}

// beside collects what happened in a round besides its turns: notices, and answers that
// came while it ran.
func (p *timeline) beside(c debate.Round, start time.Duration) {
	until := c.Ended
	if until.IsZero() {
		until = p.session.Updated
	}
	changes := p.answered(c.Began, until, c.Number)
	for _, n := range p.session.Notices {
		if n.Round == c.Number || n.Round == 0 && n.At.After(c.Began) && !n.At.After(until) {
			changes = append(changes, change{n.At, debate.Noticed{Notice: n}})
		}
	}
	for _, one := range changes {
		at := start
		for _, t := range p.turns {
			if !t.ended.After(one.at) {
				at = max(at, t.end)
			}
		}
		p.add(at, one.ev, one.at)
	}
}

// verdict collects how the verdict was written.
func (p *timeline) verdict() {
	v, at := *p.session.Verdict, between
	if v.Chair != "" {
		t := agents.Turn{
			Session: p.session.ID, Round: len(p.session.History), Step: debate.VerdictStep, Agent: v.Chair, Attempt: 1,
		}
		p.add(at, debate.Concluding{Turn: t, Profile: p.chair(), At: p.session.Updated}, p.session.Updated)
		at = p.text(at+firstToken, 2*readingRate, debate.Text{Turn: t, Text: v.Text})
		p.add(at, debate.TurnEnded{
			Response: debate.Response{Turn: t, State: debate.TurnDone, Passages: []debate.Passage{{Text: v.Text}}}, At: p.session.Updated,
		}, p.session.Updated)
	}
	p.add(at, debate.Concluded{Verdict: v, At: p.session.Updated}, p.session.Updated)
	p.add(at, debate.RoundEnded{Session: p.session, At: p.session.Updated}, p.session.Updated)
}
