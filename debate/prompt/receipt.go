package prompt

import (
	"fmt"
	"reflect"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// PartsOf returns a request's prompt in its parts, rebuilt from the session: the
// rules first, then the blocks of context, then the question. It is nil where the
// parts do not come to what was sent, as of a chair that wrote before rounds were
// added; what was sent stands in the request all the same.
func PartsOf(s debate.Session, t agents.Turn, sent agents.Request) []debate.Part {
	p, err := rebuild(s, t)
	if err != nil || len(sent.Messages) < 2 || !reflect.DeepEqual(p.Messages(), sent.Messages[:2]) {
		return nil
	}
	return append([]debate.Part{{Title: "rules", Text: p.System}}, p.User...)
}

// rebuild assembles the first prompt of a turn as it was assembled then.
func rebuild(s debate.Session, t agents.Turn) (Prompt, error) {
	if t.Round < 1 || t.Round > len(s.History) {
		return Prompt{}, fmt.Errorf("round %d of session %s has not begun", t.Round, s.ID)
	}
	switch t.Step {
	case debate.VerdictStep:
		s.History = s.History[:t.Round]
		return Chair(s, s.Asked(debate.ForChair, t.Agent))
	case debate.AnalysisStep:
		s.History = s.History[:t.Round]
		return Analysis(s)
	case debate.LightStep, debate.FillStep:
		return Prompt{}, fmt.Errorf("a summary or a list is asked for without context")
	}
	r := s.History[t.Round-1]
	i := slices.IndexFunc(r.Responses, func(x debate.Response) bool { return x.Turn == t })
	snap, err := NewSnapshot(s, t.Round)
	if err != nil || i < 0 {
		return Prompt{}, fmt.Errorf("rebuild %s: %w", debate.TurnID(t), err)
	}
	x := r.Responses[i]
	var copies []debate.Excerpt
	if x.Fitting != nil {
		copies = x.Fitting.Copies
	}
	listed := setOf(x.Saw)
	for _, c := range copies {
		listed[c.Response] = true
	}
	for _, y := range r.Responses {
		if y.Turn.Step < t.Step && listed[y.ID()] {
			snap = snap.With([]debate.Response{y})
		}
	}
	who, _ := s.Seat(t.Agent)
	return Member(snap.Mode, snap.Fitted(copies, SummariesByKey(s)), debate.Step{Index: t.Step, Phase: x.Phase}, who), nil
}
