package debate

import (
	"slices"

	"roundtable/agents"
)

// CachedReply is how a turn of a chair or of the light model ended in the newest round.
// Where the run ended before its outcome was stored, it is taken as it is: nobody
// is asked, and paid, for the same answer twice.
type CachedReply struct {
	Turn    agents.Turn
	Request string // hash of what was sent, see agents.Request.Hash
	Reply   agents.Reply
	Failure *TurnFailure // nil: it is a whole answer
}

// CachedReplyFor returns how the newest turn of a step ended in which a speaker was sent
// that request; ok is false where there is none.
func (s Session) CachedReplyFor(step int, who agents.ID, req agents.Request) (k CachedReply, ok bool) {
	hash := req.Hash()
	for _, k := range slices.Backward(s.CachedReplies) {
		if k.Turn.Step == step && k.Turn.Agent == who && k.Request == hash {
			return k, true
		}
	}
	return CachedReply{}, false
}

// CachedAnswer returns the whole answer that a speaker gave to that request in a step
// of the newest round; ok is false where there is none.
func (s Session) CachedAnswer(step int, who agents.ID, req agents.Request) (r agents.Reply, ok bool) {
	k, ok := s.CachedReplyFor(step, who, req)
	return k.Reply, ok && k.Failure == nil
}
