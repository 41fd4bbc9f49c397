// Package endpoint is a scripted model server on loopback, for tests of whatever speaks to
// one. It speaks Chat Completions, Responses, Anthropic Messages and Gemini, by the path
// that is asked for. It streams as real servers do, keeps every request that it was sent,
// and knows nothing of who asks.
package endpoint

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Request is what a client sent.
type Request struct {
	Raw      string // the body, as it came
	Model    string
	Messages []Message // of Chat Completions only
	Tools    []json.RawMessage
	Results  int // of tools, that it has
}

// Tool returns the name of the first tool on offer whose name ends in one of these; "" if
// there is none. A tool in a namespace of Responses has that and a space before its name, and
// one that is no function has its type as its name.
func (r Request) Tool(ends ...string) string {
	type tool struct {
		Name, Type                  string
		Function                    struct{ Name string }
		Tools, FunctionDeclarations []struct{ Name string }
	}
	var names []string
	for _, raw := range r.Tools {
		var t tool
		if err := json.Unmarshal(raw, &t); err != nil {
			continue
		}
		names = append(names, cmp.Or(t.Name, t.Function.Name, t.Type))
		for _, nested := range slices.Concat(t.Tools, t.FunctionDeclarations) {
			names = append(names, strings.TrimSpace(t.Name+" "+nested.Name))
		}
	}
	for _, end := range ends {
		for _, name := range names {
			if strings.HasSuffix(name, end) {
				return name
			}
		}
	}
	return ""
}

// Message is one message of a request.
type Message struct {
	Role    string
	Content string
}

// UnmarshalJSON reads a message whose content is a text or a list of parts.
func (m *Message) UnmarshalJSON(raw []byte) error {
	var read struct {
		Role    string
		Content json.RawMessage
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		return err
	}
	m.Role, m.Content = read.Role, ""
	if len(read.Content) == 0 || json.Unmarshal(read.Content, &m.Content) == nil {
		return nil
	}
	var parts []struct{ Text string }
	if err := json.Unmarshal(read.Content, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		m.Content += p.Text
	}
	return nil
}

// Last returns the last message.
func (r Request) Last() Message { return r.Messages[len(r.Messages)-1] }

// Reply is what the server makes of a request: whatever Serve writes, an error
// with a status, a call of a tool with these arguments, or a text of which a word is
// sent each Pace. Sent, if there is one, is called for each word sent.
type Reply struct {
	Serve  http.HandlerFunc
	Status int
	Call   string // arguments
	Tool   string // that Call is for; "": request_context
	Text   string
	Pace   time.Duration
	Sent   func(word string)
}

// Server answers as scripted.
type Server struct {
	*httptest.Server
	mu   sync.Mutex
	sent []Request
}

// New starts a server that ends with the test.
func New(t testing.TB, answer func(Request) Reply) *Server {
	t.Helper()
	s := &Server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		if hr.Method != http.MethodPost { // the program asks what the server is, and it does not tell
			http.NotFound(w, hr)
			return
		}
		raw, err := io.ReadAll(hr.Body)
		if err != nil {
			return // the client has gone
		}
		spoken := protocolOf(hr.URL.Path)
		r := Request{Raw: string(raw), Model: spoken.model}
		if err := json.Unmarshal(raw, &r); err != nil || spoken.result == chatResult && len(r.Messages) == 0 {
			t.Errorf("unreadable request for %s (%v): %s", hr.URL.Path, err, raw)
			http.NotFound(w, hr)
			return
		}
		r.Results = strings.Count(r.Raw, spoken.result)
		s.mu.Lock()
		s.sent = append(s.sent, r)
		s.mu.Unlock()
		switch a := answer(r); {
		case a.Serve != nil:
			a.Serve(w, hr)
		case a.Status != 0:
			w.WriteHeader(a.Status)
			fmt.Fprint(w, `{"error":{"message":"the server exploded"}}`)
		default:
			a.Tool = cmp.Or(a.Tool, "request_context")
			w.Header().Set("Content-Type", "text/event-stream")
			spoken.stream(reply{a, w, hr, idFor(r)})
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// idFor returns the id of the answer to a request. It differs within a conversation, and
// is the same in the same debate played again, whose prompts have other marks.
func idFor(r Request) string {
	if len(r.Messages) == 0 {
		return fmt.Sprintf("%x", sha256.Sum256([]byte(r.Raw)))[:26]
	}
	return fmt.Sprint(len(r.Messages))
}

// Requests returns what was sent for a model, in order; "" means all models.
func (s *Server) Requests(model string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.sent), func(r Request) bool { return model != "" && r.Model != model })
}

// protocol is how one of the protocols is spoken.
type protocol struct {
	model  string // that the path names; "" if the request does
	result string // stands in a request once for each result of a tool
	stream func(reply)
}

const chatResult = `"role":"tool"`

func protocolOf(path string) protocol {
	model, method, _ := strings.Cut(path[strings.LastIndex(path, "/")+1:], ":")
	switch {
	case strings.HasSuffix(path, "/responses"):
		return protocol{"", `"function_call_output"`, streamResponses}
	case strings.HasSuffix(path, "/messages"):
		return protocol{"", `"type":"tool_result"`, streamMessages}
	case method != "":
		return protocol{model, `"functionResponse":`, streamGemini}
	}
	return protocol{"", chatResult, streamChat}
}

// reply is a Reply under way, with its id.
type reply struct {
	Reply
	w  http.ResponseWriter
	hr *http.Request
	id string
}

// event writes a server-sent event.
func (a reply) event(format string, args ...any) { Stream(a.w, fmt.Sprintf(format, args...)) }

// Stream writes server-sent events.
func Stream(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		fmt.Fprintf(w, "data: %s\n\n", event)
	}
	_ = http.NewResponseController(w).Flush() // the client may have gone
}

// words calls send for each word of the text. It reports whether the client has heard all.
func (a reply) words(send func(word string)) bool {
	for _, word := range strings.SplitAfter(a.Text, " ") {
		select {
		case <-a.hr.Context().Done():
			return false
		case <-time.After(a.Pace):
		}
		send(word)
		if a.Sent != nil {
			a.Sent(word)
		}
	}
	return true
}

// streamChat writes a reply of Chat Completions, arguments of a call in fragments.
func streamChat(a reply) {
	event := func(delta, finish string) {
		a.event(`{"choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`, delta, finish)
	}
	if a.Call != "" {
		event(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":%q,"type":"function","function":{"name":%s,"arguments":""}}]}`,
			"call_"+a.id, quote(a.Tool)), "null")
		for i := 0; i < len(a.Call); i += 7 {
			event(fmt.Sprintf(`{"tool_calls":[{"index":0,"function":{"arguments":%s}}]}`, quote(a.Call[i:min(i+7, len(a.Call))])), "null")
		}
		event("{}", `"tool_calls"`)
	} else {
		if !a.words(func(word string) { event(fmt.Sprintf(`{"content":%s}`, quote(word)), "null") }) {
			return
		}
		event("{}", `"stop"`)
	}
	a.event(`{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5}}`)
	a.event("[DONE]")
}

func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil { // strings always encode
		panic(err)
	}
	return string(raw)
}
