package prompt

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// history returns what a speaker is given of the debate so far: round by round the
// evidence and the answers that came with it, and its statements. Whose follows "statements
// of round 1".
func (snap Snapshot) history(whose string, speaker agents.ID) []debate.Part {
	var out []debate.Part
	for round := 1; round <= snap.Round; round++ {
		if round > 1 {
			out = append(out, snap.evidenceParts[round])
		}
		out = append(out, snap.factsPart(round))
		statements := slices.DeleteFunc(slices.Clone(snap.Earlier), func(x debate.Response) bool { return x.Turn.Round != round })
		if said := snap.roundText(round, statements, speaker); said != "" {
			out = append(out, debate.Part{
				Title: snap.roundTitle(round, whose, len(statements)),
				Text:  fmt.Sprintf("Statements of round %d%s:", round, whose) + said,
			})
		}
	}
	return out
}

func (snap Snapshot) roundTitle(round int, whose string, statements int) string {
	order := ", by seat"
	switch {
	case statements == 1:
		order = ""
	case snap.shuffled && round == snap.Round:
		order = ", shuffled for this reader"
	}
	return fmt.Sprintf("round %d%s, %s%s", round, whose, text.Count(statements, "statement"), order)
}

func (snap Snapshot) roundText(round int, statements []debate.Response, speaker agents.ID) string {
	var b strings.Builder
	var omitted []string
	for _, x := range statements {
		if snap.excerpts[x.ID()].form == debate.FormOmitted {
			omitted = append(omitted, snap.PromptName(x.Turn.Agent))
			continue
		}
		b.WriteString("\n" + snap.StatementBlock(x, speaker))
	}
	if len(omitted) > 0 {
		fmt.Fprintf(&b, "\n[left out, since they do not fit: the statements of %s]", strings.Join(omitted, ", "))
	}
	for _, a := range snap.Missing {
		if a.Round == round {
			fmt.Fprintf(&b, "\n%s gave no response in round %d.", snap.PromptName(a.Agent), round)
		}
	}
	return b.String()
}

// StatementBlock returns the block that a speaker is shown of a statement.
func (snap Snapshot) StatementBlock(x debate.Response, speaker agents.ID) string {
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
	if !snap.sidesHidden {
		label += snap.figuresOf(x)
	}
	return snap.fence.block(label, snap.statementText(x))
}

func (snap Snapshot) statementText(x debate.Response) string {
	s, e := x.Statement, snap.excerpts[x.ID()]
	var b strings.Builder
	if s.Position != "" {
		b.WriteString("Position: " + s.Position + "\n")
	}
	switch {
	case e.form != "":
		b.WriteString(e.text + "\n")
		if cites := cite.Of(s); len(cites) > 0 {
			b.WriteString("Cites: " + strings.Join(cites, ", ") + "\n")
		}
	case s.Body != "" && s.Body != s.Position:
		b.WriteString(s.Body + "\n")
	}
	if x.Finish == agents.FinishLength {
		b.WriteString("[cut at the length limit]\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// figuresOf says in the head of a statement how sure its speaker is and which side it takes.
// In the body they could be written by anybody.
func (snap Snapshot) figuresOf(x debate.Response) string {
	out := "; confidence not stated"
	if c := x.Statement.Confidence; c != nil {
		out = fmt.Sprintf("; confidence %.2f", *c)
	}
	if side := snap.sideLine(x); side != "" {
		out += "; " + side
	}
	return out
}

// sideLine says in a word or two which side a response takes, and whether its speaker
// holds it or argues for it in a role; "" if it was not asked for one.
func (snap Snapshot) sideLine(x debate.Response) string {
	_, seat := snap.Profile(x.Turn.Agent)
	role, _ := snap.Mode.RoleOf(seat, len(snap.Seats))
	said := cmp.Or(shown(verdict.VoteOf(snap.asked(), x.Statement)), "not stated") + snap.rangeOf(x.Statement)
	switch prescribed := prescribedStance(snap.Mode, x.Phase, role); {
	case snap.Mode.Critiques():
		return ""
	case x.Statement.Vote == "" && (prescribed == debate.NoStance || snap.Mode.Phase(x.Phase).Asks == debate.AsksRanking):
		return ""
	case prescribed != "" && prescribed != debate.NoStance:
		return "argues for: " + said
	}
	return "vote: " + said
}

// rangeOf returns in which range the speaker of an estimate expects the truth to lie. One
// that its number is not in is left out.
func (snap Snapshot) rangeOf(st debate.Statement) string {
	switch v, ok := verdict.Number(snap.asked(), st); {
	case !ok || st.Low != nil && *st.Low > v || st.High != nil && *st.High < v:
	case st.Low != nil && st.High != nil:
		return fmt.Sprintf(", from %s to %s", numeral(*st.Low), numeral(*st.High))
	case st.Low != nil:
		return ", at least " + numeral(*st.Low)
	case st.High != nil:
		return ", at most " + numeral(*st.High)
	}
	return ""
}

// statistics returns figures of each earlier round if the mode wants them: how many took
// which side or what they estimate.
func (snap Snapshot) statistics() string {
	if !snap.Mode.Statistics {
		return ""
	}
	var lines []string
	for round := 1; round < snap.Round; round++ {
		r := debate.Round{}
		for _, x := range snap.Earlier {
			if x.Turn.Round == round {
				r.Responses = append(r.Responses, x)
			}
		}
		if said := r.Statements(); len(said) > 0 {
			lines = append(lines, fmt.Sprintf("- Round %d: %s", round, snap.figures(said)))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	const title = "What the members held, in figures:\n"
	if snap.Question != debate.QuestionYesNo { // labels are the members' words
		return title + snap.fence.block("figures", strings.Join(lines, "\n"))
	}
	return title + strings.Join(lines, "\n")
}

func (snap Snapshot) figures(statements []debate.Response) string {
	answered := fmt.Sprintf("%d of %d members answered", len(statements), len(snap.Seats))
	if snap.Question != debate.QuestionEstimate {
		return answered + "; " + snap.sideFigures(statements) + "."
	}
	var values []float64
	for _, x := range statements {
		if v, ok := verdict.Number(snap.asked(), x.Statement); ok {
			values = append(values, v)
		}
	}
	out := []string{answered}
	if len(values) > 0 {
		unit := "estimates"
		if snap.Unit != "" {
			unit += " in " + shown(snap.Unit)
		}
		out = append(out, unit+": "+spread(values))
	}
	return strings.Join(out, "; ") + "."
}

func spread(values []float64) string {
	slices.Sort(values)
	return fmt.Sprintf("median %s, middle half %s to %s, all %s to %s", rounded(quantile(values, 0.5)),
		rounded(quantile(values, 0.25)), rounded(quantile(values, 0.75)), rounded(values[0]), rounded(values[len(values)-1]))
}

// sideFigures counts sides, the most frequent first, then in the order of their first use.
func (snap Snapshot) sideFigures(statements []debate.Response) string {
	session := snap.session()
	counts := map[debate.Side]int{}
	var order []debate.Side
	for _, x := range statements {
		side := verdict.SideOf(session, x)
		if counts[side]++; counts[side] == 1 && side != debate.Undecided {
			order = append(order, side)
		}
	}
	slices.SortStableFunc(order, func(a, b debate.Side) int { return counts[b] - counts[a] })
	parts := text.Each(order, func(s debate.Side) string { return fmt.Sprintf("%s: %d", shown(string(s)), counts[s]) })
	if n := counts[debate.Undecided]; n > 0 {
		parts = append(parts, fmt.Sprintf("undecided: %d", n))
	}
	return strings.Join(parts, ", ")
}

func rounded(v float64) string { return numeral(math.Round(v*1000) / 1000) }

func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}
