package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// prescribedStance returns the stance that a role gives to what is said in a phase, ""
// if members say there what they hold themselves, and debate.NoStance if they take no
// side.
func prescribedStance(m debate.Mode, phase string, role debate.Role) debate.Stance {
	prescribed := role.Fixed || role.Stance == debate.NoStance || m.Votes != ""
	if !prescribed || votes(m, phase) {
		return ""
	}
	return role.Stance
}

func votes(m debate.Mode, phase string) bool {
	return m.Phase(phase).Asks == debate.AsksVote || phase != "" && phase == m.Votes
}

type blockField struct {
	name    string
	example string // in JSON
	meaning string
}

func (snap Snapshot) answerFormat(step debate.Step, speaker agents.ID, role debate.Role) string {
	return fmt.Sprintf("Write your statement in Markdown, in at most about %d words. Quote no JSON block of anybody else. End it with "+
		"one fenced json block, and nothing after it", snap.Mode.WordLimit(step.Phase)) + snap.blockFormat(step, speaker, role)
}

// blockFormat ends a request for the structured part of a statement and shows its format.
// Its example names no id and no member, and its side and its confidence are not the same
// for all seats, because models copy examples.
func (snap Snapshot) blockFormat(step debate.Step, speaker agents.ID, role debate.Role) string {
	_, seat := snap.Profile(speaker)
	m, asks := snap.Mode, snap.Mode.Phase(step.Phase).Asks
	stance := prescribedStance(m, step.Phase, role)
	argued := stance != "" && stance != debate.NoStance
	fields := []blockField{
		{"position", strconv.Quote(snap.examplePosition(asks, seat, stance)), "your position in one or two sentences."},
		{"confidence", exampleConfidence(seat), "how sure you are of it, a number from 0 to 1."},
	}
	if argued {
		fields[0].meaning = "the position that your role argues for, in one or two sentences."
		fields[1].meaning = "how strong you find your role's case, a number from 0 to 1."
	}
	note := ""
	switch {
	case asks == debate.AsksRanking:
	case asks == debate.AsksFindings:
		fields = snap.reviewFields(seat, speaker)
	case asks == debate.AsksConcerns, asks == debate.AsksReplies:
		fields = snap.critiqueFields(asks)
	case stance == debate.NoStance:
		note = "\nName no side: your role takes none."
	case argued:
		fields = slices.Insert(fields, 1, snap.roleFields(stance)...)
	default:
		fields = slices.Insert(fields, 1, snap.ownFields(votes(m, step.Phase), seat, role)...)
		if snap.Round > 1 {
			fields = append(fields, snap.changedByField())
		}
	}
	if asks == debate.AsksRanking {
		fields = append(fields, rankingField(m))
	}
	fields = append(fields, snap.citationFields()...)
	return ". The block has the form of this example, which is about another question:\n" + blockText(fields) + note
}

// changedByField asks what has moved a member. Its example names no member of the panel:
// null would be believed where a model copies it.
func (snap Snapshot) changedByField() blockField {
	label, members := cmp.Or(snap.Mode.Label, "Member"), "a member's name, if its argument did"
	if snap.Mode.Label != "" {
		members = "a member's label, if its argument did"
	}
	var by []string
	if len(snap.Facts) > 0 {
		by = append(by, `the id of an answer, such as "C1"`)
	}
	if len(snap.Evidence) > 0 {
		by = append(by, `lines of evidence, such as "F1:120-140"`)
	}
	by = append(by, "the name of a tool, if what it returned did", members)
	return blockField{
		"changed_by", fmt.Sprintf(`"%s %d"`, label, debate.MaxSeats+4),
		"the one thing that moved you, if your answer is not the one that you gave before: " + strings.Join(by, "; or ") +
			". null if your answer is the same, or if nothing new moved you.",
	}
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

func exampleConfidence(seat int) string { return []string{"0.55", "0.62", "0.81"}[seat%3] }

func exampleSide(seat int, odd, even string) string {
	if seat%2 == 0 {
		return even
	}
	return odd
}

func (snap Snapshot) examplePosition(asks debate.AskedField, seat int, stance debate.Stance) string {
	const closed, open = "Close the bridge until the north pier has been inspected.",
		"Keep the bridge open: the cracks are in the paint, not in the steel."
	kind := snap.Question
	switch {
	case asks == debate.AsksRanking:
		return "The first of these answers is the most complete, the second has the best reasons."
	case stance == debate.NoStance:
		return "What would a year without the bridge cost, and whom?"
	case kind == debate.QuestionEstimate:
		return "The bridge has about 340 lamp posts, counted on one side and doubled."
	case stance == debate.No:
		return open
	case stance != "":
		return closed
	case kind == debate.QuestionYesNo:
		return exampleSide(seat, closed, open)
	default:
		return exampleSide(seat, "Mend the north pier first, since most of the traffic rests on it.",
			"Mend the south pier first, since it stands in the deeper water.")
	}
}

func (snap Snapshot) roleFields(stance debate.Stance) []blockField {
	if snap.Question == debate.QuestionEstimate {
		return snap.estimateFields("the figure that your role argues for, whatever you hold yourself")
	}
	return []blockField{{"vote", strconv.Quote(string(stance)), fmt.Sprintf("%q, the side that your role argues for, whatever you hold "+
		"yourself.", stance)}}
}

func (snap Snapshot) ownFields(vote bool, seat int, role debate.Role) []blockField {
	own := "your own answer to the question"
	if vote {
		own = "your vote, by what you hold yourself"
	}
	if role.Stance != "" && role.Stance != debate.NoStance {
		own += ", whatever your role argues for"
	}
	example := exampleSide(seat, `"north pier"`, `"south pier"`)
	switch snap.Question {
	case debate.QuestionEstimate:
		return snap.estimateFields(own)
	case debate.QuestionChoice:
		own += ": one of the options that stand below the question, word for word"
	case debate.QuestionOpen:
		own += ", given as its shortest label, of at most 40 characters: where the question can be answered with yes or no, exactly " +
			`"yes" or "no"; otherwise the name of the option that you would take`
	case debate.QuestionYesNo, debate.QuestionUnset:
		own, example = own+`: exactly "yes" or "no"`, exampleSide(seat, `"yes"`, `"no"`)
	}
	own += `; exactly "undecided" if you take no side. Such words are English, whatever the language of the question.`
	return []blockField{{"vote", example, own}}
}

func (snap Snapshot) estimateFields(what string) []blockField {
	unit := "a bare number"
	if snap.Unit != "" {
		unit = "a number in this unit, without the unit: " + strconv.Quote(shown(snap.Unit))
	}
	return []blockField{
		{"vote", "340", what + ", as " + unit + `; exactly "undecided" if you give none.`},
		{"low", "310", "the low end of the range in which you expect the truth to lie, nine times in ten; null for none."},
		{"high", "390", "its high end."},
	}
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
	snap = snap.VisibleTo(step, speaker.ID)
	p := Prompt{System: systemPrompt(snap.Mode, snap)}
	p.add(
		snap.questionPart(),
		snap.speakerPart(speaker, seat, role),
		debate.Part{Title: "your statement", Text: "You have made this statement. Its JSON block is missing, or does not say all " +
			"that is asked for:\n" + snap.fence.block("your statement", statement)},
		snap.labelsPart(step, role),
		snap.findingsPart(step, speaker.ID),
		debate.Part{Title: "the block", Text: "Only the JSON block of your statement, please: one fenced json block that says what " +
			"the statement says, and nothing else" + snap.blockFormat(step, speaker.ID, role)},
	)
	return p
}
