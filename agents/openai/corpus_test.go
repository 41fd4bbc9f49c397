package openai_test

import (
	"bytes"
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
