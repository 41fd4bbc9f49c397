package form_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/form"
	"roundtable/tui/theme"
)

func paste(text string) tea.PasteMsg { return tea.PasteMsg{Content: text} }

func content(s *harness) string {
	s.Helper()
	s.record(answers("C2", "No."))
	if r, ok := s.press("ctrl+s").(answer); ok {
		return r.Submissions[0].Content
	}
	s.Fatalf("ctrl+s is %+v", s.last)
	return ""
}

func TestPaste_cutsWhatIsTooLong(t *testing.T) {
	const size = 1 << 20
	for _, tt := range []struct {
		name, text string
		want       int // characters
	}{
		{"one word", strings.Repeat("x", size), ledger.MaxAnswer},
		{"no text at all", strings.Repeat("\x1b[31m\x00", size/6), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := threeRequests(t)
			begun := time.Now()
			s.told(s.Paste(paste(tt.text)), "The pasted text was cut. An answer has at most 65,536 characters")
			s.screen()
			s.types("y")
			// The race detector on a busy machine takes ten seconds; work that grows with the square
			// of the length would take hours.
			if took := time.Since(begun); took > time.Minute {
				t.Errorf("a paste takes %v", took)
			}
			if tt.want == 0 {
				return
			}
			if got := utf8.RuneCountInString(content(s)); got > tt.want || got < tt.want-20 {
				t.Errorf("%d characters are taken, want %d", got, tt.want)
			}
		})
	}
}

func TestPaste_fillsWhatRoomThereIs(t *testing.T) {
	s := threeRequests(t)
	s.Paste(paste(strings.Repeat("x", ledger.MaxAnswer-3)))
	s.told(s.Paste(paste("abcdef")), "The pasted text was cut.")
	s.has("65,536 of 65,536 characters")
	s.told(s.press("z"), "An answer has at most 65,536 characters")
	s.press("backspace", "z")
	if got := content(s); !strings.HasSuffix(got, "xabz") || len(got) != ledger.MaxAnswer {
		t.Errorf("the text ends with %q", got[len(got)-6:])
	}
}

func TestPaste_goesWhereTheCursorIs(t *testing.T) {
	s := threeRequests(t)
	s.Paste(paste("one\r\ntwo\tthree\x1b]52;c;eA==\x07 four"))
	s.has("│ one ", "two three four█")
	s.press("tab")
	s.told(s.Paste(paste("a\nb "+strings.Repeat("c", 600))), "The pasted text was cut. A source has at most 500 characters.")
	if got := content(s); got != "one\ntwo\tthree four" {
		t.Errorf("the text is %q", got)
	}
	if got := s.last.(answer).Submissions[0].Source; len(got) != ledger.MaxSource || !strings.HasPrefix(got, "a b cc") {
		t.Errorf("the source is %q", got)
	}
	s.press("shift+tab")
	s.told(s.Paste(paste("x")), "")
}

// Keys bring combining marks after their character and whole words from an input
// method, but never control characters.
func TestType_acceptsEveryScript(t *testing.T) {
	s := threeRequests(t)
	for _, text := range []string{"ก", "ิ", "日本語", "e", "\u0301", "\x1b[2J", "👩‍🚀"} {
		s.HandleKey(tea.KeyPressMsg{Code: tea.KeyExtended, Text: text})
	}
	s.screen()
	if got := content(s); got != "กิ日本語e\u0301👩🚀" {
		t.Errorf("the text is %q", got)
	}
}

func TestCursor_standsBehindWideCharacters(t *testing.T) {
	s := threeRequests(t)
	s.press("請求 x")
	s.has("│ 請求 x█")
	s.press("tab", "請求")
	s.has("source  請求█")
}

// A long text scrolls with the cursor, and shows its beginning again once there is
// room.
func TestAnswer_scrollsWithItsCursor(t *testing.T) {
	s := threeRequests(t)
	s.types(strings.Repeat("line\n", 30) + "end")
	s.has("end█")
	for range 40 {
		s.press("up")
	}
	s.has("█")
	s = threeRequests(t)
	s.SetSize(93, 12)
	s.h = 12
	s.types("first\nsecond\nthird\nfourth")
	s.has("fourth█")
	s.SetSize(93, 40)
	s.h = 40
	s.has("│ first ", "fourth█")
}

// Whatever is pressed, pasted and asked at whatever size: the form keeps its size, the
// cursor stays inside, and nothing is recorded that the user has not sent.
func TestForm_holdsForAllInput(t *testing.T) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	keys := []string{
		"tab", "shift+tab", "enter", "esc", "ctrl+s", "ctrl+x", "ctrl+o", "up", "down", "left", "home", "backspace", "ctrl+k",
		"ctrl+u", "ctrl+w", "ctrl+t", "ctrl+d", "ctrl+g", "a", "世", " ",
	}
	foreign := []string{
		"", "Plain question?", "世界\x1b[2J\r\n\u202e", strings.Repeat("long ", 150), strings.Repeat("w", 400),
		"é\u0301\u0301 👩‍👩‍👧 \xff",
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := newHarness(t, 80, 21)
		s.th = th
		s.renew()
		ask := func() {
			who := seats[rapid.IntRange(0, 2).Draw(rt, "who")].ID
			query := rapid.SampledFrom(foreign[1:]).Draw(rt, "query") + string(rune('a'+s.calls))
			s.asks(agents.ID(who), query, rapid.SampledFrom(foreign[1:3]).Draw(rt, "why"),
				rapid.SampledFrom([]ledger.Priority{ledger.Required, ledger.Optional}).Draw(rt, "priority"), time.Minute)
		}
		for range rapid.IntRange(0, 6).Draw(rt, "requests") {
			ask()
		}
		s.SetSize(s.w, s.h)
		s.open(options{
			ByItself: rapid.Bool().Draw(rt, "by itself"), Running: rapid.Bool().Draw(rt, "running"),
			Final: rapid.Bool().Draw(rt, "final"), GoesTo: rapid.SampledFrom(foreign).Draw(rt, "goes to"),
		})
		for range rapid.IntRange(1, 15).Draw(rt, "steps") {
			s.now = s.now.Add(time.Duration(rapid.IntRange(0, 900).Draw(rt, "ms")) * time.Millisecond)
			switch rapid.IntRange(0, 9).Draw(rt, "step") {
			case 0:
				s.w, s.h = rapid.IntRange(1, 100).Draw(rt, "w"), rapid.IntRange(1, 45).Draw(rt, "h")
				s.SetSize(s.w, s.h)
			case 1:
				s.Paste(paste(rapid.SampledFrom(foreign).Draw(rt, "paste")))
			case 2:
				if s.calls < 20 {
					ask()
					s.SetSession(s.session())
				}
			case 3:
				s.Saved()
			case 4:
				s.apply(s.now, s.ledger.Release(3))
				s.SetSession(s.session())
			case 6:
				s.SetRunning(rapid.Bool().Draw(rt, "running"))
			default:
				s.press(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			checkForm(rt, s)
		}
	})
}

// checkForm fails unless the form has its size, the cursor is inside, and texts of one
// row are cut with a mark.
func checkForm(rt *rapid.T, s *harness) {
	view := s.View()
	viewtest.RequireSize(rt, view, s.w, s.h)
	viewtest.RequireMarkedCuts(rt, view, "…", "gpt-5-mini (openai)", "claude-sonnet (anthropic)",
		"No later round: answers are kept, and used if you add one.")
	if c := s.Cursor(); c != nil && (c.X < 0 || c.Y < 1 || c.X >= s.w || c.Y >= s.h-1) {
		rt.Fatalf("the cursor is at %d,%d of %dx%d", c.X, c.Y, s.w, s.h)
	}
}

// A stored answer may have more lines than the text field takes. It is kept whole:
// keys do not change it, the external editor does.
func TestAnswer_keepsTextLongerThanTheField(t *testing.T) {
	long := strings.Repeat("a\n", 12_000) + "end"
	s := threeRequests(t)
	s.record(answers("C1", long))
	s.tabTo("C1")
	s.press("enter")
	s.has("shown in part, ctrl+o to edit")
	for _, key := range []string{"x", "backspace", "enter", "ctrl+u"} {
		s.told(s.press(key), "An answer has at most 65,536 characters in 10,000 lines.")
	}
	s.told(s.Paste(paste("y")), "")
	if drafts := s.Unsaved(); len(drafts) > 0 {
		t.Errorf("there is a draft of %d characters", len(drafts[0].Draft.Text))
	}
	edit, _ := s.press("ctrl+o").(form.OpenEditor)
	if edit.Text != long {
		t.Fatalf("the editor gets %d characters of %d", len(edit.Text), len(long))
	}
	s.Edited("C1", long+" of it")
	if drafts := s.Unsaved(); len(drafts) != 1 || drafts[0].Draft.Text != long+" of it" {
		t.Error("the text from the editor is not the draft")
	}
}

// An answered request that has the focus shows its answer, which enter edits; so do the
// rows of a small terminal, and a draft of it says that it is not sent.
func TestView_showsTheAnswerInASmallTerminal(t *testing.T) {
	s := twoRequests(t, 80, 21, nil)
	s.press("Eleven.", "ctrl+s")
	s.record(answers("C1", "Eleven."))
	s.press("alt+up")
	s.has("answer  Eleven.")
	s.hasNot("One?")
	s.press("enter", " Or twelve.")
	s.Saved()
	s.has("draft saved, not sent yet ─╯")
}

func TestUndo_revertsWordsLinesAndPastes(t *testing.T) {
	s := threeRequests(t)
	s.press("One two three", "ctrl+u")
	s.hasNot("One two")
	s.press("ctrl+_")
	s.has("│ One two three█")
	s.press("ctrl+w", "ctrl+_")
	s.has("│ One two three█")
	s.Paste(paste(" and more\nof it"))
	s.has("│ of it█")
	s.press("ctrl+_")
	s.has("│ One two three█")
	s.press("backspace", "backspace", "ctrl+_")
	s.has("│ One two three█")
	s.press("ctrl+_")
	s.has("│ One two █")
	s.press("ctrl+_", "ctrl+_")
	s.told(s.press("ctrl+_"), "Nothing more to undo")
	for _, d := range s.Unsaved() {
		if d.Draft.Text != "" {
			t.Errorf("a draft that was taken back is stored: %+v", d)
		}
	}
}

func TestUndo_restoresTheCursor(t *testing.T) {
	s := threeRequests(t)
	s.types("first\nsecond")
	s.press("up", "left", "left", "X", "down", "ctrl+u", "ctrl+_")
	s.has("firXst", "│ seco█d")
	s.press("ctrl+_")
	s.has("│ fir█t", "│ second ")
}

// Undo never brings text into another question or another field.
func TestUndo_staysInItsText(t *testing.T) {
	s := threeRequests(t)
	s.press("Mine.", "tab", "Me", "tab", "ctrl+_")
	s.at("C2 answer")
	s.has("draft  Mine.", "│ █")
	s.press("Other", "ctrl+_", "ctrl+_", "ctrl+_")
	s.has("draft  Mine.", "│ █")
	s.press("shift+tab")
	s.has("Mine.", "source  Me█")
	s.press("ctrl+_")
	s.has("Mine.", "source  █")
	s.press("shift+tab", "ctrl+x", "Why", "ctrl+_", "ctrl+_", "ctrl+x")
	s.has("Mine.█")
}

// Undo ends at a restored draft or a recorded answer.
func TestUndo_endsAtStoredText(t *testing.T) {
	s := twoRequests(t, 93, 40, map[string]debate.Draft{"C1": {Text: "Stored"}})
	s.press("ctrl+_")
	s.has("Stored█")
	s.press(" more", "ctrl+_", "ctrl+_", "ctrl+_")
	s.has("Stored█")
	s.press("tab", "tab", "All of it", "ctrl+s", "ctrl+s")
	s.open(options{})
	s.tabTo("C2")
	s.press("enter")
	s.has("All of it█")
	s.press("ctrl+_")
	s.has("All of it█")
	s.Edited("C2", "Corrected.")
	s.has("Corrected.█")
	s.press("ctrl+_", "ctrl+_")
	s.has("All of it█")
}
