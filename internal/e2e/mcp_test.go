//go:build unix

package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate"
	"roundtable/internal/e2e/endpoint"
)

// panelClient is an assistant that calls panels through `roundtable mcp`.
type panelClient struct {
	testing.TB
	*mcp.ClientSession
	told chan string // the messages of progress, which may come after the result
}

// panelResult is the part of a result that the tests look at.
type panelResult struct {
	Status          string
	Message         string
	WaitUntil       string
	Next            string
	Done, Waiting   []string
	Estimate, Spent string
	Already         bool
	Budget          string
	Notices         []string
	FollowUp        *struct{ Question, AgentID, Answer, Problem string }
	HeldBy          string
	SessionID       string
	CurrentRound    int
	TotalRounds     int
	ContextRequests []struct {
		RequestID, AgentID, Query, Reason, Priority, Timestamp string
		AgentIDs                                               []string
		AfterVerdict                                           bool
	}
	Responses []struct{ AgentID, State, Position, Text string }
	Verdict   *struct{ Headline, Text string }
}

// callPanels starts the server in an environment of its own.
func callPanels(t testing.TB, env []string, args ...string) *panelClient {
	t.Helper()
	return callPanelsWith(t, nil, nil, env, args...)
}

// callPanelsWith starts the server for a client that shows forms, unless form is nil.
func callPanelsWith(t testing.TB, form func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error),
	o *mcp.ClientSessionOptions, env []string, args ...string,
) *panelClient {
	t.Helper()
	c := &panelClient{TB: t, told: make(chan string, 100)}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: form,
		ProgressNotificationHandler: func(_ context.Context, n *mcp.ProgressNotificationClientRequest) {
			select {
			case c.told <- n.Params.Message:
			default: // the test does not read them
			}
		},
	})
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: program(t, env, append([]string{"mcp"}, args...)...)}, o)
	if err != nil {
		t.Fatal(err)
	}
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

// awaitProgress waits until messages of progress have contained each of the texts.
func (c *panelClient) awaitProgress(want ...string) {
	c.Helper()
	deadline := time.After(patience)
	for len(want) > 0 {
		select {
		case told := <-c.told:
			want = slices.DeleteFunc(want, func(w string) bool { return strings.Contains(told, w) })
		case <-deadline:
			c.Fatalf("progress never told %q", want)
		}
	}
}

// text calls a tool and returns its result as text.
func (c *panelClient) text(tool string, args map[string]any) string {
	c.Helper()
	res, err := c.CallTool(c.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil || len(res.Content) != 1 {
		c.Fatalf("%s: %v, %+v", tool, err, res)
	}
	return res.Content[0].(*mcp.TextContent).Text
}

func TestMCP_aRequiredQuestionBlocksUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	env := home(t)
	c := callPanels(t, env)
	begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
	if refused != "" || begun.Status != "needs_context" || begun.CurrentRound != 1 || begun.TotalRounds != 2 || len(begun.Responses) != 3 {
		t.Fatalf("%s %+v", refused, begun)
	}
	asked := begun.ContextRequests[0]
	if asked.RequestID != "C1" || asked.AgentID == "" || asked.Priority != "required" || asked.Reason == "" || asked.Timestamp == "" {
		t.Errorf("%+v", asked)
	}
	c.awaitProgress(begun.SessionID)

	id := map[string]any{"sessionId": begun.SessionID}
	_, refused = c.call("continue_roundtable", id)
	for _, want := range []string{
		"Cannot continue: 1 required context request(s) pending.", "- [C1] (" + asked.AgentID + "): " + asked.Query,
		"contextResults",
	} {
		if !strings.Contains(refused, want) {
			t.Errorf("no %q in %q", want, refused)
		}
	}
	for name, results := range map[string]any{
		"nothing": []any{map[string]any{"requestId": "C1"}}, "no reason": []any{map[string]any{"requestId": "C1", "success": false}},
		"unknown": []any{map[string]any{"requestId": "C9", "result": "x"}},
	} {
		if _, refused := c.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID, "contextResults": results}); refused == "" {
			t.Errorf("%s was taken", name)
		}
	}
	// What comes for an optional request is kept, although the round cannot start.
	_, refused = c.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID, "contextResults": []any{
		map[string]any{"requestId": "C2", "content": "In May.", "source": "plan"},
	}})
	if !strings.Contains(refused, "[C1]") || strings.Contains(refused, "[C2]") {
		t.Errorf("refused: %q", refused)
	}
	if out, err := program(t, env, "requests", begun.SessionID).CombinedOutput(); err != nil || !strings.Contains(string(out), "In May.") {
		t.Errorf("%v: %s", err, out)
	}
	next, refused := c.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID, "contextResults": []any{
		map[string]any{"requestId": "C1", "success": true, "result": "Two days.", "source": "the log"},
	}})
	if refused != "" || next.Status != "completed" || next.CurrentRound != 2 || next.Verdict == nil || next.Verdict.Headline == "" {
		t.Fatalf("%s %+v", refused, next)
	}
	if h := next.Verdict.Headline; !strings.Contains(h, " · C1 by test") {
		t.Errorf("the answer of a client stands as the user's: %q", h)
	}
	for _, tool := range []string{"continue_roundtable", "synthesize_debate"} {
		if again, refused := c.call(tool, id); refused != "" || again.Status != "completed" {
			t.Errorf("%s: %s %+v", tool, refused, again)
		}
	}
	out, err := program(t, env, "show", begun.SessionID).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Two days.") || !strings.Contains(string(out), next.Verdict.Headline) {
		t.Errorf("%v: %s", err, out)
	}
}

// What is asked in the last round is open after the verdict; an added round has its answer.
func TestMCP_aQuestionOfTheLastRoundIsAnsweredInAnAddedOne(t *testing.T) {
	t.Parallel()
	const vote = "Yes, as [C1] says.\n```json\n{\"position\":\"yes\",\"vote\":\"yes\",\"confidence\":0.8}\n```"
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model == "m1" && r.Results == 0 && !strings.Contains(r.Raw, "Two days.") {
			return endpoint.Reply{Call: `{"query":"How long is the outage?","reason":"It decides.","priority":"required"}`}
		}
		return endpoint.Reply{Text: vote}
	})
	c := callPanels(t, home(t), "--config", seated(t, srv.URL, "", 2))
	r, refused := c.call("start_roundtable", map[string]any{"topic": "Is it so?", "rounds": 1})
	if refused != "" || r.Status != "completed" || len(r.ContextRequests) != 1 || !r.ContextRequests[0].AfterVerdict {
		t.Fatalf("%s %+v", refused, r)
	}
	if !strings.HasSuffix(r.Verdict.Headline, " · C1 open") || !strings.Contains(r.Message, "add-rounds") {
		t.Errorf("%q, %q", r.Verdict.Headline, r.Message)
	}
	r, refused = c.call("continue_roundtable", map[string]any{"sessionId": r.SessionID, "contextResults": []any{
		map[string]any{"requestId": "C1", "result": "Two days."},
	}})
	if refused != "" || r.Status != "completed" || r.TotalRounds != 1 || r.Verdict == nil {
		t.Fatalf("%s %+v", refused, r)
	}
	r, refused = c.call("control_session", map[string]any{"sessionId": r.SessionID, "action": "add-rounds", "arguments": "1"})
	if refused == "" && r.Status != "completed" {
		r, refused = c.call("continue_roundtable", map[string]any{"sessionId": r.SessionID})
	}
	if refused != "" || r.Status != "completed" || r.CurrentRound != 2 || len(r.ContextRequests) != 0 {
		t.Fatalf("%s %+v", refused, r)
	}
	if h := r.Verdict.Headline; strings.Contains(h, "open") || !strings.Contains(h, "C1 by test") {
		t.Errorf("%q", h)
	}
	read := map[string]bool{}
	for _, q := range srv.Requests("") {
		if strings.Contains(q.Raw, "Two days.") {
			read[q.Model] = true
		}
	}
	if len(read) != 2 {
		t.Errorf("the answer was in the prompts of %v, want both seats", read)
	}
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
			w.Header().Set("Content-Type", "text/event-stream")
			words := "Yes, it is.\n```json\n{\"position\":\"yes\",\"vote\":\"yes\",\"confidence\":0.8}\n```"
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", words)
		}}
	}), asked, left, gate
}

// A client that gives each call up, as common ones do after a minute, gets to the verdict,
// and every model is asked once for what it says.
func TestMCP_aRoundOutlivesItsCalls(t *testing.T) {
	t.Parallel()
	srv, asked, _, gate := gatedServer(t)
	c := callPanels(t, home(t), "--config", seated(t, srv.URL, "[mcp]\nwait = \"1s\"\n", 2))
	start := map[string]any{"topic": "Is it so?", "rounds": 2, "question": "yes-no"}
	giveUp, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := c.CallTool(giveUp, &mcp.CallToolParams{Name: "start_roundtable", Arguments: start})
		ended <- err
	}()
	<-asked
	<-asked
	cancel()
	if err := <-ended; err == nil {
		t.Error("a call that was given up has a result")
	}
	begun, refused := c.call("start_roundtable", start) // the client tries again
	if refused != "" || begun.Status != "running" || !begun.Already || begun.CurrentRound != 1 || begun.Next != "wait_roundtable" ||
		!slices.Equal(begun.Waiting, []string{"M1", "M2"}) || begun.Estimate != "" {
		t.Fatalf("%s %+v", refused, begun)
	}
	c.awaitProgress(begun.SessionID) // it is known from the first message on
	id := map[string]any{"sessionId": begun.SessionID}
	for _, tool := range []string{"wait_roundtable", "continue_roundtable", "synthesize_debate"} {
		if r, refused := c.call(tool, id); refused != "" || r.Status != "running" {
			t.Errorf("%s: %s %+v", tool, refused, r)
		}
	}
	if got := c.text("get_consensus", id); !strings.Contains(got, `"status":"running"`) {
		t.Errorf("what is being played is said to be %s", got)
	}
	close(gate)
	r := begun
	for range 50 {
		if r, refused = c.call("wait_roundtable", id); refused != "" {
			t.Fatal(refused)
		}
		if r.Status == "in_progress" {
			r, refused = c.call("continue_roundtable", id)
		}
		if r.Status == "completed" {
			break
		}
	}
	if r.Status != "completed" || r.Verdict == nil || !strings.Contains(r.Verdict.Headline, ", 2 of 2") || r.Spent == "" {
		t.Errorf("%s %+v", refused, r)
	}
	if n := len(srv.Requests("")); n != 5 { // two seats in two rounds, and the verdict
		t.Errorf("models were asked %d times", n)
	}
	if other, refused := c.call("start_roundtable", map[string]any{
		"topic": "Is it so?", "rounds": 2, "question": "yes-no", "new": true,
	}); refused != "" || other.SessionID == begun.SessionID || other.Already {
		t.Errorf("%s: another one is %+v", refused, other)
	}
}

func TestMCP_pauseEndsWhatIsPlayed(t *testing.T) {
	t.Parallel()
	srv, asked, left, gate := gatedServer(t)
	env := home(t)
	c := callPanels(t, env, "--config", seated(t, srv.URL, "[mcp]\nwait = \"1s\"\n", 2))
	begun, refused := c.call("start_roundtable", map[string]any{"topic": "Is it so?", "rounds": 1})
	if refused != "" || begun.Status != "running" {
		t.Fatalf("%s %+v", refused, begun)
	}
	<-asked
	<-asked
	// What is being played here is not played elsewhere.
	if out, err := program(t, env, "continue", begun.SessionID).CombinedOutput(); err == nil || !strings.Contains(string(out), "open in") {
		t.Errorf("%v: %s", err, out)
	}
	id := map[string]any{"sessionId": begun.SessionID}
	r, refused := c.call("control_session", map[string]any{"sessionId": begun.SessionID, "action": "pause"})
	if refused != "" || r.Status != "in_progress" || !strings.HasPrefix(r.Message, "Paused.") {
		t.Errorf("%s %+v", refused, r)
	}
	<-left
	<-left
	if r, _ := c.call("control_session", map[string]any{"sessionId": begun.SessionID, "action": "pause"}); !strings.HasPrefix(r.Message, "Nothing of it") {
		t.Errorf("%+v", r)
	}
	close(gate)
	if r, refused = c.call("control_session", map[string]any{"sessionId": begun.SessionID, "action": "resume"}); refused != "" {
		t.Errorf("%s %+v", refused, r)
	}
	for range 50 {
		if r, refused = c.call("wait_roundtable", id); r.Status != "running" {
			break
		}
	}
	if refused != "" || r.Status != "completed" {
		t.Errorf("%s %+v", refused, r)
	}
	if n := len(srv.Requests("")); n != 5 { // two were broken off
		t.Errorf("models were asked %d times", n)
	}
}

// An answer by another door ends the wait of a client.
func TestMCP_waitsForAnAnswerByAnyDoor(t *testing.T) {
	t.Parallel()
	env := home(t)
	c := callPanels(t, env)
	begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
	if refused != "" || begun.Status != "needs_context" {
		t.Fatalf("%s %+v", refused, begun)
	}
	waited := make(chan panelResult, 1)
	go func() {
		r, _ := c.call("wait_roundtable", map[string]any{"sessionId": begun.SessionID})
		waited <- r
	}()
	if out, err := program(t, env, "answer", begun.SessionID, "C1", "--text", "Two days.").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if r := <-waited; r.Status != "in_progress" {
		t.Errorf("%+v", r)
	}
}

func TestMCP_twoSessionsAtOnceDoNotMix(t *testing.T) {
	t.Parallel()
	c := callPanels(t, home(t))
	var wait sync.WaitGroup
	topics := []string{"Should we ship?", "Should we wait?", "Should we ask?"}
	results := make([]panelResult, len(topics))
	for i, topic := range topics {
		wait.Go(func() {
			results[i], _ = c.call("start_roundtable", map[string]any{"topic": topic, "panel": "demo", "rounds": 2})
		})
	}
	wait.Wait()
	for i, r := range results {
		if r.Status != "needs_context" {
			t.Fatalf("%+v", r)
		}
		for j, topic := range topics {
			if got := c.text("export_session", map[string]any{"sessionId": r.SessionID}); strings.Contains(got, topic) != (i == j) {
				t.Errorf("%q in the session about %q: %v", topic, topics[i], i != j)
			}
		}
	}
}

// An outcome that an assistant says is shown as its own wherever it is worded.
func TestMCP_saysHowAVerdictTurnedOut(t *testing.T) {
	t.Parallel()
	env := home(t)
	c := callPanels(t, env)
	args := map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2, "mode": "collaborative"}
	begun, refused := c.call("start_roundtable", args)
	if refused != "" {
		t.Fatal(refused)
	}
	id := begun.SessionID
	outcome := map[string]any{"sessionId": id, "action": "outcome", "arguments": "mixed: two teams, two answers"}
	if _, refused = c.call("control_session", outcome); !strings.Contains(refused, "The debate has no verdict") {
		t.Errorf("before the verdict: %s", refused)
	}
	if _, refused = c.call("control_session", map[string]any{"sessionId": id, "action": "stop"}); refused != "" {
		t.Fatal(refused)
	}
	r, refused := c.call("control_session", outcome)
	const want = "Outcome: mixed (two teams, two answers); from “test”, not you"
	if refused != "" || !strings.HasPrefix(r.Message, want) {
		t.Errorf("%s %+v", refused, r)
	}
	if got := c.text("export_session", map[string]any{"sessionId": id}); !strings.Contains(got, want) {
		t.Errorf("the export does not say %q:\n%s", want, got)
	}
	for _, empty := range []string{"", "perhaps so"} {
		outcome["arguments"] = empty
		if _, refused := c.call("control_session", outcome); !strings.Contains(refused, "right") && !strings.Contains(refused, "yes or no") {
			t.Errorf("%q: %s", empty, refused)
		}
	}
	if _, listed := headless(t, env, "sessions", "--json"); !strings.Contains(listed, `"settled": "mixed"`) || !strings.Contains(listed, `"door": "test"`) {
		t.Error(listed)
	}
}

func TestMCP_readsWhatWasDebated(t *testing.T) {
	t.Parallel()
	env := home(t)
	c := callPanels(t, env)
	begun, refused := c.call("start_roundtable", map[string]any{"topic": "Should we ship?", "panel": "demo", "rounds": 1, "mode": "collaborative"})
	if refused != "" {
		t.Fatal(refused)
	}
	id := begun.SessionID
	if end, refused := c.call("control_session", map[string]any{"sessionId": id, "action": "stop"}); refused != "" || end.Status != "completed" {
		t.Fatalf("%s %+v", refused, end)
	}
	agent := begun.Responses[0].AgentID
	for tool, want := range map[string]string{
		"list_sessions": `"sessionId":"` + id, "get_agents": `"agents":[`, "get_consensus": `"result":{"kind":"`,
		"get_round_details": `"responses":[`, "get_response_detail": `"attempts":[`, "get_citations": `"citations":[`,
		"get_thoughts": `"thoughts":[`, "export_session": "# Should we ship?",
	} {
		args := map[string]any{"sessionId": id, "round": 1, "agentId": agent}
		switch tool {
		case "list_sessions", "get_agents":
			args = map[string]any{}
		case "get_consensus", "get_citations", "export_session":
			args = map[string]any{"sessionId": id}
		case "get_round_details":
			delete(args, "agentId")
		}
		if got := c.text(tool, args); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %s", tool, want, got)
		}
	}
	for _, bad := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"start_roundtable", map[string]any{"topic": " ", "panel": "demo"}, "topic"},
		{"start_roundtable", map[string]any{"topic": "Is it?"}, "no panel to debate"},
		{"start_roundtable", map[string]any{"topic": "Is it?", "panel": "demo", "rounds": 1000}, "rounds must be"},
		{"start_roundtable", map[string]any{"topic": "Is it?", "panel": "demo", "mode": "colaborative"}, "there is no mode"},
		{"control_session", map[string]any{"sessionId": id, "action": "burn"}, "action: enum: burn does not equal any of: [pause resume stop "},
		{"get_round_details", map[string]any{"sessionId": id, "round": 7}, "has no round 7"},
		{"get_thoughts", map[string]any{"sessionId": id, "agentId": "nobody"}, "has no agent"},
		{"export_session", map[string]any{"sessionId": id, "format": "pdf"}, "any of: [md json html]"},
		{"get_consensus", map[string]any{"sessionId": "../x"}, ""},
	} {
		if _, refused := c.call(bad.tool, bad.args); refused == "" || !strings.Contains(refused, bad.want) {
			t.Errorf("%s %v: %q, want %q", bad.tool, bad.args, refused, bad.want)
		}
	}
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 15 {
		t.Errorf("%v, %d tools", err, len(tools.Tools))
	}
	for _, tool := range tools.Tools {
		// There are clients that send a list as text if its type is one of several.
		if schema, err := json.Marshal(tool.InputSchema); err != nil || strings.Contains(string(schema), `"type":[`) {
			t.Errorf("%s: %v, an argument has several types: %s", tool.Name, err, schema)
		}
	}
}

// What the tools return of a debate is what its export has, by names of their own.
func TestMCP_resultsArePartsOfTheExport(t *testing.T) {
	t.Parallel()
	c := callPanels(t, home(t))
	begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
	if refused != "" {
		t.Fatal(refused)
	}
	id := map[string]any{"sessionId": begun.SessionID}
	if end, refused := c.call("control_session", map[string]any{"sessionId": begun.SessionID, "action": "stop"}); refused != "" || end.Verdict == nil {
		t.Fatalf("%s %+v", refused, end)
	}
	if _, refused := c.call("ask_roundtable", map[string]any{"sessionId": begun.SessionID, "question": "Why?"}); refused != "" {
		t.Fatal(refused)
	}
	var doc, result, round map[string]any
	for tool, into := range map[string]*map[string]any{"wait_roundtable": &result, "get_round_details": &round} {
		if err := json.Unmarshal([]byte(c.text(tool, id)), into); err != nil {
			t.Fatal(err)
		}
	}
	export := c.text("export_session", map[string]any{"sessionId": begun.SessionID, "format": "json"})
	if err := json.Unmarshal([]byte(export), &doc); err != nil {
		t.Fatal(err)
	}
	at := func(v any, path ...any) map[string]any {
		for _, step := range path {
			switch step := step.(type) {
			case string:
				v = v.(map[string]any)[step]
			case int:
				v = v.([]any)[step]
			}
		}
		return v.(map[string]any)
	}
	response := []any{"history", 0, "responses", 0}
	for _, part := range []struct {
		name      string
		got, from map[string]any
		renamed   map[string]string // by its names
		added     []string
	}{
		{
			"request", at(round, "requests", 0), at(doc, "requests", 0),
			map[string]string{"requestId": "request", "agentIds": "agents", "timestamp": "asked"},
			[]string{"agentId", "afterVerdict"},
		},
		{"response", at(result, "responses", 0), at(doc, response...), map[string]string{"agentId": "agent"}, []string{"agentName", "text"}},
		{"consensus", at(result, "consensus"), at(doc, "verdict"), nil, []string{"round"}},
		{"verdict", at(result, "verdict"), at(doc, "verdict"), nil, []string{"text"}},
		{"follow-up", at(result, "followUp"), at(doc, "followups", 0), map[string]string{"agentId": "agent", "answer": "text"}, nil},
	} {
		for name, value := range part.got {
			from := name
			if other, ok := part.renamed[name]; ok {
				from = other
			}
			want, there := part.from[from]
			if statement, ok := part.from["statement"].(map[string]any); ok && !there {
				want = statement[from]
			}
			if diff := cmp.Diff(want, value); diff != "" && !slices.Contains(part.added, name) {
				t.Errorf("%s: %s is not that of the export:\n%s", part.name, name, diff)
			}
		}
	}
	for _, name := range []string{"vote", "low", "citations"} {
		if want := at(doc, append(response, "statement")...)[name]; !cmp.Equal(want, at(result, "responses", 0)[name]) {
			t.Errorf("a response lacks %s: %v", name, want)
		}
	}
}

// A call does not last as long as a provider asks to wait.
func TestMCP_aLongWaitOfAProviderEndsTheCall(t *testing.T) {
	t.Parallel()
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model != "m2" {
			return endpoint.Reply{Text: "Yes."}
		}
		return endpoint.Reply{Serve: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		}}
	})
	c := callPanels(t, home(t), "--config", seated(t, srv.URL, "", 2))
	r, refused := c.call("start_roundtable", map[string]any{"topic": "Is it so?", "rounds": 1})
	asked := len(srv.Requests(""))
	for range 2 { // the second call finds the same, and asks nobody
		until, err := time.Parse(time.RFC3339, r.WaitUntil)
		if refused != "" || r.Status != "in_progress" || err != nil || time.Until(until) < 30*time.Minute ||
			!strings.HasPrefix(r.Message, "M2 waits until "+r.WaitUntil) {
			t.Fatalf("%s %+v", refused, r)
		}
		before := r.WaitUntil
		if r, refused = c.call("continue_roundtable", map[string]any{"sessionId": r.SessionID}); r.WaitUntil != before {
			t.Errorf("%s: waits until %s, and before until %s", refused, r.WaitUntil, before)
		}
	}
	if n := len(srv.Requests("")); n != asked {
		t.Errorf("%d requests were sent meanwhile", n-asked)
	}
}

// Nobody could approve a command that an agent of an assistant's debate asks to run.
func TestMCP_commandsAreNotOffered(t *testing.T) {
	t.Parallel()
	repo, _ := repository(t)
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model == "m1" && r.Last().Role == "user" {
			return endpoint.Reply{Tool: "run_command", Call: `{"argv":["git","log"]}`}
		}
		return endpoint.Reply{Text: "Yes."}
	})
	config := seated(t, srv.URL, fmt.Sprintf("[tools]\nworkspace = %q\nmode = \"clone\"\ncommands = true\n", repo), 2)
	c := callPanels(t, home(t), "--config", config)
	r, refused := c.call("start_roundtable", map[string]any{"topic": "Is it so?", "rounds": 2})
	if refused != "" || r.Status != "in_progress" {
		t.Fatalf("%s %+v", refused, r)
	}
	got := c.text("get_response_detail", map[string]any{"sessionId": r.SessionID, "agentId": "m1"})
	if strings.Contains(srv.Requests("m1")[0].Raw, `"run_command"`) || !strings.Contains(got, "There is no tool named") {
		t.Errorf("%s", got)
	}
}

// What is bad in one message ends neither the server nor what other calls do.
func TestMCP_aBadMessageIsAnsweredAndTheNextOneIsRead(t *testing.T) {
	cmd := program(t, home(t), "mcp")
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
	say := func(line string) string {
		t.Helper()
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := answers.ReadString('\n')
		if err != nil {
			t.Fatalf("no answer to %.80q: %v", line, err)
		}
		return answer
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`)
	long := strings.Repeat("x", 20_000)
	for _, bad := range []struct {
		line string
		code int
	}{
		{`this is not json`, -32700},
		{`{"jsonrpc":"2.0","id":2,"method":"ping"`, -32700},
		{`{}{}`, -32700},
		{"\xff\xfe", -32700},
		{`"` + long + `"`, -32600},
		{strings.Repeat("[", 20_000), -32700},
		{strings.Repeat(" ", 9<<20) + "1", -32600},
		{`42`, -32600},
		{`null`, -32600},
		{`[]`, -32600},
		{`[{"jsonrpc":"2.0","id":2,"method":"ping"}]`, -32600},
		{`{"id":2}`, -32600},
		{`{"jsonrpc":"1.0","id":2,"method":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":2,"method":7}`, -32600},
		{`{"jsonrpc":"2.0","id":2,"method":"none"}`, -32601},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":7}`, 0},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + long + `"}}`, 0},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_session","arguments":{"session_id":"` + long + `"}}}`, 0},
		{`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"` + long + `"}}`, 0},
		{`{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"` + long + `"}}`, 0},
	} {
		answer := say(bad.line)
		if want := fmt.Sprintf(`"code":%d,`, bad.code); bad.code != 0 && !strings.Contains(answer, want) {
			t.Errorf("%.80q is answered by %.300s, want %s", bad.line, answer, want)
		}
		if len(answer) > 1500 {
			t.Errorf("%.80q is answered by %d bytes: %.300s", bad.line, len(answer), answer)
		}
		if answer := say(`{"jsonrpc":"2.0","id":"p","method":"ping"}`); !strings.Contains(answer, `"id":"p"`) {
			t.Fatalf("after %.80q ping is answered by %s", bad.line, answer)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("at the end of its input it exits with %v", err)
	}
}
