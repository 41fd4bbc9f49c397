// Package verdict does all the counting of a debate: agreement, votes, rankings
// and scores, what the panel said without a debate, who changed sides and why,
// and the report that is computed when no chair can write one.
//
// Everything here is a pure function of a session. It imports debate,
// debate/ledger, agents and internal/text; it asks no model, stores nothing and
// draws nothing.
package verdict

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// Compute returns the verdict as far as it needs no model: presence, counts,
// moves, dissent and sources.
func Compute(s debate.Session) debate.Verdict {
	var v debate.Verdict
	last := s.History[len(s.History)-1]
	v.Stopped, v.EndReason = s.Stopped, s.EndReason()
	v.Missing, v.Unstated = MissingResponses(s), unstated(last)
	v.Baseline, v.Final = tally(s, baselineRound(s)), tally(s, last)
	if a, b := TallyAnswer(v.Baseline), TallyAnswer(v.Final); a != "" && b != "" {
		changed := a != b
		v.Changed = &changed
	}
	v.Moves = moves(s)
	v.PhasePositions, v.Dissent, v.Results = phasePositions(s), dissent(s, v.Final), Results(s, len(s.History))
	v.Sources, v.UnknownCitations = sources(s, "")
	if slices.Contains(s.RosterWarnings(), debate.WarningOneFamily) {
		v.Warnings = append(v.Warnings, debate.WarningOneFamily)
	}
	v.Outcome = debate.OutcomeFull
	switch {
	case s.Stopped.Forced():
		v.Outcome = debate.OutcomeStopped
	case len(v.Missing)+len(v.Unstated) > 0:
		v.Outcome = debate.OutcomeDegraded
	}
	return v
}

// unstated lists who spoke in the last round and stated neither a position nor a side.
func unstated(last debate.Round) []agents.ID {
	var out []agents.ID
	for _, x := range last.Statements() {
		if st := x.Statement; st.Position == "" && st.Stance == "" {
			out = append(out, x.Turn.Agent)
		}
	}
	return out
}

// AddReport puts a chair's report into the verdict.
func AddReport(v *debate.Verdict, s debate.Session, chair agents.Profile, reply agents.Reply) {
	st := debate.ParseStatement(reply.Text)
	v.Chair, v.ChairName, v.ChairModel = chair.ID, chair.Name, chair.Model
	v.Text, v.Confidence = s.RestoreNames(st.Body), st.Confidence
	if st.Body == "" {
		v.Text = s.RestoreNames(st.Position)
	}
	if reply.Finish == agents.FinishLength {
		v.Warnings = append(v.Warnings, "The report was cut at the chair's length limit.")
	}
	_, seat := s.Seat(chair.ID)
	v.ChairIsMember = seat > 0
	v.Warnings = append(v.Warnings, s.ChairWarnings(chair)...)
	v.Sources, v.UnknownCitations = sources(s, v.Text)
}

// AddFallback puts the computed report into the verdict, for a debate in which no
// chair succeeded for the given causes.
func AddFallback(v *debate.Verdict, s debate.Session, causes []string) {
	if v.Outcome != debate.OutcomeStopped {
		v.Outcome = debate.OutcomeNoSynthesis
	}
	v.Cause = "no seat can be the chair"
	if len(causes) > 0 {
		v.Cause = strings.Join(causes, "; ")
	}
	var b strings.Builder
	b.WriteString("No synthesis: " + v.Cause + ". What follows is computed from stances and confidences.\n\n## Positions\n")
	said := s.History[len(s.History)-1].Statements()
	for _, p := range s.Seats {
		text := "no statement"
		if i := slices.IndexFunc(said, func(x debate.Response) bool { return x.Turn.Agent == p.ID }); i >= 0 {
			text = position(said[i])
		}
		fmt.Fprintf(&b, "\n- **%s**: %s", p.Name, text)
	}
	if lines := ResultLines(v.Results, func(id agents.ID) string { p, _ := s.Seat(id); return p.Name }); len(lines) > 0 {
		b.WriteString("\n\n## Ballots, votes and scores\n")
		for _, l := range lines {
			b.WriteString("\n- " + l)
		}
	}
	v.Text = b.String()
}

func position(x debate.Response) string {
	if x.Statement.Position == "" {
		if x.Statement.Stance != "" {
			return string(x.Statement.Stance)
		}
		return "not stated"
	}
	text := x.Statement.Position
	if x.Statement.Stance != "" {
		text += " (" + string(x.Statement.Stance) + ")"
	}
	return text
}
