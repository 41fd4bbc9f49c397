package openai_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/agents/openai"
)

// picky is a server that refuses requests that have a certain field. It keeps what
// it was sent.
type picky struct {
	mu     sync.Mutex
	bodies []map[string]any
	refuse func(body map[string]any) (status int, text string)
}

func (p *picky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	var body map[string]any
	json.Unmarshal(text, &body)
	p.mu.Lock()
	p.bodies = append(p.bodies, body)
	p.mu.Unlock()
	if status, text := p.refuse(body); status != 0 {
		w.WriteHeader(status)
		io.WriteString(w, text)
		return
	}
	if body["stream"] == false {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, one(`{"message":{"content":"Hello there","tool_calls":[{"id":"","function":{"name":"read","arguments":"{}"}}]},"finish_reason":"tool_calls"}`))
		return
	}
	events(w, helloThere)
}

// refusing returns a server that refuses what is so of a request.
func refusing(status int, text string, when func(body map[string]any) bool) *picky {
	return &picky{refuse: func(body map[string]any) (int, string) {
		if !when(body) {
			return 0, ""
		}
		return status, text
	}}
}

// with is so of a request with a field.
func with(field string) func(map[string]any) bool {
	return func(body map[string]any) bool { return body[field] != nil }
}

func always(map[string]any) bool { return true }

func never(map[string]any) bool { return false }

// has returns how many of the requests had the field.
func (p *picky) has(field string) (n int) {
	for _, b := range p.bodies {
		if _, ok := b[field]; ok {
			n++
		}
	}
	return n
}

// everything is a request with all parameters.
func everything(model string) agents.Request {
	warm := 0.5
	req := hello(model)
	req.Temperature, req.MaxTokens, req.Schema = &warm, 100, json.RawMessage(`{"type":"object"}`)
	req.Tools = []agents.ToolSpec{{Name: "read", Description: "reads"}}
	req.ReasoningEffort = "low"
	return req
}

func TestLearn_leavesOutWhatAServerDoesNotTake(t *testing.T) {
	for _, tt := range []struct{ field, text string }{
		{"temperature", `{"error":{"message":"Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`},
		{"stream_options", `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}}`},
		{"stream_options", `{"error":{"message":"Unknown parameter: include_usage"}}`},
		{"reasoning_effort", `{"error":{"message":"Unrecognized request argument supplied: reasoning_effort"}}`},
		{"tools", `{"error":{"message":"registry.ollama.ai/library/gemma does not support tools","type":"api_error"}}`},
		{"tools", `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","code":400}`},
		{"response_format", `{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error"}}`},
		{"response_format", `{"detail":"json_schema is not supported by this model"}`},
		{"max_tokens", `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`},
	} {
		t.Run(tt.field, func(t *testing.T) {
			status := http.StatusBadRequest
			if strings.HasPrefix(tt.text, `{"detail"`) { // as FastAPI does
				status = http.StatusUnprocessableEntity
			}
			p := refusing(status, tt.text, func(body map[string]any) bool { return body[tt.field] != nil && body["model"] == "m" })
			c := serve(t, p.ServeHTTP)
			says := cmp.Or(map[string]string{
				"max_tokens": "mock/m does not know max_tokens; retrying with its other name.",
				"tools":      "mock/m does not accept tools, so it can neither ask nor look things up; retrying without them.",
			}[tt.field], "mock/m does not accept "+tt.field+"; retrying without it.")
			for n := range 2 {
				got := ask(t, t.Context(), c, everything("m"))
				if got.Failure != nil || got.Text != "Hello there" || len(got.Retries) != 1-n || n == 0 && got.Retries[0].Cause != says {
					t.Fatalf("got %+v", got)
				}
			}
			if len(p.bodies) != 3 || p.has(tt.field) != 1 {
				t.Errorf("%d requests, %d with %s: it was not remembered", len(p.bodies), p.has(tt.field), tt.field)
			}
			if n := c.Notices(); len(n) != 1 || n[0] != says {
				t.Errorf("notices %q", n)
			}
			if tt.field == "max_tokens" && p.has("max_completion_tokens") != 2 {
				t.Error("the limit is not sent under its other name")
			}
			ask(t, t.Context(), c, everything("other"))
			if p.has(tt.field) != 2 {
				t.Error("another model lost the parameter too")
			}
		})
	}
}

// refusingTools returns a server that refuses requests with some tools in its words, in which
// PLACE is the place of the tool.
func refusingTools(words string, refused ...string) *picky {
	return &picky{refuse: func(body map[string]any) (int, string) {
		all, _ := body["tools"].([]any)
		for i, tool := range all {
			if name := tool.(map[string]any)["function"].(map[string]any)["name"].(string); slices.Contains(refused, name) {
				return http.StatusBadRequest, strings.NewReplacer("PLACE", fmt.Sprint(i), "NAME", name).Replace(words)
			}
		}
		return 0, ""
	}}
}

func TestLearn_leavesOutTheToolThatAServerNames(t *testing.T) {
	for name, words := range map[string]string{
		"OpenAI":    `{"error":{"message":"Invalid schema for function 'NAME': In context=('properties', 'ttl'), True is not of type 'number'.","type":"invalid_request_error","param":"tools[PLACE].function.parameters","code":"invalid_function_parameters"}}`,
		"Anthropic": `{"type":"error","error":{"type":"invalid_request_error","message":"tools.PLACE.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12"}}`,
		"Gemini":    `[{"error":{"code":400,"message":"* GenerateContentRequest.tools[0].function_declarations[PLACE].parameters.properties: should be non-empty for OBJECT type","status":"INVALID_ARGUMENT"}}]`,
		"Vertex":    "{\"error\":{\"message\":\"Unable to submit request because `NAME` functionDeclaration parameters schema should be of type OBJECT.\",\"status\":\"INVALID_ARGUMENT\"}}",
		"DeepSeek":  `{"error":{"message":"Failed to deserialize the JSON body: tool NAME: parameters: unknown type","type":"invalid_request_error"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := refusingTools(words, "x__dns", "x__ttl")
			c := serve(t, p.ServeHTTP)
			req := everything("m")
			for _, tool := range []string{"read", "x__dns", "x__other", "x__ttl"} {
				req.Tools = append(req.Tools, agents.ToolSpec{Name: tool, Description: "d"})
			}
			req.Tools = req.Tools[1:]
			for range 2 {
				if got := ask(t, t.Context(), c, req); got.Failure != nil || got.Text != "Hello there" {
					t.Fatalf("got %+v", got)
				}
			}
			want := []string{"mock/m refuses x__dns; retrying without.", "mock/m refuses x__ttl; retrying without."}
			if got := c.Notices(); !slices.Equal(got, want) || len(p.bodies) != 4 {
				t.Errorf("%d requests, notices %q", len(p.bodies), got)
			}
			if left := p.bodies[3]["tools"].([]any); len(left) != 2 {
				t.Errorf("sent %v", left)
			}
		})
	}
}

func TestLearn_doesNotLeaveOutAToolThatIsOnlyMentioned(t *testing.T) {
	for _, words := range []string{
		`{"error":{"message":"Please read the documentation of the tool API.","type":"invalid_request_error"}}`,
		`{"error":{"message":"tool call validation failed: parameters for tool read did not match schema","code":"tool_use_failed"}}`,
		`{"error":{"message":"messages.2: tool result 'call_1' has no call","type":"invalid_request_error"}}`,
		`{"error":{"message":"Invalid schema for function 'gone'","param":"tools[7].function.parameters"}}`,
	} {
		p := refusing(400, words, always)
		ask(t, t.Context(), serve(t, p.ServeHTTP), everything("m"))
		if n := p.has("tools"); n != len(p.bodies) {
			t.Errorf("%s: %d of %d requests had tools", words, n, len(p.bodies))
		}
	}
}

func TestLearn_asksUnstreamedWhereStreamIsRefused(t *testing.T) {
	const text = `{"error":{"message":"Your organization must be verified to stream this model.","param":"stream","code":"unsupported_value"}}`
	p := refusing(400, text, func(body map[string]any) bool { return body["stream"] == true })
	c := serve(t, p.ServeHTTP)
	for range 2 {
		if got := ask(t, t.Context(), c, hello("m")); got.Failure != nil || got.Text != "Hello there" || got.Finish == "" {
			t.Fatalf("got %+v", got)
		}
	}
	if n := c.Notices(); len(p.bodies) != 3 || len(n) != 1 || n[0] != "mock/m does not stream to this account; retrying without streaming." {
		t.Errorf("%d requests, notices %q", len(p.bodies), n)
	}
}

func TestLearn_sendsNoSystemMessageToAModelWithoutOne(t *testing.T) {
	for _, words := range []string{
		`[{"error":{"code":400,"message":"Developer instruction is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}]`,
		`{"error":{"message":"Error rendering prompt with jinja template: Only user and assistant roles are supported!"}}`,
		`{"error":{"code":500,"message":"System role not supported at row 1","type":"server_error"}}`,
		`{"object":"error","message":"Conversation roles must alternate user/assistant/user/assistant/...","code":400}`,
	} {
		p := refusing(500, words, func(body map[string]any) bool {
			return body["messages"].([]any)[0].(map[string]any)["role"] == "system"
		})
		req := hello("m")
		req.Messages = []agents.Message{{Role: agents.System, Text: "Be brief."}, {Role: agents.User, Text: "Why?"}}
		if got := ask(t, t.Context(), serve(t, p.ServeHTTP), req); got.Failure != nil || len(p.bodies) != 2 {
			t.Fatalf("%s: %d requests, %+v", words, len(p.bodies), got)
		}
		want := []any{map[string]any{"role": "user", "content": "Be brief.\n\nWhy?"}}
		if got := p.bodies[1]["messages"]; !reflect.DeepEqual(got, want) {
			t.Errorf("sent %v", got)
		}
	}
}

// TestLearn_knowsServersThatNeedToolsAndServersThatDoNotKnowTheChoice sends the
// last request of a turn that has used up its tool calls.
func TestLearn_knowsServersThatNeedToolsAndServersThatDoNotKnowTheChoice(t *testing.T) {
	last := everything("m")
	last.ToolChoice = agents.ToolChoiceNone
	last.Messages = append(last.Messages,
		agents.Message{Role: agents.Assistant, Calls: []agents.ToolCall{{ID: "c1", Name: "read", Args: "{}"}}},
		agents.Message{Role: agents.ToolRole, CallID: "c1", Text: "x"})
	for _, tt := range []struct {
		name   string
		faulty func(map[string]any) bool
		text   string
		sent   int
	}{
		{"needs tools", func(body map[string]any) bool { return body["tools"] == nil }, `{"error":{"message":"Requests which include tool_use or tool_result blocks in messages must define tools"}}`, 1},
		{"knows no choice", with("tool_choice"), `{"error":{"message":"Unrecognized request argument supplied: tool_choice"}}`, 2},
		{"knows no choice by name", with("tool_choice"), `{"detail":[{"loc":["body","tool_choice"],"msg":"Extra inputs are not permitted","type":"extra_forbidden"}]}`, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := refusing(400, tt.text, tt.faulty)
			c := serve(t, p.ServeHTTP)
			if got := ask(t, t.Context(), c, last); got.Failure != nil || len(p.bodies) != tt.sent {
				t.Fatalf("%d requests: %+v", len(p.bodies), got)
			}
			if tt.sent > 1 && p.bodies[1]["tools"] != nil {
				t.Errorf("tools are sent that may be called: %v", p.bodies[1])
			}
			ask(t, t.Context(), c, everything("m"))
			if p.bodies[tt.sent]["tools"] == nil {
				t.Error("tools are no longer offered where they may be called")
			}
		})
	}
}

// A quirk that the configuration names costs no call.
func TestQuirks_ofTheConfigurationAreKnownFromTheStart(t *testing.T) {
	for _, tt := range []struct {
		preset, quirk string
		has, lacks    string // of the request
	}{
		{"", "no_temperature", "tools", "temperature"},
		{"", "no_stream_options", "stream", "stream_options"},
		{"", "no_response_format", "tools", "response_format"},
		{"", "no_reasoning_effort", "tools", "reasoning_effort"},
		{"", "no_tools", "temperature", "tools"},
		{"", "max_completion_tokens", "max_completion_tokens", "max_tokens"},
		{"openai", "max_tokens", "max_tokens", "max_completion_tokens"},
		{"ollama", "no_temperature", "stream_options", "temperature"},
		{"mistral", "no_temperature", "tools", "stream_options"},
	} {
		p := refusing(0, "", never)
		c := serveWith(t, openai.Config{Preset: tt.preset, Quirks: []string{tt.quirk}}, p.ServeHTTP)
		if got := ask(t, t.Context(), c, everything("m")); got.Failure != nil || len(got.Retries) > 0 {
			t.Fatalf("%s: %+v", tt.quirk, got)
		}
		if p.has(tt.has) != 1 || p.has(tt.lacks) != 0 {
			t.Errorf("%s at %q: sent %v", tt.quirk, tt.preset, p.bodies)
		}
	}
	for quirk, streams := range map[string][2]bool{"unstreamed": {false, false}, "unstreamed_tools": {false, true}, "no_tools": {true, true}} {
		p := refusing(0, "", never)
		c := serveWith(t, openai.Config{Quirks: []string{quirk}}, p.ServeHTTP)
		ask(t, t.Context(), c, everything("m"))
		ask(t, t.Context(), c, hello("m"))
		if got := [2]any{p.bodies[0]["stream"], p.bodies[1]["stream"]}; got != [2]any{streams[0], streams[1]} {
			t.Errorf("%s: stream is %v", quirk, got)
		}
	}
}

func TestQuirks_ofTheConfigurationAreChecked(t *testing.T) {
	err := openai.Config{BaseURL: "https://llm.example.com/v1", Quirks: []string{"no_system", "streamless"}}.Validate()
	const want = `quirks: there is no "streamless"; known are max_completion_tokens, max_tokens, no_reasoning_effort, no_response_format, ` +
		`no_stream_options, no_system, no_temperature, no_tool_choice, no_tools, unstreamed, unstreamed_tools`
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestLearn_doesNotTakeAnotherFaultForAnUnknownParameter(t *testing.T) {
	for text, requests := range map[string]int{
		`{"error":{"message":"temperature: must be at most 2","param":"temperature"}}`:           1,
		`{"error":{"message":"Unexpected role 'tool' after 'user'"}}`:                            1,
		`{"error":{"message":"unknown parameter","param":"messages[0].content"}}`:                1,
		`{"error":{"message":"messages with role 'tool' are not allowed without 'tool_calls'"}}`: 1,
		`{"error":{"message":"temperature is not supported","param":"temperature"}}`:             2, // and not for ever
	} {
		p := refusing(400, text, always)
		got := ask(t, t.Context(), serve(t, p.ServeHTTP), everything("m")).Failure
		if got == nil || got.Kind != agents.KindRequest || len(p.bodies) != requests ||
			requests > 1 && !strings.Contains(got.Error(), "temperature") {
			t.Errorf("%s: %d requests, %+v", text, len(p.bodies), got)
		}
	}
}

func TestLearn_asksUnstreamedWhereToolsAndStreamDoNotMix(t *testing.T) {
	var refusal string
	for _, e := range exchanges(t) {
		if e.name == "llama.cpp-2025-02/07-tools-required-stream" {
			refusal = e.body
		}
	}
	p := refusing(500, refusal, func(body map[string]any) bool { return body["stream"] == true && body["tools"] != nil })
	c := serve(t, p.ServeHTTP)
	// Several agents run into it at the same time.
	var agentsDone sync.WaitGroup
	for range 6 {
		agentsDone.Go(func() {
			if got := ask(t, t.Context(), c, everything("m")); got.Failure != nil || got.Text != "Hello there" || len(got.Calls) != 1 {
				t.Errorf("got %+v", got)
			}
		})
	}
	agentsDone.Wait()
	if n := p.has("tools"); n != len(p.bodies) {
		t.Errorf("tools were left out of %d requests", len(p.bodies)-n)
	}
	before := len(p.bodies)
	ask(t, t.Context(), c, everything("m"))
	if p.bodies[before]["stream"] != false || len(p.bodies) != before+1 {
		t.Errorf("it was not remembered: %v", p.bodies[before:])
	}
	plain := hello("m")
	ask(t, t.Context(), c, plain)
	if p.bodies[len(p.bodies)-1]["stream"] != true {
		t.Error("a request without tools was not streamed")
	}
}
