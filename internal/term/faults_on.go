//go:build crashpoints

package term

import (
	"os"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
)

// PanicVariable names the environment variable that says where the program panics, once:
// update, view or cmd when "!" is pressed, or agent, tool or store in a debate.
const PanicVariable = "ROUNDTABLE_PANIC"

var panicked atomic.Bool

// PanicAt panics if the variable names the place.
func PanicAt(site string) {
	if os.Getenv(PanicVariable) == site && panicked.CompareAndSwap(false, true) {
		panic("a prompt and the key sk-canary-0123456789")
	}
}

func faulty(m tea.Model) tea.Model { return &faultyModel{Model: m} }

type faultyModel struct {
	tea.Model
	asked bool
}

// Update panics on "!" if the variable says so.
func (f *faultyModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "!" {
		PanicAt("update")
		f.asked = true
		cmd = func() tea.Msg {
			PanicAt("cmd")
			return nil
		}
	}
	_, next := f.Model.Update(msg)
	return f, tea.Batch(cmd, next)
}

// View panics after "!" if the variable says so.
func (f *faultyModel) View() tea.View {
	if f.asked {
		PanicAt("view")
	}
	return f.Model.View()
}
