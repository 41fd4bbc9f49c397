//go:build unix

package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// What one call after another does is in the scripts mcp*.txtar of internal/cli; here is what
// needs several at once, processes that end, and forms.

// panelClient is an assistant that calls panels through `roundtable mcp`.
type panelClient struct {
	testing.TB
	*mcp.ClientSession
	cmd  *exec.Cmd
	told chan string // the messages of progress, which may come after the result
}

// panelResult is the part of a result that the tests look at.
type panelResult struct {
	Status          string
	Message         string
	Next            string
	Done, Waiting   []string
	Already         bool
	HeldBy          string
	SessionID       string
	CurrentRound    int
	ContextRequests []struct{ RequestID, Query string }
	Verdict         *struct{ Headline string }
}

// formFiller fills the forms that an assistant shows.
type formFiller func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)

// callPanels starts the server for an assistant that is named test.
func callPanels(t testing.TB, env []string, args ...string) *panelClient {
	t.Helper()
	return connect(t, "test", "", nil, program(t, env, append([]string{"mcp"}, args...)...))
}

// connect starts a server for an assistant that speaks a version of the protocol, "" for the
// newest, and shows forms unless form is nil.
func connect(t testing.TB, name, version string, form formFiller, cmd *exec.Cmd) *panelClient {
	t.Helper()
	c := &panelClient{TB: t, cmd: cmd, told: make(chan string, 100)}
	client := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: form,
		ProgressNotificationHandler: func(_ context.Context, n *mcp.ProgressNotificationClientRequest) {
			select {
			case c.told <- n.Params.Message:
			default: // the test does not read them
			}
		},
	})
	options := &mcp.ClientSessionOptions{ProtocolVersion: version}
	session := must.Get(client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, options))(t)
	t.Cleanup(func() { session.Close() })
	c.ClientSession = session
	return c
}

// call calls a tool and returns its result, or the text of its error.
func (c *panelClient) call(tool string, args map[string]any) (r panelResult, refused string) {
	c.Helper()
	params := &mcp.CallToolParams{Name: tool, Arguments: args}
	params.SetProgressToken(tool)
	res, err := c.CallTool(c.Context(), params)
	if err != nil {
		c.Fatalf("%s: %v", tool, err)
	}
	if res.IsError {
		return r, res.Content[0].(*mcp.TextContent).Text
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &r)
	}
	if err != nil {
		c.Fatalf("%s: %v", tool, err)
	}
	return r, ""
}

// start starts a debate, which must come to a status; only "running" may be that of the call.
func (c *panelClient) start(status string, args map[string]any) panelResult {
	c.Helper()
	r, refused := c.call("start_roundtable", args)
	if r.Status == "running" && status != "running" {
		r = c.until("wait_roundtable", map[string]any{"sessionId": r.SessionID}, settled)
	}
	if refused != "" || r.Status != status {
		c.Fatalf("%s %+v", refused, r)
	}
	return r
}

// until calls a tool again and again until its result is as wanted, and returns the last.
func (c *panelClient) until(tool string, args map[string]any, wanted func(panelResult) bool) panelResult {
	c.Helper()
	var r panelResult
	for begun := time.Now(); time.Since(begun) < 2*patience; {
		next, refused := c.call(tool, args)
		if refused != "" {
			c.Fatalf("%s: %s", tool, refused)
		}
		if r = next; wanted(r) {
			return r
		}
	}
	c.Fatalf("%s: it stays %+v", tool, r)
	return r
}

// is returns whether a result has a status.
func is(status string) func(panelResult) bool {
	return func(r panelResult) bool { return r.Status == status }
}

// settled returns whether nothing of a debate is played.
func settled(r panelResult) bool { return r.Status != "running" }

// text calls a tool and returns its result as text.
func (c *panelClient) text(tool string, args map[string]any) string {
	c.Helper()
	res, err := c.CallTool(c.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil || len(res.Content) != 1 {
		c.Fatalf("%s: %v, %+v", tool, err, res)
	}
	return res.Content[0].(*mcp.TextContent).Text
}

// gatedServer is a server whose models answer when the gate is opened. It tells what it was
// asked, and which requests were given up before.
func gatedServer(t testing.TB) (srv *endpoint.Server, asked, left chan string, gate chan struct{}) {
	asked, left, gate = make(chan string, 99), make(chan string, 99), make(chan struct{})
	return endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		asked <- r.Model
		return endpoint.Reply{Serve: func(w http.ResponseWriter, hr *http.Request) {
			select {
			case <-gate:
			case <-hr.Context().Done():
				left <- r.Model
				return
			}
			words := quoted(holding("Yes, it is.", "yes", ""))
			endpoint.Stream(w, `{"choices":[{"delta":{"content":`+words+`},"finish_reason":"stop"}]}`, "[DONE]")
		}}
	}), asked, left, gate
}

// gatedConfig is that of two seats at such a server, with calls that wait for a second.
func gatedConfig(t testing.TB, srv *endpoint.Server) string {
	return seated(t, srv.URL, "[mcp]\nwait = \"1s\"\n", 2)
}

// A client that gives each call up, as common ones do after a minute, gets to the verdict,
// and every model is asked once for what it says.
func TestMCP_aRoundOutlivesItsCalls(t *testing.T) {
	t.Parallel()
	srv, asked, _, gate := gatedServer(t)
	c := callPanels(t, home(t), "--config", gatedConfig(t, srv))
	start := map[string]any{"topic": "Is it so?", "rounds": 2, "question": "yes-no"}
	giveUp, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r, err := c.CallTool(giveUp, &mcp.CallToolParams{Name: "start_roundtable", Arguments: start})
		if err == nil && !strings.Contains(fmt.Sprint(r.StructuredContent), "status:running") { // it is told so where the models are asked late
			t.Errorf("the call that was given up has a result: %+v", r)
		}
	}()
	<-asked
	<-asked
	cancel()
	<-ended
	begun := c.start("running", start) // the client tries again
	if !begun.Already || begun.CurrentRound != 1 || begun.Next != "wait_roundtable" || !slices.Equal(begun.Waiting, []string{"M1", "M2"}) {
		t.Fatalf("%+v", begun)
	}
	if told := <-c.told; !strings.Contains(told, begun.SessionID) { // it is known from the first message on
		t.Errorf("progress told %q", told)
	}
	id := map[string]any{"sessionId": begun.SessionID}
	for _, tool := range []string{"wait_roundtable", "continue_roundtable", "synthesize_debate"} {
		if r, refused := c.call(tool, id); refused != "" || r.Status != "running" {
			t.Errorf("%s: %s %+v", tool, refused, r)
		}
	}
	close(gate)
	c.until("wait_roundtable", id, is("in_progress"))
	if r := c.until("continue_roundtable", id, is("completed")); !strings.Contains(r.Verdict.Headline, ", 2 of 2") {
		t.Errorf("%+v", r)
	}
	if n := len(srv.Requests("")); n != 5 { // two seats in two rounds, and the verdict
		t.Errorf("models were asked %d times", n)
	}
}

func TestMCP_pauseEndsWhatIsPlayed(t *testing.T) {
	t.Parallel()
	srv, asked, left, gate := gatedServer(t)
	c := callPanels(t, home(t), "--config", gatedConfig(t, srv))
	id := map[string]any{"sessionId": c.start("running", map[string]any{"topic": "Is it so?", "rounds": 1}).SessionID}
	<-asked
	<-asked
	pause := map[string]any{"sessionId": id["sessionId"], "action": "pause"}
	if r, refused := c.call("control_session", pause); refused != "" || r.Status != "in_progress" || !strings.HasPrefix(r.Message, "Paused.") {
		t.Errorf("%s %+v", refused, r)
	}
	<-left
	<-left
	if r, _ := c.call("control_session", pause); !strings.HasPrefix(r.Message, "Nothing of it") {
		t.Errorf("%+v", r)
	}
	close(gate)
	if r, refused := c.call("control_session", map[string]any{"sessionId": id["sessionId"], "action": "resume"}); refused != "" {
		t.Errorf("%s %+v", refused, r)
	}
	c.until("wait_roundtable", id, is("completed"))
	if n := len(srv.Requests("")); n != 5 { // two were broken off
		t.Errorf("models were asked %d times", n)
	}
}

// A call that a client repeats in another process, after its own was killed, finds the debate,
// and what was complete is not asked again. Another client, folder or question begins its own.
func TestMCP_aRepeatedCallInAnotherProcessPaysNothingTwice(t *testing.T) {
	t.Parallel()
	srv, asked, _, gate := gatedServer(t)
	env, folder, config := home(t), t.TempDir(), gatedConfig(t, srv)
	start := map[string]any{"topic": "Is it so?", "rounds": 1}
	connectAs := func(name, dir string) *panelClient {
		cmd := program(t, env, "mcp", "--config", config)
		cmd.Dir = dir
		return connect(t, name, "", nil, cmd)
	}
	killed := connectAs("aide", folder)
	begun := killed.start("running", start)
	<-asked
	<-asked
	beside := connectAs("aide", folder) // while the first one plays
	if r := beside.start("running", start); !r.Already || r.SessionID != begun.SessionID {
		t.Errorf("beside: %+v", r)
	}
	gate <- struct{}{} // one seat answers
	id := map[string]any{"sessionId": begun.SessionID}
	killed.until("wait_roundtable", id, func(r panelResult) bool { return len(r.Done) > 0 })
	must.Do(t, killed.cmd.Process.Kill())
	killed.Close()
	close(gate)
	c := connectAs("aide", folder)
	if r := c.start("in_progress", start); !r.Already || r.SessionID != begun.SessionID || !strings.Contains(r.Message, "continue_roundtable") {
		t.Fatalf("%+v", r)
	}
	c.until("continue_roundtable", id, is("completed"))
	if r := c.start("completed", start); !r.Already || len(srv.Requests("")) != 4 { // two, the one cut off again, and the verdict
		t.Errorf("models were asked %d times: %+v", len(srv.Requests("")), r)
	}
	for name, test := range map[string]struct {
		c    *panelClient
		args map[string]any
	}{
		"client": {connectAs("helper", folder), start}, "folder": {connectAs("aide", t.TempDir()), start},
		"question": {c, map[string]any{"topic": "Is it so!", "rounds": 1}}, "new": {c, map[string]any{"topic": "Is it so?", "rounds": 1, "new": true}},
	} {
		if r, refused := test.c.call("start_roundtable", test.args); refused != "" || r.Already || r.SessionID == begun.SessionID {
			t.Errorf("another %s: %s %+v", name, refused, r)
		}
	}
}

// A session that another process plays is refused with the name of that process and is not called
// interrupted.
func TestMCP_namesWhoHasASessionOpen(t *testing.T) {
	t.Parallel()
	srv, asked, _, gate := gatedServer(t)
	env, config := home(t), gatedConfig(t, srv)
	c, other := callPanels(t, env, "--config", config), callPanels(t, env, "--config", config)
	begun := c.start("running", map[string]any{"topic": "Is it so?", "rounds": 2})
	<-asked
	<-asked
	id := map[string]any{"sessionId": begun.SessionID}
	const doing = "Running: round 1 of 2 runs, in another Roundtable (mcp: test, pid "
	if r, refused := other.call("wait_roundtable", id); refused != "" || r.Status != "running" || !strings.HasPrefix(r.Message, doing) ||
		!strings.HasPrefix(r.HeldBy, "mcp: test, pid ") {
		t.Errorf("%s %+v", refused, r)
	}
	for tool, args := range map[string]map[string]any{
		"continue_roundtable": id, "synthesize_debate": id, "control_session": {"sessionId": begun.SessionID, "action": "stop"},
	} {
		if _, refused := other.call(tool, args); !strings.HasPrefix(refused, doing) || !strings.Contains(refused, "wait_roundtable") {
			t.Errorf("%s: %q", tool, refused)
		}
	}
	if code, out := headless(t, env, "continue", begun.SessionID); code == 0 || !strings.Contains(out, "open in") {
		t.Errorf("exit code %d: %s", code, out)
	}
	for tool, want := range map[string]string{
		"list_sessions": `"state":"running","status":"running"`, "get_consensus": `"status":"running"`, "get_round_details": `"state":"running"`,
		"get_response_detail": `"state":"running"`, "export_session": "It was still open (mcp: test, pid ",
	} {
		for who, client := range map[string]*panelClient{"here": c, "elsewhere": other} {
			args := id
			if tool == "list_sessions" {
				args = map[string]any{}
			}
			got := client.text(tool, args)
			if !strings.Contains(got, want) || strings.Contains(strings.ToLower(got), "interrupted") {
				t.Errorf("%s, played %s: no %q in %s", tool, who, want, got)
			}
		}
	}
	close(gate)
	other.until("wait_roundtable", id, func(r panelResult) bool { return r.Status == "in_progress" && r.HeldBy == "" })
}

// The end of its input ends the server while a round is played, a call waits for it, and
// another debate waits for answers. All of them are kept, and can be continued.
func TestMCP_theEndOfItsInputKeepsAllSessions(t *testing.T) {
	t.Parallel()
	srv, asked, left, gate := gatedServer(t)
	env, config := home(t), seated(t, srv.URL, "", 2)
	cmd := program(t, env, "--config", config, "mcp")
	in, err := cmd.StdinPipe()
	must.Do(t, err)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	must.Do(t, err)
	answers := bufio.NewReader(out)
	call := func(id int, args string) {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"start_roundtable","arguments":%s}}`+"\n", id, args)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",`+
		`"capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	call(2, `{"topic":"Should we ask?","panel":"demo","rounds":2}`)
	for line := ""; !strings.Contains(line, `"id":2`); { // a form is open at the person, who does not answer it
		if line, err = answers.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	call(3, `{"topic":"Is it so?","rounds":1}`)
	<-asked
	<-asked
	in.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("at the end of its input it exits with %v", err)
		}
	case <-time.After(patience):
		cmd.Process.Kill()
		t.Fatal("it goes on after the end of its input")
	}
	<-left
	<-left
	close(gate)
	status := map[string]string{}
	for _, s := range sessions(t, env) {
		status[s.Topic] = s.Status
		if s.Topic != "Is it so?" {
			continue
		}
		runs(t, env, 0, "--config", config, "continue", s.ID)
	}
	if len(status) != 2 || status["Should we ask?"] != "needs_context" {
		t.Errorf("the sessions are %v", status)
	}
	if n := len(srv.Requests("")); n != 5 { // two were broken off, then two seats and the verdict
		t.Errorf("models were asked %d times", n)
	}
}

// What a server holds does not grow with the debates that it has played.
func TestMCP_manyDebatesLeakNothing(t *testing.T) {
	skipShort(t)
	t.Parallel()
	c := callPanels(t, home(t), "--config", seated(t, endpoint.New(t, orator(3, 0)).URL, "", 2))
	files := func(debates int) int {
		for i := range debates {
			r, refused := c.call("start_roundtable", map[string]any{"topic": fmt.Sprintf("Is it so, %d?", i), "rounds": 1, "new": true})
			if refused != "" || r.Status != "completed" {
				t.Fatalf("%s %+v", refused, r)
			}
		}
		open, err := os.ReadDir(filepath.Join("/proc", fmt.Sprint(c.cmd.Process.Pid), "fd"))
		if err != nil {
			t.Skip("open files are read from /proc")
		}
		return len(open)
	}
	const spare = 20 // connections that are kept differ
	if few, many := files(5), files(40); many > few+spare {
		t.Errorf("after 5 debates it holds %d files, after 40 more %d", few, many)
	}
}
