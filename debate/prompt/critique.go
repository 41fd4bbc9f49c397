package prompt

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
)

func (snap Snapshot) draftPart() (none debate.Part) {
	if snap.Mode.Draft == "" {
		return none
	}
	return debate.Part{Title: "the draft", Text: fmt.Sprintf("The draft is the evidence [%s], which the user brought. The critics "+
		"object to it, and the author writes it anew.", snap.Mode.Draft)}
}

func (snap Snapshot) toReply() []debate.Concern {
	return slices.DeleteFunc(slices.Clone(snap.concerns), func(c debate.Concern) bool { return c.Does != debate.NotReplied })
}

// concernsPart shows the author the concerns without a reply, and critics what was raised before.
func (snap Snapshot) concernsPart(step debate.Step) (none debate.Part) {
	all, head, title := snap.concerns, "What the critics have raised before, and what the author did:", "concerns raised before"
	if snap.Mode.Phase(step.Phase).Asks == debate.AsksReplies {
		all, head, title = snap.toReply(), "The concerns of the critics. Reply to each by its id:", "concerns to answer"
	}
	if len(all) == 0 {
		return none
	}
	var b strings.Builder
	b.WriteString(head)
	for _, c := range all {
		said := c.Words()
		if c.Does != debate.NotReplied {
			said += "\nThe author: " + strings.TrimSpace(c.Does.Word()+". "+c.Reason)
		}
		b.WriteString("\n" + snap.fence.block(fmt.Sprintf("concern %s, by %s", c.ID, snap.PromptName(c.By)), snap.Anonymizer.Scrub(said)))
	}
	return debate.Part{Title: title, Text: b.String()}
}

const (
	concernsExample = `[{"title": "Nobody counted the lorries", "where": "the second paragraph", "quote": "traffic is light", ` +
		`"why": "The load decides, and no figure is given.", "settles": "A count on one working day."}]`
	repliesExample = `[{"concern": "H190", "does": "reject", "reason": "Lorries are barred from this bridge."}]`
)

func (snap Snapshot) critiqueFields(asks debate.AskedField) []blockField {
	position := blockField{"position", `"The bridge can stay open for cars, but nothing in it is proved for lorries."`, ""}
	if asks == debate.AsksConcerns {
		position.meaning = "what the text is worth as it stands, in one or two sentences."
		return []blockField{position, {
			"concerns", concernsExample, "at most five, the gravest first; [] if nothing is wrong. title: what is wrong, in a few words. " +
				"where: the place, as precisely as you can name it. quote: the words it is about, word for word; left out if something " +
				"is missing. why: why it matters to the user. settles: the fact or the change that would settle it.",
		}}
	}
	position.meaning = "what your text says, in one or two sentences."
	fields := []blockField{position, {"confidence", "0.62", "how sure you are that the user can act on it, a number from 0 to 1."}}
	if len(snap.toReply()) == 0 {
		return fields
	}
	return append(fields, blockField{
		"replies", repliesExample, `an entry for each concern above, by its id. does: "accept" if the text is changed for it, "reject", ` +
			`or "ask" if only the user can decide. reason: one sentence.`,
	})
}
