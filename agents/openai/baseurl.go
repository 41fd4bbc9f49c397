package openai

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"

	"roundtable/agents"
)

var hasScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// normalizeURL returns the base of a server's addresses, without a slash at its
// end, and what it changed in words.
func normalizeURL(raw string) (base *url.URL, changed string, err error) {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return nil, "", errors.New("is missing; give a preset or an address such as https://api.example.com/v1")
	}
	var changes []string
	if !hasScheme.MatchString(raw) {
		scheme := "https"
		if host, _, _ := strings.Cut(raw, "/"); agents.IsLoopback(hostname(host)) {
			scheme = "http"
		}
		raw = scheme + "://" + raw
		changes = append(changes, "added "+scheme+"://")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, "", errors.New("is not an address such as https://api.example.com/v1")
	}
	if err := validateBase(u); err != nil {
		return nil, "", err
	}
	changes = append(changes, normalizePath(u)...)
	if len(changes) == 0 {
		return u, "", nil
	}
	return u, fmt.Sprintf("%s; using %s.", strings.Join(changes, ", "), u), nil
}

// validateBase refuses an address that cannot be a base.
func validateBase(u *url.URL) error {
	switch {
	case strings.HasSuffix(u.Hostname(), ".azure.com") && strings.Contains(u.Path, "/deployments/"):
		return fmt.Errorf("is Azure's address of one deployment; use https://%s/openai/v1 and give the deployment as the model", u.Host)
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
	return nil
}

// normalizePath removes the path of an endpoint, and adds the path that all local
// servers have if there is none. It returns what it changed.
func normalizePath(u *url.URL) (changes []string) {
	if trimmed := strings.TrimRight(u.Path, "/"); trimmed != u.Path {
		if u.Path != "/" {
			changes = append(changes, "removed the trailing slash")
		}
		u.Path = trimmed
	}
	for _, tail := range []string{"/chat/completions", "/completions", "/models"} {
		if path, ok := strings.CutSuffix(u.Path, tail); ok {
			u.Path = strings.TrimRight(path, "/")
			changes = append(changes, "removed "+tail)
			break
		}
	}
	if u.Path == "" && agents.IsLoopback(u.Hostname()) {
		u.Path = "/v1"
		changes = append(changes, "added /v1")
	}
	u.RawPath = ""
	return changes
}

// hostname returns the host without its port and brackets.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}
