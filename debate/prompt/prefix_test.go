package prompt_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// isTail reports whether a part stands at the end of a prompt, since it changes from round
// to round: what a ranking's reader gets in an order of its own, and what the other team
// said last, too.
func isTail(title string) bool {
	for _, tail := range []string{"statistics", "labels in use", "concerns", "your messages", "questions to the user", "form of", "instructions for"} {
		if strings.HasPrefix(title, tail) {
			return true
		}
	}
	return strings.Contains(title, "by the other team") || strings.Contains(title, "shuffled")
}

// beginning returns the messages of a prompt up to its tail.
func beginning(t *testing.T, p prompt.Prompt) string {
	t.Helper()
	tail := len(p.User)
	for i, part := range p.User {
		if isTail(part.Title) {
			tail = min(tail, i)
		} else if i > tail {
			t.Errorf("%q stands after %q", part.Title, p.User[tail].Title)
		}
	}
	return p.System + "\n" + agents.JoinParts(p.User[:tail])
}

// promptsOfRound plays the round under way and returns what each seat is sent in each phase.
func promptsOfRound(f *debatetest.Scenario) map[string]prompt.Prompt {
	out := map[string]prompt.Prompt{}
	round := f.Current().Number
	for _, step := range f.Mode.Steps(f.Current().Manifest.Seats, round, f.Rounds) {
		for _, seat := range step.Seats {
			who, _ := f.Seat(seat)
			out[string(seat)+"/"+step.Phase] = prompt.Member(f.Mode, f.SnapshotBefore(step), step, who)
		}
		for i, seat := range step.Seats {
			if round == 2 && i == 0 && len(step.Seats) > 1 {
				f.FailInStep(step, seat, 1, "the server exploded")
				continue
			}
			f.SayInStep(step, seat)
		}
	}
	return out
}

// The beginning of what a seat is sent in a phase is that of what it was sent in that phase
// a round before, byte for byte, but for the tail. Evidence that comes later changes nothing
// of it.
func TestPrompt_beginsAsThatOfTheRoundBefore(t *testing.T) {
	all := must.Get(modes.Builtin())(t)
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			names := []string{"Adams", "Brook", "Clara"}
			seats, rounds := len(names), min(4, m.MostRounds())
			f := debatetest.New(t, m.Name, rounds, names...)
			f.Question = cmp.Or(m.Question, debate.QuestionOpen)
			before, compared := map[string]prompt.Prompt{}, 0
			f.Bring(file("main.go", 40), file("big.log", 1300))
			for round := 1; round <= rounds; round++ {
				if round > 1 && round < 4 {
					f.Bring(file(fmt.Sprint("added in ", round), 30*round), file("more.log", 100*round))
				}
				f.BeginRound(fmt.Sprint("focus ", round))
				now := promptsOfRound(f)
				for key, p := range now {
					was, ok := before[key]
					if !ok {
						continue
					}
					compared++
					begins := beginning(t, was)
					got := p.System + "\n" + agents.JoinParts(p.User)
					if !strings.HasPrefix(got, begins) {
						t.Errorf("round %d of %s does not begin as round %d:\n%s\n-----\n%s", round, key, round-1, begins, got)
					}
				}
				before = now
				first := slices.Min(slices.Collect(maps.Keys(now)))
				if text := agents.JoinParts(now[first].User); strings.Count(text, "] added in ") != min(round-1, 2) {
					t.Errorf("round %d has not the evidence that was added:\n%s", round, text)
				}
				if round < 4 {
					asker := f.Seats[round-1].ID
					speaks := func(s debate.Step) bool { return slices.Contains(s.Seats, asker) }
					if slices.ContainsFunc(f.Mode.Steps(f.Current().Manifest.Seats, round, f.Rounds), speaks) {
						f.Ask(asker, ledger.Question{Query: fmt.Sprintf("What is figure %d?", round)})
					}
				}
				f.EndRound()
				for _, q := range f.Unanswered() {
					f.Answer(ledger.Submission{Request: q.ID, Outcome: ledger.Answered, Content: "about " + q.ID})
				}
			}
			if least := (rounds - 1) * seats / 2; compared < least && !m.Critiques() { // whose critics speak in every other round
				t.Errorf("only %d prompts were compared", compared)
			}
		})
	}
}

// What was shortened stays so, and a prompt that is too long is shortened further than it
// has to be: most prompts begin as those of the round before.
func TestPrompt_aShortenedBeginningLasts(t *testing.T) {
	const rounds = 50
	f := debatetest.New(t, "collaborative", rounds, "Ada", "Brook")
	for i := range f.Seats {
		f.Seats[i].ContextWindow = 8000
	}
	who, before := f.Seats[0], ""
	shortened, changed := 0, 0
	for round := 1; round <= rounds; round++ {
		f.BeginRound("")
		step := f.StepOf(who.ID)
		fitter := prompt.MemberFitter(f.Session, f.SnapshotBefore(step), step, who, 0)
		fit, wanted := fitter.Fit(f.Session, nil)
		if len(wanted) > 0 || fit.Overflows() {
			t.Fatalf("round %d: %d of %d tokens, %d summaries wanted", round, fit.Tokens, fit.Limit, len(wanted))
		}
		p := prompt.Member(f.Mode, f.SnapshotBefore(step).WithExcerpts(f.Session, fit.Excerpts), step, who)
		if again := len(fit.Excerpts) > 0; again {
			shortened++
			if !strings.HasPrefix(p.System+"\n"+agents.JoinParts(p.User), before) {
				changed++
			}
		}
		before = beginning(t, p)
		for _, seat := range f.Seats {
			f.Say(seat.ID, debatetest.Statement(debatetest.Prose(string(seat.ID), 450), "So.", "yes", 0.5))
			f.Current().Responses[len(f.Current().Responses)-1].ContextFit = &fit
		}
		f.EndRound()
	}
	if shortened < rounds/2 || changed == 0 || 3*changed > shortened {
		t.Errorf("of %d prompts that are shortened, %d begin in another way than the one before", shortened, changed)
	}
}

func TestPrompt_aSummaryThatIsGoneIsNotShown(t *testing.T) {
	f := debatetest.New(t, "collaborative", 3, "Ada", "Brook")
	f.PlayRound(debatetest.Prose("it", 900))
	f.BeginRound("")
	first := f.History[0].Responses[0]
	for i, p := range f.Seats {
		f.Say(p.ID, "So.")
		f.Current().Responses[i].ContextFit = &debate.ContextFit{Limit: 900, Tokens: 800, Excerpts: []debate.Excerpt{{
			Response: first.ID(), Form: debate.FormSummary, SummaryKey: "gone", OriginalLength: 900, Length: 200,
		}}}
	}
	f.EndRound()
	f.BeginRound("")
	step := f.StepOf("ada")
	fitter := prompt.MemberFitter(f.Session, f.SnapshotBefore(step), step, f.Seats[0], 0)
	fit, _ := fitter.Fit(f.Session, nil)
	if len(fit.Excerpts) > 0 {
		t.Errorf("excerpts = %+v, want the statement in full", fit.Excerpts)
	}
}
