package prompt

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// prescribedStance returns the stance that a role gives to what is said in a phase, ""
// if members say there what they hold themselves, and debate.NoStance if they take no
// side.
func prescribedStance(m debate.Mode, phase string, role debate.Role) debate.Stance {
	switch {
	case votes(m, phase):
		return ""
	case role.Fixed, role.Stance == debate.NoStance, m.Votes != "":
		return role.Stance
	default:
		return ""
	}
}

func votes(m debate.Mode, phase string) bool {
	return m.Phase(phase).Asks == debate.AsksVote || phase != "" && phase == m.Votes
}

type blockField struct {
	name    string
	example string // in JSON
	meaning string
}

func (snap Snapshot) answerFormat(step debate.Step, role debate.Role) string {
	return fmt.Sprintf("Write your statement in Markdown, in at most about %d words. End it with one fenced json block, and nothing "+
		"after it", snap.Mode.WordLimit(step.Phase, snap.Round)) + snap.blockFormat(step, role)
}

// blockFormat ends a request for the structured part of a statement and shows its format.
// Its example names no id and no member, because models copy examples.
func (snap Snapshot) blockFormat(step debate.Step, role debate.Role) string {
	m, asks := snap.Mode, snap.Mode.Phase(step.Phase).Asks
	stance := prescribedStance(m, step.Phase, role)
	if snap.Question == debate.QuestionUnset && !role.Fixed && stance != debate.NoStance {
		stance = ""
	}
	argued := stance != "" && stance != debate.NoStance
	fields := []blockField{
		{"position", strconv.Quote(snap.examplePosition(asks, stance)), "your position in one or two sentences."},
		{"confidence", "0.7", "how sure you are of it, a number from 0 to 1."},
	}
	if argued {
		fields[0].meaning = "the position that your role argues for, in one or two sentences."
		fields[1].meaning = "how strong you find your role's case, a number from 0 to 1."
	}
	note := ""
	switch {
	case asks == debate.AsksRanking:
	case stance == debate.NoStance:
		note = "\nName no side: your role takes none."
	case argued:
		fields = append(fields[:1], snap.roleField(stance), fields[1])
	default:
		fields = append(fields[:1], snap.ownField(votes(m, step.Phase), role), fields[1])
	}
	switch asks {
	case debate.AsksRanking:
		fields = append(fields, rankingField(m))
	case debate.AsksScores:
		fields = append(fields, blockField{
			"scores", `[{"option": "north pier", "criterion": "traffic", "score": 8, "reason": "carries two thirds of it"}]`,
			"an entry for each option by each criterion, with a score from 0 to 10 and its reason in a few words.",
		})
	case debate.AsksStance, debate.AsksVote:
	}
	fields = append(fields, snap.citationFields()...)
	return ". The block has the form of this example, which is about another question:\n" + blockText(fields) + note
}

// citationFields ask for what a statement rests on. Nothing can be cited before there are
// answers or evidence, and a model that is asked for sources invents some.
func (snap Snapshot) citationFields() []blockField {
	citations := "[] here, since no facts have been given yet."
	used := citations
	switch facts, evidence := len(snap.Facts) > 0, len(snap.Evidence) > 0; {
	case facts && evidence:
		citations = `ids as "C1", and "F1:120-140" for lines of evidence, of what you were given; else [].`
	case facts:
		citations = `ids as "C1" only, of facts that stand above; else [].`
	case evidence:
		citations = `"F1:120-140" for lines of evidence that you were given; else [].`
	}
	if len(snap.Facts) > 0 {
		used = "the ids of the user's answers that you relied on; else []."
	}
	return []blockField{{"citations", "[]", citations}, {"context_used", "[]", used}}
}

func blockText(fields []blockField) string {
	var example, meanings strings.Builder
	for i, f := range fields {
		if i > 0 {
			example.WriteString(",\n")
		}
		fmt.Fprintf(&example, "  %q: %s", f.name, f.example)
		fmt.Fprintf(&meanings, "\n- %s: %s", f.name, f.meaning)
	}
	return "```json\n{\n" + example.String() + "\n}\n```\nThe fields:" + meanings.String()
}

func (snap Snapshot) examplePosition(asks debate.AskedField, stance debate.Stance) string {
	kind := snap.Question
	switch {
	case asks == debate.AsksRanking:
		return "The first of these answers is the most complete, the second has the best reasons."
	case stance == debate.NoStance:
		return "What would a year without the bridge cost, and whom?"
	case kind == debate.QuestionEstimate:
		return "The repair takes about twelve weeks if the steel arrives on time."
	case stance == debate.No:
		return "Keep the bridge open: the cracks are in the paint, not in the steel."
	case kind == debate.QuestionYesNo, kind == debate.QuestionUnset, stance != "":
		return "Close the bridge until the north pier has been inspected."
	default:
		return "Mend the north pier first, since most of the traffic rests on it."
	}
}

func (snap Snapshot) roleField(stance debate.Stance) blockField {
	f := blockField{"stance", strconv.Quote(string(stance)), fmt.Sprintf("%q, the side that your role argues for, whatever you hold "+
		"yourself.", stance)}
	switch snap.Question {
	case debate.QuestionOpen, debate.QuestionChoice:
		f.name = "choice"
	case debate.QuestionEstimate:
		f = estimateField("the figure that your role argues for, whatever you hold yourself")
	case debate.QuestionYesNo, debate.QuestionUnset:
	}
	return f
}

func (snap Snapshot) ownField(vote bool, role debate.Role) blockField {
	own := "your own answer to the question"
	if vote {
		own = "your vote, by what you hold yourself"
	}
	if role.Stance != "" && role.Stance != debate.NoStance {
		own += ", whatever your role argues for"
	}
	switch snap.Question {
	case debate.QuestionChoice:
		return blockField{"choice", `"north pier"`, own + `: one of the options that stand below the question, word for word, or ` +
			`"none of these".`}
	case debate.QuestionEstimate:
		return estimateField(own)
	case debate.QuestionOpen:
		return blockField{"choice", `"north pier"`, own + `, given as its shortest label, of at most 40 characters. Where the question ` +
			`can be answered with yes or no, write exactly "yes" or "no", or the same in the question's language; otherwise ` +
			`write the name of the option that you would take; "undecided" if you take no side.`}
	case debate.QuestionUnset:
		if !vote {
			own += ", left out where the question has no yes or no"
		}
	case debate.QuestionYesNo:
	}
	return blockField{"stance", `"yes"`, own + `: "yes" or "no", or "neutral" if you take no side.`}
}

func estimateField(what string) blockField {
	return blockField{"estimate", `{"value": 12, "unit": "weeks", "low": 8, "high": 20}`, what + ", as a number in the unit that the " +
		"question asks for or that the members already use; low and high are the range outside of which the truth would surprise you."}
}

// rankingField asks for a ranking. The labels in the example are those of no member.
func rankingField(m debate.Mode) blockField {
	label := cmp.Or(m.Label, "Member")
	what := "the names of the other members"
	if m.Label != "" {
		what = "the labels of the other members"
	}
	return blockField{
		"ranking", fmt.Sprintf(`["%s %d", "%s %d"]`, label, debate.MaxSeats+4, label, debate.MaxSeats+2),
		what + " whose answers you have read, the best first, without your own.",
	}
}

// BlockRequest returns the prompt that asks a member for the structured part of the statement
// that it has just made, and for nothing else.
func (snap Snapshot) BlockRequest(step debate.Step, speaker agents.Profile, statement string) Prompt {
	_, seat := snap.Profile(speaker.ID)
	role, _ := snap.Mode.RoleOf(seat, len(snap.Seats))
	f := snap.fence()
	snap = snap.VisibleTo(step, speaker.ID)
	p := Prompt{
		System: fmt.Sprintf("You are %s, seat %d of %d in a structured debate. You have made a statement. It has no JSON block that "+
			"can be read.\n%s", snap.PromptName(speaker.ID), seat, len(snap.Seats), f.rule()),
		User: []debate.Part{
			snap.questionPart(),
			{Title: "your statement", Text: "Your statement:\n" + f.block("your statement", statement)},
		},
	}
	if part, ok := snap.labelsPart(step, role, f); ok {
		p.User = append(p.User, part)
	}
	p.User = append(p.User, debate.Part{
		Title: "the block", Text: "Only the JSON block of your statement, please: one fenced json block that says what the statement " +
			"says, and nothing else" + snap.blockFormat(step, role),
	})
	return p
}
