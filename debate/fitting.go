package debate

// Detail says how a statement is handed on when not as it stands.
type Detail string

// Excerpt says in which form a statement was handed on. Sizes are characters of
// its reasoning.
type Excerpt struct {
	Response string `json:"response"`
	Form     Detail `json:"form"`
	Digest   string `json:"digest,omitempty"` // key of the stored summary
	From     int    `json:"from"`
	To       int    `json:"to"`
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
	Limit  int       `json:"limit"`            // tokens that the prompt may take,
	Tokens int       `json:"tokens"`           // and is estimated to take
	Copies []Excerpt `json:"copies,omitempty"` // of what is not handed on as it stands, the oldest first
}

// Over reports whether the prompt does not fit and nothing was left to give up.
func (f ContextFit) Over() bool { return f.Tokens > f.Limit }
