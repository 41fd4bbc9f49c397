package openai_test

import (
	"encoding/json"
	"io"
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

func fromJSON(t *testing.T, text string) (v map[string]any) {
	t.Helper()
	must.Do(t, json.Unmarshal([]byte(text), &v))
	return v
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
	zero, some := 0.0, 0.7
	user := agents.Message{Role: agents.User, Text: "hi"}
	for _, tt := range []struct {
		name string
		cfg  openai.Config
		req  agents.Request
		want string
	}{
		{
			"the least", local,
			agents.Request{Model: "m", Messages: []agents.Message{user}},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}`,
		}, {
			"temperature zero is sent", local,
			agents.Request{Model: "m", Messages: []agents.Message{user}, Temperature: &zero},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],"temperature":0}`,
		}, {
			"a local model may be called like one of OpenAI's", local,
			agents.Request{Model: "gpt-5-local", Messages: []agents.Message{user}, Temperature: &some, MaxTokens: 9},
			`{"model":"gpt-5-local","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],"temperature":0.7,"max_tokens":9}`,
		}, {
			"or like one that go-openai refuses", local,
			agents.Request{Model: "davinci-002", Messages: []agents.Message{user}, Temperature: &some},
			`{"model":"davinci-002","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],"temperature":0.7}`,
		}, {
			"OpenAI has its own name for the limit",
			openai.Config{Preset: "openai"},
			agents.Request{Model: "o1-x", Messages: []agents.Message{user}, MaxTokens: 9},
			`{"model":"o1-x","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],"max_completion_tokens":9}`,
		}, {
			"Mistral takes no stream options",
			openai.Config{Preset: "mistral"},
			agents.Request{Model: "m", Messages: []agents.Message{user}},
			`{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`,
		}, {
			"a schema is asked for", local,
			agents.Request{Model: "m", Messages: []agents.Message{user}, Schema: json.RawMessage(`{"type":"object"}`)},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],
			  "response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}}}`,
		}, {
			"tools have a description and parameters", local,
			agents.Request{Model: "m", Messages: []agents.Message{user}, Tools: []agents.ToolSpec{
				{Name: "list"}, {Name: "read", Description: "reads", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)},
			}},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],"tools":[
			  {"type":"function","function":{"name":"list","description":"","parameters":{"type":"object","properties":{}}}},
			  {"type":"function","function":{"name":"read","description":"reads","parameters":{"type":"object","properties":{"path":{"type":"string"}}}}}]}`,
		}, {
			"tools that must not be called are offered", local,
			agents.Request{
				Model: "m", Messages: []agents.Message{user}, Tools: []agents.ToolSpec{{Name: "list"}}, ToolChoice: agents.ToolChoiceNone,
			},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],"tool_choice":"none","tools":[
			  {"type":"function","function":{"name":"list","description":"","parameters":{"type":"object","properties":{}}}}]}`,
		}, {
			"Ollama is offered no tools that must not be called",
			openai.Config{Preset: "ollama"},
			agents.Request{
				Model: "m", Messages: []agents.Message{user}, Tools: []agents.ToolSpec{{Name: "list"}}, ToolChoice: agents.ToolChoiceNone,
			},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}`,
		}, {
			"a choice without tools is not sent", local,
			agents.Request{Model: "m", Messages: []agents.Message{user}, ToolChoice: agents.ToolChoiceNone},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}`,
		}, {
			"what a seat adds is sent as it stands", local,
			agents.Request{
				Model: "m", Messages: []agents.Message{user}, ReasoningEffort: "low",
				ExtraBody: json.RawMessage(`{"seed":7,"provider":{"order":["b","a"]}}`),
			},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],
			  "reasoning_effort":"low","seed":7,"provider":{"order":["b","a"]}}`,
		}, {
			"nothing is added", local,
			agents.Request{Model: "m", Messages: []agents.Message{user}, ExtraBody: json.RawMessage(`{}`)},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}`,
		}, {
			"a conversation with tools is whole", local,
			agents.Request{Model: "m", Messages: []agents.Message{
				{Role: agents.System},
				{
					Role:  agents.Assistant,
					Calls: []agents.ToolCall{{ID: "c1", Name: "read"}, {ID: "c2", Name: "list", Args: `{"a":"<b>"}`}, {ID: "c3", Name: "list", Args: `{"a":`}},
				},
				{Role: agents.ToolRole, CallID: "c1"},
				{Role: agents.ToolRole, CallID: "c2", Text: "x"},
				{Role: agents.Assistant},
			}},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[
			  {"role":"system","content":""},
			  {"role":"assistant","content":null,"tool_calls":[
			    {"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}},
			    {"id":"c2","type":"function","function":{"name":"list","arguments":"{\"a\":\"<b>\"}"}},
			    {"id":"c3","type":"function","function":{"name":"list","arguments":"{}"}}]},
			  {"role":"tool","tool_call_id":"c1","content":""},
			  {"role":"tool","tool_call_id":"c2","content":"x"},
			  {"role":"assistant","content":""}]}`,
		}, {
			"what the provider wants back goes back, and nothing else of it", local,
			agents.Request{Model: "m", Messages: []agents.Message{{
				Role: agents.Assistant, Text: "t", Extra: json.RawMessage(`{"reasoning_details":[{"type":"reasoning.text","text":"Hm."}],"reasoning_content":"Hm.","role":"system"}`),
				Calls: []agents.ToolCall{{ID: "c1", Name: "read", Args: "{}", Extra: json.RawMessage(`{"extra_content":{"google":{"thought_signature":"s"}},"id":"evil"}`)}},
			}}},
			`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[
			  {"role":"assistant","content":"t","reasoning_content":"Hm.","reasoning_details":[{"type":"reasoning.text","text":"Hm."}],"tool_calls":[
			    {"id":"c1","type":"function","function":{"name":"read","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]}]}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(fromJSON(t, tt.want), sentBody(t, tt.cfg, tt.req)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestRequest_isTheSameBytesForTheSameRequest(t *testing.T) {
	var bodies []string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(text))
		events(w, helloThere)
	})
	req := hello("m")
	req.Tools = []agents.ToolSpec{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	for range 5 {
		ask(t, t.Context(), c, req)
	}
	for _, b := range bodies[1:] {
		if b != bodies[0] {
			t.Errorf("%s\nis not\n%s", b, bodies[0])
		}
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
