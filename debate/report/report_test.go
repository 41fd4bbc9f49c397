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
			if before, rest, ok := strings.Cut(text, "<style>"); ok && (o.Live || o.Brief) { // the same on every page
				_, after, _ := strings.Cut(rest, "</style>")
				text = before + "<style></style>" + after
			}
			golden.RequireEqual(t, text)
		})
	}
}

// Each kind of debate in Markdown; the pages and the JSON of one each.
func TestExport(t *testing.T) {
	compare(t, "ended", withEvidence(), report.Options{}, report.Markdown, report.JSON)
	compare(t, "blocked", needsContext(), report.Options{}, report.Markdown)
	compare(t, "review", debatetest.Reviewed(), report.Options{}, report.Markdown)
	compare(t, "ranked", ranked(), report.Options{}, report.HTML)
	compare(t, "live", running(), report.Options{Live: true, Holder: debate.Holder{Runs: true}}, report.Markdown, report.HTML)
}

// unescaped takes off what Markdown puts into foreign text.
var unescaped = strings.NewReplacer("\\", "", "\u2060", "")

// renderText returns the words of an export as a reader sees them, with single spaces.
func renderText(t *testing.T, s debate.Session, f report.Format, o report.Options) string {
	t.Helper()
	raw := export(t, s, f, o)
	switch f {
	case report.Markdown:
		return strings.Join(strings.Fields(unescaped.Replace(string(raw))), " ")
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

// What no golden has, as a reader of the Markdown and of the page sees it.
func TestExport_says(t *testing.T) {
	for _, c := range []struct {
		name    string
		session debate.Session
		change  func(*debate.Session)
		wants   []string
		not     string
	}{
		{"no remedy for what the user cut off", completed(), func(s *debate.Session) {
			x := &s.History[0].Responses[0]
			x.State, x.Statement = debate.TurnCancelled, debate.Statement{}
			x.Failure = &debate.TurnFailure{Cause: "Cut off when you ended the debate."}
		}, []string{"Cut off when you ended the debate."}, "Trying again"},
		{"why there is no answer", completed(), func(s *debate.Session) {
			s.Requests[0].Answers = []ledger.Answer{{Revision: 1, Outcome: ledger.Unavailable, Content: "Finance has not decided."}}
		}, []string{"Finance has not decided.", "Unavailable, "}, ""},
		{"a pick that only repeats the position", completed(), func(s *debate.Session) {
			s.History[1].Responses[2].Statement = debate.Statement{Body: "It is enough.", Position: "It is enough."}
			s.Verdict.Pick = &debate.Pick{Agent: "cy", Reason: "It is short."}
		}, []string{"Strongest single answer: Cy It is short. It is enough. "}, ""},
		{"what nobody compared, read or was shown", debatetest.Reviewed(), func(s *debate.Session) {
			s.History[0].Same = &debate.SameFindings{By: "Lum", Ignored: "it holds no groups"}
			for i := range s.History {
				for j := range s.History[i].Responses {
					st := &s.History[i].Responses[j].Statement
					st.Findings, st.Judgements, st.Shown = nil, nil, []debate.Citation{{ID: "F1", From: 1, To: 4}}
				}
			}
		}, []string{
			"No findings read of 4.", "Findings are one by title and place alone: Lum could not compare them (it holds no groups).",
			"shown to no seat: lines ",
		}, ""},
	} {
		c.change(&c.session)
		for _, f := range []report.Format{report.Markdown, report.HTML} {
			got := strings.ReplaceAll(renderText(t, c.session, f, report.Options{}), " > ", " ")
			for _, want := range c.wants {
				if !strings.Contains(got, want) {
					t.Errorf("%s, %s: no %q in\n%s", c.name, f, want, got)
				}
			}
			if c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("%s, %s: %q is in\n%s", c.name, f, c.not, got)
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
		state, whole := report.Of(s, report.Options{}).State, s.Verdict != nil && name != "no report" && name != "ranked"
		if state.Whole != whole || state.Text == "" {
			t.Errorf("%s: the state is %+v", name, state)
		}
	}
}

func TestExport_redactsOnlyWhereAskedTo(t *testing.T) {
	const token, key = "AKIA0123456789ABCDEF", "MIIBVgIBADANBgkqhkiG"
	s := withEvidence()
	s.Topic = "Is password = " + token + " a key?"
	s.Evidence = s.Evidence[:1]
	s.Evidence[0].Text = "one\n-----BEGIN PRIVATE KEY-----\n" + key + "\n" + key + "\n-----END PRIVATE KEY-----\nsix\n"
	s.Verdict.Text = "See [F1:3-4] and [F1:6]."
	var forms strings.Builder
	for _, form := range secrettest.Forms() {
		forms.WriteString(form.Text + "\n\n")
	}
	s.Requests[0].Answers[0].Content = forms.String()
	for _, f := range report.Formats() {
		open := unescaped.Replace(string(export(t, s, f, report.Options{})))
		masked := unescaped.Replace(string(export(t, s, f, report.Options{Redact: true})))
		for _, form := range append(secrettest.Forms(), secrettest.Form{Secret: token}, secrettest.Form{Secret: key}) {
			if strings.Contains(masked, form.Secret) {
				t.Errorf("%s: %q is there, of %q", f, form.Secret, form.Text)
			}
		}
		if !strings.Contains(open, token) || !strings.Contains(open, key) {
			t.Errorf("%s: a key is masked without --redact", f)
		}
		for _, kept := range []string{"password", "It prints a fence", "six"} {
			if !strings.Contains(masked, kept) {
				t.Errorf("%s: %q is gone", f, kept)
			}
		}
		if f == report.HTML && !strings.Contains(masked, "what looked like a key or a password is masked") {
			t.Error("the page does not say that it is redacted")
		}
	}
}

func TestFileName_isOneName(t *testing.T) {
	for f, want := range map[report.Format]string{report.Comment: "roundtable-k7m2x-pr.md", report.HTML: "roundtable-k7m2x.html"} {
		if got := report.FileName("k7m2x", f); got != want {
			t.Errorf("%s is %s", f, got)
		}
	}
}

// A required question holds the next round back, and nothing where none is left.
func TestWaits_forTheNextRound(t *testing.T) {
	waiting := []ledger.Request{{ID: "C1", Priority: ledger.Required, State: ledger.Pending}}
	s := debate.Session{History: []debate.Round{{Number: 1}}, Requests: waiting}
	for rounds, want := range map[int]string{2: "Round 2 waits for C1 ()", 1: ""} {
		if s.Rounds = rounds; report.Waits(s) != want {
			t.Errorf("after round 1 of %d: %q", rounds, report.Waits(s))
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
	if total := budget.TotalSpending(s); total.Usage.Input >= took.Usage.Input+5_000 {
		t.Errorf("the total has what was inherited: %+v", total)
	}
	for format, want := range map[report.Format]string{
		report.Markdown: "; inherited, and not counted here: ", report.HTML: ">inherited<", report.JSON: `"fork_spent": {`,
	} {
		if got := string(export(t, s, format, report.Options{})); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", format, want, got)
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
			for _, f := range []report.Format{report.Markdown, report.HTML} {
				if got := renderText(t, s, f, report.Options{}); !strings.Contains(got, "Answers: "+c.want) {
					t.Errorf("%s does not say it: %s", f, got)
				}
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

func TestBrief(t *testing.T) {
	for name, s := range map[string]debate.Session{
		"review": debatetest.Reviewed(), "blocked": needsContext(),
	} {
		compare(t, name, s, report.Options{Brief: true}, report.Markdown, report.HTML)
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
