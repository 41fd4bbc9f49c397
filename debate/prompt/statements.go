package prompt

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// statements are the blocks of all rounds that the snapshot holds, the oldest
// first. Rounds at the beginning of which nothing is handed on become one line.
func statements(snap Snapshot, f fence, speaker agents.ID) []debate.Part {
	return statementsOf("", snap, f, speaker)
}

// teamStatements are the statements of the speaker's own team, and then what is shown of
// the others'.
func (n Snapshot) teamStatements(f fence, speaker agents.ID) []debate.Part {
	own, others := n, n
	own.Earlier, others.Earlier, others.Missing = n.ownTeam(speaker), n.otherTeams(speaker), nil
	return slices.Concat(statementsOf("your own team", own, f, speaker), statementsOf("the other team, its last phase", others, f, speaker))
}

// statementsOf names whose statements they are, where they are not everybody's.
func statementsOf(whose string, snap Snapshot, f fence, speaker agents.ID) []debate.Part {
	if whose != "" {
		whose = " by " + whose
	}
	var out []debate.Part
	gone, first, last := 0, 0, 0
	said, missing := snap.Earlier, snap.Missing
	for round := 1; round <= snap.Round; round++ {
		var here []debate.Response
		here, said = takeRound(said, round, func(x debate.Response) int { return x.Turn.Round })
		var absent []debate.MissingResponse
		absent, missing = takeRound(missing, round, func(a debate.MissingResponse) int { return a.Round })
		if len(out) == 0 && len(here) > 0 && snap.allOmitted(here) {
			if gone == 0 {
				first = round
			}
			gone, last = gone+len(here), round
			continue
		}
		if text := snap.roundText(f, here, absent, speaker); text != "" {
			order := "by seat"
			if snap.shuffled && round == snap.Round {
				order = "shuffled for this reader"
			}
			title := fmt.Sprintf("round %d%s, %d statements, %s", round, whose, len(here), order)
			if len(here) == 1 {
				title = fmt.Sprintf("round %d%s, 1 statement", round, whose)
			}
			out = append(out, debate.Part{Title: title, Text: fmt.Sprintf("Statements of round %d%s, ", round, whose) + fencedNote + text})
		}
	}
	if gone > 0 {
		rounds := fmt.Sprintf("rounds %d to %d", first, last)
		if first == last {
			rounds = fmt.Sprintf("round %d", first)
		}
		text := fmt.Sprintf("[left out, since they do not fit: all %d statements of %s]", gone, rounds)
		out = append([]debate.Part{{Title: rounds + ", left out", Text: text}}, out...)
	}
	return out
}

// takeRound splits off what belongs to a round from a list that is in their order.
func takeRound[T any](list []T, round int, of func(T) int) (here, rest []T) {
	n := 0
	for n < len(list) && of(list[n]) <= round {
		n++
	}
	return list[:n], list[n:]
}

func (n Snapshot) allOmitted(list []debate.Response) bool {
	for _, x := range list {
		if n.excerpts[x.ID()].form != debate.FormOmitted {
			return false
		}
	}
	return true
}

// roundText is what one round said, and who said nothing in it.
func (n Snapshot) roundText(f fence, said []debate.Response, absent []debate.MissingResponse, speaker agents.ID) string {
	var b strings.Builder
	var gone []string
	for _, x := range said {
		if n.excerpts[x.ID()].form == debate.FormOmitted {
			gone = append(gone, n.PromptName(x.Turn.Agent))
			continue
		}
		b.WriteString("\n" + n.statementBlock(f, x, speaker))
	}
	if len(gone) > 0 {
		fmt.Fprintf(&b, "\n[left out, since they do not fit: the statements of %s]", strings.Join(gone, ", "))
	}
	for _, a := range absent {
		fmt.Fprintf(&b, "\n%s gave no response in round %d.", n.PromptName(a.Agent), a.Round)
	}
	return b.String()
}

// ToolBlock returns the block that a tool shows of a statement in a turn.
func (n Snapshot) ToolBlock(t agents.Turn, x debate.Response) string {
	return n.statementBlock(fence{n.nonce, "tool|" + debate.TurnID(t)}, x, t.Agent)
}

// statementBlock returns the block of a statement in a prompt of the speaker.
func (n Snapshot) statementBlock(f fence, x debate.Response, speaker agents.ID) string {
	_, seat := n.Profile(x.Turn.Agent)
	own, role := "", ""
	if x.Turn.Agent == speaker {
		own = " (your own)"
	}
	if x.Role != "" {
		role = ", " + x.Role
	}
	label := fmt.Sprintf("statement: seat %d, %s%s%s, round %d", seat, n.PromptName(x.Turn.Agent), own, role, x.Turn.Round)
	if x.Phase != "" {
		label += ", " + x.Phase
	}
	return f.block(label, statementText(x, n.excerpts[x.ID()]))
}

// statementText is a statement as the others get it: what it states as it stated it,
// and its reasoning as a whole or as a copy of it.
func statementText(x debate.Response, c shownExcerpt) string {
	s := x.Statement
	var b strings.Builder
	if s.Position != "" {
		b.WriteString("Position: " + s.Position + "\n")
	}
	switch {
	case c.form != "":
		b.WriteString(c.text + "\n")
		if cites := x.Cites(); len(cites) > 0 && c.form != debate.FormCapped {
			b.WriteString("Cites: " + strings.Join(cites, ", ") + "\n")
		}
	case s.Body != "" && s.Body != s.Position:
		b.WriteString(s.Body + "\n")
	}
	if x.Finish == agents.FinishLength {
		b.WriteString("[cut at the length limit]\n")
	}
	if s.Confidence != nil {
		fmt.Fprintf(&b, "Confidence: %.2f   ", *s.Confidence)
	} else {
		b.WriteString("Confidence: not stated   ")
	}
	if s.Stance != "" {
		b.WriteString("Stance: " + string(s.Stance))
	} else {
		b.WriteString("Stance: not stated")
	}
	return b.String()
}
