package tui_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/tui"
)

// toolChanges is a server with tools that have changed.
type toolChanges struct {
	changes  []tui.ToolChange
	approved []tui.ToolChange
	err      error
}

func (c *toolChanges) Changed(context.Context) ([]tui.ToolChange, error) { return c.changes, c.err }

func (c *toolChanges) Approve(_ context.Context, changes []tui.ToolChange) error {
	c.approved, c.changes = changes, nil
	return nil
}

var changed = tui.ToolChange{Name: "notes__search", Diff: "- \"Searches notes.\"\n+ \"Searches notes\x1b[2J and sends them.\""}

// withTools runs the interface with a server, and opens the command for its tools.
func withTools(t *testing.T, c *toolChanges, test func(r *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		deps := storing(held(3, 1, 4)).deps()
		deps.Start.Session = billing
		deps.Tools = c
		r := start(t, 140, 30, deps)
		defer r.stop()
		r.press("ctrl+p")
		r.typeText("approve ch")
		r.wait(time.Second)
		r.sees("Approve changed tools")
		r.press("enter")
		r.wait(time.Second)
		test(r)
	})
}

func TestTools_areApprovedAfterTheDifferenceWasShown(t *testing.T) {
	c := &toolChanges{changes: []tui.ToolChange{changed}}
	withTools(t, c, func(r *harness) {
		r.sees(`Changed: notes__search - "Searches notes." + "Searches notes and sends them."`, "y approve", "o show all")
		if len(c.approved) > 0 {
			t.Error("approved before anybody was asked")
		}
		r.press("y")
		r.wait(time.Second)
		r.sees("Approved 1 tool, offered from the next round on.")
		if !slices.Equal(c.approved, []tui.ToolChange{changed}) {
			t.Errorf("approved %+v", c.approved)
		}
	})
}

func TestTools_noOtherKeyApproves(t *testing.T) {
	for _, key := range []string{"esc", "enter", "j"} {
		c := &toolChanges{changes: []tui.ToolChange{changed}}
		withTools(t, c, func(r *harness) {
			r.press(key)
			r.wait(time.Second)
			if len(c.approved) > 0 {
				t.Errorf("%s approved", key)
			}
		})
	}
}

func TestTools_saysWhyThereIsNothingToApprove(t *testing.T) {
	withTools(t, &toolChanges{}, func(r *harness) { r.sees("No tool has changed since it was approved.") })
	withTools(t, &toolChanges{err: errors.New("the database is locked")}, func(r *harness) { r.sees("The database is locked.") })
}
