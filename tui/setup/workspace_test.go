package setup_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/attach"
	"roundtable/tui/screen"
)

// A workspace that the config or the command line names is shown, can be changed and can
// be turned off; without files to choose from, one that is not named has no row.
func TestForm_workspaceCanBeTurnedOff(t *testing.T) {
	f := newForm(100, 40)
	misses(t, f, "Workspace")
	w := debate.Workspace{Dir: "/src/billing\x1b[2J", Mode: debate.WorkspaceClone, Commands: true}
	o := testOptions()
	o.Workspace = w
	f.SetOptions(o)
	f.Paste("Is it so?")
	shows := func(want string) {
		t.Helper()
		sees(t, f, want)
	}
	focusOn(f, "More")
	shows("workspace /src/billing (clone)")
	focusOn(f, "Workspace")
	shows("/src/billing   each seat has a git clone of it; commands ask you first")
	s, err := f.Session()
	if err != nil || s.Workspace != w {
		t.Fatalf("%+v, %v", s.Workspace, err)
	}
	focusOn(f, "Workspace")
	f.Change(1)
	shows("each seat has a container with a clone of it; commands ask you first")
	f.Change(1)
	shows("none: seats see no files")
	if s, err = f.Session(); err != nil || s.Workspace != (debate.Workspace{}) {
		t.Errorf("%+v, %v", s.Workspace, err)
	}
	f.Change(1)
	shows("seats may read it")
	f.Change(1)
	if s, err = f.Session(); err != nil || s.Workspace != w {
		t.Errorf("%+v, %v", s.Workspace, err)
	}
	f.HandleKey(press("x"))
	o.Rounds = 3
	f.SetOptions(o) // looking for models again changes nothing of it
	if s, err = f.Session(); err != nil || s.Workspace.Dir != w.Dir+"x" {
		t.Errorf("%+v, %v", s.Workspace, err)
	}
	f.HandleKey(press("ctrl+u"))
	f.Change(1) // without a folder it would not be seen
	f.HandleKey(press("y"))
	if s, err = f.Session(); err != nil || s.Workspace != (debate.Workspace{Dir: "y", Mode: w.Mode, Commands: true}) {
		t.Errorf("%+v, %v", s.Workspace, err)
	}
	f.Undo()
	f.HandleKey(press("ctrl+u"))
	shows("none; type a folder that seats may read")
	if s, err = f.Session(); err != nil || s.Workspace != (debate.Workspace{}) {
		t.Errorf("%+v, %v", s.Workspace, err)
	}
	f.Reset()
	if f.Paste("Is it so?"); f.Topic() != "Is it so?" {
		t.Fatal(f.Topic())
	}
	if s, err = f.Session(); err != nil || s.Workspace != w {
		t.Errorf("after a debate began: %+v, %v", s.Workspace, err)
	}
}

// A workspace is typed. The row says what cannot be found, and tab leaves it.
func TestForm_workspaceIsTyped(t *testing.T) {
	f := newForm(80, 60)
	service := attach.New(t.Context(), memory{}, nil, screen.NewSaveQueue())
	f.SetFiles(service)
	f.Paste("Is it so?")
	focusOn(f, "Workspace")
	f.HandleKey(press("ctrl+u"))
	for _, c := range []struct{ typed, says string }{{"x", "x does not exist"}, {"src.go", "src.go is no folder."}} {
		f.HandleKey(press("ctrl+u"))
		f.Paste(c.typed)[0].(tea.Cmd)().(screen.Then)()
		sees(t, f, c.says)
	}
	f.HandleKey(tea.KeyPressMsg{Code: tea.KeyRight})
	want := debate.Workspace{Dir: "src.go", Mode: debate.WorkspaceClone}
	if s, err := f.Session(); err != nil || s.Workspace != want {
		t.Errorf("%+v, %v; want %+v", s.Workspace, err, want)
	}
	run(t, f, f, "tab")
	sees(t, f, "▸ ◆ enter: start")
	run(t, f, f, "tab")
	sees(t, f, "╭▸Topic")
}

// A program cannot sit in a container. The form says so when the debate is to start, and
// goes to the row.
func TestForm_refusesAProgramInAContainer(t *testing.T) {
	f, o := newForm(100, 60), testOptions()
	o.Seats[0].Profile.Loop, o.Seats[0].Asks = true, "its permissions are set"
	o.Workspace = debate.Workspace{Dir: "/src/billing", Mode: debate.WorkspaceContainer}
	f.SetOptions(o)
	f.Paste("Is it so?")
	if _, err := f.Session(); err == nil || !strings.Contains(err.Error(), "the program of Ada cannot run in it") {
		t.Errorf("got %v", err)
	}
	view := shown(f)
	focusOn(f, "Panel")
	if view += shown(f); !strings.Contains(view, "▸ Workspace") || !strings.Contains(view, "Ada, a program: its permissions are set") {
		t.Errorf("the form does not show it:\n%s", view)
	}
}
