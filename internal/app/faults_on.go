//go:build crashpoints

package app

import (
	"context"
	"iter"
	"os"

	"roundtable/agents"
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

type faultyRecorder struct{ engine.Recorder }

// Journal panics if the variable says so.
func (f faultyRecorder) Journal(ctx context.Context, parts []debate.Text) error {
	term.PanicAt("store")
	return f.Recorder.Journal(ctx, parts)
}
