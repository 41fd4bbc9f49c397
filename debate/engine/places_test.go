package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate/engine"
)

// grinder is a tool that works, and counts how many calls do so at once.
type grinder struct{ working, most, calls *atomic.Int64 }

func (g grinder) tool() tools.Tool {
	return tools.Tool{Spec: agents.ToolSpec{Name: "grind", Description: "Grinds.", Schema: json.RawMessage(`{"type":"object"}`)}, Run: g.run}
}

func (g grinder) run(_ context.Context, tc tools.Context, _ json.RawMessage) (tools.Output, error) {
	defer tc.Work()()
	g.calls.Add(1)
	if n := g.working.Add(1); n > g.most.Load() {
		g.most.Store(n)
	}
	for end := time.Now().Add(time.Millisecond); time.Now().Before(end); {
		runtime.Gosched()
	}
	g.working.Add(-1)
	return tools.Output{Text: "done"}, nil
}

// However many agents work at once, a processor is left.
func TestTools_leaveAProcessor(t *testing.T) {
	var ids []string
	lines := map[string]replyFunc{}
	for i := range 8 {
		id := fmt.Sprint("seat", i)
		calls := []agents.ToolCall{{ID: "a", Name: "grind", Args: "{}"}, {ID: "b", Name: "grind", Args: " {}"}}
		ids, lines[id] = append(ids, id), allAtOnce(calls, "I agree.")
	}
	h, g := newHarness(t, lines), grinder{new(atomic.Int64), new(atomic.Int64), new(atomic.Int64)}
	h.use(engine.Options{
		Tools: []tools.Tool{g.tool()},
	})
	h.run(h.session("collaborative", 1, ids...))
	if most := int64(max(1, runtime.GOMAXPROCS(0)-1)); g.most.Load() > most || g.calls.Load() != 16 {
		t.Errorf("%d of %d calls worked at once, want at most %d of 16", g.most.Load(), g.calls.Load(), most)
	}
}
