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
