package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
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

// asksToCompare reports whether a model is asked which findings of a review are the same.
func asksToCompare(r agents.Request) bool {
	return strings.Contains(r.Messages[0].Text, "which reports of a review are about the same defect")
}

// replyComparing takes two findings of reviewers to be the same.
var replyComparing = replyText(`{"groups": [["H1", "H3"]]}`)

// newReview returns a harness with three reviewers and a light model.
func newReview(t *testing.T, light replyFunc) *harness {
	t.Helper()
	h := newHarness(t, reviewers())
	h.provider.replies["light"] = light
	return h
}

func TestComparison_isChargedToTheLightModelAndNotMadeAnew(t *testing.T) {
	t.Parallel()
	h := newReview(t, replyComparing)
	evs, s := h.run(h.startReview(func(s *debate.Session) {
		addLight(s)
		price := 1000.0
		s.Light.PriceIn, s.Light.PriceOut = &price, &price
	}))
	if len(s.AuxiliarySpending) != 1 || s.AuxiliarySpending[0].Purpose != debate.ForLight ||
		s.AuxiliarySpending[0].Calls != 1 || *s.AuxiliarySpending[0].Cost <= 0 {
		t.Errorf("it took %+v", s.AuxiliarySpending)
	}
	for _, ev := range eventsOf[debate.TurnStarted](evs) {
		if ev.Turn.Step < 0 {
			t.Errorf("the light model is shown as a seat: %+v", ev.Turn)
		}
	}
	turn := agents.Turn{Session: s.ID, Round: 1, Step: debate.CompareStep, Attempt: 1, Agent: "light"}
	if _, receipt, err := h.store.Prompt(t.Context(), s.ID, turn, 1); err != nil || receipt.Purpose != debate.ForLight || !receipt.Intact {
		t.Errorf("its receipt: %+v, %v", receipt, err)
	}
	if read := h.read(s); len(read.History[0].Same.Groups) != 1 || len(h.provider.requests("light")) != 1 {
		t.Errorf("read back: %+v", read.History[0].Same)
	}
}

func TestComparison_thatFailsSaysWhyAndTheRoundCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		light replyFunc
		cause string
	}{
		{"refused", replyFailing("Light is busy."), "Light is busy"},
		{"prose", replyText("They agree."), "holds no groups"},
		{"a panic", replyPanicking, "panic"},
		{"cut in its thoughts", replyThinking, cutInThoughts},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newReview(t, c.light)
			_, s := h.run(h.startReview(addLight))
			if same := h.read(s).History[0].Same; same == nil || same.By != "Light" || len(same.Groups) > 0 ||
				!strings.Contains(same.Ignored, c.cause) || s.Status() != debate.Ready {
				t.Fatalf("compared: %+v", same)
			}
			if room := h.provider.requests("light")[0].MaxTokens; room != 4000 {
				t.Errorf("asked with room for %d tokens", room)
			}
			if _, s = h.run(s); s.Status() != debate.Complete {
				t.Errorf("round 2: %s", s.Status())
			}
		})
	}
}

func TestComparison_thatIsStoppedIsMadeWhenTheRoundIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newReview(t, replyComparing)
		p := h.holding(asksModel("light"))
		run := h.engine.Start(t.Context(), h.startReview(addLight))
		_, s, err := follow(run, func(ev debate.Event) {
			if _, ok := ev.(debate.Assisting); ok {
				run.Stop()
			}
		})
		if !errors.Is(err, debate.ErrStopped) || s.Status() != debate.Interrupted {
			t.Fatalf("%v, %s", err, s.Status())
		}
		p.free.Store(true)
		if _, s = h.run(s); len(s.History[0].Same.Groups) != 1 || len(h.provider.requests("ann")) != 1 {
			t.Errorf("compared: %+v; a seat was asked %d times", s.History[0].Same, len(h.provider.requests("ann")))
		}
	})
}

func TestComparison_thatTakesTooLongIsIgnored(t *testing.T) {
	t.Parallel()
	for loop, limit := range map[bool]time.Duration{false: time.Minute, true: 5 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			h := newReview(t, replyComparing)
			h.holding(asksModel("light"))
			began := time.Now()
			evs, s := h.run(h.startReview(func(s *debate.Session) {
				addLight(s)
				s.Light.Loop = loop
			}))
			said := eventsOf[debate.Assisting](evs) // what the round waits for, before it is there
			if len(said) != 1 || said[0].Profile.Name != "Light" || said[0].Limit != limit || !said[0].At.Equal(began) {
				t.Errorf("said %+v", said)
			}
			if same := s.History[0].Same; same.Ignored != "Light did not answer within "+limit.String() || time.Since(began) != limit {
				t.Errorf("after %s: %+v", time.Since(began), same)
			}
			if s.AuxiliarySpending[0].Calls != 1 || s.Status() != debate.Ready {
				t.Errorf("%+v, %s", s.AuxiliarySpending, s.Status())
			}
		})
	}
}

// replyBlock answers with a text and a JSON block.
func replyBlock(text, block string) replyFunc {
	return replyText(text + "\n\n```json\n" + block + "\n```")
}

// replyByRound answers as the round asks for.
func replyByRound(rounds ...replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		for i, reply := range rounds {
			if strings.Contains(req.Messages[1].Text, "This is round "+string(rune('1'+i))+" of ") {
				return reply(n, req)
			}
		}
		return rounds[len(rounds)-1](n, req)
	}
}

// What a critique comes to: the author's text, who objected, and what the author did about it.
func TestCritique_comesToTheAuthorsText(t *testing.T) {
	t.Parallel()
	draft := replyBlock("The plan.", `{"position":"Go.","confidence":0.7}`)
	final := func(replies string) replyFunc {
		return replyByRound(draft, replyBlock("The better plan.", `{"position":"Go.","confidence":0.8,"replies":[`+replies+`]}`))
	}
	one := replyBlock("Nearly.", `{"position":"Nearly.","concerns":[{"title":"No date","where":"line 2","why":"It slips.","settles":"A date."}]}`)
	none := replyBlock("Fine.", `{"position":"Fine.","concerns":[]}`)
	const accept, ask = `{"concern":"H1","does":"accept","reason":"Dated."}`, `{"concern":"H1","does":"ask","reason":"You know."}`
	for _, c := range []struct {
		name            string
		author, b, c    replyFunc
		line, did, text string
		answered        bool
	}{
		{"answered", final(accept), one, none, "ANN's answer after 2 critics", "accepted", "The better plan.", true},
		{"the user decides", final(ask), one, none, "ANN's answer after 2 critics", "asks you", "The better plan.", false},
		{"ignored", final(""), one, none, "ANN's answer after 2 critics · incomplete (no reply: H1)", "no reply", "The better plan.", false},
		{
			"a critic fails", final(accept), one, replyFailing("down"),
			"ANN's answer after 1 critic · incomplete (no readable concerns: CY)", "accepted", "The better plan.", false,
		},
		{"nothing is wrong", final(""), none, none, "ANN's answer after 2 critics", "", "The better plan.", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, map[string]replyFunc{"ann": c.author, "bo": c.b, "cy": c.c})
			_, s := h.runToVerdict(h.session("critique", 2, "ann", "bo", "cy"))
			conclusion := report.Conclude(s, text.Clean)
			if got := conclusion.Line.String(); got != c.line || s.Verdict.Text != c.text || len(h.provider.requests("ann")) != 2 {
				t.Errorf("%q, %q after %d requests to the author", got, s.Verdict.Text, len(h.provider.requests("ann")))
			}
			did := ""
			for _, row := range conclusion.Table.Rows {
				did += row[len(row)-1]
			}
			if did != c.did {
				t.Errorf("the table is %v", conclusion.Table)
			}
			if f := verdict.Meets(s, verdict.Demand{Label: verdict.CritiqueAnswered}); f.Met != c.answered {
				t.Errorf("--require answered is met: %v %v", f.Met, f.Reasons)
			}
		})
	}
}
