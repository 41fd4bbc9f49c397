package debate

import (
	"fmt"
	"slices"
)

// Mode describes how a debate is run, as data: who speaks when, in which role, and what
// each speaker sees and is told. The engine never looks at a mode's name.
//
// The fields from Order to Last describe the statements of a round, its main phase.
// Phases come before or after them.
type Mode struct {
	Name       string     `toml:"name" json:"name"`
	Summary    string     `toml:"summary" json:"summary"`             // one line, for a form
	Use        string     `toml:"use" json:"use"`                     // when to choose it
	MinSeats   int        `toml:"min_seats" json:"min_seats"`         // smallest and
	MaxSeats   int        `toml:"max_seats" json:"max_seats"`         // largest panel
	Rounds     int        `toml:"rounds" json:"rounds"`               // planned by default
	Order      Order      `toml:"order" json:"order"`                 // of the speakers
	Teams      []string   `toml:"teams" json:"teams,omitempty"`       // role names in the order in which the teams speak
	Speakers   []string   `toml:"speakers" json:"speakers,omitempty"` // roles that make statements; empty means all
	Visibility Visibility `toml:"visibility" json:"visibility,omitempty"`
	Label      string     `toml:"label" json:"label,omitempty"`           // replaces names, with the seat's number; "" shows them
	Statistics bool       `toml:"statistics" json:"statistics,omitempty"` // of earlier rounds are part of the prompt

	Roles   []Role     `toml:"roles" json:"roles,omitempty"`     // by seat, repeating
	Repeat  int        `toml:"repeat" json:"repeat,omitempty"`   // how many of the last roles repeat after all have a seat; 0 means all
	Seating [][]string `toml:"seating" json:"seating,omitempty"` // role names by seat for panels of exactly that size

	Divide       List     `toml:"divide" json:"divide,omitempty"` // the list of which each seat takes one item, repeating
	Lens         string   `toml:"lens" json:"lens,omitempty"`     // instructions of such a seat; {it} stands for its item
	Perspectives []string `toml:"perspectives" json:"perspectives,omitempty"`
	Options      []string `toml:"options" json:"options,omitempty"`
	Criteria     []string `toml:"criteria" json:"criteria,omitempty"`
	Fill         string   `toml:"fill" json:"fill,omitempty"` // prompt that asks the light model for lists; "" keeps the mode's own
	Given        []List   `toml:"-" json:"given,omitempty"`   // lists of the user or of the light model
	Own          []Filled `toml:"-" json:"own,omitempty"`     // lists of before the light model named others

	Asks   AskedField `toml:"asks" json:"asks,omitempty"` // of a statement
	Rules  string     `toml:"rules" json:"rules"`         // for the system prompt
	First  string     `toml:"first" json:"first"`         // instructions for the first round,
	Later  string     `toml:"later" json:"later"`         // the rounds between,
	Last   string     `toml:"last" json:"last"`           // and the last
	Asking string     `toml:"asking" json:"asking"`       // encourages request_context; omitted where the tool is not offered

	Words       int `toml:"words" json:"words,omitempty"`               // of a statement; 0 means DefaultWords
	FirstWords  int `toml:"first_words" json:"first_words,omitempty"`   // of a statement of round 1; 0 means Words
	ReportWords int `toml:"report_words" json:"report_words,omitempty"` // of the chair's report; 0 means DefaultReportWords

	Phases []Phase `toml:"phases" json:"phases,omitempty"`

	Decision   DecisionRule `toml:"decision" json:"decision"`
	Question   QuestionKind `toml:"question" json:"question,omitempty"`       // fixes the kind; "" leaves it to the user
	Votes      string       `toml:"votes" json:"votes,omitempty"`             // phase whose statements are votes; see VotesNone
	GroupThink bool         `toml:"group_think" json:"group_think,omitempty"` // the analysis looks for it
}

// VotesNone is the value of Mode.Votes in a mode in which nothing is counted.
const VotesNone = "none"

// Order says in which order the speakers of a phase take turns.
type Order string

// The orders.
const (
	Parallel   Order = "parallel"   // all at once, blind to each other
	Sequential Order = "sequential" // each after the seats before it
	ByTeams    Order = "teams"      // team by team, the members of one at once
)

// Visibility says what a speaker sees of the others.
type Visibility string

// The visibilities; "" is the default of the order.
const (
	SeesRounds Visibility = "rounds" // earlier rounds, and earlier phases of this one
	SeesSeats  Visibility = "seats"  // and the seats before it in this phase
	SeesTeam   Visibility = "team"   // its own team, and the last phase of the other
)

// AskedField is a field of the structured part that a statement is asked for in addition
// to position, confidence and citations.
type AskedField string

// The fields.
const (
	AsksStance  AskedField = ""        // a stance, where the question has a yes or no
	AsksVote    AskedField = "vote"    // a stance in any case
	AsksRanking AskedField = "ranking" // the other members' answers, best first
	AsksScores  AskedField = "scores"  // a score for every option by every criterion
)

// DecisionRule says how a debate is decided.
type DecisionRule string

// The decision rules.
const (
	DecideByVote      DecisionRule = "vote"
	DecideByConsensus DecisionRule = "consensus"
	DecideByRanking   DecisionRule = "ranking"
	DecideByNothing   DecisionRule = "none"
)

// Phase is an additional part of the rounds for which it has instructions.
type Phase struct {
	Name    string     `toml:"name" json:"name"`
	Before  bool       `toml:"before" json:"before,omitempty"` // before the statements instead of after them
	Order   Order      `toml:"order" json:"order"`
	Roles   []string   `toml:"roles" json:"roles,omitempty"`     // who speaks; empty means all
	Private bool       `toml:"private" json:"private,omitempty"` // only the speaker and the chair see what is said
	Asks    AskedField `toml:"asks" json:"asks,omitempty"`
	First   string     `toml:"first" json:"first,omitempty"`
	Later   string     `toml:"later" json:"later,omitempty"`
	Last    string     `toml:"last" json:"last,omitempty"`
	Words   int        `toml:"words" json:"words,omitempty"` // 0 means DefaultBallotWords for a ballot, else the mode's
}

// Sees returns the visibility in effect.
func (m Mode) Sees() Visibility {
	switch {
	case m.Visibility != "":
		return m.Visibility
	case m.Order == ByTeams:
		return SeesTeam
	case m.Order == Sequential:
		return SeesSeats
	default:
		return SeesRounds
	}
}

// AskedField returns the field that a response of the named phase is asked for; "" names
// the main phase.
func (m Mode) AskedField(phase string) AskedField { return m.Phase(phase).Asks }

// CheckSize returns an error if the mode does not support n seats.
func (m Mode) CheckSize(n int) error {
	if n < m.MinSeats || n > m.MaxSeats {
		return fmt.Errorf("mode %s takes %d to %d seats; this panel has %d", m.Name, m.MinSeats, m.MaxSeats, n)
	}
	return nil
}

// AsksForScores reports whether members score options by criteria.
func (m Mode) AsksForScores() bool {
	return m.Asks == AsksScores || slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Asks == AsksScores })
}

// asksForRanking reports whether members rank each other's answers.
func (m Mode) asksForRanking() bool {
	return m.Asks == AsksRanking || slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Asks == AsksRanking })
}
