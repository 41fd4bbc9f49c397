package tui_test

import (
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// The focus follows what happens until the user chooses a seat; esc gives it back, and
// leaves the debate after that.
func TestFocus_followsWhatHappens(t *testing.T) {
	inRound2(t, func(r *harness, script *scripted, run *run) {
		r.sees("▸3 Cy") // asks
		r.press("2")
		retry := agents.Retry{Cause: "busy", Try: 1, Of: 3, In: time.Second}
		r.hears(debate.TurnRetrying{Turn: turn("ada", 2), Retry: retry, At: time.Now()})
		r.sees("▸2 Brook", "esc follow")
		r.press("esc")
		r.sees("▸3 Cy")
		r.press("k")
		run.say("ada", "more")
		r.wait(time.Second)
		r.press("esc", "esc")
		r.sees("+ New debate", "+1 running")
	})
}

// Where they take turns, the seat that writes has the focus, and the verdict streams by
// itself while nobody has chosen a seat.
func TestFocus_followsTheOneThatWrites(t *testing.T) {
	for _, chosen := range []bool{false, true} {
		bubble(t, func() debate.Session {
			s := held(3, 1, 4)
			s.Mode.Order = debate.Sequential
			return s
		}, func(r *harness, script *scripted) {
			r.press("space")
			run := script.current()
			next := run.session
			next.History = append(next.History[:1:1], debate.Round{Number: 2, Began: time.Now(), Manifest: started(next, 2)})
			run.events <- debate.RoundStarted{Session: next, Round: 2, At: time.Now()}
			r.hears(debate.TurnStarted{Turn: turn("brook", 2), At: time.Now()})
			r.sees("▸2 Brook")
			if chosen {
				r.press("1")
			}
			r.hears(debate.Concluding{Profile: agents.Profile{Name: "Brook"}, At: time.Now()})
			if chosen {
				r.sees("▸1 Ada", " is writing the verdict")
				return
			}
			r.sees("▸Verdict")
		})
	}
}

// The chips of the seats that are off screen say which of them asks, failed or changed sides,
// also where there is no room for words.
func TestChips_markWhatMattersElsewhere(t *testing.T) {
	bubble(t, func() debate.Session { return held(6, 1, 4) }, func(r *harness, script *scripted) {
		r.plays(held(6, 1, 4))
		r.press("1", "z")
		for size, chips := range map[[2]int][]string{
			{140, 40}: {"3 Cy ●", "5 Eli ✗", "Δ"},
			{80, 24}:  {"3 Cy ●", "5 Eli ✗", "Δ"},
			{40, 24}:  {"3 ●", "5 ✗", "Δ"},
		} {
			r.resized(size[0], size[1])
			rows := strings.Split(r.screen(), "\n")
			row := rows[1] + rows[2]
			for _, want := range chips {
				if !strings.Contains(row, want) {
					t.Errorf("at %v %q is not in the chips: %q", size, want, row)
				}
			}
		}
	})
}

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
