// Package openai talks to servers that speak the OpenAI chat-completions
// protocol. It implements agents.Provider over go-openai and is the only
// package that imports it.
//
// Requests are go-openai's with the fields that it would omit. Responses are decoded by a
// decoder of our own, since real servers deviate from the protocol in ways that go-openai
// does not accept. HTTP is ours, too: timeouts, limits, redirects and error bodies.
//
// The package imports agents, internal/process, internal/secret and internal/text. It must
// not know sessions, screens or the database, and it never holds a key where formatting could
// print it.
package openai

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"time"

	"roundtable/agents"
)

// Options is what a Client needs besides its configuration. The zero value is usable.
type Options struct {
	Key       string                                                            // resolved, see Config.Key
	Now       func() time.Time                                                  // default time.Now
	Rand      func() float64                                                    // in [0,1), safe for concurrent use; default math/rand
	Logger    *slog.Logger                                                      // default: none
	Dial      func(ctx context.Context, network, addr string) (net.Conn, error) // default: net.Dialer
	Proxy     func(*http.Request) (*url.URL, error)                             // default: from the environment
	Transport http.RoundTripper                                                 // replaces Dial and Proxy
	Gone      func(model string) string                                         // says that a model is no longer offered, or ""
}

// Format hides the key, whatever the verb.
func (Options) Format(f fmt.State, _ rune) {
	io.WriteString(f, "openai.Options") //nolint:errcheck // fmt.State does not fail
}

// Client is one configured provider. All seats of the provider share it, since it
// owns the provider's limiter and what was learned about its models. It is safe
// for concurrent use.
type Client struct {
	name     string
	settings settings
	key      Secret
	mask     masker
	http     *http.Client
	proxy    func(*http.Request) (*url.URL, error)
	limiter  *limiter
	quirks   *quirkCache
	windows  *windowCache
	now      func() time.Time
	rand     func() float64
	log      *slog.Logger
	gone     func(model string) string
}

var _ agents.Provider = (*Client)(nil)

// New returns the client of the provider that is called name in the
// configuration.
func New(name string, cfg Config, opts Options) (*Client, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("providers.%s: %w", name, err)
	}
	set := cfg.settings(name)
	if opts.Key != "" && set.base.Scheme == "http" && !agents.IsLoopback(set.base.Hostname()) && !cfg.AllowInsecure {
		return nil, fmt.Errorf("providers.%s: %w", name, cfg.errInsecure(set.base.Host))
	}
	opts = opts.withDefaults()
	c := &Client{
		name: name, settings: set,
		key: NewSecret(opts.Key), mask: newMasker(opts.Key, cfg.Headers),
		http: newHTTPClient(set.timeouts, opts), proxy: opts.Proxy,
		limiter: &limiter{
			slots: make(chan struct{}, set.slots), models: map[string]cooldown{}, changed: make(chan struct{}),
		},
		quirks:  &quirkCache{standard: cfg.quirkSet(), models: map[string]quirkSet{}},
		windows: &windowCache{models: map[string]int{}},
		now:     opts.Now, rand: opts.Rand, gone: opts.Gone,
		log: opts.Logger.With("provider", name),
	}
	return c, nil
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	if o.Gone == nil {
		o.Gone = func(string) string { return "" }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Transport != nil {
		o.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	}
	if o.Proxy == nil {
		o.Proxy = http.ProxyFromEnvironment
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext
	}
	return o
}

// Name returns the provider's name in the configuration.
func (c *Client) Name() string { return c.name }

// Notices returns a sentence for each quirk of a model that was learned so far, such as a
// parameter that is no longer sent.
func (c *Client) Notices() []string { return c.quirks.notices() }

// RetryNow ends the cooldowns of the provider and its models. Requests that wait for
// their end start at once.
func (c *Client) RetryNow() { c.limiter.endCooldowns() }

// Local reports whether the server is on this machine.
func (c *Client) Local() bool { return agents.IsLoopback(c.settings.base.Hostname()) }

// Format prints only the provider's name, whatever the verb.
func (c *Client) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "openai.Client(%s)", c.name)
}

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
			TLSHandshakeTimeout:    time.Duration(t.Connect),
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
