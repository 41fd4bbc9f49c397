//go:build unix

package e2e_test

import (
	"testing"
)

// recordingHome returns an environment of its own in which no program can be found.
func recordingHome(t *testing.T) []string { return append(home(t), "PATH="+t.TempDir()) }

// What internal/e2e/testdata/recordings shows is what the program draws, at each of the screens.
func TestRecordings(t *testing.T) {
	skipShort(t)
	t.Parallel()
	t.Run("demo and fork", func(t *testing.T) {
		t.Parallel()
		env := recordingHome(t)
		recordFork(t, env, recordDemo(t, env))
	})
	t.Run("answers and resume", func(t *testing.T) {
		t.Parallel()
		recordAnswers(t, recordingHome(t))
	})
}

// recordDemo records the demo debate, from the first start to the verdict.
func recordDemo(t *testing.T, env []string) *terminal {
	tm := open(t, env, 120, 30)
	r := record(tm, "demo", "The demo debate, from the first start to the verdict")
	r.stop("First start", "Start the demo debate", "none found")
	r.types(enter, "enter")
	r.skipAhead("round 1 of 2")
	r.keys = "enter >"
	r.stop("A member asks", "Context for round 2", takesKeys)
	tm.entersForm()
	r.types("One server, and losing an hour of data would be fine.", "One server, and losing an hour of data would be fine.")
	r.stop("An answer", "draft saved, not sent yet", "fine.", "1 draft")
	r.types(enter, "enter")
	r.stop("The answer is saved", "C1 saved")
	r.types(enter, "enter")
	r.stop("Ready to start", "enter start round 2")
	r.types(ctrlS, "ctrl+s")
	r.skipAhead("round 2 of 2")
	r.skipAhead("is writing it")
	r.keys = "ctrl+s > >"
	r.stop("The verdict", "2 of 3", "ctrl+n own topic")
	r.types("\t", "tab")
	r.stop("What each side holds", "Positions")
	r.types("\x1b", "esc")
	tm.await("3 Cleo ·") // the seats again
	r.finish()
	return tm
}

// recordFork records a fork with another answer.
func recordFork(t *testing.T, env []string, tm *terminal) {
	r := record(tm, "fork", "Another answer: a fork", sessions(t, env)[0].ID)
	tm.send("[")
	r.types("F", "F")
	r.stop("What can change", "C1 answer")
	r.types(enter, "enter")
	r.types("\x18", "ctrl+x")
	r.types("Nobody has counted them.", "Nobody has counted them.")
	r.stop("Another answer", "enter fork", "counted them.")
	tm.send(enter)
	tm.await("This is a fork of")
	for _, s := range sessions(t, env) {
		if s.ID != r.ids[0] {
			r.ids = append(r.ids, s.ID)
		}
	}
	r.types("", "enter")
	r.stop("The fork", "space: start round 2")
	r.types(" ", "space")
	tm.skipAhead("they have read each other")
	tm.skipAhead("is writing it")
	r.stop("Its verdict", "D positions", "Fork of")
	r.finish()
	tm.leaves(ctrlC)
}

// recordAnswers records how requests are answered by keys, and that a draft is there again
// when the debate is opened by its id.
func recordAnswers(t *testing.T, env []string) {
	runs(t, env, 3, "run", "Should we move our billing service to Postgres?", "--panel", "demo")
	id := sessions(t, env)[0].ID
	tm := open(t, env, 80, 24, "resume", id)
	r := record(tm, "answers", "Answering requests by keys, at 80x24", id)
	r.stop("The first request", takesKeys)
	r.types("Two days at most.", "Two days at most.")
	r.stop("An answer", "draft saved", "Two days")
	r.types(enter, "enter")
	r.stop("The next request", "C1 saved")
	r.types("\x18", "ctrl+x")
	tm.await("a reason is needed")
	r.types("Nobody has set a date.", "Nobody has set a date.")
	r.stop("There is no answer, and why", "Nobody has set a date.", "your draft for C2")
	tm.leaves(ctrlC)
	r.finish()

	tm = open(t, env, 80, 24, "resume", id[:4])
	r = record(tm, "resume", "Opening a debate by its id: what was typed is still there", id)
	r.stop("As it was left", "Paused after round 1")
	r.types("c", "c")
	r.stop("What was typed", "Nobody has set a date.", "your draft for C2")
	r.types(ctrlS, "ctrl+s")
	r.stop("Ready to start", "C2 saved")
	r.types(ctrlS, "ctrl+s")
	tm.skipAhead("they have read each other")
	tm.skipAhead("is writing it")
	r.stop("The verdict", "2 of 3; ")
	r.types("q", "q")
	r.stop("The list of debates", "newest first", "✓ ")
	r.finish()
	tm.leaves(ctrlC)
}
