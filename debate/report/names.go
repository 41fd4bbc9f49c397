package report

import (
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// names finds the names of agents.
type names struct {
	seats []agents.Profile
	chair *agents.Profile
}

func namesOf(s debate.Session) names { return names{s.Seats, s.Chair} }

// of names a member or the chair; an unknown agent is named by its id.
func (n names) of(id agents.ID) string {
	for _, p := range n.seats {
		if p.ID == id {
			return p.Name
		}
	}
	if n.chair != nil && n.chair.ID == id {
		return n.chair.Name
	}
	return string(id)
}

// seat names a member; "" for other agents.
func (n names) seat(id agents.ID) string {
	for _, p := range n.seats {
		if p.ID == id {
			return p.Name
		}
	}
	return ""
}

// list names several agents.
func (n names) list(ids []agents.ID) string { return strings.Join(n.all(ids), ", ") }

func (n names) all(ids []agents.ID) []string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = n.of(id)
	}
	return all
}

// citing names those who cite something: agents, and the verdict if its report does.
func (n names) citing(ids []agents.ID, inReport bool) string {
	all := n.all(ids)
	if inReport {
		all = append(all, "the verdict")
	}
	return text.List(all)
}
