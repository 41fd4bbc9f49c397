package openai_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
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
	addr := refused(t)
	got := failing(t, "http://"+addr+"/v1", openai.Options{})
	if want := "mock/m at " + addr + " refused the connection. Start the server, or check base_url of mock."; got.Error() != want ||
		got.Tries != 4 {
		t.Errorf("%d tries: %s", got.Tries, got.Error())
	}

	unknown := func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "api.example.invalid", IsNotFound: true}}
	}
	got = failing(t, "https://api.example.invalid/v1", openai.Options{Dial: unknown})
	if want := "Cannot resolve api.example.invalid. Are you online? If so, check base_url of mock."; got.Error() != want || got.Tries != 1 {
		t.Errorf("%d tries: %s", got.Tries, got.Error())
	}

	offline := func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}}
	}
	got = failing(t, "https://api.example.com/v1", openai.Options{Dial: offline})
	if want := "Cannot resolve api.example.com. Are you online? If so, check base_url of mock."; got.Error() != want || got.Tries != 4 {
		t.Errorf("%d tries: %s", got.Tries, got.Error())
	}
}

func TestNetwork_explainsCertificates(t *testing.T) {
	const remedy = " Check base_url of mock, the clock of this machine, or install the authority's certificate in the system; " +
		"a change counts when Roundtable starts again."
	now := time.Now()
	for _, tt := range []struct {
		name    string
		cert    x509.Certificate
		trusted bool
		says    string
	}{
		{"unknown authority", x509.Certificate{NotAfter: now.Add(time.Hour), IPAddresses: []net.IP{{127, 0, 0, 1}}}, false, "is refused: certificate signed by unknown authority. "},
		{"expired", x509.Certificate{NotAfter: now.Add(-time.Hour), IPAddresses: []net.IP{{127, 0, 0, 1}}}, true, "is refused: certificate has expired or is not yet valid: current time "},
		{"another host", x509.Certificate{NotAfter: now.Add(time.Hour), DNSNames: []string{"other.example"}}, true, "is refused: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs. "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv, roots := tlsServer(t, tt.cert)
			transport := &http.Transport{TLSClientConfig: &tls.Config{}}
			if tt.trusted {
				transport.TLSClientConfig.RootCAs = roots
			}
			defer transport.CloseIdleConnections()
			got := failing(t, srv.URL+"/v1", openai.Options{Transport: transport})
			want := "The certificate of mock/m at " + strings.TrimPrefix(srv.URL, "https://") + " " + tt.says
			if !strings.HasPrefix(got.Error(), want) || !strings.HasSuffix(got.Error(), remedy) || got.Tries != 1 {
				t.Errorf("%d tries: %s", got.Tries, got.Error())
			}
		})
	}
}

func tlsServer(t *testing.T, cert x509.Certificate) (*httptest.Server, *x509.CertPool) {
	t.Helper()
	key := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	cert.SerialNumber, cert.Subject = big.NewInt(1), pkix.Name{CommonName: "test"}
	cert.NotBefore, cert.IsCA, cert.BasicConstraintsValid = time.Now().Add(-2*time.Hour), true, true
	cert.KeyUsage = x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign
	der := must.Get(x509.CreateCertificate(rand.Reader, &cert, &cert, &key.PublicKey, key))(t)
	parsed := must.Get(x509.ParseCertificate(der))(t)
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv, roots
}

func TestNetwork_findsHTTPWhereHTTPSWasExpected(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(srv.Close)
	host := strings.TrimPrefix(srv.URL, "http://")
	got := failing(t, "https://"+host+"/v1", openai.Options{})
	if want := "mock/m at " + host + " does not speak https. Use http:// in base_url of mock if the server is on this machine; a change counts when Roundtable starts again."; got.Error() != want ||
		got.Tries != 1 {
		t.Errorf("%d tries: %s", got.Tries, got.Error())
	}
}

func TestNetwork_namesAProxyThatIsDown(t *testing.T) {
	addr := refused(t)
	proxy := func(*http.Request) (*url.URL, error) {
		return &url.URL{Scheme: "http", Host: addr, User: url.UserPassword("u", "canary-password")}, nil
	}
	for _, base := range []string{"https://api.example.com/v1", "http://api.example.com/v1"} {
		got := failing(t, base, openai.Options{Proxy: proxy})
		want := "The proxy " + addr + " could not connect to api.example.com for m: connection refused. Check HTTPS_PROXY and NO_PROXY, or start the proxy."
		if got.Error() != want || got.Tries != 4 {
			t.Errorf("%d tries: %s", got.Tries, got.Error())
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
