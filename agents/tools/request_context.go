package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"roundtable/agents"
)

// RequestContext asks the user for a fact. The question is queued, and the answer
// comes with a later round.
type RequestContext struct{}

// Spec describes the tool.
func (RequestContext) Spec() agents.ToolSpec {
	return agents.ToolSpec{
		Name: agents.RequestContextName,
		Description: "Ask the user for a fact that the debate needs and that neither you nor the other members can know, " +
			"such as a figure, a constraint or a decision of theirs. " +
			"It is queued: the answer comes with a later round, so go on with what you know. " +
			"One question a call; ask for facts, not for opinions.",
		Schema: json.RawMessage(`{"type":"object","properties":{` +
			`"query":{"type":"string","minLength":1,"maxLength":1000,` +
			`"description":"The question, complete in itself; or the id of an open question, to join it."},` +
			`"reason":{"type":"string","minLength":1,"maxLength":500,"description":"What depends on the answer."},` +
			`"priority":{"type":"string","enum":["required","optional"],"default":"required",` +
			`"description":"required: the debate must not go on without it. optional: it would help."},` +
			`"refresh":{"type":"boolean",` +
			`"description":"Ask again although the user has answered this; say in reason what has changed."}},` +
			`"required":["query","reason"]}`),
	}
}

// Run queues the question for the turn of the call.
func (RequestContext) Run(ctx context.Context, tc Context, args json.RawMessage) (Output, error) {
	var q Question
	if err := json.Unmarshal(args, &q); err != nil {
		return Output{}, fmt.Errorf("arguments of %s: %w", agents.RequestContextName, err)
	}
	return tc.Requests.Request(ctx, tc.Turn, tc.CallID, q)
}
