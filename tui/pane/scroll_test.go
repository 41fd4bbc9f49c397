package pane_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/theme"
)

func threeRounds(w, h int) *seatPane {
	var history [][]debate.Response
	for r := 1; r <= 3; r++ {
		history = append(history, []debate.Response{doneResponse(turn(ada, r),
			stated(fmt.Sprintf("Position of round %d.", r), 0.5, "", numbered(20)), 10, 0)})
	}
	p := newPane(1, ada, w, h)
	p.SetSession(session([]agents.Profile{ada}, 3, nil, history...))
	return p
}

func top(t *testing.T, p *seatPane, w, h int) string {
	t.Helper()
	line, _, _ := strings.Cut(body(t, p, w, h), "\n")
	return line
}

func TestScroll_keepsThePosition(t *testing.T) {
	p := newPane(1, ada, 60, 12)
	one := turn(ada, 1)
	apply(p, started(one), debate.Text{Turn: one, Text: numbered(30)})
	if got := body(t, p, 60, 12); !strings.HasSuffix(got, "Line 30 of the statement.") {
		t.Fatalf("the pane does not follow:\n%s", got)
	}
	p.Scroll(-4)
	before := body(t, p, 60, 12)
	p.Apply(debate.Text{Turn: one, Text: numbered(10)})
	if got := body(t, p, 60, 12); got != before || p.Following() {
		t.Errorf("the text moves under the reader:\n%s", got)
	}
	if got := rows(t, p, 60, 12)[11]; !strings.HasPrefix(got, "╰─ 24 below · G newest ──") {
		t.Errorf("the border says %q", got)
	}
	p.Bottom()
	if got := body(t, p, 60, 12); !strings.HasSuffix(got, "Line 10 of the statement.") || !p.Following() {
		t.Errorf("G does not follow:\n%s", got)
	}
	p.Scroll(-4)
	p.Scroll(+4)
	if !p.Following() {
		t.Error("reaching the end does not follow")
	}
}

func goToRound(p *seatPane, direction int) {
	if direction < 0 {
		p.ShowRound(p.PrevRound())
	} else {
		p.ShowRound(p.NextRound())
	}
}

func TestShowRound_goesFromHeaderToHeader(t *testing.T) {
	p := threeRounds(60, 14)
	for _, step := range []struct {
		direction int
		want      string
	}{{-1, "round 3"}, {-1, "round 2"}, {-1, "round 1"}, {-1, "round 1"}, {+1, "round 2"}, {+1, "round 3"}} {
		goToRound(p, step.direction)
		if got := top(t, p, 60, 14); !strings.HasPrefix(got, "── "+step.want) {
			t.Fatalf("after %+d the top line is %q, want %s", step.direction, got, step.want)
		}
	}
	goToRound(p, +1)
	if !p.Following() {
		t.Error("after the last round there is its end")
	}
	goToRound(p, -1)
	p.Scroll(3)
	goToRound(p, -1)
	if got := top(t, p, 60, 14); !strings.HasPrefix(got, "── round 3") {
		t.Errorf("within a round the top line is %q, want its own beginning", got)
	}
}

// Resizing back and forth any number of times shows the same lines again.
func TestSetSize_doesNotCreep(t *testing.T) {
	one := turn(ada, 1)
	p := newPane(1, ada, 40, 10)
	apply(p, started(one), debate.Text{Turn: one, Text: strings.Repeat("Some words of a paragraph that goes on and on. ", 200)})
	p.Top()
	p.Scroll(52)
	want := body(t, p, 40, 10)
	for range 4 {
		p.SetSize(140, 30)
		body(t, p, 140, 30)
		p.SetSize(40, 10)
		if got := body(t, p, 40, 10); got != want {
			t.Fatalf("it shows\n%s\nwant\n%s", got, want)
		}
	}
}

func TestSetSession_keepsThePosition(t *testing.T) {
	p := threeRounds(60, 14)
	p.Top()
	p.Scroll(50)
	want := body(t, p, 60, 14)
	var history [][]debate.Response
	for r := 1; r <= 4; r++ {
		history = append(history, []debate.Response{doneResponse(turn(ada, r),
			stated(fmt.Sprintf("Position of round %d.", r), 0.5, "", numbered(20)), 10, 0)})
	}
	p.SetSession(session([]agents.Profile{ada}, 4, nil, history...))
	if got := body(t, p, 60, 14); got != want {
		t.Errorf("the place is lost:\n%s", got)
	}
}

func TestShowPlace_marksAndShows(t *testing.T) {
	p := threeRounds(30, 14)
	all := find(p, "LINE 7 of the statement")
	if len(all) != 3 {
		t.Fatalf("%d places, want 3", len(all))
	}
	if got := body(t, p, 30, 14); !strings.Contains(got, "«Line 7 of the statement»") || p.Following() {
		t.Errorf("the last place is not shown:\n%s", got)
	}
	for i, at := range all {
		if at.Turn.Round != i+1 {
			t.Errorf("place %d is in round %d", i+1, at.Turn.Round)
		}
		if p.ShowPlace(at); p.NextRound() != i+2 && p.NextRound() != i+1 {
			t.Errorf("place %d is shown before round %d", i+1, p.NextRound())
		}
	}
	if n := len(find(p, "append-only")); n != 0 {
		t.Errorf("%d places of what is not there", n)
	}
	p.Mark("")
	if got := body(t, p, 30, 14); strings.Contains(got, "«") {
		t.Errorf("marks stay:\n%s", got)
	}
}

// Every place is visible when it is shown.
func TestShowPlace_showsEveryPlace(t *testing.T) {
	for h := 6; h < 30; h += 6 {
		p := threeRounds(30, h)
		for i, at := range find(p, "line") {
			p.ShowPlace(at)
			want := fmt.Sprintf("«Line» %d of the", i%20+1)
			if got := body(t, p, 30, h); !strings.Contains(got, want) {
				t.Fatalf("at %d rows place %d is out of sight:\n%s", h, i+1, got)
			}
		}
	}
}

// A wrapped match is highlighted in both lines, and the text stays the same.
func TestMark_marksAcrossLines(t *testing.T) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	p := paneOf(1, ada, th)
	p.SetSize(24, 10)
	p.Apply(started(turn(ada, 1)))
	p.Apply(debate.Text{Turn: turn(ada, 1), Text: "Keep the **ledger append**-only at 世界 all times. "})
	before := ansi.Strip(p.View(noon, 0))
	if n := len(find(p, "ledger append-only at 世")); n != 1 {
		t.Fatalf("%d matches, want 1", n)
	}
	view := p.View(noon, 0)
	if ansi.Strip(view) != before {
		t.Errorf("marking changes the text:\n%s", ansi.Strip(view))
	}
	for _, part := range []string{"ledger", "append-only at 世"} {
		if !strings.Contains(view, th.Match(part)) {
			t.Errorf("%q is not marked in %q", part, view)
		}
	}
}

// At every scroll position the lines are those of the transcript, and the border
// counts what is hidden.
func TestScroll_showsTheTranscript(t *testing.T) {
	const w = 40
	full := strings.Split(body(t, threeRounds(w, 400), w, 400), "\n")
	rapid.Check(t, func(rt *rapid.T) {
		h := rapid.IntRange(4, 30).Draw(rt, "height")
		p := threeRounds(w, h)
		for range rapid.IntRange(1, 6).Draw(rt, "moves") {
			switch rapid.IntRange(0, 4).Draw(rt, "move") {
			case 0:
				p.Scroll(rapid.IntRange(-200, 200).Draw(rt, "lines"))
			case 1:
				p.HalfPage(-1)
			case 2:
				p.HalfPage(1)
			case 3:
				p.Top()
			case 4:
				goToRound(p, -1)
			}
			rows := rows(t, p, w, h)
			var got []string
			for _, l := range rows[1 : h-1] {
				got = append(got, strings.TrimRight(ansi.Cut(l, 2, w-2), " "))
			}
			below := 0
			if _, err := fmt.Sscanf(strings.TrimPrefix(rows[h-1], "╰─ "), "%d below", &below); err != nil {
				below = 0
			}
			at := len(full) - below - len(got)
			if at < 0 {
				rt.Fatalf("%d below of %d lines, with %d visible", below, len(full), len(got))
			}
			if want := full[at : len(full)-below]; strings.Join(want, "\n") != strings.Join(got, "\n") {
				rt.Fatalf("with %d below, got\n%s\nwant\n%s", below, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	})
}

func TestView_movesByStepsWhileItsTextGrows(t *testing.T) {
	p := newPane(1, ada, 60, 26)
	one := turn(ada, 1)
	apply(p, started(one))
	moves, last := 0, ""
	for i := range 60 {
		words := fmt.Sprintf("Line %d of the statement.\n\n", i+1)
		p.Apply(debate.Text{Turn: one, Text: words})
		if got := top(t, p, 60, 26); got != last {
			moves, last = moves+1, got
		}
		if got := body(t, p, 60, 26); !strings.Contains(got, strings.TrimSpace(words)) {
			t.Fatalf("the end of %d lines is not visible:\n%s", i+1, got)
		}
	}
	if moves > 20 {
		t.Errorf("the text moved %d times while 60 lines arrived", moves)
	}
	p.Apply(debate.TurnEnded{Response: doneResponse(one, stated("Yes.", 0.5, "", numbered(60)), 10, 0)})
	if got := strings.TrimSpace(body(t, p, 60, 26)); !strings.HasSuffix(got, "Line 60 of the statement.") {
		t.Errorf("the end is not visible:\n%s", got)
	}
	if got := rows(t, p, 60, 26)[24]; !strings.Contains(got, "Line 60") {
		t.Errorf("the last row is %q", got)
	}
}

// A stored answer of megabytes is laid out by one drawing after the other, until its end is
// shown.
func TestView_laysALongAnswerOutInParts(t *testing.T) {
	body := strings.Repeat("```json\n{\"a\": 1}\n```\n\nWords of no **meaning**.\n\n", 10_000) + "This is the end."
	p := paneOf(1, ada, plain())
	p.SetSize(80, 24)
	p.SetSession(session([]agents.Profile{ada}, 1, nil, []debate.Response{
		doneResponse(turn(ada, 1), debate.Statement{Body: body}, 10, 1),
	}))
	for _, width := range []int{80, 60} {
		p.SetSize(width, 24)
		if !p.LayingOut() {
			t.Fatal("it does not ask to be drawn again")
		}
		drawn, end := 0, false
		for ; p.LayingOut() && drawn < 50; drawn++ {
			view := ansi.Strip(p.View(noon, 0))
			if end = strings.Contains(view, "This is the end."); end == p.LayingOut() {
				t.Fatalf("drawing %d: laying out %v:\n%s", drawn, p.LayingOut(), view)
			}
			if p.LayingOut() != strings.Contains(view, "laying out") {
				t.Errorf("drawing %d does not say that it is a part:\n%s", drawn, view)
			}
		}
		if drawn < len(body)/(200<<10) || !end {
			t.Errorf("%d bytes took %d drawings", len(body), drawn)
		}
	}
	p.Top()
	if view := p.View(noon, 0); !strings.Contains(view, "Words of no") || p.LayingOut() {
		t.Errorf("the beginning:\n%s", view)
	}
}
