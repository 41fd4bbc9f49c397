package store_test

import (
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
)

// A draft that is saved after the answer does not come back where it says the same:
// the program may end before it knows that the answer was stored.
func TestDrafts_theWordsOfAnAnswerAreNoDraft(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ask(t, s, seat(id, 1, "ada"), "c", "One?", ledger.Required)
	save := func(d debate.Draft) debate.Draft {
		t.Helper()
		must.Do(t, s.SaveDraft(t.Context(), id, "C1", d))
		return get(t, s, id).Drafts["C1"]
	}
	save(debate.Draft{Text: "42"})
	must.Get(s.Answer(t.Context(), id, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "42 writes", Source: "the log"}))(t)
	if d := get(t, s, id).Drafts["C1"]; d != (debate.Draft{}) {
		t.Errorf("the answer leaves the draft %+v", d)
	}
	if d := save(debate.Draft{Text: "42 writes ", Source: "the log"}); d != (debate.Draft{}) {
		t.Errorf("the words of the answer are the draft %+v", d)
	}
	if d := save(debate.Draft{Text: "42 writes", Source: "the log", Unavailable: true}); !d.Unavailable {
		t.Errorf("the draft is %+v", d)
	}
	if d := save(debate.Draft{Text: "43 writes", Source: "the log"}); d.Text != "43 writes" || d.At.IsZero() {
		t.Errorf("the draft of another answer is %+v", d)
	}
	if d := save(debate.Draft{Text: "42 writes", Source: "the log"}); d != (debate.Draft{}) {
		t.Errorf("taken back to the answer, the draft is %+v", d)
	}
}
