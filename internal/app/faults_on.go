//go:build crashpoints

package app

import (
	"context"
	"encoding/json"
	"iter"
	"os"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/internal/term"
)

func faultyParts(o engine.Options) engine.Options {
	if os.Getenv(term.PanicVariable) == "" {
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
			term.PanicAt("agent")
		}
	}
}

type faultyTool struct{ tools.Tool }

// Run panics if the variable says so.
func (f faultyTool) Run(ctx context.Context, tc tools.Context, args json.RawMessage) (tools.Output, error) {
	term.PanicAt("tool")
	return f.Tool.Run(ctx, tc, args)
}

type faultyRecorder struct{ engine.Recorder }

// Journal panics if the variable says so.
func (f faultyRecorder) Journal(ctx context.Context, parts []debate.Text) error {
	term.PanicAt("store")
	return f.Recorder.Journal(ctx, parts)
}
