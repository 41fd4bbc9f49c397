package tui_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/testing/viewtest"
)

// allScreens are all screens in all their states, those of a debate with three and eight seats.
func allScreens() []screenCase {
	cases := slices.Concat(newDebateScreens(), homeScreens(), evidenceScreens(), forkScreens(), reviewScreens())
	for _, seats := range []int{3, 8} {
		for _, c := range append(mainScreens(seats), debateScreens(seats)...) {
			c.name = fmt.Sprintf("%s with %d seats", c.name, seats)
			cases = append(cases, c)
		}
	}
	for _, d := range dialogs() {
		cases = append(cases, screenCase{d.name, d.deps, all(d.before, d.open)})
	}
	return cases
}

// someSizes returns the usual and some random sizes for a screen, the same in every
// run. With ROUNDTABLE_LONG=1 these are all widths and all heights up to 200x60.
func someSizes(screen string) [][2]int {
	seed := fnv.New64a()
	seed.Write([]byte(screen))
	random := rand.New(rand.NewPCG(11, seed.Sum64()))
	width, height := func() int { return 40 + random.IntN(161) }, func() int { return 10 + random.IntN(51) }
	some := [][2]int{{40, 10}, {80, 24}, {120, 36}, {width(), height()}, {40 + random.IntN(40), height()}}
	if os.Getenv("ROUNDTABLE_LONG") == "" {
		return some
	}
	for w := 40; w <= 200; w++ {
		some = append(some, [2]int{w, height()})
	}
	for h := 10; h <= 60; h++ {
		some = append(some, [2]int{width(), h})
	}
	return some
}

// namesKey finds a key and what it does in the bottom line.
var namesKey = regexp.MustCompile(`(?:^| )(?:ctrl\+\S|tab|esc|enter|space|[a-zA-Z?/:+>]|j k|d u|↑↓|← →|\[ \]|1-\d) [a-z]{2}`)

// At every size a screen has its size, closes its boxes, marks what it cuts and names
// a key in its bottom line, which drops whole entries where there is no room for all. What the
// program says in a question, below a field or where there is nothing yet is said to its end
// at 80 columns and at 60.
func TestScreen_isWholeAtEverySize(t *testing.T) {
	t.Parallel()
	known := phrases(t, ".", "../debate", "../internal/text")
	for i, c := range allScreens() {
		if (testing.Short() || underRace) && i%5 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			drawScreen(t, c, dark, func(r *harness) {
				full := r.resized(240, 120)
				words, lines := viewtest.Words(full), singleLines(full)
				for _, w := range []int{80, 60} {
					requireEnded(sized{t, c.name, w, 24}, r.resized(w, 24), phrasesOn(full, known))
				}
				for _, size := range someSizes(c.name) {
					w, h := size[0], size[1]
					view := r.resized(w, h)
					at := sized{t, c.name, w, h}
					viewtest.RequireClosedBoxes(at, view)
					viewtest.RequireWholeWords(at, view, "…", words)
					rows := strings.Split(ansi.Strip(view), "\n")
					viewtest.RequireMarkedCuts(at, rows[0]+"\n"+rows[h-2], "…", lines...)
					if !namesKey.MatchString(rows[h-1]) {
						at.Fatalf("the bottom line names no key: %q", rows[h-1])
					}
				}
				for w := 40 + i%6; w <= 140; w += 6 { // a cut shows at several widths in a row
					rows := strings.Split(ansi.Strip(r.resized(w, 24)), "\n")
					if strings.Contains(rows[23], "…") || strings.HasPrefix(rows[22], " tab next ") && strings.Contains(rows[22], "…") {
						t.Errorf("at %d an entry is cut in %q", w, rows[22:])
					}
				}
			})
		})
	}
}

// sized says on which screen and at which size a check failed.
type sized struct {
	t      *testing.T
	screen string
	w, h   int
}

func (s sized) Helper() { s.t.Helper() }

func (s sized) Fatalf(format string, args ...any) {
	s.t.Helper()
	s.t.Errorf("%s at %dx%d: "+format, append([]any{s.screen, s.w, s.h}, args...)...)
}

// singleLines returns the texts of the top line and the notice line of a screen that
// has room for all of them.
func singleLines(view string) []string {
	rows := strings.Split(ansi.Strip(view), "\n")
	var texts []string
	for _, row := range []string{rows[0], rows[len(rows)-2]} {
		for part := range strings.SplitSeq(row, "  ") {
			for text := range strings.SplitSeq(part, " · ") { // parts may be dropped
				if text = strings.TrimSpace(text); text != "" {
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}
