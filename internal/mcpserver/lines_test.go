package mcpserver_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"roundtable/internal/mcpserver"
)

// A client may send anything and read its answers later, as one of a single thread does.
func TestServe_readsOnWhateverIsSent(t *testing.T) {
	t.Parallel()
	for kind, line := range map[string]string{
		"no JSON":            `{"jsonrpc":`,
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
			for i := range 3000 {
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

// A message that is too long is refused, and the next one is read.
func TestServe_refusesWhatIsTooLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 9<<20)
	for name, line := range map[string]string{
		"a call":   `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":{"topic":"` + long + `"}}}`,
		"no JSON":  long,
		"cut off":  `{"id":7,"method":"ping","params":"` + long,
		"no words": strings.Repeat(" ", 9<<20),
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
			for _, want := range []string{"longer than 8 MB", `"id":"last"`} {
				if !read.Scan() || !strings.Contains(read.Text(), want) {
					t.Errorf("%s, want %s", read.Text(), want)
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
