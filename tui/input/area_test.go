package input_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"roundtable/tui/input"
	"roundtable/tui/theme"
)

func newArea(limit int) *input.Area {
	a := input.NewArea(theme.New(theme.Options{Profile: colorprofile.ASCII}))
	a.Holds, a.Limit = "A text", limit
	a.Focus()
	a.SetText("")
	return &a
}

const (
	persian = "می\u200cخواهم"
	hindi   = "क्\u200dष"
	family  = "👩\u200d👩\u200d👧"
)

// What is pasted is kept as it was written until it is changed. Then the field has what it
// shows, in which words that are spelled with joiners keep them.
func TestArea_keepsWhatItCannotShow(t *testing.T) {
	t.Parallel()
	for written, shown := range map[string]string{
		"plain": "plain", persian: persian, hindi: hindi, family + " and " + persian: "👩👩👧 and " + persian, "flags 🇩🇪 and 👍🏽": "flags DE and 👍",
		"a\tb\n\tc": "a   b\n    c",
	} {
		a := newArea(100)
		a.Paste(written)
		before := a.State()
		if got := a.Text(); got != written || a.Value() != shown {
			t.Errorf("pasted %q: %q, shown as %q", written, got, a.Value())
		}
		a.Type(tea.KeyPressMsg{Code: '!', Text: "!"})
		if got := a.Text(); got != shown+"!" {
			t.Errorf("pasted %q and typed !: %q", written, got)
		}
		if a.Restore(before); a.Text() != written {
			t.Errorf("undone: %q, want %q", a.Text(), written)
		}
		if strings.Contains(written, "\t") {
			continue // it is another field
		}
		b := newArea(100)
		for _, r := range written {
			b.Type(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		if got := b.Text(); got != shown {
			t.Errorf("typed %q: %q", written, got)
		}
	}
}

// A limit is one of characters, whatever their width, and what does not fit is said.
func TestArea_saysWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name, paste, key, want string
		limit                  int
		cut, refused           string
	}{
		{name: "wide characters count once", limit: 4, paste: "長い文字", want: "長い文字"},
		{name: "a paste is cut", limit: 3, paste: "長い文字", want: "長い文", cut: "The pasted text was cut. A text has at most 3 characters."},
		{name: "a key is refused", limit: 4, paste: "長い文字", key: "Z", want: "長い文字", refused: "A text has at most 4 characters."},
		{name: "a joiner counts", limit: 8, paste: persian, key: "Z", want: persian, refused: "A text has at most 8 characters."},
		{
			name: "lines", limit: 30_000, paste: strings.Repeat("\n", 10_001), want: strings.Repeat("\n", 9_999),
			cut: "The pasted text was cut. A text has at most 30,000 characters in 10,000 lines.",
		},
	} {
		a := newArea(x.limit)
		if _, cut := a.Paste(x.paste); cut != x.cut {
			t.Errorf("%s: the paste says %q", x.name, cut)
		}
		if x.key != "" {
			if _, refused := a.Type(tea.KeyPressMsg{Text: x.key}); refused != x.refused {
				t.Errorf("%s: the key says %q", x.name, refused)
			}
		}
		if got := a.Text(); got != x.want {
			t.Errorf("%s: %d characters, want %d", x.name, len([]rune(got)), len([]rune(x.want)))
		}
	}
}

// What is pasted behind a text counts as it is shown.
func TestArea_cutsTabsThatHaveNoRoom(t *testing.T) {
	a := newArea(20)
	a.Paste("x")
	if _, cut := a.Paste(strings.Repeat("\ta", 9)); cut == "" || a.Text() != "x    a   a   a   a" {
		t.Errorf("%q, %q", cut, a.Text())
	}
}
