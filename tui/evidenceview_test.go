package tui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui"
)

// ledger is a source file of so many lines.
func ledgerFile(lines int) string {
	var b strings.Builder
	b.WriteString("package ledger\n")
	for n := 2; n <= lines; n++ {
		fmt.Fprintf(&b, "\ttx.Exec(`INSERT INTO entries VALUES (%d)`)\n", n)
	}
	return b.String()
}

// cited is a debate with its verdict, in which evidence is cited, also wrongly.
func cited() debate.Session {
	s := concluded()
	all, err := debate.AddEvidence(nil, []debate.Evidence{
		debate.NewEvidence("billing/ledger.go", debate.EvidenceFile, ledgerFile(212), ""),
		debate.NewEvidence("main.diff", debate.EvidenceDiff, "--- a/main.go\n+++ b/main.go\n@@ -1 +1 @@\n-old\n+new\n", ""),
		debate.NewEvidence("docs", debate.EvidenceFolder, "docs/\n  backup.md\n", "Converted from UTF-16."),
		debate.NewEvidence("docs/backup.md", debate.EvidenceFile, "A backup is a file copy.\n"+strings.Repeat("It has to be rehearsed, and the time that it takes has to be known. ", 20)+"\n", ""),
	})
	if err != nil {
		panic(err)
	}
	s.Evidence = all
	for i := range s.History {
		s.History[i].Manifest.Evidence = []string{"F1", "F2", "F3", "F4"}
	}
	say := func(round, seat int, text string) {
		st := &s.History[round-1].Responses[seat].Statement
		st.Body += " " + text
		s.History[round-1].Responses[seat].Passages[0].Text = st.Body
	}
	say(3, 0, "Every INSERT is in one file [F1:120-140], and the diff adds none [F2].")
	say(4, 1, "It commits once a call [F1:120-140], see [F1:7].")
	say(4, 2, "The end says more [F1:900].")
	s.Verdict.Text += "\nAll writes are in one place [F1:120-140].\n"
	return s
}

// evidenceScreens are the screens of evidence.
func evidenceScreens() []screenCase {
	withFiles := sessionOf(cited)
	return []screenCase{
		{"list", withFiles, keys("t")},
		{"text", withFiles, keys("t", "enter")},
		{"long lines", withFiles, keys("t", "G", "enter")},
		{"searched", withFiles, func(r *harness, _ *scripted) {
			r.press("t", "enter", "/")
			r.typeText("(17")
			r.press("enter")
		}},
		{"being searched", withFiles, func(r *harness, _ *scripted) {
			r.press("t", "enter", "/")
			r.typeText("insert")
		}},
	}
}

func TestEvidence_screens(t *testing.T) {
	t.Parallel()
	for i, c := range evidenceScreens() {
		size := [][2]int{{80, 24}, {80, 24}, {80, 16}, {80, 16}, {80, 16}}[i]
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			drawScreen(t, c, dark, func(r *harness) {
				r.resized(size[0], size[1])
				r.golden(size[0], size[1])
			})
		})
	}
}

func TestEvidence_enterOnACitationOpensItsPlace(t *testing.T) {
	bubble(t, cited, func(r *harness, _ *scripted) {
		r.press("esc", "2", ".", "enter")
		r.sees("[F1] billing/ledger.go · file", "▸120", "▸140")
		r.press("y")
		r.sees("Copied F1.")
		r.press("esc", "t", "enter", "esc")
		r.sees("cited by", "[F4]")
		r.press("/")
		r.typeText("nowhere")
		r.press("enter")
		r.sees(`No match for "nowhere" here.`)
		r.press("enter", "G")
		r.sees("212")
		r.press("g", "N")
		r.sees("No search yet. Press / to start one.")
	})
}

// In the debate, the citations of the seat in focus are marked one by one, and enter opens
// the marked one.
func TestEvidence_enterOpensACitationOfThePane(t *testing.T) {
	bubble(t, cited, func(r *harness, _ *scripted) {
		r.press("esc", "1", ".")
		r.sees("[F1:120-140] billing/ledger.go", "of 2.", "enter: open it")
		r.press("2", ".")
		r.sees("[F1:120-140] billing/ledger.go, 1 of 2.")
		r.press(".")
		r.sees("[F1:7] billing/ledger.go, 2 of 2.")
		marked := func() bool { return strings.Contains(r.last.Load().Content, "\x1b[7m[F1:7]\x1b[m") }
		if !marked() {
			t.Error("the citation is not highlighted in the pane")
		}
		r.press("esc")
		if marked() {
			t.Error("the citation is highlighted after esc")
		}
		r.press(".", ".", "enter")
		r.sees("[F1] billing/ledger.go · file", "▸  7")
		r.press("esc", "enter")
		r.misses("[F1] billing/ledger.go · file")
	})
}

// In its pane a wrong citation is named with the reason.
func TestPane_flagsACitationThatNamesNothing(t *testing.T) {
	bubble(t, cited, func(r *harness, _ *scripted) {
		r.press("esc", "3", "z", "G")
		r.sees("[F1:900] names nothing: F1 has 212 lines")
	})
}

// hostile is a debate whose evidence attacks the terminal.
func hostile() debate.Session {
	s := cited()
	evil := "\x1b[2J\x1b]0;evil\a\u202e\x00 harmless \x1b[31mred"
	for i, e := range s.Evidence {
		e.Name, e.Note = evil+e.Name, evil
		e.Text = strings.ReplaceAll(evil, "\x00", "") + "\n" + e.Text
		s.Evidence[i] = e
	}
	return s
}

func TestEvidence_isSafeOnAllScreens(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {140, 40}} {
		m := newModel(t, size[0], size[1], storing(hostile()), tui.Start{Session: billing})
		for _, key := range strings.Fields("l enter / h enter n G esc esc esc v") {
			m.Update(keyOf(key))
			checkScreen(t, m, size[0], size[1], "evidence after", key)
		}
	}
}

// Who cites evidence in a debate that runs is told as the statements come.
func TestEvidence_listFollowsTheDebate(t *testing.T) {
	bubble(t, func() debate.Session {
		s := cited()
		s.Verdict, s.History = nil, s.History[:2]
		return s
	}, func(r *harness, script *scripted) {
		r.press("t", "t")
		r.sees("not cited")
		r.misses("Ada")
		r.press("esc", "space")
		s := cited()
		s.Verdict, s.History = nil, s.History[:3]
		script.sessions[billing] = s
		script.current().events <- debate.RoundStarted{Session: s, Round: 3}
		script.current().events <- debate.TurnEnded{Response: s.History[2].Responses[0]}
		r.wait(time.Second)
		r.press("t", "t")
		r.sees("Ada")
		finish(r, script.current())
	})
}

var _ = agents.ID("")

// Lines of a diff are named by the file that they are in, on every screen.
func TestEvidence_namesTheFileOfADiff(t *testing.T) {
	s := func() debate.Session {
		s := cited()
		s.History[3].Responses[0].Passages[0].Text = "It is new [F2:5]."
		s.History[3].Responses[0].Statement.Body = "It is new [F2:5]."
		return s
	}
	bubble(t, s, func(r *harness, _ *scripted) {
		r.press("esc", "1", ".")
		r.sees("[F2:5] main.diff, main.go:1")
	})
}
