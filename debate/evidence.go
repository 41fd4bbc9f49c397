package debate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"roundtable/internal/text"
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

// Limits of evidence, in bytes.
const (
	MaxEvidenceSize  = 2 << 20 // of one
	MaxEvidenceTotal = 8 << 20 // of a session
)

// EvidenceError is returned for evidence that a session cannot have.
type EvidenceError struct {
	Name   string // of the evidence
	Reason string // a sentence
}

// Error names the evidence and the reason.
func (e *EvidenceError) Error() string { return text.Label(e.Name) + ": " + e.Reason }

// AddEvidence returns the evidence of a session with more of it, which gets the ids that
// follow. What the session has already, by name and text, is not added again. The error
// is an *EvidenceError.
func AddEvidence(has, added []Evidence) ([]Evidence, error) {
	out := slices.Clone(has)
	total := 0
	for _, e := range has {
		total += e.Size
	}
	for _, e := range added {
		if err := e.check(); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, e.same) {
			continue
		}
		if total += e.Size; total > MaxEvidenceTotal {
			return nil, &EvidenceError{e.Name, fmt.Sprintf("With it the evidence would have more than %d MB.", MaxEvidenceTotal>>20)}
		}
		e.ID = "F" + strconv.Itoa(len(out)+1)
		out = append(out, e)
	}
	return out, nil
}

func (e Evidence) check() error {
	made := NewEvidence(e.Name, e.Kind, e.Text, e.Note)
	reason := ""
	switch {
	case strings.TrimSpace(e.Name) == "":
		reason = "Evidence needs a name."
	case e.Kind != EvidenceFile && e.Kind != EvidenceDiff && e.Kind != EvidenceFolder:
		reason = fmt.Sprintf("%q is not a kind of evidence.", e.Kind)
	case e.Size != made.Size || e.SHA256 != made.SHA256:
		reason = "Its text is not the one that its size and hash are of."
	case !utf8.ValidString(e.Text) || strings.ContainsRune(e.Text, 0):
		reason = "It is not text in UTF-8."
	case e.Size > MaxEvidenceSize:
		reason = fmt.Sprintf("It has more than %d MB.", MaxEvidenceSize>>20)
	default:
		return nil
	}
	return &EvidenceError{e.Name, reason}
}

func (e Evidence) same(f Evidence) bool { return e.Name == f.Name && e.SHA256 == f.SHA256 }
