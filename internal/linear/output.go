package linear

import (
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Writer writes text without escape sequences and without characters that draw: lines,
// boxes, blocks, dots and arrows become ASCII. A character that is not complete waits for
// its rest.
type Writer struct {
	W    io.Writer
	mu   sync.Mutex
	rest []byte
}

// Write writes p.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := append(w.rest, p...)
	n := complete(all)
	w.rest = slices.Clone(all[n:])
	if _, err := io.WriteString(w.W, Plain(string(all[:n]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// complete returns the length of p without the beginning of a character at its end.
func complete(p []byte) int {
	for back := 1; back <= min(len(p), utf8.UTFMax); back++ {
		if at := len(p) - back; utf8.RuneStart(p[at]) {
			if !utf8.FullRune(p[at:]) {
				return at
			}
			break
		}
	}
	return len(p)
}

// Plain returns s without escape characters and with ASCII in place of what draws.
func Plain(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return r == '\x1b' || r >= 0x80 })
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		if out, ok := ascii(r); ok {
			b.WriteString(out)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// ascii returns what stands for a character that draws or controls; ok is false for all
// others.
func ascii(r rune) (out string, ok bool) {
	switch {
	case r == '\x1b' || r >= 0x80 && r <= 0x9f: // controls
		return "", true
	case r == '─' || r == '━' || r == '═' || r == '┄' || r == '┅' || r == '┈' || r == '┉' || r == '╌' || r == '╍':
		return "-", true
	case r == '│' || r == '┃' || r == '║' || r == '┆' || r == '┇' || r == '┊' || r == '┋' || r == '╎' || r == '╏':
		return "|", true
	case r >= 0x2500 && r <= 0x257f: // corners and crossings
		return "+", true
	case r >= 0x2580 && r <= 0x259f, r >= 0x1fb00 && r <= 0x1fbff: // blocks, and parts of them
		return "#", true
	case r >= 0x25a0 && r <= 0x25ff: // squares, triangles and circles
		return "*", true
	case r == 0x2800:
		return " ", true
	case r > 0x2800 && r <= 0x28ff: // braille patterns
		return ".", true
	case r == '…':
		return "...", true
	case r == '·':
		return "-", true
	case r == '←':
		return "<-", true
	case r == '→':
		return "->", true
	}
	return "", false
}

// output is where the program writes. While it is held, what is written is kept back, so
// that nothing comes between the lines of an answer.
type output struct {
	w    io.Writer
	held bool
	kept strings.Builder
	err  error // the first error of writing
}

// Write writes p, or keeps it back.
func (o *output) Write(p []byte) (int, error) {
	if o.held {
		return o.kept.Write(p)
	}
	o.write(string(p))
	return len(p), o.err
}

// write writes s at once.
func (o *output) write(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s)
	}
}

// release writes what was kept back.
func (o *output) release() {
	o.held = false
	o.write(o.kept.String())
	o.kept.Reset()
}
