package openai

import (
	"net"
	"net/url"
	"strings"
)

// WithEnvironment returns the configuration with the address that the preset's own
// variable holds. It is unchanged if it names an address itself or the variable is not
// set. All that is checked of a base_url is checked of the address, and the preset's key
// is for the preset's own host alone.
func (c Config) WithEnvironment(env func(name string) (value string, ok bool)) Config {
	p, _ := presetOf(c.Preset)
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

// addressKey names where the address comes from, for messages.
func (c Config) addressKey() string {
	if c.BaseURLVariable != "" {
		return c.BaseURLVariable
	}
	return "base_url"
}
