package engine

import (
	"context"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// useExternalTools adds the tools from outside to those of the run, once, before its first
// turn. What is wrong with them is recorded once per session and does not end the run. The
// demo, which calls none, goes without.
func (r *runner) useExternalTools(ctx context.Context) error {
	models := slices.ContainsFunc(r.current().Seats, func(p agents.Profile) bool { return p.Provider != debate.DemoProvider })
	if r.ExternalTools == nil || r.external || !models {
		return nil
	}
	r.emit(debate.Assisting{Task: debate.TaskTools, Round: len(r.current().History), At: r.Now()})
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
