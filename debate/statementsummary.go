package debate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// StatementSummary is a summary of one statement's reasoning, kept so that it is made once.
type StatementSummary struct {
	Response       string    `json:"response"` // id
	Hash           string    `json:"hash"`     // of the reasoning
	Model          string    `json:"model"`    // that made it
	Version        int       `json:"version"`  // of the prompt that asked for it
	Text           string    `json:"text"`
	OriginalLength int       `json:"from"` // characters of the reasoning,
	Length         int       `json:"to"`   // and of the summary
	At             time.Time `json:"at"`
}

// Key identifies a summary.
func (d StatementSummary) Key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d\x00%s", d.Response, d.Hash, d.Model, d.Version, d.Text))
	return hex.EncodeToString(sum[:8])
}

// Ratio is the size of the summary as a part of the original's.
func (d StatementSummary) Ratio() float64 { return float64(d.Length) / float64(d.OriginalLength) }
