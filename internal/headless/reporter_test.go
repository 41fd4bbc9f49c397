package headless_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/headless"
	"roundtable/internal/testing/headlesstest"
	"roundtable/internal/testing/must"
)

// endings are the ways in which a command can leave a session.
var endings = []string{"session.completed", "session.failed", "session.needs_context", "session.stopped", "session.paused"}

func TestJSONReporter_everyLineFitsThePublishedSchema(t *testing.T) {
	seen := map[string]bool{}
	for _, end := range endings {
		var out bytes.Buffer
		first, events, last := scenario()
		r := &headless.JSONReporter{Out: &out, Now: clock}
		r.Begin(first, end == "session.paused")
		for _, ev := range events {
			r.Event(ev)
		}
		reason := "user"
		if end == "session.needs_context" {
			last.Requests = []ledger.Request{peakRequest(ledger.Pending)}
		}
		r.End(headless.Result{Kind: headless.ResultKind(end), Session: last, Reason: reason})
		lines := must.Get(headlesstest.Validate(out.Bytes()))(t)
		if got := lines[len(lines)-1]["type"]; got != end {
			t.Errorf("the last line is %v, want %s", got, end)
		}
		for _, l := range lines {
			seen[l["type"].(string)] = true
		}
		unsafe := func(r rune) bool { return r != '\n' && r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' }
		if i := bytes.IndexFunc(out.Bytes(), unsafe); i >= 0 {
			t.Errorf("the output commands the terminal at %d: %q", i, out.Bytes()[max(0, i-20):i+20])
		}
	}
	for _, kind := range schemaTypes(t) {
		if !seen[kind] {
			t.Errorf("no test emits %s", kind)
		}
	}
}

// schemaTypes returns the types of lines in the schema.
func schemaTypes(t *testing.T) []string {
	t.Helper()
	resolved := must.Get(headlesstest.Schema())(t)
	var kinds []string
	for _, one := range resolved.Schema().OneOf {
		kinds = append(kinds, strings.TrimPrefix(one.Ref, "#/$defs/"))
	}
	return kinds
}

func TestSchema_refusesWhatIsNoEvent(t *testing.T) {
	schema := must.Get(headlesstest.Schema())(t)
	line := func(change func(map[string]any)) map[string]any {
		v := map[string]any{"seq": 1.0, "at": "2026-03-01T14:30:00Z", "session": "k7m2x9qd4t", "type": "notice", "code": "x", "text": "y"}
		change(v)
		return v
	}
	for name, v := range map[string]map[string]any{
		"unknown type":  line(func(v map[string]any) { v["type"] = "noise" }),
		"missing field": line(func(v map[string]any) { delete(v, "text") }),
		"unknown field": line(func(v map[string]any) { v["prompt"] = "z" }),
		"wrong type":    line(func(v map[string]any) { v["seq"] = "1" }),
		"tool without its agent": line(func(v map[string]any) {
			v["type"], v["call"], v["tool"], v["arguments"] = "tool.started", "r1.s0.ada.a1.t1", "read_file", "{}"
			delete(v, "code")
			delete(v, "text")
		}),
	} {
		if schema.Validate(v) == nil {
			t.Errorf("%s: %v passes", name, v)
		}
	}
	if err := schema.Validate(line(func(map[string]any) {})); err != nil {
		t.Errorf("a notice does not pass: %v", err)
	}
}

func TestTextReporter_tellsAWholeDebate(t *testing.T) {
	var out bytes.Buffer
	first, events, last := scenario()
	r := &headless.TextReporter{Out: &out}
	r.Begin(first, false)
	for _, ev := range events {
		r.Event(ev)
		if a, ok := ev.(debate.RoundCounted); ok && a.Round == 1 {
			gate := last
			gate.History, gate.Verdict = last.History[:1], nil
			gate.Requests = []ledger.Request{jointRequest(), peakRequest(ledger.Pending)}
			r.End(headless.Result{Kind: "session.needs_context", Session: gate})
		}
	}
	r.End(headless.Result{Kind: "session.completed", Session: last})
	if strings.ContainsFunc(out.String(), func(r rune) bool { return r != '\n' && r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' }) {
		t.Errorf("the output commands the terminal: %q", out.String())
	}
	golden.RequireEqual(t, out.Bytes())
}

// jointRequest returns an optional request of two agents.
func jointRequest() ledger.Request {
	return ledger.Request{
		ID: "C2", Query: "Does another process read the tables?", Round: 1, Priority: ledger.Optional,
		State: ledger.Pending, Asks: []ledger.Ask{
			{Turn: turn("brook", 1, 1), Reason: "It changes the locking."}, {Turn: turn("ada", 1, 1), Reason: "Readers need a copy."},
		},
	}
}

// Quiet leaves out how it goes, and nothing that says that the outcome is less than
// it could be.
func TestTextReporter_quietSaysWhatItCameToAndWhatIsMissing(t *testing.T) {
	var out bytes.Buffer
	first, events, last := scenario()
	events = slices.Insert(events, len(events)-2, debate.Event(debate.Noticed{Notice: debate.Notice{
		Code: "answers_unused",
		Text: "No seat asked for C7 of known.json.",
	}}))
	cut := done("ada", 2, "yes", 0.7, "Move, bec")
	cut.Response.Finish = agents.FinishLength
	events = slices.Insert(events, len(events)-3, debate.Event(cut))
	r := &headless.TextReporter{Out: &out, Quiet: true}
	r.Begin(first, false)
	for _, ev := range events {
		r.Event(ev)
	}
	r.End(headless.Result{Kind: "session.completed", Session: last})
	want := `2 Brook failed: anthropic rate-limited us (429). 4 tries. Wait a while.
! Two older statements were summarised for Cy.
C1 was withdrawn: it was not asked again.
! 1 Ada: Cut off at the token limit. A higher max_tokens allows a longer answer.
! No seat asked for C7 of known.json.
Yes, 3 of 3.
Missing and weak:
`
	if got := out.String(); !strings.HasPrefix(got, want) || strings.Contains(got, "Done:") || strings.Contains(got, "started") {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestTextReporter_saysHowATurnGoesAndEnds(t *testing.T) {
	later, ages := began.Add(time.Hour), began.AddDate(73, 0, 0)
	failed := func(state debate.TurnState, f debate.TurnFailure) debate.Event {
		return debate.TurnEnded{Response: debate.Response{Turn: turn("brook", 1, 1), State: state, Failure: &f}}
	}
	retries := func(r agents.Retry) debate.Event { return debate.TurnRetrying{Turn: turn("brook", 1, 1), Retry: r} }
	busy := func(in time.Duration, until time.Time) debate.Event {
		return retries(agents.Retry{Cause: "It is busy.", Try: 1, Of: 3, In: in, Until: until})
	}
	cut := done("ada", 1, "yes", 0.5, "Move, bec")
	cut.Response.Finish = agents.FinishLength
	odd := done("ada", 1, "yes", 0.5, "Move.")
	odd.Response.Finish = "eos" + controls
	bare := done("ada", 1, "yes", 0.5, "")
	bare.Response.Passages = []debate.Passage{{Text: `{"position": "Move.", "vote": "yes"}`}}
	bare.Response.Statement.Notes = []string{"first"}
	for _, c := range []struct {
		event debate.Event
		want  string
	}{
		{busy(time.Hour, later), "2 Brook paused until " + later.Local().Format("15:04") + ": It is busy.\n"},
		{busy(ages.Sub(began), ages), "2 Brook paused until " + ages.Local().Format("2 Jan 2006 15:04") + ": It is busy.\n"},
		{busy(2*time.Second, time.Time{}), "2 Brook retry 1 of 3 in 2 s: It is busy.\n"},
		{retries(agents.Retry{Cause: "It loads.", Try: 1, Of: 36, Loads: true}), "2 Brook waits: It loads.\n"},
		{retries(agents.Retry{Cause: "It loads.", Try: 2, Of: 36, Loads: true}), ""},
		{
			failed(debate.TurnFailed, debate.TurnFailure{Kind: agents.KindTruncated, Cause: "It broke off."}),
			"2 Brook failed: It broke off. Trying again may help.\n",
		},
		{
			failed(debate.TurnFailed, debate.TurnFailure{Cause: "It is busy.", Remedy: "Wait a moment.", Tries: 4}),
			"2 Brook failed: It is busy. 4 tries. Wait a moment.\n",
		},
		{
			failed(debate.TurnCancelled, debate.TurnFailure{Cause: "Cancelled by request."}),
			"2 Brook cancelled: Cancelled by request.\n",
		},
		{cut, "  Move, bec\n! 1 Ada: Cut off at the token limit. A higher max_tokens allows a longer answer.\n"},
		{bare, "  Position: Move.\n  Note: first.\n"},
		{odd, "  Move.\n! 1 Ada: The server ended the answer with \"eos"},
	} {
		var out bytes.Buffer
		r := &headless.TextReporter{Out: &out}
		r.Begin(newSession(), false)
		out.Reset()
		r.Event(c.event)
		if got := out.String(); !strings.HasPrefix(got, c.want) && !strings.Contains(got, ".\n"+c.want) || strings.Contains(got, "\x1b") {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// fullWriter fails like a full disk.
type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("no space left")

func TestReporters_keepWhatCouldNotBeWritten(t *testing.T) {
	for name, r := range map[string]headless.Reporter{
		"jsonl":  &headless.JSONReporter{Out: fullWriter{}, Now: clock},
		"linear": &headless.TextReporter{Out: fullWriter{}},
	} {
		r.Begin(newSession(), false)
		r.End(headless.Result{Kind: "session.paused", Session: newSession(), Reason: "x"})
		if !errors.Is(r.Err(), errFull) {
			t.Errorf("%s: got %v", name, r.Err())
		}
	}
}

// TestTextReporter_saysThatASeatFailedOnlyIfItIsNotTriedAgain reports a turn that
// broke off, with and without an automatic second try.
func TestTextReporter_saysThatASeatFailedOnlyIfItIsNotTriedAgain(t *testing.T) {
	attempt := func(n int) agents.Turn {
		at := turn("brook", 1, 1)
		at.Attempt = n
		return at
	}
	cut := func(n int, again bool) debate.Event {
		return debate.TurnEnded{Again: again, Response: debate.Response{
			Turn: attempt(n), State: debate.TurnFailed, Passages: []debate.Passage{{Text: "Half"}},
			Failure: &debate.TurnFailure{Kind: agents.KindTruncated, Cause: "It was cut off."},
		}}
	}
	retry := debate.TurnRetrying{Turn: attempt(2), Retry: agents.Retry{Cause: "It was cut off.", Try: 1, Of: 1, In: 2 * time.Second}}
	const failed = "2 Brook failed: It was cut off. Trying again may help.\n"
	first, _, _ := scenario()
	for _, tt := range []struct {
		name   string
		events []debate.Event
		want   string // in the whole report
		quiet  string
	}{
		{"tried again", []debate.Event{cut(1, true), debate.ToolStarted{}, retry}, "2 Brook retry 1 of 1 in 2 s: It was cut off.\n", ""},
		{"tried again in vain", []debate.Event{cut(1, true), retry, cut(2, false)}, "2 Brook retry 1 of 1 in 2 s: It was cut off.\n" + failed, failed},
		{"not tried again", []debate.Event{cut(1, false), debate.RunEnded{}}, failed, failed},
		{"stopped before", []debate.Event{cut(1, true)}, "", ""},
	} {
		for _, quiet := range []bool{false, true} {
			var out bytes.Buffer
			r := &headless.TextReporter{Out: &out, Quiet: quiet}
			r.Begin(first, false)
			begun := out.Len()
			for _, ev := range tt.events {
				r.Event(ev)
			}
			if tt.name == "stopped before" {
				r.End(headless.Result{Kind: headless.Stopped, Session: first})
			}
			want := tt.want
			if quiet {
				want = tt.quiet
			}
			if got := out.String()[begun:]; !strings.HasPrefix(got, want) || strings.Count(got, "failed") != strings.Count(want, "failed") {
				t.Errorf("%s, quiet %t: got %q, want %q", tt.name, quiet, got, want)
			}
		}
	}
}

// words is a page that lays nothing out, and its prose.
type words struct{ said string }

func (*words) Prose() headless.Prose     { return &words{} }
func (*words) Wrap(line string) []string { return []string{line} }
func (w *words) Append(markdown string)  { w.said += markdown }

func (w *words) Lines(from, to int) []string {
	all := strings.Split(strings.TrimRight(w.said, "\n"), "\n")
	return all[min(from, len(all)):max(min(from, len(all)), min(to, len(all)))]
}

func (w *words) Closed() int {
	if at := strings.LastIndex(w.said, "\n\n"); at >= 0 {
		return 1 + strings.Count(w.said[:at], "\n")
	}
	return 0
}

// On a page the text of one seat is written as it comes, a block once it is complete, and that of
// the others when it has the floor or their turn has ended. Nothing is written twice.
func TestTextReporter_onAPageTextStreams(t *testing.T) {
	ada, brook := turn("ada", 1, 1), turn("brook", 1, 1)
	passages := done("ada", 1, "yes", 0.6, "I look.\n\nOne.")
	passages.Response.Statement.AllPassages = true
	for _, tt := range []struct {
		name   string
		events []debate.Event
		want   string
	}{
		{"a block", []debate.Event{debate.Text{Turn: ada, Text: "One.\n\nHalf a"}}, "\n1 Ada:\n  One.\n"},
		{"another one begins", []debate.Event{debate.Text{Turn: ada, Text: "One.\n\nHalf"}, debate.TurnStarted{Turn: brook}}, "\n1 Ada:\n  One.\n"},
		{"nothing but a block", []debate.Event{debate.Text{Turn: ada, Text: "Half a"}}, ""},
		{"at the end", []debate.Event{
			debate.Text{Turn: ada, Text: "One.\n\nHalf a"}, debate.Text{Turn: ada, Text: " plan."}, done("ada", 1, "yes", 0.6, "One.\n\nHalf a plan."),
		}, "\n1 Ada:\n  One.\n\n  Half a plan.\n1 Ada done, votes yes, 60%.\n  Position: Move.\n"},
		{"all at once", []debate.Event{done("ada", 1, "yes", 0.6, "One.")}, "\n1 Ada:\n  One.\n1 Ada done, votes yes, 60%.\n  Position: Move.\n"},
		{"read in another way", []debate.Event{
			debate.Text{Turn: ada, Text: "One.\n\nTwo."}, done("ada", 1, "yes", 0.6, "Three."),
		}, "\n1 Ada:\n  One.\n  Three.\n1 Ada done, votes yes, 60%.\n  Position: Move.\n"},
		{"a tool", []debate.Event{
			debate.Text{Turn: ada, Text: "I look."},
			debate.ToolsCalled{Turn: ada},
			debate.ToolEnded{Turn: ada, Tool: debate.ToolRecord{Name: "grep", Result: agents.ToolResult{Status: agents.ToolOK, Summary: "2 lines"}}},
			debate.Text{Turn: ada, Passage: 1, Text: "One."},
			passages,
		}, "\n1 Ada:\n  I look.\n1 Ada tool grep: 2 lines\n\n1 Ada:\n\n  One.\n1 Ada done, votes yes, 60%.\n  Position: Move.\n"},
		{"reasoning", []debate.Event{
			debate.Text{Turn: ada, Text: "Hm.\n\nSo"},
			debate.Text{Turn: ada, Text: "Hm.\n\nSo", Reasoning: true, Moves: true},
			debate.Text{Turn: ada, Text: "never shown", Reasoning: true},
			done("ada", 1, "yes", 0.6, "One."),
		}, "\n1 Ada:\n  Hm.\n1 Ada: that was reasoning.\n\n1 Ada:\n  One.\n1 Ada done, votes yes, 60%.\n  Position: Move.\n"},
		{"two at once", []debate.Event{
			debate.Text{Turn: ada, Text: "One.\n\nTwo"},
			debate.Text{Turn: brook, Text: "Un.\n\nDeux.\n\nTrois"},
			debate.Text{Turn: ada, Text: "."},
			done("ada", 1, "yes", 0.6, "One.\n\nTwo."),
			debate.Text{Turn: brook, Text: " et quatre."},
			done("brook", 1, "no", 0.7, "Un.\n\nDeux.\n\nTrois et quatre."),
		}, "\n1 Ada:\n  One.\n\n  Two.\n1 Ada done, votes yes, 60%.\n  Position: Move.\n\n2 Brook:\n  Un.\n\n  Deux.\n\n  Trois et quatre.\n2 Brook done, votes no, 70%.\n  Position: Move.\n"},
		{"another one ends first", []debate.Event{
			debate.Text{Turn: ada, Text: "One.\n\nTwo."},
			debate.Text{Turn: brook, Text: "Un.\n\nDeux"},
			done("brook", 1, "no", 0.7, "Un."),
			debate.Text{Turn: ada, Text: "\n\nThree.\n\nFour"},
		}, "\n1 Ada:\n  One.\n\n2 Brook:\n  Un.\n2 Brook done, votes no, 70%.\n  Position: Move.\n\n1 Ada:\n\n  Two.\n\n  Three.\n"},
	} {
		var out bytes.Buffer
		r := &headless.TextReporter{Out: &out, Page: &words{}}
		r.Begin(newSession(), false)
		begun := out.Len()
		for _, ev := range tt.events {
			r.Event(ev)
		}
		if got := out.String()[begun:]; got != tt.want {
			t.Errorf("%s:\n%q, want\n%q", tt.name, got, tt.want)
		}
	}
}
