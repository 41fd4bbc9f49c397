package openai_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// tight limits keep a fuzzed stream small.
var tight = openai.Limits{Event: 64 << 10, Answer: 64 << 10, Stream: 1 << 20}

func fuzzed(t *testing.T, body []byte, through func([]byte) io.Reader) result {
	c := client(t, openai.Config{BaseURL: "http://localhost/v1", Limits: tight},
		openai.Options{Rand: noBackoff, Transport: answering(sample{body: string(body)}, through)})
	return ask(t, t.Context(), c, hello("m"))
}

// checkForm checks what is true of every result.
func checkForm(t *testing.T, r result) {
	if !utf8.ValidString(r.Text) || !utf8.ValidString(r.Reasoning) {
		t.Errorf("text that is no UTF-8: %q %q", r.Text, r.Reasoning)
	}
	for _, c := range r.Calls {
		if c.Extra != nil && !json.Valid(c.Extra) {
			t.Errorf("extra %s", c.Extra)
		}
	}
	if r.Extra != "" && !json.Valid([]byte(r.Extra)) {
		t.Errorf("extra %s", r.Extra)
	}
	if f := r.Failure; f != nil &&
		(f.Kind == "" || f.Cause == "" || !utf8.ValidString(f.Error()) || bytes.ContainsAny([]byte(f.Error()), "\n\r\x1b")) {
		t.Errorf("failure %q", f.Error())
	}
}

// FuzzStream feeds any bytes as a stream. The result does not depend on how they
// are split into reads.
func FuzzStream(f *testing.F) {
	for _, s := range corpus(f) {
		if len(s.body) < 4<<10 {
			f.Add([]byte(s.body), 7)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, at int) {
		want := fuzzed(t, body, whole)
		checkForm(t, want)
		if diff := cmp.Diff(seen(want, outcome{}), seen(fuzzed(t, body, oneByOne), outcome{})); diff != "" {
			t.Errorf("byte by byte: %s", diff)
		}
		if at > 0 && at < len(body) {
			if diff := cmp.Diff(seen(want, outcome{}), seen(fuzzed(t, body, split(at)), outcome{})); diff != "" {
				t.Errorf("split: %s", diff)
			}
		}
	})
}

// FuzzDelta feeds any JSON as a delta within a valid stream. It is shown or refused;
// damaged JSON never results in an answer that counts as complete.
func FuzzDelta(f *testing.F) {
	for _, seed := range []string{
		`{"content":"x"}`, `{"content":["x",{"text":"y"},{"thinking":[{"text":"z"}]}]}`, `{"reasoning_details":[{"type":"reasoning.text","text":"a"},null]}`,
		`{"tool_calls":[{"index":"1","id":7,"function":{"name":"a","arguments":{"b":1}}}]}`, `{"refusal":"no"}`, `null`, `[]`, `17`, `{"content":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, delta []byte) {
		if bytes.ContainsAny(delta, "\r\n") {
			return
		}
		got := fuzzed(t, []byte(stream(`{"choices":[{"delta":`+string(delta)+`}]}`, stop, done)), whole)
		checkForm(t, got)
		if got.Failure == nil && !json.Valid(delta) && !bytes.Contains(delta, []byte("}")) {
			t.Errorf("%s was taken for an answer: %+v", delta, got)
		}
	})
}

// FuzzArguments splits the arguments of two calls into pieces and interleaves them.
// Each call gets all of its own.
func FuzzArguments(f *testing.F) {
	f.Add(`{"path":"a \"b\""}`, `{}`, 3, true)
	f.Add(`{"a":1}`, `{"b":"é\u00e9"}`, 1, false)
	f.Add(``, `no JSON`, 2, true)
	f.Fuzz(func(t *testing.T, first, second string, size int, ids bool) {
		if !utf8.ValidString(first) || !utf8.ValidString(second) || size < 1 || len(first)+len(second) > 4<<10 {
			return
		}
		var events []string
		both := [][]rune{[]rune(first), []rune(second)}
		for i := 0; i == 0 || i < len(both[0]) || i < len(both[1]); i += size {
			for n, args := range both {
				piece := args[min(i, len(args)):min(i+size, len(args))]
				events = append(events, fragment(t, n, i == 0, ids, string(piece)))
			}
		}
		got := fuzzed(t, []byte(stream(append(events, stop, done)...)), whole)
		if got.Failure != nil || len(got.Calls) != 2 {
			t.Fatalf("got %+v", got)
		}
		for n, want := range []string{first, second} {
			if want = string(bytes.TrimSpace([]byte(want))); want == "" {
				want = "{}"
			}
			if got.Calls[n].Args != want || got.Calls[n].Name != []string{"read", "list"}[n] {
				t.Errorf("call %d is %+v, want %q", n, got.Calls[n], want)
			}
		}
	})
}

func fragment(t *testing.T, index int, first, ids bool, args string) string {
	function := map[string]any{"arguments": args}
	f := map[string]any{"index": index, "function": function}
	if first {
		function["name"] = []string{"read", "list"}[index]
		if ids {
			f["id"] = []string{"c1", "c2"}[index]
		}
	}
	text := must.Get(json.Marshal(f))(t)
	return call(string(text))
}

// FuzzRetryAfter feeds any headers. The wait that results is bounded.
func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"2", "1.5", "-1", "0", "inf", "NaN", "1e300", "1e400", "100000000000000000000", "Thu, 12 Mar 2099 15:04:05 GMT", "Mon, 02 Jan 2006 15:04:05 GMT", "", "soon", "0x10"} {
		f.Add(seed, "", "")
		f.Add("", seed, "")
		f.Add("Mon, 02 Jan 2006 15:04:05 GMT", "", seed)
	}
	f.Fuzz(func(t *testing.T, after, millis, date string) {
		refuse, _ := answered(429, "", "Retry-After", after, "Retry-After-Ms", millis, "Date", date)
		c := client(t, local, openai.Options{Rand: noBackoff, Transport: inMemory(refuse)})
		for chunk, err := range c.Stream(t.Context(), hello("m")) {
			if r, ok := chunk.Event.(agents.Retry); ok {
				if r.In < 0 || r.In > century || r.Until.IsZero() != (r.In <= time.Minute) {
					t.Errorf("said %+v", r)
				}
				return
			}
			if err != nil {
				t.Errorf("gave up on %+v", err)
			}
		}
	})
}

// FuzzErrorBody feeds any body of an error. What the server says stays within its
// quotation, on one line, without the key.
func FuzzErrorBody(f *testing.F) {
	for i, seed := range []string{
		"", "no", `{"error":"a\" (b) · c"}`, `[{"error":{"message":["x","y"]}}]`, `{"detail":[{"msg":"m","loc":["body","a"]}]}`,
		"<title>\u201d)\n</title>", `{"error":{"message":"` + canary + `","param":"(p)"}}`, "\u2028#\u0085 Verdict",
		`{"error":{"metadata":{"raw":"{\"error\":\"up\"}","provider_name":"P"},"message":"m"}}`,
	} {
		f.Add(seed, 400+i)
	}
	f.Fuzz(func(t *testing.T, body string, code int) {
		if code < 400 || code > 599 {
			return
		}
		refuse, _ := answered(code, body, "Retry-After", "3600")
		c := client(t, local, openai.Options{Key: canary, Rand: noBackoff, Transport: inMemory(refuse)})
		var cause string
		for chunk, err := range c.Stream(t.Context(), hello("m")) {
			if f, ok := err.(*agents.Failure); ok {
				cause = f.Cause
			} else if r, ok := chunk.Event.(agents.Retry); ok {
				cause = r.Cause
			}
			break
		}
		if strings.ContainsAny(cause, "\n\r\u0085\u2028\u2029\x1b") || strings.Contains(cause, canary) || !utf8.ValidString(cause) {
			t.Errorf("cause %q", cause)
		}
		if _, rest, quoted := strings.Cut(cause, `: "`); quoted {
			words, ours, _ := strings.Cut(rest, `"`)
			if strings.ContainsAny(words, "()·") || strings.Contains(ours, `"`) {
				t.Errorf("cause %q", cause)
			}
		}
	})
}
