package openai_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	goopenai "github.com/sashabaranov/go-openai"

	"roundtable/agents"
	"roundtable/agents/openai"
)

const benchTokens = 1000

func benchStream() []byte {
	var b bytes.Buffer
	for i := range benchTokens {
		fmt.Fprintf(&b, `data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":" tok%d"}}],"created":1795232642,"id":"chatcmpl-V0raDLva3VwHhOz4mF5Uto17eoN8NRpR","model":"tiny-random","system_fingerprint":"b4748-c392e5094","object":"chat.completion.chunk"}`+"\n\n", i)
	}
	b.WriteString(`data: {"choices":[{"finish_reason":"stop","index":0,"delta":{}}],"usage":{"completion_tokens":12,"prompt_tokens":58}}` + "\n\ndata: [DONE]\n\n")
	return b.Bytes()
}

// bytesTransport is a transport that answers every request with the same bytes.
type bytesTransport func() io.Reader

func (a bytesTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(a()),
	}, nil
}

// BenchmarkStream compares a whole stream through the client with the same
// bytes through go-openai's own reader.
func BenchmarkStream(b *testing.B) {
	body := benchStream()
	transport := bytesTransport(func() io.Reader { return bytes.NewReader(body) })
	perToken := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchTokens), "ns/token")
	}
	b.Run("ours", func(b *testing.B) {
		c, err := openai.New("mock", openai.Config{BaseURL: "http://localhost/v1"}, openai.Options{Transport: transport})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			for chunk, err := range c.Stream(b.Context(), agents.Request{Model: "m"}) {
				if err != nil {
					b.Fatal(err)
				}
				_ = chunk
			}
		}
		perToken(b)
	})
	b.Run("go-openai", func(b *testing.B) {
		cfg := goopenai.DefaultConfig("")
		cfg.HTTPClient = &http.Client{Transport: transport}
		c := goopenai.NewClientWithConfig(cfg)
		b.ReportAllocs()
		for b.Loop() {
			s, err := c.CreateChatCompletionStream(b.Context(), goopenai.ChatCompletionRequest{Model: "m"})
			for err == nil {
				_, err = s.Recv()
			}
			s.Close()
		}
		perToken(b)
	})
}

// BenchmarkConnection measures what a connection for each request costs on
// loopback, with and without TLS, compared with one that is used again.
func BenchmarkConnection(b *testing.B) {
	for _, tls := range []bool{false, true} {
		for _, again := range []bool{false, true} {
			b.Run(fmt.Sprintf("tls=%t/again=%t", tls, again), func(b *testing.B) {
				srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { events(w, helloThere) }))
				if tls {
					srv.StartTLS()
				} else {
					srv.Start()
				}
				defer srv.Close()
				transport := srv.Client().Transport.(*http.Transport)
				transport.DisableKeepAlives = !again
				c := client(b, openai.Config{BaseURL: srv.URL + "/v1"}, openai.Options{Transport: transport})
				for b.Loop() {
					if got := ask(b, b.Context(), c, hello("m")); got.Failure != nil {
						b.Fatal(got.Failure)
					}
				}
			})
		}
	}
}
