package theme_test

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/theme"
)

var depths = []colorprofile.Profile{colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor}

func both(t *testing.T, f func(t *testing.T, dark bool)) {
	t.Run("dark", func(t *testing.T) { f(t, true) })
	t.Run("light", func(t *testing.T) { f(t, false) })
}

// TestNew_contrastsWithTheBackground wants what WCAG calls AA of every theme.
func TestNew_contrastsWithTheBackground(t *testing.T) {
	const least = 4.5
	both(t, func(t *testing.T, dark bool) {
		th := theme.New(theme.Options{Dark: dark, Profile: colorprofile.TrueColor})
		grounds := []color.Color{lipgloss.Color("#ffffff"), lipgloss.Color("#fafafa")}
		if dark {
			grounds = []color.Color{lipgloss.Color("#000000"), lipgloss.Color("#1e1e2e")}
		}
		check := func(name string, st lipgloss.Style, grounds []color.Color, least float64) {
			for _, bg := range grounds {
				if c := contrast(st.GetForeground(), bg); c < least {
					t.Errorf("%s has a contrast of %.1f on %v, want %.1f", name, c, bg, least)
				}
			}
		}
		for name, st := range roles(th) {
			if name != "text" { // which is the terminal's own
				check(name, st, grounds, least)
			}
		}
		sel := th.Selected()
		for name, st := range map[string]lipgloss.Style{"text": sel.Text, "muted": sel.Muted, "faint": sel.Faint, "warning": sel.Warning} {
			check(name+" on the selected row", st, []color.Color{st.GetBackground()}, least)
		}
	})
}

func TestNew_keepsSeatsApartAtEveryDepth(t *testing.T) {
	for _, depth := range depths {
		both(t, func(t *testing.T, dark bool) {
			th := theme.New(theme.Options{Dark: dark, Profile: depth})
			seen := map[string]int{}
			for n := 1; n <= theme.Seats; n++ {
				c := fmt.Sprint(depth.Convert(th.Seat(n).GetForeground()))
				if other, ok := seen[c]; ok {
					t.Errorf("%v: seats %d and %d are both %s", depth, other, n, c)
				}
				seen[c] = n
			}
		})
	}
}

func TestNew_usesTheTerminalsOwnSixteenColours(t *testing.T) {
	for _, tc := range []struct {
		dark bool
		want string
	}{
		{true, "text 39 muted 39 faint 39 line 90 accent 95 success 92 warning 93 danger 91 seats 94 93 32 95 97 35 96 91"},
		{false, "text 39 muted 39 faint 39 line 90 accent 35 success 32 warning 33 danger 31 seats 34 33 32 35 30 94 36 31"},
	} {
		th := theme.New(theme.Options{Dark: tc.dark, Profile: colorprofile.ANSI})
		var got []string
		for _, r := range []struct {
			name string
			st   lipgloss.Style
		}{
			{"text", th.Text},
			{"muted", th.Muted},
			{"faint", th.Faint},
			{"line", th.Line},
			{"accent", th.Accent},
			{"success", th.Success},
			{"warning", th.Warning},
			{"danger", th.Danger},
		} {
			got = append(got, r.name, sgr(r.st))
		}
		got = append(got, "seats")
		for n := 1; n <= theme.Seats; n++ {
			got = append(got, sgr(th.Seat(n)))
		}
		if got := strings.Join(got, " "); got != tc.want {
			t.Errorf("dark %v:\n got %s\nwant %s", tc.dark, got, tc.want)
		}
	}
	th := theme.New(theme.Options{Profile: colorprofile.ANSI})
	if got := th.Faint.Render("x"); got != "\x1b[2mx\x1b[m" {
		t.Errorf("faint is %q", got)
	}
}

// sgr returns the SGR code of a style's foreground colour.
func sgr(st lipgloss.Style) string {
	s := lipgloss.NewStyle().Foreground(st.GetForeground()).Render("x")
	if s == "x" {
		return "39"
	}
	return strings.TrimSuffix(strings.TrimPrefix(s, "\x1b["), "mx\x1b[m")
}

func TestNew_needsNoColour(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.Unknown, colorprofile.NoTTY, colorprofile.ASCII} {
		th := theme.New(theme.Options{Dark: true, Profile: profile})
		for name, st := range roles(th) {
			want := "x"
			if name == "warning" || strings.HasPrefix(name, "seat") {
				want = "\x1b[1mx\x1b[m"
			}
			if got := st.Render("x"); got != want {
				t.Errorf("%v: %s is drawn as %q, want %q", profile, name, got, want)
			}
		}
		if got := th.Selected().Muted.Render("x"); got != "\x1b[7mx\x1b[m" {
			t.Errorf("%v: the selected row is drawn as %q", profile, got)
		}
		if got := th.Match("x"); got != "«x»" {
			t.Errorf("%v: a match is drawn as %q", profile, got)
		}
	}
}

func TestSeat_comesAgainUnderlined(t *testing.T) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	for n := 1; n <= theme.Seats; n++ {
		first, again := th.Seat(n), th.Seat(n+theme.Seats)
		if first.GetForeground() != again.GetForeground() || first.GetUnderline() || !again.GetUnderline() {
			t.Errorf("seat %d is drawn as %q, seat %d as %q", n, first.Render("x"), n+theme.Seats, again.Render("x"))
		}
	}
}

func TestSelected_fillsTheWholeRow(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor} {
		both(t, func(t *testing.T, dark bool) {
			th := theme.New(theme.Options{Dark: dark, Profile: profile})
			row := th.Selected().Row([]theme.Part{{Text: "a", Style: th.Selected().Text}}, nil, 20)
			if rest := row[strings.LastIndex(row, "\x1b[m")+3:]; rest != "" {
				t.Errorf("%v: %q is not filled", profile, rest)
			}
			if strings.Contains(th.Row([]theme.Part{{Text: "a"}}, nil, 20), "\x1b") {
				t.Errorf("%v: other rows are filled as well", profile)
			}
		})
	}
}

func TestMatch_isReversedWhereThereIsColour(t *testing.T) {
	for _, profile := range depths {
		if got := theme.New(theme.Options{Profile: profile}).Match("x"); got != "\x1b[7mx\x1b[m" {
			t.Errorf("%v: a match is drawn as %q", profile, got)
		}
	}
}

func TestSymbols_areOneCellInEitherSet(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		th := theme.New(theme.Options{ASCII: ascii})
		for name, s := range stringsOf(th.Symbols, th.Border) {
			if ansi.StringWidth(s) != 1 || ansi.StringWidthWc(s) != 1 {
				t.Errorf("%s %q is not one cell wide", name, s)
			}
			if ascii && len(s) != 1 {
				t.Errorf("%s %q is not ASCII", name, s)
			}
			if s >= "\u2800" && s < "\u2900" {
				t.Errorf("%s %q is braille, which many fonts lack", name, s)
			}
		}
	}
}

// States shown side by side must not look alike without colour.
func TestSymbols_ofStatesAreDistinct(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		s := theme.New(theme.Options{ASCII: ascii}).Symbols
		seen := map[string]bool{}
		for _, x := range []string{
			s.Done, s.Failed, s.Waits, s.Retry, s.Paused, s.Interrupted, s.Queued, s.Warning,
			s.Required, s.Optional, s.Unavailable, s.Missing, s.Blocked, s.Ready, s.Focus, s.Changed,
		} {
			if seen[x] {
				t.Errorf("%q stands for two states", x)
			}
			seen[x] = true
		}
	}
}

// stringsOf returns all strings in the given structs.
func stringsOf(values ...any) map[string]string {
	all := map[string]string{}
	for _, v := range values {
		rv := reflect.ValueOf(v)
		for i := range rv.NumField() {
			name := rv.Type().Field(i).Name
			if f := rv.Field(i); f.Kind() == reflect.Array {
				for j := range f.Len() {
					all[fmt.Sprint(name, j)] = f.Index(j).String()
				}
			} else {
				all[name] = f.String()
			}
		}
	}
	return all
}

// roles returns the styles used for text.
func roles(t *theme.Theme) map[string]lipgloss.Style {
	m := map[string]lipgloss.Style{
		"text": t.Text, "muted": t.Muted, "faint": t.Faint, "accent": t.Accent,
		"success": t.Success, "warning": t.Warning, "danger": t.Danger,
	}
	for n := 1; n <= theme.Seats; n++ {
		m[fmt.Sprint("seat ", n)] = t.Seat(n)
	}
	return m
}

// contrast returns the contrast ratio of two colours by WCAG 2.
func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	lin := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.03928 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}
