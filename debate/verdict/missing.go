package verdict

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// MissingResponses lists every seat and round without a statement, and without a word in
// another phase of the round.
func MissingResponses(s debate.Session) []debate.MissingResponse {
	ids := make([]agents.ID, len(s.Seats))
	for i, p := range s.Seats {
		ids[i] = p.ID
	}
	var out []debate.MissingResponse
	for _, r := range s.History {
		latest := r.Latest()
		steps := s.Mode.Steps(ids, r.Number, r.Manifest.Rounds)
		for _, p := range s.Seats {
			for _, step := range steps {
				if !slices.Contains(step.Seats, p.ID) {
					continue
				}
				a := debate.MissingResponse{Agent: p.ID, Name: p.Name, Round: r.Number, Phase: step.Phase}
				i := slices.IndexFunc(latest, func(x debate.Response) bool { return x.Turn.Agent == p.ID && x.Turn.Step == step.Index })
				if i >= 0 && latest[i].HasStatement() {
					continue
				}
				if i >= 0 && latest[i].Failure != nil {
					a.Cause = debate.ShortCause(latest[i].Failure.Kind, latest[i].Failure.Cause)
				}
				out = append(out, a)
			}
		}
	}
	return out
}
