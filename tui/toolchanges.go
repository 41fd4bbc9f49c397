package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// ToolChange is a tool of a server whose definition is not the approved one.
type ToolChange struct {
	Name string
	Diff string // the lines that differ, with - and + before them
}

// ToolApprovals approves the tools of servers that have changed.
type ToolApprovals interface {
	// Changed returns the tools that have changed. It may take seconds.
	Changed(ctx context.Context) ([]ToolChange, error)
	// Approve approves the changes.
	Approve(ctx context.Context, changes []ToolChange) error
}

type toolApprovals struct {
	ctx    context.Context
	source ToolApprovals // nil: there are no servers
}

func (t toolApprovals) look() screen.Outcome {
	told := screen.Tell(screen.Info, "Asking the MCP servers for their tools.")
	return append(told, screen.Await(func() ([]ToolChange, error) { return t.source.Changed(t.ctx) }, t.ask))
}

func (t toolApprovals) ask(changes []ToolChange) screen.Outcome {
	if len(changes) == 0 {
		return screen.Tell(screen.Info, "No tool has changed since it was approved.")
	}
	var diffs []string
	for _, c := range changes {
		diffs = append(diffs, text.Line(c.Name)+"\n"+text.Indent(text.Sanitize(c.Diff)))
	}
	return screen.Outcome{screen.ClearNotice{}, screen.Question{
		Text: "Changed: " + strings.Join(diffs, " "), About: screen.Approval,
		Others: []screen.Answer{
			{Key: "y", Verb: "approve", Do: func() screen.Outcome { return t.approve(changes) }},
			{Key: "o", Verb: "show all", Do: func() screen.Outcome {
				return screen.Outcome{screen.OpenPager{File: "tools.txt", Text: strings.Join(diffs, "\n\n") + "\n"}}
			}},
		},
	}}
}

func (t toolApprovals) approve(changes []ToolChange) screen.Outcome {
	return screen.Run(func() tea.Msg {
		words := fmt.Sprintf("Approved %s, offered from the next round on.", text.Count(len(changes), "tool"))
		return done(words, t.source.Approve(t.ctx, changes))
	})
}
