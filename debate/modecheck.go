package debate

import (
	"errors"
	"fmt"
	"slices"
)

// faults collects what is wrong with a mode.
type faults []error

func (f *faults) need(ok bool, format string, args ...any) {
	if !ok {
		*f = append(*f, fmt.Errorf(format, args...))
	}
}

// Validate returns all that is wrong with a mode, each part naming its field.
func (m Mode) Validate() error {
	var f faults
	f.need(m.Name != "", "name: missing")
	f.need(m.Summary != "", "summary: missing")
	f.need(m.MinSeats >= 2 && m.MaxSeats <= MaxPanel && m.MinSeats <= m.MaxSeats, "min_seats, max_seats: %d to %d is not within 2 to %d", m.MinSeats, m.MaxSeats, MaxPanel)
	f.need(m.Rounds >= 1, "rounds: %d is less than 1", m.Rounds)
	f.need(one(m.Order, Parallel, Sequential, ByTeams), "order: %q is not parallel, sequential or teams", m.Order)
	f.need(one(m.Visibility, "", SeesRounds, SeesSeats, SeesTeam), "visibility: %q is not rounds, seats or team", m.Visibility)
	f.need(one(m.Decision, ByVote, ByConsensus, ByRanking, ByNone), "decision: %q is not vote, consensus, ranking or none", m.Decision)
	f.need(one(m.Asks, AsksStance, AsksVote, AsksRanking, AsksScores), "asks: %q is not vote, ranking or scores", m.Asks)
	f.need(m.First != "" && m.Later != "" && m.Last != "", "first, later, last: each needs a text")
	for i, k := range m.Kinds {
		f.need(slices.Contains(Kinds[:], k), "kinds: entry %d, %q, is not one of %s", i+1, k, kindNames())
	}
	m.checkRoles(&f)
	m.checkLists(&f)
	m.checkPhases(&f)
	return errors.Join(f...)
}

func one[T comparable](v T, of ...T) bool { return slices.Contains(of, v) }

func (m Mode) checkRoles(f *faults) {
	var names []string
	for i, r := range m.Roles {
		f.need(r.Name != "" && r.Brief != "", "roles[%d]: name and brief are needed", i)
		f.need(one(r.Stance, "", Yes, No, Neutral, NoStance), "roles[%d].stance: %q is not yes, no, neutral or none", i, r.Stance)
		f.need(!r.Fixed || r.Stance != "", "roles[%d].fixed: there is no stance to be fixed", i)
		f.need(r.Name == "" || !slices.Contains(names, r.Name), "roles[%d].name: %q is there twice", i, r.Name)
		names = append(names, r.Name)
	}
	known := func(field string, list []string) {
		for _, name := range list {
			f.need(slices.Contains(names, name), "%s: there is no role %q", field, name)
		}
	}
	known("speakers", m.Speakers)
	known("teams", m.Teams)
	f.need(m.Order != ByTeams || len(m.Teams) >= 2, "teams: order teams needs at least two of them")
	f.need(m.Sees() != SeesTeam || m.Order == ByTeams, "visibility: team goes with order teams only")
	f.need(m.Repeat >= 0 && m.Repeat <= len(m.Roles), "repeat: %d is more than there are roles, %d", m.Repeat, len(m.Roles))
	for i, seats := range m.Seating {
		f.need(len(seats) >= m.MinSeats && len(seats) <= m.MaxSeats, "seating: entry %d has %d seats, which is no panel of this mode", i+1, len(seats))
		known("seating", seats)
	}
	for i, p := range m.Phases {
		known(fmt.Sprintf("phases[%d].roles", i), p.Roles)
	}
}

func (m Mode) checkLists(f *faults) {
	f.need(one(m.Divide, NoList, OfPerspectives, OfOptions, OfCriteria), "divide: %q is not perspectives, options or criteria", m.Divide)
	f.need(m.Divide == NoList || len(m.Roles) == 0, "divide: goes without roles, since what a seat takes is its role")
	f.need(m.Divide == NoList || len(m.Items(m.Divide)) > 0, "divide: the list %s is empty", m.Divide)
	f.need(m.Divide == NoList || m.Lens != "", "lens: missing, and needed with divide")
	asked := m.Asks == AsksScores || slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Asks == AsksScores })
	f.need(!asked || len(m.Options) > 0 && len(m.Criteria) > 0, "asks: scores need options and criteria")
	for _, l := range []List{OfPerspectives, OfOptions, OfCriteria} {
		for i, it := range m.Items(l) {
			f.need(it != "", "%s: entry %d is empty", l, i+1)
		}
	}
}

func (m Mode) checkPhases(f *faults) {
	var names []string
	for i, p := range m.Phases {
		f.need(p.Name != "", "phases[%d]: name is needed", i)
		f.need(p.Name == "" || !slices.Contains(names, p.Name), "phases[%d].name: %q is there twice", i, p.Name)
		names = append(names, p.Name)
		f.need(one(p.Order, Parallel, Sequential), "phases[%d].order: %q is not parallel or sequential", i, p.Order)
		f.need(one(p.Asks, AsksStance, AsksVote, AsksRanking, AsksScores), "phases[%d].asks: %q is not vote, ranking or scores", i, p.Asks)
		f.need(p.First != "" || p.Later != "" || p.Last != "", "phases[%d]: first, later or last is needed", i)
		f.need(p.Asks != AsksRanking || !p.Before, "phases[%d].before: nothing is there to rank before the statements", i)
	}
}
