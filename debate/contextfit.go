package debate

import (
	"cmp"

	"roundtable/agents"
)

// ExcerptForm says how a statement is passed on if not in full.
type ExcerptForm string

// The forms, the fullest first. Prompts mark every excerpt as one, and the statement
// itself never changes.
const (
	FormCapped    ExcerptForm = "capped"     // cut at the configured length
	FormSummary   ExcerptForm = "summary"    // summarized by a model
	FormKeyPoints ExcerptForm = "key_points" // its headings and list items
	FormBeginning ExcerptForm = "cut"        // its first sentences
	FormOmitted   ExcerptForm = "left_out"
)

// Excerpt describes how a statement is passed on. Lengths are in characters of its
// reasoning.
type Excerpt struct {
	Response       string      `json:"response"`
	Form           ExcerptForm `json:"form"`
	SummaryKey     string      `json:"digest,omitempty"` // of the stored summary
	OriginalLength int         `json:"from"`
	Length         int         `json:"to"`
}

// FitOptions says how prompts are fitted into the models' windows. The zero value is the
// default.
type FitOptions struct {
	Share    float64 `json:"share,omitempty" toml:"share"`         // of a window for prompt and answer together; 0 means DefaultShare
	MaxRunes int     `json:"max_runes,omitempty" toml:"max_runes"` // longest passed-on statement; 0 means no limit

	// How much evidence prompts show as it is, in bytes: of each, and of all together. 0
	// means DefaultEvidenceEach and DefaultEvidenceTotal.
	EvidenceEach  int `json:"evidence_each,omitempty" toml:"-"`
	EvidenceTotal int `json:"evidence_total,omitempty" toml:"-"`
}

// What prompts show of evidence unless it is configured, in bytes.
const (
	DefaultEvidenceEach  = 32 << 10
	DefaultEvidenceTotal = 96 << 10
)

// DefaultShare leaves a tenth of a window for errors of estimates.
const DefaultShare = 0.9

// EvidenceCaps returns how many bytes of evidence prompts show as it is: of each, and of
// all together.
func (o FitOptions) EvidenceCaps() (each, total int) {
	return cmp.Or(o.EvidenceEach, DefaultEvidenceEach), cmp.Or(o.EvidenceTotal, DefaultEvidenceTotal)
}

// EvidenceTokens returns how many tokens evidence may take of a speaker's prompt: a third
// of what the window has for prompt and answer. It is the same in all rounds.
func (o FitOptions) EvidenceTokens(p agents.Profile) int {
	window, _ := p.Window()
	return int(cmp.Or(o.Share, DefaultShare)*float64(window)) / 3
}

// ContextFit says how the prompt of a turn was shortened. It is stored before anything
// is sent, so that later attempts send the same.
type ContextFit struct {
	Limit    int       `json:"limit"`            // tokens that the prompt may have
	Tokens   int       `json:"tokens"`           // tokens that it is estimated to have
	Excerpts []Excerpt `json:"copies,omitempty"` // of the statements not passed on in full, oldest first

	// How many tokens evidence may take since the server refused a longer prompt; 0: see
	// FitOptions.EvidenceTokens.
	Evidence int `json:"evidence,omitempty"`
}

// Overflows reports whether the prompt does not fit although all that can be shortened
// is.
func (f ContextFit) Overflows() bool { return f.Tokens > f.Limit }
