package prompt_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

func TestPrompt_ofEveryModeInTheFirstALaterAndTheLastRound(t *testing.T) {
	all := must.Get(modes.Builtin())(t)
	seen := map[string]string{}
	for _, m := range all {
		f := debatetest.New(t, m.Name, 3, "Adams", "Brook", "Clara", "Diego")
		f.Question = cmp.Or(m.Question, debate.QuestionOpen)
		f.Seats[3].Persona = "You are Diego, and you doubt what Brook says."
		var pages []string
		rounds := []string{"first", "later", "last"}
		if m.Reviews() {
			f.Rounds, rounds = debate.ReviewRounds, []string{"first", "last"}
			f.Bring(debate.NewEvidence("pr.diff", debate.EvidenceDiff, reviewedDiff, ""))
		}
		for _, round := range rounds {
			f.BeginRound("")
			shown := map[string]bool{}
			for _, step := range f.Mode.Steps(f.Current().Manifest.Seats, f.Current().Number, f.Rounds) {
				for _, seat := range slices.Backward(step.Seats) { // of each role one, who has heard the most
					who, n := f.Seat(seat)
					role, _ := f.Mode.RoleOf(n, len(f.Seats))
					if f.Mode.Divide != "" {
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
				f.Ask("brook", ledger.Question{Query: "Does Clara run it at night?", Priority: ledger.Optional})
			}
			f.EndRound()
			if round == "first" {
				f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Adams is a city."})
			}
		}
		pages = append(pages, afterwards(t, f)...)
		t.Run(m.Name, func(t *testing.T) { golden.RequireEqual(t, withoutRepeats(m.Name, pages, seen)) })
	}
}

const reviewedDiff = "--- a/db/open.go\n+++ b/db/open.go\n@@ -10,3 +10,5 @@ func Open() {\n \tf := open()\n+\tif f == nil {\n+\t\treturn\n+\t}\n" +
	"-\tdefer f.Close()\n \tread(f)\n"

// afterwards returns the prompts of a played debate that are no member's statement: the
// request for a block, the chair's, a summary, and the comparison of a review's findings.
func afterwards(t *testing.T, f *debatetest.Scenario) []string {
	t.Helper()
	last := f.Current().Responses[len(f.Current().Responses)-1]
	step := debate.Step{Index: last.Turn.Step, Phase: last.Phase, Seats: []agents.ID{last.Turn.Agent}}
	who, _ := f.Seat(last.Turn.Agent)
	block := f.SnapshotBefore(step).BlockRequest(step, who, last.Statement.Body)
	f.Light = &agents.Profile{ID: "light", Name: "Light", Provider: "p", Model: "m-light"}
	chair, _, err := prompt.Chair(f.Session, agents.Profile{ID: "zelda", Name: "Zelda"})
	must.Do(t, err)
	pages := []string{
		fmt.Sprintf("##### the block of %s, asked for again\n%s", who.Name, debatetest.RenderPrompt(block)),
		"##### chair\n" + debatetest.RenderPrompt(chair),
		"##### summary\n" + renderMessages(prompt.SummaryMessages(f.Session, last)),
	}
	if !f.Mode.Reviews() {
		return pages
	}
	compared := f.Session
	compared.History = compared.History[:1] // findings are compared after round 1
	comparison := must.Get(prompt.Compare(compared))(t)
	return append(pages, "##### comparison\n"+debatetest.RenderPrompt(comparison))
}

func renderMessages(messages []agents.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "=== %s\n%s\n\n", m.Role, m.Text)
	}
	return b.String()
}

// withoutRepeats joins the pages of a mode. Of a section that was seen on a page before, it keeps
// the title and the mode of that page, so that one file changes with a word.
func withoutRepeats(mode string, pages []string, seen map[string]string) string {
	var out []string
	for _, page := range pages {
		for i, section := range strings.Split(page, "\n=== ") {
			title, text, _ := strings.Cut(section, "\n")
			switch {
			case i == 0:
				out = append(out, "\n"+section)
			case seen[text] != "":
				out = append(out, "=== "+title+"\n(as in "+seen[text]+")\n")
			default:
				seen[text] = mode
				out = append(out, "=== "+title+"\n"+text)
			}
		}
	}
	return strings.TrimPrefix(strings.Join(out, "\n"), "\n")
}
