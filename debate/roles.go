package debate

import (
	"slices"
	"strings"
)

// Role is a part that a seat plays. Its instructions stand in for the mode's
// where it has some.
type Role struct {
	Name   string `toml:"name" json:"name"`
	Stance Stance `toml:"stance" json:"stance,omitempty"` // to be argued; "" leaves it open
	Fixed  bool   `toml:"fixed" json:"fixed,omitempty"`   // to be stated too: a response that states another breaks its role
	Brief  string `toml:"brief" json:"brief"`
	First  string `toml:"first" json:"first,omitempty"`
	Later  string `toml:"later" json:"later,omitempty"`
	Last   string `toml:"last" json:"last,omitempty"`
}

// RoleOf returns the role of the n-th of so many seats, from 1. Where the seats
// divide a list, a seat's own part of it is its role.
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
	if list := m.List(m.Divide); len(m.Roles) == 0 && len(list) > 0 {
		it := list[(n-1)%len(list)]
		return Role{Name: it, Brief: strings.ReplaceAll(m.Lens, "{it}", it)}, true
	}
	k := len(m.Roles)
	switch tail := m.Repeat; {
	case k == 0:
		return Role{}, false
	case n <= k:
		return m.Roles[n-1], true
	case tail > 0:
		return m.Roles[k-tail+(n-k-1)%tail], true
	default:
		return m.Roles[(n-1)%k], true
	}
}
