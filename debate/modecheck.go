package debate

import (
	"errors"
	"fmt"
	"slices"
)

// modeErrors collects what is wrong with a mode.
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
	f.require(m.Rounds >= 1, "rounds: %d is less than 1", m.Rounds)
	f.require(oneOf(m.Order, Parallel, Sequential, ByTeams), "order: %q is not parallel, sequential or teams", m.Order)
	f.require(oneOf(m.Visibility, "", SeesRounds, SeesSeats, SeesTeam), "visibility: %q is not rounds, seats or team", m.Visibility)
	f.require(oneOf(m.Decision, DecideByVote, DecideByConsensus, DecideByRanking, DecideByNothing),
		"decision: %q is not vote, consensus, ranking or none", m.Decision)
	f.require(oneOf(m.Asks, AsksStance, AsksVote, AsksRanking, AsksScores), "asks: %q is not vote, ranking or scores", m.Asks)
	f.require(m.First != "" && m.Later != "" && m.Last != "", "first, later, last: each needs text")
	m.checkRoles(&f)
	m.checkLists(&f)
	m.checkPhases(&f)
	m.checkWords(&f)
	m.checkCounting(&f)
	return errors.Join(f...)
}

func oneOf[T comparable](v T, of ...T) bool { return slices.Contains(of, v) }

func (m Mode) checkRoles(f *modeErrors) {
	var names []string
	for i, r := range m.Roles {
		f.require(r.Name != "" && r.Brief != "", "roles[%d]: name and brief are required", i)
		f.require(oneOf(r.Stance, "", Yes, No, Neutral, NoStance), "roles[%d].stance: %q is not yes, no, neutral or none", i, r.Stance)
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
	f.require(oneOf(m.Divide, NoList, PerspectivesList, OptionsList, CriteriaList),
		"divide: %q is not perspectives, options or criteria", m.Divide)
	f.require(m.Divide == NoList || len(m.Roles) == 0, "divide: cannot be used with roles")
	f.require(m.Divide == NoList || len(m.List(m.Divide)) > 0, "divide: the list %s is empty", m.Divide)
	f.require(m.Divide == NoList || m.Lens != "", "lens: missing; divide needs it")
	f.require(!m.AsksForScores() || len(m.Options) > 0 && len(m.Criteria) > 0, "asks: scores need options and criteria")
	for _, l := range []List{PerspectivesList, OptionsList, CriteriaList} {
		for i, it := range m.List(l) {
			f.require(it != "", "%s: entry %d is empty", l, i+1)
		}
	}
}

func (m Mode) checkPhases(f *modeErrors) {
	var names []string
	for i, p := range m.Phases {
		f.require(p.Name != "", "phases[%d]: name is required", i)
		f.require(p.Name == "" || !slices.Contains(names, p.Name), "phases[%d].name: %q is used twice", i, p.Name)
		names = append(names, p.Name)
		f.require(oneOf(p.Order, Parallel, Sequential), "phases[%d].order: %q is not parallel or sequential", i, p.Order)
		f.require(oneOf(p.Asks, AsksStance, AsksVote, AsksRanking, AsksScores),
			"phases[%d].asks: %q is not vote, ranking or scores", i, p.Asks)
		f.require(p.First != "" || p.Later != "" || p.Last != "", "phases[%d]: first, later or last is required", i)
		f.require(p.Asks != AsksRanking || !p.Before, "phases[%d].before: there is nothing to rank before the statements", i)
	}
}

// checkCounting checks what says how votes are counted.
func (m Mode) checkCounting(f *modeErrors) {
	f.require(oneOf(m.Question, append(QuestionKinds(), QuestionUnset)...),
		"question: %q is not yes-no, choice, estimate or open", m.Question)
	f.require(!m.arguesYesNo() || !oneOf(m.Question, QuestionChoice, QuestionEstimate),
		"question: %q does not go with roles that argue yes or no", m.Question)
	if m.Question == QuestionChoice {
		err := checkOptions(m.Options)
		f.require(!errors.Is(err, ErrNoOptions), "question: %w", err)
		f.require(err == nil || errors.Is(err, ErrNoOptions), "options: %w", err)
	}
	f.require(oneOf(m.Votes, "", VotesNone) || slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Name == m.Votes }),
		"votes: there is no phase %q", m.Votes)
}
