package attach_test

import (
	"strings"
	"testing"

	"roundtable/tui/attach"
)

// typed types a text character by character.
func typed(text string) *attach.Mentions {
	m := &attach.Mentions{}
	line, column := 0, 0
	for i, r := range text {
		if column++; r == '\n' {
			line, column = line+1, 0
		}
		m.Typed(text[:i+len(string(r))], line, column)
	}
	return m
}

func TestMentions_areWordsThatBeginWithAnAt(t *testing.T) {
	for text, want := range map[string]string{
		"see @main.go":              "main.go",
		"@a and (@b), @c.":          "a b),/b c./c",
		"ada@example.com @ and @@x": "@x",
		`@my\ notes.md end`:         "my notes.md",
		"@first\n@zweite-ü\n":       "first zweite-ü",
		"a\u00a0@b":                 "b",
	} {
		var got []string
		for _, one := range typed(text).In(text) {
			got = append(got, strings.Join(one.Paths(), "/"))
		}
		if joined := strings.TrimSpace(strings.Join(got, " ")); joined != want {
			t.Errorf("%q mentions %q, want %q", text, joined, want)
		}
	}
}

func TestMentions_pastedWordsAreNoneUntilTheyAreTyped(t *testing.T) {
	m := &attach.Mentions{}
	if all := m.In("see @main.go"); len(all) > 0 {
		t.Errorf("a pasted text mentions %v", all)
	}
	m.Typed("see @main.got", 0, 4) // a key before the word
	if all := m.In("see @main.got"); len(all) > 0 {
		t.Errorf("a key before the word makes it %v", all)
	}
	m.Typed("see @main.got", 0, 13) // a key at its end
	if all := m.In("see @main.got"); len(all) != 1 {
		t.Errorf("a word that was changed mentions %v", all)
	}
}

func TestShort_keepsTheEndOfAName(t *testing.T) {
	for name, want := range map[string]string{
		"main.go": "main.go", "a/very/long/path/to/main.go": "…th/to/main.go", "\x1b[31mred\n": "red", "深い/フォルダ/の/ファイル.txt": "…/ファイル.txt",
	} {
		if got := attach.Short(name, 14); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}
