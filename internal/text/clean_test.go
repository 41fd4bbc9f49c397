package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"roundtable/internal/text"
)

func TestText_keepsWhatIsVisibleAndNothingElse(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"empty", "", ""},

		{"CRLF and CR", "a\r\nb\rc\n\rd", "a\nb\nc\n\nd"},
		{"line separators", "a\u2028b\u2029c", "a\nb\nc"},
		{"tabs", "\ta\tbcd\tefgh\ti", "    a   bcd efgh    i"},
		{"tab after wide characters", "世\tx\n世世\tx", "世  x\n世世    x"},
		{"C0 and DEL", "a\x00b\ac\bd\ve\ff\x7fg", "abcdefg"},
		{"C1", "a\u0085b\u009ac\u0080d", "abcd"},
		{"C1 that is no UTF-8", "a\x85b\x9ac", "a\ufffdb\ufffdc"},

		{"colour", "a\x1b[31mred\x1b[0mb", "aredb"},
		{"conceal, clear, alternate screen, mouse", "\x1b[8ma\x1b[2J\x1b[?1049l\x1b[?1000hb", "ab"},
		{"title by BEL, ST, 8-bit ST", "a\x1b]0;t\ab\x1b]0;t\x1b\\c\u009d0;t\u009cd", "abcd"},
		{"DCS, SOS, PM, APC", "a\x1bPq\x1b\\b\x1bXq\x1b\\c\x1b^q\x1b\\d\x1b_q\x1b\\e", "abcde"},
		{"8-bit DCS, SOS, PM, APC", "a\u0090q\u009cb\u0098q\u009cc\u009eq\u009cd\u009fq\u009ce", "abcde"},
		{"charset and other short ones", "a\x1b(0b\x1b7c\x1bcd\x1b#8e\x1b%Gf", "abcdef"},
		{"cancelled", "a\x1b[3\x18b\x1b]0;t\x1ac", "abc"},
		{"nested", "a\x1b]0;\x1b[31mred\x1b]52;c;x\a\x1b\\b", "aredb"},
		{"wrapped for a multiplexer", "a\x1bPtmux;\x1b\x1b]52;c;x\a\x1b\\b", "ab"},
		{"unterminated OSC ends with its line", "a\x1b]0;title\nb", "a\nb"},
		{"unterminated DCS ends with its line", "a\x1bPq\r\nb", "a\nb"},
		{"broken off by another character", "a\x1b[1;é\x1b世", "aé世"},
		{"ESC ESC", "a\x1b\x1b\x1b[mb", "ab"},

		{"invalid UTF-8", "a\xffb\xc3", "a\ufffdb\ufffd"},
		{"torn emoji swallows nothing", "a\xf0\x9f\x98 b\xf0\x9f", "a\ufffd b\ufffd"},
		{"noncharacters", "a\ufffeb\U0001ffffc\ufdd0d", "abcd"},

		{"bidi", "a\u202eb\u202c\u2066c\u2069\u200f\u061cd", "abcd"},
		{"zero width", "a\u200bb\u2060c\ufeffd\u00ade\u034ff\u180eg", "abcdefg"},
		{"fillers", "a\u3164b\u115fc\uffa0d", "abcd"},
		{"tags", "a\U000e0041\U000e007fb", "ab"},
		{"variation selectors", "❤\ufe0f a\ufe0f \ufe0f#\ufe0f\u20e3 a\U000e0100", "❤ a #\u20e3 a"},
		{"joined emoji", "👩\u200d👩\u200d👧 🏳️\u200d🌈 👩🏽\u200d🚀", "👩👩👧 🏳🌈 👩🚀"},
		{"joined letters", "می\u200cخواهم क्\u200dष ශ්\u200dරී", "می\u200cخواهم क्\u200dष ශ්\u200dරී"},
		{"joiners that join nothing", "\u200da\u200db\u200d 👩\u200d \u200d👩 م\u200ca", "ab 👩 👩 مa"},
		{"skin tone", "👍🏽! a🏽", "👍! a"},
		{"Thai am", "น้ำ", "น้ํา"},

		{"composes", "e\u0301 \u1112\u1161\u11ab A\u030a", "é 한 Å"},
		{"composes over a dropped character", "e\u200b\u0301\x1b[m\u0323", "ẹ́"},
		{"mark after a break or a space", "a\n\u0301 \u20dd\t\u0301", "a\n◌\u0301 ◌\u20dd ◌\u0301"},
		{"marks are capped", "z" + strings.Repeat("\u0335", 1000) + "!", "z" + strings.Repeat("\u0335", 8) + "!"},
		{"jamo are capped", "x" + strings.Repeat("\u1161", 100), "x" + strings.Repeat("\u1161", 8)},
		{"marks that normalising splits off count too", "\u0958" + strings.Repeat("\u0951", 9), "\u0915\u093c" + strings.Repeat("\u0951", 7)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := text.Sanitize(tc.in); got != tc.want {
				t.Errorf("Text(%+q)\n got %+q\nwant %+q", tc.in, got, tc.want)
			}
		})
	}
}

func TestText_showsWhatIsBehindASequenceThatNeverEnds(t *testing.T) {
	if got := text.Sanitize("a\x1b]0;" + strings.Repeat("x", 5000) + "end"); !strings.HasSuffix(got, "end") {
		t.Errorf("got %d bytes, ending in %q", len(got), got[max(len(got)-10, 0):])
	}
}

func TestText_isSafeForEveryCharacter(t *testing.T) {
	var alone, marked, escaped strings.Builder
	check := func(before rune) {
		for _, b := range []*strings.Builder{&alone, &marked, &escaped} {
			if msg := unsafe(text.Sanitize(b.String())); msg != "" {
				t.Fatalf("before %U: Text(%+q) %s", before, b.String(), msg)
			}
			b.Reset()
		}
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if r > 0x20000 && r < 0xe0000 || r > 0xf0000 {
			r += 98 // ideographs and private use, all alike
		}
		alone.WriteString(string(r) + "\n") // a line ends what a control begins
		marked.WriteString("a" + string(r) + "\n")
		escaped.WriteString("\x1b]" + string(r) + "\u0301\n")
		if r%64 == 0 {
			check(r)
		}
	}
	check(utf8.MaxRune + 1)
}

func TestLine_isOneTrimmedLine(t *testing.T) {
	says(t, text.Line, map[string]string{
		"a b": "a b", "  a  b  ": "a  b", "a\nb": "a b", "\r\n a \r\n\n\t b\n": "a b", "\x1b]0;t\n\u0301": "◌\u0301", "\n \n": "",
	})
}

func TestClip_marksWhatItCuts(t *testing.T) {
	for _, tc := range []struct {
		in    string
		runes int
		want  string
	}{
		{"", 0, ""},
		{"abc", 3, "abc"},
		{"äöü", 3, "äöü"},
		{"abcd", 3, "ab…"},
		{"ab cd", 4, "ab…"},
		{"äöüß", 3, "äö…"},
		{"az\u0335\u0336\u0337b", 4, "a…"},
		{"az\u0335\u0336\u0337b", 6, "az\u0335\u0336\u0337b"},
		{"z\u0335\u0336\u0337", 2, "…"},
		{"ab", 1, "…"},
		{"ab", 0, ""},
		{"ab", -1, ""},
	} {
		if got := text.Clip(tc.in, tc.runes); got != tc.want {
			t.Errorf("Clip(%+q, %d) = %+q, want %+q", tc.in, tc.runes, got, tc.want)
		}
	}
}

func TestText_doesNotAllocateForPlainText(t *testing.T) {
	s := strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 100)
	if n := testing.AllocsPerRun(10, func() { _ = text.Sanitize(s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
