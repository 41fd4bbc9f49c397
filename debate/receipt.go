package debate

import (
	"time"

	"roundtable/agents"
)

// Part is a block of a prompt. Its title is for people, such as "round 1, 3 statements".
type Part = agents.Part

// Receipt describes a request to a model without its content.
type Receipt struct {
	Turn          agents.Turn
	N, Of         int    // the n-th request of its turn, from 1
	Hash          string // of the request's JSON, in hex
	Intact        bool   // the stored request still has that hash
	Purpose       Purpose
	State         string   // sent, done, broken or interrupted
	PromptVersion int      // see Response.PromptVersion
	Estimate      int      // tokens that it was thought to be; 0: unknown
	Patched       []string // what was sent differently; nil if the provider did not report it
	Finish        agents.Finish
	Usage         agents.Usage
	Cost          *float64
	Failure       *TurnFailure
	Sent          time.Time
	Ended         time.Time
}
