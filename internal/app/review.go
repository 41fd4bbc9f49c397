package app

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/changes"
	"roundtable/internal/config"
)

// ReviewPlan completes the plan of a review of what the repository here has changed. It returns the
// diff as evidence, none if it has nothing to review, and what is masked or not shown in notes.
func ReviewPlan(ctx context.Context, cfg config.Config, o changes.Options, plan debate.Plan) (
	debate.Plan, []debate.Evidence, changes.Changes, error,
) {
	dir, err := os.Getwd()
	if err != nil {
		return plan, nil, changes.Changes{}, err
	}
	o.Exclude = append(o.Exclude, cfg.Review.Exclude...)
	found, err := changes.Since(ctx, dir, o)
	if err != nil {
		return plan, nil, found, Usagef("%v", err)
	}
	plan.Topic = cmp.Or(plan.Topic, fmt.Sprintf("Which defects do the changes since %s of %s have?", found.Base, filepath.Base(found.Root)))
	plan.Mode = cmp.Or(plan.Mode, "review")
	if plan.Workspace == "" {
		plan.Workspace, plan.WorkspaceMode = found.Root, cmp.Or(plan.WorkspaceMode, string(debate.WorkspaceClone))
	}
	brought := []debate.Evidence{debate.NewEvidence("changes since "+found.Base+".diff", debate.EvidenceDiff, found.Diff, "")}
	found.Notes = append(found.Notes, verdict.EvidenceSentences(debate.Session{Evidence: brought})...)
	files := debate.DiffSections(found.Diff, debate.ParseDiff(found.Diff), nil)
	if !slices.ContainsFunc(files, func(f debate.DiffSection) bool { return !f.LeftOut }) {
		brought = nil
	}
	return plan, brought, found, nil
}

// reviewer returns what makes a review for the interface, which asks before it is stored.
func (a *App) reviewer(cfg config.Config, b Builder, plan debate.Plan) func(context.Context, string) (debate.Session, []string, error) {
	return func(ctx context.Context, base string) (debate.Session, []string, error) {
		plan, brought, found, err := ReviewPlan(ctx, cfg, changes.Options{Base: base}, plan)
		switch {
		case err != nil:
			return debate.Session{}, nil, err
		case len(brought) == 0:
			return debate.Session{}, nil, Usagef("there is nothing to review since %s", found.Base)
		}
		if !b.configured {
			plan.Panel = cmp.Or(plan.Panel, FoundPanel)
		}
		with, err := a.For(ctx, b, plan)
		if err != nil {
			return debate.Session{}, nil, err
		}
		s, err := with.Build(plan)
		s.Evidence = brought
		return s, found.Notes, cmp.Or(err, a.CheckLocal(cfg, s))
	}
}
