package debate

import (
	"slices"

	"roundtable/agents"
)

// CachedReply is the end of a turn of a chair or of the light model in the newest round.
// It is reused if the run ended before the result was stored, so that nobody is asked
// and paid for the same answer twice.
type CachedReply struct {
	Turn    agents.Turn
	Request string // hash of the request, see agents.Request.Hash
	Reply   agents.Reply
	Failure *TurnFailure // nil if the reply is complete
}

// CachedReplyFor returns the newest cached reply of a speaker to a request in a step.
func (s Session) CachedReplyFor(step int, who agents.ID, req agents.Request) (k CachedReply, ok bool) {
	hash := req.Hash()
	for _, k := range slices.Backward(s.CachedReplies) {
		if k.Turn.Step == step && k.Turn.Agent == who && k.Request == hash {
			return k, true
		}
	}
	return CachedReply{}, false
}

// CachedAnswer returns the speaker's complete answer to a request in a step, if it is
// cached.
func (s Session) CachedAnswer(step int, who agents.ID, req agents.Request) (r agents.Reply, ok bool) {
	k, ok := s.CachedReplyFor(step, who, req)
	return k.Reply, ok && k.Failure == nil
}
