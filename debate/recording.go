package debate

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// TurnStart is what is known of a turn before it begins.
type TurnStart struct {
	Response // as far as it is known then
	Purpose  Purpose
	Question string // of a follow-up
}

// CallRetry is what is known of a request that waits for its provider before it is sent.
type CallRetry struct {
	Tries int          // how often it was sent; all of them failed
	Lost  agents.Usage // of those tries
	Cost  *float64     // of Lost, in dollars; nil is unknown
	Until time.Time    // zero: it is sent at once
}

// AskResult is the result of an agent's question.
type AskResult struct {
	Reply   ledger.Reply
	Request ledger.Request
	Ask     ledger.Ask
	Fresh   bool // an ask was added; false if a stored answer was returned
}

// TurnEnd is the end of a turn. Final is its last completion if the turn is done and the
// completion is not recorded yet; Response.Usage is the sum of all.
type TurnEnd struct {
	Response  Response
	Purpose   Purpose
	Final     *agents.Completion
	FinalCost *float64
	Summary   *StatementSummary // made by a turn of the light model
	Again     *DueTurn          // the attempt that follows by itself; nil if none does
}

// seed returns the seed of a round's orders, derived from the nonce without revealing it.
func (s Session) seed(round int) string {
	mac := hmac.New(sha256.New, []byte(s.Nonce))
	fmt.Fprintf(mac, "order|%d", round)
	return hex.EncodeToString(mac.Sum(nil))[:16]
}

// Manifest names everything that a round starts from, by id. It is written with the
// release and never changes, so that nothing stored later can enter the round.
type Manifest struct {
	Session       string            `json:"session"`
	Round         int               `json:"round"`
	Rounds        int               `json:"rounds"`
	Seats         []agents.ID       `json:"seats"`
	Responses     []string          `json:"responses"` // ids of the statements of earlier rounds
	Facts         []FactRef         `json:"facts"`
	Open          []string          `json:"open,omitempty"`     // ids of the requests that wait for an answer
	Evidence      []string          `json:"evidence,omitempty"` // ids of what the user brought
	Focus         string            `json:"focus,omitempty"`
	FocusAuthor   ledger.Author     `json:"focus_by,omitzero"`
	Interjections []InterjectionRef `json:"notes,omitempty"`
	Seed          string            `json:"seed,omitempty"` // of the orders in which answers or findings are shown
	Config        string            `json:"config"`         // hash of the configuration
}

// FactRef names one revision of a released answer.
type FactRef struct {
	ID       string `json:"id"`
	Revision int    `json:"revision"`
}

// Hash returns the SHA-256 of the manifest's JSON, in hex.
func (m Manifest) Hash() string {
	raw, err := json.Marshal(m)
	if err != nil { // strings and numbers always encode
		panic(fmt.Errorf("hash manifest: %w", err))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// CachedReply is the end of a turn of a chair or of the light model in the newest round.
// It is reused if the run ended before the result was stored, so that the same answer is
// not paid for twice.
type CachedReply struct {
	Turn    agents.Turn
	Request string // hash of the request, see agents.Request.Hash
	Reply   agents.Reply
	Failure *TurnFailure // nil if the reply is complete
}

// CachedReplyFor returns the newest cached reply of a speaker to a request in a step. Of a
// failure it does so only if somebody else has answered in that step since.
func (s Session) CachedReplyFor(step int, who agents.ID, req agents.Request) (k CachedReply, ok bool) {
	hash, answered := req.Hash(), false
	for _, k := range slices.Backward(s.CachedReplies) {
		answered = answered || k.Turn.Step == step && k.Failure == nil
		if k.Turn.Step == step && k.Turn.Agent == who && k.Request == hash {
			return k, answered
		}
	}
	return CachedReply{}, false
}

// Part is a block of a prompt. Its title is for people, such as "round 1, 3 statements".
type Part = agents.Part

// Receipt describes a request to a model without its content.
type Receipt struct {
	Turn          agents.Turn `json:"-"`
	N, Of         int         `json:"-"` // the n-th request of its turn, from 1
	Hash          string      `json:"-"` // of the request's JSON, in hex
	Intact        bool        `json:"-"` // the stored request still has that hash
	Purpose       Purpose     `json:"-"`
	State         string      `json:"-"` // sent, done, broken or interrupted
	PromptVersion int         `json:"-"` // see Response.PromptVersion
	Estimate      int         // tokens that it was thought to be; 0: unknown
	Patched       []string    // what was sent differently; nil if the provider did not report it
	Finish        agents.Finish
	Usage         agents.Usage
	Cost          *float64
	Failure       *TurnFailure
	Sent          time.Time
	Ended         time.Time
}

// Notice tells the user what went wrong or was changed in a debate: an incomplete panel, a
// shortened prompt, a refused question.
type Notice struct {
	Code  string    `json:"code"`
	Text  string    `json:"text"`
	Agent agents.ID `json:"agent,omitempty"`
	Round int       `json:"round,omitempty"`
	At    time.Time `json:"at"`
}

// HasNotice reports whether a notice of the session says that text.
func (s Session) HasNotice(text string) bool {
	return slices.ContainsFunc(s.Notices, func(n Notice) bool { return strings.Contains(n.Text, text) })
}

// ErrStopped is the error of a run that was stopped by Run.Stop.
var ErrStopped = errors.New("stopped")

// BegunError refuses a session that an equal call has begun a short time ago.
type BegunError struct{ Session string }

// Error names the session.
func (e *BegunError) Error() string { return "an equal call began debate " + e.Session }

// Errors of opening or changing a session.
var (
	ErrNoSession = errors.New("no such debate")
	ErrAmbiguous = errors.New("ambiguous debate id")
	ErrLocked    = errors.New("debate is open elsewhere")
	ErrNewer     = errors.New("made by a newer version")
	ErrNotReady  = errors.New("not possible now")
	ErrMoved     = errors.New("the database is not where it was opened")
)
