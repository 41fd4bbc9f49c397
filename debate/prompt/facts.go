package prompt

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Fact is a released answer as agents see it.
type Fact struct {
	ID         string
	Query      string
	Askers     []agents.ID
	Round      int // of the first ask
	Outcome    ledger.Outcome
	Content    string
	Source     string
	Correction bool
}

// factsPart returns the block of all released answers.
func factsPart(snap Snapshot, f fence) debate.Part {
	var b strings.Builder
	b.WriteString("Answers of the user to the members' questions, " + fencedNote + " Cite them by their ids in square brackets.")
	for _, x := range snap.Facts {
		names := make([]string, len(x.Askers))
		for i, id := range x.Askers {
			names[i] = snap.PromptName(id)
		}
		var t strings.Builder
		fmt.Fprintf(&t, "Question: %s\n", x.Query)
		switch {
		case x.Outcome == ledger.Unavailable:
			fmt.Fprintf(&t, "Not available, because: %s", x.Content)
		case x.Correction:
			fmt.Fprintf(&t, "Answer, corrected: %s", x.Content)
		default:
			fmt.Fprintf(&t, "Answer: %s", x.Content)
		}
		if x.Source != "" {
			fmt.Fprintf(&t, "\nSource: %s", x.Source)
		}
		b.WriteString("\n" + f.block(fmt.Sprintf("[%s] asked by %s in round %d", x.ID, strings.Join(names, ", "), x.Round), t.String()))
	}
	return debate.Part{Title: "your answers so far", Text: b.String()}
}
