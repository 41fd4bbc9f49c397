package debate

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

// TurnState is the state of a turn's attempt.
type TurnState string

// The states. A turn is running only while its process lives.
const (
	TurnRunning     TurnState = "running"
	TurnDone        TurnState = "done"
	TurnFailed      TurnState = "failed"
	TurnCancelled   TurnState = "cancelled"
	TurnInterrupted TurnState = "interrupted"
)

// CauseCutOff is why a turn was cancelled that ran when the user ended the debate.
const CauseCutOff = "Cut off when you ended the debate."

// Response is one attempt of a turn: what the speaker said, did and cost.
type Response struct {
	Turn          agents.Turn   `json:"-"`
	State         TurnState     `json:"-"`
	Role          string        `json:",omitzero"` // in the mode, such as "opponent"; may be empty
	Phase         string        `json:",omitzero"` // of the step
	Passages      []Passage     `json:"-"`
	Statement     Statement     `json:",omitzero"` // set if the turn is done
	Finish        agents.Finish `json:",omitzero"` // of the last completion
	Usage         agents.Usage  `json:",omitzero"` // of all completions
	Cost          *float64      `json:",omitzero"` // in USD; nil if unknown
	Calls         int           `json:",omitzero"` // requests sent, retries included
	Failure       *TurnFailure  `json:",omitzero"`
	SnapshotHash  string        `json:",omitzero"` // of what the turn started from
	SeenResponses []string      `json:",omitzero"` // ids of the responses in its prompt
	ContextFit    *ContextFit   `json:",omitzero"` // how its prompt was shortened; nil if it was not
	PromptVersion int           `json:",omitzero"` // of the prompts that it was asked with; 0 in turns of earlier versions of the program
	Inherited     bool          `json:"-"`         // a fork was begun with it
	Began         time.Time     `json:"-"`
	Ended         time.Time     `json:"-"`
	WaitUntil     time.Time     `json:"-"` // when its provider may be asked again; a turn that was cut off in that wait begins then
}

// Passage is one completion of a turn: its text and then its tool calls. The text before
// tool calls is working text, which is shown but not passed on, unless it is part of the
// statement; see statement.ParseTurn.
type Passage struct {
	Text      string
	Reasoning string
	Tools     []ToolRecord
}

// ToolRecord is a tool call of a turn.
type ToolRecord struct {
	ID     string            `json:",omitzero"` // see agents.Turn.ToolCall
	Name   string            `json:",omitzero"`
	Args   string            `json:",omitzero"`
	Own    bool              `json:",omitzero"` // a tool of the agent's own, which it ran itself; Name and Args are what it says
	State  ToolState         `json:",omitzero"`
	Result agents.ToolResult `json:",omitzero"` // set once it is done
	Began  time.Time         `json:",omitzero"`
	Took   time.Duration     `json:",omitzero"`
}

// ToolState is the state of a tool call.
type ToolState string

const (
	ToolPending ToolState = "pending"
	ToolRunning ToolState = "running"
	ToolDone    ToolState = "done" // see the result's status
)

// TurnFailure says why a turn has no statement.
type TurnFailure struct {
	Kind   agents.Kind `json:"kind"`
	Cause  string      `json:"cause"`
	Remedy string      `json:"remedy,omitempty"`
	Tries  int         `json:"tries,omitempty"`
}

// Words says why a turn that ended so has no statement, after how many tries, and what may help
// unless the user ended it.
func (f *TurnFailure) Words(ended TurnState) string {
	if f == nil {
		return ""
	}
	out := f.Cause
	if f.Tries > 1 {
		out += fmt.Sprintf(" %d tries.", f.Tries)
	}
	if ended == TurnFailed {
		out += " " + agents.Next(f.Kind, f.Remedy)
	}
	return strings.TrimSpace(out)
}

// TurnID returns the id of the response to a turn.
func TurnID(t agents.Turn) string {
	return fmt.Sprintf("r%d.s%d.%s.a%d", t.Round, t.Step, t.Agent, t.Attempt)
}

// ID returns the id of the response within its session.
func (r Response) ID() string { return TurnID(r.Turn) }

// Finished reports whether the attempt has ended for good; an interrupted one starts again.
func (r Response) Finished() bool {
	return r.State == TurnDone || r.State == TurnFailed || r.State == TurnCancelled
}

// PromptTooLong reports whether the model refused the prompt as too long.
func (r Response) PromptTooLong() bool {
	return r.Failure != nil && r.Failure.Kind == agents.KindTooLong
}

// HasStatement reports whether the attempt answers: with words, or with a side, a ranking
// or findings in a structured part without words. Whether an attempt counts as an answer,
// and whether others read it, is decided here alone.
func (r Response) HasStatement() bool {
	s := r.Statement
	return r.State == TurnDone && (s.Body+s.Position+s.Vote != "" || len(s.Ranking) > 0 || s.hasList())
}

// Text returns the whole statement of a turn that is done, as written, or else its last passage.
func (r Response) Text() string {
	if len(r.Passages) == 0 {
		return ""
	}
	if r.State == TurnDone && r.Statement.AllPassages {
		return JoinTexts(text.Each(r.Passages, func(p Passage) string { return p.Text }))
	}
	return r.Passages[len(r.Passages)-1].Text
}

// Body returns the statement without its structured part, or else the text as it was written.
func (r Response) Body() string { return cmp.Or(r.Statement.Body, r.Text()) }

// JoinTexts joins the texts of a turn's completions; empty ones are skipped.
func JoinTexts(texts []string) string {
	var out []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n\n")
}

// ShortCause returns a cause for a list: without the figures of a call that the budget refused.
func ShortCause(kind agents.Kind, cause string) string {
	if kind == agents.KindBudget {
		cause, _, _ = strings.Cut(cause, ": ")
	}
	return cause
}

// AddNote adds a formatted note on what was repaired, ignored or could not be read.
func (s *Statement) AddNote(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// Statement is what a speaker said, by parts. What the model did not state stays empty.
type Statement struct {
	Body        string            `json:"body"` // the prose, without the structured part
	Position    string            `json:"position,omitempty"`
	Confidence  *float64          `json:"confidence,omitempty"` // 0..1
	Vote        string            `json:"vote,omitempty"`       // as it is written: a side, a label or a number
	Low         *float64          `json:"low,omitempty"`        // of the range of an estimate, in the unit of the question
	High        *float64          `json:"high,omitempty"`
	ChangedBy   *string           `json:"changed_by,omitempty"` // what moved it, as it says; "": nothing new, nil: not stated
	Citations   []string          `json:"citations,omitempty"`
	ContextUsed []string          `json:"context_used,omitempty"`    // C1, ...
	Ranking     []string          `json:"ranking,omitempty"`         // the others' answers as it names them, best first
	Findings    []Finding         `json:"findings,omitzero"`         // nil: none could be read
	Judgements  []Judgement       `json:"judgements,omitzero"`       // nil: none could be read
	Concerns    []Objection       `json:"concerns,omitzero"`         // of a critic; nil: none could be read
	Replies     []Reply           `json:"replies,omitzero"`          // of an author to concerns; nil: none could be read
	ListCut     bool              `json:"list_incomplete,omitempty"` // its findings or judgements were cut off
	AllPassages bool              `json:"all_passages,omitempty"`    // it is made of all passages of its turn, not of the last alone
	Notes       []string          `json:"notes,omitempty"`           // what was repaired, ignored or could not be read
	Cut         *agents.PromptCut `json:"prompt_cut,omitempty"`      // its speaker read the prompt only in part; nil: it did not
	RoleBreach  string            `json:"breaks,omitempty"`          // how it breaks its speaker's role; "" if it does not
	Shown       []Citation        `json:"shown,omitzero"`            // evidence that its speaker was shown; nil: none, or not stored
	Read        []FileLines       `json:"read,omitempty"`            // files of the workspace that its speaker read
	Named       []FileLines       `json:"named,omitzero"`            // files of the workspace that its findings name; nil: not looked up
}

// HasBlock reports whether anything of a structured part could be read.
func (s Statement) HasBlock() bool {
	return s.Position+s.Vote != "" || s.Confidence != nil ||
		len(s.Citations)+len(s.ContextUsed)+len(s.Ranking) > 0 || s.hasList()
}

func (s Statement) hasList() bool {
	return s.Findings != nil || s.Judgements != nil || s.Concerns != nil || s.Replies != nil
}

// FilledFrom returns the statement with those fields of another one that it does not have, and
// with the other's vote, if it has one: its own could not be read.
func (s Statement) FilledFrom(other Statement) Statement {
	if s.Position = cmp.Or(s.Position, other.Position); other.Vote != "" {
		s.Vote, s.Low, s.High = other.Vote, other.Low, other.High
	}
	s.Confidence, s.ChangedBy = cmp.Or(s.Confidence, other.Confidence), cmp.Or(s.ChangedBy, other.ChangedBy)
	s.ListCut = s.ListCut || other.ListCut && (s.Findings == nil || s.Judgements == nil)
	s.Citations, s.ContextUsed = listOr(s.Citations, other.Citations), listOr(s.ContextUsed, other.ContextUsed)
	s.Findings, s.Judgements = listOr(s.Findings, other.Findings), listOr(s.Judgements, other.Judgements)
	s.Concerns, s.Replies = listOr(s.Concerns, other.Concerns), listOr(s.Replies, other.Replies)
	s.Ranking = listOr(s.Ranking, other.Ranking)
	return s
}

func listOr[T any](own, other []T) []T {
	if own == nil {
		return other
	}
	return own
}

// Stance is what a role argues for.
type Stance string

// The stances; "" leaves it to the member.
const (
	Yes             Stance = "yes"
	No              Stance = "no"
	UndecidedStance Stance = UndecidedWord
	NoStance        Stance = "none" // the role takes no side
)

const elided = "…"

// Outline returns the response without its texts, but says whether there are any.
func (r Response) Outline() Response {
	if r.Statement.Body != "" {
		r.Statement.Body = elided
	}
	passages := make([]Passage, len(r.Passages))
	for i, p := range r.Passages {
		for _, t := range p.Tools {
			t.Args = ""
			if t.Result.Text != "" {
				t.Result.Text = elided
			}
			passages[i].Tools = append(passages[i].Tools, t)
		}
	}
	r.Passages = passages
	return r
}
