package openai_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/openai"
)

// sample is a response body and what it means.
type sample struct {
	name string
	body string
	want outcome
	max  int    // max_tokens of the request
	kind string // content type; "" is an event stream
}

// outcome is the result of a completion in a short form.
type outcome struct {
	Text, Thought string
	Finish        agents.Finish
	Calls         string // "name(args)#id", parted by spaces
	Usage         string // "input/output/reasoning"
	Extra         string
	Kind          agents.Kind
	Says          string // a part of the failure's words
}

// seen returns a result as an outcome that can be compared with want.
func seen(r result, want outcome) outcome {
	got := outcome{Text: r.Text, Thought: r.Reasoning, Finish: r.Finish, Extra: r.Extra}
	var calls []string
	for _, c := range r.Calls {
		calls = append(calls, fmt.Sprintf("%s(%s)#%s", c.Name, c.Args, c.ID)+string(c.Extra))
	}
	got.Calls = strings.Join(calls, " ")
	if r.Usage != nil {
		got.Usage = fmt.Sprintf("%d/%d/%d", r.Usage.Input, r.Usage.Output, r.Usage.Reasoning)
	}
	if f := r.Failure; f != nil {
		got.Kind, got.Says = f.Kind, f.Error()
		if want.Says != "" && strings.Contains(got.Says, want.Says) {
			got.Says = want.Says
		}
	}
	return got
}

// corpus is every sample.
func corpus(t testing.TB) []sample {
	all := append(framing(), values()...)
	all = append(all, calls()...)
	all = append(all, inBandErrors()...)
	all = append(all, documents()...)
	return append(all, recorded(t)...)
}

// answering returns a transport that answers with a body, read through a reader of the test.
func answering(s sample, through func([]byte) io.Reader) http.RoundTripper {
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		kind := s.kind
		if kind == "" {
			kind = "text/event-stream"
		}
		return &http.Response{
			StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
			Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(through([]byte(s.body))),
		}, nil
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func play(t testing.TB, s sample, through func([]byte) io.Reader) outcome {
	t.Helper()
	c := client(t, openai.Config{BaseURL: "http://localhost/v1"}, openai.Options{Rand: noBackoff, Transport: answering(s, through)})
	req := hello("m")
	req.MaxTokens = s.max
	return seen(ask(t, t.Context(), c, req), s.want)
}

func whole(b []byte) io.Reader { return bytes.NewReader(b) }

// split returns a reader that returns the bytes in two parts.
func split(at int) func([]byte) io.Reader {
	return func(b []byte) io.Reader {
		return io.MultiReader(bytes.NewReader(b[:at]), bytes.NewReader(b[at:]))
	}
}

func oneByOne(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) }

// Each sample is read as it is meant; FuzzStream splits them in all places.
func TestCorpus_means(t *testing.T) {
	all := corpus(t)
	if len(all) < 120 {
		t.Errorf("the corpus has %d samples only", len(all))
	}
	names := map[string]bool{}
	for _, s := range all {
		if names[s.name] {
			t.Errorf("two samples are called %q", s.name)
		}
		names[s.name] = true
		for name, end := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
			t.Run(s.name+"/"+name, func(t *testing.T) {
				s.body = strings.ReplaceAll(s.body, "\n", end)
				if diff := cmp.Diff(s.want, play(t, s, whole)); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
			})
		}
	}
}

// recordAddress returns a transport that records the address of a request and answers it.
func recordAddress(address *string) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		*address = r.URL.String()
		return answering(sample{body: helloThere}, whole).RoundTrip(r)
	})
}

// A search of OpenRouter is asked for by a field of the seat, or by the model's name. Its answer
// has the sources beside the text, as recorded.
func TestStream_readsAnswersWithSourcesOfTheWeb(t *testing.T) {
	const sources = `"annotations":[{"type":"url_citation","url_citation":{"url":"https://example.org/a","title":"A","content":"…",` +
		`"start_index":0,"end_index":12}}]`
	for name, reply := range map[string]string{
		"beside a piece": stream(`{"choices":[{"index":0,"delta":{"role":"assistant","content":"It is 42.",`+sources+`}}]}`, stop, done),
		"at the end": stream(content("It is 42."),
			`{"choices":[{"index":0,"delta":{"role":"assistant","content":"",`+sources+`},"finish_reason":"stop"}]}`, done),
		"whole": `{"choices":[{"index":0,"message":{"role":"assistant","content":"It is 42.",` + sources + `},"finish_reason":"stop"}]}`,
	} {
		var sent struct {
			Model   string
			Plugins []struct{ ID string }
		}
		h := func(w http.ResponseWriter, r *http.Request) {
			raw, err := io.ReadAll(r.Body)
			if err == nil {
				err = json.Unmarshal(raw, &sent)
			}
			if err != nil {
				t.Error(err)
			}
			io.WriteString(w, reply)
		}
		req := hello("openai/gpt-6.2-sol:online")
		req.ExtraBody = json.RawMessage(`{"plugins":[{"id":"web"}]}`)
		got := ask(t, t.Context(), serveWith(t, openai.Config{}, h), req)
		if got.Failure != nil || got.Text != "It is 42." || got.Finish != agents.FinishStop {
			t.Errorf("%s: %q, %v", name, got.Text, got.Failure)
		}
		if sent.Model != req.Model || len(sent.Plugins) != 1 || sent.Plugins[0].ID != "web" {
			t.Errorf("%s: sent %+v", name, sent)
		}
	}
}
