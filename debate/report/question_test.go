package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/testing/must"
)

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
