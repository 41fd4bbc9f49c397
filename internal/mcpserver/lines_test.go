package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/internal/mcpserver"
	"roundtable/internal/testing/must"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client may send anything and read its answers later, as one of a single thread does.
func TestServe_readsOnWhateverIsSent(t *testing.T) {
	t.Parallel()
	for kind, line := range map[string]string{
		"batches":            `[]`,
		"ids that are none":  `{"jsonrpc":"2.0","id":[],"method":"ping"}`,
		"long names":         `{"jsonrpc":"2.0","id":"nNUMBER","method":"` + strings.Repeat("x", 300) + `"}`,
		"unknown methods":    `{"jsonrpc":"2.0","id":"nNUMBER","method":"x/y"}`,
		"requests of one id": `{"jsonrpc":"2.0","id":"twin","method":"tools/list"}`,
		"notifications":      `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`,
		"cancelled calls":    `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nNUMBER"}}`,
		"answers to nothing": `{"jsonrpc":"2.0","id":99NUMBER,"result":{}}`,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			in, client := io.Pipe()
			answers, out := io.Pipe() // neither holds anything
			defer time.AfterFunc(20*time.Second, func() {
				client.CloseWithError(errors.New("it does not read on"))
				answers.Close()
			}).Stop()
			served := make(chan error)
			go func() { served <- mcpserver.Serve(t.Context(), nil, mcpserver.Options{}, in, out) }()
			send := func(line string) {
				if _, err := io.WriteString(client, line+"\n"); err != nil {
					t.Fatal(err)
				}
			}
			send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
				`"clientInfo":{"name":"x","version":"1"}}}`)
			send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			for i := range 1000 {
				send(strings.ReplaceAll(line, "NUMBER", fmt.Sprint(i)))
			}
			send(`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
			for read := bufio.NewScanner(answers); read.Scan(); {
				var m struct {
					ID     any
					Result any
				}
				if err := json.Unmarshal(read.Bytes(), &m); err != nil {
					t.Error(err)
				} else if m.ID == "last" {
					if m.Result == nil {
						t.Errorf("got %s", read.Bytes())
					}
					break
				}
			}
			go func() { _, _ = io.Copy(io.Discard, answers) }()
			client.Close()
			if err := <-served; err != nil {
				t.Error(err)
			}
			out.Close()
		})
	}
}

// A message that is too long is refused by its id, and the next one is read.
func TestServe_refusesWhatIsTooLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 9<<20)
	for name, line := range map[string]string{
		"a call":  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":{"topic":"` + long + `"}}}`,
		"cut off": `{"id":7,"method":"ping","params":"` + long,
		"id last": `{"method":"tools/call","params":{"id":8,"x":"` + long + `"},"jsonrpc":"2.0","id":7}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, client := io.Pipe()
			answers, out := io.Pipe()
			served := make(chan error)
			go func() { served <- mcpserver.Serve(t.Context(), nil, mcpserver.Options{}, in, out) }()
			go func() {
				_, _ = io.WriteString(client, line+"\n"+`{"jsonrpc":"2.0","id":"last","method":"nothing"}`+"\n")
			}()
			read := bufio.NewScanner(answers)
			if !read.Scan() || !strings.Contains(read.Text(), "longer than 8 MB") || !strings.Contains(read.Text(), `"id":7`) {
				t.Errorf("%s, want 7 to be too long", read.Text())
			}
			if !read.Scan() || !strings.Contains(read.Text(), `"id":"last"`) {
				t.Errorf("%s, want an answer to the last", read.Text())
			}
			go func() { _, _ = io.Copy(io.Discard, answers) }()
			client.Close()
			if err := <-served; err != nil {
				t.Error(err)
			}
			out.Close()
		})
	}
}

// talk starts a server and returns what sends it a line and returns the answer.
func talk(t *testing.T) (say func(line string) string) {
	t.Helper()
	in, client := io.Pipe()
	answers, out := io.Pipe()
	served := make(chan error)
	go func() { served <- mcpserver.Serve(context.Background(), nil, mcpserver.Options{}, in, out) }()
	t.Cleanup(func() {
		client.Close()
		if err := <-served; err != nil {
			t.Errorf("at the end of its input: %v", err)
		}
	})
	read := bufio.NewReader(answers)
	say = func(line string) string {
		t.Helper()
		if _, err := io.WriteString(client, line+"\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := read.ReadString('\n')
		if err != nil {
			t.Fatalf("no answer to %.80q: %v", line, err)
		}
		return answer
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`)
	return say
}

// What is bad in one message is answered with its code in few words, and the next one is read.
func TestServe_answersABadMessage(t *testing.T) {
	t.Parallel()
	say, long := talk(t), strings.Repeat("x", 20_000)
	for _, bad := range []struct {
		line string
		code int
	}{
		{`this is not json`, -32700},
		{`{}{}`, -32700},
		{"\xff\xfe", -32700},
		{strings.Repeat("[", 20_000), -32700},
		{`"` + long + `"`, -32600},
		{`null`, -32600},
		{`[{"jsonrpc":"2.0","id":2,"method":"ping"}]`, -32600},
		{`{"id":2}`, -32600},
		{`{"jsonrpc":"1.0","id":2,"method":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":2,"method":7}`, -32600},
		{`{"jsonrpc":"2.0","id":2,"method":"none"}`, -32601},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":7}`, 0},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + long + `"}}`, 0},
		{`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"` + long + `"}}`, 0},
		{`{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"` + long + `"}}`, 0},
	} {
		answer := say(bad.line)
		if want := fmt.Sprintf(`"code":%d,`, bad.code); bad.code != 0 && !strings.Contains(answer, want) || len(answer) > 1500 {
			t.Errorf("%.80q is answered by %d bytes: %.300s, want %s", bad.line, len(answer), answer, want)
		}
		if answer := say(`{"jsonrpc":"2.0","id":"p","method":"ping"}`); !strings.Contains(answer, `"id":"p"`) {
			t.Fatalf("after %.80q ping is answered by %s", bad.line, answer)
		}
	}
}

// maxTools is how long the list of tools may be, in bytes: every client sends it to its model.
const maxTools = 16 << 10

func TestServe_listsItsTools(t *testing.T) {
	t.Parallel()
	sent := talk(t)(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	// There are clients that send a list as text if its type is one of several.
	if len(sent) > maxTools || !strings.Contains(sent, `"maxItems":100`) || strings.Contains(sent, `"type":[`) {
		t.Errorf("the list has %d bytes: %s", len(sent), sent)
	}
	var answer struct{ Result mcp.ListToolsResult }
	must.Do(t, json.Unmarshal([]byte(sent), &answer))
	hints := map[string][]string{}
	for _, tool := range answer.Result.Tools {
		a := tool.Annotations
		for name, on := range map[string]bool{
			"read": a.ReadOnlyHint, "open": *a.OpenWorldHint, "destructive": !a.ReadOnlyHint && *a.DestructiveHint,
		} {
			if on {
				hints[name] = append(hints[name], tool.Name)
			}
		}
	}
	for name, want := range map[string]string{
		"read": "estimate_roundtable export_session get_agents get_citations get_consensus get_response_detail get_round_details " +
			"get_thoughts list_sessions wait_roundtable",
		"open":        "ask_roundtable continue_roundtable start_roundtable synthesize_debate",
		"destructive": "control_session",
	} {
		if slices.Sort(hints[name]); strings.Join(hints[name], " ") != want {
			t.Errorf("%s: %q, want %q", name, hints[name], want)
		}
	}
}
