package openai

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Config is one [providers.NAME] table. A key that is left out takes the preset's
// value, or else the default.
type Config struct {
	Preset        string            `toml:"preset"`
	BaseURL       string            `toml:"base_url"`
	APIKeyEnv     string            `toml:"api_key_env"`
	APIKeyCommand []string          `toml:"api_key_command"` // program and arguments; no shell
	Headers       map[string]Secret `toml:"headers"`
	MaxConcurrent int               `toml:"max_concurrent"`
	AllowInsecure bool              `toml:"allow_insecure"`
	Quirks        []string          `toml:"quirks"` // by name; those of the preset are known
	Timeouts      Timeouts          `toml:"timeouts"`
	Limits        Limits            `toml:"limits"`

	BaseURLVariable string `toml:"-"` // the environment variable that BaseURL comes from; "" if it is configured
}

// Timeouts bound how long each part of a completion may take.
type Timeouts struct {
	Connect      Duration `toml:"connect"`
	FirstPayload Duration `toml:"first_payload"` // from the request to the first data; comments do not count
	Idle         Duration `toml:"idle"`          // between two pieces of data
	Total        Duration `toml:"total"`         // of one try
	SilentFirst  Duration `toml:"silent_first"`  // until the wait for the first piece is shown as a warning
	Silent       Duration `toml:"silent"`        // until the wait for the next piece is
}

// Limits bound how much of a response is read and kept.
type Limits struct {
	Event   int `toml:"event_bytes"`  // one event of a stream, or a whole answer that is not streamed
	Answer  int `toml:"answer_bytes"` // text, reasoning and tool arguments of one answer
	Stream  int `toml:"stream_bytes"` // all bytes of one response
	Repeats int `toml:"repeats"`      // how often the same piece of text may come in a row
}

// setting is a number of a table, which takes the standard one if it is left out.
type setting[N int | Duration] struct {
	key            string
	value          *N
	standard, most N
}

func validate[N int | Duration](table string, all []setting[N], least N) error {
	var errs []error
	for _, s := range all {
		if *s.value != 0 && *s.value < least || *s.value > s.most {
			errs = append(errs, fmt.Errorf("%s.%s: %v is not from %v to %v", table, s.key, *s.value, least, s.most))
		}
	}
	return errors.Join(errs...)
}

func setDefaults[N int | Duration](all []setting[N]) {
	for _, s := range all {
		*s.value = cmp.Or(*s.value, s.standard)
	}
}

func (t *Timeouts) all() []setting[Duration] {
	const second, day = Duration(time.Second), Duration(24 * time.Hour)
	return []setting[Duration]{
		{"connect", &t.Connect, 10 * second, day},
		{"first_payload", &t.FirstPayload, 600 * second, day},
		{"idle", &t.Idle, 180 * second, day},
		{"total", &t.Total, 900 * second, day},
		{"silent_first", &t.SilentFirst, 120 * second, day},
		{"silent", &t.Silent, 30 * second, day},
	}
}

func (l *Limits) all() []setting[int] {
	return []setting[int]{
		{"event_bytes", &l.Event, 8 << 20, 64 << 20},
		{"answer_bytes", &l.Answer, 8 << 20, 64 << 20},
		{"stream_bytes", &l.Stream, 512 << 20, 8 << 30},
		{"repeats", &l.Repeats, 400, 1 << 20},
	}
}

// Duration is a time.Duration that is written as "180s".
type Duration time.Duration

var (
	_ encoding.TextUnmarshaler = (*Duration)(nil)
	_ encoding.TextMarshaler   = Duration(0)
)

// UnmarshalText reads a duration such as "180s" or "2m30s".
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a duration such as \"180s\"", text)
	}
	*d = Duration(v)
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String formats the duration as time.Duration does.
func (d Duration) String() string { return time.Duration(d).String() }

// Validate returns all that is wrong with the configuration. Each error names its key.
func (c Config) Validate() error {
	p, known := PresetNamed(c.Preset)
	var errs []error
	if c.Preset != "" && !known {
		names := text.Each(Presets(), func(p Preset) string { return p.Name })
		errs = append(errs, fmt.Errorf("preset: there is no %q; known are %s", c.Preset, strings.Join(names, ", ")))
	}
	errs = append(errs, c.validateURL(p))
	if c.APIKeyEnv != "" && len(c.APIKeyCommand) > 0 {
		errs = append(errs, errors.New("api_key_env, api_key_command: give one of them, not both"))
	}
	if c.APIKeyEnv != "" && !isVariableName(c.APIKeyEnv) { // it may be the key itself, so it is not quoted
		errs = append(errs, errors.New("api_key_env: is not the name of a variable; put the key into one and its name here"))
	}
	if len(c.APIKeyCommand) > 0 && strings.TrimSpace(c.APIKeyCommand[0]) == "" {
		errs = append(errs, errors.New("api_key_command: the first element is the program and must not be empty"))
	}
	if c.MaxConcurrent < 0 || c.MaxConcurrent > 1000 {
		errs = append(errs, fmt.Errorf("max_concurrent: %d is not from 1 to 1000", c.MaxConcurrent))
	}
	for _, name := range c.Quirks {
		if !slices.Contains(quirkNames(), name) {
			errs = append(errs, fmt.Errorf("quirks: there is no %q; known are %s", clean(name, 40), strings.Join(quirkNames(), ", ")))
		}
	}
	errs = append(errs, validateHeaders(c.Headers), validate("timeouts", c.Timeouts.all(), Duration(time.Millisecond)),
		validate("limits", c.Limits.all(), 1))
	return errors.Join(errs...)
}

func (c Config) validateURL(p Preset) error {
	raw := cmp.Or(c.BaseURL, p.BaseURL)
	if raw == "" && c.Preset != "" {
		return nil // the unknown preset is an error already
	}
	base, err := parseBase(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", c.addressKey(), err)
	}
	hasKey := c.APIKeyEnv != "" || len(c.APIKeyCommand) > 0 || len(c.Headers) > 0
	if hasKey && base.Scheme == "http" && !agents.IsLoopback(base.Hostname()) && !c.AllowInsecure {
		return c.errInsecure(base.Host)
	}
	return nil
}

func (c Config) errInsecure(host string) error {
	return fmt.Errorf("%s: http would send the key to %s for all to read; use https, or set allow_insecure = true",
		c.addressKey(), clean(host, 80))
}

var reservedHeaders = []string{"Host", "Content-Length", "Content-Type", "Transfer-Encoding", "Connection", "Accept", "Accept-Encoding"}

func validateHeaders(headers map[string]Secret) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		canonical := textproto.CanonicalMIMEHeaderKey(name)
		switch {
		case !isToken(name):
			errs = append(errs, fmt.Errorf("headers: %q is not the name of a header", clean(name, 40)))
		case slices.Contains(reservedHeaders, canonical):
			errs = append(errs, fmt.Errorf("headers.%s: is set by the program itself; leave it out", name))
		case strings.ContainsFunc(headers[name].value(), func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			errs = append(errs, fmt.Errorf("headers.%s: the value has a line break or a control character", name))
		}
	}
	return errors.Join(errs...)
}

func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r)
	})
}

// isVariableName reports whether s can be the name of a variable and does not look
// like a key that was written in its place.
func isVariableName(s string) bool {
	odd := func(r rune) bool {
		return r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	}
	return s != "" && !strings.ContainsFunc(s, odd) && !unicode.IsDigit(rune(s[0])) && !looksLikeKey(s)
}

// looksLikeKey reports whether s is long and has digits and lower-case letters, as
// keys have and names hardly ever.
func looksLikeKey(s string) bool {
	digits, small := 0, false
	for _, r := range s {
		if unicode.IsDigit(r) {
			digits++
		}
		small = small || unicode.IsLower(r)
	}
	return len(s) >= 16 && digits >= 3 && small
}

type settings struct {
	preset    Preset
	base      *url.URL
	header    func() http.Header // a function, so that formatting does not show the values
	slots     int
	timeouts  Timeouts
	limits    Limits
	keySource string // where the key comes from; "" without one

	addressKey string // names where base comes from
}

// settings fills in what a valid configuration of a provider leaves out.
func (c Config) settings(name string) settings {
	p, _ := PresetNamed(c.Preset)
	base, err := parseBase(cmp.Or(c.BaseURL, p.BaseURL))
	if err != nil { // Validate was not asked
		base = &url.URL{Scheme: "https", Host: "invalid"}
	}
	setDefaults(c.Timeouts.all())
	setDefaults(c.Limits.all())
	s := settings{
		preset: p, base: base, slots: cmp.Or(c.MaxConcurrent, p.slots()),
		timeouts: c.Timeouts, limits: c.Limits, keySource: c.keySource(),
		addressKey: cmp.Or(c.BaseURLVariable, "base_url of "+name),
	}
	if c.BaseURL == "" {
		s.addressKey = cmp.Or(p.addressVariable(), s.addressKey)
	}
	header := http.Header{}
	for name, value := range c.Headers {
		header.Set(name, value.value())
	}
	s.header = func() http.Header { return header }
	return s
}

// Silence returns how long a model may be silent before the first piece of an answer,
// and between two pieces, until that is shown as a warning.
func (c Config) Silence() (first, between time.Duration) {
	setDefaults(c.Timeouts.all())
	return time.Duration(c.Timeouts.SilentFirst), time.Duration(c.Timeouts.Silent)
}

// WithEnvironment returns the configuration with the address that the preset's own
// variable holds. It is unchanged if it names an address itself or the variable is not
// set. All that is checked of a base_url is checked of the address, to which
// the preset's key is sent.
func (c Config) WithEnvironment(env func(name string) (value string, ok bool)) Config {
	p, _ := PresetNamed(c.Preset)
	variable := p.addressVariable()
	if c.BaseURL != "" || variable == "" || env == nil {
		return c
	}
	value, ok := env(variable)
	if value = strings.TrimSpace(value); !ok || value == "" {
		return c
	}
	c.BaseURL, c.BaseURLVariable = p.addressOf(value), variable
	return c
}

// addressVariable names the environment variable that programs read the address of the
// server from; "" without a preset.
func (p Preset) addressVariable() string {
	switch p.Name {
	case "":
		return ""
	case "ollama":
		return "OLLAMA_HOST"
	}
	return strings.ToUpper(p.Name) + "_BASE_URL"
}

// addressOf returns the base of the address in the preset's variable. Some programs leave
// out what the preset's own address has: the path, and Ollama's scheme and port, too. An
// address at which a server listens on all interfaces is this machine.
func (p Preset) addressOf(value string) string {
	own, err := url.Parse(p.BaseURL)
	if err != nil {
		return value
	}
	if p.Local && !hasScheme.MatchString(value) {
		hostport, path, _ := strings.Cut(value, "/")
		host, port, err := net.SplitHostPort(hostport)
		if err != nil {
			host, port = strings.Trim(hostport, "[]"), own.Port()
		}
		value = "http://" + net.JoinHostPort(host, port)
		if path != "" {
			value += "/" + path
		}
	}
	u, err := url.Parse(value)
	if err != nil {
		return value // Validate says what is wrong with it
	}
	if ip := net.ParseIP(u.Hostname()); p.Local && (u.Hostname() == "" || ip != nil && ip.IsUnspecified()) {
		u.Host = strings.TrimSuffix(net.JoinHostPort("127.0.0.1", u.Port()), ":")
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = own.Path
	}
	return u.String()
}

// Address returns the base of the server's addresses; "" if it is not valid.
func (c Config) Address() string {
	p, _ := PresetNamed(c.Preset)
	base, err := parseBase(cmp.Or(c.BaseURL, p.BaseURL))
	if err != nil {
		return ""
	}
	return base.String()
}

// Moved reports whether the server is at another address than that of its preset.
func (c Config) Moved() bool { return c.Address() != Config{Preset: c.Preset}.Address() }

func (c Config) addressKey() string { return cmp.Or(c.BaseURLVariable, "base_url") }

// Preset is a known server.
type Preset struct {
	Name    string
	Company string // that operates it, in words; "": the user's own
	BaseURL string
	KeyEnv  string // the environment variable that usually holds its key; "" if it needs none
	Local   bool   // runs on the user's own machine
	Other   string // another address of the company, whose keys this one refuses; "" if there is none

	Ignores         string // what it takes and does nothing with, in words; "" for nothing
	ModelsKeyHeader string // GET /models takes the key in this header instead of Authorization
}

// Presets returns the known servers, in the order in which they are offered.
func Presets() []Preset {
	return []Preset{
		{Name: "openai", Company: "OpenAI", BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY"},
		{
			Name: "anthropic", Company: "Anthropic", BaseURL: "https://api.anthropic.com/v1", KeyEnv: "ANTHROPIC_API_KEY",
			ModelsKeyHeader: "X-Api-Key", Ignores: "reasoning_effort and prompt caching",
		},
		{Name: "gemini", Company: "Google", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai", KeyEnv: "GEMINI_API_KEY"},
		{
			Name: "openrouter", Company: "OpenRouter and the providers it forwards to", BaseURL: "https://openrouter.ai/api/v1",
			KeyEnv: "OPENROUTER_API_KEY",
		},
		{Name: "groq", Company: "Groq", BaseURL: "https://api.groq.com/openai/v1", KeyEnv: "GROQ_API_KEY"},
		{Name: "deepseek", Company: "DeepSeek", BaseURL: "https://api.deepseek.com/v1", KeyEnv: "DEEPSEEK_API_KEY"},
		{Name: "mistral", Company: "Mistral", BaseURL: "https://api.mistral.ai/v1", KeyEnv: "MISTRAL_API_KEY"},
		{Name: "xai", Company: "xAI", BaseURL: "https://api.x.ai/v1", KeyEnv: "XAI_API_KEY"},
		{
			Name: "dashscope", Company: "Alibaba Cloud", KeyEnv: "DASHSCOPE_API_KEY",
			BaseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
			Other:   "https://dashscope.aliyuncs.com/compatible-mode/v1", // of mainland China
		},
		{Name: "ollama", BaseURL: "http://localhost:11434/v1", Local: true},
		{Name: "lmstudio", BaseURL: "http://localhost:1234/v1", Local: true},
		{Name: "vllm", BaseURL: "http://localhost:8000/v1", Local: true},
		{Name: "llamacpp", BaseURL: "http://localhost:8080/v1", Local: true},
	}
}

// PresetNamed returns the known server of a name.
func PresetNamed(name string) (Preset, bool) {
	for _, p := range Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}

// slots returns how many completions run at once unless configured. A local server
// runs few and lets the others wait in silence.
func (p Preset) slots() int {
	if p.Local {
		return 4
	}
	return 8
}

var hasScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// parseBase returns the base of a server's addresses, without a slash at its end. All local
// servers have the path /v1.
func parseBase(raw string) (*url.URL, error) {
	raw = strings.TrimRight(strings.TrimSpace(raw), "/")
	switch {
	case raw == "":
		return nil, errors.New("is missing; give a preset or an address such as https://api.example.com/v1")
	case !hasScheme.MatchString(raw + "//"):
		return nil, errors.New("does not begin with http:// or https://")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, errors.New("is not an address such as https://api.example.com/v1")
	}
	if err := validateBase(u); err != nil {
		return nil, err
	}
	if u.Path == "" && agents.IsLoopback(u.Hostname()) {
		u.Path = "/v1"
	}
	u.RawPath = ""
	return u, nil
}

func validateBase(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("begins with %s://, which is neither http nor https", clean(u.Scheme, 20))
	case u.User != nil:
		return errors.New("has a user or password in it; give the key by api_key_env or api_key_command")
	case u.RawQuery != "" || u.ForceQuery:
		return errors.New("has a query (the part after ?); leave it out")
	case u.Fragment != "":
		return errors.New("has a fragment (the part after #); leave it out")
	case u.Hostname() == "":
		return errors.New("names no host")
	case strings.Count(u.Host, ":") > 1 && !strings.HasPrefix(u.Host, "["):
		return errors.New("has an IPv6 address without brackets; write it as in http://[::1]:8080/v1")
	}
	for _, tail := range []string{"/chat/completions", "/completions", "/models"} {
		if strings.HasSuffix(u.Path, tail) {
			return fmt.Errorf("ends in %s; leave that out", tail)
		}
	}
	return nil
}
