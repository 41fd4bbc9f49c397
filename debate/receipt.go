package debate

import (
	"fmt"
	"slices"
	"time"

	"roundtable/agents"
)

// Receipt is what is known of one request besides the request itself.
type Receipt struct {
	Turn     agents.Turn
	N, Of    int    // the n-th request of its turn, from 1
	Hash     string // of the request's JSON, in hex
	Intact   bool   // the stored request still has that hash
	Purpose  Purpose
	State    string   // sent, done, broken or interrupted
	Estimate int      // tokens that it was thought to be; 0: unknown
	Patched  []string // what was sent otherwise; nil: the provider has not told
	Finish   agents.Finish
	Usage    agents.Usage
	Cost     *float64
	Failure  *Failed
	Sent     time.Time
	Ended    time.Time
}

// PartsOf returns the parts of a request's prompt: the rules first, then the blocks
// of context, then the question. A request that was stored without its parts has
// them rebuilt from the session; the result is nil if they do not add up to what was
// sent, as for a chair that wrote before rounds were added.
func (s Session) PartsOf(t agents.Turn, sent agents.Request) []Part {
	if len(sent.Messages) < 2 {
		return nil
	}
	system, user := sent.Messages[0], sent.Messages[1]
	if len(system.Parts) == 1 && len(user.Parts) > 0 && agents.JoinParts(system.Parts) == system.Text &&
		agents.JoinParts(user.Parts) == user.Text {
		return slices.Concat(system.Parts, user.Parts)
	}
	p, err := s.rebuild(t)
	if err != nil || p.System != system.Text || agents.JoinParts(p.User) != user.Text {
		return nil
	}
	return append([]Part{{Title: "rules", Text: p.System}}, p.User...)
}

// rebuild assembles the first prompt of a turn as it was assembled then.
func (s Session) rebuild(t agents.Turn) (Prompt, error) {
	if t.Round < 1 || t.Round > len(s.History) {
		return Prompt{}, fmt.Errorf("round %d of session %s has not begun", t.Round, s.ID)
	}
	switch t.Step {
	case VerdictStep:
		s.History = s.History[:t.Round]
		return s.ChairPrompt(s.Asked(ForChair, t.Agent))
	case AnalysisStep:
		s.History = s.History[:t.Round]
		return s.AnalysisPrompt()
	case LightStep, FillStep:
		return Prompt{}, fmt.Errorf("a summary or a list is asked for without context")
	}
	r := s.History[t.Round-1]
	i := slices.IndexFunc(r.Responses, func(x Response) bool { return x.Turn == t })
	snap, err := s.Snapshot(t.Round)
	if err != nil || i < 0 {
		return Prompt{}, fmt.Errorf("rebuild %s: %w", TurnID(t), err)
	}
	x := r.Responses[i]
	var copies []Copy
	if x.Fitting != nil {
		copies = x.Fitting.Copies
	}
	listed := setOf(x.Saw)
	for _, c := range copies {
		listed[c.Response] = true
	}
	for _, y := range r.Responses {
		if y.Turn.Step < t.Step && listed[y.ID()] {
			snap = snap.With([]Response{y})
		}
	}
	who, _ := s.Seat(t.Agent)
	return snap.Mode.Prompt(snap.fitted(copies, s.digestsByKey()), Step{Index: t.Step, Phase: x.Phase}, who), nil
}
