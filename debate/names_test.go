package debate_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/internal/testing/debatetest"
)

func TestAdmits_refusesNamesThatCannotBeHidden(t *testing.T) {
	m := debatetest.Mode(t, "delphi")
	ok := agents.Profile{ID: "ada", Name: "Ada"}
	for name, c := range map[string]struct {
		other agents.Profile
		want  string
	}{
		"a short name": {agents.Profile{ID: "bodo", Name: "Bo"}, `the name "Bo" is too short`},
		"a short id":   {agents.Profile{ID: "b", Name: "Bodo"}, `the name "b" is too short`},
		"another seat's label": {
			agents.Profile{ID: "bodo", Name: "participant 1"},
			`the name "participant 1" of seat 2 looks like one of these labels`,
		},
		"what labels begin with":          {agents.Profile{ID: "participant", Name: "Bodo"}, `the name "participant" of seat 2`},
		"none":                            {agents.Profile{ID: "bodo", Name: "Bodo"}, ""},
		"letters that take several bytes": {agents.Profile{ID: "лев", Name: "Лев"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := m.CheckPanel([]agents.Profile{ok, c.other})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if err := debatetest.Mode(t, "collaborative").CheckPanel([]agents.Profile{ok, {ID: "b", Name: "B"}}); err != nil {
		t.Errorf("where names are shown: %v", err)
	}
}
