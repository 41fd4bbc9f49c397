package text_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"roundtable/internal/text"
)

func TestParseCommand_isTheInverseOfCommand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) })
		argv := rapid.SliceOfN(rapid.OneOf(rapid.String(), bytes), 1, 5).Draw(t, "argv")
		shown := text.Command(argv)
		if shown != text.Sanitize(shown) || strings.Contains(shown, "\n") {
			t.Fatalf("%q is not safe to show", shown)
		}
		got, err := text.ParseCommand(shown)
		if err != nil || !slices.Equal(got, argv) {
			t.Fatalf("%q is shown as %s and read as %q, %v", argv, shown, got, err)
		}
	})
}

func TestParseCommand_readsWhatIsTyped(t *testing.T) {
	for _, c := range []struct {
		line, err string
		want      []string
	}{
		{line: `  ls   my\ dir  `, want: []string{"ls", "my dir"}},
		{line: `a'b c'd "e\d"`, want: []string{"ab cd", `e\d`}},
		{line: `"a\nb" "\"c\\" $'\042\x7e'`, want: []string{`a\nb`, `"c\`, `"~`}},
		{line: `echo *.go $HOME | wc`, want: []string{"echo", "*.go", "$HOME", "|", "wc"}},
		{line: " ", err: "empty"},
		{line: `echo 'a`, err: "quote '"},
		{line: `echo "a`, err: `quote "`},
		{line: `echo $'a`, err: "quote $'"},
		{line: `echo $'it\'s'`, err: "quote $'"},
		{line: `echo \`, err: "backslash"},
	} {
		got, err := text.ParseCommand(c.line)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: err = %v, want one with %q", c.line, err, c.err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.line, diff)
		}
	}
}

func TestSimpleCommand_isWhatAShellOnlySplits(t *testing.T) {
	for line, want := range map[string]string{
		"go test ./...": "go|test|./...", "git commit -m 'a b'": "git|commit|-m|a b", `echo "a b"`: "echo|a b",
		"a; b": "", "a && b": "", "a | b": "", "a > b": "", "a $HOME": "", "a $(b)": "", "a `b`": "", "a\nb": "", "a *": "", "A=b c": "",
		"cd ~": "", "a {b,c}": "", "a \\b": "", "a #b": "", "'a": "", "": "", "a\u00a0b": "", "a <b": "", "a &": "", "!a": "", "a '$b'": "",
	} {
		argv, ok := text.SimpleCommand(line)
		if ok != (want != "") || strings.Join(argv, "|") != want {
			t.Errorf("%q: %q, %t", line, argv, ok)
		}
	}
}

func TestCommand_isReadByAShellAsItIs(t *testing.T) {
	says(t, func(arg string) string { return text.Command([]string{"chmod", arg}) }, map[string]string{
		"/home/me/config.toml":    "chmod /home/me/config.toml",
		"\u202egnp.exe":           `chmod $'\342\200\256gnp.exe'`,
		"\xff":                    `chmod $'\377'`,
		"für":                     "chmod 'für'",
		"/home/me/my config.toml": "chmod '/home/me/my config.toml'",
		"/tmp/$(id);it's":         `chmod '/tmp/$(id);it'\''s'`,
		"":                        "chmod ''",
		"a\nb'\\\x1b[2J":          `chmod $'a\012b\047\134\033[2J'`,
	})
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	rapid.Check(t, func(t *rapid.T) {
		arg := strings.ReplaceAll(string(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes")), "\x00", "0")
		line := text.Command([]string{"printf", "%s", arg})
		if line != text.Line(line) {
			t.Fatalf("%q is not safe to show", line)
		}
		if out, err := exec.Command(bash, "-c", line).Output(); err != nil || string(out) != arg {
			t.Fatalf("%q became %q: %v", line, out, err)
		}
	})
}
