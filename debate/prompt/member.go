package prompt

import (
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// instructions returns what a role is told in a step.
func instructions(m debate.Mode, step debate.Step, role debate.Role, round, rounds int) string {
	if step.Phase == "" {
		if text := (debate.Phase{First: role.First, Later: role.Later, Last: role.Last}).Instructions(round, rounds); text != "" {
			return text
		}
	}
	return m.Phase(step.Phase).Instructions(round, rounds)
}

// Member returns the prompt of a member. Its beginning is that of the round before: the
// rules, the question, the evidence of the first round, and by round what the user added to
// it, the released answers and the statements. What changes stands last. Member is pure:
// the same snapshot, step and speaker give the same bytes. Without statements and answers
// a first prompt has no trace of context.
func Member(m debate.Mode, snap Snapshot, step debate.Step, speaker agents.Profile) Prompt {
	_, seat := snap.Profile(speaker.ID)
	role, _ := m.RoleOf(seat, len(snap.Seats))
	f := snap.fence()
	snap = snap.VisibleTo(step, speaker.ID).withEvidenceFor(speaker, f)
	p := Prompt{System: systemPrompt(m, snap, speaker, seat), User: []debate.Part{snap.questionPart()}}
	if part, ok := snap.evidenceParts[1]; ok {
		p.User = append(p.User, part)
	}
	if m.Sees() == debate.SeesTeam {
		own := snap
		own.Earlier = snap.ownTeam(speaker.ID)
		p.User = append(p.User, own.history(f, speaker.ID)...)
		p.User = append(p.User, snap.otherTeam(f, speaker.ID)...)
	} else {
		p.User = append(p.User, snap.history(f, speaker.ID)...)
	}
	if text := snap.statistics(f); text != "" {
		p.User = append(p.User, debate.Part{Title: "statistics of the earlier rounds", Text: text})
	}
	if part, ok := snap.labelsPart(step, role, f); ok {
		p.User = append(p.User, part)
	}
	if text := snap.userWishes(speaker.ID); text != "" {
		p.User = append(p.User, debate.Part{Title: "your messages", Text: text})
	}
	if part, ok := snap.askingPart(f, speaker.ID); ok {
		p.User = append(p.User, part)
	}
	return Prompt{p.System, append(
		p.User,
		debate.Part{Title: "form of the statement", Text: snap.answerFormat(step, role)},
		debate.Part{
			Title: fmt.Sprintf("instructions for round %d", snap.Round),
			Text:  instructionsText(m, snap, step, role),
		},
	)}
}

// systemPrompt says who the speaker is and what the rules are. It is the same in all
// rounds.
func systemPrompt(m debate.Mode, snap Snapshot, speaker agents.Profile, seat int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "You are %s, seat %d of %d in a structured debate.\n", snap.PromptName(speaker.ID), seat, len(snap.Seats))
	if m.Label != "" {
		fmt.Fprintf(&b, "The members are known by these labels alone. Give no hint of who or what you are, and do not guess "+
			"who the others are.\n")
	}
	if speaker.Persona != "" {
		b.WriteString(snap.Anonymizer.Scrub(strings.TrimSpace(speaker.Persona)) + "\n")
	}
	if role, ok := m.RoleOf(seat, len(snap.Seats)); ok {
		fmt.Fprintf(&b, "\nYour role: %s. %s\n", role.Name, strings.TrimSpace(role.Brief))
	}
	b.WriteString("\n" + strings.TrimSpace(m.Rules) + "\n\n" + languageRule + "\n")
	if date := beganRule(snap.Created); date != "" {
		b.WriteString(date + "\n")
	}
	b.WriteString(snap.fence().rule())
	return b.String()
}

// languageRule says in which language a member writes.
const languageRule = "Answer in the language of the question."

// beganRule says when a debate began, "" if that is not known.
func beganRule(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return "The debate began on " + at.UTC().Format("2 January 2006") + "."
}

// questionPart returns the topic, with the options and the criteria of the debate.
func (snap Snapshot) questionPart() debate.Part {
	var b strings.Builder
	fmt.Fprintf(&b, "The question:\n%s\n", strings.TrimSpace(snap.Topic))
	scores := snap.Mode.AsksForScores()
	if scores || snap.Question == debate.QuestionChoice {
		fmt.Fprintf(&b, "\nThe options:\n- %s\n", strings.Join(snap.Mode.Options, "\n- "))
	}
	if scores {
		fmt.Fprintf(&b, "\nThe criteria:\n- %s\n", strings.Join(snap.Mode.Criteria, "\n- "))
	}
	return debate.Part{Title: "the question", Text: strings.TrimSuffix(b.String(), "\n")}
}

// userWishes returns what the user asks to look at in the round, and what the user says
// to the speaker.
func (snap Snapshot) userWishes(speaker agents.ID) string {
	var b strings.Builder
	if snap.Focus != "" {
		fmt.Fprintf(&b, "The user asks to look at this in particular now:\n%s\n", strings.TrimSpace(snap.Focus))
	}
	b.WriteString(snap.interjectionText(speaker))
	return strings.TrimSpace(b.String())
}

// instructionsText says which round it is and what to do in it.
func instructionsText(m debate.Mode, snap Snapshot, step debate.Step, role debate.Role) string {
	var b strings.Builder
	fmt.Fprintf(&b, "This is round %d of %d", snap.Round, snap.Rounds)
	if step.Phase != "" {
		b.WriteString(", " + step.Phase)
	}
	b.WriteString(". " + strings.TrimSpace(instructions(m, step, role, snap.Round, snap.Rounds)))
	return b.String()
}
