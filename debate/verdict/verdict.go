// Package verdict judges a debate: the agreement after each round, what the
// panel would have said without a debate, who moved and why, and the chair's
// report.
//
// It implements debate.Judge and imports debate, debate/ledger and agents. It
// stores nothing and shows nothing.
package verdict

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// Judge weighs debates. It keeps nothing between calls.
type Judge struct {
	provider func(agents.Profile) (agents.Provider, error)
}

var _ debate.Judge = Judge{}

// New returns a judge whose chairs speak through what provider returns.
func New(provider func(agents.Profile) (agents.Provider, error)) Judge {
	return Judge{provider: provider}
}

// Conclude writes the verdict. Chairs are tried in turn: the configured one,
// then the members who answered in the last round that has answers, by seat. When none of them
// succeeds the verdict is computed, and says so. A report that one of them has
// written already is taken as it is. The error is the context's or what observe
// returned.
func (j Judge) Conclude(ctx context.Context, s debate.Session, observe debate.Observer) (debate.Verdict, error) {
	v := Compute(s)
	chair := debate.Spent{Purpose: debate.ForChair}
	asked := chairs(s)
	causes, err := keptReport(&v, s, asked)
	if err != nil {
		return debate.Verdict{}, err
	}
	if v.Chair != "" {
		asked = nil
	}
	attempt := s.ChairTurns
	for _, who := range asked {
		client, err := j.provider(who)
		if err != nil {
			causes = append(causes, fmt.Sprintf("%s cannot be reached: %v", who.Name, err))
			continue
		}
		attempt++
		reply, err := j.ask(ctx, s, agents.Agent{Profile: s.Speaker(who), Client: client}, attempt, observe)
		chair = chair.Plus(reply.Sent, reply.Usage, who.Cost(reply.Usage))
		if err == nil {
			AddReport(&v, s, who, reply)
			break
		}
		var failed *agents.SpeakError
		switch {
		case ctx.Err() != nil:
			return debate.Verdict{}, ctx.Err()
		case !errors.As(err, &failed):
			return debate.Verdict{}, err
		}
		causes = append(causes, whyNot(who, failed.Failure.Kind, failed.Failure.Cause))
	}
	if v.Chair == "" {
		AddFallback(&v, s, causes)
	} else if len(causes) > 0 {
		v.Warnings = append(v.Warnings, "Another chair wrote this: "+strings.Join(causes, "; ")+".")
	}
	AddSpending(&v, s, chair)
	return v, nil
}

// keptReport takes over a report that a chair has written to the same prompt, in a run
// that ended before its verdict was stored, and says why chairs before it did not.
func keptReport(v *debate.Verdict, s debate.Session, chairs []agents.Profile) (causes []string, err error) {
	if !slices.ContainsFunc(s.Kept, func(k debate.Kept) bool { return k.Turn.Step == debate.VerdictStep }) {
		return nil, nil
	}
	for _, who := range chairs {
		built, err := s.ChairPrompt(who)
		if err != nil {
			return nil, err
		}
		k, ok := s.KeptFor(debate.VerdictStep, who.ID, agents.Agent{Profile: s.Speaker(who)}.Request(built.Messages(), nil))
		switch {
		case ok && k.Failure == nil:
			AddReport(v, s, who, k.Reply)
			return causes, nil
		case ok:
			causes = append(causes, whyNot(who, k.Failure.Kind, k.Failure.Cause))
		}
	}
	return nil, nil
}

func whyNot(who agents.Profile, kind agents.Kind, cause string) string {
	return fmt.Sprintf("%s failed: %s", who.Name, strings.TrimSuffix(debate.Brief(kind, cause), "."))
}

// ask has one chair write the report.
func (j Judge) ask(ctx context.Context, s debate.Session, chair agents.Agent, attempt int, observe debate.Observer) (agents.Reply, error) {
	built, err := s.ChairPrompt(chair.Profile)
	if err != nil {
		return agents.Reply{}, err
	}
	turn := agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.VerdictStep, Attempt: attempt, Agent: chair.ID}
	return chair.Speak(ctx, turn, built.Messages(), nil, func(p agents.Progress) error { return observe(turn, chair.Profile, p) })
}

// chairs lists who may write the report, in the order in which they are tried.
func chairs(s debate.Session) []agents.Profile {
	var out []agents.Profile
	if s.Chair != nil {
		out = append(out, *s.Chair)
	}
	for _, r := range slices.Backward(s.History) {
		done := r.Statements()
		for _, p := range s.Seats {
			answered := slices.ContainsFunc(done, func(x debate.Response) bool { return x.Turn.Agent == p.ID })
			if answered && !slices.ContainsFunc(out, func(o agents.Profile) bool { return o.ID == p.ID }) {
				out = append(out, p)
			}
		}
		if len(done) > 0 {
			break // the last round may have been stopped before anybody answered
		}
	}
	return out
}

// Compute returns the verdict as far as it needs no model: presence, counts,
// moves, dissent and sources.
func Compute(s debate.Session) debate.Verdict {
	var v debate.Verdict
	last := s.History[len(s.History)-1]
	v.Stopped, v.Ended = s.Stopped, s.WhyEnded()
	v.Missing, v.Unstated = s.Absences(), unstated(last)
	v.Baseline, v.Final = tally(s, opening(s)), tally(s, last)
	if a, b := v.Baseline.Answer(), v.Final.Answer(); a != "" && b != "" {
		changed := a != b
		v.Changed = &changed
	}
	v.Moves = moves(s)
	v.Views, v.Dissent, v.Results = views(s), dissent(s, v.Final), s.Results(len(s.History))
	v.Sources, v.Unknown = sources(s, "")
	if slices.Contains(s.RosterWarnings(), debate.OneFamily) {
		v.Warnings = append(v.Warnings, debate.OneFamily)
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
	v.Text, v.Confidence = s.Named(st.Body), st.Confidence
	if st.Body == "" {
		v.Text = s.Named(st.Position)
	}
	if reply.Finish == agents.FinishLength {
		v.Warnings = append(v.Warnings, "The report was cut at the chair's length limit.")
	}
	_, seat := s.Seat(chair.ID)
	v.Member = seat > 0
	v.Warnings = append(v.Warnings, s.ChairWarnings(chair)...)
	v.Sources, v.Unknown = sources(s, v.Text)
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
	if lines := v.Results.Lines(func(id agents.ID) string { p, _ := s.Seat(id); return p.Name }); len(lines) > 0 {
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
