package prompt

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
)

// FollowUp returns the prompt for a question that the user asks after the verdict: the
// debate as a chair gets it, the verdict, earlier follow-ups with an answer, and the
// question. Statements are shortened to fit the window of who is asked, with the
// summaries that the session has: no other is made, since rounds would use it.
func FollowUp(s debate.Session, who agents.Profile, question string) (Prompt, error) {
	f, err := followUpFitter(s, who, question)
	if err != nil {
		return Prompt{}, err
	}
	p, _ := f.fitWithSummaries(s)
	return p, nil
}

// FollowUpFit returns how the prompt of a follow-up question is shortened, nil if it is not.
func FollowUpFit(s debate.Session, who agents.Profile, question string) *debate.ContextFit {
	f, err := followUpFitter(s, who, question)
	return shortenings(s, f, err)
}

// followUpFitter returns the Fitter of a follow-up question, which is that of a chair with
// another prompt.
func followUpFitter(s debate.Session, who agents.Profile, question string) (Fitter, error) {
	f, err := ChairFitter(s, who)
	if err != nil {
		return f, err
	}
	if s.Verdict == nil {
		return f, &debate.NoVerdictError{Session: s.ID}
	}
	earlier := earlierFollowUps(s, f.snap, f.fence, f.limit/followUpShare)
	f.build = func(n Snapshot) Prompt { return followUpPrompt(s, n, f.fence, who, earlier, question) }
	return f, nil
}

// followUpShare is the part of a prompt that earlier follow-ups may take, as a divisor.
const followUpShare = 4

func followUpPrompt(s debate.Session, snap Snapshot, f fence, who agents.Profile, earlier []debate.Part, question string) Prompt {
	p := Prompt{System: followUpText(s, f, who), User: []debate.Part{snap.questionPart()}}
	if part, ok := snap.evidenceParts[1]; ok {
		p.User = append(p.User, part)
	}
	p.User = append(p.User, snap.history(f, who.ID)...)
	if lines := verdict.ResultLines(verdict.Results(s, snap.Round), s.PromptName); len(lines) > 0 {
		p.User = append(p.User, debate.Part{
			Title: "ballots, votes and scores",
			Text: "What the members' ballots, votes and scores come to, counted without a model:\n" +
				f.block("count", strings.Join(lines, "\n")),
		})
	}
	report := strings.TrimSpace(snap.Anonymizer.Scrub(s.Verdict.Text))
	p.User = append(p.User, debate.Part{Title: "the verdict", Text: "The verdict:\n" + f.block("verdict", report)})
	p.User = append(p.User, earlier...)
	return Prompt{p.System, append(p.User, debate.Part{
		Title: "the follow-up question",
		Text:  "The user asks:\n" + strings.TrimSpace(question) + "\n\nAnswer it now.",
	})}
}

// earlierFollowUps returns the follow-up questions that were answered, the oldest first. If
// all of them take more than a number of tokens, the oldest are left out.
func earlierFollowUps(s debate.Session, snap Snapshot, f fence, room int) []debate.Part {
	var blocks []string
	left := 0
	for _, asked := range slices.Backward(s.FollowUps) {
		if !asked.Answered() {
			continue
		}
		label := fmt.Sprintf("follow-up %d, answered by %s", asked.Number(), snap.followUpName(s, asked.Response.Turn.Agent))
		if asked.Response.Finish == agents.FinishLength {
			label += ", cut off"
		}
		block := f.block(label, "Question: "+snap.Anonymizer.Scrub(strings.TrimSpace(asked.Question))+
			"\nAnswer: "+snap.Anonymizer.Scrub(strings.TrimSpace(asked.Text())))
		if room -= agents.Tokens(block); room < 0 || left > 0 {
			left++
			continue
		}
		blocks = append(blocks, block)
	}
	slices.Reverse(blocks)
	if left > 0 {
		blocks = append([]string{fmt.Sprintf("[left out, since they do not fit: the %d oldest]", left)}, blocks...)
	}
	if len(blocks) == 0 {
		return nil
	}
	return []debate.Part{{
		Title: "earlier follow-ups",
		Text:  "What the user has asked since the verdict:\n" + strings.Join(blocks, "\n"),
	}}
}

// followUpName returns what prompts call who answered.
func (snap Snapshot) followUpName(s debate.Session, id agents.ID) string {
	if _, seat := snap.Profile(id); seat == 0 || id == s.Verdict.Chair {
		return chairPlaceholder
	}
	return snap.PromptName(id)
}

const followUpRules = "You answer a follow-up question of the user about a structured debate that has ended with a verdict.\n" +
	"Rest on what the members said, on the user's answers and on the evidence, cited by their ids in square brackets; cite " +
	"nothing that is not there. Where the debate does not answer the question, say so, and mark what you add yourself as your " +
	"own judgment. The verdict stays as it is: if the question shows that it would have to change, say what would have to be " +
	"debated again.\n"

// followUpText returns the rules of an answer to a follow-up question.
func followUpText(s debate.Session, f fence, who agents.Profile) string {
	var b strings.Builder
	b.WriteString(followUpRules)
	_, seat := s.Seat(who.ID)
	switch {
	case who.ID == s.Verdict.Chair && seat > 0:
		fmt.Fprintf(&b, "You wrote the verdict, and were a member yourself (seat %d, %s).\n", seat, s.PromptName(who.ID))
	case who.ID == s.Verdict.Chair:
		b.WriteString("You were the chair and wrote the verdict.\n")
	case seat > 0:
		fmt.Fprintf(&b, "You were a member (seat %d, %s); the user wants your own view of it.\n", seat, s.PromptName(who.ID))
	default:
		b.WriteString("You are the chair.\n")
	}
	fmt.Fprintf(&b, "Write Markdown without headings, in the language of the question, in at most about %d words.\n", followUpWords)
	if date := beganRule(s.Created); date != "" {
		b.WriteString(date + "\n")
	}
	b.WriteString(f.rule())
	return b.String()
}

// followUpWords is how long an answer to a follow-up question should be.
const followUpWords = 250
