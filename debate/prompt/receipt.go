package prompt

import (
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// Parts returns the parts of a request's prompt: the rules first, then the blocks
// of context, then the question. A request that was stored without its parts has
// them rebuilt from the session; the result is nil if they do not add up to what was
// sent, as for a chair that wrote before rounds were added.
func Parts(s debate.Session, t agents.Turn, sent agents.Request) []debate.Part {
	if m := sent.Messages; len(m) == 1 && len(m[0].Parts) > 0 && agents.JoinParts(m[0].Parts) == m[0].Text {
		return m[0].Parts // to an agent that runs a loop of its own
	}
	if len(sent.Messages) < 2 {
		return nil
	}
	system, user := sent.Messages[0], sent.Messages[1]
	if len(system.Parts) == 1 && len(user.Parts) > 0 && agents.JoinParts(system.Parts) == system.Text &&
		agents.JoinParts(user.Parts) == user.Text {
		return slices.Concat(system.Parts, user.Parts)
	}
	p, err := rebuild(s, t)
	if err != nil || p.System != system.Text || agents.JoinParts(p.User) != user.Text {
		return nil
	}
	return append([]debate.Part{{Title: "rules", Text: p.System}}, p.User...)
}

// rebuild returns the first prompt of a turn as it was then.
func rebuild(s debate.Session, t agents.Turn) (Prompt, error) {
	if t.Round < 1 || t.Round > len(s.History) {
		return Prompt{}, fmt.Errorf("round %d of session %s has not begun", t.Round, s.ID)
	}
	switch t.Step {
	case debate.VerdictStep:
		s.History = s.History[:t.Round]
		return Chair(s, s.SpeakerOf(debate.ForChair, t.Agent))
	case debate.AnalysisStep:
		s.History = s.History[:t.Round]
		return Analysis(s)
	case debate.SummaryStep, debate.ListsStep:
		return Prompt{}, fmt.Errorf("a summary or a list is asked for without context")
	}
	r := s.History[t.Round-1]
	i := slices.IndexFunc(r.Responses, func(x debate.Response) bool { return x.Turn == t })
	snap, err := NewSnapshot(s, t.Round)
	if err != nil || i < 0 {
		return Prompt{}, fmt.Errorf("rebuild %s: %w", debate.TurnID(t), err)
	}
	x := r.Responses[i]
	var fit debate.ContextFit
	if x.ContextFit != nil {
		fit = *x.ContextFit
	}
	listed := setOf(x.SeenResponses)
	for _, c := range fit.Excerpts {
		listed[c.Response] = true
	}
	for _, y := range r.Responses {
		if y.Turn.Step < t.Step && listed[y.ID()] {
			snap = snap.With([]debate.Response{y})
		}
	}
	who, _ := s.Seat(t.Agent)
	snap = snap.WithRequests(s.Requests).WithExcerpts(s, fit.Excerpts).WithEvidenceLimit(fit.Evidence)
	return Member(snap.Mode, snap, debate.Step{Index: t.Step, Phase: x.Phase}, who), nil
}
