package openai_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/openai"
)

func TestPatched_saysWhatIsSentOtherwise(t *testing.T) {
	call := agents.Message{
		Role:  agents.Assistant,
		Calls: []agents.ToolCall{{ID: "c1", Name: "look", Args: `{"a":`, Extra: json.RawMessage(`{"extra_content":{"google":{}}}`)}},
		Extra: json.RawMessage(`{"reasoning_details":[1],"unknown":2}`),
	}
	for _, c := range []struct {
		name    string
		preset  string
		edit    func(*agents.Request)
		refused string // a field that the server does not take
		want    []string
	}{
		{"nothing but the stream", "", func(*agents.Request) {}, "", nil},
		{
			"another name of the limit", "openai", func(r *agents.Request) { r.MaxTokens = 9 }, "",
			[]string{"max_tokens sent as max_completion_tokens"},
		},
		{
			"what a server does not take", "", func(r *agents.Request) { r.Temperature = new(0.5) }, "temperature",
			[]string{"temperature omitted"},
		},
		{
			"what goes back", "",
			func(r *agents.Request) {
				r.Messages = append(r.Messages, call, agents.Message{Role: agents.ToolRole, CallID: "c1", Text: "x"})
			},
			"",
			[]string{
				"arguments of call c1 replaced by {}, since they are not a JSON object",
				"fields of the server's own returned with its messages and calls",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := refusing(400, `{"error":{"message":"Unsupported parameter: `+c.refused+`","param":"`+c.refused+`"}}`, with(c.refused))
			req := hello("m")
			c.edit(&req)
			got := ask(t, t.Context(), serveWith(t, openai.Config{Preset: c.preset}, p.ServeHTTP), req).Patched
			if want := append([]string{"stream and stream_options added"}, c.want...); !slices.Equal(got, want) {
				t.Errorf("it says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}
