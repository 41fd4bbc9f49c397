package prompt

import (
	"fmt"
	"strings"

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

// Member returns the prompt of a member: earlier statements by round, then the released
// answers, then the question. It is pure: the same snapshot, step and speaker give the
// same bytes. Without statements and answers only the question is left, so a first
// prompt has no trace of context.
func Member(m debate.Mode, snap Snapshot, step debate.Step, speaker agents.Profile) Prompt {
	_, seat := snap.Profile(speaker.ID)
	f := snap.fence(step, seat)
	snap = snap.VisibleTo(step, speaker.ID)
	p := Prompt{System: systemPrompt(m, snap, step, speaker, seat)}
	if m.Sees() == debate.SeesTeam {
		p.User = append(p.User, snap.teamStatements(f, speaker.ID)...)
	} else {
		p.User = append(p.User, statements(snap, f, speaker.ID)...)
	}
	if text := snap.statistics(f); text != "" {
		p.User = append(p.User, debate.Part{Title: "statistics of the earlier rounds", Text: text})
	}
	if len(snap.Facts) > 0 {
		p.User = append(p.User, factsPart(snap, f))
	}
	role, _ := m.RoleOf(seat, len(snap.Seats))
	if part, ok := snap.labelsPart(step, role, f); ok {
		p.User = append(p.User, part)
	}
	p.User = append(p.User, debate.Part{
		Title: fmt.Sprintf("the question, instructions for round %d", snap.Round),
		Text:  questionText(m, snap, step, speaker.ID, seat),
	})
	return p
}

// systemPrompt says who the speaker is and what the rules are.
func systemPrompt(m debate.Mode, snap Snapshot, step debate.Step, speaker agents.Profile, seat int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "You are %s, seat %d of %d in a structured debate.\n", snap.PromptName(speaker.ID), seat, len(snap.Seats))
	if m.Label != "" {
		fmt.Fprintf(&b, "The members are known by these labels alone. Give no hint of who or what you are, and do not guess "+
			"who the others are.\n")
	}
	if speaker.Persona != "" {
		b.WriteString(snap.Anonymizer.Scrub(strings.TrimSpace(speaker.Persona)) + "\n")
	}
	role, ok := m.RoleOf(seat, len(snap.Seats))
	if ok {
		fmt.Fprintf(&b, "\nYour role: %s. %s\n", role.Name, strings.TrimSpace(role.Brief))
	}
	b.WriteString("\n" + strings.TrimSpace(m.Rules) + "\n")
	if !snap.Final() && m.Asking != "" {
		b.WriteString("\n" + strings.TrimSpace(m.Asking) + "\n")
	}
	b.WriteString("\n" + snap.answerFormat(step, role))
	return b.String()
}

// topicText returns the topic with the options and the criteria of a step.
func topicText(m debate.Mode, snap Snapshot, step debate.Step) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The question:\n%s\n", strings.TrimSpace(snap.Topic))
	scores := m.Phase(step.Phase).Asks == debate.AsksScores
	if scores || snap.Question == debate.QuestionChoice {
		fmt.Fprintf(&b, "\nThe options:\n- %s\n", strings.Join(m.Options, "\n- "))
	}
	if scores {
		fmt.Fprintf(&b, "\nThe criteria:\n- %s\n", strings.Join(m.Criteria, "\n- "))
	}
	return b.String()
}

// questionText returns the topic with the instructions of the round.
func questionText(m debate.Mode, snap Snapshot, step debate.Step, speaker agents.ID, seat int) string {
	var b strings.Builder
	b.WriteString(topicText(m, snap, step))
	if snap.Focus != "" {
		fmt.Fprintf(&b, "\nThe user asks to look at this in particular now:\n%s\n", strings.TrimSpace(snap.Focus))
	}
	b.WriteString(snap.interjectionText(speaker))
	fmt.Fprintf(&b, "\nThis is round %d of %d", snap.Round, snap.Rounds)
	if step.Phase != "" {
		b.WriteString(", " + step.Phase)
	}
	role, _ := m.RoleOf(seat, len(snap.Seats))
	b.WriteString(". " + strings.TrimSpace(instructions(m, step, role, snap.Round, snap.Rounds)))
	return b.String()
}
