package debate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
)

// Mode describes how a debate is run, as data: who speaks when, in which role, and what
// each speaker sees and is told. The engine never looks at a mode's name.
//
// The fields from Order to Last describe the statements of a round, its main phase.
// Phases come after them.
type Mode struct {
	Name       string     `toml:"name" json:"name"`
	Summary    string     `toml:"summary" json:"summary"`             // one line, for a form
	Use        string     `toml:"use" json:"use"`                     // when to choose it
	MinSeats   int        `toml:"min_seats" json:"min_seats"`         // smallest and
	MaxSeats   int        `toml:"max_seats" json:"max_seats"`         // largest panel
	Rounds     int        `toml:"rounds" json:"rounds"`               // planned by default
	Ends       Ends       `toml:"ends" json:"ends,omitempty"`         // what ends it before; "" for nothing
	Order      Order      `toml:"order" json:"order"`                 // of the speakers
	Teams      []string   `toml:"teams" json:"teams,omitempty"`       // role names in the order in which the teams speak
	Speakers   []string   `toml:"speakers" json:"speakers,omitempty"` // roles that make statements; empty means all
	Visibility Visibility `toml:"visibility" json:"visibility,omitempty"`
	Label      string     `toml:"label" json:"label,omitempty"`           // replaces names, with the seat's number; "" shows them
	Statistics bool       `toml:"statistics" json:"statistics,omitempty"` // of earlier rounds are part of the prompt

	Roles   []Role     `toml:"roles" json:"roles,omitempty"`     // by seat, repeating
	Repeat  int        `toml:"repeat" json:"repeat,omitempty"`   // how many of the last roles repeat after all have a seat; 0 means all
	Seating [][]string `toml:"seating" json:"seating,omitempty"` // role names by seat for panels of exactly that size

	Divide       string   `toml:"divide" json:"divide,omitempty"` // ByPerspectives: they are assigned to seats in turn
	Lens         string   `toml:"lens" json:"lens,omitempty"`     // instructions of such a seat; {it} is replaced by its item
	Perspectives []string `toml:"perspectives" json:"perspectives,omitempty"`
	Options      []string `toml:"-" json:"options,omitempty"` // that the user gives
	Draft        string   `toml:"-" json:"draft,omitempty"`   // id of the evidence that a critique begins with; "": the author writes it

	Asks   AskedField `toml:"asks" json:"asks,omitempty"` // of a statement
	Rules  string     `toml:"rules" json:"rules"`         // for the system prompt
	First  string     `toml:"first" json:"first"`         // instructions for the first round,
	Later  string     `toml:"later" json:"later"`         // the rounds between,
	Last   string     `toml:"last" json:"last"`           // and the last
	Asking string     `toml:"asking" json:"asking"`       // encourages request_context; omitted where the tool is not offered

	Words       int `toml:"words" json:"words,omitempty"`               // of a statement; 0 means DefaultWords
	ReportWords int `toml:"report_words" json:"report_words,omitempty"` // of the chair's report; 0 means DefaultReportWords

	Phases []Phase `toml:"phases" json:"phases,omitempty"`

	Question QuestionKind `toml:"question" json:"question,omitempty"` // fixes the kind; "" leaves it to the user
	Votes    string       `toml:"votes" json:"votes,omitempty"`       // phase whose statements are votes; see VotesNone
}

// ByPerspectives is the value of Mode.Divide in a mode whose seats divide perspectives.
const ByPerspectives = "perspectives"

// VotesNone is the value of Mode.Votes in a mode in which nothing is counted.
const VotesNone = "none"

// Order says in which order the speakers of a phase take turns.
type Order string

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

// AskedField is what a statement's block is asked for besides position, confidence and citations.
type AskedField string

const (
	AsksStance  AskedField = ""        // a stance, where the question has a yes or no
	AsksVote    AskedField = "vote"    // a stance in any case
	AsksRanking AskedField = "ranking" // the other members' answers, best first

	// AsksFindings is asked for by a review: the defects that a member finds, and in round 2
	// whether those that others found are any.
	AsksFindings AskedField = "findings"

	// AsksConcerns and AsksReplies are asked for by a critique: what critics object to in the
	// author's text, and what the author does about each concern.
	AsksConcerns AskedField = "concerns"
	AsksReplies  AskedField = "replies"
)

// Phase is an additional part of the rounds for which it has instructions.
type Phase struct {
	Name    string     `toml:"name" json:"name"`
	Order   Order      `toml:"order" json:"order"`
	Roles   []string   `toml:"roles" json:"roles,omitempty"`     // who speaks; empty means all
	Private bool       `toml:"private" json:"private,omitempty"` // only the speaker and the chair see what is said
	Rounds  string     `toml:"rounds" json:"rounds,omitempty"`   // OddRounds; "" means all
	Asks    AskedField `toml:"asks" json:"asks,omitempty"`
	First   string     `toml:"first" json:"first,omitempty"`
	Later   string     `toml:"later" json:"later,omitempty"`
	Last    string     `toml:"last" json:"last,omitempty"`
	Words   int        `toml:"words" json:"words,omitempty"` // 0 means DefaultBallotWords for a ballot, else the mode's
}

// OddRounds is the value of Phase.Rounds of a phase that every other round has, from the first.
const OddRounds = "odd"

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

// Reviews reports whether the mode is a review: its result is a list of findings.
func (m Mode) Reviews() bool { return m.Asks == AsksFindings }

// Critiques reports whether the mode is a critique: its result is the text of one seat, the author.
func (m Mode) Critiques() bool { return m.Asks == AsksReplies }

// ReviewRounds is how many rounds a review has: one to find, one to judge.
const ReviewRounds = 2

// Whole returns at least n rounds: in a critique a text and its concerns come in one round, and
// the answers to them in the next.
func (m Mode) Whole(n int) int {
	if slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Rounds == OddRounds }) {
		return n + n%2
	}
	return n
}

// MostRounds returns how many rounds can be planned at once.
func (m Mode) MostRounds() int {
	if m.Reviews() {
		return ReviewRounds
	}
	return MaxRounds
}

// CheckRounds returns an error if a debate of the mode cannot have n rounds in all.
func (m Mode) CheckRounds(n int) error {
	switch {
	case m.Reviews() && n > ReviewRounds:
		return fmt.Errorf("mode %s has %d rounds, one to find and one to judge; %d are too many", m.Name, ReviewRounds, n)
	case m.Whole(n) != n:
		return fmt.Errorf("mode %s has rounds in pairs; give %d, not %d", m.Name, m.Whole(n), n)
	}
	return nil
}

// Role is the part of a seat. Its instructions, if it has some, replace the mode's.
type Role struct {
	Name   string `toml:"name" json:"name"`
	Stance Stance `toml:"stance" json:"stance,omitempty"` // to be argued; "" leaves it open
	Fixed  bool   `toml:"fixed" json:"fixed,omitempty"`   // the stance must be stated too; stating another breaks the role
	Brief  string `toml:"brief" json:"brief"`
	First  string `toml:"first" json:"first,omitempty"`
	Later  string `toml:"later" json:"later,omitempty"`
	Last   string `toml:"last" json:"last,omitempty"`
}

// RoleOf returns the role of the n-th seat, counted from 1, in a panel of the given
// size. If the seats divide a list, the seat's item of it is its role.
func (m Mode) RoleOf(n, seats int) (Role, bool) {
	if n < 1 {
		return Role{}, false
	}
	for _, names := range m.Seating {
		if len(names) == seats && n <= seats {
			i := slices.IndexFunc(m.Roles, func(r Role) bool { return r.Name == names[n-1] })
			if i >= 0 {
				return m.Roles[i], true
			}
		}
	}
	if list := m.Perspectives; m.Divide != "" && len(m.Roles) == 0 && len(list) > 0 {
		it := list[(n-1)%len(list)]
		return Role{Name: it, Brief: strings.ReplaceAll(m.Lens, "{it}", it)}, true
	}
	k := len(m.Roles)
	if k == 0 {
		return Role{}, false
	}
	if tail := m.Repeat; n > k && tail > 0 {
		n = k - tail + (n-k-1)%tail + 1
	}
	return m.Roles[(n-1)%k], true
}

// Step numbers of turns that belong to no step of a mode.
const (
	VerdictStep  = -1 // of a chair
	SummaryStep  = -2 // of the light model; its agent is whose statement it summarizes
	CompareStep  = -3 // of the light model, on the findings of a round
	FollowUpStep = -5 // of who answers a follow-up question; its attempt is the question's number
)

// Step is a part of a round in which its seats speak in parallel.
type Step struct {
	Index int
	Phase string // "" for the statements
	Seats []agents.ID
}

// Steps returns the steps of a round in order. Seats are all seats of the panel.
func (m Mode) Steps(seats []agents.ID, round, rounds int) []Step {
	var steps []Step
	add := func(phase string, seats ...agents.ID) {
		if len(seats) > 0 {
			steps = append(steps, Step{Index: len(steps), Phase: phase, Seats: slices.Clip(seats)})
		}
	}
	for _, p := range slices.Concat([]Phase{m.Phase("")}, m.Phases) {
		who := m.seatsWithRoles(seats, p.Roles)
		switch {
		case p.Name != "" && p.Instructions(round, rounds) == "":
		case p.Name == "" && m.Draft != "" && round == 1: // it has the text already
		case p.Order == Sequential:
			for _, seat := range who {
				add(p.Name, seat)
			}
		case p.Order == ByTeams:
			for _, team := range m.Teams {
				add(p.Name, m.seatsWithRoles(seats, []string{team})...)
			}
		default:
			add(p.Name, who...)
		}
	}
	return steps
}

// seatsWithRoles returns the seats with one of the roles, or all seats if no role is named.
func (m Mode) seatsWithRoles(seats []agents.ID, roles []string) []agents.ID {
	var out []agents.ID
	for i, seat := range seats {
		role, _ := m.RoleOf(i+1, len(seats))
		if len(roles) == 0 || slices.Contains(roles, role.Name) {
			out = append(out, seat)
		}
	}
	return out
}

// Phase returns the phase of that name, or the main phase, which has no name.
func (m Mode) Phase(name string) Phase {
	for _, p := range m.Phases {
		if p.Name == name && name != "" {
			return p
		}
	}
	return Phase{Order: m.Order, Roles: m.Speakers, Asks: m.Asks, First: m.First, Later: m.Later, Last: m.Last}
}

// Instructions returns what a phase is told in a round; "" if the round does not have the phase.
func (p Phase) Instructions(round, rounds int) string {
	switch {
	case p.Rounds == OddRounds && round%2 == 0:
		return ""
	case round == 1 && p.First != "":
		return p.First
	case round >= rounds:
		return p.Last
	case round == 1:
		return ""
	default:
		return p.Later
	}
}

// Lengths that are asked for where a mode names none, in words.
const (
	DefaultWords       = 300 // of a statement
	DefaultBallotWords = 150 // of a vote or a ranking in a phase of its own
	DefaultReportWords = 500 // of a chair's report
)

// WordLimit returns about how many words a statement in a phase should have; "" names the main phase.
func (m Mode) WordLimit(phase string) int {
	words := cmp.Or(m.Words, DefaultWords)
	switch p := m.Phase(phase); {
	case phase == "":
		return words
	case p.Asks != AsksStance:
		return cmp.Or(p.Words, DefaultBallotWords)
	default:
		return cmp.Or(p.Words, words)
	}
}

// ReportLimit returns about how many words the chair's report should have at most.
func (m Mode) ReportLimit() int { return cmp.Or(m.ReportWords, DefaultReportWords) }

type modeErrors []error

func (f *modeErrors) require(ok bool, format string, args ...any) {
	if !ok {
		*f = append(*f, fmt.Errorf(format, args...))
	}
}

// Validate returns all errors of a mode, each beginning with the name of its field.
func (m Mode) Validate() error {
	var f modeErrors
	f.require(m.Name != "", "name: missing")
	f.require(m.Summary != "", "summary: missing")
	f.require(m.MinSeats >= 2 && m.MaxSeats <= MaxSeats && m.MinSeats <= m.MaxSeats,
		"min_seats, max_seats: %d to %d is not within 2 to %d", m.MinSeats, m.MaxSeats, MaxSeats)
	f.require(m.Rounds >= 1 && m.Rounds <= MaxRounds, "rounds: %d is not within 1 to %d", m.Rounds, MaxRounds)
	f.require(oneOf(m.Ends, append(AllEnds(), "")...), "ends: %q is not planned, agreed or settled", string(m.Ends))
	f.require(oneOf(m.Order, Parallel, Sequential, ByTeams), "order: %q is not parallel, sequential or teams", m.Order)
	f.require(oneOf(m.Visibility, "", SeesRounds, SeesSeats, SeesTeam), "visibility: %q is not rounds, seats or team", m.Visibility)
	f.require(oneOf(m.Asks, AsksStance, AsksVote, AsksRanking, AsksFindings, AsksReplies),
		"asks: %q is not vote, ranking, findings or replies", m.Asks)
	f.require(!m.Reviews() || m.Rounds == ReviewRounds && m.Order == Parallel && m.Votes == VotesNone && len(m.Phases)+len(m.Roles) == 0,
		"asks: findings need %d rounds, order parallel, votes none, and neither phases nor roles", ReviewRounds)
	f.require(m.First != "" && m.Later != "" && m.Last != "", "first, later, last: each needs text")
	f.require(!m.Critiques() || m.Rounds%2 == 0 && len(m.Speakers) == 1 && m.Votes == VotesNone && m.concernsPhase() != "",
		"asks: replies need an even number of rounds, one speaker, votes none, and a phase with asks = %q and rounds = %q",
		AsksConcerns, OddRounds)
	m.checkRoles(&f)
	m.checkLists(&f)
	m.checkPhases(&f)
	f.require(m.Words >= 0 && m.ReportWords >= 0 && !slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Words < 0 }),
		"words, report_words: less than 0")
	m.checkCounting(&f)
	return errors.Join(f...)
}

func oneOf[T comparable](v T, of ...T) bool { return slices.Contains(of, v) }

func (m Mode) checkRoles(f *modeErrors) {
	var names []string
	for i, r := range m.Roles {
		f.require(r.Name != "" && r.Brief != "", "roles[%d]: name and brief are required", i)
		f.require(oneOf(r.Stance, "", Yes, No, UndecidedStance, NoStance),
			"roles[%d].stance: %q is not yes, no, undecided or none", i, r.Stance)
		f.require(!r.Fixed || r.Stance != "", "roles[%d].fixed: needs a stance", i)
		f.require(r.Name == "" || !slices.Contains(names, r.Name), "roles[%d].name: %q is used twice", i, r.Name)
		names = append(names, r.Name)
	}
	known := func(field string, list []string) {
		for _, name := range list {
			f.require(slices.Contains(names, name), "%s: there is no role %q", field, name)
		}
	}
	known("speakers", m.Speakers)
	known("teams", m.Teams)
	f.require(m.Order != ByTeams || len(m.Teams) >= 2, "teams: order teams needs at least two")
	f.require(m.Sees() != SeesTeam || m.Order == ByTeams, "visibility: team needs order teams")
	f.require(m.Repeat >= 0 && m.Repeat <= len(m.Roles), "repeat: %d is more than the number of roles, %d", m.Repeat, len(m.Roles))
	for i, seats := range m.Seating {
		f.require(len(seats) >= m.MinSeats && len(seats) <= m.MaxSeats,
			"seating: entry %d has %d seats; the mode takes %d to %d", i+1, len(seats), m.MinSeats, m.MaxSeats)
		known("seating", seats)
	}
	for i, p := range m.Phases {
		known(fmt.Sprintf("phases[%d].roles", i), p.Roles)
	}
}

func (m Mode) checkLists(f *modeErrors) {
	f.require(oneOf(m.Divide, "", ByPerspectives), "divide: %q is not perspectives", m.Divide)
	f.require(m.Divide == "" || len(m.Roles) == 0, "divide: cannot be used with roles")
	f.require(m.Divide == "" || len(m.Perspectives) > 0, "divide: the list %s is empty", m.Divide)
	f.require(m.Divide == "" || m.Lens != "", "lens: missing; divide needs it")
	for i, it := range m.Perspectives {
		f.require(it != "", "perspectives: entry %d is empty", i+1)
	}
}

func (m Mode) checkPhases(f *modeErrors) {
	var names []string
	for i, p := range m.Phases {
		f.require(p.Name != "", "phases[%d]: name is required", i)
		f.require(p.Name == "" || !slices.Contains(names, p.Name), "phases[%d].name: %q is used twice", i, p.Name)
		names = append(names, p.Name)
		f.require(oneOf(p.Order, Parallel, Sequential), "phases[%d].order: %q is not parallel or sequential", i, p.Order)
		f.require(oneOf(p.Asks, AsksStance, AsksVote, AsksRanking, AsksConcerns),
			"phases[%d].asks: %q is not vote, ranking or concerns", i, p.Asks)
		f.require(oneOf(p.Rounds, "", OddRounds), "phases[%d].rounds: %q is not odd", i, p.Rounds)
		f.require(p.First != "" || p.Later != "" || p.Last != "", "phases[%d]: first, later or last is required", i)
	}
}

func (m Mode) checkCounting(f *modeErrors) {
	f.require(oneOf(m.Question, append(QuestionKinds(), QuestionUnset)...),
		"question: %q is not yes-no, choice, estimate or open", m.Question)
	f.require(!m.arguesYesNo() || !oneOf(m.Question, QuestionChoice, QuestionEstimate),
		"question: %q does not go with roles that argue yes or no", m.Question)
	f.require(oneOf(m.Votes, "", VotesNone) || slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Name == m.Votes }),
		"votes: there is no phase %q", m.Votes)
}
