package headless_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/headless"
)

// What the user told the agents stands below the beginning of the round, and who
// passes over an answer that it asked for is named then and with the verdict.
func TestTextReporter_saysWhatYouToldThemAndWhoPassesOverAnAnswer(t *testing.T) {
	s := newSession()
	s.Interjections = []debate.Interjection{
		{N: 1, Text: "Mind the cost." + controls, Author: ledger.ByPerson("interface")},
		{N: 2, Agent: "cy", Text: "Be brief.", Author: ledger.Author{Kind: ledger.Assistant, Door: "claude-code"}},
		{N: 3, Text: "For a round to come."},
	}
	released := peakRequest(ledger.Released)
	s.Requests = []ledger.Request{released}
	all := []agents.ID{"ada", "brook", "cy"}
	s.History = []debate.Round{
		{Number: 1, Ended: began},
		{Number: 2, Manifest: debate.Manifest{
			Round: 2, Seats: all,
			Interjections: []debate.InterjectionRef{{N: 1, Seats: all}, {N: 2, Seats: all[2:]}},
		}},
	}
	var out bytes.Buffer
	r := &headless.TextReporter{Out: &out}
	r.Begin(s, true)
	r.Event(debate.RoundStarted{Session: s, Round: 2, At: began})
	r.Event(done("cy", 2, "no", 0.5, "The same again."))
	r.Event(done("ada", 2, "no", 0.5, "I never asked."))
	last := s
	last.Verdict = ptr(verdict())
	r.Event(debate.Concluded{Session: last, At: began})
	r.End(headless.Result{Kind: headless.Completed, Session: last})
	got := out.String()
	for _, want := range []string{
		"\nTo all: Mind the cost.", "\nTo 3 Cy (from “claude-code”, not you): Be brief.\n",
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is there %d times:\n%s", want, strings.Count(got, want), got)
		}
	}
	if strings.Contains(got, "to come") || strings.Contains(got, "\x1b") {
		t.Errorf("got %s", got)
	}
}

// transcript returns what a reporter prints for a session that is not running.
func transcript(r headless.TextReporter, s debate.Session) string {
	var b strings.Builder
	r.Out = &b
	r.Transcript(s)
	return b.String()
}

// played is a round of all seats that has ended.
var played = debate.Round{Number: 1, Ended: began, Manifest: debate.Manifest{Round: 1, Seats: []agents.ID{"ada", "brook", "cy"}}}

// What is noticed before the first round, or of one that is not there, is told
// whether there is a verdict or not.
func TestTranscript_tellsNoticesOfNoRound(t *testing.T) {
	s := newSession()
	s.Notices = []debate.Notice{
		{Code: "config_drift", Text: "Cy is no longer in the config." + controls},
		{Code: "roster", Round: 1, Text: "One family."},
	}
	one := s
	one.History = []debate.Round{played}
	over := one
	over.Verdict = ptr(verdict())
	for name, s := range map[string]debate.Session{"a draft": s, "amid": one, "over": over} {
		got := transcript(headless.TextReporter{}, s)
		for _, want := range []string{"\n! Cy is no longer in the config.\n", "\n! One family.\n"} {
			if strings.Count(got, want) != 1 {
				t.Errorf("%s: %q is there %d times:\n%s", name, want, strings.Count(got, want), got)
			}
		}
	}
}

// Whoever has a session open continues it: no command is named that would be refused.
func TestTranscript_namesNoCommandForWhatIsOpenElsewhere(t *testing.T) {
	draft, asks := newSession(), newSession()
	open := played
	open.Ended = time.Time{}
	begun, last := newSession(), newSession()
	begun.History = []debate.Round{open}
	last.History, last.Rounds = []debate.Round{played}, 1
	asks.History, asks.Rounds = []debate.Round{played}, 2
	asks.Requests = []ledger.Request{{ID: "C1", Query: "How many?", Priority: ledger.Required, State: ledger.Pending}}
	for name, s := range map[string]debate.Session{"draft": draft, "begun": begun, "verdict": last, "asks": asks} {
		for _, held := range []bool{false, true} {
			var l headless.TextReporter
			if held {
				l.Holder = &debate.Holder{PID: 7, Runs: true}
			}
			got := transcript(l, s)
			named := strings.Contains(got, "roundtable continue") || strings.Contains(got, "roundtable answer")
			if named == held || strings.Contains(got, "in another Roundtable (pid 7)") != held {
				t.Errorf("%s, held %v:\n%s", name, held, got)
			}
		}
	}
}

// What waits for a provider says until when, once it is known what time it is.
func TestTranscript_tellsUntilWhenAProviderAskedToWait(t *testing.T) {
	s := newSession()
	s.History, s.Rounds = []debate.Round{played}, 1
	until := began.Add(time.Hour)
	s = s.WithDue(debate.DueTurn{Turn: agents.Turn{Session: s.ID, Round: 1, Step: debate.VerdictStep, Attempt: 1, Agent: "ada"}, At: until})
	for now, want := range map[time.Time]bool{{}: false, began: true, until: false} {
		said := ": " + debate.WaitText(began.Local(), until) + ". `roundtable continue"
		got := transcript(headless.TextReporter{Now: now}, s)
		if strings.Contains(got, said) != want || !strings.Contains(got, "`roundtable continue") {
			t.Errorf("at %v:\n%s", now, got)
		}
	}
}
