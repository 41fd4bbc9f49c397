package e2e_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// rooms are how many lines of Go each room may have without tests. A file is in the first room
// that has its path; the figures fall with each change that takes lines away.
var rooms = []struct {
	name  string
	most  int
	paths string // a pattern
}{
	{"tui shell, lists, fields, theme", 5852, `^tui/[^/]+[.]go$|^tui/(screen|list|textview|input|theme)/|^internal/keymap/`},
	{"tui/setup", 2799, `^tui/setup/`},
	{"tui/form", 2302, `^tui/form/`},
	{"tui/debateview", 2487, `^tui/debateview/`},
	{"tui/pane", 1600, `^tui/pane/`},
	{"tui/verdictview", 1054, `^tui/verdictview/`},
	{"tui/home", 1282, `^tui/home/`},
	{"tui/markdown", 1820, `^tui/markdown/`},
	{"tui, all other", 2653, `^tui/`},
	{"debate values, ledger, modes, cite, budget", 7286, `^debate/[^/]+[.]go$|^debate/(ledger|modes|cite|budget)/`},
	{"debate/statement, verdict, report", 7398, `^debate/(statement|verdict|report)/`},
	{"debate/prompt", 2915, `^debate/prompt/`},
	{"debate/engine", 3426, `^debate/engine/`},
	{"debate/control", 2896, `^debate/control/`},
	{"debate/eval, stats", 691, `^debate/(eval|stats)/`},
	{"agents", 2032, `^agents/[^/]+[.]go$`},
	{"agents/openai", 4043, `^agents/openai/`},
	{"agents/acp", 2783, `^agents/acp/`},
	{"agents/demo", 1000, `^agents/demo/`},
	{"agents/tools", 4750, `^agents/tools/`},
	{"store", 4106, `^store/`},
	{"app, cli", 8116, `^internal/(app|cli)/`},
	{"config, catalog", 3656, `^internal/(config|catalog)/`},
	{"linear, headless, mcpserver", 4500, `^internal/(linear|headless|mcpserver)/`},
	{"ground and rest", 5547, `.`},
}

const (
	mostLines      = 87000
	mostTestLines  = 73235
	mostInMeanLine = 29.3 // characters without blanks: a budget is not met by longer lines
)

// Nothing is added without a line that something else gives up.
func TestSource_roomsKeepTheirBudgets(t *testing.T) {
	lines := make([]int, len(rooms))
	sum, tests, written, characters := 0, 0, 0, 0
	for _, s := range sources(t) {
		n := strings.Count(string(s.text), "\n")
		if s.isTest() || strings.HasPrefix(s.name, "internal/e2e/") || strings.HasPrefix(s.name, "internal/testing/") {
			tests += n
			continue
		}
		sum += n
		for i, room := range rooms {
			if regexp.MustCompile(room.paths).MatchString(s.name) {
				lines[i] += n
				break
			}
		}
		for line := range strings.Lines(string(s.text)) {
			if dense := strings.Map(withoutBlanks, line); dense != "" {
				written, characters = written+1, characters+len(dense)
			}
		}
	}
	check := func(name string, have, most int) {
		t.Logf("%-44s %7d %7d", name, have, most)
		if have > most {
			t.Errorf("%s: %d lines, over its budget of %d by %d: take something away there", name, have, most, have-most)
		}
	}
	for i, room := range rooms {
		check(room.name, lines[i], room.most)
	}
	check("sum", sum, mostLines)
	check("tests", tests, mostTestLines)
	if mean := float64(characters) / float64(written); mean > mostInMeanLine {
		t.Errorf("a mean line has %.1f characters without blanks, more than %.1f: a budget is not met by longer lines", mean, mostInMeanLine)
	}
}

func withoutBlanks(r rune) rune {
	if unicode.IsSpace(r) {
		return -1
	}
	return r
}
