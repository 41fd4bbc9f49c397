package acp

import (
	"encoding/json"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/agents"
)

// usage returns the tokens that the agent reported for a turn, in any of the known places;
// nil if it reported none.
func (t *turn) usage(r sdk.PromptResponse) *agents.Usage {
	if u := usageOf(r.Usage); u != nil {
		u.Estimated = t.agent.seat.provider.config.LastUsage && t.calls.some()
		return u
	}
	var gemini struct {
		Quota struct {
			Count struct {
				Input  int `json:"input_tokens"`
				Output int `json:"output_tokens"`
			} `json:"token_count"`
		} `json:"quota"`
	}
	if readMeta(r.Meta, &gemini) {
		if u := usageOf(&sdk.Usage{InputTokens: gemini.Quota.Count.Input, OutputTokens: gemini.Quota.Count.Output}); u != nil {
			return u
		}
	}
	return t.told
}

// addUsage adds the tokens of a completion, which Qwen Code reports with a message.
func (t *turn) addUsage(meta map[string]any) {
	var qwen struct {
		Usage *sdk.Usage `json:"usage"`
	}
	if !readMeta(meta, &qwen) {
		return
	}
	if u := usageOf(qwen.Usage); u != nil {
		if t.told == nil {
			t.told = &agents.Usage{}
		}
		*t.told = t.told.Add(*u)
	}
}

func readMeta(meta map[string]any, into any) bool {
	if len(meta) == 0 {
		return false
	}
	raw, err := json.Marshal(meta)
	return err == nil && json.Unmarshal(raw, into) == nil
}

func usageOf(u *sdk.Usage) *agents.Usage {
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
	out := agents.Usage{Input: max(u.InputTokens, 0), Output: max(u.OutputTokens, 0), Reasoning: thought, Cached: cached}
	if u.TotalTokens >= out.Input+out.Output+cached+written { // what is cached is counted apart
		out.Input += cached + written
	}
	if u.TotalTokens >= out.Input+out.Output+thought {
		out.Output += thought
	}
	out.Cached, out.Reasoning = min(out.Cached, out.Input), min(out.Reasoning, out.Output)
	return &out
}
