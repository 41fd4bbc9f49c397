package openai_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// sentBody returns the JSON that a request becomes.
func sentBody(t *testing.T, cfg openai.Config, req agents.Request) (body map[string]any) {
	t.Helper()
	c := client(t, cfg, openai.Options{Transport: inMemory(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		events(w, helloThere)
	})})
	if got := ask(t, t.Context(), c, req); got.Failure != nil {
		t.Fatal(got.Failure)
	}
	return body
}

// TestOwnFields_areAllThatARequestCanHave sends a request with everything.
func TestOwnFields_areAllThatARequestCanHave(t *testing.T) {
	req := everything("m")
	req.ToolChoice, req.ReasoningEffort = agents.ToolChoiceNone, "low"
	for _, cfg := range []openai.Config{local, {Preset: "openai"}} {
		for name := range sentBody(t, cfg, req) {
			if !slices.Contains(openai.OwnFields(), name) {
				t.Errorf("%s is not among the fields that the client sets", name)
			}
		}
	}
}

var local = openai.Config{BaseURL: "http://localhost/v1"}

func TestRequest_saysWhatServersNeed(t *testing.T) {
	type req = agents.Request
	offered := []agents.ToolSpec{{Name: "list"}}
	const list = `"tools":[{"type":"function","function":{"name":"list","description":"","parameters":{"type":"object","properties":{}}}}]`
	for _, tt := range []struct {
		name   string
		preset string
		edit   func(*agents.Request)
		want   string // besides the model, the message and the stream; null is not sent
	}{
		{"the least", "", func(*req) {}, ``},
		{"temperature zero is sent", "", func(r *req) { r.Temperature = new(0.0) }, `"temperature":0`},
		{
			"a local model may be called like one of OpenAI's", "",
			func(r *req) { r.Model, r.Temperature, r.MaxTokens = "gpt-5-local", new(0.7), 9 },
			`"model":"gpt-5-local","temperature":0.7,"max_tokens":9`,
		},
		{
			"or like one that go-openai refuses", "", func(r *req) { r.Model, r.Temperature = "davinci-002", new(0.7) },
			`"model":"davinci-002","temperature":0.7`,
		},
		{"OpenAI has its own name for the limit", "openai", func(r *req) { r.Model, r.MaxTokens = "o1-x", 9 }, `"model":"o1-x","max_completion_tokens":9`},
		{"Mistral takes no stream options", "mistral", func(*req) {}, `"stream_options":null`},
		{
			"a schema is asked for", "", func(r *req) { r.Schema = json.RawMessage(`{"type":"object"}`) },
			`"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}}`,
		},
		{
			"tools have a description and parameters", "",
			func(r *req) {
				schema := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)
				r.Tools = []agents.ToolSpec{{Name: "read", Description: "reads", Schema: schema}}
			},
			`"tools":[{"type":"function","function":{"name":"read","description":"reads","parameters":{"type":"object",` +
				`"properties":{"path":{"type":"string"}}}}}]`,
		},
		{
			"tools that must not be called are offered", "",
			func(r *req) { r.Tools, r.ToolChoice = offered, agents.ToolChoiceNone }, `"tool_choice":"none",` + list,
		},
		{
			"Ollama is offered no tools that must not be called", "ollama",
			func(r *req) { r.Tools, r.ToolChoice = offered, agents.ToolChoiceNone }, ``,
		},
		{"a choice without tools is not sent", "", func(r *req) { r.ToolChoice = agents.ToolChoiceNone }, ``},
		{
			"what a seat adds is sent as it stands", "",
			func(r *req) {
				r.ReasoningEffort, r.ExtraBody = "low", json.RawMessage(`{"seed":7,"provider":{"order":["b","a"]}}`)
			},
			`"reasoning_effort":"low","seed":7,"provider":{"order":["b","a"]}`,
		},
		{"nothing is added", "", func(r *req) { r.ExtraBody = json.RawMessage(`{}`) }, ``},
		{
			"a conversation with tools is whole", "", func(r *req) {
				r.Messages = []agents.Message{
					{Role: agents.System},
					{
						Role:  agents.Assistant,
						Calls: []agents.ToolCall{{ID: "c1", Name: "read"}, {ID: "c2", Name: "list", Args: `{"a":"<b>"}`}, {ID: "c3", Name: "list", Args: `{"a":`}},
					},
					{Role: agents.ToolRole, CallID: "c1"},
					{Role: agents.ToolRole, CallID: "c2", Text: "x"},
					{Role: agents.Assistant},
				}
			},
			`"messages":[
			  {"role":"system","content":""},
			  {"role":"assistant","content":null,"tool_calls":[
			    {"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}},
			    {"id":"c2","type":"function","function":{"name":"list","arguments":"{\"a\":\"<b>\"}"}},
			    {"id":"c3","type":"function","function":{"name":"list","arguments":"{}"}}]},
			  {"role":"tool","tool_call_id":"c1","content":""},
			  {"role":"tool","tool_call_id":"c2","content":"x"},
			  {"role":"assistant","content":""}]`,
		},
		{
			"what the provider wants back goes back, and nothing else of it", "", func(r *req) {
				r.Messages = []agents.Message{{
					Role: agents.Assistant, Text: "t",
					Extra: json.RawMessage(`{"reasoning_details":[{"type":"reasoning.text","text":"Hm."}],"reasoning_content":"Hm.","role":"system"}`),
					Calls: []agents.ToolCall{{ID: "c1", Name: "read", Args: "{}", Extra: json.RawMessage(`{"extra_content":{"a":"s"},"id":"evil"}`)}},
				}}
			},
			`"messages":[
			  {"role":"assistant","content":"t","reasoning_content":"Hm.","reasoning_details":[{"type":"reasoning.text","text":"Hm."}],"tool_calls":[
			    {"id":"c1","type":"function","function":{"name":"read","arguments":"{}"},"extra_content":{"a":"s"}}]}]`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := map[string]any{
				"model": "m", "stream": true, "stream_options": map[string]any{"include_usage": true},
				"messages": []any{map[string]any{"role": "user", "content": "hi"}},
			}
			must.Do(t, json.Unmarshal([]byte("{"+tt.want+"}"), &want))
			maps.DeleteFunc(want, func(_ string, v any) bool { return v == nil })
			r, cfg := hello("m"), local
			if tt.preset != "" {
				cfg = openai.Config{Preset: tt.preset}
			}
			tt.edit(&r)
			if diff := cmp.Diff(want, sentBody(t, cfg, r)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestRequest_isTheSameBytesForTheSameRequest(t *testing.T) {
	bodies := map[string]bool{}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		bodies[string(text)] = true
		events(w, helloThere)
	})
	req := hello("m")
	req.Tools = []agents.ToolSpec{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	for range 5 {
		ask(t, t.Context(), c, req)
	}
	if len(bodies) != 1 {
		t.Errorf("sent %v", bodies)
	}
}

func TestRequest_sendsKeyAndHeaders(t *testing.T) {
	var got http.Header
	cfg := openai.Config{BaseURL: local.BaseURL, Headers: secrets("X-Title", "Roundtable")}
	c := client(t, cfg, openai.Options{Key: "sk-abc", Transport: inMemory(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		events(w, helloThere)
	})})
	ask(t, t.Context(), c, hello("m"))
	for name, want := range map[string]string{
		"Authorization": "Bearer sk-abc", "X-Title": "Roundtable", "Accept": "text/event-stream, application/json",
		"Content-Type": "application/json", "Accept-Encoding": "", "User-Agent": "roundtable",
	} {
		if got.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, got.Get(name), want)
		}
	}
}
