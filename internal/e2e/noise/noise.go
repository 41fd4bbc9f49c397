// Package noise makes text that no terminal should be given: for tests of
// whatever shows, prints or stores what others have written.
//
// It imports the standard library only.
package noise

import (
	"math/rand/v2"
	"strings"
)

// Maker makes one text after the other, the same ones for the same seed.
type Maker struct {
	random *rand.Rand
	made   int
}

// New returns a maker.
func New(seed uint64) *Maker {
	return &Maker{random: rand.New(rand.NewPCG(seed, 0x6e6f697365))}
}

// Made returns how many texts were made.
func (m *Maker) Made() int { return m.made }

// Text makes a text: of sequences that terminals act on, whole, cut off and one
// in another, of what hides or turns or breaks text, of words between, or of bytes.
func (m *Maker) Text() string {
	m.made++
	var b strings.Builder
	if m.random.IntN(8) == 0 {
		for range m.random.IntN(40) {
			b.WriteByte(byte(m.random.IntN(256)))
		}
		return b.String()
	}
	for range 1 + m.random.IntN(8) {
		switch m.random.IntN(4) {
		case 0:
			b.WriteString(m.sequence())
		case 1:
			b.WriteString(m.pick(trouble))
		default:
			b.WriteString(m.pick(words))
		}
	}
	return b.String()
}

func (m *Maker) pick(from []string) string { return from[m.random.IntN(len(from))] }

// sequence makes a control sequence or a control string, in seven bits, in eight,
// or in the Unicode of eight; it may lack its end or hold another one.
func (m *Maker) sequence() string {
	kind := m.random.IntN(len(openers[0]))
	open := openers[m.random.IntN(len(openers))][kind]
	if kind == 0 { // CSI
		var b strings.Builder
		b.WriteString(open)
		for range m.random.IntN(6) {
			b.WriteByte("0123456789;:?><=!"[m.random.IntN(17)])
		}
		b.WriteString(m.pick(known))
		return b.String()
	}
	body := m.pick(bodies)
	if m.random.IntN(5) == 0 {
		body += m.sequence()
	}
	return open + body + m.pick(ends)
}

// openers begin CSI, OSC, DCS, APC, PM and SOS.
var openers = [][]string{
	{"\x1b[", "\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX"},
	{"\x9b", "\x9d", "\x90", "\x9f", "\x9e", "\x98"},
	{"\u009b", "\u009d", "\u0090", "\u009f", "\u009e", "\u0098"},
}

var (
	known = []string{
		"", "m", "31m", "8m", "0m", "2J", "3J", "K", "H", "1;1H", "10A", "99B", "?1049l", "?1049h", "?25l", "?1000h", "?2004h",
		"?2026h", "6n", "c", ">c", "5n", "?u",
		"20t", "21t", "14t", "18t", "r", "2;3r", "s", "u", "@", "P", "L", "M", "S", "T", "b", "!p", "$p", "\"p", " q", "'}", "x",
		"i", "5i", "Z", "g", "h", "l", "\x18", "\x1a",
	}
	bodies = []string{
		"", "0;owned", "2;owned", "52;c;ZXZpbA==", "8;;http://evil.example", "8;;file:///etc/passwd", "4;1;?", "10;?", "11;?",
		"104", "133;A", "777;notify;a;b", "9;9", "1337;File=:AAAA",
		"q\"1;1;1;1#0~", "$qm", "+q544e", "Gf=24;AAAA", "text that goes on", "\x00", "\r\n", "請",
	}
	ends    = []string{"", "\a", "\x1b\\", "\x9c", "\u009c", "\x18", "\x1a", "\n", "\x1b"}
	trouble = []string{
		"\x00", "\a", "\b", "\b\b\b\b", "\t", "\v", "\f", "\r", "\r\n", "\n", "\x0e", "\x0f", "\x11", "\x13", "\x1b", "\x1bc",
		"\x1b7", "\x1b8", "\x1bM", "\x1bD", "\x1b(0", "\x1b#8", "\x1b=", "\x7f",
		"\u0084", "\u0085", "\u008d", "\x84", "\x85", "\x9b", "\xff", "\xfe", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc0\xaf",
		"\xed\xa0\x80", "\xf4\x90\x80\x80",
		"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u200e", "\u200f", "\u061c",
		"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u180e", "\u2028", "\u2029",
		"\U000e0041", "\U000e0020\U000e007f", "\U000e0100", "\ufe0e", "\ufe0f", "\u20e3", "e\u0301",
		"a" + strings.Repeat("\u0300", 40), "\u0301", "\u0e33", "\u1160", "\u3164", "\uffa0", "\u115f", "\u2800",
		"👩‍👩‍👧‍👦", "👍🏽",
		"🇩🇪", "🇩", "1\ufe0f\u20e3", "☺\ufe0f", "❤️", "한글",
		"ᄒ", "請求", "ﷺ", "𒐫", "\ufffd", "\ue000", "\U0010ffff",
		"ﬁ", "Ǆ", "\u034f",
	}
	words = []string{
		"evil ", "Brook is right. ", "a", " ", "  ", "one two three four five six seven ", strings.Repeat("long", 30),
		"https://example.com/x?y=1 ", "[text](http://evil.example) ", "**bold** ", "`code` ",
		"\n\n", "\n- item\n", "\n1. item\n", "\n# head\n", "\n> quoted\n", "\n```go\nfunc main() {}\n", "```\n",
		"\n| a | b |\n|---|---|\n| 1 | 2 |\n", "<b>html</b>", "&#27;[2J", "&lt;", "\\x1b[2J", "%1b[2J", "|", "~",
		"{\"position\": \"no\"}", "C1", "[C1]",
	}
)
