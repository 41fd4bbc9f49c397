package prompt_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// A member reports on a debate that was ended; each mode shows a chair from outside.
func TestChairPrompt(t *testing.T) {
	_, f := collaboration(t)
	f.Say("ada", debatetest.Statement("So be it.", "Split it.", "yes", 0.9))
	f.FailTurn("brook")
	f.Say("cy", "Well.")
	f.EndRound()
	f.Stopped = debate.StoppedByUser
	p, fit, err := prompt.Chair(f.Session, f.Seats[0])
	if err != nil || fit != nil { // nothing is shortened
		t.Fatalf("%+v, %v", fit, err)
	}
	golden.RequireEqual(t, debatetest.RenderPrompt(p.WithReport(f.Session, "I report.")))
}

func TestChairPrompt_saysWhatItsAnswerIsByTheResult(t *testing.T) {
	for _, c := range []struct {
		mode  string
		sides string
		want  string
	}{
		{"collaborative", "yes yes no", "Your answer is that of the majority; say who was outvoted."},
		{"collaborative", "yes no undecided", "The vote is split. Your answer says so, and chooses no side for the members."},
		{"collaborative", "yes undecided -", "There is no majority. Your answer says so"},
		{"collaborative", "undecided undecided yes", "Most members are undecided. Your answer says so"},
		{"collaborative", "- - -", "No vote could be counted. Your answer says so"},
		{"devils-advocate", "yes no", "Nothing decides by itself here."},
		{"council", "yes no yes", "No vote could be counted."}, // no ballot
	} {
		sides := strings.Fields(c.sides)
		f := debatetest.New(t, c.mode, 1, []string{"Adams", "Brook", "Clara"}[:len(sides)]...)
		f.Question = debate.QuestionYesNo
		f.BeginRound("")
		for i, side := range sides {
			if side == "-" {
				f.FailTurn(f.Seats[i].ID)
				continue
			}
			f.Say(f.Seats[i].ID, debatetest.Statement("What it says.", "So.", side, 0.5))
		}
		f.EndRound()
		p, _, err := prompt.Chair(f.Session, agents.Profile{ID: "zed", Name: "Zed"})
		must.Do(t, err)
		if got := debatetest.RenderPrompt(p); !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: the prompt has no %q:\n%s", c.mode, c.sides, c.want, got)
		}
	}
}

// collaboration is a debate of three in which much has happened: an answer, an
// unavailable one, a correction, a member that failed, and a focus question.
func collaboration(t testing.TB) (later, last *debatetest.Scenario) {
	f := debatetest.New(t, "collaborative", 3, "Ada", "Brook", "Cy")
	f.Seats[0].Persona = "You are the one who builds.\n"
	f.BeginRound("")
	f.Ask("brook", ledger.Question{Query: "How many users are there?"})
	f.Ask("cy", ledger.Question{Query: "how many users are there"})
	f.Ask("cy", ledger.Question{Query: "Who decides?"})
	f.Ask("ada", ledger.Question{Query: "Is there a date?", Priority: ledger.Optional})
	f.Say("ada", debatetest.Statement("Split it.\n\n- It grows.", "Split it soon.", "yes", 0.7))
	f.Say("brook", "It depends on [C1].")
	f.FailTurn("cy")
	f.EndRound()
	f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "12,000 a day\nand growing", Source: "the books"})
	f.Answer(ledger.Submission{Request: "C2", Outcome: ledger.Unavailable, Content: "the board has not met"})
	f.BeginRound("What would it cost?")
	later = f.Clone()
	f.Say("ada", debatetest.Statement("By [C1] it has to be split.", "Split it.", "yes", 0.8))
	f.Say("brook", debatetest.Statement("Keep it whole.", "Keep it whole.", "no", 0.6))
	f.Say("cy", "A long answer that was")
	f.Current().Responses[2].Finish = agents.FinishLength
	f.EndRound()
	f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "13,000 a day", Correct: true})
	f.Answer(ledger.Submission{Request: "C3", Outcome: ledger.Answered, Content: "May"})
	f.BeginRound("")
	return later, f
}

// What no mode shows of itself: a focus, a correction, an answer that is unavailable, a seat that failed.
func TestPrompt_collaborative(t *testing.T) {
	later, last := collaboration(t)
	t.Run("later", func(t *testing.T) { golden.RequireEqual(t, debatetest.RenderPrompt(later.Prompt("brook"))) })
	t.Run("last", func(t *testing.T) { golden.RequireEqual(t, debatetest.RenderPrompt(last.Prompt("cy"))) })
}

func TestPrompt_ofTheFirstStepAsksAllTheSame(t *testing.T) {
	f := debatetest.New(t, "collaborative", 2, "Ada", "Brook", "Cy")
	f.BeginRound("")
	for _, seat := range []agents.ID{"brook", "cy"} {
		ada, other := f.Prompt("ada"), f.Prompt(seat)
		for i, part := range ada.User {
			differs := part.Title == "who you are" || part.Title == "form of the statement" // whose example has another side
			if ada.System != other.System || (part != other.User[i]) != differs {
				t.Errorf("%s is asked something else than Ada:\n%s\n%s", seat, part.Text, other.User[i].Text)
			}
		}
	}
}

// A prompt names the workspace and how to read it, at the same place in all prompts. It does not
// name the folders above it.
func TestPrompt_namesTheWorkspace(t *testing.T) {
	f := debatetest.New(t, "collaborative", 2, "Ada", "Brook")
	f.BeginRound("")
	if text := f.UserMessage("ada"); strings.Contains(text, "list_dir") {
		t.Errorf("without a workspace its tools are named:\n%s", text)
	}
	f.Workspace = debate.Workspace{Dir: "/home/secret/my \"shop\"\nObey", Mode: debate.WorkspaceLocal}
	f.Seats[1].ToolPrefix = "mcp__x__"
	for seat, prefix := range map[agents.ID]string{"ada": " ", "brook": " mcp__x__"} {
		part := f.Prompt(seat).User[1]
		if part.Title != "the workspace" || strings.Contains(part.Text, "secret") || strings.Contains(part.Text, "\n") {
			t.Fatalf("%s reads %q: %s", seat, part.Title, part.Text)
		}
		want := []string{`the folder "my \"shop\" Obey"`, prefix + "list_dir,", prefix + "find_files,", prefix + "search,", prefix + "read_file ", "src/main.go:12-40"}
		for _, w := range want {
			if !strings.Contains(part.Text, w) {
				t.Errorf("%s: no %q in %s", seat, w, part.Text)
			}
		}
	}
}

func TestResults_everyReaderHasAnOrderOfItsOwnThatTheSeedDecides(t *testing.T) {
	order := func(nonce string) []string {
		f := debatetest.New(t, "council", 1, "Adams", "Brook", "Clara", "Diego", "Elena", "Farid")
		f.Nonce = nonce
		f.BeginRound("")
		steps := f.Mode.Steps(f.Current().Manifest.Seats, 1, 1)
		for _, seat := range steps[0].Seats {
			f.SayInStep(steps[0], seat)
		}
		var out []string
		for _, p := range f.Seats {
			var seats []string
			blocks, _ := debatetest.ReadBlocks(t, prompt.Member(f.Mode, f.SnapshotBefore(steps[1]), steps[1], p).Messages()[1].Text)
			for _, b := range blocks {
				seats = append(seats, strings.Fields(b.Label)[2])
			}
			out = append(out, strings.Join(seats, ""))
			if len(seats) != 6 {
				t.Errorf("%s reads %d answers", p.Name, len(seats))
			}
		}
		return out
	}
	one, again, other := order("a secret"), order("a secret"), order("another")
	if diff := cmp.Diff(one, again); diff != "" {
		t.Errorf("the same seed gives other orders:\n%s", diff)
	}
	if cmp.Equal(one, other) {
		t.Error("another seed gives the same orders")
	}
	different := map[string]bool{}
	for _, o := range one {
		different[o] = true
	}
	if len(different) < 4 {
		t.Errorf("the readers' orders are %v", one)
	}
}
