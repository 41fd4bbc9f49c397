package debate

import (
	"slices"

	"roundtable/agents"
)

// Kept is how a turn of a chair or of the light model ended in the newest round.
// Where the run ended before its outcome was stored, it is taken as it is: nobody
// is asked, and paid, for the same answer twice.
type Kept struct {
	Turn    agents.Turn
	Request string // hash of what was sent, see agents.Request.Hash
	Reply   agents.Reply
	Failure *Failed // nil: it is a whole answer
}

// KeptFor returns how the newest turn of a step ended in which a speaker was sent
// that request; ok is false where there is none.
func (s Session) KeptFor(step int, who agents.ID, req agents.Request) (k Kept, ok bool) {
	hash := req.Hash()
	for _, k := range slices.Backward(s.Kept) {
		if k.Turn.Step == step && k.Turn.Agent == who && k.Request == hash {
			return k, true
		}
	}
	return Kept{}, false
}

// KeptReply returns the whole answer that a speaker gave to that request in a step
// of the newest round; ok is false where there is none.
func (s Session) KeptReply(step int, who agents.ID, req agents.Request) (r agents.Reply, ok bool) {
	k, ok := s.KeptFor(step, who, req)
	return k.Reply, ok && k.Failure == nil
}
