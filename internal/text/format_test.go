package text_test

import (
	"testing"

	"roundtable/internal/text"
)

func TestNumberLines(t *testing.T) {
	for _, c := range []struct {
		in   string
		from int
		want string
	}{
		{"", 1, "(empty)"},
		{"one", 1, "1| one"},
		{"one\n", 1, "1| one"},
		{"one\n\n three\n", 9, "9| one\n10|\n11|  three"},
		{"\n\n", 1, "1|\n2|"},
	} {
		if got := text.NumberLines(c.in, c.from); got != c.want {
			t.Errorf("%q from %d: %q, want %q", c.in, c.from, got, c.want)
		}
	}
}

func TestSentence(t *testing.T) {
	says(t, text.Sentence, map[string]string{"öffnen failed": "Öffnen failed.", "No model answered.": "No model answered.", " ": ""})
}
