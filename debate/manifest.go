package debate

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"roundtable/agents"
)

// rankingSeed returns the seed of the orders in which a round's answers are shown to
// members who rank them. It derives from the nonce without revealing it.
func rankingSeed(s Session, round int) string {
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
	Interjections []InterjectionRef `json:"notes,omitempty"`
	Seed          string            `json:"seed,omitempty"` // of the orders in which answers are shown for ranking
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
