package openai

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"syscall"

	"roundtable/agents"
)

// networkError returns the fault of an error that came before any response.
func (t errorFormatter) networkError(err error) *fault {
	var op *net.OpError
	if t.proxy != "" && (errors.As(err, &op) && op.Op == "proxyconnect" || !isTLS(err)) {
		switch t.innermost(err) { // the words of the status; the error of net/http has no type
		case http.StatusText(http.StatusProxyAuthRequired):
			return t.newFault(agents.KindNetwork, fmt.Sprintf("The proxy %s wants a user and a password.", t.proxy),
				t.edit("Put them into HTTPS_PROXY, as in http://USER:PASSWORD@HOST:PORT"))
		case http.StatusText(http.StatusForbidden):
			return t.newFault(agents.KindNetwork, fmt.Sprintf("The proxy %s does not allow %s.", t.proxy, t.host),
				t.edit("Have it allowed, or name it in NO_PROXY if it can be reached directly"))
		}
		return t.retryableNetwork(
			fmt.Sprintf("The proxy %s could not connect to %s for %s: %s.", t.proxy, t.host, t.model, t.innermost(err)),
			"Check HTTPS_PROXY and NO_PROXY, or start the proxy.",
		)
	}
	if f := t.tlsError(err); f != nil {
		return f
	}
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return t.newFault(agents.KindNetwork, fmt.Sprintf("Cannot resolve %s.", t.host),
			fmt.Sprintf("Are you online? If so, check %s.", t.addressKey))
	case errors.As(err, &dns):
		return t.retryableNetwork(fmt.Sprintf("Looking up %s failed.", t.host), "Check your network connection.")
	case errors.Is(err, errConnectTimeout):
		return t.retryableNetwork(fmt.Sprintf("%s at %s did not accept the connection in time.", t.subject(), t.host),
			fmt.Sprintf("Check your network connection, or raise timeouts.connect of %s.", t.provider))
	case errors.Is(err, syscall.ECONNREFUSED):
		return t.retryableNetwork(fmt.Sprintf("%s at %s refused the connection.", t.subject(), t.host), t.startRemedy())
	}
	return t.retryableNetwork(fmt.Sprintf("Cannot connect to %s at %s: %s.", t.subject(), t.host, t.innermost(err)),
		"Check your network connection.")
}

func (t errorFormatter) retryableNetwork(cause, remedy string) *fault {
	f := t.newFault(agents.KindNetwork, cause, remedy)
	f.Retryable, f.retry = true, true
	return f
}

func (t errorFormatter) startRemedy() string {
	if !t.isRemote() {
		what := "the server"
		switch t.server {
		case "ollama":
			what = "Ollama"
		case "lmstudio":
			what = "the server in LM Studio"
		}
		return fmt.Sprintf("Start %s, or check %s.", what, t.addressKey)
	}
	return fmt.Sprintf("Check %s.", t.addressKey)
}

// tlsError returns the fault of a certificate or a handshake, or nil if err is
// another error.
func (t errorFormatter) tlsError(err error) *fault {
	var (
		unknown  x509.UnknownAuthorityError
		invalid  x509.CertificateInvalidError
		hostname x509.HostnameError
		record   tls.RecordHeaderError
	)
	at := fmt.Sprintf("%s at %s", t.subject(), t.host)
	fix := t.edit("Check " + t.addressKey)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return t.newFault(agents.KindNetwork, fmt.Sprintf("The certificate of %s has expired, or the clock of this machine is wrong.", at),
			"Renew it on the server, or set the clock.")
	case errors.As(err, &invalid):
		return t.newFault(agents.KindNetwork, fmt.Sprintf("The certificate of %s is not valid.", at), fix)
	case errors.As(err, &hostname):
		return t.newFault(agents.KindNetwork, fmt.Sprintf("The certificate of %s is for another host.", at),
			t.edit("Check "+t.addressKey+t.orSignIn()))
	case errors.As(err, &unknown):
		return t.newFault(agents.KindNetwork, fmt.Sprintf("The certificate of %s was issued by an unknown authority.", at),
			t.edit(trustRemedy()))
	case errors.As(err, &record), isPlainHTTP(err):
		return t.newFault(agents.KindNetwork, fmt.Sprintf("%s does not speak https.", at),
			t.edit(fmt.Sprintf("Use http:// in %s if the server is on this machine", t.addressKey)))
	case isTLS(err):
		return t.retryableNetwork(fmt.Sprintf("The TLS handshake with %s failed.", at), fix)
	}
	return nil
}

// isRemote reports whether the server is on another machine.
func (t errorFormatter) isRemote() bool { return !agents.IsLoopback(hostname(t.host)) }

// orSignIn returns what else to do about a wrong answer from another machine: hotels
// and offices answer in its place until the user has signed in.
func (t errorFormatter) orSignIn() string {
	if !t.isRemote() {
		return ""
	}
	return ", or sign in to this network if it asks for that"
}

// trustRemedy returns how to trust an authority. macOS and Windows ignore the variable.
func trustRemedy() string {
	const install = "Install the authority's certificate"
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return install + " in the system"
	}
	return install + ", or set SSL_CERT_FILE to its file"
}

// isPlainHTTP reports whether the server answered a TLS handshake in plain text.
// The error of net/http has no type.
func isPlainHTTP(err error) bool {
	return strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// isTLS reports whether err comes from TLS.
func isTLS(err error) bool {
	var (
		verify *tls.CertificateVerificationError
		record tls.RecordHeaderError
		alert  tls.AlertError
	)
	return errors.As(err, &verify) || errors.As(err, &record) || errors.As(err, &alert) ||
		strings.Contains(err.Error(), "TLS handshake timeout") || isPlainHTTP(err)
}

// innermost returns the words of the innermost error. Those around it repeat the
// address, which the sentence names already.
func (t errorFormatter) innermost(err error) string {
	var (
		outer *url.Error
		op    *net.OpError
		errno syscall.Errno
	)
	switch {
	case errors.As(err, &errno):
		err = errno
	case errors.As(err, &op):
		err = op.Err
	case errors.As(err, &outer):
		err = outer.Err
	}
	return strings.TrimRight(t.mask.quote(err.Error()), ".")
}
