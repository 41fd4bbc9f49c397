package debatetest

import (
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// ReviewedDiff is the evidence of Reviewed.
const ReviewedDiff = `diff --git a/tui/form.go b/tui/form.go
--- a/tui/form.go
+++ b/tui/form.go
@@ -40,6 +40,6 @@ func (f *Form) next() {
 	rows := f.rows()
-	if f.at >= len(rows) {
-		return
+	for i := 0; i <= len(rows); i++ {
+		f.draw(rows[i])
 	}
 	f.at++
 }
diff --git a/store/open.go b/store/open.go
--- a/store/open.go
+++ b/store/open.go
@@ -10,4 +10,5 @@ func Open(path string) (*Store, error) {
 	db, err := sql.Open("sqlite3", path)
+	_ = err
 	db.SetMaxOpenConns(1)
 	return &Store{db}, nil
 }
`

// Reviewed returns a review of ReviewedDiff by four seats with its verdict: a finding of each
// state, one that was merged, and one that was reported too late to be judged.
func Reviewed() debate.Session {
	at := time.Date(2026, 3, 1, 13, 30, 0, 0, time.UTC)
	seats := []agents.Profile{
		{ID: "ada", Name: "Ada", Provider: "openai", Model: "gpt-5-mini"},
		{ID: "brook", Name: "Brook", Provider: "anthropic", Model: "claude-sonnet"},
		{ID: "cy", Name: "Cy", Provider: "ollama", Model: "llama3.1"},
		{ID: "dee", Name: "Dee", Provider: "openai", Model: "gpt-5-mini"},
	}
	evidence, err := debate.AddEvidence(nil, []debate.Evidence{debate.NewEvidence("pr.diff", debate.EvidenceDiff, ReviewedDiff, "")})
	if err != nil {
		panic(err)
	}
	evidence[0].Added = at
	played := func(n int) debate.Round {
		r := debate.Round{Number: n, Began: at, Ended: at.Add(time.Minute), Manifest: debate.Manifest{
			Session: "v4t8x2k9qd", Round: n, Rounds: 2, Seats: []agents.ID{"ada", "brook", "cy", "dee"}, Evidence: []string{"F1"},
		}}
		for _, p := range seats {
			st := debate.Statement{Position: "See my list.", Body: "See my list.", Findings: reported(p.ID)}
			if n == 2 {
				st.Findings, st.Judgements = nil, judged(p.ID)
			}
			r.Responses = append(r.Responses, debate.Response{
				Turn:  agents.Turn{Session: "v4t8x2k9qd", Round: n, Attempt: 1, Agent: p.ID},
				State: debate.TurnDone, Finish: agents.FinishStop, Calls: 1, Began: at, Ended: at.Add(time.Minute), Statement: st,
			})
		}
		return r
	}
	return debate.Session{
		ID: "v4t8x2k9qd", Topic: "Review pr.diff", Title: "Forms draw all rows", Rounds: 2, Seats: seats,
		Created: at, Updated: at.Add(time.Hour), Nonce: "a secret",
		Mode: debate.Mode{
			Name: "review", Summary: "seats look for defects and judge what others found", MinSeats: 2, MaxSeats: 8, Rounds: 2,
			Order: debate.Parallel, Votes: debate.VotesNone, Asks: debate.AsksFindings, First: "Find.", Later: "Judge.", Last: "Judge.",
		},
		Question: debate.QuestionOpen, Evidence: evidence, History: []debate.Round{played(1), played(2)},
		Verdict: &debate.Verdict{
			Chair: "ada", ChairName: "Ada", ChairModel: "gpt-5-mini", ChairIsMember: true, Round: 2,
			Text: "The loop reads behind its slice [F1:8]. Mend that first.\n\nAn error of the database is dropped.",
		},
	}
}

// reported returns what a seat finds.
func reported(seat agents.ID) []debate.Finding {
	loop := debate.Finding{
		Title: "The loop reads one row too many", Where: "F1:8-9", Severity: debate.SeverityHigh,
		Why: "`i <= len(rows)` reaches `rows[len(rows)]`, which panics.",
		Fix: "Range over the slice:\n\n```go\nfor _, row := range rows {\n```",
	}
	dropped := debate.Finding{
		Title: "An error is dropped", Where: "store/open.go:11", Severity: debate.SeverityMedium,
		Why: "`sql.Open` can fail.", Fix: "Return it.",
	}
	switch seat {
	case "ada":
		return []debate.Finding{loop, dropped}
	case "brook":
		loop.Severity = debate.SeverityMedium
		return []debate.Finding{
			loop,
			{
				Title: "The check of the cursor is gone", Where: "F1:6-7", Severity: debate.SeverityMedium,
				Why: "f.at can pass the last row.",
			},
			{Title: "No test draws an empty form", Severity: debate.SeverityLow, Why: "The change is not tested."},
		}
	case "cy":
		return []debate.Finding{
			{Title: "Only one connection is allowed", Where: "F1:900", Severity: debate.SeverityLow, Why: "Readers wait for writers."},
			{Title: "Index out of range", Where: "F1:8-9", Severity: debate.SeverityHigh, Why: "It panics."},
		}
	}
	return []debate.Finding{dropped, {
		Title: "The path is not escaped", Where: "store/open.go:11", Severity: debate.SeverityLow, Why: "A path may hold a question mark.",
	}}
}

// judged returns what a seat says of what others found.
func judged(seat agents.ID) []debate.Judgement {
	yes, no, unsure := debate.OpinionYes, debate.OpinionNo, debate.OpinionUnsure
	switch seat {
	case "ada":
		return []debate.Judgement{
			{Finding: "H3", True: yes, WorthFixing: no, Why: "nobody calls it at the end"},
			{Finding: "H6", True: yes, SameAs: "H1", Why: "it is the same index"},
			{Finding: "H7", True: no, WorthFixing: no, Why: "the driver takes it as it is"},
		}
	case "brook":
		return []debate.Judgement{
			{Finding: "H6", True: yes, SameAs: "H1"}, {Finding: "H7", True: no, WorthFixing: no, Why: "it is no URL"},
		}
	case "cy":
		return []debate.Judgement{
			{Finding: "H1", True: yes, WorthFixing: yes, Why: "the index equals the length"},
			{Finding: "H3", True: no, Why: "the caller checks it"},
		}
	}
	return []debate.Judgement{{Finding: "H3", True: unsure, Why: "the caller is not in the diff"}}
}
