package debate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// StatementSummary is a summary of a statement's reasoning, stored so that it is made
// once.
type StatementSummary struct {
	Response       string    `json:"response"` // id of the response
	Hash           string    `json:"hash"`     // of the reasoning
	Model          string    `json:"model"`    // that wrote it
	Version        int       `json:"version"`  // of the prompt
	Text           string    `json:"text"`
	OriginalLength int       `json:"from"` // characters of the reasoning
	Length         int       `json:"to"`   // characters of the summary
	At             time.Time `json:"at"`
}

// Key returns a string that identifies the summary.
func (d StatementSummary) Key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d\x00%s", d.Response, d.Hash, d.Model, d.Version, d.Text))
	return hex.EncodeToString(sum[:8])
}
