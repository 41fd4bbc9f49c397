package openai_test

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// refused returns an address on which nothing listens.
func refused(t *testing.T) string {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().String()
}

// failing sends a request to base and returns its failure.
func failing(t *testing.T, base string, opts openai.Options) *agents.Failure {
	t.Helper()
	opts.Rand = noBackoff
	if opts.Proxy == nil { // whatever the environment says
		opts.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	}
	got := ask(t, t.Context(), client(t, openai.Config{BaseURL: base}, opts), hello("m")).Failure
	if got == nil {
		t.Fatal("no failure")
	}
	if got.Kind != agents.KindNetwork || !got.Unprocessed {
		t.Errorf("kind %s, unprocessed %t: %s", got.Kind, got.Unprocessed, got.Error())
	}
	if strings.ContainsAny(got.Error(), "\n\r") || strings.Contains(got.Error(), "goroutine") {
		t.Errorf("not one line: %q", got.Error())
	}
	return got
}

func TestNetwork_namesHostAndRemedy(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	addr, host := refused(t), strings.TrimPrefix(plain.URL, "http://")
	unresolved := func(err net.DNSError) openai.Options {
		return openai.Options{Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: &err}
		}}
	}
	proxied := openai.Options{Proxy: func(*http.Request) (*url.URL, error) {
		return &url.URL{Scheme: "http", Host: addr, User: url.UserPassword("u", "canary-password")}, nil
	}}
	proxyDown := "The proxy " + addr + " could not connect to api.example.com for m: connection refused. " +
		"Check HTTPS_PROXY and NO_PROXY, or start the proxy."
	for _, tt := range []struct {
		base string
		opts openai.Options
		want string
		n    int // tries
	}{
		{"http://" + addr, openai.Options{}, "mock/m at " + addr + " refused the connection. Start the server, or check base_url of mock.", 4},
		{
			"https://api.example.invalid", unresolved(net.DNSError{Err: "no such host", Name: "api.example.invalid", IsNotFound: true}),
			"Cannot resolve api.example.invalid. Are you online? If so, check base_url of mock.", 1,
		},
		{
			"https://api.example.com", unresolved(net.DNSError{Err: "server misbehaving", IsTemporary: true}),
			"Cannot resolve api.example.com. Are you online? If so, check base_url of mock.", 4,
		},
		{
			"https://" + host, openai.Options{}, "mock/m at " + host + " does not speak https. Use http:// in base_url of mock if the server is " +
				"on this machine; a change counts when Roundtable starts again.", 1,
		},
		{"https://api.example.com", proxied, proxyDown, 4},
		{"http://api.example.com", proxied, proxyDown, 4},
	} {
		if got := failing(t, tt.base+"/v1", tt.opts); got.Error() != tt.want || got.Tries != tt.n {
			t.Errorf("%d tries: %s", got.Tries, got.Error())
		}
	}
}

func TestNetwork_explainsCertificates(t *testing.T) {
	const remedy = " Check base_url of mock, the clock of this machine, or install the authority's certificate in the system; " +
		"a change counts when Roundtable starts again."
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	roots := srv.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	later := func() time.Time { return srv.Certificate().NotAfter.Add(time.Hour) }
	for name, tt := range map[string]struct {
		config *tls.Config
		says   string
	}{
		"unknown authority": {&tls.Config{}, "certificate signed by unknown authority. "},
		"expired":           {&tls.Config{RootCAs: roots, Time: later}, "certificate has expired or is not yet valid: current time "},
		"another host":      {&tls.Config{RootCAs: roots, ServerName: "other.test"}, "certificate is valid for example.com, *.example.com, not other.test. "},
	} {
		transport := &http.Transport{TLSClientConfig: tt.config}
		got := failing(t, srv.URL+"/v1", openai.Options{Transport: transport})
		transport.CloseIdleConnections()
		want := "The certificate of mock/m at " + strings.TrimPrefix(srv.URL, "https://") + " is refused: " + tt.says
		if !strings.HasPrefix(got.Error(), want) || !strings.HasSuffix(got.Error(), remedy) || got.Tries != 1 {
			t.Errorf("%s: %d tries: %s", name, got.Tries, got.Error())
		}
	}
}

func TestNetwork_retriesAConnectionThatBreaksBeforeTheAnswer(t *testing.T) {
	var n atomic.Int32
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) < 3 {
			hijack(t, w, "")
			return
		}
		events(w, helloThere)
	})
	if got := ask(t, t.Context(), c, hello("m")); got.Failure != nil || n.Load() != 3 ||
		!strings.HasPrefix(got.Retries[0].Cause, "Cannot connect to mock/m at 127.0.0.1:") {
		t.Errorf("%d requests, %+v", n.Load(), got)
	}
}

func TestHTTP2_aStreamThatIsResetIsCut(t *testing.T) {
	var n atomic.Int32
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		if r.ProtoMajor != 2 {
			t.Errorf("protocol %s", r.Proto)
		}
		events(w, stream(content("Hello")))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)
	c := client(t, openai.Config{BaseURL: srv.URL + "/v1"}, openai.Options{Rand: noBackoff, Transport: srv.Client().Transport})
	got := ask(t, t.Context(), c, hello("m"))
	if got.Failure == nil || got.Failure.Kind != agents.KindTruncated || got.Text != "Hello" || !got.Failure.Again || n.Load() != 1 {
		t.Errorf("%d requests, %+v", n.Load(), got)
	}
}

// A server that sends too late, or twice, must not answer another request: each has a connection of its own.
func TestConnection_isNeverShared(t *testing.T) {
	connections := map[string]bool{}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		connections[r.RemoteAddr] = true
		events(w, helloThere)
	})
	for range 3 {
		ask(t, t.Context(), c, hello("m"))
	}
	if len(connections) != 3 {
		t.Errorf("3 requests had %d connections", len(connections))
	}
}
