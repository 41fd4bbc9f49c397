package tui_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

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
	var all []phrase
	seen := map[string]bool{}
	literals(t, func(words, path string) {
		words = strings.TrimSpace(words)
		if seen[words] || strings.HasPrefix(path, "pane/") || strings.Contains(path, "/prompt/") || strings.HasSuffix(path, "/report/receipt.go") || strings.Count(words, " ") < 3 || strings.ContainsAny(words, "\n`\x1b") {
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
	return all
}

// frames are what stands around the text of a screen.
var frames = regexp.MustCompile(`[│╭╮╰╯─\s]+`)

// letters returns a screen without frames and blanks, so that a text is found however it is
// wrapped.
func letters(view string) string { return frames.ReplaceAllString(ansi.Strip(view), "") }

// What the program says on any screen, in a question, below a field or where there is
// nothing yet, is said to its end at 80 columns and at 60.
func TestScreen_saysEverythingToItsEnd(t *testing.T) {
	t.Parallel()
	known := phrases(t, ".", "../debate", "../internal/text")
	if len(known) < 400 {
		t.Fatalf("only %d texts were found", len(known))
	}
	found := 0
	for i, c := range allScreens() {
		if testing.Short() && i%5 != 0 {
			continue
		}
		drawScreen(t, c, dark, func(r *harness) {
			full := ansi.Strip(r.resized(240, 60))
			if strings.Contains(full, "╭ Commands ") {
				return // the palette lies over the screen
			}
			var said []string
			for _, p := range known {
				if !strings.Contains(full, p.fixed) {
					continue
				}
				for row := range strings.SplitSeq(full, "\n") {
					said = append(said, p.pattern.FindAllString(row, -1)...)
				}
			}
			slices.Sort(said)
			for _, w := range []int{80, 60} {
				view := r.resized(w, 24)
				narrow := letters(view)
				for _, s := range slices.Compact(said) {
					found++
					whole := letters(s)
					begin := string([]rune(whole)[:min(12, len([]rune(whole)))])
					if strings.Contains(narrow, begin) && !strings.Contains(narrow, whole) {
						t.Errorf("%s at %d columns: %q is cut in\n%s", c.name, w, s, ansi.Strip(view))
					}
				}
			}
		})
	}
	if found < 100 {
		t.Errorf("only %d texts were looked at", found)
	}
}
