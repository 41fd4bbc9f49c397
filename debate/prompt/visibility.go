package prompt

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// VisibleTo returns the snapshot as a seat sees it in a step: without what the mode does
// not show it, and in the order that it is shown.
func (n Snapshot) VisibleTo(step debate.Step, seat agents.ID) Snapshot {
	phase := n.Mode.Phase(step.Phase)
	n.Earlier = slices.DeleteFunc(slices.Clone(n.Earlier), func(x debate.Response) bool {
		switch {
		case x.Turn.Agent == seat:
			return false
		case n.Mode.Phase(x.Phase).Private:
			return true
		default:
			return n.Mode.Sees() == debate.SeesRounds && x.Turn.Round == n.Round && x.Phase == step.Phase
		}
	})
	if n.Mode.Sees() == debate.SeesTeam {
		n.Earlier = slices.Concat(n.ownTeam(seat), n.otherTeams(seat))
	}
	if phase.Asks == debate.AsksRanking {
		n.Earlier, n.shuffled = n.shuffledFor(seat), true
	}
	return n
}

// teamOf is the name of the role that a seat plays.
func (n Snapshot) teamOf(id agents.ID) string {
	_, seat := n.Profile(id)
	role, _ := n.Mode.RoleOf(seat, len(n.Seats))
	return role.Name
}

// ownTeam is what a seat's own team has said.
func (n Snapshot) ownTeam(seat agents.ID) []debate.Response {
	return slices.DeleteFunc(slices.Clone(n.Earlier), func(x debate.Response) bool { return n.teamOf(x.Turn.Agent) != n.teamOf(seat) })
}

// otherTeams is what each other team has said in the last phase in which it spoke.
func (n Snapshot) otherTeams(seat agents.ID) []debate.Response {
	last := map[string]debate.Response{}
	for _, x := range n.Earlier {
		team := n.teamOf(x.Turn.Agent)
		if was, ok := last[team]; !ok || cmp.Or(x.Turn.Round-was.Turn.Round, x.Turn.Step-was.Turn.Step) > 0 {
			last[team] = x
		}
	}
	return slices.DeleteFunc(slices.Clone(n.Earlier), func(x debate.Response) bool {
		newest := last[n.teamOf(x.Turn.Agent)].Turn
		return n.teamOf(x.Turn.Agent) == n.teamOf(seat) || x.Turn.Round != newest.Round || x.Turn.Step != newest.Step
	})
}

// shuffledFor puts the statements of this round into an order of the reader's own,
// which the round's seed decides.
func (n Snapshot) shuffledFor(reader agents.ID) []debate.Response {
	key := func(x debate.Response) string {
		sum := sha256.Sum256([]byte(n.seed + "|" + string(reader) + "|" + x.ID()))
		return string(sum[:])
	}
	out := slices.Clone(n.Earlier)
	slices.SortStableFunc(out, func(a, b debate.Response) int {
		if a.Turn.Round != n.Round || b.Turn.Round != n.Round {
			return a.Turn.Round - b.Turn.Round
		}
		return cmp.Compare(key(a), key(b))
	})
	return out
}
