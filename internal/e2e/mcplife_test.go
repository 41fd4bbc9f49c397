//go:build unix

package e2e_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/internal/e2e/endpoint"
)

// The end of its input ends the server while a round is played, a call waits for it, and
// another debate waits for answers. All of them are kept, and can be continued.
func TestMCP_theEndOfItsInputKeepsAllSessions(t *testing.T) {
	t.Parallel()
	srv, asked, left, gate := gatedServer(t)
	env, config := home(t), seated(t, srv.URL, "", 2)
	cmd := program(t, env, "--config", config, "mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
	closed := time.Now()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("at the end of its input it exits with %v", err)
		}
		t.Logf("it ended after %s", time.Since(closed).Round(time.Millisecond))
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
		if out, err := program(t, env, "--config", config, "continue", s.ID).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
	if len(status) != 2 || status["Should we ask?"] != "needs_context" {
		t.Errorf("the sessions are %v", status)
	}
	if n := len(srv.Requests("")); n != 5 { // two were broken off, then two seats and the verdict
		t.Errorf("models were asked %d times", n)
	}
}

// Two servers and the interface work on one database at once: debates of both run beside
// each other, what one asks is answered by the other or in the interface, and what one
// plays the others do not touch.
func TestMCP_twoServersAndTheInterfaceShareADatabase(t *testing.T) {
	t.Parallel()
	asked, gate := make(chan string, 9), make(chan struct{})
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		switch {
		case strings.Contains(r.Raw, "Is it held?"):
			asked <- r.Model
			<-gate
		case r.Model == "m1" && r.Tool("request_context") != "" && !strings.Contains(r.Raw, "How long does it take?"):
			return endpoint.Reply{Call: `{"query":"How long does it take?","reason":"it decides","priority":"required"}`}
		}
		return endpoint.Reply{Text: "Yes.\n```json\n{\"position\":\"yes\",\"vote\":\"yes\",\"confidence\":0.8}\n```"}
	})
	env, config := home(t), seated(t, srv.URL, "[mcp]\nwait = \"1s\"\n", 2)
	a, b := callPanels(t, env, "--config", config), callPanels(t, env, "--config", config)
	mine, refused := a.call("start_roundtable", map[string]any{"topic": "Is it mine?", "rounds": 2})
	if refused != "" {
		t.Fatal(refused)
	}
	tm := open(t, env, 120, 40, "--config", config, "resume", mine.SessionID)
	tm.await("Round 2 waits for")
	var wait sync.WaitGroup
	for i := range 6 {
		wait.Go(func() {
			c := []*panelClient{a, b}[i%2]
			begun, refused := c.call("start_roundtable", map[string]any{"topic": fmt.Sprintf("Is it so, %d?", i), "rounds": 2})
			for range 50 {
				if begun.Status != "running" {
					break
				}
				begun, refused = c.call("wait_roundtable", map[string]any{"sessionId": begun.SessionID})
			}
			if refused != "" || begun.Status != "needs_context" {
				t.Errorf("%s %+v", refused, begun)
				return
			}
			other, id := []*panelClient{b, a}[i%2], map[string]any{"sessionId": begun.SessionID}
			r, refused := other.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID, "contextResults": []any{
				map[string]any{"requestId": "C1", "result": "Two days."},
			}})
			for range 50 {
				if refused != "" || r.Status == "completed" {
					break
				}
				if r, refused = other.call("wait_roundtable", id); r.Status == "in_progress" {
					r, refused = other.call("continue_roundtable", id)
				}
			}
			if refused != "" || r.Status != "completed" {
				t.Errorf("%s %+v", refused, r)
			}
		})
	}
	wait.Wait()
	tm.send("Two days.")
	tm.awaitCursor("Two days.")
	tm.send(startRow)
	tm.await("Verdict ready.")
	for _, c := range []*panelClient{a, b} {
		if r, refused := c.call("wait_roundtable", map[string]any{"sessionId": mine.SessionID}); refused != "" || r.Status != "completed" {
			t.Errorf("%s %+v", refused, r)
		}
	}

	begun, refused := a.call("start_roundtable", map[string]any{"topic": "Is it held?", "rounds": 1})
	if refused != "" || begun.Status != "running" {
		t.Fatalf("%s %+v", refused, begun)
	}
	<-asked
	<-asked
	if _, refused = b.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID}); !strings.Contains(refused, "in another Roundtable (mcp: test, pid ") {
		t.Errorf("another server's debate is continued: %q", refused)
	}
	close(gate)
	r := begun
	for range 50 {
		if r, refused = a.call("wait_roundtable", map[string]any{"sessionId": begun.SessionID}); r.Status != "running" {
			break
		}
	}
	if refused != "" || r.Status != "completed" {
		t.Errorf("%s %+v", refused, r)
	}
	tm.send(ctrlC)
	if code := tm.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, s := range sessions(t, env) {
		if s.Status != "complete" {
			t.Errorf("%+v", s)
		}
	}
	if sick := (&trial{T: t, env: env}).open().column("PRAGMA integrity_check"); !slices.Equal(sick, []string{"ok"}) {
		t.Errorf("the database is damaged: %q", sick)
	}
}

// leftovers counts what a process holds: open files, processes that it has started, and
// goroutines.
type leftovers struct{ files, children, goroutines int }

var goroutine = regexp.MustCompile(`(?m)^goroutine \d+ `)

// holdings plays debates through one server and returns what it holds after them.
func holdings(t *testing.T, config string, debates int) (l leftovers) {
	t.Helper()
	env := home(t)
	cmd := program(t, env, "--config", config, "mcp")
	var dump strings.Builder
	cmd.Stderr = &dump
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	c := &panelClient{TB: t, ClientSession: session}
	topics := make(chan int)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i := range topics {
				r, refused := c.call("start_roundtable", map[string]any{"topic": fmt.Sprintf("Is it so, %d?", i), "rounds": 1})
				if refused == "" && r.Status == "in_progress" {
					r, refused = c.call("continue_roundtable", map[string]any{"sessionId": r.SessionID})
				}
				if refused != "" || r.Status != "completed" {
					t.Errorf("%s %+v", refused, r)
				}
			}
		})
	}
	for i := range debates {
		topics <- i
	}
	close(topics)
	wait.Wait()
	proc := fmt.Sprintf("/proc/%d", cmd.Process.Pid)
	files, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		t.Fatal(err)
	}
	threads, err := filepath.Glob(filepath.Join(proc, "task", "*", "children")) // not in every kernel
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range threads {
		if children, err := os.ReadFile(of); err == nil { // a thread may have ended
			l.children += len(strings.Fields(string(children)))
		}
	}
	l.files = len(files)
	if err := cmd.Process.Signal(syscall.SIGABRT); err != nil { // the runtime prints all goroutines
		t.Fatal(err)
	}
	session.Wait() //nolint:errcheck // it was aborted
	cmd.Wait()     //nolint:errcheck // it was aborted
	l.goroutines = len(goroutine.FindAllString(dump.String(), -1))
	return l
}

// What a server holds does not grow with the debates that it has played.
func TestMCP_manyDebatesLeakNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("open files are read from /proc")
	}
	skipShort(t)
	srv := endpoint.New(t, func(endpoint.Request) endpoint.Reply {
		return endpoint.Reply{Text: "Yes.\n```json\n{\"position\":\"yes\",\"vote\":\"yes\",\"confidence\":0.8}\n```"}
	})
	config := seated(t, srv.URL, "", 2)
	few, many := holdings(t, config, 8), holdings(t, config, 200)
	t.Logf("after 8 debates %+v, after 200 %+v", few, many)
	const spare = 20 // connections that are kept differ
	if few.goroutines == 0 || many.files > few.files+spare || many.children > few.children || many.goroutines > few.goroutines+spare {
		t.Errorf("after 8 debates it holds %+v, after 200 %+v", few, many)
	}
}
