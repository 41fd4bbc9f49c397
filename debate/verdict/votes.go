package verdict

import (
	"roundtable/agents"
	"roundtable/debate"
)

// Votes reports whether the stance that a seat states is its own, and not one that
// its role prescribes.
func Votes(s debate.Session, id agents.ID) bool {
	_, seat := s.Seat(id)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	return !role.Fixed && role.Stance != debate.NoStance
}
