package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
)

// loopProvider is a provider whose agent asks the user for a fact and for permission
// amid its answer, and may fail after that.
type loopProvider struct {
	agents.Provider
	fails bool

	mu       sync.Mutex
	prepared []string
	before   []int // how many were prepared when a turn began
	closed   []string
	folder   agents.Folder
	kit      agents.Toolkit
}

func (p *loopProvider) Prepare(session string, who agents.Profile, _ bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.prepared = append(p.prepared, session+" "+string(who.ID))
}

func (p *loopProvider) CloseSession(session string) { p.closed = append(p.closed, session) }

func (p *loopProvider) StreamTurn(
	ctx context.Context, turn agents.Turn, req agents.Request, kit agents.Toolkit,
) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		p.mu.Lock()
		p.before = append(p.before, len(p.prepared))
		p.mu.Unlock()
		if turn.Agent != "ada" || len(kit.Specs()) == 0 { // the chair, or a request for a block
			yield(agents.Chunk{Text: "Brook agrees.", Finish: agents.FinishStop}, nil)
			return
		}
		p.folder, _ = kit.Folder(ctx, turn)
		yield(agents.Chunk{Reasoning: "Hm. ", Text: "Let me look."}, nil)
		var calls sync.WaitGroup
		calls.Go(func() {
			kit.Execute(ctx, turn, "", agents.ToolCall{
				Name: "functions.request_context:0",
				Args: "```json\n" + `{"query":"How many users?","reason":"it decides","priority":"required"}` + "\n```",
			})
		})
		calls.Wait()
		own := agents.OwnCall{ID: "x", Name: "execute", Args: `{"title":"date"}`}
		yield(agents.Chunk{Own: &own}, nil)
		allowed, _ := kit.Approve(ctx, turn, own, []string{"date"})
		own.Done, own.Args = true, `{"title":"date, in UTC"}`
		own.Result = agents.ToolResult{Status: agents.ToolOK, Text: fmt.Sprint(allowed), Summary: "done"}
		yield(agents.Chunk{Own: &own}, nil)
		yield(agents.Chunk{Text: "I say "}, nil)
		if p.fails {
			yield(agents.Chunk{}, &agents.Failure{Kind: agents.KindTruncated, Cause: "It ended."})
		} else {
			yield(agents.Chunk{Text: "yes.", Finish: agents.FinishStop}, nil)
		}
		p.kit = kit
	}
}

// allowing plays a run and allows what it asks for.
func allowing(run *engine.Run) (evs []debate.Event, s debate.Session, err error) {
	return each(run, func(ev debate.Event) {
		if asked, ok := ev.(debate.ApprovalAsked); ok {
			run.Decide(asked.CallID, debate.Approval{Choice: debate.ApprovalOnce, Hash: asked.Hash})
		}
	})
}

// All programs are being started before the first of them is asked.
func TestLoopProvider_recordsCallsAmidAnAnswer(t *testing.T) {
	for _, fails := range []bool{false, true} {
		h := newHarness(t, nil)
		p := &loopProvider{fails: fails}
		h.useProvider(p)
		s := h.session("collaborative", 2, "ada", "brook")
		evs, s, err := allowing(h.engine.Start(t.Context(), s))
		var open *debate.RoundFailedError
		if err != nil && !errors.As(err, &open) {
			t.Fatal(err)
		}
		got := h.read(s).History[0].AttemptsOf("ada")[0]
		want := []debate.Passage{
			{Reasoning: "Hm. ", Text: "Let me look.", Tools: []debate.ToolRecord{
				{
					ID: "r1.s0.ada.a1.t1", Name: agents.RequestContextName, State: debate.ToolDone,
					Args:   `{"query":"How many users?","reason":"it decides","priority":"required"}`,
					Result: agents.ToolResult{Status: agents.ToolOK},
				},
				{
					ID: "r1.s0.ada.a1.t2", Name: "execute", Args: `{"title":"date, in UTC"}`, Own: true, State: debate.ToolDone,
					Result: agents.ToolResult{Status: agents.ToolOK},
				},
			}},
			{Text: "I say yes."},
		}
		if fails {
			want[1].Text = "I say "
		}
		ignored := cmp.Options{
			cmpopts.IgnoreFields(debate.ToolRecord{}, "Began", "Took"), cmpopts.IgnoreFields(agents.ToolResult{}, "Text", "Summary"),
		}
		if diff := cmp.Diff(want, got.Passages, ignored); diff != "" {
			t.Errorf("passages (-want +got):\n%s", diff)
		}
		if own := got.Passages[0].Tools[1].Result; own.Text != "true" {
			t.Errorf("the permitted call: %+v", own)
		}
		asked := eventsOf[debate.ApprovalAsked](evs)
		if len(asked) != 1 || asked[0].CallID != "r1.s0.ada.a1.t2" || !slices.Equal(asked[0].Argv, []string{"date"}) {
			t.Errorf("the user was asked %+v", asked)
		}
		if got.Calls != 1 || !got.Usage.Estimated || (got.State == debate.TurnDone) == fails {
			t.Errorf("fails=%v: %d requests, usage %+v, state %s", fails, got.Calls, got.Usage, got.State)
		}
		receipts, err := h.store.Receipts(t.Context(), s.ID)
		if err != nil || len(receipts) != 2 {
			t.Errorf("receipts: %d, %v", len(receipts), err)
		}
		late := p.kit.Execute(t.Context(), got.Turn, "", agents.ToolCall{Name: agents.ReadEvidenceName})
		if late.Status != agents.ToolError {
			t.Errorf("a call after the turn: %+v", late)
		}
		if err := h.engine.CloseSession(s.ID); err != nil {
			t.Error(err)
		}
		if len(p.prepared) != 2 || p.before[0] != 2 || len(p.closed) != 1 || p.closed[0] != s.ID {
			t.Errorf("prepared %q, of whom %v when a seat was asked, closed %q", p.prepared, p.before, p.closed)
		}
		if fails {
			continue
		}
		var blocked *debate.BlockedError
		if _, _, err := allowing(h.engine.Start(t.Context(), s)); !errors.As(err, &blocked) {
			t.Errorf("the next round: %v, want it blocked", err)
		}
	}
}

// No round begins, and no program is started, if one would have to sit in a container.
func TestLoopProvider_isNotStartedForAContainer(t *testing.T) {
	h, p := newHarness(t, nil), &loopProvider{}
	h.useProvider(p)
	s := h.changed(h.session("collaborative", 1, "ada", "brook"), func(s *debate.Session) {
		s.Workspace, s.Seats[1].Loop = debate.Workspace{Dir: "/src", Mode: debate.WorkspaceContainer}, true
	})
	var refused *debate.WorkspaceError
	if _, _, err := allowing(h.engine.Start(t.Context(), s)); !errors.As(err, &refused) || len(p.prepared) > 0 {
		t.Errorf("got %v, prepared %q", err, p.prepared)
	}
	if got := h.read(s); len(got.History) > 0 {
		t.Error("a round has begun")
	}
}

// untakenProvider is a provider whose agent never reads the list of its tools.
type untakenProvider struct{ loopProvider }

func (*untakenProvider) StreamTurn(
	_ context.Context, turn agents.Turn, _ agents.Request, kit agents.Toolkit,
) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		unread := turn.Agent == "ada" && len(kit.Specs()) > 0
		yield(agents.Chunk{Text: "I say yes.", Finish: agents.FinishStop, ToolsUnread: unread}, nil)
	}
}

func TestLoopProvider_aSeatThatTookNoToolsIsMarked(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	h.useProvider(&untakenProvider{})
	s := h.session("collaborative", 2, "ada", "brook")
	evs, s := h.runToVerdict(s)
	want := []string{s.NameOf("ada") + " has not taken the tools of the debate: this seat cannot ask you."}
	told, kept := noticesByCode(evs)[debate.NoticeToolsUnread], noticesOf(h.read(s), debate.NoticeToolsUnread)
	if !slices.Equal(kept, want) || len(told) != 1 {
		t.Errorf("announced %+v, kept %q", told, kept)
	}
	for _, r := range s.History {
		for _, x := range r.Responses {
			marked := slices.Contains(x.Statement.Notes, debate.ToolsUnreadText("it"))
			if marked != (x.Turn.Agent == "ada") {
				t.Errorf("round %d: %s has the notes %q", r.Number, x.Turn.Agent, x.Statement.Notes)
			}
		}
	}
}

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

func TestExternalTools_areStartedForARoundAndTheirProblemsAreToldOnce(t *testing.T) {
	looks := replyCalling(replyText("Yes."), agents.ToolCall{Name: "x__lookup", Args: "{}"})
	h := newHarness(t, map[string]replyFunc{"ada": looks, "brook": replyText("No.")})
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
	if called := h.toolsOf(s, "ada"); len(called) != 1 || called[0].Name != "x__lookup" || called[0].Result.Status != agents.ToolOK {
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
