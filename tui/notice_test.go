package tui_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/testing/must"
	"roundtable/tui"
)

// What can be done stays in sight, however long the text before it is.
func TestNotice_keepsItsKeys(t *testing.T) {
	bubbleWith(t, small, func() debate.Session {
		s := gate()
		s.Topic = strings.Repeat("Should billing move to SQLite? ", 20)
		return s
	}, onList, func(r *harness, _ *scripted) {
		r.press("x")
		r.sees("u to undo, or `roundtable undelete`.")
		r.resized(40, 12)
		r.sees("u to undo", "! more")
		r.press("!")
		r.sees("u to undo, or `roundtable undelete`.")
	})
}

// An error stands until its cause is gone, but what happens meanwhile is told.
func TestNotice_anErrorStandsBehindOthers(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		script.fails("the disk is full")
		r.press("f", "Why?", "enter")
		r.sees("Cannot save: the disk is full.")
		r.press("9")
		r.sees("There are only 3 seats.", "✗ unresolved error")
		r.press("j")
		r.sees("Cannot save: the disk is full.")
		r.misses("There are only 3 seats.", "unresolved error")
		r.press("9", "esc")
		r.misses("There are only 3 seats.", "Cannot save", "unresolved error")
	})
}

// A seat's trouble is told until the seat goes on, and what was waited for until
// it has come.
func TestNotice_goesWithItsCause(t *testing.T) {
	inRound2(t, func(r *harness, script *scripted, run *run) {
		retry := agents.Retry{Cause: "openai rate-limited us (429).", Try: 1, Of: 3, In: time.Second}
		r.hears(debate.TurnRetrying{Turn: turn("ada", 2), Retry: retry, At: time.Now()})
		r.sees("Ada: openai rate-limited us (429). Retry 1 of 3.")
		run.say("ada", "Going on. ")
		r.wait(time.Second)
		r.misses("Ada: openai rate-limited us (429). Retry 1 of 3.")
		script.sessions[billing] = gate()
		r.over(gate(), nil)
		r.sees("Round 2 is done.")
		r.press("42")
		r.sees("Round 2 is done.")
		r.send()
		r.wait(time.Second)
		r.misses("Round 2 is done.")
	})
}

// While keys are text, no notice says what they do.
func TestNotice_namesNoKeysWhereTheyAreText(t *testing.T) {
	bubble(t, func() debate.Session { return openRound(2) }, func(r *harness, script *scripted) {
		r.press("space", "t", "/")
		r.over(openRound(2), openRound(2).OpenRound())
		r.sees("Only Ada of 2 seats answered in round 2.")
		r.misses("space: go on")
		r.press("esc")
		r.sees("2 then R: retry Brook · space: go on")
	})
}

// An optional question does not take the row of one that must be answered.
func TestNotice_aRequiredQuestionStays(t *testing.T) {
	inRound2(t, func(r *harness, script *scripted, run *run) {
		r.sees("Cy asks:", "required · C1")
		ask := ledger.Ask{Turn: turn("brook", 2), Call: "more", Query: "Who reads it?", Reason: "It helps.", Priority: ledger.Optional}
		more := ledger.Request{ID: "C2", Query: ask.Query, Priority: ledger.Optional, State: ledger.Pending, Asks: []ledger.Ask{ask}, Seq: 9}
		r.hears(debate.ContextRequested{Turn: ask.Turn, Request: more, Ask: ask, At: time.Now()})
		r.sees("Cy asks:", "required · C1")
		r.misses("optional · C2")
	})
}

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
	sizes := [][2]int{
		{40, 10}, {40, 12}, {60, 16}, {78, 24}, {80, 20}, {80, 24}, {80, 30}, {100, 30}, {120, 27}, {120, 36}, {140, 40}, {200, 60},
	}
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			bubbleAt(t, size, func() debate.Session { return numbered(150) }, func(r *harness, script *scripted) {
				r.press("space")
				run := script.current()
				for rows := 1; rows <= 4; rows++ {
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
	for _, size := range [][2]int{{40, 10}, {40, 12}, {80, 24}} {
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

// A failure keeps what helps beside it in the smallest terminal, and the figures of the round stay apart.
func TestNotice_failureKeepsItsNextStep(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}} {
		bubbleAt(t, size, func() debate.Session { return held(2, 1, 4) }, func(r *harness, script *scripted) {
			s := openRound(2)
			r.press("space")
			r.over(s, s.OpenRound())
			r.sees("2 then R: retry Brook", "space: go on", "round 2 of 4 · 1 done, 1 failed")
		})
	}
}

// literals passes all strings in the source of these folders on.
func literals(t *testing.T, found func(words, path string), folders ...string) {
	t.Helper()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				if words, err := strconv.Unquote(lit.Value); err == nil {
					found(words, path)
				}
				return true
			})
			return nil
		})
		must.Do(t, err)
	}
}

// sentences returns every text of these folders that reads as a message: words that end
// as a sentence does, with examples in place of verbs.
func sentences(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	verb := regexp.MustCompile(`%[+#]?[.0-9]*[a-zA-Z]`)
	all := map[string]string{}
	literals(t, func(words, path string) {
		whole := strings.HasSuffix(words, ".") || strings.HasSuffix(words, "?")
		if whole && strings.Count(words, " ") > 1 && !strings.Contains(words, "\n") && !strings.Contains(words, "`") {
			all[verb.ReplaceAllString(words, "Ada")] = path
		}
	}, folders...)
	return all
}

// All of a message of the program can be read, at 80 columns and at 60: what does not fit into its row
// is one key away.
func TestNotice_showsEveryMessageWhole(t *testing.T) {
	all := sentences(t, ".", "../store", "../debate", "../internal/config")
	if len(all) < 200 {
		t.Fatalf("only %d messages were found", len(all))
	}
	maps.DeleteFunc(all, func(text, _ string) bool { return len(text) < 50 }) // they fit any row
	message := ""
	bubbleWith(t, small, concluded, func(d *tui.Deps, _ *scripted) {
		d.Export = func(context.Context, debate.Session, bool, report.Format) (string, error) {
			return "", errors.New(message)
		}
	}, func(r *harness, _ *scripted) {
		for text, path := range all {
			message = text
			r.press("e", "", "m")
			for _, w := range []int{80, 60} {
				r.resized(w, 24)
				if strings.Contains(r.screen(), "! more") {
					r.press("!")
				}
				shown := strings.Join(strings.Fields(r.screen()), "") // a word may be wrapped at its hyphen
				if want := strings.Join(strings.Fields(text), "")[1:]; !strings.Contains(shown, want) {
					t.Errorf("%s: %q is shown at %d columns as\n%s", path, text, w, r.screen())
				}
			}
		}
	})
}
