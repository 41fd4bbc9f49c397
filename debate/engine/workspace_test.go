package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/agents/tools/workspace"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/engine"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/must"
)

// rooms are workspaces in which a command says who ran it. They keep what ran.
type rooms struct {
	mu     sync.Mutex
	ran    []string
	closed int
}

func (r *rooms) Workspace(_ context.Context, id agents.ID) (tools.Workspace, error) {
	return room{r, id}, nil
}

func (r *rooms) Home(agents.ID) (string, error) { return os.TempDir(), nil }

func (r *rooms) TempDir(string) (string, error) { return os.MkdirTemp("", "call") }

func (r *rooms) Lines(_ context.Context, path string) (int, string, error) {
	if path != "cmd/main.go" {
		return 0, "", os.ErrNotExist
	}
	return 12, strings.Repeat("0", 32), nil
}

func (r *rooms) Close() error {
	r.closed++
	return nil
}

func (r *rooms) commands() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.ran)
}

type room struct {
	*rooms
	owner agents.ID
}

func (r room) Info() tools.WorkspaceInfo {
	return tools.WorkspaceInfo{Mode: "clone", Dir: "/clone/" + string(r.owner)}
}

func (r room) Open() (*os.Root, error) { return nil, errors.New("nothing to read") }

func (r room) Run(_ context.Context, c tools.Command) (tools.CommandResult, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ran = append(r.ran, string(r.owner)+": "+strings.Join(c.Argv, " "))
	return tools.CommandResult{Output: "ran for " + string(r.owner)}, nil
}

// runs is a call of run_command.
func runs(argv ...string) agents.ToolCall {
	return agents.ToolCall{Name: agents.RunCommandName, Args: fmt.Sprintf(`{"argv":["%s"]}`, strings.Join(argv, `","`))}
}

// newCommandHarness is a table whose agents may ask to run commands.
func newCommandHarness(t *testing.T, lines map[string]replyFunc) (*harness, *rooms) {
	h, r := newHarness(t, lines), &rooms{}
	h.withWorkspaces(func(context.Context, debate.Session) (engine.Workspaces, error) { return r, nil })
	return h, r
}

func (h *harness) withWorkspaces(open func(context.Context, debate.Session) (engine.Workspaces, error), allowed ...string) {
	var patterns [][]string
	for _, program := range allowed {
		patterns = append(patterns, []string{program})
	}
	h.use(engine.Options{
		Tools:      append([]tools.Tool{tools.RequestContext(), tools.ReadEvidence(), tools.RunCommand(0)}, workspace.Tools()...),
		Workspaces: open, AllowCommands: patterns,
	})
}

// inWorkspace creates a session with a workspace.
func (h *harness) inWorkspace(w debate.Workspace, rounds int, models ...string) debate.Session {
	h.Helper()
	return h.changed(h.session("collaborative", rounds, models...), func(s *debate.Session) { s.Workspace = w })
}

var clones = debate.Workspace{Dir: "/src", Mode: debate.WorkspaceClone, Commands: true}

// toolsOf returns the tool calls of a seat in the newest round, as they are stored.
func (h *harness) toolsOf(s debate.Session, id agents.ID) []debate.ToolRecord {
	h.Helper()
	stored := must.Get(h.store.Session(context.WithoutCancel(h.Context()), s.ID))(h)
	var all []debate.ToolRecord
	for _, x := range stored.Current().AttemptsOf(id) {
		for _, p := range x.Passages {
			all = append(all, p.Tools...)
		}
	}
	return all
}

// Whatever the user decides reaches the agent that waits, and no other one waits for it.
func TestApprovals_areDecidedByTheUser(t *testing.T) {
	for _, c := range []struct {
		name     string
		decision debate.Approval
		status   agents.ToolStatus
		text     string
		ran      []string
	}{
		{"denied", debate.Approval{Choice: debate.ApprovalDenied}, agents.ToolDenied, "The command was denied.", nil},
		{"denied with a reason", debate.Approval{Reason: "use go vet"}, agents.ToolDenied, "use go vet", nil},
		{"once", debate.Approval{Choice: debate.ApprovalOnce}, agents.ToolOK, "ran for m1", []string{"m1: go test"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, r := newCommandHarness(t, map[string]replyFunc{
					"m1": replyCalling(replyText("Yes."), runs("go", "test")), "m2": replyText("No."),
				})
				s := h.inWorkspace(clones, 1, "m1", "m2")
				run := h.engine.Start(t.Context(), s)
				var asked []debate.ApprovalAsked
				evs, s, err := follow(run, func(ev debate.Event) {
					if a, ok := ev.(debate.ApprovalAsked); ok {
						asked = append(asked, a)
						time.Sleep(3 * time.Hour)
						synctest.Wait()
						c.decision.Hash = a.Hash
						run.Decide(a.CallID, c.decision)
					}
				})
				if err != nil || len(asked) != 1 {
					t.Fatalf("err = %v, asked %d times", err, len(asked))
				}
				a := asked[0]
				if a.Turn.Agent != "m1" || !slices.Equal(a.Argv, []string{"go", "test"}) || a.Dir != "/clone/m1" || a.Mode != debate.WorkspaceClone {
					t.Errorf("asked %+v", a)
				}
				calls := h.toolsOf(s, "m1")
				if len(calls) != 1 || calls[0].Result.Status != c.status || !strings.Contains(calls[0].Result.Text, c.text) ||
					calls[0].Took > time.Minute {
					t.Errorf("stored: %+v, want %s with %q", calls, c.status, c.text)
				}
				if diff := cmp.Diff(c.ran, r.commands()); diff != "" {
					t.Errorf("ran (-want +got):\n%s", diff)
				}
				ended := map[agents.ID]time.Time{}
				for _, ev := range eventsOf[debate.TurnEnded](evs) {
					ended[ev.Response.Turn.Agent] = ev.At
				}
				if !ended["m2"].Before(a.At.Add(time.Hour)) {
					t.Error("the other seat waited")
				}
				d := eventsOf[debate.ApprovalDecided](evs)
				if len(d) != 1 || d[0].CallID != a.CallID || d[0].Approval.Choice != c.decision.Choice {
					t.Errorf("announced: %+v", d)
				}
			})
		})
	}
}

// An approval is of the command that was shown, and of no other. A line for a shell is asked about again,
// whatever was chosen before.
func TestApprovals_areBoundToTheCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, r := newCommandHarness(t, map[string]replyFunc{
			"m1": replyCalling(replyText("Yes."), runs("go", "test"), runs("rm", "-rf", "x"),
				runs("sh", "-c", "make"), runs("sh", "-c", "make")), "m2": replyText("No."),
		})
		run := h.engine.Start(t.Context(), h.inWorkspace(clones, 1, "m1", "m2"))
		first := ""
		evs, s, err := follow(run, func(ev debate.Event) {
			a, ok := ev.(debate.ApprovalAsked)
			switch {
			case !ok:
			case a.Argv[0] == "sh":
				run.Decide(a.CallID, debate.Approval{Choice: debate.ApprovalPattern, Hash: a.Hash, Pattern: []string{"sh"}})
				run.Decide(a.CallID, debate.Approval{Choice: debate.ApprovalOnce, Hash: a.Hash})
			case first == "":
				first = a.Hash
				run.Decide(a.CallID, debate.Approval{Choice: debate.ApprovalPattern, Hash: a.Hash, Pattern: []string{"go"}})
			default:
				run.Decide(a.CallID, debate.Approval{Choice: debate.ApprovalOnce, Hash: first})
				run.Decide(a.CallID, debate.Approval{Choice: debate.ApprovalPattern, Hash: a.Hash, Pattern: []string{"go"}})
				run.Decide("r1.s0.m1.a1.t9", debate.Approval{Choice: debate.ApprovalOnce, Hash: first})
				synctest.Wait()
				run.Decide(a.CallID, debate.Approval{})
			}
		})
		must.Do(t, err)
		if diff := cmp.Diff([]string{"m1: go test", "m1: sh -c make", "m1: sh -c make"}, r.commands()); diff != "" {
			t.Errorf("ran (-want +got):\n%s", diff)
		}
		if refused := eventsOf[debate.Refused](evs); len(refused) != 3+2 {
			t.Errorf("refused: %+v", refused)
		}
		if calls := h.toolsOf(s, "m1"); len(calls) != 4 || calls[1].Result.Status != agents.ToolDenied {
			t.Errorf("stored: %+v", calls)
		}
		if asked := eventsOf[debate.ApprovalAsked](evs); len(asked) != 4 || asked[0].EachTime != "" || asked[2].EachTime == "" {
			t.Errorf("asked: %+v", asked)
		}
		if d := eventsOf[debate.ApprovalDecided](evs); len(d) != 4 || d[2].Approval.Choice != debate.ApprovalOnce {
			t.Errorf("decided: %+v", d)
		}
	})
}

// A pattern is for the commands of all seats that begin so, until the session is closed; those
// of the options hold from the start.
func TestApprovals_byPatternEndWithTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ask := func() replyFunc {
			return replyCalling(replyText("Yes."), runs("go", "test"), runs("go", "test", "./x"), runs("go", "vet"), runs("make", "-n"))
		}
		h, r := newCommandHarness(t, map[string]replyFunc{"m1": ask(), "m2": ask()})
		h.withWorkspaces(func(context.Context, debate.Session) (engine.Workspaces, error) { return r, nil }, "make")
		s := h.inWorkspace(clones, 4, "m1", "m2")
		var asked []string
		play := func() {
			asked = nil
			run := h.engine.Start(t.Context(), s)
			evs, next, err := follow(run, func(ev debate.Event) {
				a, ok := ev.(debate.ApprovalAsked)
				if !ok {
					return
				}
				asked = append(asked, strings.Join(a.Argv, " "))
				synctest.Wait() // until the other seat waits, too
				decision := debate.Approval{Choice: debate.ApprovalOnce, Hash: a.Hash}
				if a.Argv[1] == "test" {
					decision.Choice, decision.Pattern = debate.ApprovalPattern, []string{"go", "test"}
				}
				run.Decide(a.CallID, decision)
			})
			must.Do(t, err)
			if n := len(eventsOf[debate.ApprovalDecided](evs)); n != 8 {
				t.Errorf("%d decisions were announced, want 8", n)
			}
			if n := len(eventsOf[debate.Refused](evs)); n > 1 { // of the seat that waited for the same
				t.Errorf("%d decisions were refused, want one at most", n)
			}
			s = next
			slices.Sort(asked)
			asked = slices.Compact(asked)
		}
		play()
		if diff := cmp.Diff([]string{"go test", "go vet"}, asked); diff != "" {
			t.Errorf("round 1 asks (-want +got):\n%s", diff)
		}
		play()
		if diff := cmp.Diff([]string{"go vet"}, asked); diff != "" {
			t.Errorf("round 2 asks (-want +got):\n%s", diff)
		}
		if err := h.engine.CloseSession(s.ID); err != nil || r.closed != 1 {
			t.Fatalf("err = %v, closed %d times", err, r.closed)
		}
		play()
		if diff := cmp.Diff([]string{"go test", "go vet"}, asked); diff != "" {
			t.Errorf("after the session was closed it asks (-want +got):\n%s", diff)
		}
		if n := len(r.commands()); n != 24 {
			t.Errorf("%d commands ran, want 24", n)
		}
	})
}

// What ends a turn or pauses the debate denies its command, and the denial is stored.
func TestApprovals_areDeniedWhenTheTurnEnds(t *testing.T) {
	for _, c := range []struct {
		name, reason string
		do           func(*engine.Run, agents.Turn)
		state        debate.TurnState
	}{
		{"stopped, as by quitting", "the turn was ended", func(r *engine.Run, _ agents.Turn) { r.Stop() }, debate.TurnInterrupted},
		{"cancelled", "the turn was ended", func(r *engine.Run, t agents.Turn) { r.Cancel(t) }, debate.TurnCancelled},
		{"ended", "the turn was ended", func(r *engine.Run, _ agents.Turn) { r.End() }, debate.TurnCancelled},
		{"paused", "the debate was paused", func(r *engine.Run, _ agents.Turn) { r.Pause(true) }, debate.TurnDone},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, r := newCommandHarness(t, map[string]replyFunc{
					"m1": replyCalling(replyText("Yes."), runs("go", "test")), "m2": replyText("No."),
				})
				s := h.inWorkspace(clones, 2, "m1", "m2")
				run := h.engine.Start(t.Context(), s)
				evs, s, _ := follow(run, func(ev debate.Event) {
					if a, ok := ev.(debate.ApprovalAsked); ok {
						c.do(run, a.Turn)
						synctest.Wait()
						run.Decide(a.CallID, debate.Approval{Choice: debate.ApprovalOnce, Hash: a.Hash})
					}
				})
				calls := h.toolsOf(s, "m1")
				if len(calls) != 1 || calls[0].State != debate.ToolDone || calls[0].Result.Status != agents.ToolDenied ||
					!strings.Contains(calls[0].Result.Text, c.reason) {
					t.Errorf("stored: %+v", calls)
				}
				if got := stateOf(s, "m1"); len(got) != 1 || got[0] != c.state {
					t.Errorf("the turn is %v, want %s", got, c.state)
				}
				if d := eventsOf[debate.ApprovalDecided](evs); len(d) != 1 || d[0].Approval.Allows() || d[0].Approval.Reason != c.reason {
					t.Errorf("announced: %+v", d)
				}
				if ran := r.commands(); len(ran) > 0 {
					t.Errorf("it ran %v", ran)
				}
			})
		})
	}
}

func TestCommands_areOfferedOnlyWhereTheyCanRun(t *testing.T) {
	for _, c := range []struct {
		name string
		w    debate.Workspace
		want string
	}{
		{"no workspace", debate.Workspace{}, "request_context"},
		{"local", debate.Workspace{Dir: "/src", Mode: debate.WorkspaceLocal, Commands: true}, "find_files, list_dir, read_evidence, read_file, request_context, search"},
		{"not allowed", debate.Workspace{Dir: "/src", Mode: debate.WorkspaceClone}, "find_files, list_dir, read_evidence, read_file, request_context, search"},
		{"clone", clones, "find_files, list_dir, read_evidence, read_file, request_context, run_command, search"},
	} {
		h, _ := newCommandHarness(t, map[string]replyFunc{"m1": replyText("Yes."), "m2": replyText("No.")})
		h.run(h.inWorkspace(c.w, 2, "m1", "m2"))
		if got := toolNames(h.provider.requests("m2")[0]); got != c.want {
			t.Errorf("%s: offered %q, want %q", c.name, got, c.want)
		}
	}
}

// A mode that does not work is told before the round begins; no other mode takes its place.
func TestWorkspace_thatDoesNotWorkStartsNoRound(t *testing.T) {
	h := newHarness(t, map[string]replyFunc{"m1": replyText("Yes."), "m2": replyText("No.")})
	h.withWorkspaces(func(context.Context, debate.Session) (engine.Workspaces, error) {
		return nil, errors.New("bwrap is missing")
	})
	s := h.inWorkspace(debate.Workspace{Dir: "/src", Mode: debate.WorkspaceContainer}, 1, "m1", "m2")
	_, s, err := drain(h.engine.Start(t.Context(), s))
	var faulty *debate.WorkspaceError
	if !errors.As(err, &faulty) || !strings.Contains(err.Error(), "/src (container) cannot be used: bwrap is missing") {
		t.Errorf("err = %v", err)
	}
	if len(s.History) != 0 || h.provider.count() != 0 {
		t.Errorf("%d rounds began, %d requests were sent", len(s.History), h.provider.count())
	}
}

// A place of a finding in the workspace is looked up when the statement is made, and stored.
func TestWorkspace_hasThePlacesThatFindingsName(t *testing.T) {
	list := finding("Leak", "cmd/main.go:12") + ", " + finding("Loop", "cmd/none.go:1") + ", " + finding("Late", "cmd/main.go:13")
	h, _ := newCommandHarness(t, map[string]replyFunc{"ann": replyReviewing(list, nil), "ben": replyReviewing("", nil)})
	s := h.changed(h.session("review", 2, "ann", "ben"), func(s *debate.Session) { s.Workspace = clones })
	_, _, err := drain(h.engine.Start(t.Context(), s))
	must.Do(t, err)
	s = h.read(s)
	var absent []string
	for _, f := range verdict.FirstFindings(s) {
		absent = append(absent, fmt.Sprint(f.Title, " ", f.Places[0].Absent))
	}
	if got := strings.Join(absent, ", "); got != "Leak false, Loop true, Late true" {
		t.Error(got)
	}
}

// Lines that a seat read can be cited and are pinned by the hash of the file, also once that has
// changed. A citation of lines that no seat has read is an error.
func TestWorkspace_linesThatWereReadCanBeCited(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "src", "main.go")
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
	must.Do(t, os.WriteFile(file, []byte("package main\n\nfunc main() {}\n"), 0o600))
	reads := agents.ToolCall{Name: agents.ReadFileName, Args: `{"path":"./src/main.go","limit":2}`}
	h := newHarness(t, map[string]replyFunc{
		"m1": allAtOnce([]agents.ToolCall{reads}, "It is a program [src/main.go:1-2], see [src/main.go:3]."),
		"m2": replyText("I agree [src/main.go:1] and [src/other.go:7]."),
	})
	h.withWorkspaces(func(context.Context, debate.Session) (engine.Workspaces, error) {
		return workspace.New(workspace.Options{Dir: dir, Mode: workspace.Local, Base: t.TempDir()})
	})
	defer func() { must.Do(t, h.engine.Close()) }()
	s := h.inWorkspace(debate.Workspace{Dir: dir, Mode: debate.WorkspaceLocal}, 2, "m1", "m2")
	_, s, err := drain(h.engine.Start(t.Context(), s))
	must.Do(t, err)
	s = h.read(s)
	cited := func() (out []string) {
		for _, c := range cite.All(s) {
			out = append(out, fmt.Sprintf("%s by %d %s %d", c.Citation, len(c.CitedBy), c.Problem, len(c.SHA256)))
		}
		return out
	}
	want := []string{
		"src/main.go:1 by 1  32", "src/main.go:1-2 by 1  32", "src/main.go:3 by 1 not_read 0", "src/other.go:7 by 1 not_read 0",
	}
	if diff := cmp.Diff(want, cited()); diff != "" {
		t.Error(diff)
	}
	if got := cite.StatementWrong(s, s.History[0].Latest()[0]); len(got) != 1 || got[0].Why() != "No seat had read these lines." {
		t.Errorf("wrong: %v", got)
	}
	var markdown strings.Builder
	must.Do(t, report.Of(s, report.Options{}).Write(&markdown, report.Markdown))
	for _, line := range []string{"\\[src/main.go:\u20601-2\\], cited by M1.", "⚠ No seat had read these lines."} {
		if !strings.Contains(markdown.String(), line) {
			t.Errorf("%q is not in\n%s", line, markdown.String())
		}
	}
	must.Do(t, os.WriteFile(file, []byte("package other\n"), 0o600))
	_, s, err = drain(h.engine.Start(t.Context(), s))
	must.Do(t, err)
	if got := strings.Join(cited(), "\n"); !strings.Contains(got, "src/main.go:1-2 by 1  32") {
		t.Errorf("after the change:\n%s", got)
	}
}
