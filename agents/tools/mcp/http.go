package mcp

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/internal/text"
)

// maxResponse is how much of one HTTP response is read, in bytes.
const maxResponse = 16 << 20

// newHTTPTransport returns the transport to a server at an address. Headers has the values
// of the configured headers.
func newHTTPTransport(c Config, headers map[string]string) *sdk.StreamableClientTransport {
	return &sdk.StreamableClientTransport{
		Endpoint: c.URL, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxMessage,
		HTTPClient: &http.Client{
			Transport: boundedTransport{headers, &http.Transport{
				Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 10 * time.Second, ForceAttemptHTTP2: true,
				MaxResponseHeaderBytes: 256 << 10, IdleConnTimeout: time.Minute,
			}},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// boundedTransport adds the configured headers to requests, refuses redirects, which
// would carry the headers and the arguments to somebody else, and bounds responses.
type boundedTransport struct {
	headers map[string]string
	base    *http.Transport
}

// RoundTrip sends a request.
func (t boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range t.headers {
		r.Header.Set(name, value)
	}
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("the server redirects to %s, which is not followed; put the final address into url",
			text.Label(resp.Header.Get("Location")))
	}
	resp.Body = &boundedBody{resp.Body, maxResponse}
	return resp, nil
}

// CloseIdleConnections closes connections that no request uses.
func (t boundedTransport) CloseIdleConnections() { t.base.CloseIdleConnections() }

// boundedBody is a body of which only so much is read.
type boundedBody struct {
	io.ReadCloser
	left int
}

var errTooLong = errors.New("the server sent more than 16 MB in one response")

// Read reads what is allowed.
func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
