package text_test

import (
	"strings"
	"testing"

	"roundtable/internal/text"
)

func TestOwn_keepsWhatStylesACharacter(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "as it is\n", "as it is\n"},
		{"a family", "we are 👨‍👩‍👧‍👦.", "we are 👨‍👩‍👧‍👦."},
		{"a flag, a heart, a thumb", "🇩🇪 ❤️ 👍🏽", "🇩🇪 ❤️ 👍🏽"},
		{"a keycap", "1️⃣", "1️⃣"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"Devanagari", "क्\u200dष", "क्\u200dष"},
		{"joiners that join nothing", "\u200da\u200d b\u200c\u200dc \u200d", "a b\u200dc "},
		{"selectors that select nothing", "\ufe0f \ufe0fx", " x"},
		{"an escape sequence around one", "a\x1b]0;👨\u200d👩\x07b", "ab"},
		{"controls, bidi, tags", "x\u202ey\u200bz\U000e0041\r\n", "xyz\n"},
		{"a mark behind a joiner", "e\u200d\u0301", "é"},
		{"broken", "👨\u200d\xff", "👨\ufffd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := text.SanitizeInput(tt.in)
			if got != tt.want {
				t.Errorf("%+q, want %+q", got, tt.want)
			}
			if again := text.SanitizeInput(got); again != got {
				t.Errorf("once more it is %+q, before %+q", again, got)
			}
			if shown := text.Sanitize(got); shown != text.Sanitize(tt.in) {
				t.Errorf("shown is %+q, want %+q", shown, text.Sanitize(tt.in))
			}
		})
	}
}

// Characters without a meaning stand for others while Own works; a text's own are dropped.
func TestOwn_takesNoCharacterForItsOwn(t *testing.T) {
	if got := text.SanitizeInput("a\U00100001b👨\u200d👩"); got != "ab👨\u200d👩" {
		t.Errorf("%+q", got)
	}
}

func FuzzOwn(f *testing.F) {
	f.Add("👨‍👩‍👧 🇩🇪 \x1b[2J a\u0301\u200d\u0301 \U00100003\xff\r\n\t")
	f.Fuzz(func(t *testing.T, s string) {
		got := text.SanitizeInput(s)
		if again := text.SanitizeInput(got); again != got {
			t.Errorf("%+q becomes %+q, then %+q", s, got, again)
		}
		for _, bad := range []string{"\x1b", "\r", "\u202e", "\u200b", "\U000e0041", "\x00", "\u200d\u200d"} {
			if strings.Contains(got, bad) {
				t.Errorf("%+q holds %+q", got, bad)
			}
		}
	})
}
