package theme_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"roundtable/tui/theme"
)

func plain(o theme.Options) *theme.Theme {
	o.Profile = colorprofile.ASCII
	return theme.New(o)
}

// seat returns the title of a pane, of which the role is cut first, then the model.
func seat(name, model, role string) []theme.Part {
	parts := []theme.Part{{Text: name}, {Text: " · " + model, Cut: 2}}
	if role != "" {
		parts = append(parts, theme.Part{Text: " · " + role, Cut: 1})
	}
	return parts
}

func words(s string) []theme.Part {
	if s == "" {
		return nil
	}
	return []theme.Part{{Text: s}}
}

func TestBox_cutsItsTitleInOrder(t *testing.T) {
	for _, tc := range []struct {
		width       int
		title       []theme.Part
		state, want string
	}{
		{46, seat("4 Dee", "gemini-flash", "red"), "✓ done · asked C1", "╭ 4 Dee · gemini-flash … ─ ✓ done · asked C1 ╮"},
		{46, seat("5 Eli", "qwen3", "blue"), "↻ retry 2 of 3 in 4 s", "╭ 5 Eli · qwen3 · b… ─ ↻ retry 2 of 3 in 4 s ╮"},
		{43, seat("5 Eli", "qwen3", "blue"), "↻ retry 2 of 3 in 4 s", "╭ 5 Eli · qwen3 … ─ ↻ retry 2 of 3 in 4 s ╮"},
		{42, seat("5 Eli", "qwen3", "blue"), "↻ retry 2 of 3 in 4 s", "╭ 5 Eli · qwen3… ─ ↻ retry 2 of 3 in 4 s ╮"},
		{41, seat("5 Eli", "qwen3", "blue"), "↻ retry 2 of 3 in 4 s", "╭ 5 Eli · qwen… ─ ↻ retry 2 of 3 in 4 s ╮"},
		{35, seat("5 Eli", "qwen3", "blue"), "↻ retry 2 of 3 in 4 s", "╭ 5 Eli … ─ ↻ retry 2 of 3 in 4 s ╮"},
		{32, seat("5 Eli", "qwen3", "blue"), "↻ retry 2 of 3 in 4 s", "╭ 5 Eli… ─ ↻ retry 2 of 3 in … ╮"},
		{20, seat("世界", "モデル", ""), "done", "╭ 世界 · … ── done ╮"},
	} {
		got := plain(theme.Options{}).Box(theme.Box{Width: tc.width, Height: 1, Title: tc.title, State: words(tc.state)})[0]
		if got != tc.want {
			t.Errorf("width %d\n got %s\nwant %s", tc.width, got, tc.want)
		}
	}
}

func TestBox_leavesOutWhatItDoesNotHave(t *testing.T) {
	th := plain(theme.Options{})
	for _, tc := range []struct {
		name string
		box  theme.Box
		want string
	}{
		{"nothing", theme.Box{Width: 8, Height: 3}, "╭──────╮\n│      │\n╰──────╯"},
		{"title", theme.Box{Width: 12, Height: 2, Title: words("a")}, "╭ a ───────╮\n╰──────────╯"},
		{"state", theme.Box{Width: 12, Height: 2, State: words("b")}, "╭─────── b ╮\n╰──────────╯"},
		{"hint", theme.Box{Width: 12, Height: 2, Hint: words("c")}, "╭──────────╮\n╰─ c ──────╯"},
		{"total", theme.Box{Width: 12, Height: 2, Total: words("d")}, "╭──────────╮\n╰────── d ─╯"},
		{"focus", theme.Box{Width: 12, Height: 2, Title: words("a"), Focused: true}, "╭▸a ───────╮\n╰──────────╯"},
		{"lines", theme.Box{Width: 9, Height: 4, Lines: []string{"世界", "too long"}}, "╭───────╮\n│ 世界  │\n│ too … │\n╰───────╯"},
		{"more lines than room", theme.Box{Width: 6, Height: 3, Lines: []string{"a", "b"}}, "╭────╮\n│ a  │\n╰────╯"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, strings.Join(th.Box(tc.box), "\n")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestBox_isASCIIWithTheSameCells(t *testing.T) {
	th := plain(theme.Options{ASCII: true})
	got := th.Box(theme.Box{
		Width: 24, Height: 3, Focused: true, Title: words("1 Ada"), State: words(th.Symbols.Done + " done"),
		Hint: words("9 below"), Lines: []string{"a line that is too long"},
	})
	want := []string{"+>1 Ada ------- + done +", "| a line that is too ~ |", "+- 9 below ------------+"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestBox_hasItsSizeWhateverItHolds(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab ·…世é")), 0, 20, -1)
	parts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) theme.Part {
		return theme.Part{
			Text: text.Draw(t, "text"), Cut: rapid.IntRange(0, 3).Draw(t, "cut"), Whole: rapid.Bool().Draw(t, "whole"),
			Style: lipgloss.NewStyle().Bold(rapid.Bool().Draw(t, "bold")),
		}
	}), 0, 4)
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	rapid.Check(t, func(t *rapid.T) {
		b := theme.Box{
			Width: rapid.IntRange(0, 60).Draw(t, "width"), Height: rapid.IntRange(0, 6).Draw(t, "height"),
			Title: parts.Draw(t, "title"), State: parts.Draw(t, "state"),
			Hint: parts.Draw(t, "hint"), Total: parts.Draw(t, "total"),
			Focused: rapid.Bool().Draw(t, "focused"), Accent: th.Seat(1),
			Lines: rapid.SliceOfN(text, 0, 8).Draw(t, "lines"),
		}
		rows := th.Box(b)
		if b.Width > 0 && len(rows) != b.Height {
			t.Fatalf("%d rows, want %d", len(rows), b.Height)
		}
		for i, row := range rows {
			if w := ansi.StringWidth(row); w != b.Width {
				t.Fatalf("row %d is %d cells wide, want %d: %q", i, w, b.Width, row)
			}
		}
		if w := ansi.StringWidth(th.Row(b.Title, b.State, b.Width)); w != b.Width {
			t.Fatalf("the row is %d cells wide, want %d", w, b.Width)
		}
	})
}

func TestRow_cutsInOrder(t *testing.T) {
	th := plain(theme.Options{})
	topic := []theme.Part{{Text: " Should billing move to SQLite?", Cut: 1}}
	state := []theme.Part{{Text: "expert-panel", Cut: 2}, {Text: "   round 2/4 ▸ 2/3 done "}}
	for _, tc := range []struct {
		width int
		want  string
	}{
		{71, " Should billing move to SQLite?    expert-panel   round 2/4 ▸ 2/3 done "},
		{60, " Should billing move t… expert-panel   round 2/4 ▸ 2/3 done "},
		{40, " S… expert-panel   round 2/4 ▸ 2/3 done "},
		{38, "… expert-panel   round 2/4 ▸ 2/3 done "},
		{30, "… exp…   round 2/4 ▸ 2/3 done "},
		{27, "… …   round 2/4 ▸ 2/3 done "},
		{20, "… …   round 2/4 ▸ 2…"},
	} {
		if got := th.Row(topic, state, tc.width); got != tc.want {
			t.Errorf("width %d\n got %q\nwant %q", tc.width, got, tc.want)
		}
	}
}

func TestRow_dropsWholeHintsFromTheLeft(t *testing.T) {
	th := plain(theme.Options{})
	owed := []theme.Part{{Text: " ● 1 required left"}, {Text: "   $0.03 of $0.50", Cut: 4}}
	keys := []theme.Part{
		{Text: "tab seat   ", Cut: 1, Whole: true}, {Text: "z zoom   ", Cut: 2, Whole: true}, {Text: "? help ", Cut: 3, Whole: true},
	}
	for _, tc := range []struct {
		width int
		want  string
	}{
		{64, " ● 1 required left   $0.03 of $0.50  tab seat   z zoom   ? help "},
		{58, " ● 1 required left   $0.03 of $0.50       z zoom   ? help "},
		{49, " ● 1 required left   $0.03 of $0.50       ? help "},
		{36, " ● 1 required left   $0.03 of $0.50 "},
		{28, " ● 1 required left   $0.03… "},
		{20, " ● 1 required left… "},
		{19, " ● 1 required lef… "},
	} {
		if got := th.Row(owed, keys, tc.width); got != tc.want {
			t.Errorf("width %d\n got %q\nwant %q", tc.width, got, tc.want)
		}
	}
}

// Width agrees with ansi.StringWidth for all lines.
func TestWidth_equalsStringWidth(t *testing.T) {
	pieces := []string{
		"a", "Brook is right.", " ", "│", "╭──", "·", "•", "…", "“", "–", "‐", "‧", "▖", "█░", "▶", "✓", "●", "\x1b[38;2;1;2;3m", "\x1b[m",
		"\x1b[1", "\x1b[2J",
		"\x1b]8;;http://x\x1b\\", "\x1b", "\x7f", "\t", "請求", "한", "e\u0301", "\u0301", "\ufe0f", "\u200d", "👩‍👩‍👧", "1\ufe0f\u20e3", "🇩🇪",
		"\xe2", "\x94", "\x80", "\xe2\x94", "\xc2", "\u200b", "\u202e", "\u2028", "",
	}
	for _, p := range pieces {
		if got, want := theme.Width(p), ansi.StringWidth(p); got != want {
			t.Errorf("%q: %d, want %d", p, got, want)
		}
	}
	random := rand.New(rand.NewPCG(3, 5))
	for range 20_000 {
		var b strings.Builder
		for range 1 + random.IntN(6) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		if got, want := theme.Width(b.String()), ansi.StringWidth(b.String()); got != want {
			t.Fatalf("%q: %d, want %d", b.String(), got, want)
		}
	}
}

// Lines are no longer than asked, whatever is at their ends, and nothing is lost.
func TestWrap_noLineIsTooLong(t *testing.T) {
	for _, words := range []string{
		"give agents the folder with --workspace.", "run it with - or -- or -x, a well-known flag of --long-name", "one  two   three",
	} {
		for width := 3; width <= 60; width++ {
			lines := theme.Wrap(words, width)
			for _, l := range lines {
				if theme.Width(l) > width {
					t.Errorf("%q is longer than %d", l, width)
				}
			}
			if got, want := strings.Join(strings.Fields(strings.Join(lines, " ")), ""), strings.ReplaceAll(words, " ", ""); got != want {
				t.Errorf("%d: %q became %q", width, words, lines)
			}
		}
	}
}
