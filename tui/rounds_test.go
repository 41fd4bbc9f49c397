package tui_test

import (
	"strings"
	"testing"
	"time"

	"roundtable/debate"
)

// uneven is a debate of which one seat says much more than the others.
func uneven() debate.Session {
	s := held(3, 3, 4)
	for i := range s.History {
		x := &s.History[i].Responses[0]
		x.Statement.Body = strings.Repeat("A long way round.\n\n", 40)
		x.Passages[0].Text = x.Statement.Body
	}
	return s
}

// shownRounds returns the round that each pane begins with.
func shownRounds(r *harness) string {
	var out []string
	rows := strings.Split(r.screen(), "\n")
	for i, row := range rows {
		if strings.HasPrefix(row, "╭") {
			for cell := range strings.SplitSeq(rows[i+1], "││") {
				out = append(out, strings.Trim(strings.NewReplacer("│", "", "─", "", "·", "").Replace(cell), " "))
			}
			return strings.Join(out, " ")
		}
	}
	return ""
}

// However far each pane was scrolled, a round is shown in all of them at once.
func TestRound_turnsAllPanesOver(t *testing.T) {
	bubble(t, uneven, func(r *harness, _ *scripted) {
		for _, step := range []struct{ key, want string }{{"[", "round 3"}, {"[", "round 2"}, {"[", "round 1"}, {"]", "round 2"}} {
			r.press("1", step.key)
			r.wait(time.Second)
			if got := shownRounds(r); strings.Count(got, step.want) != 3 {
				t.Errorf("after %s the panes begin with %q, want %s in all", step.key, got, step.want)
			}
		}
		r.press("z", "[", "z")
		if got := shownRounds(r); !strings.Contains(got, "round 1") || !strings.Contains(got, "round 2") {
			t.Errorf("while one pane is zoomed the others stay, got %q", got)
		}
	})
}
