package pane_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/theme"
)

func prose(n int) string {
	const paragraph = "One goroutine can own the **write** connection, and `WAL` " +
		"lets readers go on while it commits; that rule does not need Postgres.\n\n" +
		"- A trigger refuses UPDATE.\n- Reports read a copy.\n\n"
	return strings.Repeat(paragraph, 1+n*4/len(paragraph))
}

// A frame of eight panes that each get 200 tokens a second in 30 batches costs the
// same with and without 50,000 earlier tokens, in earlier rounds or in the streaming
// text.
func BenchmarkFrame(b *testing.B) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	for _, before := range []struct {
		name            string
		earlier, inText int
	}{{"empty", 0, 0}, {"50000 in earlier rounds", 50_000, 0}, {"50000 in the text", 0, 50_000}} {
		for _, scrolled := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/scrolled=%v", before.name, scrolled), func(b *testing.B) {
				panes := make([]*seatPane, 8)
				for i := range panes {
					panes[i] = streaming(th, i+1, before.earlier, before.inText, scrolled)
				}
				text := prose(400)
				now, at := noon, 0
				b.ReportAllocs()
				for b.Loop() {
					now = now.Add(33 * time.Millisecond)
					at = (at + 27) % (len(text) - 27)
					for i, p := range panes {
						p.Apply(debate.Text{Turn: benchTurn(i+1, 9), Passage: 0, Text: text[at : at+27]})
						p.View(now, int(now.UnixMilli()/125))
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/8, "ns/pane")
			})
		}
	}
}

func benchTurn(seat, round int) agents.Turn {
	return agents.Turn{Session: "s", Round: round, Attempt: 1, Agent: agents.ID(fmt.Sprintf("a%d", seat))}
}

func streaming(th *theme.Theme, n, earlier, inText int, scrolled bool) *seatPane {
	who := seat(fmt.Sprintf("a%d", n), fmt.Sprintf("A%d", n), "model", "openai")
	p := paneOf(n, who, th)
	p.SetSize(70, 18)
	s := debate.Session{ID: "s", Seats: []agents.Profile{who}, Rounds: 9}
	for r := 1; r <= 8; r++ {
		body := "Short."
		if earlier > 0 {
			body = prose(earlier / 8)
		}
		s.History = append(s.History, debate.Round{
			Number: r, Ended: noon,
			Responses: []debate.Response{doneResponse(benchTurn(n, r), stated("Here.", 0.5, "yes", body), 1, 0)},
		})
	}
	p.SetSession(s)
	p.Apply(debate.TurnStarted{Turn: benchTurn(n, 9), Profile: who})
	p.Apply(debate.Text{Turn: benchTurn(n, 9), Text: prose(inText)})
	p.View(noon, 0)
	if scrolled {
		p.Scroll(-3)
		p.View(noon, 0)
	}
	return p
}

// Opening a session costs only what is visible of it.
func BenchmarkSetSession(b *testing.B) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	for b.Loop() {
		streaming(th, 1, 50_000, 0, false)
	}
}
