package openai_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// TestConnection_isNeverShared lets a server send two responses to one request.
// The second one must not become the response to the next request.
func TestConnection_isNeverShared(t *testing.T) {
	for name, delay := range map[string]time.Duration{"at once": 0, "late": 20 * time.Millisecond} {
		var requests atomic.Int32
		url := rawServer(t, func(conn net.Conn, req *http.Request) {
			n := requests.Add(1)
			respond := func(text string) {
				body := stream(content(text), stop, counted, done)
				fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			}
			respond(fmt.Sprintf("answer %d", n))
			time.Sleep(delay)
			respond("somebody else's")
		})
		c := client(t, openai.Config{BaseURL: url}, openai.Options{Rand: noBackoff})
		for i := 1; i <= 3; i++ {
			got := ask(t, t.Context(), c, hello("m"))
			if want := fmt.Sprintf("answer %d", i); got.Failure != nil || got.Text != want {
				t.Errorf("%s: %q %v, want %q", name, got.Text, got.Failure, want)
			}
			time.Sleep(2 * delay)
		}
	}
}

// rawServer passes each request with its connection to a handler, as often as
// requests come on that connection.
func rawServer(t *testing.T, handle func(net.Conn, *http.Request)) (url string) {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for {
					req, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					io.Copy(io.Discard, req.Body)
					handle(conn, req)
				}
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/v1"
}
