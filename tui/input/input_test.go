package input_test

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"roundtable/tui/input"
	"roundtable/tui/theme"
)

func ExampleHistory() {
	var h input.History
	text := ""
	for _, r := range "one two" {
		before := input.State{Text: text, Column: len(text)}
		text += string(r)
		h.Record(before, input.State{Text: text, Column: len(text)})
	}
	for {
		s, ok := h.Undo()
		if !ok {
			break
		}
		fmt.Printf("%q\n", s.Text)
	}
	// Output:
	// "one "
	// ""
}

// Undo leads back through the states of a text to the first one.
func TestHistory_leadsBackToTheBeginning(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var h input.History
		seen := map[string]bool{"": true}
		state := input.State{}
		for range rapid.IntRange(0, 50).Draw(rt, "changes") {
			next := input.State{Text: rapid.SampledFrom([]string{
				state.Text + "a", state.Text + " ", state.Text + "世", state.Text + "a paste", "", strings.TrimSuffix(state.Text, "a"),
			}).Draw(rt, "text")}
			next.Column = len([]rune(next.Text))
			h.Record(state, next)
			state = next
			seen[state.Text] = true
		}
		last := state
		for {
			s, ok := h.Undo()
			if !ok {
				break
			}
			if !seen[s.Text] || s.Text == last.Text {
				rt.Fatalf("after %q undo leads to %q", last.Text, s.Text)
			}
			last = s
		}
		if last.Text != "" {
			rt.Fatalf("undo ends at %q", last.Text)
		}
	})
}

// A line never exceeds its field, marks stand for hidden text, and the cursor is inside.
func TestLine_marksWhatIsHidden(t *testing.T) {
	th := theme.New(theme.Options{Profile: colorprofile.ASCII})
	rapid.Check(t, func(rt *rapid.T) {
		f := textinput.New()
		f.Prompt = ""
		f.SetVirtualCursor(false)
		f.SetWidth(rapid.IntRange(4, 40).Draw(rt, "width"))
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"word ", "世界", "x"}), 0, 30).Draw(rt, "text"), "")
		f.SetValue(text)
		f.SetCursor(rapid.IntRange(0, len([]rune(text))).Draw(rt, "cursor"))
		f.Focus()
		line := ansi.Strip(input.Line(f, th))
		if n := ansi.StringWidth(line); n > f.Width()+1 {
			rt.Fatalf("%d cells in a field of %d: %q", n, f.Width(), line)
		}
		shown := strings.TrimSuffix(strings.TrimPrefix(line, "…"), "…")
		switch at := strings.Index(text, shown); {
		case at < 0:
			rt.Fatalf("%q is not part of %q", line, text)
		case shown != text && shown == line:
			rt.Fatalf("%q is cut to %q without a mark", text, line)
		}
		if c := input.Cursor(f, th); c == nil || c.X < 0 || c.X > f.Width() {
			rt.Fatalf("the cursor is at %+v in %q", c, line)
		}
	})
}

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

// One table decides for all text fields what enter does.
func TestMeans_oneLineIsSentByEnter(t *testing.T) {
	t.Parallel()
	const types, breaks, sends = input.Types, input.Breaks, input.Sends
	for key, want := range map[string]struct{ one, two, never input.Meaning }{
		"enter":       {sends, breaks, breaks},
		"ctrl+m":      {sends, breaks, breaks},
		"ctrl+s":      {sends, sends, sends},
		"alt+enter":   {breaks, breaks, breaks},
		"shift+enter": {breaks, breaks, breaks},
		"ctrl+j":      {breaks, breaks, breaks},
		"tab":         {types, types, types},
		"e":           {types, types, types},
	} {
		one, two, never := input.Means(key, 1, true), input.Means(key, 2, true), input.Means(key, 1, false)
		if one != want.one || two != want.two || never != want.never {
			t.Errorf("%s means %d in one line, %d in two, %d where enter never sends", key, one, two, never)
		}
	}
	for _, x := range []struct {
		lines        int
		sends        bool
		send, breaks string
	}{{1, true, "enter", "alt+enter"}, {2, true, "ctrl+s", "enter"}, {1, false, "ctrl+s", "enter"}} {
		if send, breaks := input.SendKey(x.lines, x.sends), input.BreakKey(x.lines, x.sends); send != x.send || breaks != x.breaks {
			t.Errorf("%d lines: %s sends, %s begins a line", x.lines, send, breaks)
		}
	}
}
