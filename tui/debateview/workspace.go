package debateview

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/screen"
)

// allowedMsg says that the folder of the session was allowed, or why it could not be.
type allowedMsg struct {
	sessionID
	err error
}

// workspaceRefused says why the workspace cannot be used. If it only was not chosen on
// this machine, it asks the user to allow it, and goes on then.
func workspaceRefused(d *Debate, err error) screen.Outcome {
	refused := screen.Advise(screen.Error, screen.Sentence(err), "space: try again")
	allow, s := d.config.AllowWorkspace, d.session
	if allow == nil || !errors.Is(err, debate.ErrNotChosen) {
		return refused
	}
	return screen.Outcome{screen.Question{
		Text: fmt.Sprintf("Let the agents read %s (%s)? The debate names this folder, but nobody has chosen it on this machine.",
			s.Workspace.Dir, s.Workspace.Mode),
		Verb: "allow",
		Do: func() screen.Outcome {
			ctx, id := context.WithoutCancel(d.ctx), sessionID(s.ID)
			return screen.Run(func() tea.Msg { return allowedMsg{id, allow(ctx, s)} })
		},
		Dropped: func() screen.Outcome { return refused },
	}}
}

// allowed goes on with what the question about the folder has interrupted.
func allowed(d *Debate, msg allowedMsg) screen.Outcome {
	switch {
	case msg.err != nil:
		return screen.Tell(screen.Error, screen.Sentence(msg.err))
	case d.Running():
		return nil
	}
	return d.togglePause()
}
