package tui_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"roundtable/debate"
	"roundtable/tui"
)

// inFolder is a debate with a workspace.
func inFolder() debate.Session {
	s := round1Done()
	s.Workspace = debate.Workspace{Dir: "/srv/billing", Mode: debate.WorkspaceClone}
	return s
}

// A folder that nobody has chosen on this machine is a question of the interface, after
// which the debate goes on; without a yes its error stands.
func TestWorkspace_asksForAFolderThatWasNotChosen(t *testing.T) {
	var allowed []string
	fail := errors.New("the disk is full")
	bubbleWith(t, small, inFolder, func(d *tui.Deps, _ *scripted) {
		d.AllowWorkspace = func(_ context.Context, s debate.Session) error {
			allowed = append(allowed, s.Workspace.Dir)
			return fail
		}
	}, func(r *harness, script *scripted) {
		refuse := func() {
			r.press("space")
			s := inFolder()
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
	})
}

// A folder that cannot be used any more can be replaced by another one, after a question.
func TestWorkspace_asksForAnotherFolderWhereItIsGone(t *testing.T) {
	var moved []string
	bubbleWith(t, small, inFolder, func(d *tui.Deps, _ *scripted) {
		d.MovedWorkspace = func(_ context.Context, _ debate.Session, to string) (string, error) {
			if to != "none" {
				return "", errors.New("there is no such folder")
			}
			return "Go on without the workspace?", nil
		}
		d.MoveWorkspace = func(_ context.Context, s debate.Session, to string) (debate.Session, error) {
			moved = append(moved, to)
			s.Workspace = debate.Workspace{}
			return s, nil
		}
	}, func(r *harness, script *scripted) {
		refuse := func() {
			r.press("space")
			s := inFolder()
			script.current().end(s, &debate.WorkspaceError{Workspace: s.Workspace, Err: errors.New("it is gone")})
			r.asks("cannot be used: it is gone", "another folder, or none > /srv/billing")
		}
		refuse()
		r.press("enter")
		r.sees("There is no such folder")
		refuse()
		r.press("ctrl+u", "none", "enter")
		r.asks("Go on without the workspace?", "enter go on · esc back")
		runs := len(script.runs)
		r.press("enter")
		if len(moved) != 1 || len(script.runs) != runs+1 {
			t.Errorf("moved %q, %d runs", moved, len(script.runs)-runs)
		}
	})
}
