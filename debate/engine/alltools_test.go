package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/agents/tools/workspace"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/internal/testing/must"
)

// askedTool is a tool call that names its agent, and what comes of it for that agent alone.
type askedTool struct{ name, args, want string }

// callsOf returns a call of every tool by an agent, the n-th of the table. Of an argument that is
// given twice the last one counts.
func callsOf(id string, n int) []askedTool {
	return []askedTool{
		{"run_command", fmt.Sprintf(`{"argv":["sh","-c","touch made-by-%s; cat %s.txt"]}`, id, id), "the secret of " + id},
		{"list_dir", fmt.Sprintf(`{"path":"%s","path":"."}`, id), "made-by-" + id},
		{"find_files", fmt.Sprintf(`{"pattern":"%s","pattern":"made-by-*"}`, id), "made-by-" + id},
		{"read_file", fmt.Sprintf(`{"path":"%s.txt"}`, id), "the secret of " + id},
		{"search", fmt.Sprintf(`{"pattern":"secret of %s"}`, id), "the secret of " + id},
		{"list_evidence", `{}`, "[F1] log.txt"},
		{"read_evidence", fmt.Sprintf(`{"id":"%s","id":"F1","offset":%d,"limit":1}`, id, n), fmt.Sprintf("%d| line of %s", n, id)},
		{"search_evidence", fmt.Sprintf(`{"pattern":"of %s"}`, id), "line of " + id},
		{"request_context", fmt.Sprintf(`{"query":"What does %s need?","reason":"for %s","priority":"optional"}`, id, id), ""},
		{"x__lookup", fmt.Sprintf(`{"what":"%s"}`, id), "found for " + id},
		{"nothing_like_it", fmt.Sprintf(`{"who":"%s"}`, id), "There is no tool named"},
	}
}

// secretsRepository is a git repository with a file for each agent.
func secretsRepository(t *testing.T, ids []string) (dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir = t.TempDir()
	for _, id := range ids {
		must.Do(t, os.WriteFile(filepath.Join(dir, id+".txt"), []byte("the secret of "+id+"\n"), 0o600))
	}
	for _, args := range []string{"init -q", "add .", "commit -qm all"} {
		as := []string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.com"}
		if out, err := exec.CommandContext(t.Context(), "git", append(as, strings.Fields(args)...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	return dir
}

// Eight agents call all tools at once, in two rounds. Each event, each row and each result
// is its owner's.
func TestTools_ofEightAgentsAtOnceKeepTheirOwners(t *testing.T) {
	t.Parallel()
	var ids []string
	lines, log := map[string]replyFunc{}, ""
	for i := 1; i <= 8; i++ {
		id := fmt.Sprint("seat", i)
		var calls []agents.ToolCall
		for k, c := range callsOf(id, i) {
			calls = append(calls, agents.ToolCall{ID: fmt.Sprint("same", k%2), Name: c.name, Args: c.args})
		}
		ids, lines[id], log = append(ids, id), allAtOnce(calls, "I am "+id+" and agree."), log+"line of "+id+"\n"
	}
	dir, h := secretsRepository(t, ids), newHarness(t, lines)
	h.use(engine.Options{
		Tools: append([]tools.Tool{
			tools.RequestContext(), tools.RunCommand(0), tools.ListEvidence(), tools.ReadEvidence(), tools.SearchEvidence(),
		}, workspace.Tools()...),
		ExternalTools: func(context.Context) ([]tools.Tool, [][]string, error) { return []tools.Tool{lookup(false)}, nil, nil },
		Env:           []string{"PATH=" + os.Getenv("PATH")},
		Workspaces: func(context.Context, debate.Session) (engine.Workspaces, error) {
			return workspace.New(workspace.Options{Dir: dir, Mode: workspace.Clone, Base: t.TempDir()})
		},
	})
	s := h.changed(h.session("collaborative", 3, ids...), func(s *debate.Session) {
		s.Workspace = debate.Workspace{Dir: dir, Mode: debate.WorkspaceClone, Commands: true}
		s.Evidence = []debate.Evidence{debate.NewEvidence("log.txt", debate.EvidenceFile, log, "")}
	})
	var evs []debate.Event
	for range 2 {
		more, next, err := allowing(h.engine.Start(t.Context(), s))
		must.Do(t, err)
		evs, s = append(evs, more...), next
	}
	must.Do(t, h.engine.Close())
	ownEvents(t, evs, 2*8*len(callsOf("", 0)))
	for i, id := range ids {
		h.ownRows(s, id, callsOf(id, i+1))
	}
	if len(s.Requests) != 8 {
		t.Errorf("%d questions are stored", len(s.Requests))
	}
	for _, r := range s.Requests {
		if who := r.Askers(); len(who) != 1 || r.Query != fmt.Sprintf("What does %s need?", who[0]) {
			t.Errorf("%s asked %q", who, r.Query)
		}
	}
}

// ownEvents checks that every event of a call names the agent that made it.
func ownEvents(t *testing.T, evs []debate.Event, each int) {
	t.Helper()
	announced := map[string]int{}
	owned := func(kind string, turn agents.Turn, id, words string) {
		announced[kind]++
		who := string(turn.Agent)
		if !strings.HasPrefix(id, fmt.Sprintf("r%d.s0.%s.a1.", turn.Round, who)) || !strings.Contains(words, who) && words != "{}" {
			t.Errorf("%s of %s in round %d is of the call %s: %s", kind, who, turn.Round, id, words)
		}
	}
	for _, ev := range evs {
		switch ev := ev.(type) {
		case debate.ToolsCalled:
			for _, call := range ev.Tools {
				owned("called", ev.Turn, call.ID, call.Args)
			}
		case debate.ToolStarted:
			owned("started", ev.Turn, ev.Tool.ID, ev.Tool.Args)
		case debate.ToolEnded:
			owned("ended", ev.Turn, ev.Tool.ID, ev.Tool.Args)
		case debate.ApprovalAsked:
			owned("asked", ev.Turn, ev.CallID, strings.Join(ev.Argv, " ")+ev.Dir)
		case debate.ApprovalDecided:
			owned("decided", ev.Turn, ev.CallID, string(ev.Turn.Agent))
		}
	}
	for _, kind := range []string{"called", "started", "ended"} {
		if announced[kind] != each {
			t.Errorf("%d calls were announced as %s, want %d", announced[kind], kind, each)
		}
	}
	if announced["asked"] != 16 || announced["decided"] != 16 {
		t.Errorf("%d commands were asked for and %d decided on, want 16", announced["asked"], announced["decided"])
	}
}

// ownRows checks that an agent's stored calls are its own, in their order, with results
// that no other agent could have had.
func (h *harness) ownRows(s debate.Session, id string, want []askedTool) {
	h.Helper()
	for _, round := range s.History {
		var rows []debate.ToolRecord
		for _, x := range round.AttemptsOf(agents.ID(id)) {
			for _, p := range x.Passages {
				rows = append(rows, p.Tools...)
			}
		}
		if len(rows) != len(want) {
			h.Fatalf("%s: %d calls are stored in round %d, want %d", id, len(rows), round.Number, len(want))
		}
		for i, c := range rows {
			w := want[i]
			if c.ID != fmt.Sprintf("r%d.s0.%s.a1.t%d", round.Number, id, i+1) || c.Name != w.name || c.Args != w.args || c.State != debate.ToolDone {
				h.Errorf("%s: call %d is %+v, want %+v", id, i+1, c, w)
			}
			if !strings.Contains(c.Result.Text, w.want) || strings.Count(c.Result.Text, "made-by-") > 1 {
				h.Errorf("%s: %s returned %q, want %q and nothing that others made", id, c.Name, c.Result.Text, w.want)
			}
		}
	}
}

// allAtOnce calls tools in one completion, and then answers.
func allAtOnce(calls []agents.ToolCall, answer string) replyFunc {
	return func(_ int, req agents.Request) ([]agents.Chunk, error) {
		last := req.Messages[len(req.Messages)-1]
		if len(req.Tools) == 0 || last.Role == agents.ToolRole {
			return []agents.Chunk{{Text: answer}, {Finish: agents.FinishStop}}, nil
		}
		return []agents.Chunk{{Finish: agents.FinishToolCalls, Calls: calls}}, nil
	}
}

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
	h.use(engine.Options{Tools: []tools.Tool{g.tool()}})
	h.run(h.session("collaborative", 1, ids...))
	if most := int64(max(1, runtime.GOMAXPROCS(0)-1)); g.most.Load() > most || g.calls.Load() != 16 {
		t.Errorf("%d of %d calls worked at once, want at most %d of 16", g.most.Load(), g.calls.Load(), most)
	}
}
