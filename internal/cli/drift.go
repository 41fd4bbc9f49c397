package cli

import (
	"context"
	"slices"

	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/store"
)

// adrift keeps with a session that is to go on what has gone from the configuration
// meanwhile, and returns that.
func adrift(c config.Config, ctx context.Context, st *store.Store, s *debate.Session) ([]debate.Notice, error) {
	fresh := c.Drift(*s)
	if len(fresh) == 0 || s.Verdict != nil {
		return nil, nil
	}
	if err := st.Note(ctx, s.ID, fresh...); err != nil {
		return nil, err
	}
	s.Notices = slices.Concat(s.Notices, fresh)
	return fresh, nil
}
