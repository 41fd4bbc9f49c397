package text_test

import (
	"testing"

	"roundtable/internal/text"
)

func TestNumberLines(t *testing.T) {
	says(t, func(in string) string { return text.NumberLines(in, 9) }, map[string]string{
		"": "(empty)", "one": "9| one", "one\n": "9| one", "one\n\n three\n": "9| one\n10|\n11|  three", "\n\n": "9|\n10|",
	})
}

func TestSentence(t *testing.T) {
	says(t, text.Sentence, map[string]string{"öffnen failed": "Öffnen failed.", "No model answered.": "No model answered.", " ": ""})
}
