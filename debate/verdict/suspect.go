package verdict

import (
	"roundtable/agents"
	"roundtable/debate"
)

// suspectedPrompts returns the responses one of whose prompts its server may have cut: it
// counted too little in two prompts or more, not explained by its cache, or as much in
// prompts whose lengths differ.
func suspectedPrompts(s debate.Session) map[string]bool {
	type counted struct {
		debate.PromptCount
		low bool
	}
	byServer := map[string][]counted{}
	for _, n := range s.PromptCounts {
		p := s.SpeakerOf(n.Purpose, n.Turn)
		if n.Purpose != debate.ForMember || p.Loop || n.Counted < agents.MinWindow {
			continue
		}
		byServer[n.Server] = append(byServer[n.Server], counted{n, agents.LowCount(n.Estimate, n.Counted, n.Cached)})
	}
	out := map[string]bool{}
	for _, all := range byServer {
		low := 0
		for _, n := range all {
			if n.low {
				low++
			}
		}
		for _, n := range all {
			same := false
			for _, o := range all {
				longer, shorter := max(n.Estimate, o.Estimate), min(n.Estimate, o.Estimate)
				same = same || n.Counted == o.Counted && 10*(longer-shorter) > longer
			}
			if same || n.low && low > 1 {
				out[debate.TurnID(n.Turn)] = true
			}
		}
	}
	return out
}
