package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
)

// outlined returns a session in outline, and what reads its responses.
func outlined(s debate.Session) (debate.Session, func(agents.Turn) (debate.Response, error)) {
	whole := map[agents.Turn]debate.Response{}
	s.History = slices.Clone(s.History)
	for i := range s.History {
		r := &s.History[i]
		r.Responses = slices.Clone(r.Responses)
		for j, x := range r.Responses {
			if x.State != debate.TurnRunning {
				whole[x.Turn], r.Responses[j] = x, x.Outline()
			}
		}
	}
	return s, func(t agents.Turn) (debate.Response, error) {
		x, ok := whole[t]
		if !ok {
			return x, fmt.Errorf("there is no %s", debate.TurnID(t))
		}
		return x, nil
	}
}

// A session in outline is exported as the whole one, text by text.
func TestExport_ofAnOutlineIsThatOfTheSession(t *testing.T) {
	all := sessions()
	hostile := completed()
	for i := range hostile.History[1].Responses {
		x := &hostile.History[1].Responses[i]
		x.Statement.Body = "Hidden [C\u200b1] \x1b[31m[F1] <b>sk-0123456789abcdefghij</b> ![x](http://x)"
		x.Passages = []debate.Passage{{Text: x.Statement.Body}}
	}
	all["hostile"] = hostile
	for name, s := range all {
		for _, f := range report.Formats() {
			redact := name == "hostile"
			want := export(t, s, f, report.Options{Redact: redact})
			outline, read := outlined(s)
			if got := export(t, outline, f, report.Options{Redact: redact, Response: read}); !bytes.Equal(got, want) {
				t.Errorf("%s, %s: the export differs:\n%s\nwant\n%s", name, f, got, want)
			}
		}
	}
}

// An export that misses a text fails, and says why.
func TestWrite_returnsTheErrorOfAResponse(t *testing.T) {
	outline, _ := outlined(completed())
	read := func(agents.Turn) (debate.Response, error) {
		return debate.Response{}, errors.New("the debate is gone")
	}
	for _, f := range report.Formats() {
		var b bytes.Buffer
		err := report.Of(outline, report.Options{Response: read}).Write(&b, f)
		if err == nil || !strings.Contains(err.Error(), "the debate is gone") {
			t.Errorf("%s: %v", f, err)
		}
	}
}
