package acp

import (
	sdk "github.com/coder/acp-go-sdk"

	"roundtable/agents"
)

// usage returns the tokens that the agent reported for a turn; nil if it reported none.
func (t *turn) usage(u *sdk.Usage) *agents.Usage {
	if u == nil || u.InputTokens <= 0 && u.OutputTokens <= 0 {
		return nil
	}
	count := func(n *int) int {
		if n == nil {
			return 0
		}
		return max(*n, 0)
	}
	cached, written, thought := count(u.CachedReadTokens), count(u.CachedWriteTokens), count(u.ThoughtTokens)
	out := agents.Usage{Input: max(u.InputTokens, 0), Output: max(u.OutputTokens, 0)}
	if u.TotalTokens >= out.Input+out.Output+cached+written { // what is cached is counted apart
		out.Input += cached + written
	}
	if u.TotalTokens >= out.Input+out.Output+thought {
		out.Output += thought
	}
	out.Cached, out.Reasoning = min(cached, out.Input), min(thought, out.Output)
	out.Estimated = t.agent.seat.provider.config.LastUsage && t.calls.some()
	return &out
}
