package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// reportedChanges returns what the client reports to have sent differently.
func reportedChanges(t *testing.T, cfg openai.Config, req agents.Request, refuse string) []string {
	t.Helper()
	tries := 0
	c := serveWith(t, cfg, func(w http.ResponseWriter, _ *http.Request) {
		if tries++; tries == 1 && refuse != "" {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, refuse)
			return
		}
		events(w, helloThere)
	})
	for chunk, err := range c.Stream(t.Context(), req) {
		must.Do(t, err)
		if chunk.Finish != "" {
			return chunk.Patched
		}
	}
	t.Fatal("no answer")
	return nil
}

func TestPatched_saysWhatIsSentOtherwise(t *testing.T) {
	half := 0.5
	user := agents.Message{Role: agents.User, Text: "hi"}
	call := agents.Message{
		Role: agents.Assistant, Calls: []agents.ToolCall{{ID: "c1", Name: "look", Args: `{"a":`, Extra: json.RawMessage(`{"extra_content":{"google":{}}}`)}},
		Extra: json.RawMessage(`{"reasoning_details":[1],"unknown":2}`),
	}
	for _, c := range []struct {
		name   string
		cfg    openai.Config
		req    agents.Request
		refuse string
		want   []string
	}{
		{"nothing but the stream", openai.Config{}, agents.Request{Model: "m", Messages: []agents.Message{user}}, "", []string{"stream and stream_options added"}},
		{
			"another name of the limit",
			openai.Config{Preset: "openai"},
			agents.Request{Model: "m", Messages: []agents.Message{user}, MaxTokens: 9},
			"",
			[]string{"stream and stream_options added", "max_tokens sent as max_completion_tokens"},
		},
		{
			"what a server does not take",
			openai.Config{},
			agents.Request{Model: "m", Messages: []agents.Message{user}, Temperature: &half},
			`{"error":{"message":"Unsupported parameter: temperature","param":"temperature"}}`,
			[]string{"stream and stream_options added", "temperature omitted"},
		},
		{
			"what goes back",
			openai.Config{},
			agents.Request{Model: "m", Messages: []agents.Message{user, call, {Role: agents.ToolRole, CallID: "c1", Text: "x"}}},
			"",
			[]string{"stream and stream_options added", "arguments of call c1 replaced by {}, since they are not a JSON object", "fields of the server's own returned with its messages and calls"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := reportedChanges(t, c.cfg, c.req, c.refuse); !slices.Equal(got, c.want) {
				t.Errorf("it says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}
