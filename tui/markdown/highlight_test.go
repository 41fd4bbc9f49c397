package markdown_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/markdown"
	"roundtable/tui/theme"
)

// In the wanted lines, (k ) is around keywords, (s ) around strings and (c ) around comments.
func TestRender_highlightsCode(t *testing.T) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	r := markdown.New(markdown.NewStyles(th))
	marks := []string{"\x1b[m", ")"}
	for mark, st := range map[string]string{"(k ": th.Accent.Render("x"), "(s ": th.Success.Render("x"), "(c ": th.Faint.Render("x")} {
		prefix, _, _ := strings.Cut(st, "x")
		marks = append(marks, prefix, mark)
	}
	marked := strings.NewReplacer(marks...)
	for _, tc := range []struct{ language, code, want string }{
		{"go", "for i := range \"a\\\"b\" { // go on\nformat()", "(k for) i := (k range) (s \"a\\\"b\") { (c // go on)\nformat()"},
		{"go", "a := `one\nfor` /* two\nthree */ return", "a := (s `one)\n(s for`) (c /* two)\n(c three */) (k return)"},
		{"Python", "def f(x): # it's\n  return \"\"\"a", "(k def) f(x): (c # it's)\n  (k return) (s \"\"\"a)"},
		{"sql", "Select * FROM t -- all", "(k Select) * (k FROM) t (c -- all)"},
		{"rust", "fn f<'a>() {}", "(k fn) f<'a>() {}"},
		{"sh", "echo don't", "echo don't"},
		{"diff", "+ new\n- gone\n same", "(s + new)\n(k - gone)\n same"},
		{"brainfuck", "for x", "for x"},
		{"", "for x", "for x"},
	} {
		lines := r.Render("```"+tc.language+"\n"+tc.code+"\n```", 60)
		for i, line := range lines {
			lines[i] = strings.TrimPrefix(line, "  ")
		}
		if got := marked.Replace(strings.Join(lines, "\n")); got != tc.want {
			t.Errorf("%s\n got %s\nwant %s", tc.language, got, tc.want)
		}
	}
}

// Colours change neither the words nor where lines are divided.
func TestRender_highlightsWithoutChangingTheCode(t *testing.T) {
	r := markdown.New(markdown.NewStyles(theme.New(theme.Options{Profile: colorprofile.TrueColor})))
	code := "func f() string { return \"e\u0301 世界\" + 'x' } // a comment that is longer than the line"
	for width := 8; width < 60; width++ {
		plain := strings.Join(r.Render("```\n"+code+"\n```", width), "\n")
		colored := strings.Join(r.Render("```go\n"+code+"\n```", width), "\n")
		if ansi.Strip(plain) != ansi.Strip(colored) {
			t.Fatalf("%d cells:\n%s\nwithout colours\n%s", width, ansi.Strip(colored), ansi.Strip(plain))
		}
	}
}
