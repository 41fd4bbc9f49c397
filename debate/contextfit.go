package debate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

// ExcerptForm says how a statement is passed on if not in full.
type ExcerptForm string

// The forms, the fullest first. Prompts mark every excerpt as one, and the statement
// itself never changes.
const (
	FormSummary   ExcerptForm = "summary" // summarized by a model
	FormBeginning ExcerptForm = "cut"     // its first sentences
	FormOmitted   ExcerptForm = "left_out"
)

// Excerpt says how a statement is passed on. Lengths are in characters of its reasoning.
type Excerpt struct {
	Response       string      `json:"response"`
	Form           ExcerptForm `json:"form"`
	SummaryKey     string      `json:"digest,omitempty"` // of the stored summary
	OriginalLength int         `json:"from"`
	Length         int         `json:"to"`
}

// FitOptions says how prompts are fitted into windows; the zero value is the default.
type FitOptions struct {
	Share float64 `json:"share,omitempty" toml:"share"` // of a window for prompt and answer together; 0 means DefaultShare

	EvidenceTokens int      `json:"evidence_tokens,omitempty" toml:"-"` // of evidence in a prompt; 0 means DefaultEvidenceTokens
	EvidenceSkip   []string `json:"evidence_skip,omitempty" toml:"-"`   // patterns of paths in diffs that no prompt shows, see LeftOut
}

// DefaultEvidenceTokens is how many tokens of a prompt evidence takes at most.
const DefaultEvidenceTokens = 64_000

// DefaultShare leaves a tenth of a window for errors of estimates.
const DefaultShare = 0.9

// EvidenceLimit returns how many tokens evidence may take of a speaker's prompt: a third
// of what the window has for prompt and answer, and no more than is configured. It is the
// same in all rounds.
func (o FitOptions) EvidenceLimit(p agents.Profile) int {
	window, _ := p.Window()
	return min(int(cmp.Or(o.Share, DefaultShare)*float64(window))/3, cmp.Or(o.EvidenceTokens, DefaultEvidenceTokens))
}

// ContextFit says how the prompt of a turn was shortened. It is stored before anything
// is sent, so that later attempts send the same.
type ContextFit struct {
	Limit    int       `json:"limit"`            // tokens that the prompt may have
	Tokens   int       `json:"tokens"`           // tokens that it is estimated to have
	Excerpts []Excerpt `json:"copies,omitempty"` // of the statements not passed on in full, oldest first

	// How many tokens evidence may take since the server refused a longer prompt; 0: see
	// FitOptions.EvidenceLimit.
	Evidence int `json:"evidence,omitempty"`
}

// Overflows reports whether the prompt is too long although all that can be shortened is.
func (f ContextFit) Overflows() bool { return f.Tokens > f.Limit }

// NoticePromptCut is the code of the notice of a prompt that a server read only in part.
const NoticePromptCut = "prompt_cut"

// NoticeToolsUnread is the code of the notice that an agent has not taken the tools of the debate.
const NoticeToolsUnread = "tools_unread"

// ToolsUnreadText says of a seat, or of "it", that it has not taken the tools of the debate.
func ToolsUnreadText(who string) string {
	return who + " has not taken the tools of the debate: this seat cannot ask you"
}

// CutPrompt is a prompt of a member that a server read only in part.
type CutPrompt struct {
	Name  string
	Round int
	Phase string
	Cut   agents.PromptCut
}

// Text says whose prompt was cut: "Ada in round 1: Ollama read 4,096 of about 15,336
// tokens: the beginning was cut."
func (c CutPrompt) Text() string {
	of := fmt.Sprintf("round %d", c.Round)
	if c.Phase != "" {
		of = fmt.Sprintf("the %s of round %d", c.Phase, c.Round)
	}
	return fmt.Sprintf("%s in %s: %s.", c.Name, of, CutText(c.Cut))
}

// CutText says how much of a prompt was read, without a full stop: "Ollama read 4,096 of
// about 15,336 tokens: the beginning was cut".
func CutText(c agents.PromptCut) string {
	if c.Read >= c.Estimate {
		return fmt.Sprintf("%s read %s tokens, all that it reads at once: the beginning was cut", c.Server, text.Number(c.Read))
	}
	return fmt.Sprintf("%s read %s of about %s tokens: the beginning was cut", c.Server, text.Number(c.Read),
		text.Number(c.Estimate))
}

// MarkCut marks the statement as the answer to a prompt that was cut; nil marks nothing.
func (s *Statement) MarkCut(c *agents.PromptCut) {
	if s.Cut = c; c != nil {
		s.AddNote("%s", CutText(*c))
	}
}

// FirstCut returns a prompt that a server cut in the newest round, if another round
// follows and no earlier round had one: the debate pauses then. If an earlier one had,
// the user went on, and is not asked again.
func (s Session) FirstCut() (cut CutPrompt, ok bool) {
	for x := range s.Said() {
		if x.Statement.Cut != nil {
			cut = CutPrompt{s.NameOf(x.Turn.Agent), x.Turn.Round, x.Phase, *x.Statement.Cut}
			return cut, x.Turn.Round == len(s.History) && s.Next() != 0
		}
	}
	return cut, false
}

// PromptCount is a prompt as it was estimated, and as its server counted it.
type PromptCount struct {
	Turn     agents.Turn
	Purpose  Purpose
	Server   string // the provider's name
	Call     int    // of the turn, from 1
	Estimate int    // in tokens
	Counted  int
	Cached   int // that the server took from its cache, if it says so
}

// WithPromptCount returns the session with one more counted prompt.
func (s Session) WithPromptCount(n PromptCount) Session {
	s.PromptCounts = append(s.PromptCounts[:len(s.PromptCounts):len(s.PromptCounts)], n)
	return s
}

// StatementSummary is a summary of a statement's reasoning, which is made once.
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
