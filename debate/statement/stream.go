package statement

import (
	"slices"
	"strings"
	"unicode"
)

const maxHeld = 16 << 10 // no structured part is longer

// ProseStream passes on a statement while it streams, without its structured parts. It
// holds text back as long as that may become one, and until the bytes that came pay for
// reading it again. The zero value is ready to use.
type ProseStream struct {
	held   []byte // what was not passed on
	any    bool   // something was passed on
	gap    bool   // a block stands between that and what is held
	came   int    // how many bytes were written
	looked int    // and how many were looked at
}

// Write adds a piece of text and returns what can be shown now.
func (p *ProseStream) Write(piece string) string {
	p.held = append(p.held, piece...)
	p.came += len(piece)
	work := workFactor*p.came + minWork - p.looked
	if work < workFactor*len(p.held) {
		return ""
	}
	text := string(p.held)
	f := finder{text: text, names: statementMembers, grows: true, work: work}
	if f.open = len(text); f.open <= maxHeld {
		f.find()
	}
	p.looked += work - f.work
	var out strings.Builder
	at := 0
	for _, b := range append(f.blocks, jsonBlock{start: f.open}) {
		part := strings.TrimRightFunc(text[at:b.start], unicode.IsSpace)
		at += len(part)
		if p.gap {
			part = strings.TrimLeftFunc(part, unicode.IsSpace)
		}
		if p.gap && p.any && part != "" {
			out.WriteString("\n\n")
		}
		out.WriteString(part)
		p.any, p.gap = p.any || part != "", p.gap && part == ""
		if b.end > 0 {
			at, p.gap = b.end, true
		}
	}
	p.held = p.held[at:]
	return out.String()
}

// Peek returns what Write would return for a piece, without adding it; "" while much is held back.
func (p *ProseStream) Peek(piece string) string {
	if piece == "" || len(p.held) > maxJSONName {
		return ""
	}
	ahead := *p
	ahead.held = slices.Clip(ahead.held)
	return ahead.Write(piece)
}
