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
			r.Responses = append(r.Responses, debate.Response{
				Turn:  agents.Turn{Session: "v4t8x2k9qd", Round: n, Attempt: 1, Agent: p.ID},
				State: debate.TurnDone, Finish: agents.FinishStop, Calls: 1, Began: at, Ended: at.Add(time.Minute),
				Statement: debate.Statement{Position: "See my list.", Body: "See my list."},
			})
		}
		return r
	}
	return debate.Session{
		ID: "v4t8x2k9qd", Topic: "Review pr.diff", Title: "Forms draw all rows", Rounds: 2, Seats: seats,
		Created: at, Updated: at.Add(time.Hour), Nonce: "a secret",
		Mode: debate.Mode{
			Name: "review", Summary: "seats look for defects and judge what others found", MinSeats: 2, MaxSeats: 8, Rounds: 2,
			Order: debate.Parallel, Votes: debate.VotesNone,
			First: "Find.", Later: "Judge.", Last: "Judge.",
		},
		Question: debate.QuestionOpen, Evidence: evidence, History: []debate.Round{played(1), played(2)},
		Verdict: &debate.Verdict{
			Outcome: debate.OutcomeFull, EndReason: "maximum of rounds", Chair: "ada", ChairName: "Ada", ChairModel: "gpt-5-mini",
			ChairIsMember: true, Rules: debate.VerdictRules, Form: debate.FormFindings,
			Headline: "2 confirmed findings, 1 high; 1 disputed; 2 seen by one seat only",
			Text:     "The loop reads behind its slice [F1:8]. Mend that first.\n\nAn error of the database is dropped.",
			Findings: &debate.Findings{
				List: reviewFindings(), Incomplete: []agents.ID{"cy"}, Unread: []agents.ID{"dee"}, Best: "ada", BestCount: 1,
			},
		},
	}
}

// reviewedPlaces returns places of ReviewedDiff: the loop, the lines that it replaces, and one in
// another file.
func reviewedPlaces() (loop, removed, open debate.CodePlace) {
	loop = debate.CodePlace{
		Stated: "F1:7-8", Cited: debate.Citation{ID: "F1", From: 7, To: 8}, File: "tui/form.go", Line: 41, End: 42,
		Text: "\tfor i := 0; i <= len(rows); i++ {\n\t\tf.draw(rows[i])",
	}
	removed = debate.CodePlace{
		Stated: "F1:5-6", Cited: debate.Citation{ID: "F1", From: 5, To: 6}, File: "tui/form.go", Line: 41, End: 42, Old: true,
		Text: "\tif f.at >= len(rows) {\n\t\treturn",
	}
	open = debate.CodePlace{
		Stated: "store/open.go:11", Cited: debate.Citation{ID: "F1", From: 17, To: 17}, File: "store/open.go", Line: 11, End: 11,
		Text: "\t_ = err",
	}
	return loop, removed, open
}

func reviewFindings() []debate.ReviewFinding {
	loop, removed, open := reviewedPlaces()
	reported := func(id agents.ID, f debate.ReviewFinding) debate.ReportedBySeat {
		return debate.ReportedBySeat{Agent: id, Finding: debate.Finding{Title: f.Title, Severity: f.Severity, Why: f.Why}}
	}
	judged := func(id agents.ID, finding string, o, worth debate.Opinion, why string) debate.SeatJudgement {
		return debate.SeatJudgement{Agent: id, Judgement: debate.Judgement{Finding: finding, True: o, WorthFixing: worth, Why: why}}
	}
	yes, no, unsure := debate.OpinionYes, debate.OpinionNo, debate.OpinionUnsure
	list := []debate.ReviewFinding{
		{
			ID: "H1", State: debate.FindingConfirmed, Title: "The loop reads one row too many", Severity: debate.SeverityHigh,
			Why:    "`i <= len(rows)` reaches `rows[len(rows)]`, which panics.",
			Fix:    "Range over the slice:\n\n```go\nfor _, row := range rows {\n```",
			Places: []debate.CodePlace{loop}, FoundBy: []agents.ID{"ada", "brook"},
			Judgements: []debate.SeatJudgement{judged("cy", "H1", yes, yes, "the index equals the length")},
		},
		{
			ID: "H2", State: debate.FindingDisputed, Title: "The check of the cursor is gone", Severity: debate.SeverityMedium,
			Why: "f.at can pass the last row.", Places: []debate.CodePlace{removed}, FoundBy: []agents.ID{"brook"},
			Judgements: []debate.SeatJudgement{
				judged("ada", "H2", yes, no, "nobody calls it at the end"), judged("cy", "H2", no, "", "the caller checks it"),
				judged("dee", "H2", unsure, "", "the caller is not in the diff"),
			},
		},
		{
			ID: "H3", State: debate.FindingConfirmed, Title: "An error is dropped", Severity: debate.SeverityMedium, OneModel: true,
			Why: "`sql.Open` can fail.", Fix: "Return it.", Places: []debate.CodePlace{open}, FoundBy: []agents.ID{"ada", "dee"},
		},
		{
			ID: "H4", State: debate.FindingOneSeat, Title: "Only one connection is allowed", Severity: debate.SeverityLow,
			Why: "Readers wait for writers.", FoundBy: []agents.ID{"cy"},
			Places: []debate.CodePlace{{Stated: "F1:900", Cited: debate.Citation{ID: "F1", From: 900, To: 900}, Absent: true}},
		},
		{
			ID: "H5", State: debate.FindingRefuted, Title: "The path is not escaped", Severity: debate.SeverityLow,
			Why: "A path may hold a question mark.", Places: []debate.CodePlace{open}, FoundBy: []agents.ID{"dee"},
			Judgements: []debate.SeatJudgement{
				judged("ada", "H5", no, no, "the driver takes it as it is"), judged("brook", "H5", no, no, "it is no URL"),
			},
		},
		{
			ID: "H6", State: debate.FindingOneSeat, Title: "No test draws an empty form", Severity: debate.SeverityLow,
			Why: "The change is not tested.", FoundBy: []agents.ID{"brook"},
		},
		{
			ID: "H7", State: debate.FindingOneSeat, Title: "Index out of range", Severity: debate.SeverityHigh, MergedInto: "H1",
			Places: []debate.CodePlace{loop}, FoundBy: []agents.ID{"cy"},
		},
	}
	for i, f := range list {
		for _, id := range f.FoundBy {
			list[i].Reports = append(list[i].Reports, reported(id, f))
		}
	}
	list[0].Reports[1].Title, list[0].Reports[1].Severity = "Index out of range when all rows are drawn", debate.SeverityMedium
	return list
}
