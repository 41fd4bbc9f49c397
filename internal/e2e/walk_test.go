//go:build unix

package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// holding is a statement that ends with a block.
func holding(text, stance, used string) string {
	return fmt.Sprintf("%s\n\n```json\n{\"position\":\"%s\",\"confidence\":0.7,\"vote\":%q,\"context_used\":[%s]}\n```", text, stance, stance, used)
}

// debaters answers for three members that debate two rounds: M1 and M2 ask for the same in
// the first, in which M3 says nothing before the cue; M2 changes sides in the second. M1
// writes the verdict and answers what is asked after it.
func debaters(t *testing.T, third cue) func(endpoint.Request) endpoint.Reply {
	asked, once := make(cue), sync.Once{}
	queries := map[string]string{"m1": "How many writes per second do you have?", "m2": "How many writes do you have per second?"}
	return func(r endpoint.Request) endpoint.Reply {
		prompt := r.Messages[1].Content
		switch {
		case strings.Contains(prompt, "What is left to fear?"):
			return endpoint.Reply{Text: "The report job, until it is moved."}
		case roundAsked(r) == 0:
			return endpoint.Reply{Text: "## Conclusion\nKeep one writer.\n"}
		case roundAsked(r) == 1 && r.Model == "m3":
			third.wait(t)
			return endpoint.Reply{Text: holding("Locks queue at month end.", "no", "")}
		case roundAsked(r) == 1 && r.Last().Role != "tool":
			if r.Model == "m2" {
				asked.wait(t) // what M1 asks is C1
			}
			return endpoint.Reply{Call: fmt.Sprintf(`{"query":%q,"reason":"it decides","priority":"required"}`, queries[r.Model])}
		case roundAsked(r) == 1:
			once.Do(func() { close(asked) })
			return endpoint.Reply{Text: holding("One writer is enough, says "+r.Model+".", map[string]string{"m1": "yes", "m2": "no"}[r.Model], "")}
		case r.Model == "m3":
			return endpoint.Reply{Text: holding("Still no.", "no", "")}
		}
		return endpoint.Reply{Text: holding("At 42 writes one writer is idle, says "+r.Model+".", "yes", `"C1"`), Pace: time.Millisecond}
	}
}

// One visit by typed keys: what is typed is never taken for a command, the gate is answered
// field by field, sides and changes show, and the verdict is questioned, forked and found.
func TestWalk_fromTheQuestionToAFork(t *testing.T) {
	skipShort(t)
	t.Parallel()
	third := make(cue)
	srv := endpoint.New(t, debaters(t, third))
	config, env, dir := panel(t, srv.URL, "[panels.pair]\nagents = [\"m1\", \"m2\"]\n"), home(t), t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "plan.csv"), []byte("Move in March.\n"), 0o600))
	x := walker{openIn(t, env, dir, 80, 24, "--config", config, "new", "--file", "plan.csv")}
	x.chooses()
	x.typesAhead(third)
	x.answers()
	x.looksAround()
	x.questions()
	x.forks()
	x.finds()
	if wrote, err := filepath.Glob(filepath.Join(dir, "*.md")); err != nil || len(wrote) != 1 {
		t.Errorf("%q was written, %v", wrote, err)
	}
	x.leaves("q")
	if all := sessions(t, env); len(all) != 2 || all[0].Status != "complete" || all[1].Status != "complete" {
		t.Errorf("at the end: %+v", all)
	}
	if sent := srv.Requests("m1")[0].Raw; !strings.Contains(sent, "1| Move in March.") {
		t.Errorf("a seat was sent no file: %s", sent)
	}
}

// walker is a user on the way through a debate.
type walker struct{ *terminal }

// sentence is full of keys.
const sentence = "export pause quit delete x q e p A"

// chooses writes the question and chooses mode, kind of answer and panel.
func (x walker) chooses() {
	x.await("New debate", "M1 m1", "ctrl+s start")
	x.press("Is one writer enough?", "Is one writer enough?")
	x.press("\t", "▸ Kind")
	x.press(right, "yes or no")
	x.press("\t", "▸ Panel")
	x.press(right, "pair", "[ ]   M3")
	x.press(left, "default", "[x] 3 M3")
	x.press("\t", "▸ Mode")
	x.press(enter, "type to filter")
	x.press("conv", "▸ collaborative")
	x.press(enter, "▸ Mode        collaborative")
	x.press(ctrlS, "round 1 of 2")
}

// typesAhead types sentences while the first round streams, behind keys that open a prompt,
// ask something or can do nothing now.
func (x walker) typesAhead(third cue) {
	x.await("2 done", "votes yes", "votes no")
	x.press("i", "enter send")
	x.press(sentence, "> "+sentence)
	x.press(enter, "in round 2: "+sentence)
	x.press("f", "focus >")
	x.press(sentence, "focus > "+sentence)
	x.press(esc, "z zoom")
	x.press("v", "No verdict yet: round 1 of 2 runs.")
	x.press("\t", "▸2 M2")
	x.press("3x", "Cancel M3?", "x cancel · esc back")
	x.send(esc)
	x.gone("Cancel M3?")
	x.press("Q", "Topic        Is one writer enough?", "Mode         collaborative")
	x.send(esc)
	x.gone("Topic        Is one writer enough?")
	close(third)
}

// answers goes through the form: it answers what was asked, saves and starts.
func (x walker) answers() {
	x.entersForm()
	x.press("42 a second", "42 a second", "draft saved")
	x.press(ctrlS, "C1 saved")
	x.press("42 a second, too", "42 a second, too", "draft saved")
	x.press(ctrlS, "C2 saved", "▸ ◆ Ready: enter starts round 2 with 2 answers")
	x.press(ctrlS, "round 2 of 2")
}

// looksAround reads the verdict and what led to it.
func (x walker) looksAround() {
	x.await("Yes, 2 of 3; no 1 · was no; M2", "Conclusion")
	x.press(esc, " 1 M1 · m1", "M1 yes  M2 yes  M3 no", "Δ no → yes")
	x.press("2", "▸2 M2")
}

// questions asks the chair, and exports all of it by a command that is found by some of its
// letters.
func (x walker) questions() {
	x.press("v", "Conclusion")
	x.press("a", "ask the chair")
	x.press("What is left to fear?", "> What is left to fear?")
	x.press(enter, "has answered.", "The report job, until it is moved.")
	x.press("+", "Add round 3?", "+ add · esc back")
	x.send(esc)
	x.gone("Add round 3?")
	x.press("\x10expt", "Commands", "▸ Export") // ctrl+p
	x.press(enter, "m Markdown")
	x.press("m", "Wrote ")
}

// forks plays the second round again with another answer.
func (x walker) forks() {
	x.press("F", "change one thing", "C1 answer")
	x.press(enter, "C1 answer > ")
	x.press("\x15"+sentence, sentence, "enter fork")
	x.press(enter, "Fork: Is one writer", "Paused after round 1.")
	x.press(" ", "round 2 of 2")
	x.await("Yes, 2 of 3; no 1", "Conclusion")
}

// finds reads what the fork and its origin came to, and finds both by their words.
func (x walker) finds() {
	x.await("Fork of “Is one writer enough?”, after round 1: Yes, 2 of 3; no 1 → Yes, 2")
	x.press("s", "Debates", "Fork: ")
	x.press("/", "ctrl+u clear")
	x.press("month end", "R1 M3", "2 debates")
	x.press(enter, "1 of 1 · M3, round 1", "▸3 M3")
	x.press("q", "Everything is saved.")
	x.press(esc, "esc all debates")
}
