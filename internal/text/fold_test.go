package text_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"roundtable/internal/text"
)

func TestFold_dropsCaseAndCompatibilityForms(t *testing.T) {
	says(t, text.Fold, map[string]string{
		"": "", "Postgres": "postgres", "ﬁle №1": "file no1", "ＡＢＣ": "abc", "CAFÉ": "café", "cafe\u0301": "café", "\xff": "\ufffd",
	})
}

func TestFoldWithOffsets_pointsIntoTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "É", "e\u0301", "ﬁ", " ", "Ａ", "\xff", "한", "ß"})).Draw(t, "s"), "")
		folded, offsets := text.FoldWithOffsets(s)
		if len(folded) != len(offsets) {
			t.Fatalf("%d bytes have %d offsets", len(folded), len(offsets))
		}
		last := 0
		for _, at := range offsets {
			if at < last || at >= len(s) {
				t.Fatalf("offsets %v of %q", offsets, s)
			}
			last = at
		}
	})
}
