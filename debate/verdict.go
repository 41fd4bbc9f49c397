package debate

import (
	"roundtable/agents"
)

// Outcome classifies the result of a debate.
type Outcome string

// The outcomes.
const (
	OutcomeFull        Outcome = "full"         // every member in every round, and a synthesis
	OutcomeDegraded    Outcome = "degraded"     // members, their positions or parts of their prompts are missing
	OutcomeNoSynthesis Outcome = "no_synthesis" // no chair's report, computed only
	OutcomeStopped     Outcome = "stopped"      // cut short, see StopReason.Forced
)

// Verdict is the result of a debate.
type Verdict struct {
	Outcome          Outcome           `json:"outcome"`
	Stopped          StopReason        `json:"stopped,omitempty"`
	EndReason        string            `json:"ended"`                 // see Session.EndReason
	Missing          []MissingResponse `json:"missing,omitempty"`     // turns without a statement
	Unstated         []agents.ID       `json:"unstated,omitempty"`    // no side to compare
	CutPrompts       []CutPrompt       `json:"cut_prompts,omitempty"` // that servers read only in part
	Cause            string            `json:"cause,omitempty"`       // why there is no chair's report
	OverBudget       bool              `json:"over_budget,omitempty"` // Cause is that the budget did not allow a chair's call
	Chair            agents.ID         `json:"chair,omitempty"`
	ChairName        string            `json:"chair_name,omitempty"`
	ChairModel       string            `json:"chair_model,omitempty"`
	ChairIsMember    bool              `json:"chair_is_member"`
	Text             string            `json:"text"` // the report, in Markdown
	Confidence       *float64          `json:"confidence"`
	Rules            int               `json:"rules,omitempty"`      // see VerdictRules; 0: none
	Headline         string            `json:"headline,omitempty"`   // "" in a verdict of an earlier version
	Brief            string            `json:"brief,omitempty"`      // the result, what changed and who dissents, for a list
	Form             HeadlineForm      `json:"form,omitempty"`       // of the headline
	Weak             []string          `json:"weak,omitempty"`       // what makes the result weak, the gravest first
	Pick             *Pick             `json:"pick,omitempty"`       // the strongest single answer; nil without one
	Side             *Side             `json:"side"`                 // that more than half of the voters hold; nil without one
	Baseline         Tally             `json:"baseline"`             // of the first votes
	Final            Tally             `json:"final"`                // of the last votes
	Comparison       *Comparison       `json:"comparison,omitempty"` // nil if votes were cast only once
	Changed          *bool             `json:"changed"`              // see Comparison.Result; nil unless it is same or changed
	ExtraSpending    Spending          `json:"extra"`                // what everything but round 1 cost
	Spending         []Spending        `json:"spent"`                // by purpose, and the total last
	Moves            []Move            `json:"moves"`                // the change ledger, by seat and round
	PhasePositions   []PhasePosition   `json:"views,omitempty"`      // from the last round's additional phases
	Dissent          []Dissent         `json:"dissent"`
	Sources          []SourceLine      `json:"sources"`
	Results          *Results          `json:"results,omitempty"`           // of all rounds, see Session.Results
	Findings         *Findings         `json:"findings,omitempty"`          // of a review; nil: it is none
	UnknownCitations []string          `json:"unknown_citations,omitempty"` // cited although not released, or not there
	Coverage         []Coverage        `json:"coverage,omitempty"`          // of the evidence; nil: none, or not stored
	Warnings         []string          `json:"warnings,omitempty"`
}

// VerdictRules is the version of the rules by which verdicts are counted now.
const VerdictRules = 2

// Pick is the strongest single answer of a debate, beside the report that blends them all.
type Pick struct {
	Agent  agents.ID   `json:"agent"`
	Tied   []agents.ID `json:"tied,omitempty"` // others with as many points
	By     string      `json:"by"`             // name of the chair, or PickedByBallots
	Reason string      `json:"reason,omitempty"`
	Off    Side        `json:"argues_for,omitempty"` // its side, if a majority holds another one
}

// PickedByBallots is who picked where the members ranked each other's answers.
const PickedByBallots = "the ballots"

// HeadlineForm says what a headline begins with.
type HeadlineForm string

// The forms.
const (
	FormSide       HeadlineForm = "side"        // the side that a majority of all voters holds, and ", "
	FormSplit      HeadlineForm = "split"       // two sides or more, none with a majority
	FormNoMajority HeadlineForm = "no_majority" // one side, without a majority
	FormUndecided  HeadlineForm = "undecided"   // no voter took a side
	FormNoVote     HeadlineForm = "no_vote"     // no vote, ballot or estimate was taken or could be read
	FormRanking    HeadlineForm = "ranking"
	FormEstimate   HeadlineForm = "estimate"
	FormFindings   HeadlineForm = "findings" // of a review
	FormDemo       HeadlineForm = "demo"     // scripted answers on a topic outside the script; there is no side
)

// MissingResponse is a seat without a statement in a round, or without a response in one
// of its other phases.
type MissingResponse struct {
	Agent agents.ID `json:"agent"`
	Name  string    `json:"name"`
	Round int       `json:"round"`
	Phase string    `json:"phase,omitempty"`
	Cause string    `json:"cause"`
}

// Tally counts the votes of a round: one for each voter.
type Tally struct {
	Voters    int          `json:"voters,omitempty"` // seats that have a vote
	Votes     map[Side]int `json:"votes,omitempty"`
	Sides     []Side       `json:"sides,omitempty"`     // with a vote, the most votes first, then in the order of seats
	Undecided int          `json:"undecided,omitempty"` // voters who spoke and took no side
	Unread    int          `json:"unread,omitempty"`    // voters whose vote could not be read
	Majority  Side         `json:"majority,omitempty"`  // that more than half of all voters hold
	Split     bool         `json:"split,omitempty"`     // two sides or more were taken, and none has a majority
	None      bool         `json:"none,omitempty"`      // no voter took a side
	Median    *Estimate    `json:"median,omitempty"`    // of the estimates in the unit of most, with the range of them all
	Estimates int          `json:"estimates,omitempty"` // that Median is made of
	Amounts   []string     `json:"amounts,omitempty"`   // the estimates, if most of them share no unit

	OtherUnits int `json:"other_units,omitempty"` // estimates among the undecided, in other units than Median
}

// Comparison compares the first votes of a debate with the last, over the voters who
// cast both.
type Comparison struct {
	First      int              `json:"first"` // round of the first votes
	Last       int              `json:"last"`  // round of the last votes
	Blind      bool             `json:"blind"` // nobody had read another's statement before the first votes
	Voters     int              `json:"voters"`
	Before     Tally            `json:"before"`
	After      Tally            `json:"after"`
	OnlyBefore []agents.ID      `json:"only_before,omitempty"` // who voted first and not last
	OnlyAfter  []agents.ID      `json:"only_after,omitempty"`
	OtherModel []agents.ID      `json:"other_model,omitempty"` // who voted both times, with another model: not compared
	Result     ComparisonResult `json:"result"`
}

// ComparisonResult says what a comparison came to.
type ComparisonResult string

// The results.
const (
	AnswerSame    ComparisonResult = "same"
	AnswerChanged ComparisonResult = "changed"
)

// Change says how a voter's side changed from its last vote to this one.
type Change string

// The changes.
const (
	Opening    Change = "opening" // the first vote with a side; Cites if an earlier one was undecided
	Held       Change = "held"
	HeldOther  Change = "held_other"    // the same side by another label
	Revised    Change = "revised"       // on what came since the last vote: cited answers and evidence, tool results
	RevisedOld Change = "revised_known" // citing only what was known before
	Convinced  Change = "convinced"     // changed, by its own account by another member's argument
	Conformed  Change = "conformed"     // changed, on none of that
	OtherLabel Change = "other_label"   // another label, not known to mean the same
	OtherModel Change = "other_model"   // another side, or the first one, by another model than before: nobody has changed
	Unstated   Change = "not_stated"    // no side to compare
	NoResponse Change = "missing"
)

// Move is one entry of the change ledger.
type Move struct {
	Agent      agents.ID `json:"agent"`
	Round      int       `json:"round"`
	Change     Change    `json:"change"`
	Side       Side      `json:"side,omitempty"`
	Stance     Stance    `json:"stance,omitempty"`
	Confidence *float64  `json:"confidence"`
	Cites      []string  `json:"cites,omitempty"`       // the evidence that Change is about
	By         agents.ID `json:"by,omitempty"`          // who convinced it
	AlsoCites  []string  `json:"also_cites,omitempty"`  // besides what it says changed it
	Unmoved    bool      `json:"by_nothing,omitempty"`  // it says that nothing new changed it
	Known      bool      `json:"known,omitempty"`       // Cites were known before its last vote
	SinceStart bool      `json:"since_start,omitempty"` // and from the start

	// WasUndecided is set in an opening by somebody who was undecided, as it had said.
	WasUndecided bool `json:"was_undecided,omitempty"`
}

// Dissent is a seat on another side than the majority.
type Dissent struct {
	Agent      agents.ID `json:"agent"`
	Name       string    `json:"name"`
	Side       Side      `json:"side"`
	Stance     Stance    `json:"stance"`
	Confidence *float64  `json:"confidence"`
	Position   string    `json:"position"`
}

// PhasePosition is what a member held in an additional phase of the last round, such as
// a cross-evaluation. Ballots and votes are results.
type PhasePosition struct {
	Agent      agents.ID `json:"agent"`
	Name       string    `json:"name"`
	Role       string    `json:"role,omitempty"`
	Phase      string    `json:"phase"`
	Side       Side      `json:"side,omitempty"`
	Stance     Stance    `json:"stance,omitempty"`
	Confidence *float64  `json:"confidence"`
	Position   string    `json:"position"`
}

// SourceLine is a released answer with who cites it.
type SourceLine struct {
	ID      string      `json:"id"`
	Text    string      `json:"text"`
	Source  string      `json:"source,omitempty"`
	CitedBy []agents.ID `json:"cited_by"`
}

// Results are the results of a round's ballots, computed without a model. They are stored
// with the round and with the verdict.
type Results struct {
	Ranking *Ranking `json:"ranking,omitempty"` // nil if nobody was asked to rank
}

// Ranking is a Borda count: of n answers that a ballot can rank, the first gets n-1
// points and the last none. Answers that a ballot leaves out get no points from it. An
// answer's place is by its points per ballot on which it could stand: nobody ranks their own.
type Ranking struct {
	Round   int      `json:"round"`
	Due     int      `json:"due,omitempty"` // members who should have ranked
	Seed    string   `json:"seed"`          // of the orders in which the answers were shown
	Ballots []Ballot `json:"ballots"`       // by seat
	Places  []Place  `json:"places"`        // by points
}

// Ballot is a member's ranking of the others' answers.
type Ballot struct {
	Agent agents.ID   `json:"agent"`
	Order []agents.ID `json:"order"` // the best first
}

// Place is the place of an answer in a ranking. Equal points share a place.
type Place struct {
	Agent  agents.ID `json:"agent"`
	Place  int       `json:"place"` // from 1; 0 if it could stand on none
	Points int       `json:"points"`
	Firsts int       `json:"firsts"`            // ballots that rank it first
	Stood  int       `json:"ballots,omitempty"` // readable ballots on which it could stand
}
