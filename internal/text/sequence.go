package text

// state is where in an escape sequence we are.
type state uint8

const (
	ground       state = iota // outside of any
	escape                    // after ESC
	intermediate              // after ESC and intermediate bytes
	control                   // within a control sequence (CSI)
	payload                   // within a string (OSC, DCS, APC, PM, SOS)
)

// maxPayload bounds how much text a string that is never terminated can hide.
const maxPayload = 4096

// sequence follows escape sequences rune by rune.
type sequence struct {
	state state
	n     int // runes of the payload
}

// swallows reports whether r belongs to an escape sequence, and moves on.
// A sequence that something unexpected breaks off ends there, and what broke it
// off is text again.
func (q *sequence) swallows(r rune) bool {
	switch {
	case r == 0x1b || r >= 0x80 && r <= 0x9f:
		q.begin(r)
		return true
	case q.state == ground:
		return false
	case r == 0x18 || r == 0x1a: // CAN and SUB cancel
		q.state = ground
		return true
	}
	switch q.state {
	case escape, intermediate:
		return q.escape(r)
	case control:
		return q.control(r)
	default:
		return q.payload(r)
	}
}

// begin starts the sequence that ESC or an 8-bit control introduces, whatever
// was going on before.
func (q *sequence) begin(r rune) {
	switch r {
	case 0x1b:
		q.state = escape
	case 0x9b:
		q.state = control
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		q.state, q.n = payload, 0
	default:
		q.state = ground
	}
}

func (q *sequence) escape(r rune) bool {
	switch {
	case isInert(r):
		return true
	case r >= 0x20 && r <= 0x2f:
		q.state = intermediate
		return true
	case q.state == escape && r == '[':
		q.state = control
		return true
	case q.state == escape && (r == 'P' || r == 'X' || r == ']' || r == '^' || r == '_'):
		q.state, q.n = payload, 0
		return true
	}
	q.state = ground
	return r >= 0x30 && r <= 0x7e
}

func (q *sequence) control(r rune) bool {
	if isInert(r) || r >= 0x20 && r <= 0x3f {
		return true
	}
	q.state = ground
	return r >= 0x40 && r <= 0x7e
}

func (q *sequence) payload(r rune) bool {
	if q.n++; r == '\n' || r == '\r' || q.n > maxPayload {
		q.state = ground
		return false
	}
	if r == 0x07 {
		q.state = ground
	}
	return true
}

// isInert reports whether r is a control that does not end the sequence it
// stands in: terminals act on it and go on.
func isInert(r rune) bool {
	return r == 0x7f || r < 0x20 && r != '\n' && r != '\r' && r != '\t'
}
