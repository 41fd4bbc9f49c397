package debate

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// Evidence is a file, a diff or a folder that the user brought to the debate. It is
// cited by its id, alone as [F1] or with lines as [F1:120-140]. It never changes.
type Evidence struct {
	ID     string       `json:"id"`   // "F1", "F2" and so on; never used again in the session
	Name   string       `json:"name"` // what the user named: a path, or "standard input"
	Kind   EvidenceKind `json:"kind"`
	Size   int          `json:"size"`           // of Text, in bytes
	SHA256 string       `json:"sha256"`         // of Text, in hex
	Note   string       `json:"note,omitempty"` // how Text differs from what was read, as a sentence
	Added  time.Time    `json:"added"`
	Text   string       `json:"-"` // valid UTF-8; lines end with \n
}

// EvidenceKind is what evidence is.
type EvidenceKind string

// The kinds of evidence.
const (
	EvidenceFile   EvidenceKind = "file"
	EvidenceDiff   EvidenceKind = "diff"
	EvidenceFolder EvidenceKind = "folder" // the tree of a folder; its files are evidence of their own
)

// NewEvidence returns evidence without an id, which the store assigns.
func NewEvidence(name string, kind EvidenceKind, text, note string) Evidence {
	sum := sha256.Sum256([]byte(text))
	return Evidence{Name: name, Kind: kind, Size: len(text), SHA256: hex.EncodeToString(sum[:]), Note: note, Text: text}
}

// Lines returns the number of lines.
func (e Evidence) Lines() int {
	n := strings.Count(e.Text, "\n")
	if e.Text != "" && !strings.HasSuffix(e.Text, "\n") {
		n++
	}
	return n
}

// Excerpt returns lines from to to, counted from 1, without the last line's end. It
// reports false if there are no such lines.
func (e Evidence) Excerpt(from, to int) (string, bool) {
	if from < 1 || to < from || to > e.Lines() {
		return "", false
	}
	rest := e.Text
	for range from - 1 {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	end := 0
	for range to - from + 1 {
		n := strings.IndexByte(rest[end:], '\n')
		if n < 0 {
			return rest, true
		}
		end += n + 1
	}
	return rest[:end-1], true
}
