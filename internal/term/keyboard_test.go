package term_test

import (
	"os"
	"testing"

	"roundtable/internal/term"
	"roundtable/internal/testing/must"
)

// More than three printable keys in one read are text; keys that repeat, pastes that are marked and
// what the terminal replies stay as they are.
func TestKeyboard_marksTextAsAPaste(t *testing.T) {
	const start, end = "\x1b[200~", "\x1b[201~"
	for _, row := range []struct{ name, read, want string }{
		{"keys", "jk", "jk"},
		{"three", "gGz", "gGz"},
		{"one that repeats", "jjjjjjjj", "jjjjjjjj"},
		{"text", "go on", start + "go on" + end},
		{"not ASCII", "ändern", start + "ändern" + end},
		{"text with enter", "42 writes\rok\r", start + "42 writes" + end + "\rok\r"},
		{"controls", "\r\r\t\x13\x13", "\r\r\t\x13\x13"},
		{"arrows", "\x1b[A\x1b[A", "\x1b[A\x1b[A"},
		{"a paste", start + "go on" + end, start + "go on" + end},
		{"a reply", "\x1b]11;rgb:1e1e/1e1e/1e1e\x07", "\x1b]11;rgb:1e1e/1e1e/1e1e\x07"},
	} {
		if got := typed(t, row.read)[0]; got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
	for name, reads := range map[string][]string{
		"a paste in three reads": {start + "go", " on and on", "and on" + end},
		"a reply in two reads":   {"\x1b]11;rgb:1e1e", "/1e1e/1e1e\x07"},
	} {
		for i, got := range typed(t, reads...) {
			if got != reads[i] {
				t.Errorf("%s: read %d is %q, want %q", name, i, got, reads[i])
			}
		}
	}
	if got := typed(t, start+"a"+end, "go on"); got[1] != start+"go on"+end {
		t.Errorf("after a paste: %q", got)
	}
}

// typed returns what the keyboard returns for each read of the terminal.
func typed(t *testing.T, reads ...string) (all []string) {
	t.Helper()
	out, in, err := os.Pipe()
	must.Do(t, err)
	defer out.Close()
	defer in.Close()
	k := term.NewKeyboard(out)
	for _, read := range reads {
		if _, err := in.WriteString(read); err != nil {
			t.Fatal(err)
		}
		buffer := make([]byte, 4096)
		n := must.Get(k.Read(buffer))(t)
		all = append(all, string(buffer[:n]))
	}
	return all
}
