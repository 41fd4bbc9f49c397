package prompt

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// askingPart says what a speaker may ask the user in a turn, and what was asked already.
// There is none in the last round, whose questions nobody would answer.
func (snap Snapshot) askingPart(f fence, speaker agents.ID) (part debate.Part, ok bool) {
	if snap.Final() || snap.Mode.Asking == "" {
		return debate.Part{}, false
	}
	var b strings.Builder
	b.WriteString(strings.TrimSpace(snap.Mode.Asking) + "\n")
	switch left, limited := snap.questionsLeft(speaker); {
	case limited && left == 0:
		b.WriteString("In this turn you cannot ask anything new.")
	case limited && left == 1:
		b.WriteString("In this turn you can ask one question.")
	case limited:
		fmt.Fprintf(&b, "In this turn you can ask up to %d questions.", left)
	default:
		b.WriteString("In this turn you can ask as many questions as you need.")
	}
	if snap.Round == snap.Rounds-1 {
		b.WriteString(" This is the last round whose questions are still answered: ask now for what you need.")
	}
	if open := snap.openRequests(); len(open) > 0 {
		lines := make([]string, len(open))
		for i, q := range open {
			lines[i] = fmt.Sprintf("%s, open, asked by %s: %s", q.id, strings.Join(snap.askerNames(q), ", "),
				snap.Anonymizer.Scrub(strings.Join(strings.Fields(q.query), " ")))
		}
		fmt.Fprintf(&b, "\nThese questions are open already. If you need the same, join one of them: call %s with its id as the query. "+
			"That does not count against your questions.\n", agents.RequestContextName)
		b.WriteString(f.block("open questions", strings.Join(lines, "\n")))
	}
	return debate.Part{Title: "questions to the user", Text: b.String()}, true
}

// askedRequest is a request to the user as far as a snapshot knows it.
type askedRequest struct {
	id, query string
	open      bool // when the round began
	turns     []agents.Turn
}

// requestsBefore returns the requests of the rounds before the one of a manifest.
func requestsBefore(all []ledger.Request, m debate.Manifest) []askedRequest {
	var out []askedRequest
	for _, q := range all {
		if q.Round >= m.Round {
			continue
		}
		asked := askedRequest{id: q.ID, query: q.Query, open: slices.Contains(m.Open, q.ID)}
		for _, a := range q.Asks {
			if a.Turn.Round < m.Round && !a.Withdrawn {
				asked.turns = append(asked.turns, a.Turn)
			}
		}
		out = append(out, asked)
	}
	return out
}

// WithRequests returns the snapshot with what the turns asked in this round whose
// statements it has.
func (snap Snapshot) WithRequests(all []ledger.Request) Snapshot {
	snap.requests = slices.Clone(snap.requests)
	for _, q := range all {
		for _, a := range q.Asks {
			if a.Turn.Round != snap.Round || !snap.has(a.Turn) {
				continue
			}
			i := slices.IndexFunc(snap.requests, func(r askedRequest) bool { return r.id == q.ID })
			if i < 0 {
				i = len(snap.requests)
				snap.requests = append(snap.requests, askedRequest{id: q.ID, query: q.Query})
			}
			if r := &snap.requests[i]; !slices.Contains(r.turns, a.Turn) {
				r.turns = append(slices.Clip(r.turns), a.Turn)
			}
		}
	}
	return snap
}

// has reports whether the statement of a turn is in the snapshot.
func (snap Snapshot) has(t agents.Turn) bool {
	return slices.ContainsFunc(snap.Earlier, func(x debate.Response) bool { return x.Turn == t })
}

// inRound reports whether a turn of this round that the snapshot shows made the request.
func (snap Snapshot) inRound(q askedRequest) bool {
	return slices.ContainsFunc(q.turns, func(t agents.Turn) bool { return t.Round == snap.Round && snap.has(t) })
}

// openRequests returns the requests that were open when the round began, and those that
// were made since, by id.
func (snap Snapshot) openRequests() []askedRequest {
	return slices.DeleteFunc(slices.Clone(snap.requests), func(q askedRequest) bool { return !q.open && !snap.inRound(q) })
}

// askerNames returns who made a request, by seat.
func (snap Snapshot) askerNames(q askedRequest) []string {
	var names []string
	for _, p := range snap.Seats {
		if slices.ContainsFunc(q.turns, func(t agents.Turn) bool { return t.Agent == p.ID && (t.Round < snap.Round || snap.has(t)) }) {
			names = append(names, snap.PromptName(p.ID))
		}
	}
	return names
}

// questionsLeft returns how many new requests a speaker can make in a turn, as far as the
// snapshot knows; limited is false if there is no limit.
func (snap Snapshot) questionsLeft(speaker agents.ID) (left int, limited bool) {
	all, own := 0, 0
	for _, q := range snap.requests {
		if len(q.turns) == 0 || q.turns[0].Round < snap.Round || snap.inRound(q) {
			all++
		}
		mine := func(t agents.Turn) bool { return t.Round == snap.Round && t.Agent == speaker }
		if snap.inRound(q) && slices.ContainsFunc(q.turns, mine) {
			own++
		}
	}
	left = -1
	if most := snap.Caps.PerRound; most > 0 {
		left = max(most-own, 0)
	}
	if most := snap.Caps.PerSession; most > 0 && (left < 0 || most-all < left) {
		left = max(most-all, 0)
	}
	return left, left >= 0
}
