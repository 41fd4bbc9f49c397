package debate

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"roundtable/agents"
)

// rankingSeed decides the orders in which a round's answers are shown to those who rank
// them. It is derived from the session's nonce, and tells nothing of it.
func (s Session) rankingSeed(round int) string {
	mac := hmac.New(sha256.New, []byte(s.Nonce))
	fmt.Fprintf(mac, "order|%d", round)
	return hex.EncodeToString(mac.Sum(nil))[:16]
}

// Manifest names all that a round starts from, by id. It is written with the
// release and never changes; what is stored later cannot enter the round.
type Manifest struct {
	Session       string            `json:"session"`
	Round         int               `json:"round"`
	Rounds        int               `json:"rounds"`
	Seats         []agents.ID       `json:"seats"`
	Responses     []string          `json:"responses"` // ids of the statements of earlier rounds
	Facts         []FactRef         `json:"facts"`
	Focus         string            `json:"focus,omitempty"`
	Interjections []InterjectionRef `json:"notes,omitempty"`
	Seed          string            `json:"seed,omitempty"` // of the orders in which answers to be ranked are shown
	Config        string            `json:"config"`         // hash of the configuration
}

// FactRef names one revision of a released answer.
type FactRef struct {
	ID       string `json:"id"`
	Revision int    `json:"revision"`
}

// Hash identifies the manifest: the SHA-256 of its JSON, in hex.
func (m Manifest) Hash() string {
	raw, err := json.Marshal(m)
	if err != nil { // strings and numbers always encode
		panic(fmt.Errorf("hash manifest: %w", err))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
