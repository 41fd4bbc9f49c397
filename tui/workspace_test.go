package tui_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"roundtable/debate"
)

// A folder that nobody has chosen on this machine is a question of the interface, after
// which the debate goes on; without a yes its error stands.
func TestWorkspace_asksForAFolderThatWasNotChosen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := held(3, 1, 4)
		s.Workspace = debate.Workspace{Dir: "/srv/billing", Mode: debate.WorkspaceClone}
		script := storing(s)
		deps := script.deps()
		deps.Start.Session = s.ID
		var allowed []string
		fail := errors.New("the disk is full")
		deps.AllowWorkspace = func(_ context.Context, s debate.Session) error {
			allowed = append(allowed, s.Workspace.Dir)
			return fail
		}
		r := start(t, 80, 24, deps)
		defer r.stop()
		refuse := func() {
			r.press("space")
			script.current().end(s, &debate.WorkspaceError{Workspace: s.Workspace, Err: fmt.Errorf("%w; so it is", debate.ErrNotChosen)})
			r.asks("Let the seats read /srv/billing (clone)?", "enter allow · esc back")
		}
		refuse()
		r.press("esc")
		r.sees("cannot be used: it was not chosen on this", "space: try again")
		refuse()
		r.press("enter")
		r.sees("The disk is full")
		fail = nil
		refuse()
		runs := len(script.runs)
		r.press("enter")
		if len(allowed) != 2 || len(script.runs) != runs+1 {
			t.Errorf("allowed %q, %d runs", allowed, len(script.runs)-runs)
		}
		r.misses("unresolved error")
		finish(r, script.current())
	})
}
