//go:build crashpoints

package cli

import (
	"context"
	"encoding/json"
	"iter"
	"os"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
)

// PanicVariable names the environment variable that says where the program panics, once:
// update, view or cmd when "!" is pressed, or agent, tool or store in a debate.
const PanicVariable = "ROUNDTABLE_PANIC"

// panicked is set once the injected panic has fired.
var panicked atomic.Bool

// panicAt panics if the variable names the place.
func panicAt(site string) {
	if os.Getenv(PanicVariable) == site && panicked.CompareAndSwap(false, true) {
		panic("a prompt and the key sk-canary-0123456789")
	}
}

// faulty returns a model that panics where the variable says.
func faulty(m tea.Model) tea.Model { return &faultyModel{Model: m} }

type faultyModel struct {
	tea.Model
	asked bool
}

// Update panics on "!" if the variable says so.
func (f *faultyModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "!" {
		panicAt("update")
		f.asked = true
		cmd = func() tea.Msg {
			panicAt("cmd")
			return nil
		}
	}
	_, next := f.Model.Update(msg)
	return f, tea.Batch(cmd, next)
}

// View panics after "!" if the variable says so.
func (f *faultyModel) View() tea.View {
	if f.asked {
		panicAt("view")
	}
	return f.Model.View()
}

// faultyParts returns parts of the engine that panic where the variable says.
func faultyParts(o engine.Options) engine.Options {
	if os.Getenv(PanicVariable) == "" {
		return o
	}
	inner := o.Provider
	o.Provider = func(p agents.Profile) (agents.Provider, error) {
		client, err := inner(p)
		if err != nil {
			return nil, err
		}
		return faultyProvider{client}, nil
	}
	for i, t := range o.Tools {
		if _, ok := t.(tools.WorkspaceTool); !ok { // which a wrapper would hide
			o.Tools[i] = faultyTool{t}
		}
	}
	o.Recorder = faultyRecorder{o.Recorder}
	return o
}

type faultyProvider struct{ agents.Provider }

// Stream panics after the first chunk if the variable says so.
func (f faultyProvider) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		for c, err := range f.Provider.Stream(ctx, req) {
			if !yield(c, err) {
				return
			}
			panicAt("agent")
		}
	}
}

type faultyTool struct{ tools.Tool }

// Run panics if the variable says so.
func (f faultyTool) Run(ctx context.Context, tc tools.Context, args json.RawMessage) (tools.Output, error) {
	panicAt("tool")
	return f.Tool.Run(ctx, tc, args)
}

type faultyRecorder struct{ engine.Recorder }

// Journal panics if the variable says so.
func (f faultyRecorder) Journal(ctx context.Context, parts []debate.PartialText) error {
	panicAt("store")
	return f.Recorder.Journal(ctx, parts)
}
