// Package verdict says what a debate comes to, as data: the result of its votes, ballots or
// findings, what the first votes came to, and what weakens it. Words has the words of all that.
//
// Everything here is a pure function of a session. It imports values and the
// functions over them; it asks no model, stores nothing and draws nothing.
package verdict

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// ReportOf returns the verdict with the report of a chair, and what it picked; false if its answer
// has no words beside a structured part.
func ReportOf(s debate.Session, chair agents.Profile, reply agents.Reply) (v debate.Verdict, ok bool) {
	st := statement.Parse(reply.Text)
	_, seat := s.Seat(chair.ID)
	v = debate.Verdict{
		Chair: chair.ID, ChairName: chair.Name, ChairModel: chair.Model, ChairIsMember: seat > 0, Round: len(s.History), Cut: reply.Cut,
		Text: s.RestoreNames(cmp.Or(st.Body, st.Position)),
	}
	if reply.Finish == agents.FinishLength {
		v.Notes = append(v.Notes, "The report was cut at the chair's length limit.")
	}
	v.Pick = ReadPick(s, chair.ID, reply.Text)
	return v, v.Text != ""
}

// WithoutReport returns the verdict of a debate in which no chair wrote a report, with the causes.
func WithoutReport(s debate.Session, causes []string) debate.Verdict {
	cause := "no seat can be the chair"
	if !slices.ContainsFunc(s.History, func(r debate.Round) bool { return len(r.Said()) > 0 }) {
		cause = "no seat answered"
	}
	return debate.Verdict{Round: len(s.History), Cause: cmp.Or(strings.Join(causes, "; "), cause)}
}

// Picked answers of a panel beat those of one model more often than blends of all of them
// do: 81 to 18 % in arXiv 2603.20324; see also arXiv 2601.08835.

// Candidates returns the seats with a readable vote but for the chair, of which that may pick one: none with
// fewer than two of them, where members rank each other, without votes, in reviews and in critiques.
func Candidates(s debate.Session, chair agents.ID) []agents.ID {
	p := pollOf(s)
	if p.ranks || s.Mode.Reviews() || s.Mode.Critiques() {
		return nil
	}
	var out []agents.ID
	for _, v := range p.voters {
		if v.now.readable() && v.id != chair {
			out = append(out, v.id)
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

const maxReasonLength = 300

// ReadPick returns the seat that a chair picks in the block of a text, with its reason; nil if it may not pick that one.
func ReadPick(s debate.Session, chair agents.ID, report string) *debate.Pick {
	members, _ := statement.LastObject(report, "pick", "pick_reason")
	var name, reason string
	_ = json.Unmarshal(members["pick"], &name)
	_ = json.Unmarshal(members["pick_reason"], &reason)
	id := seatNamed(s, s.RestoreNames(name))
	if !slices.Contains(Candidates(s, chair), id) {
		return nil
	}
	return &debate.Pick{Agent: id, Reason: s.RestoreNames(text.Clip(text.Line(reason), maxReasonLength))}
}

// PickOf returns the strongest single answer, first of a ranking or picked by the chair, and why; "" for none.
func PickOf(s debate.Session, c debate.Counted) (seat agents.ID, reason string) {
	if places := c.Result.Places; len(places) > 1 && places[1].Place > 1 {
		return places[0].Seat, ""
	}
	if v := s.Verdict; v != nil && v.Pick != nil && c.Result.Kind != debate.KindRanking {
		return v.Pick.Agent, v.Pick.Reason
	}
	return "", ""
}
