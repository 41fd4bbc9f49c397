package tui_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"roundtable/debate"
)

// numbered is a debate whose first statements are numbered words, so that a row that no key
// shows is a word that is missing.
func numbered(words int) debate.Session {
	s := held(3, 1, 4)
	for i := range s.History[0].Responses {
		var all []string
		for n := range words {
			all = append(all, fmt.Sprintf("%c%03d", 'a'+i, n))
		}
		x := &s.History[0].Responses[i]
		x.Passages = []debate.Passage{{Text: strings.Join(all, " ")}}
		x.Statement.Body, x.Statement.Position = x.Passages[0].Text, ""
	}
	return s
}

var numberedWord = regexp.MustCompile(`\b[abc]\d{3}\b`)

// told shows a notice of so many rows at a width, by an event of the run.
func (r *run) told(width, rows int) {
	words := "Told: " + strings.Repeat("word ", (width*rows-width/2-12)/5) + "last."
	r.events <- debate.Noticed{Notice: debate.Notice{At: time.Now(), Text: words}}
}

// A notice takes its rows from the layout, at every size: each row of each pane can be reached,
// and the pane says how many are below.
func TestNotice_hidesNoRowOfAPane(t *testing.T) {
	t.Parallel()
	below := regexp.MustCompile(`(\d+) below`)
	for _, size := range [][2]int{{40, 10}, {60, 16}, {80, 24}, {120, 36}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			bubbleAt(t, size, func() debate.Session { return numbered(150) }, func(r *harness, script *scripted) {
				r.press("space")
				run := script.current()
				for _, rows := range []int{1, 4} {
					run.told(size[0], rows)
					r.wait(time.Second)
					r.sees("Told: word")
					found := map[string]bool{}
					for seat := 1; seat <= 3; seat++ {
						r.press(strconv.Itoa(seat), "g")
						for before := ""; before != r.screen(); {
							before = r.screen()
							for _, w := range numberedWord.FindAllString(before, -1) {
								found[w] = true
							}
							r.press("j")
						}
					}
					if len(found) != 450 {
						t.Errorf("beside a notice of %d rows %d of 450 words can be reached:\n%s", rows, len(found), r.screen())
					}
					r.press("1", "z", "g")
					n := 0
					if m := below.FindStringSubmatch(r.screen()); m != nil {
						n, _ = strconv.Atoi(m[1])
					}
					for range n {
						if !below.MatchString(r.screen()) {
							t.Fatalf("beside a notice of %d rows nothing is below before %d rows are scrolled:\n%s", rows, n, r.screen())
						}
						r.press("j")
					}
					if below.MatchString(r.screen()) {
						t.Errorf("beside a notice of %d rows more than %d are below:\n%s", rows, n, r.screen())
					}
					r.press("z")
				}
			})
		})
	}
}

// A question that is asked takes its rows from the panes too, and is whole in the smallest terminals.
func TestQuestion_hidesNoRowOfAPane(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}} {
		bubbleAt(t, size, func() debate.Session { return numbered(150) }, func(r *harness, script *scripted) {
			r.press("z", "G")
			r.sees("a149")
			r.press("S")
			r.asks("esc back")
			r.sees("a149")
		})
	}
}

// In a usual terminal a notice has one row, and a failure a second one for what helps. The rest
// is one key away, and gone with the next one.
func TestNotice_showsTheRestOnDemand(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}} {
		bubbleAt(t, size, func() debate.Session { return numbered(20) }, func(r *harness, script *scripted) {
			r.press("space")
			run := script.current()
			run.told(size[0], 3)
			r.wait(time.Second)
			rows := strings.Split(r.screen(), "\n")
			if row := rows[size[1]-2]; !strings.Contains(row, "Told: word") || !strings.Contains(row, "! more") {
				t.Errorf("a notice of three rows at %v:\n%s", size, r.screen())
			}
			r.press("!")
			r.sees("Told: word", "last.")
			r.misses("! more")
			r.press("j")
			r.sees("! more")
			r.misses("last.")
		})
	}
}

// A failure keeps what helps beside it in the smallest terminal.
func TestNotice_failureKeepsItsNextStep(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}} {
		bubbleAt(t, size, func() debate.Session { return held(2, 1, 4) }, func(r *harness, script *scripted) {
			s := openRound(2)
			r.press("space")
			script.current().end(s, s.OpenRound())
			r.wait(time.Second)
			r.sees("2 then R: retry Brook", "space: go on")
		})
	}
}
