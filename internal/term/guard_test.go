package term_test

import (
	"context"
	"io"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/term"
)

// faulty panics where it is told to.
type faulty struct{ at string }

const secret = "sk-canary-prompt"

func (f faulty) fail(at string) {
	if f.at == at {
		panic(secret)
	}
}

func (f faulty) Init() tea.Cmd {
	f.fail("Init")
	return tea.Batch(func() tea.Msg { f.fail("Cmd"); return nil }, nil)
}

func (f faulty) Update(tea.Msg) (tea.Model, tea.Cmd) {
	f.fail("Update")
	return f, nil
}

func (f faulty) View() tea.View {
	f.fail("View")
	return tea.NewView("")
}

func TestPanicGuard_endsTheProgramAndKeepsThePanic(t *testing.T) {
	for _, at := range []string{"Init", "Update", "View", "Cmd"} {
		t.Run(at, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			g := term.NewGuard(faulty{at}, cancel)
			p := tea.NewProgram(g, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithWindowSize(80, 24),
				tea.WithoutSignalHandler())
			if _, err := p.Run(); err == nil {
				t.Error("the program went on")
			}
			caught := g.Caught()
			if caught == nil {
				t.Fatal("the panic is lost")
			}
			if text := caught.Error() + caught.Stack; strings.Contains(text, secret) || !strings.Contains(text, "guard_test.go") {
				t.Errorf("got %s", text)
			}
		})
	}
}

func TestPanicGuard_leavesAQuietModelAlone(t *testing.T) {
	g := term.NewGuard(faulty{}, func() { t.Error("stopped") })
	cmd := g.Init()
	if cmd == nil {
		t.Fatal("no command")
	}
	cmd()
	if _, cmd := g.Update(nil); cmd != nil {
		t.Error("a command came from nowhere")
	}
	if g.View(); g.Caught() != nil {
		t.Errorf("caught %v", g.Caught())
	}
}
