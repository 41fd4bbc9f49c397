package cli

import (
	"context"
	"fmt"
	"slices"

	"roundtable/debate"
	"roundtable/store"
)

// drift says who of a saved session's speakers is no longer in the configuration.
// The session keeps them as they were. Without configured agents nobody is missed.
func (c Config) drift(s debate.Session) []debate.Notice {
	if len(c.Agents) == 0 {
		return nil
	}
	var out []debate.Notice
	for _, p := range s.Speakers() {
		if p.Provider == debate.DemoProvider || c.speaker(p.ID) != nil {
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

// adrift keeps with a session that is to go on what has gone from the configuration
// meanwhile, and returns that.
func (c Config) adrift(ctx context.Context, st *store.Store, s *debate.Session) ([]debate.Notice, error) {
	fresh := c.drift(*s)
	if len(fresh) == 0 || s.Verdict != nil {
		return nil, nil
	}
	if err := st.Note(ctx, s.ID, fresh...); err != nil {
		return nil, err
	}
	s.Notices = slices.Concat(s.Notices, fresh)
	return fresh, nil
}
