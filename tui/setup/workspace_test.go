package setup_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/tui/screen"
)

// A workspace that the config or the command line names is shown and can be turned off.
func TestForm_workspaceCanBeTurnedOff(t *testing.T) {
	f := newForm(100, 40)
	if strings.Contains(ansi.Strip(f.View(screen.Frame{})), "Workspace") {
		t.Error("there is a row without a workspace")
	}
	w := debate.Workspace{Dir: "/src/billing\x1b[2J", Mode: debate.WorkspaceClone, Commands: true}
	o := testOptions()
	o.Workspace = w
	f.SetOptions(o)
	f.Paste("Is it so?")
	shows := func(want string) {
		t.Helper()
		if view := ansi.Strip(f.View(screen.Frame{})); !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	shows("each agent has a git clone of /src/billing; commands ask you first")
	s, err := f.Session()
	if err != nil || s.Workspace != w {
		t.Fatalf("%+v, %v", s.Workspace, err)
	}
	for range 30 {
		f.Next(1)
		if strings.Contains(ansi.Strip(f.View(screen.Frame{})), "▸ Workspace") {
			break
		}
	}
	f.Change(1)
	shows("none: agents see no files")
	if s, err = f.Session(); err != nil || s.Workspace != (debate.Workspace{}) {
		t.Errorf("%+v, %v", s.Workspace, err)
	}
	f.Change(-1)
	if s, err = f.Session(); err != nil || s.Workspace != w {
		t.Errorf("%+v, %v", s.Workspace, err)
	}
}
