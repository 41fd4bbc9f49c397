package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// toolkit returns the tools of a step.
func (r *runner) toolkit(ctx context.Context, snap prompt.Snapshot, step debate.Step) (*tools.Executor, error) {
	workspaces, err := r.openWorkspaces(ctx)
	if err != nil {
		return nil, err
	}
	return r.toolkitIn(workspaces, snap, step)
}

// plannedToolkit returns the tools that a round would have, to measure their specs.
func (r *runner) plannedToolkit(snap prompt.Snapshot) (*tools.Executor, error) {
	var workspaces tools.Workspaces
	if r.current().Workspace.Dir != "" {
		workspaces = unopened{}
	}
	return r.toolkitIn(workspaces, snap, debate.Step{})
}

// unopened stands for workspaces while nothing is run in them.
type unopened struct{}

var errUnopened = errors.New("the workspaces are not open")

// Workspace returns an error.
func (unopened) Workspace(context.Context, agents.ID) (tools.Workspace, error) {
	return nil, errUnopened
}

// TempDir returns an error.
func (unopened) TempDir(string) (string, error) { return "", errUnopened }

// toolkitIn returns the tools of a step, in workspaces that may be nil. In the last round
// nothing can be asked of the user any more.
func (r *runner) toolkitIn(in tools.Workspaces, snap prompt.Snapshot, step debate.Step) (*tools.Executor, error) {
	kit, err := tools.NewExecutor(tools.Sources{
		Requests: r, Statements: statements{r.current, snap, step}, Evidence: evidence{snap}, Workspaces: in,
		Env: r.Env, Approver: r, Work: r.places.take, Fence: snap.Fence, OnPanic: r.OnPanic,
	}, r.Tools...)
	if err != nil {
		return nil, err
	}
	if w := r.current().Workspace; !w.Commands || w.Mode == debate.WorkspaceLocal {
		kit.Withhold(tools.RunCommandName, "No commands can be run in this debate.")
	}
	if len(snap.Evidence) == 0 {
		for _, name := range evidenceTools() {
			kit.Withhold(name, "The user has brought no evidence to this debate.")
		}
	}
	if !snap.OthersSpoke(step) {
		kit.Withhold(tools.FactCheckName, "No other member has said anything yet that you can see.")
	}
	if snap.Final() {
		kit.Withhold(agents.RequestContextName, fmt.Sprintf("final round %d of %d; no later round can use it", snap.Round, snap.Rounds))
	}
	return kit, nil
}

// statements is what the tools of a step may know of the debate: what its speakers see of
// the others, without anything said since.
type statements struct {
	session func() debate.Session
	snap    prompt.Snapshot
	step    debate.Step
}

// Statements returns what the other members said last, by seat, as the turn may see it.
func (e statements) Statements(t agents.Turn) []tools.Statement {
	snap := e.snap.VisibleTo(e.step, t.Agent)
	shortened := e.shortenedIn(t)
	var out []tools.Statement
	for _, p := range snap.Seats {
		i := lastStatementBy(snap.Earlier, p.ID)
		if p.ID == t.Agent || i < 0 {
			continue
		}
		x := snap.Earlier[i]
		statement := tools.Statement{
			Speaker: snap.PromptName(p.ID), Round: x.Turn.Round, Text: x.Statement.Position + " " + x.Statement.Body,
		}
		if shortened[x.ID()] {
			statement.Block = snap.ToolBlock(t, x)
		}
		out = append(out, statement)
	}
	return out
}

// shortenedIn returns the ids of the statements that the prompt of a turn does not have in
// full.
func (e statements) shortenedIn(t agents.Turn) map[string]bool {
	ids := map[string]bool{}
	for _, x := range e.session().History[t.Round-1].Responses {
		if x.Turn != t || x.ContextFit == nil {
			continue
		}
		for _, c := range x.ContextFit.Excerpts {
			ids[c.Response] = true
		}
	}
	return ids
}

// lastStatementBy returns the index of a seat's newest statement, -1 if there is none. A
// ranking of others is not a statement.
func lastStatementBy(list []debate.Response, id agents.ID) int {
	for i, x := range slices.Backward(list) {
		if x.Turn.Agent == id && x.Statement.AskedField != debate.AsksRanking {
			return i
		}
	}
	return -1
}

// anonymizedTools hides names in the results of tools. What the user wrote is not
// changed.
type anonymizedTools struct {
	*tools.Executor
	anonymizer prompt.Anonymizer
}

// Execute runs the call and hides names in the text for the model.
func (m anonymizedTools) Execute(ctx context.Context, turn agents.Turn, id string, call agents.ToolCall) agents.ToolResult {
	r := m.Executor.Execute(ctx, turn, id, call)
	if call.Name != agents.RequestContextName && !slices.Contains(evidenceTools(), call.Name) {
		r.Text = m.anonymizer.Scrub(r.Text)
	}
	return r
}
