package cli

import (
	"context"
	"fmt"
	"slices"

	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/config"
	"roundtable/store"
)

// recordDrift stores a notice with a session for each of its agents that the
// configuration no longer has, and one if the prompts have changed. It returns the new
// notices.
func recordDrift(ctx context.Context, st *store.Store, cfg config.Config, s *debate.Session) ([]debate.Notice, error) {
	fresh := append(cfg.Drift(*s), promptDrift(*s)...)
	if len(fresh) == 0 || s.Verdict != nil {
		return nil, nil
	}
	if err := st.Note(ctx, s.ID, fresh...); err != nil {
		return nil, err
	}
	s.Notices = slices.Concat(s.Notices, fresh)
	return fresh, nil
}

// promptDrift returns a notice if the turns so far were asked with another version of the
// prompts than the next ones will be.
func promptDrift(s debate.Session) []debate.Notice {
	version, asked := lastPromptVersion(s)
	if !asked || version == prompt.Version {
		return nil
	}
	was := "an earlier version"
	if version > 0 {
		was = fmt.Sprintf("version %d", version)
	}
	n := debate.Notice{Code: "config_drift", Round: len(s.History), Text: fmt.Sprintf(
		"The debate so far was asked with %s of the prompts; the next turns are asked with version %d.", was, prompt.Version)}
	if s.HasNotice(n.Text) {
		return nil
	}
	return []debate.Notice{n}
}

// lastPromptVersion returns the version of the prompts that a member was last asked with.
func lastPromptVersion(s debate.Session) (version int, asked bool) {
	for _, r := range slices.Backward(s.History) {
		for _, x := range slices.Backward(r.Responses) {
			if x.Calls > 0 {
				return x.PromptVersion, true
			}
		}
	}
	return 0, false
}
