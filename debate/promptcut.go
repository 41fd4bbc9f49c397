package debate

import (
	"fmt"
	"math"

	"roundtable/agents"
	"roundtable/internal/text"
)

// NoticePromptCut is the code of the notice of a prompt that a server read only in part.
const NoticePromptCut = "prompt_cut"

// CutPrompt is a prompt that a server read only in part. The answer to it is degraded.
type CutPrompt struct {
	Agent agents.ID        `json:"agent"`
	Name  string           `json:"name"`
	Round int              `json:"round,omitempty"` // 0: the prompt of the verdict
	Phase string           `json:"phase,omitempty"`
	Cut   agents.PromptCut `json:"cut"`
}

// Text says whose prompt was cut: "Ada in round 1: Ollama read 4,096 of about 15,300
// tokens: the beginning was cut."
func (c CutPrompt) Text() string {
	of := "for the verdict"
	if c.Round > 0 {
		of = fmt.Sprintf("in round %d", c.Round)
	}
	if c.Phase != "" {
		of = "in the " + c.Phase + " of" + of[len("in"):]
	}
	return fmt.Sprintf("%s %s: %s.", c.Name, of, CutText(c.Cut))
}

// CutText says how much of a prompt was read, without a full stop: "Ollama read 4,096 of
// about 15,300 tokens: the beginning was cut".
func CutText(c agents.PromptCut) string {
	if c.Read >= c.Estimate {
		return fmt.Sprintf("%s read %s tokens, all that it reads at once: the beginning was cut", c.Server, text.Number(c.Read))
	}
	return fmt.Sprintf("%s read %s of about %s tokens: the beginning was cut", c.Server, text.Number(c.Read),
		text.Number(roundedCount(c.Estimate)))
}

// roundedCount rounds an estimate to three digits.
func roundedCount(n int) int {
	unit := 1
	for n/unit >= 1000 {
		unit *= 10
	}
	return int(math.Round(float64(n)/float64(unit))) * unit
}

// MarkCut marks the statement as the answer to a prompt that was cut; nil marks nothing.
func (s *Statement) MarkCut(c *agents.PromptCut) {
	if s.Cut = c; c != nil {
		s.AddNote("%s", CutText(*c))
	}
}

// FirstCut returns a prompt that a server cut in the newest round, if another round
// follows and no earlier round had one: the debate pauses then. If an earlier one had,
// the user went on, and is not asked again.
func FirstCut(s Session) (CutPrompt, bool) {
	cuts := CutPromptsOf(s)
	if len(cuts) == 0 || cuts[0].Round < len(s.History) || s.Next() == 0 {
		return CutPrompt{}, false
	}
	return cuts[0], true
}

// CutPromptsOf lists the prompts of statements that were cut, by round.
func CutPromptsOf(s Session) []CutPrompt {
	var out []CutPrompt
	for _, r := range s.History {
		for _, x := range r.Latest() {
			if x.HasStatement() && x.Statement.Cut != nil {
				out = append(out, CutPrompt{x.Turn.Agent, s.NameOf(x.Turn.Agent), r.Number, x.Phase, *x.Statement.Cut})
			}
		}
	}
	return out
}
