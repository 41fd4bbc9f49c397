package theme

import "github.com/charmbracelet/x/ansi"

// Width returns the number of cells of a styled line. It equals [ansi.StringWidth] but
// is faster for ASCII, borders, symbols and colours, which make up most of a screen
// that is measured in every frame.
func Width(line string) int {
	n := 0
	for i := 0; i < len(line); n++ {
		c := line[i]
		if c >= ' ' && c < 0x7f {
			i++
			continue
		}
		size, cells := styleSequence(line[i:]), 0
		if size == 0 {
			size, cells = narrowSymbol(line[i:]), 1
		}
		if size == 0 {
			return ansi.StringWidth(line)
		}
		i += size
		n += cells - 1
	}
	return n
}

// narrowSymbol returns the length in bytes of a border, bar or symbol of one cell at
// the beginning of s; 0 if there is none.
func narrowSymbol(s string) int {
	if len(s) >= 2 && s[0] == 0xc2 && s[1] == 0xb7 { // U+00B7, the middle dot
		return 2
	}
	if len(s) < 3 || s[0] != 0xe2 || s[2] < 0x80 || s[2] > 0xbf {
		return 0
	}
	switch s[1] {
	case 0x80: // dashes, quotes, the bullet and the ellipsis: U+2010 to U+2026
		if s[2] >= 0x90 && s[2] <= 0xa6 {
			return 3
		}
	case 0x94, 0x95: // U+2500 to U+257F
		return 3
	case 0x96: // U+2580 to U+259F
		if s[2] <= 0x9f {
			return 3
		}
	}
	return 0
}

// styleSequence returns the length in bytes of an SGR escape sequence at the beginning
// of s; 0 if there is none.
func styleSequence(s string) int {
	if len(s) < 3 || s[0] != '\x1b' || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}
