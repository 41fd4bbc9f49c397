package debate_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

func TestWorkspace_refusesProgramsInAContainer(t *testing.T) {
	const (
		one = "the workspace /src (container) cannot be used: the program of Olive cannot run in it, since it needs the network of its " +
			"model and your sign-in; use the mode clone, or run all of Roundtable in a container"
		two = "the workspace /src (container) cannot be used: the programs of Olive and Cy cannot run in it, since they need the " +
			"network of their models and your sign-in; use the mode clone, or run all of Roundtable in a container"
	)
	ada, olive, cy := agents.Profile{Name: "Ada"}, agents.Profile{Name: "Olive", Loop: true}, agents.Profile{Name: "Cy", Loop: true}
	container := debate.Workspace{Dir: "/src", Mode: debate.WorkspaceContainer}
	clone := debate.Workspace{Dir: "/src", Mode: debate.WorkspaceClone}
	for _, c := range []struct {
		name  string
		of    debate.Workspace
		seats []agents.Profile
		chair *agents.Profile
		want  string
	}{
		{"no program", container, []agents.Profile{ada}, &ada, ""},
		{"a program", container, []agents.Profile{ada, olive}, nil, one},
		{"also as chair", container, []agents.Profile{ada}, &olive, one},
		{"a seat as chair", container, []agents.Profile{ada, olive}, &olive, one},
		{"two", container, []agents.Profile{olive}, &cy, two},
		{"in a clone", clone, []agents.Profile{olive}, &cy, ""},
		{"nowhere", debate.Workspace{Mode: debate.WorkspaceContainer}, []agents.Profile{olive}, nil, ""},
	} {
		got := ""
		if err := c.of.Check((debate.Session{Seats: c.seats, Chair: c.chair}).Speakers()); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
