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
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui"
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

// phrase is a text of the program that a screen can show.
type phrase struct {
	fixed   string // its longest part that is always the same
	pattern *regexp.Regexp
}

// phrases returns the texts of these folders that have at least four words. Those of panes
// scroll, and those of prompts and receipts are names of their parts.
func phrases(t *testing.T, folders ...string) []phrase {
	t.Helper()
	verb := regexp.MustCompile(`%[+#]?[.0-9]*[a-zA-Z]`)
	elsewhere := regexp.MustCompile(`^pane/|/prompt/|/report/receipt.go$`)
	var all []phrase
	seen := map[string]bool{}
	inPanes := map[string]bool{} // which scroll
	literals(t, func(words, path string) {
		words = strings.TrimSpace(words)
		if strings.HasPrefix(path, "pane/") {
			inPanes[verb.Split(words, -1)[len(verb.Split(words, -1))-1]] = true
		}
		if seen[words] || strings.Count(words, " ") < 3 || strings.ContainsAny(words, "\n`\x1b") || elsewhere.MatchString(path) {
			return
		}
		seen[words] = true
		var fixed string
		var quoted []string
		for _, part := range verb.Split(words, -1) {
			quoted = append(quoted, regexp.QuoteMeta(part))
			if len(part) > len(fixed) {
				fixed = part
			}
		}
		if strings.Count(strings.TrimSpace(fixed), " ") > 1 {
			all = append(all, phrase{fixed, regexp.MustCompile(strings.Join(quoted, `[^│\s][^│]{0,60}?`))})
		}
	}, folders...)
	all = slices.DeleteFunc(all, func(p phrase) bool { return inPanes[p.fixed] })
	if len(all) < 400 {
		t.Fatalf("only %d texts were found", len(all))
	}
	return all
}

// frames are what stands around the text of a screen.
var frames = regexp.MustCompile(`[│╭╮╰╯─\s]+`)

// letters returns a screen without frames and blanks, so that a text is found however it is
// wrapped.
func letters(view string) string { return frames.ReplaceAllString(ansi.Strip(view), "") }

// phrasesOn returns the texts that stand whole in a row of a wide screen.
func phrasesOn(view string, known []phrase) []string {
	view = ansi.Strip(view)
	if strings.HasPrefix(view, " Commands") { // the palette
		return nil
	}
	var said []string
	for _, p := range known {
		if !strings.Contains(view, p.fixed) {
			continue
		}
		for row := range strings.SplitSeq(view, "\n") {
			said = append(said, p.pattern.FindAllString(row, -1)...)
		}
	}
	return said
}

// marked is a notice, or a row of the new debate, whose rest a key shows.
var marked = regexp.MustCompile(`.*(! more|… more)`)

// requireEnded fails if one of the texts begins on a screen and does not end there.
func requireEnded(at sized, view string, said []string) {
	at.Helper()
	shown := letters(marked.ReplaceAllString(ansi.Strip(view), ""))
	for _, s := range said {
		whole := letters(s)
		begin := string([]rune(whole)[:min(12, len([]rune(whole)))])
		if strings.Contains(shown, begin) && !strings.Contains(shown, whole) {
			at.Fatalf("%q is cut in\n%s", s, ansi.Strip(view))
		}
	}
}

// Whatever sizes a terminal takes on, in whatever order and while text streams:
// every frame has the size of the last one, and when the terminal is again what
// it was, so is the screen.
func TestSize_anyFrameIsExactAndTheFirstComesBack(t *testing.T) {
	t.Parallel()
	sizes := [][2]int{{0, 0}, {1, 0}, {0, 1}, {20, 5}, {39, 12}, {40, 9}, {40, 10}, {80, 25}, {119, 29}, {121, 31}, {40, 300}, {1000, 10}}
	random := rand.New(rand.NewPCG(11, 13))
	for range 4 {
		sizes = append(sizes, [2]int{random.IntN(260), random.IntN(90)})
	}
	for name, x := range map[string]struct {
		session func() debate.Session
		keys    string
	}{
		"home": {gate, "s"}, "form": {gate, ""}, "debate": {interrupted, "1"}, "zoom": {interrupted, "z"}, "verdict": {concluded, ""}, "log": {used, "t"},
		"receipt": {used, "p"}, "approvals": {interrupted, "A"}, "question": {interrupted, "Q"},
		"fork": {answered, "F"}, "fork answer": {answered, "F enter"}, "follow-up": {concluded, "a"},
		"help": {interrupted, "?"}, "palette": {interrupted, ":"}, "search": {interrupted, "/"}, "eight that write": {func() debate.Session { return held(8, 1, 4) }, "space"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := storing(x.session())
				m := newModel(t, 100, 30, script, tui.Start{Session: billing})
				for _, key := range strings.Fields(x.keys) {
					_, cmd := m.Update(keyOf(key))
					if key == "p" || key == "t" {
						drive(m, cmd)
					}
				}
				write := func() {}
				if name == "eight that write" {
					write = writing(m, 8)
				}
				write()
				time.Sleep(2 * time.Second) // the form listens
				before := m.View().Content
				for _, size := range sizes {
					w, h := size[0], size[1]
					m.Update(tea.WindowSizeMsg{Width: w, Height: h})
					content := m.View().Content
					if w < 40 || h < 10 {
						if lines := strings.Split(content, "\n"); len(lines) > max(h, 1) || ansi.StringWidth(lines[0]) > max(w, 0) {
							t.Fatalf("at %dx%d it shows\n%s", w, h, ansi.Strip(content))
						}
						continue
					}
					checkScreen(t, m, w, h, name)
				}
				m.Update(tea.WindowSizeMsg{Width: 100, Height: 30})
				if after := m.View().Content; after != before {
					t.Errorf("afterwards it shows\n%s\nand showed\n%s", ansi.Strip(after), ansi.Strip(before))
				}
			})
		})
	}
}

// writing begins the second round of a debate and returns what has every seat
// write some more.
func writing(m *tui.Model, seats int) func() {
	s := held(seats, 1, 4)
	s.History = append(s.History, debate.Round{Number: 2, Manifest: started(s, 2)})
	events := []debate.Event{debate.RoundStarted{Session: s, Round: 2, At: time.Now()}}
	for _, p := range s.Seats {
		events = append(events, debate.TurnStarted{Turn: turn(p.ID, 2), Profile: p, At: time.Now()})
	}
	m.Update(tui.Gathered(m, events...))
	return func() {
		var more []debate.Event
		for _, p := range s.Seats {
			more = append(
				more,
				debate.Text{
					Turn: turn(p.ID, 2),
					Text: "One writer is enough, and **a backup** becomes a file copy.\n\n- 請求システム\n- `go test`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n",
				},
			)
		}
		m.Update(tui.Gathered(m, more...))
	}
}

// An emoji of several characters falls apart, and joined letters stay joined: each row has the
// width of the terminal however that counts cells.
func TestView_takesTheSameCellsOnEveryTerminal(t *testing.T) {
	const family, persian = "👩\u200d👩\u200d👧", "می\u200cخواهم"
	words := []string{family, persian, "ශ්\u200dරී", "🇩🇪", "👍🏽", "❤️", "🏳️\u200d🌈", "1️⃣", "a\u200db", "\u200d", "plain", "世界"}
	joined := 0
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(10) {
			random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a test
			mess := func() string {
				var b strings.Builder
				for range 1 + random.IntN(12) {
					b.WriteString(words[random.IntN(len(words))] + strings.Repeat(" ", random.IntN(2)))
				}
				return b.String()
			}
			for name, session := range map[string]debate.Session{"verdict": concluded(), "form": gate(), "panes": used()} {
				w := 60 + random.IntN(90)
				m := newModel(t, w, 30, storing(poisoned(session, mess)), tui.Start{Session: billing})
				for _, key := range []string{"", "tab", "z", "Q", "j"} {
					if key != "" {
						m.Update(keyOf(key))
					}
					for i, row := range strings.Split(m.View().Content, "\n") {
						if n, alone := ansi.StringWidth(row), ansi.StringWidthWc(row); n != w || alone != w {
							t.Fatalf("%s, seed %d, after %q: row %d has %d or %d cells, want %d: %q", name, seed, key, i, n, alone, w, row)
						}
						joined += strings.Count(row, persian)
					}
				}
			}
		}
	})
	if joined == 0 {
		t.Error("no joined letters are drawn")
	}
}
