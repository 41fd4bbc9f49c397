package tui_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui"
)

// manyCalls feeds 1,000 calls with results of 64 KB to a running debate of eight seats,
// and draws while they come.
func manyCalls(tb testing.TB, m *tui.Model) {
	tb.Helper()
	s := held(8, 1, 4)
	for i := range 1000 {
		who := s.Seats[i%len(s.Seats)].ID
		t := turn(who, 2)
		call := debate.ToolRecord{
			ID: t.ToolCall(i + 1), Name: "read_file", Args: fmt.Sprintf(`{"path":"file%d.go"}`, i), State: debate.ToolPending,
		}
		m.Update(tui.Gathered(m, debate.ToolsCalled{Turn: t, Tools: []debate.ToolRecord{call}, At: time.Now()}))
		call.State, call.Began = debate.ToolRunning, time.Now()
		m.Update(tui.Gathered(m, debate.ToolStarted{Turn: t, Tool: call, At: time.Now()}))
		call.State, call.Took = debate.ToolDone, time.Millisecond
		line := fmt.Sprintf("line of file %d \x1b[31mred\x1b[m\n", i)
		call.Result = agents.ToolResult{Status: agents.ToolOK, Text: strings.Repeat(line, 64<<10/len(line)), Summary: "64 KB"}
		m.Update(tui.Gathered(m, debate.ToolEnded{Turn: t, Tool: call, At: time.Now()}))
		if i%50 == 0 {
			_ = m.View()
		}
	}
}

// The text of 1,000 results takes 64 MB by itself. With all that is laid out of it the
// interface stays below 256 MB.
func TestToolLog_keepsAThousandLargeCallsSmall(t *testing.T) {
	heap := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := heap()
	m := newModel(t, 140, 40, storing(held(8, 1, 4)), tui.Start{Session: billing})
	m.Update(keyOf("space"))
	writing(m, 8)
	manyCalls(t, m)
	for _, key := range strings.Fields("t k k k pgup pgup d d w n / f i l e 7 enter esc esc enter 3 z enter g G") {
		m.Update(keyOf(key))
		_ = m.View()
	}
	after := heap()
	t.Logf("%d MB", (after-before)>>20)
	if after-before > 256<<20 {
		t.Errorf("the interface keeps %d MB", (after-before)>>20)
	}
	if _, cmd := m.Update(keyOf("t")); !strings.Contains(m.View().Content, "1000 calls") {
		t.Errorf("the calls are not there (%v):\n%s", cmd, m.View().Content)
	}
}
