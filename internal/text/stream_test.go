package text_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"roundtable/internal/text"
)

// hard are the atoms that generated texts are made of: everything that has a
// meaning next to something else.
var hard = []string{
	"a", "e", "z", " ", "\n", "\r", "\t", "\x00", "\a", "\b", "\x18", "\x7f",
	"\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1b\\", "[", "]", "31m", ";", "0;t", "\x9b", "\x9c", "\x9d", "\u009b", "\u0085",
	"\xc3", "\xa9", "\xf0", "\x9f", "\x98", "\x80", "\xed\xa0\x80", "\xff", "\ufffd",
	"\u0301", "\u0323", "\u0335", "\u0344", "م", "\u064e", "ක", "\u0dca", "❤", "👩", "\u20dd", "\u0f73", "\u0dcf", "\u0dca", "\u0d57", "\u09be", "\u09c7",
	"é", "\u1e69", "\u0958", "\u212b", "\u1112", "\u1161", "\u11ab", "\ud7b0", "가",
	"\u200b", "\u200c", "\u200d", "\u202e", "\u2066", "\u2028", "\ufe0f", "\U000e0041", "👍", "🏽", "🇩", "🇪", "世", "\u0e33", "◌", "\u00a0", "\u3000",
}

func anyText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.SampledFrom(hard), 0, 40).Draw(t, "parts")
		n := rapid.IntRange(1, 12).Draw(t, "times") // long runs of one kind
		return strings.Repeat(strings.Join(parts, ""), n)
	})
}

func TestStream_isTextHoweverItIsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := anyText().Draw(t, "text")
		want := text.Sanitize(whole)
		if msg := unsafe(want); msg != "" {
			t.Fatalf("Text(%+q) %s", whole, msg)
		}
		var (
			s   text.Stream
			got strings.Builder
		)
		for rest := whole; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 9)).Draw(t, "piece")
			got.WriteString(s.Write(rest[:n]))
			rest = rest[n:]
			if !strings.HasPrefix(want, got.String()) {
				t.Fatalf("shown %+q, wanted %+q", got.String(), want)
			}
			if msg := unsafe(got.String() + s.Peek()); msg != "" {
				t.Fatalf("after %+q a look at what is held back %s", whole[:len(whole)-len(rest)], msg)
			}
		}
		if ended := got.String() + s.Write("\n"); ended != text.Sanitize(whole+"\n") {
			t.Fatalf("in pieces %+q\nat once   %+q", ended, text.Sanitize(whole+"\n"))
		}
	})
}

func TestStream_holdsBackABoundedText(t *testing.T) {
	const most = 4200
	for _, unit := range []string{"x", "世", "\u0335", "\x1b]0; ", "\xf0\x9f"} {
		var s text.Stream
		for i := range 2500 {
			_ = s.Write(unit)
			if i%100 != 0 {
				continue
			}
			if held := s.Peek(); len(held) > most {
				t.Fatalf("%q: held back %d bytes", unit, len(held))
			}
		}
	}
}

func TestStream_showsLinesAtOnce(t *testing.T) {
	var s text.Stream
	for _, step := range []struct{ write, want, ahead string }{
		{"one ", "", "one "},
		{"two", "", "one two"},
		{"\n", "one two\n", ""},
		{"e", "", "e"},
		{"\u0301", "", "é"},
		{"!\r", "", "é!\n"},
		{"\n世\x1b[3", "é!\n", "世"},
		{"1m界\n", "世界\n", ""},
		{"last\nline\nand", "last\nline\n", "and"},
		{"\n", "and\n", ""},
		{strings.Repeat("word ", 820) + "half", strings.Repeat("word ", 820), "half"}, // a line longer than what is held back
		{"\n", "half\n", ""},
	} {
		if got := s.Write(step.write); got != step.want || s.Peek() != step.ahead {
			t.Errorf("Write(%+q) = %+q before %+q, want %+q before %+q", step.write, got, s.Peek(), step.want, step.ahead)
		}
	}
	_ = s.Write("a\xe8\xab")
	if got := s.Peek(); got != "a" { // without half a rune
		t.Errorf("Peek() = %+q", got)
	}
}

func FuzzText(f *testing.F) {
	for i := range hard {
		f.Add(strings.Join(hard[i:min(i+7, len(hard))], ""), uint(i))
	}
	f.Fuzz(func(t *testing.T, s string, cut uint) {
		want := text.Sanitize(s)
		if msg := unsafe(want); msg != "" {
			t.Fatalf("Text(%+q) %s", s, msg)
		}
		if line := text.Line(s); strings.Contains(line, "\n") || text.Line(line) != line || unsafe(line) != "" {
			t.Fatalf("Line(%+q) = %+q", s, line)
		}
		if clip := text.Clip(want, int(cut%50)); utf8.RuneCountInString(clip) > int(cut%50) || unsafe(clip) != "" {
			t.Fatalf("Clip(%+q, %d) = %+q", want, cut%50, clip)
		}
		var p text.Stream
		at := int(cut % uint(len(s)+1))
		if got := p.Write(s[:at]) + p.Write(s[at:]+"\n"); len(s) < 4096 && got != text.Sanitize(s+"\n") {
			t.Fatalf("cut at %d: %+q, want %+q", at, got, text.Sanitize(s+"\n"))
		}
	})
}

func unsafe(s string) string {
	marks := 0
	for _, r := range s {
		switch {
		case unicode.IsControl(r) && r != '\n':
			return fmt.Sprintf("has the control %U: %+q", r, s)
		case strings.ContainsRune("\u200c\u200d\ufe0e\ufe0f", r): // where they mean something, or it is not idempotent
		case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			return fmt.Sprintf("has the invisible %U: %+q", r, s)
		case unicode.Is(unicode.M, r):
			if marks++; marks > 8 {
				return fmt.Sprintf("piles up marks: %+q", s)
			}
		default:
			marks = 0
		}
	}
	switch {
	case !utf8.ValidString(s):
		return fmt.Sprintf("is not UTF-8: %+q", s)
	case !norm.NFC.IsNormalString(s):
		return fmt.Sprintf("is not NFC: %+q", s)
	case text.Sanitize(s) != s:
		return fmt.Sprintf("is not idempotent: %+q, then %+q", s, text.Sanitize(s))
	}
	return ""
}
