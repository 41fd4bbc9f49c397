package prompt

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// VisibleTo returns the snapshot as a seat sees it in a step: without what the mode
// hides from it, and in the order that the mode wants.
func (snap Snapshot) VisibleTo(step debate.Step, seat agents.ID) Snapshot {
	phase := snap.Mode.Phase(step.Phase)
	snap.Earlier = slices.DeleteFunc(slices.Clone(snap.Earlier), func(x debate.Response) bool {
		switch {
		case x.Turn.Agent == seat:
			return false
		case snap.Mode.Phase(x.Phase).Private:
			return true
		default:
			return snap.Mode.Sees() == debate.SeesRounds && x.Turn.Round == snap.Round && x.Phase == step.Phase
		}
	})
	if snap.Mode.Sees() == debate.SeesTeam {
		snap.Earlier = slices.Concat(snap.ownTeam(seat), snap.otherTeams(seat))
	}
	if phase.Asks == debate.AsksRanking {
		snap.Earlier, snap.shuffled = snap.shuffledFor(seat), true
	}
	return snap
}

// OthersSpoke reports whether a seat of a step sees a statement of another.
func (snap Snapshot) OthersSpoke(step debate.Step) bool {
	return slices.ContainsFunc(step.Seats, func(seat agents.ID) bool {
		return slices.ContainsFunc(snap.VisibleTo(step, seat).Earlier, func(x debate.Response) bool {
			return x.Turn.Agent != seat && x.Statement.AskedField != debate.AsksRanking
		})
	})
}

// teamOf returns the name of a seat's role.
func (snap Snapshot) teamOf(id agents.ID) string {
	_, seat := snap.Profile(id)
	role, _ := snap.Mode.RoleOf(seat, len(snap.Seats))
	return role.Name
}

// ownTeam returns the statements of a seat's team.
func (snap Snapshot) ownTeam(seat agents.ID) []debate.Response {
	return slices.DeleteFunc(slices.Clone(snap.Earlier),
		func(x debate.Response) bool { return snap.teamOf(x.Turn.Agent) != snap.teamOf(seat) })
}

// otherTeams returns the statements of each other team in the last step in which it
// spoke.
func (snap Snapshot) otherTeams(seat agents.ID) []debate.Response {
	last := map[string]debate.Response{}
	for _, x := range snap.Earlier {
		team := snap.teamOf(x.Turn.Agent)
		if was, ok := last[team]; !ok || cmp.Or(x.Turn.Round-was.Turn.Round, x.Turn.Step-was.Turn.Step) > 0 {
			last[team] = x
		}
	}
	return slices.DeleteFunc(slices.Clone(snap.Earlier), func(x debate.Response) bool {
		newest := last[snap.teamOf(x.Turn.Agent)].Turn
		return snap.teamOf(x.Turn.Agent) == snap.teamOf(seat) || x.Turn.Round != newest.Round || x.Turn.Step != newest.Step
	})
}

// shuffledFor shuffles this round's statements in an order that depends on the reader
// and the round's seed.
func (snap Snapshot) shuffledFor(reader agents.ID) []debate.Response {
	key := func(x debate.Response) string {
		sum := sha256.Sum256([]byte(snap.seed + "|" + string(reader) + "|" + x.ID()))
		return string(sum[:])
	}
	out := slices.Clone(snap.Earlier)
	slices.SortStableFunc(out, func(a, b debate.Response) int {
		if a.Turn.Round != snap.Round || b.Turn.Round != snap.Round {
			return a.Turn.Round - b.Turn.Round
		}
		return cmp.Compare(key(a), key(b))
	})
	return out
}
