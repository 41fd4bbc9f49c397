package prompt

import (
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
)

// Block returns the prompt that asks a member for the structured part of the statement
// that it has just made, and for nothing else.
func Block(snap Snapshot, step debate.Step, speaker agents.Profile, statement string) Prompt {
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
