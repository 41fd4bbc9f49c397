package cli

import (
	"context"
	"slices"

	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/store"
)

// recordDrift stores a notice with a session for each of its agents that the
// configuration no longer has. It returns the new notices.
func recordDrift(ctx context.Context, st *store.Store, cfg config.Config, s *debate.Session) ([]debate.Notice, error) {
	fresh := cfg.Drift(*s)
	if len(fresh) == 0 || s.Verdict != nil {
		return nil, nil
	}
	if err := st.Note(ctx, s.ID, fresh...); err != nil {
		return nil, err
	}
	s.Notices = slices.Concat(s.Notices, fresh)
	return fresh, nil
}
