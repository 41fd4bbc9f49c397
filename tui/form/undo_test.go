package form_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

func TestUndo_revertsWordsLinesAndPastes(t *testing.T) {
	s := threeRequests(t)
	s.types("One two three")
	s.press("ctrl+u")
	s.hasNot("One two")
	s.press("ctrl+_")
	s.has("│ One two three█")
	s.press("ctrl+w", "ctrl+_")
	s.has("│ One two three█")
	s.Paste(tea.PasteMsg{Content: " and more\nof it"})
	s.has("│ of it█")
	s.press("ctrl+_")
	s.has("│ One two three█")
	s.press("backspace", "backspace", "ctrl+_")
	s.has("│ One two three█")
	s.press("ctrl+_")
	s.has("│ One two █")
	s.press("ctrl+_", "ctrl+_")
	if note, ok := s.press("ctrl+_").(notice); !ok || !strings.Contains(note.Text, "Nothing more to undo") {
		t.Errorf("at the beginning it says %+v", note)
	}
	for _, d := range s.Dirty(s.now.Add(time.Minute)) {
		if d.Draft.Text != "" {
			t.Errorf("a draft that was taken back is stored: %+v", d)
		}
	}
}

func TestUndo_restoresTheCursor(t *testing.T) {
	s := threeRequests(t)
	s.types("first\nsecond")
	s.press("up", "left", "left")
	s.types("X")
	s.press("down", "ctrl+u", "ctrl+_")
	s.has("firXst", "│ seco█d")
	s.press("ctrl+_")
	s.has("│ fir█t", "│ second ")
}

// Undo in a long text scrolls to the change, not to the end.
func TestUndo_scrollsToTheChange(t *testing.T) {
	s := newHarness(t, 93, 24)
	s.asks("ada", "One?", "Because.", ledger.Required, time.Minute)
	s.open(options{})
	s.types(strings.Repeat("line\n", 30) + "end")
	s.press("ctrl+u", "ctrl+_")
	s.has("│ end█")
	for range 30 {
		s.press("up")
	}
	s.press("ctrl+u", "ctrl+_")
	s.has("│ lin█")
	s.hasNot("│ end")
}

// Undo never brings text into another request or another field.
func TestUndo_staysInItsText(t *testing.T) {
	s := threeRequests(t)
	s.types("Mine.")
	s.press("tab")
	s.types("Me")
	s.press("tab", "ctrl+_")
	if got := focused(s); got != "C2 answer" {
		t.Fatalf("the focus is at %q", got)
	}
	s.has("draft   Mine.", "│ █")
	s.types("Other")
	s.press("ctrl+_", "ctrl+_", "ctrl+_")
	s.has("draft   Mine.", "│ █")
	s.press("shift+tab")
	s.has("Mine.", "source  Me█")
	s.press("ctrl+_")
	s.has("Mine.", "source  █")
	s.press("shift+tab", "ctrl+x")
	s.types("Why")
	s.press("ctrl+_", "ctrl+_", "ctrl+x")
	s.has("Mine.█")
}

// Undo ends at a restored draft or a recorded answer.
func TestUndo_endsAtStoredText(t *testing.T) {
	s := newHarness(t, 93, 40)
	s.asks("ada", "One?", "Because.", ledger.Required, time.Minute)
	s.asks("brook", "Two?", "Because.", ledger.Required, time.Minute)
	s.drafts["C1"] = debate.Draft{Text: "Stored"}
	s.open(options{})
	s.press("ctrl+_")
	s.has("Stored█")
	s.types(" more")
	s.press("ctrl+_", "ctrl+_", "ctrl+_")
	s.has("Stored█")
	s.press("tab", "tab")
	s.types("All of it")
	s.press("ctrl+s", "ctrl+s")
	s.open(options{})
	for range 8 {
		if focused(s) != "C2" {
			s.press("tab")
		}
	}
	s.press("enter")
	s.has("All of it█")
	s.press("ctrl+_")
	s.has("All of it█")
	s.Edited("C2", "Corrected.")
	s.has("Corrected.█")
	s.press("ctrl+_", "ctrl+_")
	s.has("All of it█")
}

// Undo restores invisible characters too.
func TestUndo_restoresInvisibleCharacters(t *testing.T) {
	s := threeRequests(t)
	const family = "👩‍👩‍👧 here"
	s.Paste(tea.PasteMsg{Content: family})
	s.press("ctrl+u", "ctrl+_")
	for _, d := range s.Dirty(s.now.Add(time.Minute)) {
		if d.Draft.Text != family {
			t.Errorf("the draft is %q, want %q", d.Draft.Text, family)
		}
	}
}
