package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
)

const reviewedDiff = "--- a/db.go\n+++ b/db.go\n@@ -10,2 +10,4 @@ func Open() {\n" +
	" \tf := open()\n+\tif f == nil {\n+\t\tpanic(f)\n-\treturn f\n+\treturn g\n"

// replyReviewing reports findings in round 1, and in round 2 judges those that it is shown by
// their titles.
func replyReviewing(findings string, judge map[string]string) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		block := `"findings": [` + findings + `]`
		if user := req.Messages[1].Text; strings.Contains(user, "This is round 2 of 2") {
			block = `"judgements": [` + strings.Join(judgeShown(user, judge), ", ") + `]`
		}
		return replyText("I have read it.\n\n```json\n{\"position\": \"It has defects.\", \"confidence\": 0.6, "+block+"}\n```")(n, req)
	}
}

func judgeShown(user string, judge map[string]string) []string {
	var out []string
	for title, opinion := range judge {
		head, _, found := strings.Cut(user, ", severity high\nTitle: "+title+"\n")
		if !found {
			continue
		}
		id := head[strings.LastIndex(head, " ")+1:]
		out = append(out, fmt.Sprintf(`{"finding": %q, "true": %q, "worth_fixing": "yes", "why": "So says [F1:6]."}`, id, opinion))
	}
	slices.Sort(out)
	return out
}

func finding(title, where string) string {
	return fmt.Sprintf(`{"title": %q, "where": %q, "severity": "high", "why": "It goes wrong."}`, title, where)
}

// reviewers are three seats: two report one defect in other words, one a false one, and one
// reports a defect that the other two miss.
func reviewers() map[string]replyFunc {
	return map[string]replyFunc{
		"ann": replyReviewing(finding("Wrong variable", "F1:8")+", "+finding("Never closed", "db.go:10"), map[string]string{"Loops": "no"}),
		"ben": replyReviewing(finding("Returns g", "db.go:13"), map[string]string{"Never closed": "cannot tell", "Loops": "no"}),
		"cat": replyReviewing(finding("Loops", "F1:5"), map[string]string{"Wrong variable": "yes", "Returns g": "yes"}),
	}
}

func (h *harness) startReview(change func(*debate.Session)) debate.Session {
	return h.smallSession("review", 2, func(s *debate.Session) {
		s.Evidence = []debate.Evidence{debate.NewEvidence("pr.diff", debate.EvidenceDiff, reviewedDiff, "")}
		s.Evidence[0].ID = "F1"
		s.Nonce = "the same"
		for i := range s.Seats {
			s.Seats[i].ContextWindow = 60000
		}
		change(s)
	}, "ann", "ben", "cat")
}

func addChair(s *debate.Session) {
	s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Provider: "test", Model: "light"}
}

func listOf(s debate.Session) string {
	var out []string
	for _, f := range verdict.Review(s) {
		at := []string{}
		for _, p := range f.Places {
			at = append(at, p.String())
		}
		out = append(out, fmt.Sprintf("%s %s: %s at %s by %v", f.ID, f.State, f.Title, strings.Join(at, " and "), f.FoundBy))
	}
	return strings.Join(out, "\n")
}

const reviewedList = "H1 agreed: Wrong variable at db.go:13 by [ann ben]\n" +
	"H2 single: Never closed at db.go:10 by [ann]\n" +
	"H3 refuted: Loops at db.go:11 by [cat]"

func TestReview_isFoundMergedAndJudged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*debate.Session)
		by     string
		said   string
		read   bool
	}{
		{"by the light model", addLight, "Light", `{"groups": [["H1", "H3"]]}`, true},
		{"by the chair", addChair, "Zed", `{"groups": [["H1", "H3"]]}`, true},
		{"by nobody", addLight, "Light", "I do not know.", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			replies := reviewers()
			replies["light"] = replyText(c.said)
			h := newHarness(t, replies)
			_, s := h.runToVerdict(h.startReview(c.change))
			got := listOf(s)
			if same := s.History[0].Same; same.By != c.by || (same.Ignored == "") != c.read || (got == reviewedList) != c.read {
				t.Errorf("compared: %+v\n%s", same, got)
			}
			want := debate.FindingCounts{Agreed: 1, Single: 1, Refuted: 1, High: 2}
			if counted := verdict.Count(s).Result.Findings; c.read && *counted != want {
				t.Errorf("counted: %+v", counted)
			}
			if read := h.read(s); listOf(read) != got {
				t.Errorf("read back:\n%s", listOf(read))
			}
			if n := len(h.provider.requests("light")); c.by == "Light" && n != 1 {
				t.Errorf("the light model was asked %d times", n)
			}
			for _, seat := range []string{"ann", "ben", "cat"} {
				if user := h.userPrompt(seat, 2); strings.Count(user, "I have read it") > 1 {
					t.Errorf("%s is shown who found what:\n%s", seat, user)
				}
			}
		})
	}
}

// Round 2 judges only: what a seat reports there is ignored, and a notice says so.
func TestReview_ignoresWhatIsReportedInRoundTwo(t *testing.T) {
	t.Parallel()
	replies := reviewers()
	replies["light"] = replyText(`{"groups": [["H1", "H3"]]}`)
	judge := replies["ben"]
	late := finding("Too late", "F1:6") + ", " + finding("Later still", "F1:8")
	replies["ben"] = func(n int, req agents.Request) ([]agents.Chunk, error) {
		chunks, err := judge(n, req)
		for i := range chunks {
			chunks[i].Text = strings.Replace(chunks[i].Text, `"judgements":`, `"findings": [`+late+`], "judgements":`, 1)
		}
		return chunks, err
	}
	h := newHarness(t, replies)
	_, s := h.runToVerdict(h.startReview(addLight))
	if got := listOf(s); got != reviewedList || verdict.Count(s).Incomplete {
		t.Errorf("%+v\n%s", verdict.Count(s), got)
	}
	notices := noticesOf(s, "late_findings")
	const want = "BEN reports 2 findings in round 2, in which findings are only judged; they are ignored."
	if !slices.Equal(notices, []string{want}) {
		t.Errorf("notices %q", notices)
	}
	for _, req := range h.provider.requests("ben") {
		if user := req.Messages[1].Text; strings.Contains(user, "This is round 2 of 2") && strings.Contains(user, `"findings":`) {
			t.Errorf("round 2 asks for findings:\n%s", user)
		}
	}
}
