package report_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"golang.org/x/net/html"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
	"roundtable/internal/testing/secrettest"
)

// compare compares a session in some formats with golden files.
func compare(t *testing.T, name string, s debate.Session, o report.Options, formats ...report.Format) {
	t.Helper()
	for _, f := range formats {
		t.Run(name+"."+string(f), func(t *testing.T) {
			text := string(export(t, s, f, o))
			if before, rest, ok := strings.Cut(text, "<style>"); ok && o.Live { // the same on every page
				_, after, _ := strings.Cut(rest, "</style>")
				text = before + "<style></style>" + after
			}
			golden.RequireEqual(t, text)
		})
	}
}

// Each kind of debate in Markdown; the pages and the JSON of one each.
func TestExport(t *testing.T) {
	compare(t, "ended", completed(), report.Options{}, report.Markdown)
	compare(t, "blocked", needsContext(), report.Options{}, report.Markdown, report.JSON)
	compare(t, "review", debatetest.Reviewed(), report.Options{}, report.Markdown)
	compare(t, "ranked", ranked(), report.Options{}, report.HTML)
	compare(t, "live", running(), report.Options{Live: true, Holder: debate.Holder{Runs: true}}, report.Markdown, report.HTML)
}

func TestExport_saysWhatTheUserDidNotWrite(t *testing.T) {
	const by = "from “claude-code”, not you"
	for _, f := range []report.Format{report.Markdown, report.HTML} {
		got := renderText(t, assisted(), f, report.Options{})
		for what, want := range map[string]string{
			"topic": "The topic is " + by, "focus": "Focus question, " + by + ":",
			"message": "To all seats, " + by + ", with round 2", "evidence": "From “claude-code”, not you.", "answer": "Source: “dashboard billing-writes”, " + by,
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s, the %s: no %q in\n%s", f, what, want, got)
			}
		}
		if mine := renderText(t, completed(), f, report.Options{}); strings.Contains(mine, "not you") {
			t.Errorf("%s of a debate that the user led:\n%s", f, mine)
		}
	}
}

// renderText returns the words of an export as a reader sees them, with single spaces.
func renderText(t *testing.T, s debate.Session, f report.Format, o report.Options) string {
	t.Helper()
	raw := export(t, s, f, o)
	switch f {
	case report.Markdown:
		return strings.Join(strings.Fields(strings.ReplaceAll(string(raw), "\\", "")), " ")
	case report.HTML:
		root := must.Get(html.Parse(bytes.NewReader(raw)))(t)
		var b strings.Builder
		for n := range root.Descendants() {
			if n.Type == html.TextNode && n.Parent.Data != "style" {
				b.WriteString(n.Data)
			}
		}
		return strings.Join(strings.Fields(b.String()), " ")
	case report.JSON, report.SARIF, report.Comment:
	}
	return string(raw)
}

// The goldens have all of it as Markdown and as a page, and what is missing here as JSON.
func TestExport_holdsAllThatHappenedAsJSON(t *testing.T) {
	text := string(export(t, completed(), report.JSON, report.Options{}))
	for what, want := range map[string]string{
		"a statement": "At 42 writes/s the writer is idle", "a position": "Move, behind one writer.",
		"an answer": "42 writes/s at month end", "its source": "dashboard billing-writes", "its correction": "48 writes/s",
		"a question without an answer": "Does another process read the tables?", "a citation that nobody was told": "C9",
		"a focus": "What would it cost to move back?", "an interjection": "Think of the auditors.",
		"the verdict": "Move billing to SQLite, behind one writer", "its header": "Yes, 2 of 3; no 1 · C1 ",
		"dissent": "Stay until the report job is moved.", "a notice": "One older statement was left out for Cy.", "a limit": "length",
		"arguments of a tool": `"arguments": "{\"path\":\"ledger.go\"}"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing: %q", what, want)
		}
	}
}

func TestExport_isTheSameForTheSameSession(t *testing.T) {
	for name, s := range sessions() {
		for _, f := range report.Formats() {
			first := export(t, s, f, report.Options{})
			if again := export(t, sessions()[name], f, report.Options{}); !bytes.Equal(first, again) {
				t.Fatalf("%s, %s: two exports differ", name, f)
			}
		}
	}
}

func TestExport_leavesTheSessionAsItIs(t *testing.T) {
	s, want := ranked(), ranked()
	s.Topic, want.Topic = "a\tb\x1b[2J sk-0123456789abcdef", "a\tb\x1b[2J sk-0123456789abcdef"
	export(t, s, report.JSON, report.Options{Redact: true})
	if !reflect.DeepEqual(s, want) {
		t.Error("writing it has changed it")
	}
}

func TestExport_neverLooksMoreWholeThanItIs(t *testing.T) {
	const line = "Yes, 2 of 3; no 1 · C1 "
	want := map[string]string{
		"draft":             "Partial. Not started.",
		"blocked":           "Partial. Round 2 waits for C1 (Cy and Ada).",
		"interrupted":       "Partial. Round 2 has not ended.",
		"failed":            "Partial. Round 1 failed: no model answered.",
		"ready":             "Partial. Round 2 comes next.",
		"without a verdict": "Partial. The verdict comes next.",
		"stopped":           line,
		"no report":         line,
		"ended":             line,
		"ranked":            "Cy first by points, 2 (Ada 0, Brook 0), 2 of 3 · incomplete (",
		"assisted":          "Yes, 2 of 3; no 1 · C1 by claude-code · C1 ",
		"with evidence":     line,
		"whole":             "Yes, 2 of 3; no 1 · was no; Brook moved · C1 ",
		"review":            "5 findings: 2 agreed, 1 disputed, 2 by one seat; 1 high",
	}
	for name, s := range sessions() {
		for _, f := range []report.Format{report.Markdown, report.HTML} {
			text := renderText(t, s, f, report.Options{})
			at, body := strings.Index(text, want[name]), strings.Index(text, "Debate")
			if want[name] == "" || at < 0 || at > body {
				t.Errorf("%s, %s: %q does not stand at its top:\n%.300s", name, f, want[name], text)
			}
			if s.Verdict == nil && !strings.Contains(text, "No verdict. "+strings.TrimPrefix(want[name], "Partial. ")) {
				t.Errorf("%s, %s: it does not say that there is no verdict", name, f)
			}
		}
		var doc report.Document
		must.Do(t, json.Unmarshal(export(t, s, report.JSON, report.Options{}), &doc))
		if doc.State.Whole != (s.Verdict != nil && name != "no report" && name != "ranked") || doc.State.Text == "" {
			t.Errorf("%s: the state is %+v", name, doc.State)
		}
	}
}

// Nothing is to be done about an answer that the user cut off.
func TestExport_ofACancelledSeatHasNoRemedy(t *testing.T) {
	s := completed()
	x := &s.History[0].Responses[0]
	x.State, x.Statement = debate.TurnCancelled, debate.Statement{}
	x.Failure = &debate.TurnFailure{Cause: "Cut off when you ended the debate."}
	if got := renderText(t, s, report.Markdown, report.Options{}); !strings.Contains(got, "Cut off when you ended the debate.") ||
		strings.Contains(got, "Trying again") {
		t.Errorf("got\n%s", got)
	}
}

func TestExport_ofUnavailableSaysWhy(t *testing.T) {
	s := completed()
	s.Requests[0].Answers = []ledger.Answer{{Revision: 1, Outcome: ledger.Unavailable, Content: "Finance has not decided."}}
	for _, f := range []report.Format{report.Markdown, report.HTML} {
		text := renderText(t, s, f, report.Options{})
		for _, want := range []string{"Finance has not decided.", "Unavailable, "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing", f, want)
			}
		}
	}
}

func TestExport_redactsEveryForm(t *testing.T) {
	s := completed()
	var all strings.Builder
	for _, form := range secrettest.Forms() {
		all.WriteString(form.Text + "\n\n")
	}
	s.Requests[0].Answers[0].Content = all.String()
	for _, f := range report.Formats() {
		masked := strings.ReplaceAll(string(export(t, s, f, report.Options{Redact: true})), "\\", "")
		for _, form := range secrettest.Forms() {
			if strings.Contains(masked, form.Secret) {
				t.Errorf("%s: %q is there, of %q", f, form.Secret, form.Text)
			}
		}
	}
}

// unescaped takes off what Markdown puts into foreign text.
var unescaped = strings.NewReplacer("\\_", "_", "\u2060", "")

func TestExport_redactsOnlyWhereAskedTo(t *testing.T) {
	const secret = "AKIA0123456789ABCDEF"
	s := completed()
	s.Topic = "Is password = " + secret + " a key?"
	for _, f := range report.Formats() {
		open := unescaped.Replace(renderText(t, s, f, report.Options{}))
		masked := unescaped.Replace(renderText(t, s, f, report.Options{Redact: true}))
		if !strings.Contains(open, secret) || strings.Contains(masked, secret) {
			t.Errorf("%s: the key is masked without --redact, or not masked with it", f)
		}
		for _, kept := range []string{"password", "42 writes/s the writer is idle"} {
			if !strings.Contains(masked, kept) {
				t.Errorf("%s: %q is gone", f, kept)
			}
		}
		if f == report.HTML && !strings.Contains(masked, "what looked like a key or a password is masked") {
			t.Error("the page does not say that it is redacted")
		}
	}
}

func TestHTML_ofMarkdownFetchesNothing(t *testing.T) {
	s := completed()
	s.Verdict.Text = "![chart](https://evil.example/pixel.png) [docs](https://example.com/a \"t\") [odd](javascript:x) " +
		"<b>bold</b> https://example.com/b me@example.com\n\n# Top\n\n| a |\n| -: |\n| 1 |\n\n```go\nx := 1\n```\n\n<div>\nraw\n</div>\n"
	page := string(export(t, s, report.HTML, report.Options{}))
	for _, want := range []string{
		"![chart](https://evil.example/pixel.png) [docs](https://example.com/a", "[odd](javascript:x)", "&lt;b&gt;bold&lt;/b&gt;",
		"https://example.com/b me@example.com</p>", "<h1>Top</h1>", "| a |\n| -: |\n| 1 |\n</code></pre>", "x := 1\n</code></pre>",
		"&lt;div&gt;\nraw\n&lt;/div&gt;",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(page, "<img") || strings.Contains(page, `href="http`) || strings.Contains(page, "mailto:") {
		t.Error("an image or a link is in it")
	}
}

func TestFileName_isOneName(t *testing.T) {
	if got := report.FileName("k7m2x9qd4t", report.Comment); got != "roundtable-k7m2x9qd4t-pr.md" {
		t.Errorf("a comment is %s", got)
	}
	if got := report.FileName("k7m2x9qd4t", report.HTML); got != "roundtable-k7m2x9qd4t.html" {
		t.Errorf("got %s", got)
	}
}

// A required question holds the next round back, and nothing where none is left.
func TestWaits_forTheNextRound(t *testing.T) {
	s := debate.Session{
		Rounds: 2, History: []debate.Round{{Number: 1}},
		Requests: []ledger.Request{{ID: "C1", Priority: ledger.Required, State: ledger.Pending}},
	}
	if got := report.Waits(s); got != "Round 2 waits for C1 ()" {
		t.Errorf("%q", got)
	}
	s.Rounds = 1
	if got := report.Waits(s); got != "" {
		t.Errorf("after the last round: %q", got)
	}
}

// A pick of one sentence is written although it only repeats the position, and where there
// is none the reason is.
func TestExport_hasThePickOrWhyThereIsNone(t *testing.T) {
	s := completed()
	last := s.History[len(s.History)-1].Responses
	for i := range last {
		last[i].Statement.Body = "It is enough."
		last[i].Statement.Position = "It is enough."
	}
	s.Verdict.Pick = &debate.Pick{Agent: "cy", Reason: "It is short."}
	for _, f := range []report.Format{report.Markdown, report.HTML} {
		got := string(export(t, s, f, report.Options{}))
		_, after, _ := strings.Cut(got, "Strongest single answer: Cy")
		if said, _, _ := strings.Cut(after, "Everything after"); !strings.Contains(said, "It is short.") ||
			!strings.Contains(said, "It is enough.") {
			t.Errorf("%s: the pick is\n%s", f, said)
		}
	}
	s.Verdict.Pick = nil
	for _, f := range []report.Format{report.Markdown, report.HTML} {
		if got := string(export(t, s, f, report.Options{})); strings.Contains(got, "Strongest single answer: Cy") {
			t.Errorf("%s has a pick", f)
		}
	}
}

// What the rounds of a fork took before it was made is told apart from what it spends.
func TestReport_tellsWhatAForkInherited(t *testing.T) {
	t.Parallel()
	s := completed()
	s.ForkedFrom, s.ForkRound = "k1", 1
	took := debate.Spending{Cost: new(float64)}
	for i := range s.History[0].Responses {
		x := &s.History[0].Responses[i]
		x.Inherited, x.Calls, x.Usage.Input, x.Cost = true, 1, 5_000, ptr(0.25)
		took = took.Plus(x.Calls, x.Usage, x.Cost)
	}
	if got := budget.InheritedSpending(s); got.Calls != took.Calls || got.Usage != took.Usage || *got.Cost != *took.Cost {
		t.Fatalf("inherited: %+v, want %+v", got, took)
	}
	if total := budget.TotalSpending(s); total.Usage.Input >= budget.InheritedSpending(s).Usage.Input+5_000 {
		t.Errorf("the total has what was inherited: %+v", total)
	}
	r := report.Of(s, report.Options{})
	for format, want := range map[report.Format]string{
		report.Markdown: "; inherited, and not counted here: ", report.HTML: ">inherited<", report.JSON: `"fork_spent": {`,
	} {
		var text strings.Builder
		if err := r.Write(&text, format); err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%s: %v, without %q", format, err, want)
		}
	}
}

// askedAfter is a session with a follow-up that was answered and one that was cut off.
func askedAfter() debate.Session {
	s := completed()
	answer := func(number int, state debate.TurnState, text string) debate.Response {
		return debate.Response{
			Turn:  agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.FollowUpStep, Attempt: number, Agent: s.Seats[0].ID},
			State: state, Passages: []debate.Passage{{Text: text}},
		}
	}
	s.FollowUps = []debate.FollowUp{
		{Question: "Why?", Response: answer(1, debate.TurnDone, "Because\n\n## Verdict\nof \x1b[31mit.")},
		{Question: "And then?", Response: answer(2, debate.TurnRunning, "Half an ans")},
	}
	return s
}

func TestWrite_exportsFollowUps(t *testing.T) {
	for format, want := range map[report.Format][]string{
		report.Markdown: {
			"## Follow-up questions\n", "### 1 to Ada · ✓ done", "> Because", "> ## Verdict",
			"2 to Ada", "interrupted", "**Roundtable stopped before the answer was complete.**", "Partial text, not used:\n\n> Half an ans",
		},
		report.HTML: {
			`">Follow-up questions</h2>`, `">Follow-up questions</a>`, "1 to Ada", "Because", "! interrupted", "Partial text, not used:",
		},
		report.JSON: {`"followups": [`, `"problem": "Roundtable stopped before the answer was complete."`},
	} {
		got := string(export(t, askedAfter(), format, report.Options{}))
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s has no %q:\n%s", format, part, got)
			}
		}
		if strings.Contains(got, "\x1b") {
			t.Errorf("%s has an escape sequence", format)
		}
	}
}

// Every export says how the question is answered; the options of a choice are made safe.
func TestExport_saysHowTheQuestionIsAnswered(t *testing.T) {
	choice := completed()
	choice.Mode.Options = []string{"Stay", "Move\x1b[2J <b>"}
	for _, c := range []struct {
		name     string
		session  debate.Session
		question debate.QuestionKind
		want     string
		options  int
	}{
		{"open", choice, debate.QuestionOpen, "open, each names its answer", 0},
		{"a choice", choice, debate.QuestionChoice, "one of the options (Stay; Move <b>)", 2},
		{"a choice that is not filled", completed(), debate.QuestionChoice, "one of the options", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.session
			s.Question = c.question
			if got := report.Answers(s); got != c.want {
				t.Errorf("answers %q, want %q", got, c.want)
			}
			page := string(export(t, s, report.HTML, report.Options{}))
			want := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(c.want)
			if said := strings.Contains(page, "<li>Answers: "+want+"</li>"); said != (c.want != "") || strings.Contains(page, "Move <b>") {
				t.Errorf("the page says it: %v", said)
			}
			markdown := string(export(t, s, report.Markdown, report.Options{}))
			if said := strings.Contains(markdown, "- Answers: "); said != (c.want != "") {
				t.Errorf("the Markdown says it: %v", said)
			}
			var doc struct {
				Question debate.QuestionKind `json:"question"`
				Options  []string            `json:"options"`
			}
			must.Do(t, json.Unmarshal(export(t, s, report.JSON, report.Options{}), &doc))
			if doc.Question != c.question || len(doc.Options) != c.options {
				t.Errorf("the document has %+v", doc)
			}
		})
	}
}

func TestVotes_tellWhatTheFirstOnesCameToAlsoWhereNothingIsCompared(t *testing.T) {
	yes := func(s *debate.Session) {
		for i, x := range s.History[0].Responses {
			s.History[0].Responses[i] = said(x.Turn.Agent, 1, "yes", 0.6, "Move.", "It is enough.")
		}
	}
	for _, c := range []struct {
		name   string
		from   string
		change func(*debate.Session)
		want   []string
	}{
		{"compared", "whole", nil, []string{"First votes: No, 2 of 3; yes 1", "Now: Yes, 2 of 3; no 1"}},
		{"the same side by more", "whole", yes, []string{"First votes: Yes, 3 of 3", "Now: Yes, 2 of 3; no 1"}},
		{"a first vote is missing", "ended", nil, []string{"First votes: Split of 3: yes 1, no 1", "Now: Yes, 2 of 3; no 1"}},
		{"an open question", "whole", func(s *debate.Session) { s.Question = debate.QuestionOpen }, []string{
			"First votes: “no”, 2 of 3; “yes” 1", "Now: “yes”, 2 of 3; “no” 1",
		}},
		{"another model", "whole", func(s *debate.Session) {
			was := s.Seats[0]
			s.Seats[0].Model = "gpt-6"
			s.SeatChanges = []debate.SeatChange{{Agent: "ada", Round: 2, Was: was, Now: s.Seats[0]}}
		}, []string{"First votes: No, 2 of 3; yes 1", "Now: Yes, 2 of 3; no 1"}},
		{"one round", "blocked", nil, []string{"Now: Split of 3: yes 1, no 1"}},
	} {
		s := sessions()[c.from]
		if c.change != nil {
			c.change(&s)
		}
		got := report.VotesOf(s, verdict.Count(s)).Results()
		if got = got[:len(got)-1]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	s := sessions()["ended"]
	s.AuxiliarySpending = []debate.Spending{{Purpose: debate.ForChair, Calls: 2}, {Purpose: debate.ForFollowUp, Calls: 4}}
	if got := report.VotesOf(s, verdict.Count(s)).Spent; !strings.Contains(got, "15 calls") || !strings.Contains(got, "after the first votes 9 calls") {
		t.Errorf("spent: %q", got)
	}
}

func brief(t *testing.T, s debate.Session, f report.Format) string {
	t.Helper()
	return string(export(t, s, f, report.Options{Brief: true}))
}

func TestBrief(t *testing.T) {
	for name, s := range map[string]debate.Session{
		"review": debatetest.Reviewed(), "blocked": needsContext(),
	} {
		t.Run(name+".md", func(t *testing.T) { golden.RequireEqual(t, brief(t, s, report.Markdown)) })
		t.Run(name+".html", func(t *testing.T) {
			_, page, _ := strings.Cut(brief(t, s, report.HTML), "</style>") // the same on every page
			golden.RequireEqual(t, page)
		})
	}
}

func TestExport_saysTheHeadlineOnceAndHashesInJSONOnly(t *testing.T) {
	s := withEvidence()
	for _, f := range report.Formats() {
		got := string(export(t, s, f, report.Options{}))
		if n := strings.Count(got, report.Line(s)); n != 1 && f != report.JSON {
			t.Errorf("%s has the headline %d times", f, n)
		}
		if has := strings.Contains(got, s.Evidence[0].SHA256); has != (f == report.JSON) {
			t.Errorf("%s has the hash: %t", f, has)
		}
	}
}

// A fence is of prompts alone, whoever copies it.
func TestExport_hasNoFenceAndKeepsEmoji(t *testing.T) {
	const family = "👩‍👩‍👧"
	s := completed()
	s.Nonce = "a secret"
	snap := must.Get(prompt.NewSnapshot(s, 2))(t)
	fenced := snap.Fence("result of notes", "Kept.")
	mark, _, _ := strings.Cut(fenced, " ")
	said := &s.History[0].Responses[0]
	said.Statement.Body = "It says:\n" + fenced + "\nand " + mark + " again " + family + "."
	said.Passages = append([]debate.Passage{{Tools: []debate.ToolRecord{{
		Name: "notes", State: debate.ToolDone, Result: agents.ToolResult{Text: fenced},
	}}}}, said.Passages...)
	for _, f := range report.Formats() {
		got := string(export(t, s, f, report.Options{}))
		if strings.Contains(got, mark) || !strings.Contains(got, "Kept.") {
			t.Errorf("%s: a mark of a prompt is in it, or the text is not", f)
		}
		if !strings.Contains(got, family) {
			t.Errorf("%s: the emoji is taken apart", f)
		}
	}
}
