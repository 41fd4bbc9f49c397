package prompt

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Chair returns the prompt of a chair: the rules of the report, all statements and
// answers, the cited lines of the evidence, and the question. Statements are shortened to
// fit the chair's window, with the summaries that the session has; fit is nil if none is.
func Chair(s debate.Session, chair agents.Profile) (Prompt, *debate.ContextFit, error) {
	f, err := ChairFitter(s, chair)
	if err != nil {
		return Prompt{}, nil, err
	}
	p, fit := f.fitWithSummaries(s)
	return p, fit, nil
}

// ChairFitter returns the Fitter of a chair's prompt.
func ChairFitter(s debate.Session, chair agents.Profile) (Fitter, error) {
	chair = s.WithOutputLimit(chair)
	snap, err := NewSnapshot(s, len(s.History))
	if err != nil {
		return Fitter{}, err
	}
	last := s.History[len(s.History)-1]
	snap = snap.With(last.Latest())
	snap.Missing = slices.Concat(snap.Missing, s.SilentSeats(last))
	limit := budget.PromptLimit(s, chair, snap.Round+1)
	snap = snap.withCitedEvidence(s, chair)
	return Fitter{
		snap: snap, speaker: chair.ID, recent: snap.Round, limit: limit, goal: limit,
		build: func(n Snapshot) Prompt { return chairPrompt(s, n, chair) },
	}, nil
}

func chairPrompt(s debate.Session, snap Snapshot, chair agents.Profile) Prompt {
	candidates := verdict.Candidates(s, chair.ID)
	p := snap.debated(s, chair, chairText(s, snap.fence, chair, len(candidates) > 0))
	var b strings.Builder
	if len(candidates) > 0 {
		b.WriteString("The answers to pick from are the last ones of " + strings.Join(text.Each(candidates, s.PromptName), ", ") + ".\n")
	}
	if s.Stopped.Forced() {
		fmt.Fprintf(&b, "The debate was stopped after round %d of %d. Say what that leaves open.\n", snap.Round, s.Rounds)
	}
	b.WriteString(decisions[verdict.Count(s).Result.Kind] + "Write the report now.")
	p.add(debate.Part{Title: "what decides, and the task", Text: b.String()})
	return p
}

func (snap Snapshot) debated(s debate.Session, reader agents.Profile, system string) Prompt {
	p := Prompt{System: system}
	p.add(snap.questionPart(), snap.evidenceParts[1])
	p.add(snap.history("", reader.ID)...)
	p.add(snap.countPart(s))
	return p
}

func (snap Snapshot) countPart(s debate.Session) debate.Part {
	counted := verdict.Count(s)
	words := verdict.WordsOf(s, counted)
	lines := slices.Concat([]string{words.Line().String()}, words.Rows(), verdict.FindingLines(s))
	for _, c := range words.Cautions() {
		lines = append(lines, "caution: "+c)
	}
	lines = text.Each(lines, snap.Anonymizer.Scrub)
	return debate.Part{Title: "what was counted", Text: "What the debate comes to, counted without a model. Where it and you differ, " +
		"the count is right:\n" + snap.fence.block("count", strings.Join(lines, "\n"))}
}

// WithReport returns the prompt of a chair whose report names none of the members to pick from: it asks for the block alone.
func (p Prompt) WithReport(s debate.Session, report string) Prompt {
	p.User = slices.Clip(p.User)
	p.add(debate.Part{Title: "the block", Text: "You have written this report:\n" + newFence(s.Nonce).block("your report", report) +
		"\nIts JSON block is missing, or its pick is none of the members to pick from. Only that block, please, and nothing else."})
	return p
}

// decisions say of each kind of result what decides.
var decisions = map[debate.ResultKind]string{
	debate.KindSide:       "What decides is the vote. Your answer is that of the majority; say who was outvoted.\n",
	debate.KindUndecided:  "Most members are undecided. Your answer says so, and what they would have to know.\n",
	debate.KindSplit:      "The vote is split. Your answer says so, and chooses no side for the members.\n",
	debate.KindNoMajority: "There is no majority. Your answer says so, and chooses no side for the members.\n",
	debate.KindNoVotes:    "No vote could be counted. Your answer says so; weigh the arguments, and say which of them weigh most.\n",
	debate.KindEstimate:   "What decides is the median of the members' numbers. Your answer is that number; say who stands far from it.\n",
	debate.KindRanking: "What decides is the members' ranking as it was counted. " +
		"Build on the answer that came first, and say what others do better.\n",
	debate.KindFindings: "What decides is the list of findings as it was counted.\n",
	debate.KindText:     "The author's text stands as it is; you answer about it.\n",
	debate.KindNone:     "Nothing decides by itself here. Weigh the arguments, and say which of them weigh most.\n",
}

// Chairs lists who may write the verdict, in the order in which they are tried: the configured
// chair, and the seats with a statement in the last round that has any. A critique has none.
func Chairs(s debate.Session) []agents.Profile {
	var out []agents.Profile
	if s.Mode.Critiques() {
		return out
	}
	if s.Chair != nil {
		out = append(out, *s.Chair)
	}
	for _, r := range slices.Backward(s.History) {
		answered := r.Answered()
		for _, p := range s.Seats {
			if slices.Contains(answered, p.ID) && (s.Chair == nil || p.ID != s.Chair.ID) {
				out = append(out, p)
			}
		}
		if len(answered) > 0 {
			break // a stopped last round may have no answers
		}
	}
	return out
}

const chairRules = "You are the chair of a structured debate that has ended. You write the report for the user who has to decide.\n" +
	"Rest on what the members said and on the user's answers, cited by their ids in square brackets; add no facts of " +
	"your own and cite nothing that is not there. Be fair to those who disagree: name them. Do not call a majority a " +
	"consensus.\n" +
	"\n" +
	"Write Markdown with these headings, translated into the language of the question, and leave out one that has nothing to " +
	"say:\n" +
	"## Answer\n" +
	"## Against it\n" +
	"## Why\n" +
	"## Where they differ\n" +
	"## Said by one only\n" +
	"## What nobody covered\n" +
	"## What would change it\n"

func chairText(s debate.Session, f fence, chair agents.Profile, pick bool) string {
	var b strings.Builder
	rules := chairRules
	if s.Mode.Reviews() {
		rules = reviewChairRules
	}
	b.WriteString(rules + "\nAnswer in the language of the question, headings too, in at most about ")
	fmt.Fprintf(&b, "%d words.\n%s%s\n", s.Mode.ReportLimit(), beganRule(s.Created), f.rule())
	if _, seat := s.Seat(chair.ID); seat > 0 {
		fmt.Fprintf(&b, "You were a member yourself (seat %d, %s): judge your own statements as strictly as the others'.\n",
			seat, s.PromptName(chair.ID))
	}
	b.WriteString("\nEnd with one fenced json block, and nothing after it. The block has the form of this example, " +
		"which is about another question:\n" + blockText(chairFields(pick)))
	return b.String()
}

func chairFields(pick bool) []blockField {
	fields := []blockField{
		{"position", `"Close the bridge until the north pier has been inspected."`, "the conclusion in one or two sentences."},
		{"confidence", "0.7", "how sure you are of it, a number from 0 to 1."},
	}
	if pick {
		fields = append(fields,
			blockField{"pick", `"Dora"`, "the member whose last answer is the strongest by itself, as it stands; by what it says, not by " +
				"how many agree with it."},
			blockField{"pick_reason", `"It alone says what the closing costs."`, "why, in one sentence."})
	}
	return fields
}

// FollowUp returns the prompt for a question that the user asks after the verdict: the
// debate as a chair gets it, the verdict, earlier follow-ups with an answer, and the
// question. Statements are shortened to fit the window of who is asked, with the
// summaries that the session has: no other is made, since rounds would use it.
func FollowUp(s debate.Session, who agents.Profile, question string) (Prompt, *debate.ContextFit, error) {
	f, err := ChairFitter(s, who)
	if err != nil {
		return Prompt{}, nil, err
	}
	f.build = func(n Snapshot) Prompt { return followUpPrompt(s, n, who, question) }
	p, fit := f.fitWithSummaries(s)
	return p, fit, nil
}

func followUpPrompt(s debate.Session, snap Snapshot, who agents.Profile, question string) Prompt {
	p := snap.debated(s, who, followUpText(s, snap.fence, who))
	report := strings.TrimSpace(snap.Anonymizer.Scrub(s.Verdict.Text))
	p.add(debate.Part{Title: "the verdict", Text: "The verdict:\n" + snap.fence.block("verdict", report)})
	p.add(earlierFollowUps(s, snap), debate.Part{
		Title: "the follow-up question",
		Text:  "The user asks:\n" + strings.TrimSpace(question) + "\n\nAnswer it now.",
	})
	return p
}

const maxEarlier = 10

func earlierFollowUps(s debate.Session, snap Snapshot) (none debate.Part) {
	var blocks []string
	for _, asked := range slices.Backward(s.FollowUps) {
		if !asked.Answered() || len(blocks) == maxEarlier {
			continue
		}
		label := fmt.Sprintf("follow-up %d, answered by %s", asked.Number(), snap.followUpName(s, asked.Response.Turn.Agent))
		if asked.Response.Finish == agents.FinishLength {
			label += ", cut off"
		}
		blocks = append(blocks, snap.fence.block(label, "Question: "+snap.Anonymizer.Scrub(strings.TrimSpace(asked.Question))+
			"\nAnswer: "+snap.Anonymizer.Scrub(strings.TrimSpace(asked.Text()))))
	}
	if len(blocks) == 0 {
		return none
	}
	slices.Reverse(blocks)
	return debate.Part{
		Title: "earlier follow-ups",
		Text:  "What the user has asked since the verdict:\n" + strings.Join(blocks, "\n"),
	}
}

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
	return b.String() + beganRule(s.Created) + f.rule()
}

const followUpWords = 250
