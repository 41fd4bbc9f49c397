//go:build crashpoints

package term

import (
	"os"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
)

// PanicVariable names the environment variable that says where the program panics, once:
// update or cmd when "!" is pressed, or agent or store in a debate.
const PanicVariable = "ROUNDTABLE_PANIC"

var panicked atomic.Bool

// PanicAt panics if the variable names the place.
func PanicAt(site string) {
	if os.Getenv(PanicVariable) == site && panicked.CompareAndSwap(false, true) {
		panic("a prompt and the key sk-canary-0123456789")
	}
}

func faulty(m tea.Model) tea.Model { return faultyModel{m} }

type faultyModel struct{ tea.Model }

// Update panics on "!" if the variable says so.
func (f faultyModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "!" {
		PanicAt("update")
		cmd = func() tea.Msg {
			PanicAt("cmd")
			return nil
		}
	}
	_, next := f.Model.Update(msg)
	return f, tea.Batch(cmd, next)
}
