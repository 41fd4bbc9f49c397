package prompt_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// answered is a follow-up that a member has answered.
func answered(n int, who agents.ID, question, text string) debate.FollowUp {
	return debate.FollowUp{Question: question, Response: debate.Response{
		Turn:  agents.Turn{Round: 1, Step: debate.FollowUpStep, Attempt: n, Agent: who},
		State: debate.TurnDone, Passages: []debate.Passage{{Text: text}},
	}}
}

func TestFollowUp_saysWhatTheVerdictAndEarlierAnswersWere(t *testing.T) {
	_, f := collaboration(t)
	f.Say("ada", debatetest.Statement("So be it.", "Split it.", "yes", 0.9))
	f.EndRound()
	f.Verdict = &debate.Verdict{Text: "Split it, says the chair.", Chair: "zed"}
	failed := answered(2, "brook", "Really?", "Half an ans")
	failed.Response.State = debate.TurnInterrupted
	f.FollowUps = []debate.FollowUp{answered(1, "ada", "Why?", "Because."), failed, answered(3, "ada", "How?", "Thus.")}
	f.FollowUps[2].Response.Finish = agents.FinishLength
	for who, role := range map[agents.ID]string{"ada": "You were a member (seat 1, ", "zed": "You were the chair and wrote the verdict."} {
		p, _, err := prompt.FollowUp(f.Session, agents.Profile{ID: who, Name: "X"}, "And now?")
		must.Do(t, err)
		got := debatetest.RenderPrompt(p)
		for _, part := range []string{
			role, "Split it, says the chair.", "So be it.", "follow-up 1, answered by", "Question: Why?\nAnswer: Because.",
			"cut off\nQuestion: How?\nAnswer: Thus.",
			"The user asks:\nAnd now?\n\nAnswer it now.",
		} {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %q in\n%s", who, part, got)
			}
		}
		if strings.Contains(got, "Half an ans") || strings.Contains(got, "Really?") {
			t.Errorf("what failed is passed on:\n%s", got)
		}
		if _, outside := debatetest.ReadBlocks(t, got); strings.Contains(outside, "Because.") || strings.Contains(outside, "says the chair") {
			t.Errorf("foreign text stands outside of the blocks:\n%s", outside)
		}
	}
}

func TestFollowUp_fitsTheWindow(t *testing.T) {
	_, f := collaboration(t)
	for _, who := range []agents.ID{"ada", "brook", "cy"} {
		f.Say(who, debatetest.Statement(debatetest.Prose("argument", 9000), "Split it.", "yes", 0.9))
	}
	f.EndRound()
	f.Verdict = &debate.Verdict{Text: "Split it.", Chair: "zed"}
	for i := range 40 {
		f.FollowUps = append(f.FollowUps, answered(i+1, "ada", "Why?", debatetest.Prose("answer", 900)))
	}
	who := agents.Profile{ID: "zed", Name: "Zed", ContextWindow: 8000, MaxTokens: 500}
	p, _, err := prompt.FollowUp(f.Session, who, "And now?")
	must.Do(t, err)
	if tokens := (agents.Request{Messages: p.Messages()}).Tokens(); tokens > budget.PromptLimit(f.Session, who, 3) {
		t.Errorf("%d tokens are more than %d", tokens, budget.PromptLimit(f.Session, who, 3))
	}
	text := debatetest.RenderPrompt(p)
	if !strings.Contains(text, "[left out, since they do not fit: the ") || !strings.Contains(text, "follow-up 40, ") ||
		strings.Contains(text, "follow-up 1, ") {
		t.Errorf("not the oldest follow-ups are left out:\n%s", text)
	}
	if _, fit, _ := prompt.FollowUp(f.Session, who, "And now?"); fit == nil || len(fit.Excerpts) == 0 {
		t.Errorf("the fit is %+v", fit)
	}
}
