package verdict_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// answerKey is what can be reported of a change: a bug, or what only looks like one.
type answerKey struct {
	Title    string          `json:"title"`
	Place    string          `json:"place"`
	Line     string          `json:"line"` // as it stands there
	Severity debate.Severity `json:"severity"`
	Bug      bool            `json:"bug"`
}

// Seats that find different bugs of small changes, in their own words for the place, come to
// the answer key: every bug is confirmed at its line, and nothing else is.
func TestFindings_ofChangesWithKnownBugs(t *testing.T) {
	diffs, err := filepath.Glob("testdata/reviews/*.diff")
	if err != nil || len(diffs) != 6 {
		t.Fatalf("%d changes, %v", len(diffs), err)
	}
	for _, path := range diffs {
		for seats := 3; seats <= 5; seats++ {
			t.Run(fmt.Sprint(filepath.Base(path), " ", seats), func(t *testing.T) {
				reviewChange(t, path, seats)
			})
		}
	}
}

func reviewChange(t *testing.T, path string, seats int) {
	diff := must.Get(os.ReadFile(path))(t)
	raw := must.Get(os.ReadFile(strings.TrimSuffix(path, ".diff") + ".json"))(t)
	var keys []answerKey
	must.Do(t, json.Unmarshal(raw, &keys))
	f := debatetest.New(t, "review", 2, []string{"Ada", "Brook", "Cy", "Dee", "Eli"}[:seats]...)
	f.Bring(debate.NewEvidence("pr.diff", debate.EvidenceDiff, string(diff), ""))
	want, got := map[string]string{}, map[string]string{}
	f.BeginRound("")
	for i, p := range f.Seats {
		var list []string
		for k, key := range keys {
			where := key.Place
			if i >= len(keys) { // found again, and cited by the line of the diff
				where = fmt.Sprintf("F1:%d", 1+strings.Count(strings.SplitAfter(string(diff), key.Line+"\n")[0], "\n")-1)
			}
			if i%len(keys) == k || i == 0 && k >= seats { // each is found by one seat at least
				list = append(list, fmt.Sprintf(`{"title": %q, "where": %q, "severity": %q}`, key.Title, where, key.Severity))
			}
		}
		f.Say(p.ID, `So. {"position": "It has defects.", "findings": [`+strings.Join(list, ", ")+`]}`)
	}
	f.EndRound()
	found := verdict.FirstFindings(f.Session)
	f.BeginRound("")
	for _, p := range f.Seats {
		var list []string
		for _, x := range found {
			for _, key := range keys {
				if key.Title == x.Title {
					list = append(list, fmt.Sprintf(`{"finding": %q, "true": %t}`, x.ID, key.Bug))
				}
			}
		}
		f.Say(p.ID, `So. {"position": "It has defects.", "findings": [], "judgements": [`+strings.Join(list, ", ")+`]}`)
	}
	f.EndRound()
	for i, key := range keys {
		state := debate.FindingAgreed
		switch twice := i+len(keys) < seats; {
		case !key.Bug && twice:
			state = debate.FindingDisputed
		case !key.Bug:
			state = debate.FindingRefuted
		}
		want[key.Title] = fmt.Sprint(state, " ", key.Severity, " ", key.Place, " ", key.Line)
	}
	for _, x := range verdict.Review(f.Session) {
		for _, at := range x.Places {
			got[x.Title] = fmt.Sprint(x.State, " ", x.Severity, " ", at.String(), " ", at.Text)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(found) != len(keys) {
		t.Errorf("%d findings (-want +got):\n%s", len(found), diff)
	}
}
