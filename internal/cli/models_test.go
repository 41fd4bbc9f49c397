package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
)

// models is a server whose models behave as their names say.
type models struct {
	*httptest.Server
	quit chan struct{}
}

func newModels() *models {
	m := &models{quit: make(chan struct{})}
	m.Server = httptest.NewServer(http.HandlerFunc(m.answer))
	return m
}

func (m *models) Close() {
	close(m.quit)
	m.Server.Close()
}

type completion struct {
	Model    string
	Messages []struct{ Role, Content string }
	Tools    []struct{ Function struct{ Name string } }
}

// callTool calls the first offered tool of a server, unless a result is there.
func callTool(w io.Writer, req completion) bool {
	if req.Messages[len(req.Messages)-1].Role == "tool" {
		return false
	}
	for _, t := range req.Tools {
		if strings.Contains(t.Function.Name, "__") {
			stream(w, `{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"`+t.Function.Name+`","arguments":"{\"text\":\"x\"}"}}]}`,
				"tool_calls")
			return true
		}
	}
	return false
}

func (m *models) answer(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/long/models"): // longer than what is read of a list
		io.WriteString(w, `{"data":[{"id":"good-1"}`)
		for i := range 10_000 {
			fmt.Fprintf(w, `,{"id":"filler-%d"}`, i)
		}
		io.WriteString(w, `]}`)
		return
	case strings.HasSuffix(r.URL.Path, "/slow/models"):
		select {
		case <-r.Context().Done():
		case <-m.quit:
		}
		return
	case strings.HasSuffix(r.URL.Path, "/models"):
		io.WriteString(w, `{"data":[{"id":"good-1","context_length":131072,"pricing":{"prompt":"0.0000025","completion":"0.00001"}},`+
			`{"id":"plain"},{"id":"escape\u001b[2J"}]}`)
		return
	}
	raw, err := io.ReadAll(r.Body)
	var req completion
	if err == nil {
		err = json.Unmarshal(raw, &req)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch behaviour, _, _ := strings.Cut(req.Model, "-"); behaviour {
	case "refuses": // as careless proxies do, with the key in the text
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"the header %s is not valid"}}`, r.Header.Get("Authorization"))
	case "busy":
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":{"message":"come back later"}}`)
	case "reads":
		m.call(w, req, "read_file", `{\"path\":\"notes.txt\"}`)
	case "runs":
		m.call(w, req, "run_command", `{\"argv\":[\"git\",\"log\",\"--format=%s \\\\x1b\"]}`)
	case "asks":
		asked := len(req.Tools) == 0
		for _, x := range req.Messages {
			asked = asked || x.Role == "tool"
		}
		if asked {
			m.speak(w, req)
			return
		}
		stream(w, `{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"request_context","arguments":`+
			`"{\"query\":\"How many users are there?\",\"reason\":\"It decides.\",\"priority\":\"required\",\"agent_id\":\"brook\"}"}}]}`, "tool_calls")
	case "finds":
		raw, err := json.Marshal(review(req))
		if err != nil {
			panic(err)
		}
		stream(w, `{"content":`+string(raw)+`}`, "stop")
	case "looks":
		if !callTool(w, req) {
			m.speak(w, req)
		}
	case "light":
		stream(w, `{"content":"{\"level\": 0.93, \"clusters\": [{\"theme\": \"yes\\u001b[31m\", \"seats\": [1, 2]}]}"}`, "stop")
	case "forgets": // the block, until it is asked for
		if !strings.Contains(req.Messages[len(req.Messages)-1].Content, "Only the JSON block of your statement, please") {
			stream(w, `{"content":"I say yes and no more."}`, "stop")
			return
		}
		m.speak(w, req)
	default:
		m.speak(w, req)
	}
}

// call calls a tool once, and then answers.
func (m *models) call(w io.Writer, req completion, name, args string) {
	if last := req.Messages[len(req.Messages)-1]; len(req.Tools) == 0 || last.Role == "tool" {
		m.speak(w, req)
		return
	}
	stream(w, fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"../../x","function":{"name":%q,"arguments":"%s"}}]}`, name, args), "tool_calls")
}

// speak answers with a statement that has all its parts.
func (m *models) speak(w io.Writer, req completion) {
	text := "I am " + req.Model + "\u001b[31m and say yes.\n\n```json\n{\"position\": \"Yes.\", \"confidence\": 0.7, " +
		"\"vote\": \"yes\", \"context_used\": [\"C1\"]}\n```"
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	stream(w, `{"content":`+string(raw)+`}`, "")
	input, output := 100, 20
	switch behaviour, _, _ := strings.Cut(req.Model, "-"); behaviour {
	case "spends":
		input = 980
	case "thinks":
		output = 9000
	}
	finish(w, "stop", input, output)
}

// stream sends a delta, and what ends a stream unless the reason is empty.
func stream(w io.Writer, delta, reason string) {
	fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s}]}\n\n", delta)
	if reason != "" {
		finish(w, reason, 100, 20)
		return
	}
	flush(w)
}

func finish(w io.Writer, reason string, input, output int) {
	fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}],"+
		"\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d}}\n\ndata: [DONE]\n\n", reason, input, output)
	flush(w)
}

func flush(w io.Writer) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
