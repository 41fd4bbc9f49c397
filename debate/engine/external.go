package engine

import (
	"context"
	"slices"

	"roundtable/debate"
)

// useExternalTools adds the tools from outside to those of the run, once, before its first
// turn. What is wrong with them is recorded once per session and does not end the run.
func (r *runner) useExternalTools(ctx context.Context) error {
	if r.ExternalTools == nil || r.external {
		return nil
	}
	more, problems, err := r.ExternalTools(ctx)
	if err != nil {
		return err
	}
	r.external = true
	r.Tools = slices.Concat(r.Tools, more)
	s := r.current()
	for _, text := range problems {
		if s.HasNotice(text) {
			continue
		}
		if err := r.recordNotices(ctx, debate.Notice{Code: "tools", Text: text, Round: len(s.History)}); err != nil {
			return err
		}
	}
	return nil
}
