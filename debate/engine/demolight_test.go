package engine_test

import (
	"strings"
	"testing"

	"roundtable/agents/demo"
	"roundtable/debate"
)

func TestDemo_summarisesAsTheLightModel(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyLong("b", 5000), "c": replyLong("c", 5000)})
	s := h.smallSession("collaborative", 3, func(s *debate.Session) { s.Light = &demo.Panel(4)[3] }, "a", "b", "c")
	var evs []debate.Event
	for s.Verdict == nil {
		more, next := h.run(s)
		evs, s = append(evs, more...), next
	}
	told := noticesByCode(evs)
	if len(told["summary_failed"]) > 0 || len(told["summary"]) == 0 {
		t.Errorf("%d summaries: %+v, failed: %+v", len(s.Summaries), told["summary"], told["summary_failed"])
	}
	for _, d := range s.Summaries {
		if !strings.HasPrefix(d.Text, "Scripted summary: This is what ") || d.Length*10 < d.OriginalLength*2 || d.Length*10 > d.OriginalLength*3 {
			t.Errorf("a summary of %d characters has %d: %s", d.OriginalLength, d.Length, d.Text)
		}
	}
}
