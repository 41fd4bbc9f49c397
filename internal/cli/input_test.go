package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"roundtable/internal/cli"
	"roundtable/internal/testing/must"
)

// Text of the user's that is not UTF-8 is refused with its place: what would be taken
// for it would not be what was written.
func TestInput_thatIsNotUTF8IsRefusedWithItsPlace(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	db := filepath.Join(dir, "r.db")
	run := func(stdin string, args ...string) (int, string) {
		var errs bytes.Buffer
		code := cli.Main(context.Background(), cli.Process{
			Args: append(args, "--db", db, "--config", filepath.Join(dir, "none.toml")), Stdin: strings.NewReader(stdin),
			Stdout: &bytes.Buffer{}, Stderr: &errs,
			Env: func(string) (string, bool) { return "", false },
		})
		return code, errs.String()
	}
	const latin = "Is it a\ncaf\xe9?"
	file := filepath.Join(dir, "answers.json")
	must.Do(t, os.WriteFile(file, []byte("[{\"request_id\": \"C1\",\n \"answer\": \"caf\xe9\"}]"), 0o600))
	must.Do(t, os.WriteFile(filepath.Join(dir, "none.toml"), nil, 0o600))
	begin := []string{"run", "--panel", "demo"}
	for name, c := range map[string]struct {
		stdin string
		args  []string
		want  string
	}{
		"a topic":          {args: append(begin, latin), want: "the topic is not UTF-8 in line 2. "},
		"a topic piped in": {stdin: latin, args: append(begin, "-"), want: "standard input is not UTF-8 in line 2. "},
		"a focus": {
			args: append(begin, "Why?", "--focus", "\xff"),
			want: "the focus is not UTF-8 in line 1. ",
		},
		"a list": {
			args: append(begin, "Why?", "--mode", "delphi", "--options", "tea,caf\xe9"),
			want: "--options is not UTF-8 in line 1. ",
		},
		"a file of answers": {
			args: append(begin, "Why?", "--answers", file),
			want: file + " is not UTF-8 in line 2. ",
		},
		"an answer": {
			args: []string{"answer", "k7m2", "C1", "--text", latin},
			want: "the answer is not UTF-8 in line 2. ",
		},
		"an answer piped in": {
			stdin: "\x00\x01\x02\x03", args: []string{"answer", "k7m2", "C1", "--file", "-"}, want: "standard input is binary. ",
		},
		"a reason": {args: []string{"answer", "k7m2", "C1", "--unavailable", latin}, want: "the answer is not UTF-8 in line "},
		"a source": {args: []string{"answer", "k7m2", "C1", "--text", "x", "--source", latin}, want: "the source is not UTF-8 in line "},
		"a title":  {args: []string{"rename", "k7m2", latin}, want: "the title is not UTF-8 in line "},
	} {
		code, errs := run(c.stdin, c.args...)
		if code != 2 || !strings.Contains(errs, c.want) || !strings.Contains(errs, "Nothing was changed") {
			t.Errorf("%s: exit code %d, %q, want %q", name, code, errs, c.want)
		}
	}
	if _, err := os.Stat(db); err == nil {
		t.Error("something was kept")
	}
	if code, errs := run("", append(begin, "Is a \ufffd of one's own one?")...); code != 3 {
		t.Errorf("a replacement character that was typed: exit code %d, %s", code, errs)
	}
}
