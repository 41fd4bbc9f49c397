package report_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"golang.org/x/net/html"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
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
