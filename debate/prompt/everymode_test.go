package prompt_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/prompt"
)

func TestPrompt_ofEveryModeInTheFirstALaterAndTheLastRound(t *testing.T) {
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		f := debatetest.New(t, m.Name, 3, "Adams", "Brook", "Clara", "Diego")
		f.Question = cmp.Or(m.Question, debate.QuestionOpen)
		f.Seats[3].Persona = "You are Diego, and you doubt what Brook says."
		var pages []string
		for _, round := range []string{"first", "later", "last"} {
			f.BeginRound("")
			shown := map[string]bool{}
			for _, step := range f.Mode.Steps(f.Current().Manifest.Seats, f.Current().Number, f.Rounds) {
				for _, seat := range slices.Backward(step.Seats) { // of each role one, who has heard the most
					who, n := f.Seat(seat)
					role, _ := f.Mode.RoleOf(n, len(f.Seats))
					if f.Mode.Divide != debate.NoList {
						role.Name = "" // one is like the other
					}
					if key := step.Phase + "/" + role.Name; !shown[key] {
						shown[key] = true
						pages = append(pages, fmt.Sprintf("##### %s round: %s, step %d %s\n%s", round, who.Name, step.Index, step.Phase,
							debatetest.RenderPrompt(prompt.Member(f.Mode, f.SnapshotBefore(step), step, who))))
					}
				}
				for _, seat := range step.Seats {
					f.SayInStep(step, seat)
				}
			}
			if round == "first" {
				f.Ask("diego", ledger.Question{Query: "What did Adams measure?"})
			}
			f.EndRound()
			if round == "first" {
				f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Adams is a city."})
			}
		}
		t.Run(m.Name, func(t *testing.T) { golden.RequireEqual(t, withoutRepeats(pages)) })
	}
}

// mark begins the first and the last line of a block.
var mark = regexp.MustCompile(`^[0-9a-f]{12} `)

// minRepeat is how many lines must be repeated to be left out.
const minRepeat = 3

// withoutRepeats joins pages. Of lines that stand on a page before, it keeps the
// first, followed by how many more are repeated. Marks of blocks, which are another
// on each page, do not tell lines apart.
func withoutRepeats(pages []string) string {
	var out, seen []string
	for _, page := range pages {
		lines := strings.Split(page, "\n")
		for i := 0; i < len(lines); {
			run := 1
			for at := range seen {
				n := 0
				for i+n < len(lines) && at+n < len(seen) && mark.ReplaceAllString(lines[i+n], "") == seen[at+n] {
					n++
				}
				run = max(run, n)
			}
			out = append(out, lines[i])
			if run >= minRepeat {
				out = append(out, fmt.Sprintf("    ... and %d more lines as above", run-1))
			} else {
				run = 1
			}
			i += run
		}
		for _, line := range lines {
			seen = append(seen, mark.ReplaceAllString(line, ""))
		}
		seen = append(seen, "\x00") // no run goes on to the next page
	}
	return strings.Join(out, "\n")
}
