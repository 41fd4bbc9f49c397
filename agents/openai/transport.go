package openai

import (
	"context"
	"net"
	"net/http"
	"time"
)

const userAgent = "roundtable"

// newHTTPClient returns a client that follows no redirects, since a redirected
// request carries the prompt and the key, and that asks for no compression, since
// a compressed stream arrives in large pieces. Each request has a connection of
// its own: what a server sends too late or twice cannot become the response to
// another agent's request.
func newHTTPClient(t Timeouts, opts Options) *http.Client {
	transport := opts.Transport
	if transport == nil {
		transport = &http.Transport{
			Proxy:                  opts.Proxy,
			DialContext:            dialTimeout(time.Duration(t.Connect), opts.Dial),
			TLSHandshakeTimeout:    time.Duration(t.TLS),
			DisableCompression:     true,
			DisableKeepAlives:      true,
			ForceAttemptHTTP2:      true,
			HTTP2:                  &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
			ExpectContinueTimeout:  time.Second,
			MaxResponseHeaderBytes: 256 << 10,
		}
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type dialFunc func(ctx context.Context, network, addr string) (net.Conn, error)

// dialTimeout returns dial with a timeout.
func dialTimeout(d time.Duration, dial dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, d, errConnectTimeout)
		defer cancel()
		conn, err := dial(ctx, network, addr)
		if err != nil && context.Cause(ctx) == errConnectTimeout {
			return nil, errConnectTimeout
		}
		return conn, err
	}
}
