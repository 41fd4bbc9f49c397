package input_test

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/textinput"
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
