package reader_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// sent has one request of Ada in each of two rounds.
type sent struct{ err error }

func (s sent) Receipts(context.Context, string) ([]debate.Receipt, error) {
	var all []debate.Receipt
	for round := 1; round <= 2; round++ {
		all = append(all, debate.Receipt{Purpose: debate.ForMember, Turn: requestTurn(round), N: 1, Of: 1, State: "done", Intact: true})
	}
	return all, s.err
}

func (s sent) Prompt(_ context.Context, _ string, t agents.Turn, n int) (agents.Request, debate.Receipt, error) {
	req := agents.Request{Model: "m", Messages: []agents.Message{
		{Role: agents.System, Text: "You are Ada."},
		{Role: agents.User, Text: "Statements of round " + string(rune('0'+t.Round))},
	}}
	return req, debate.Receipt{Purpose: debate.ForMember, Turn: t, N: n, Of: 1, State: "done", Intact: true}, nil
}

func requestTurn(round int) agents.Turn {
	return agents.Turn{Session: "s", Round: round, Attempt: 1, Agent: "ada"}
}

func newReceipt(t *testing.T, r reader.Requests) *reader.Receipt {
	s := reader.NewReceipt(t.Context(), r, theme.New(theme.Options{Dark: true}))
	s.SetSession(debate.Session{
		ID: "s", Seats: []agents.Profile{{ID: "ada", Name: "Ada", Model: "m", Provider: "p"}, {ID: "brook", Name: "Brook"}},
		History: make([]debate.Round, 2),
	})
	s.SetSize(100, 30)
	return s
}

func load(t *testing.T, out screen.Outcome) (shown bool, told screen.Outcome) {
	t.Helper()
	for _, e := range out {
		if cmd, ok := e.(tea.Cmd); ok {
			out := cmd().(screen.Then)()
			_, shown := out[0].(reader.Opened)
			return shown, out
		}
	}
	t.Fatalf("nothing is read by %v", out)
	return false, nil
}

func TestReceipt_showsTheLastRequestAndThoseBefore(t *testing.T) {
	s := newReceipt(t, sent{})
	if shown, _ := load(t, screen.Run(s.OpenSeat("ada"))); !shown {
		t.Fatal("the request is not shown")
	}
	see(t, s, "Ada", "round 2, attempt 1", "Statements of round 2")
	load(t, press(t, s, "["))
	see(t, s, "round 1, attempt 1", "Statements of round 1")
	if _, told := load(t, press(t, s, "[")); !strings.Contains(text(told), "No more requests that way") {
		t.Errorf("told %v", told)
	}
}

func TestReceipt_saysWhyThereIsNone(t *testing.T) {
	for _, c := range []struct {
		name   string
		reader reader.Requests
		want   string
	}{
		{"nothing sent", sent{}, "Nothing was sent to Brook yet."},
		{"unreadable", sent{errors.New("the disk is gone")}, "The disk is gone."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newReceipt(t, c.reader)
			shown, told := load(t, screen.Run(s.OpenSeat("brook")))
			if shown || text(told) != c.want {
				t.Errorf("shown %v, told %q, want %q", shown, text(told), c.want)
			}
		})
	}
}

func see(t *testing.T, s *reader.Receipt, texts ...string) {
	t.Helper()
	got := ansi.Strip(s.View(screen.Frame{}))
	for _, want := range texts {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not shown:\n%s", want, got)
		}
	}
}

func text(out screen.Outcome) string {
	for _, e := range out {
		if n, ok := e.(screen.Notice); ok {
			return n.Text
		}
	}
	return ""
}
