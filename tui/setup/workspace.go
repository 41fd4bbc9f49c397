package setup

import (
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// workspaceLine draws the folder that agents may look at, if one is named.
func (v *layout) workspaceLine() {
	w := v.options.Workspace
	if w.Dir == "" {
		return
	}
	words := workspaceText(w)
	if v.noWorkspace {
		words = "none: agents see no files"
	}
	th := v.valueTheme(fieldWorkspace)
	v.addField(fieldWorkspace, "Workspace", th.Columns(theme.Column{Text: words, Width: v.room(), Style: th.Text}))
}

// workspaceText says what agents can do in a workspace, and in which.
func workspaceText(w debate.Workspace) string {
	can := "agents may read "
	switch w.Mode {
	case debate.WorkspaceClone:
		can = "each agent has a git clone of "
	case debate.WorkspaceContainer:
		can = "each agent has a container with a clone of "
	case debate.WorkspaceLocal:
	}
	words := can + text.Line(w.Dir)
	if w.Commands && w.Mode != debate.WorkspaceLocal {
		words += "; commands ask you first"
	}
	return words
}
