package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
)

// lookup returns a tool from outside.
func lookup(shared bool) tools.Tool {
	const schema = `{"type":"object","properties":{"what":{"type":"string"}}}`
	return tools.Tool{
		Spec:   agents.ToolSpec{Name: "x__lookup", Description: "Looks up.", Schema: json.RawMessage(schema)},
		Shared: shared,
		Run: func(_ context.Context, tc tools.Context, _ json.RawMessage) (tools.Output, error) {
			return tools.Output{Text: tc.Foreign("result of x", "found for "+string(tc.Turn.Agent)), Summary: "found"}, nil
		},
	}
}

// replyLooking calls the tool from outside in a turn's first completion.
func replyLooking(then replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if req.Messages[len(req.Messages)-1].Role == agents.ToolRole {
			return then(n, req)
		}
		return []agents.Chunk{{Finish: agents.FinishToolCalls, Calls: []agents.ToolCall{{ID: "x", Name: "x__lookup", Args: "{}"}}}}, nil
	}
}

func TestExternalTools_areStartedForARoundAndTheirProblemsAreToldOnce(t *testing.T) {
	h := newHarness(t, map[string]replyFunc{"ada": replyLooking(replyText("Yes.")), "brook": replyText("No.")})
	starts := 0
	h.use(engine.Options{
		Tools: []tools.Tool{tools.RequestContext()},
		ExternalTools: func(context.Context) ([]tools.Tool, [][]string, error) {
			starts++
			return []tools.Tool{lookup(false)}, [][]string{{"The MCP server y cannot be used.", "It is old."}}, nil
		},
	})
	evs, s := h.run(h.session("collaborative", 2, "ada", "brook"))
	if waits := eventsOf[debate.Assisting](evs); len(waits) != 1 || waits[0].Task != debate.TaskTools {
		t.Errorf("before the round it waited for %+v", waits)
	}
	told := noticesByCode(evs)["tools"]
	if starts != 1 || len(told) != 1 || told[0].Text != "The MCP server y cannot be used. It is old." {
		t.Errorf("after a round: %d starts, told %+v", starts, told)
	}
	evs, s = h.run(s)
	if told := noticesByCode(evs)["tools"]; starts != 2 || len(told) > 0 {
		t.Errorf("in the next round: %d starts, told %+v", starts, told)
	}
	offered := h.provider.requests("brook")[0].Tools
	if !slices.ContainsFunc(offered, func(s agents.ToolSpec) bool { return s.Name == "x__lookup" }) {
		t.Errorf("offered %+v", offered)
	}
	var called []debate.ToolRecord
	for _, x := range s.History[0].Responses {
		for _, p := range x.Passages {
			called = append(called, p.Tools...)
		}
	}
	if len(called) != 1 || called[0].Name != "x__lookup" || called[0].Result.Status != agents.ToolOK {
		t.Errorf("calls = %+v", called)
	}
}

func TestExternalTools_aRunEndsWithTheirContext(t *testing.T) {
	h := newHarness(t, map[string]replyFunc{"ada": replyText("Yes."), "brook": replyText("No.")})
	began := make(chan struct{})
	h.use(engine.Options{
		ExternalTools: func(ctx context.Context) ([]tools.Tool, [][]string, error) {
			close(began)
			<-ctx.Done()
			return nil, nil, ctx.Err()
		},
	})
	run := h.engine.Start(t.Context(), h.session("collaborative", 1, "ada", "brook"))
	go func() {
		<-began
		run.Stop()
	}()
	if _, _, err := drain(run); !errors.Is(err, debate.ErrStopped) || h.provider.count() != 0 {
		t.Errorf("err = %v after %d requests", err, h.provider.count())
	}
}

func TestExternalTools_areNotStartedForTheDemo(t *testing.T) {
	h := newHarness(t, nil)
	h.use(engine.Options{
		ExternalTools: func(context.Context) ([]tools.Tool, [][]string, error) {
			t.Error("started")
			return nil, nil, nil
		},
	})
	h.run(h.changed(h.session("collaborative", 1, "ada", "brook"), func(s *debate.Session) { s.Seats = demo.Panel(3) }))
}

func TestExternalTools_thatSeatsShareWhileTheySpeakAreAStoredNotice(t *testing.T) {
	for _, tt := range []struct {
		mode   string
		shared bool
		want   int
	}{
		{"collaborative", true, 1},
		{"collaborative", false, 0},
		{"socratic", true, 0},
	} {
		h := newHarness(t, map[string]replyFunc{"ada": replyText("Yes."), "brook": replyText("No.")})
		h.use(engine.Options{
			ExternalTools: func(context.Context) ([]tools.Tool, [][]string, error) {
				return []tools.Tool{lookup(tt.shared)}, nil, nil
			},
		})
		evs, _ := h.runRounds(h.session(tt.mode, 2, "ada", "brook"), 2)
		got := noticesByCode(evs)["shared_tool"]
		if len(got) != tt.want || tt.want > 0 && (got[0].Round != 1 || !strings.HasPrefix(got[0].Text, "x__lookup may change something")) {
			t.Errorf("%s, shared %t: %+v", tt.mode, tt.shared, got)
		}
	}
}
