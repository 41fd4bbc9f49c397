// Package endpoint is a scripted OpenAI-compatible server on loopback, for
// tests of whatever speaks to one. It streams as real servers do, keeps every
// request that it was sent, and knows nothing of who asks.
package endpoint

import (
	"cmp"
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
	Messages []Message
	Tools    []json.RawMessage
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
		r := Request{Raw: string(raw)}
		if err := json.Unmarshal(raw, &r); err != nil || len(r.Messages) == 0 {
			t.Errorf("unreadable request (%v): %s", err, raw)
		}
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
			stream(w, hr, a)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// Requests returns what was sent for a model, in order; "" means all models.
func (s *Server) Requests(model string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.sent), func(r Request) bool { return model != "" && r.Model != model })
}

// stream writes a reply as server-sent events, arguments of a call in fragments.
func stream(w http.ResponseWriter, hr *http.Request, a Reply) {
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(delta, finish string) {
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, finish)
		http.NewResponseController(w).Flush()
	}
	if a.Call != "" {
		event(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":%s,"arguments":""}}]}`,
			quote(cmp.Or(a.Tool, "request_context"))), "null")
		for i := 0; i < len(a.Call); i += 7 {
			event(fmt.Sprintf(`{"tool_calls":[{"index":0,"function":{"arguments":%s}}]}`, quote(a.Call[i:min(i+7, len(a.Call))])), "null")
		}
		event("{}", `"tool_calls"`)
	} else {
		for _, word := range strings.SplitAfter(a.Text, " ") {
			select {
			case <-hr.Context().Done():
				return
			case <-time.After(a.Pace):
			}
			event(fmt.Sprintf(`{"content":%s}`, quote(word)), "null")
			if a.Sent != nil {
				a.Sent(word)
			}
		}
		event("{}", `"stop"`)
	}
	fmt.Fprint(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}\n\ndata: [DONE]\n\n")
}

func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil { // strings always encode
		panic(err)
	}
	return string(raw)
}
