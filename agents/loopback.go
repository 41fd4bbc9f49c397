package agents

import (
	"net/netip"
	"strings"
)

// IsLoopback reports whether a host is this machine, without looking it up. What is sent
// there does not leave it.
func IsLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
