package prompt

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
)

// history returns what a speaker is given of the debate so far: round by round the
// evidence and the answers that came with it, and its statements. What a later round adds stands after it.
func (snap Snapshot) history(f fence, speaker agents.ID) []debate.Part {
	return snap.historyOf("", f, speaker)
}

// otherTeam returns what the speaker may see of the other team, which is another phase
// in each round.
func (snap Snapshot) otherTeam(f fence, speaker agents.ID) []debate.Part {
	snap.Earlier, snap.Missing, snap.Facts, snap.evidenceParts = snap.otherTeams(speaker), nil, nil, nil
	return snap.historyOf("the other team, its last phase", f, speaker)
}

// historyOf returns the parts of the snapshot's rounds. Whose names the authors in titles,
// unless it is "". Leading rounds that are omitted altogether become one line.
func (snap Snapshot) historyOf(whose string, f fence, speaker agents.ID) []debate.Part {
	if whose != "" {
		whose = " by " + whose
	}
	var out []debate.Part
	omitted, first, last := 0, 0, 0
	shown := false
	remaining, missing := snap.Earlier, snap.Missing
	for round := 1; round <= snap.Round; round++ {
		if part, ok := snap.evidenceParts[round]; ok && round > 1 {
			out = append(out, part)
		}
		if part, ok := snap.factsPart(f, round); ok {
			out = append(out, part)
		}
		var statements []debate.Response
		statements, remaining = takeRound(remaining, round, func(x debate.Response) int { return x.Turn.Round })
		var absent []debate.MissingResponse
		absent, missing = takeRound(missing, round, func(a debate.MissingResponse) int { return a.Round })
		if !shown && len(statements) > 0 && snap.allOmitted(statements) {
			if omitted == 0 {
				first = round
			}
			omitted, last = omitted+len(statements), round
			continue
		}
		if text := snap.roundText(f, statements, absent, speaker); text != "" {
			shown = true
			text = fmt.Sprintf("Statements of round %d%s:", round, whose) + text
			out = append(out, debate.Part{Title: snap.roundTitle(round, whose, len(statements)), Text: text})
		}
	}
	if omitted > 0 {
		rounds := fmt.Sprintf("rounds %d to %d", first, last)
		if first == last {
			rounds = fmt.Sprintf("round %d", first)
		}
		text := fmt.Sprintf("[left out, since they do not fit: all %d statements of %s]", omitted, rounds)
		out = append([]debate.Part{{Title: rounds + ", left out", Text: text}}, out...)
	}
	return out
}

func (snap Snapshot) roundTitle(round int, whose string, statements int) string {
	order := "by seat"
	if snap.shuffled && round == snap.Round {
		order = "shuffled for this reader"
	}
	if statements == 1 {
		return fmt.Sprintf("round %d%s, 1 statement", round, whose)
	}
	return fmt.Sprintf("round %d%s, %d statements, %s", round, whose, statements, order)
}

// takeRound splits off what belongs to a round from the front of an ordered list.
func takeRound[T any](list []T, round int, roundOf func(T) int) (here, later []T) {
	n := 0
	for n < len(list) && roundOf(list[n]) <= round {
		n++
	}
	return list[:n], list[n:]
}

func (snap Snapshot) allOmitted(list []debate.Response) bool {
	for _, x := range list {
		if snap.excerpts[x.ID()].form != debate.FormOmitted {
			return false
		}
	}
	return true
}

// roundText returns the statements of a round, and who made none.
func (snap Snapshot) roundText(f fence, statements []debate.Response, absent []debate.MissingResponse, speaker agents.ID) string {
	var b strings.Builder
	var omitted []string
	for _, x := range statements {
		if snap.excerpts[x.ID()].form == debate.FormOmitted {
			omitted = append(omitted, snap.PromptName(x.Turn.Agent))
			continue
		}
		b.WriteString("\n" + snap.statementBlock(f, x, speaker))
	}
	if len(omitted) > 0 {
		fmt.Fprintf(&b, "\n[left out, since they do not fit: the statements of %s]", strings.Join(omitted, ", "))
	}
	for _, a := range absent {
		fmt.Fprintf(&b, "\n%s gave no response in round %d.", snap.PromptName(a.Agent), a.Round)
	}
	return b.String()
}

// ToolBlock returns the block that a tool shows of a statement in a turn.
func (snap Snapshot) ToolBlock(t agents.Turn, x debate.Response) string {
	return snap.statementBlock(snap.fence(), x, t.Agent)
}

// statementBlock returns the block of a statement in a prompt of the speaker.
func (snap Snapshot) statementBlock(f fence, x debate.Response, speaker agents.ID) string {
	_, seat := snap.Profile(x.Turn.Agent)
	own, role := "", ""
	if x.Turn.Agent == speaker {
		own = " (your own)"
	}
	if x.Role != "" {
		role = ", " + x.Role
	}
	label := fmt.Sprintf("statement: seat %d, %s%s%s, round %d", seat, snap.PromptName(x.Turn.Agent), own, role, x.Turn.Round)
	if x.Phase != "" {
		label += ", " + x.Phase
	}
	return f.block(label, snap.statementText(x))
}

// statementText returns a statement as others get it: its structured part, and its
// reasoning or an excerpt of it.
func (snap Snapshot) statementText(x debate.Response) string {
	s, e := x.Statement, snap.excerpts[x.ID()]
	var b strings.Builder
	if s.Position != "" {
		b.WriteString("Position: " + s.Position + "\n")
	}
	switch {
	case e.form != "":
		b.WriteString(e.text + "\n")
		if cites := cite.Of(x); len(cites) > 0 && e.form != debate.FormCapped {
			b.WriteString("Cites: " + strings.Join(cites, ", ") + "\n")
		}
	case s.Body != "" && s.Body != s.Position:
		b.WriteString(s.Body + "\n")
	}
	if x.Finish == agents.FinishLength {
		b.WriteString("[cut at the length limit]\n")
	}
	if s.Confidence != nil {
		fmt.Fprintf(&b, "Confidence: %.2f", *s.Confidence)
	} else {
		b.WriteString("Confidence: not stated")
	}
	if side := snap.sideLine(x); side != "" {
		b.WriteString("   " + side)
	}
	return b.String()
}
