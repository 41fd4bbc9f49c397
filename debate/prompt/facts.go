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
	Released   int // the round with which the first revision came
	Outcome    ledger.Outcome
	Content    string
	Source     string
	Correction bool
}

// factsPart returns the answers that came first with a round. A correction stands in the
// place of what it corrects.
func (snap Snapshot) factsPart(f fence, round int) (part debate.Part, ok bool) {
	var b strings.Builder
	for _, x := range snap.Facts {
		if x.Released == round {
			b.WriteString("\n" + snap.factBlock(f, x))
		}
	}
	title := fmt.Sprintf("your answers, sent with round %d", round)
	text := fmt.Sprintf("Answers of the user that came with round %d, to be cited by their ids in square brackets:", round)
	return debate.Part{Title: title, Text: text + b.String()}, b.Len() > 0
}

func (snap Snapshot) factBlock(f fence, x Fact) string {
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
	return f.block(fmt.Sprintf("[%s] asked by %s in round %d", x.ID, strings.Join(names, ", "), x.Round), t.String())
}
