package form_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/theme"
)

const longAnswer = "RPO 5 minutes, RTO 1 hour. Finance signed the continuity plan in March; the ledger export is checked every night, so"

// billingForm returns the form of a debate that waits: C1 is answered, C3 is being
// answered, C2 is optional.
func billingForm(t testing.TB, w, h int, goesTo string) *harness {
	s := newHarness(t, w, h)
	s.asks("cy", "What is the peak write rate of the billing service?",
		"Below some 500 small commits a second it does not queue; above it does.", ledger.Required, 4*time.Minute)
	s.asks("brook", "Does another process read the billing tables directly?", "A reader in another process changes the locking picture.",
		ledger.Optional, 3*time.Minute)
	s.asks("ada", "What is the peak write rate of the billing service?", "I hold that WAL is enough.", ledger.Required, 3*time.Minute)
	s.asks("ada", "Which recovery point and recovery time (RPO, RTO) does finance demand?",
		"With a replicated WAL we lose about 1 s, with a nightly copy a day. If the answer is zero loss, SQLite alone is out.",
		ledger.Required, time.Minute)
	s.now = time.Date(2025, 11, 4, 14, 34, 7, 0, time.UTC)
	s.record([]ledger.Submission{{
		Request: "C1", Outcome: ledger.Answered, Content: "42 writes/s at month end, p99 over 5 minutes.",
		Source: "dashboard billing-writes",
	}})
	s.now = noon
	s.open(options{GoesTo: goesTo})
	return s
}

func typeDraft(s *harness) {
	s.press("tab", "docs/continuity.md", "shift+tab", longAnswer)
	s.Saved()
}

func TestView_drawsTheFormInASmallTerminal(t *testing.T) {
	s := billingForm(t, 80, 21, "OpenAI, Anthropic, ollama here (3 seats)")
	typeDraft(s)
	golden.RequireEqual(t, s.screen())
	if got, want := textOf(s.Hint()), "tab next · ctrl+s save C3, go to C2 · ctrl+x unavailable · ctrl+o editor"; got != want {
		t.Errorf("the hint is %q, want %q", got, want)
	}
}

// What an agent's own program may do is never cut, also where the border has no room.
func TestView_wrapsWhoReadsTheAnswers(t *testing.T) {
	const goesTo = "OpenAI, the model that opencode uses, and ollama on this machine (3 seats); the settings of Olive may let it act " +
		"without asking: only a container around all of Roundtable is a boundary"
	for _, size := range []struct{ w, h int }{{60, 21}, {80, 21}, {60, 30}, {80, 30}, {140, 36}} {
		s := billingForm(t, size.w, size.h, goesTo)
		var words []string
		for l := range strings.Lines(s.screen()) {
			words = append(words, strings.Fields(strings.Trim(l, "│ \n"))...)
		}
		if all := strings.Join(words, " "); !strings.Contains(all, "goes to: "+goesTo) {
			t.Errorf("%dx%d: the form does not say who reads the answers:\n%s", size.w, size.h, s.screen())
		}
	}
	s := billingForm(t, 80, 15, goesTo)
	s.hasNot("boundary") // the answer needs the rows
	s.press("alt+down", "alt+down")
	s.has("boundary")
}

func textOf(parts []theme.Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

func TestView_styles(t *testing.T) {
	golden.RequireEqual(t, viewtest.SameStyles(t, func(th *theme.Theme) string {
		s := billingForm(t, 80, 21, "OpenAI, Anthropic, ollama here (3 seats)")
		s.SetTheme(th)
		typeDraft(s)
		return s.View()
	}))
}

// The largest number of requests that can be open still fits a common small terminal.
func TestView_drawsTwentyRequests(t *testing.T) {
	s := newHarness(t, 80, 21)
	for i := range 20 {
		s.asks(seats[i%3].ID, "Question number "+string(rune('A'+i))+"?", "It decides.", ledger.Required, time.Minute)
	}
	s.open(options{})
	for range 20 {
		s.press("tab")
	}
	golden.RequireEqual(t, s.screen())
	if id, ok := s.Asker(); !ok || id != agents.ID("brook") {
		t.Errorf("the asker is %q", id)
	}
}

func TestView_saysWhoAnsweredIfItWasNotTheUser(t *testing.T) {
	for want, by := range map[string]ledger.Author{
		"answered · saved": ledger.ByPerson("interface"),
		"answered by “claude-code”, not you · saved": {Kind: ledger.Assistant, Door: "claude-code"},
		"proposed by “claude-code”, accepted by you": {Kind: ledger.Person, Door: "form", Client: "claude-code", ProposedBy: "claude-code"},
	} {
		s := newHarness(t, 100, 24)
		s.asks("cy", "What is the peak write rate?", "It decides.", ledger.Required, time.Minute)
		s.now = time.Date(2025, 11, 4, 14, 34, 7, 0, time.UTC)
		s.record([]ledger.Submission{{Request: "C1", Outcome: ledger.Answered, Content: "42 writes/s", By: by}})
		s.open(options{})
		if got := s.screen(); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
