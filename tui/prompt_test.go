package tui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// atCursor returns the row with the cursor, up to the cursor and from it on.
func (r *harness) atCursor() (before, after string) {
	r.t.Helper()
	c := r.last.Load().Cursor
	if c == nil {
		r.t.Fatalf("there is no cursor on\n%s", r.screen())
	}
	row := strings.Split(r.screen(), "\n")[c.Y]
	return ansi.Cut(row, 0, c.X), strings.TrimRight(ansi.Cut(row, c.X, ansi.StringWidth(row)), " ")
}

// A text that is longer than its row takes further rows, up to four. What is scrolled off
// is marked.
func TestPrompt_wrapsAndMarksWhatIsScrolledOff(t *testing.T) {
	bubble(t, round1Done, func(r *harness, _ *scripted) {
		r.press("i")
		r.paste("first " + strings.Repeat("word ", 9))
		if rows := strings.Join(strings.Split(r.screen(), "\n")[35:39], "\n"); strings.Contains(rows, "…") {
			t.Errorf("a text that fits is cut:\n%s", rows)
		}
		r.paste(strings.Repeat("word ", 120) + "漢字 end")
		if before, _ := r.atCursor(); !strings.HasSuffix(before, "漢字 end") {
			t.Errorf("%q stands before the cursor", before)
		}
		rows := strings.Split(r.screen(), "\n")[35:39]
		if text := strings.Join(rows, "\n"); !strings.Contains(rows[0], "…") || strings.Contains(text, "first") {
			t.Errorf("what is scrolled off is not marked:\n%s", text)
		}
		r.press("ctrl+a")
		if before, after := r.atCursor(); strings.Contains(before, "…") || !strings.HasPrefix(after, "first word") {
			t.Errorf("at the beginning, %q stands before the cursor, %q after it", before, after)
		}
	})
}

// A message of several lines is sent by ctrl+s; the bottom row says so.
func TestEnter_sendsAMessageOfOneLine(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("1", "i")
		r.sees("enter send", "alt+enter new line")
		r.press("Be brief.", "alt+enter", "Name")
		r.sees("ctrl+s send", "enter new line")
		r.misses("enter send")
		r.press("enter", "sources.", "ctrl+s")
		r.did("tell \"ada\" Be brief.\nName\nsources.")
		r.press("i", "One line.", "enter")
		r.did(`tell "ada" One line.`)
	})
}

// A prompt of what is not possible now says why, also at the key that would send it.
func TestEnter_whereNothingCanBeSentSaysWhy(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("a", "Why so?", "enter")
		r.sees("Follow-up questions come after the verdict. What was typed is kept.")
		r.misses("Why so?")
		r.press("a")
		r.sees("> Why so?")
		r.didNot("ask")
	})
}

// Terminals send ctrl+/ as ctrl+_, or, where they tell all keys apart, as what it is.
func TestUndo_inTheLineOfAnInterjection(t *testing.T) {
	bubble(t, round1Done, func(r *harness, _ *scripted) {
		r.press("ctrl+_")
		r.sees("There is no text here to undo.")
		r.press("i", "Mind the cost", "ctrl+u")
		r.misses("Mind")
		r.press("ctrl+_")
		r.sees("> Mind the cost")
		r.press("ctrl+w", "ctrl+w", "ctrl+/", "ctrl+/")
		r.sees("> Mind the cost")
		r.press("ctrl+/")
		r.sees("> Mind the ")
		r.misses("cost")
		r.press("ctrl+u", "esc", "f", "ctrl+_")
		r.misses("Mind")
	})
}

// Help lists what can run on the screen below it, and a row of two keys if one of them can.
func TestHelp_listsWhatCanRun(t *testing.T) {
	bubble(t, round1Done, func(r *harness, _ *scripted) {
		r.press("?")
		r.sees("one seat or all", "context form", "pause; again: now")
		r.misses("undo typing", "skip ahead in the demo", "save, next, start", "ask a follow-up")
	})
}

// What was typed into a prompt is there until the program ends, which says so first.
func TestQuit_asksWhileALineIsNotSent(t *testing.T) {
	drawScreen(t, screenCase{deps: sessionOf(round1Done)}, dark, func(r *harness) {
		r.press("i", "Be brief.", "esc", "q")
		r.sees("New debate")
		r.misses("Everything is saved.")
		r.press("enter", "i")
		r.sees("Be brief.")
		r.press("esc", "q")
		r.prog.Send(keyOf("ctrl+c"))
		r.wait(time.Second)
		r.sees("What you typed is not sent, and will be lost.")
		r.prog.Send(keyOf("ctrl+c"))
		r.quit.Do(r.ended)
	})
}
