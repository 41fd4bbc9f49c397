package pane_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/pane"
	"roundtable/tui/theme"
)

var noon = time.Date(2025, 11, 4, 14, 31, 40, 0, time.UTC)

func plain() *theme.Theme { return theme.New(theme.Options{Profile: colorprofile.ASCII}) }

func ptr[T any](v T) *T { return &v }

func seat(id, name, model, provider string) agents.Profile {
	p := agents.Profile{ID: agents.ID(id), Name: name, Model: model, Provider: provider, PriceIn: ptr(1.0), PriceOut: ptr(2.0)}
	if provider == "ollama" {
		p.PriceIn, p.PriceOut = ptr(0.0), ptr(0.0)
	}
	return p
}

var (
	ada   = seat("ada", "Ada", "gpt-5-mini", "openai")
	brook = seat("brook", "Brook", "claude-sonnet", "anthropic")
	cy    = seat("cy", "Cy", "llama3.1", "ollama")
)

func turn(who agents.Profile, round int) agents.Turn {
	return agents.Turn{Session: "s", Round: round, Attempt: 1, Agent: who.ID}
}

func doneResponse(t agents.Turn, s debate.Statement, usage int, cost float64, passages ...debate.Passage) debate.Response {
	return debate.Response{
		Turn: t, State: debate.TurnDone, Passages: append(passages, debate.Passage{Text: s.Body}), Statement: s,
		Usage: agents.Usage{Input: 1, Output: usage}, Cost: &cost, Began: noon.Add(-time.Minute), Ended: noon,
	}
}

func stated(position string, confidence float64, vote string, body string, cites ...string) debate.Statement {
	return debate.Statement{Body: body, Position: position, Confidence: &confidence, Vote: vote, Citations: cites}
}

func call(t agents.Turn, n int, name, args, summary string, took int) debate.ToolRecord {
	return debate.ToolRecord{
		ID: t.ToolCall(n), Name: name, Args: args, State: debate.ToolDone,
		Result: agents.ToolResult{Status: agents.ToolOK, Text: summary, Summary: summary}, Took: time.Duration(took) * time.Millisecond,
	}
}

func asks(t agents.Turn, n int) debate.ToolRecord {
	return call(t, n, "request_context", `{}`, "", 1)
}

func request(id, query, reason string, priority ledger.Priority, asked time.Time, by ...any) ledger.Request {
	r := ledger.Request{ID: id, Seq: 1, Query: query, Round: 2, Asked: asked, Priority: priority, State: ledger.Pending}
	for i := 0; i < len(by); i += 2 {
		t := by[i].(agents.Turn)
		r.Asks = append(r.Asks, ledger.Ask{
			Turn: t, Call: t.ToolCall(by[i+1].(int)), Query: query, Reason: reason, Priority: priority,
			At: asked,
		})
	}
	return r
}

// session returns a debate whose rounds have ended, except for the last.
func session(seats []agents.Profile, rounds int, requests []ledger.Request, history ...[]debate.Response) debate.Session {
	s := debate.Session{ID: "s", Mode: debate.Mode{Order: debate.Parallel}, Seats: seats, Rounds: rounds, Requests: requests}
	for i, responses := range history {
		r := debate.Round{Number: i + 1, Began: noon, Responses: responses}
		if i < len(history)-1 {
			r.Ended = noon
		}
		s.History = append(s.History, r)
	}
	return s
}

func pieces(t agents.Turn, passage int, text string) []debate.Event {
	var out []debate.Event
	for piece := range strings.SplitAfterSeq(text, " ") {
		out = append(out, debate.Text{Turn: t, Passage: passage, Text: piece})
	}
	return out
}

func apply(p *seatPane, events ...debate.Event) {
	for _, ev := range events {
		p.Apply(ev)
	}
}

func beside(views ...string) string {
	var rows []string
	for i, v := range views {
		for j, line := range strings.Split(ansi.Strip(v), "\n") {
			if i == 0 {
				rows = append(rows, line)
			} else {
				rows[j] += " " + line
			}
		}
	}
	return strings.Join(rows, "\n") + "\n"
}

func rows(t testing.TB, p *seatPane, w, h int) []string {
	t.Helper()
	view := p.View(noon, 0)
	viewtest.RequireSize(t, view, w, h)
	return strings.Split(ansi.Strip(view), "\n")
}

func body(t testing.TB, p *seatPane, w, h int) string {
	t.Helper()
	lines := rows(t, p, w, h)
	var out []string
	for _, l := range lines[1 : h-1] {
		out = append(out, strings.TrimRight(strings.TrimSuffix(strings.TrimPrefix(l, "│ "), " │"), " "))
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

// seatPane is a pane with the controller of its session. Its clock is the time of the last
// drawing.
type seatPane struct {
	*pane.Pane
	*control.Controller
	now time.Time
}

func paneOf(n int, who agents.Profile, th *theme.Theme) *seatPane {
	p := &seatPane{now: noon}
	empty := debate.Session{ID: "s", Mode: debate.Mode{Order: debate.Parallel}, Seats: []agents.Profile{who}}
	p.Controller = control.New(empty, control.Options{Now: func() time.Time { return p.now }})
	p.Pane = pane.New(n, p.Controller.Seat(who.ID), th)
	return p
}

func newPane(n int, who agents.Profile, w, h int) *seatPane {
	p := paneOf(n, who, plain())
	p.SetSize(w, h)
	return p
}

func (p *seatPane) View(now time.Time, spin int) string {
	p.now = now
	return p.Pane.View(now, spin)
}

// Apply gives events that begin or end a round without a session the present one.
func (p *seatPane) Apply(ev debate.Event) {
	s := p.Session()
	switch round := ev.(type) {
	case debate.RoundStarted:
		for len(s.History) < round.Round {
			s.History = append(s.History, debate.Round{Number: len(s.History) + 1})
		}
		if round.Session.ID == "" {
			round.Session = s
		}
		ev = round
	case debate.RunEnded:
		if round.Session.ID == "" {
			round.Session = s
		}
		ev = round
	default:
	}
	p.Controller.Apply(ev)
}

func (p *seatPane) Seat() *control.Seat { return p.Pane.Seat() }

func (p *seatPane) State() control.SeatState { return p.Seat().State() }

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Line %d of the statement.\n\n", i+1)
	}
	return b.String()
}

// find marks a text, shows its newest place, and returns all.
func find(p *seatPane, words string) []pane.Place {
	all := p.Places(words, 1000)
	p.Mark(words)
	if len(all) > 0 {
		p.ShowPlace(all[len(all)-1])
	}
	return all
}
