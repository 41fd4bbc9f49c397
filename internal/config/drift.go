package config

import (
	"fmt"
	"slices"

	"roundtable/debate"
)

// Drift returns a new notice for each agent of a saved session that the configuration no
// longer has; the session keeps using its copy. A configuration without agents
// gives none.
func (c Config) Drift(s debate.Session) []debate.Notice {
	if len(c.Agents) == 0 {
		return nil
	}
	var out []debate.Notice
	for _, p := range s.Speakers() {
		if p.Provider == debate.DemoProvider || c.Agent(p.ID) != nil {
			continue
		}
		n := debate.Notice{Code: "config_drift", Agent: p.ID, Round: len(s.History), Text: fmt.Sprintf(
			"%s is no longer in the config; the session keeps it as it was: %s of %s.", p.Name, p.Model, p.Provider)}
		if !slices.ContainsFunc(append(s.Notices, out...), func(o debate.Notice) bool { return o.Text == n.Text }) {
			out = append(out, n)
		}
	}
	return out
}
