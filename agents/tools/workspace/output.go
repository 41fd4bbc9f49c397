package workspace

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"roundtable/agents/tools"
)

const (
	maxOutput = 10_000 // characters of a command's output that are kept
	side      = 4_950  // of them at the beginning and at the end of a longer one
	sideBytes = side * utf8.UTFMax
)

// clipped keeps the beginning and the end of what is written to it.
type clipped struct {
	head, tail []byte
	total      int64
}

// Write implements io.Writer.
func (c *clipped) Write(p []byte) (int, error) {
	c.total += int64(len(p))
	n := min(len(p), 2*sideBytes-len(c.head))
	c.head = append(c.head, p[:n]...)
	rest := p[n:]
	c.tail = append(c.tail, rest[max(0, len(rest)-sideBytes):]...)
	if len(c.tail) > 4*sideBytes {
		c.tail = append(c.tail[:0], c.tail[len(c.tail)-sideBytes:]...)
	}
	return len(p), nil
}

// result returns the output as text.
func (c *clipped) result() tools.CommandResult {
	all := append(c.head, c.tail...)
	if c.total == int64(len(all)) && utf8.RuneCount(all) <= maxOutput {
		return tools.CommandResult{Output: legible(withoutCR(all))}
	}
	head, tail := all[:runes(c.head, side)], all[len(c.head):]
	if len(tail) < sideBytes {
		tail = all[max(len(head), len(all)-sideBytes):]
	}
	tail = tail[len(tail)-lastRunes(tail, side):]
	cut := c.total - int64(len(head)+len(tail))
	return tools.CommandResult{
		Output: fmt.Sprintf("%s\n[%d bytes left out]\n%s", legible(withoutCR(head)), cut, legible(withoutCR(tail))),
		Cut:    cut,
	}
}

// withoutCR returns text whose lines end with \n.
func withoutCR(b []byte) string {
	return strings.ReplaceAll(strings.ReplaceAll(string(b), "\r\n", "\n"), "\r", "\n")
}

// runes returns the length of the first n characters.
func runes(b []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(b); n-- {
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return at
}

// lastRunes returns the length of the last n characters.
func lastRunes(b []byte, n int) int {
	at := len(b)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRune(b[:at])
		at -= size
	}
	return len(b) - at
}
