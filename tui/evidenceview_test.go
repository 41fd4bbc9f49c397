package tui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
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
