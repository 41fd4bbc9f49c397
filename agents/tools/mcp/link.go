package mcp

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"roundtable/internal/process"
	"roundtable/internal/text"
)

const (
	maxTools = 1000
	maxPages = 100 // of a list of tools

	closeTimeout = time.Second // for the good-bye to a server at an address
)

type link struct {
	session *sdk.ClientSession
	process *process.Process // nil for a server at an address
	stdout  *messageReader   // of the process
	ended   chan struct{}    // closed when no call can succeed any more

	broken atomic.Pointer[error] // why no call can succeed, if a call found that out
}

// connect starts or reaches a server. It returns when the server is ready or ctx is done.
// What it leaves to be stopped is added to stopping.
func connect(ctx context.Context, c Config, env environment, version string, stopping *sync.WaitGroup) (*link, error) {
	l := &link{ended: make(chan struct{})}
	var transport sdk.Transport
	if c.URL != "" {
		headers, err := env.headers(c)
		if err != nil {
			return nil, err
		}
		transport = newHTTPTransport(c, headers)
	} else {
		vars, err := env.variables(c)
		if err != nil {
			return nil, err
		}
		if l.process, err = process.Start(c.Command, vars, "roundtable-mcp-", nil); err != nil {
			return nil, startError(c, err)
		}
		l.stdout = &messageReader{file: l.process.Stdout, lines: bufio.NewReaderSize(l.process.Stdout, 64<<10)}
		transport = &sdk.IOTransport{Reader: l.stdout, Writer: l.process.Stdin}
		stopping.Go(func() {
			select {
			case <-l.process.Stdin.Failed(): // no call can reach it
				l.stop()
			case <-l.process.Done():
			}
		})
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "roundtable", Version: version}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	})
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		err = l.explain(err)
		stopping.Go(l.stop)
		return nil, err
	}
	l.session = session
	stopping.Go(func() {
		_ = session.Wait() // why it ended is asked of the process
		close(l.ended)
		l.stop()
	})
	return l, nil
}

func startError(c Config, err error) error {
	var missing *exec.Error
	var path *fs.PathError
	switch {
	case errors.As(err, &missing):
		err = missing.Err
	case errors.As(err, &path):
		err = path.Err
	}
	return fmt.Errorf("its program %q could not be started: %w", text.Label(c.Command[0]), err)
}

func (l *link) list(ctx context.Context) (tools []*sdk.Tool, more bool, err error) {
	params := &sdk.ListToolsParams{}
	for range maxPages {
		l.asked()
		page, err := l.session.ListTools(ctx, params)
		if err != nil {
			return nil, false, l.explain(err)
		}
		tools = append(tools, page.Tools...)
		if len(tools) > maxTools {
			return tools[:maxTools], true, nil
		}
		if page.NextCursor == "" {
			return tools, false, nil
		}
		params = &sdk.ListToolsParams{Cursor: page.NextCursor}
	}
	return tools, true, nil
}

func (l *link) asked() {
	if l.stdout != nil {
		l.stdout.asked()
	}
}

// isBrokenBy reports whether the error of a call means that no other call can succeed.
func (l *link) isBrokenBy(err error) bool {
	return errors.Is(err, sdk.ErrConnectionClosed) || errors.Is(err, io.EOF) || l.stdout != nil && l.stdout.failure() != nil
}

func (l *link) fail(why error, stopping *sync.WaitGroup) {
	if l.broken.CompareAndSwap(nil, &why) {
		stopping.Go(l.stop)
	}
}

func (l *link) isEnded() bool {
	if l.broken.Load() != nil {
		return true
	}
	select {
	case <-l.ended:
		return true
	default:
		return false
	}
}

// stop ends the connection and the server's program. It returns within three seconds.
func (l *link) stop() {
	if l.process != nil {
		l.process.Stop()
		return
	}
	if l.session != nil {
		closed := make(chan struct{})
		go func() {
			_ = l.session.Close() // the server may have ended
			close(closed)
		}()
		select {
		case <-closed:
		case <-time.After(closeTimeout):
		}
	}
}

func (l *link) cause() string {
	if why := l.broken.Load(); why != nil {
		return (*why).Error()
	}
	return l.explain(sdk.ErrConnectionClosed).Error()
}

// answerOf returns the error that a server answered with, nil if it gave no answer. The
// SDK has an error of its own of that type, for what could not be sent.
func answerOf(err error) *jsonrpc.Error {
	var answered *jsonrpc.Error
	if !errors.As(err, &answered) || answered.Code == codeRejected && answered.Message == "rejected by transport" {
		return nil
	}
	return answered
}

const codeRejected = -32005

func (l *link) explain(err error) error {
	var address *url.Error
	var mismatch *json.UnmarshalTypeError
	answered := answerOf(err)
	switch {
	case l.stdout != nil && l.stdout.failure() != nil:
		return l.stdout.failure()
	case errors.Is(err, context.DeadlineExceeded):
		return l.silence()
	case errors.Is(err, context.Canceled): // it runs, and is stopped next
		return err
	case errors.As(err, &mismatch): // its words have types of Go
		return errors.New("its answer does not have the form of the protocol")
	case answered == nil && strings.Contains(err.Error(), "unsupported protocol version"): // the error of the SDK has no type
		_, version, _ := strings.Cut(err.Error(), "unsupported protocol version: ")
		return fmt.Errorf("it speaks the protocol version %s, which is not supported; the newest is %s",
			text.Label(cmp.Or(version, "of no name")), sdk.SupportedProtocolVersions()[0])
	case answered != nil:
		return fmt.Errorf("it answered with an error: %s", text.Clip(text.Line(answered.Message), maxQuote))
	case errors.As(err, &address):
		return errors.New(text.Clip(text.Line(address.Err.Error()), maxQuote))
	case l.session != nil && !l.isEnded() && !l.isBrokenBy(err):
		return fmt.Errorf("it cannot be read: %s", text.Clip(text.Line(err.Error()), maxQuote))
	case l.process != nil && l.process.Ended(process.Patience):
		return errors.New(l.process.Cause(1))
	case l.process != nil:
		return errors.New("it closed the connection")
	}
	return errors.New(text.Clip(text.Line(strings.TrimPrefix(err.Error(), "connection closed: ")), maxQuote))
}

func (l *link) silence() error {
	why := fmt.Sprintf("it was not ready within %s", StartTimeout)
	if l.process != nil {
		why += "; if its command downloads it first, as npx and uvx do, run that command once by hand"
	}
	return errors.New(why)
}

const maxQuote = 200

// maxResponse bounds one HTTP response, in bytes.
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
		},
	}
}

// boundedTransport adds the configured headers to requests, refuses redirects, which
// would carry the headers and the arguments to somebody else, says what to do where the
// server wants a key or has web pages, and bounds responses.
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
	switch code := resp.StatusCode; {
	case code >= 300 && code < 400:
		_ = resp.Body.Close()
		return nil, fmt.Errorf("the server redirects to %s, which is not followed; put the final address into url",
			text.Label(resp.Header.Get("Location")))
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		_ = resp.Body.Close()
		return nil, fmt.Errorf("the server answers %s; check the key that headers_env names", http.StatusText(code))
	case strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html"):
		_ = resp.Body.Close()
		return nil, fmt.Errorf("the server answers with a web page (%d %s), not as an MCP server does; check url",
			code, http.StatusText(code))
	}
	resp.Body = &boundedBody{resp.Body, maxResponse}
	return resp, nil
}

// CloseIdleConnections closes connections that no request uses.
func (t boundedTransport) CloseIdleConnections() { t.base.CloseIdleConnections() }

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
