package store_test

import (
	"errors"
	"fmt"
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

func TestJoin_storesTheAskersAndTheDraft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, second, want debate.Draft
	}{
		"no draft":               {},
		"of the joined one":      {second: debate.Draft{Text: "42", Source: "the log"}, want: debate.Draft{Text: "42", Source: "the log"}},
		"of the other":           {first: debate.Draft{Text: "42"}, want: debate.Draft{Text: "42"}},
		"of both":                {debate.Draft{Text: "42"}, debate.Draft{Text: "At peak.", Source: "the log"}, debate.Draft{Text: "42\n\nAt peak.", Source: "the log"}},
		"of both, added already": {debate.Draft{Text: "42\n\nAt peak."}, debate.Draft{Text: "At peak."}, debate.Draft{Text: "42\n\nAt peak."}},
		"with a reason typed too": {
			debate.Draft{Unavailable: true, Other: "42"},
			debate.Draft{Text: "Nobody knows.", Unavailable: true, Other: "43"},
			debate.Draft{Text: "Nobody knows.", Other: "42"},
		},
		"with a reason of the other only": {
			debate.Draft{Text: "42"},
			debate.Draft{Other: "Nobody knows."},
			debate.Draft{Text: "42", Other: "Nobody knows."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openNew(t)
			id := create(t, s).ID
			ask(t, s, seat(id, 1, "ada"), "a", "How many writes?", ledger.Optional)
			ask(t, s, seat(id, 1, "brook"), "b", "What writes, how many?", ledger.Required)
			must(t, s.SaveDraft(t.Context(), id, "C1", c.first))
			must(t, s.SaveDraft(t.Context(), id, "C2", c.second))
			changed, err := s.Join(t.Context(), id, "C2", "C1")
			must(t, err)
			d := get(t, s, id)
			if len(changed) != 2 || changed[0].JoinedTo != "C1" || fmt.Sprint(changed[1].Askers()) != "[ada brook]" {
				t.Errorf("changed: %+v", changed)
			}
			if r, _ := d.Request("C2"); r.State != ledger.Withdrawn || r.JoinedTo != "C1" {
				t.Errorf("C2: %+v", r)
			}
			if open := d.Unanswered(); len(open) != 1 || open[0].ID != "C1" {
				t.Errorf("open: %+v", open)
			}
			got := d.Drafts["C1"]
			if _, left := d.Drafts["C2"]; left || got.Text != c.want.Text || got.Source != c.want.Source || got.Other != c.want.Other {
				t.Errorf("drafts %+v, want %+v of C1", d.Drafts, c.want)
			}
			var refused *ledger.SubmissionError
			if _, err := s.Join(t.Context(), id, "C2", "C1"); !errors.As(err, &refused) {
				t.Errorf("a second time: %v", err)
			}
			more := ask(t, s, seat(id, 2, "brook"), "c", "What writes, how many?", ledger.Required)
			if more.Request.ID != "C1" || !more.Joined {
				t.Errorf("the same question later: %+v", more)
			}
		})
	}
}
