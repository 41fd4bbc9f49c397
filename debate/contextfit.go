package debate

import (
	"roundtable/agents"
)

// ExcerptForm says how a statement is handed on when not as it stands.
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

// Excerpt says in which form a statement was handed on. Sizes are characters of
// its reasoning.
type Excerpt struct {
	Response       string      `json:"response"`
	Form           ExcerptForm `json:"form"`
	SummaryKey     string      `json:"digest,omitempty"` // key of the stored summary
	OriginalLength int         `json:"from"`
	Length         int         `json:"to"`
}

// FitOptions says how what is handed on is fitted into the models' windows. Zero is the default.
type FitOptions struct {
	Share    float64 `json:"share,omitempty" toml:"share"`         // of a window, for prompt and answer together; 0: DefaultShare
	MaxRunes int     `json:"max_runes,omitempty" toml:"max_runes"` // of one statement as it is handed on; 0: all of it
}

// DefaultShare leaves a tenth of a window to what estimates get wrong.
const DefaultShare = 0.9

// ContextFit is how the context of one turn was fitted. It is stored before the turn
// sends anything, so that an attempt that follows sends the same.
type ContextFit struct {
	Limit    int       `json:"limit"`            // tokens that the prompt may take,
	Tokens   int       `json:"tokens"`           // and is estimated to take
	Excerpts []Excerpt `json:"copies,omitempty"` // of what is not handed on as it stands, the oldest first
}

// Overflows reports whether the prompt does not fit and nothing was left to give up.
func (f ContextFit) Overflows() bool { return f.Tokens > f.Limit }

// PromptLimit returns how many of our tokens a prompt of the speaker may take in a round.
func (s Session) PromptLimit(p agents.Profile, round int) int {
	share := s.Fit.Share
	if share == 0 {
		share = DefaultShare
	}
	return int(float64(p.MaxPromptTokens(share)) / s.TokenScale(p, round))
}

// TokenScale is how many tokens a model reads for one that is estimated, as it said
// of what it was sent before a round; 1 while it has said nothing. Estimates are
// made for one vocabulary, and models have others.
func (s Session) TokenScale(p agents.Profile, round int) float64 {
	read, estimated := 0, 0
	for _, r := range s.History {
		for _, x := range r.Responses {
			who, _ := s.Seat(x.Turn.Agent)
			if r.Number < round && x.EstimatedInput > 0 && !x.Usage.Estimated && who.Model == p.Model && who.Provider == p.Provider {
				read, estimated = read+x.Usage.Input, estimated+x.EstimatedInput
			}
		}
	}
	if estimated == 0 {
		return 1
	}
	return min(max(float64(read)/float64(estimated), 0.75), 3)
}
