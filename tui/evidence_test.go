package tui_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/evidence"
	"roundtable/internal/testing/must"
	"roundtable/tui"
	"roundtable/tui/attach"
)

type folder struct {
	evidence.Finder
	asked atomic.Int64
}

func (f *folder) Complete(ctx context.Context, typed string) ([]string, error) {
	f.asked.Add(1)
	return f.Finder.Complete(typed, 100)
}

func (f *folder) Find(ctx context.Context, path string) (attach.Found, error) {
	f.asked.Add(1)
	m, err := f.Finder.Find(path)
	found := attach.Found{Path: path, Name: m.Name, Kind: debate.EvidenceFile, Size: m.Size}
	if m.Folder {
		found.Kind, found.Size = debate.EvidenceFolder, 0
	}
	if err == nil && m.Outside() {
		found.Ask = "is outside this folder"
	}
	return found, err
}

func (f *folder) Read(ctx context.Context, path string) (attach.Reading, error) {
	f.asked.Add(1)
	m, err := f.Finder.Find(path)
	if err != nil {
		return attach.Reading{}, err
	}
	read, err := evidence.Read(ctx, nil, m.Source)
	notices := verdict.EvidenceSentences(debate.Session{Evidence: read.Evidence})
	return attach.Reading{Evidence: read.Evidence, Secrets: read.Secrets, Notices: notices}, err
}

func files(t *testing.T, contents map[string]string) *folder {
	t.Helper()
	dir := t.TempDir()
	for name, content := range contents {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return &folder{Finder: evidence.Finder{Dir: dir}}
}

// project is what most tests here attach.
func project() map[string]string {
	return map[string]string{
		"notes.md": "Peak: 42 writes/s.\n", "ledger/ledger.go": "package ledger\n", "ledger/ledger_test.go": "package ledger_test\n",
		"two words.txt": "Both.\n", ".env": "KEY=1\n", "logo.png": "\x89PNG\r\n\x1a\n\x00\x00",
	}
}

// attaching runs the interface over a folder with the project.
func attaching(t *testing.T, w, h int, start_ tui.Start, s func() debate.Session, test func(r *harness, script *scripted, disk *folder)) {
	t.Helper()
	disk := files(t, project())
	bubbleWith(t, [2]int{w, h}, s, func(d *tui.Deps, s *scripted) { d.Files, d.Evidence, d.Start = disk, s, start_ },
		func(r *harness, script *scripted) { test(r, script, disk) })
}

func evidenceNames(all []debate.Evidence) string {
	var out []string
	for _, e := range all {
		out = append(out, e.ID+" "+e.Name)
	}
	return strings.Join(out, ", ")
}

func TestNewDebate_filesBecomeEvidence(t *testing.T) {
	open := tui.Start{New: true, Files: []string{"ledger/ledger.go", "two words.txt", ".env"}}
	attaching(t, 80, 24, open, gate, func(r *harness, script *scripted, _ *folder) {
		r.paste("Read @logo.png, ") // is literal
		r.misses("logo.png · ")
		r.press("is @not")
		r.press("tab") // completes
		r.press(" safe? Ask ada@example.com, @nobody.")
		r.sees("is @notes.md safe?", "4 files", "! @nobody is not here.")
		r.press("tab", "tab", "tab", "tab")
		r.sees("▸ Files", "[@notes.md · 19 B] [ledger/ledger.go · 15 B]", "[two words.txt · 6 B]")
		r.press("backspace")
		r.misses("[.env")
		r.press("enter") // begins another mention
		r.sees("@nobody. @")
		r.press("backspace", "backspace", "ctrl+s")
		want := "F1 ledger/ledger.go, F2 two words.txt, F3 notes.md"
		if got := evidenceNames(script.created.Evidence); got != want {
			t.Errorf("the debate has %q, want %q", got, want)
		}
		if want := "Read @logo.png, is [F3] safe? Ask ada@example.com, @nobody."; script.created.Topic != want {
			t.Errorf("the topic is %q, want %q", script.created.Topic, want)
		}
		if want := "Read @logo.png, is " + script.created.Evidence[2].Name + " safe? Ask ada@example.com, @nobody."; script.created.Title != want {
			t.Errorf("the title is %q, want %q", script.created.Title, want)
		}
	})
}

// A refusal names the file and the reason.
func TestNewDebate_refusesAFileThatIsNoText(t *testing.T) {
	attaching(t, 110, 30, tui.Start{New: true}, gate, func(r *harness, script *scripted, _ *folder) {
		r.press("Safe? @logo.png", "ctrl+s")
		r.wait(time.Second)
		r.sees("logo.png ")
		if script.created.Topic != "" {
			t.Errorf("%q was created", script.created.Topic)
		}
	})
}

// Every file that needs a question is named in its own, also at 80 columns.
func TestNewDebate_asksAboutEachFile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), ".env")
	must.Do(t, os.WriteFile(outside, []byte("KEY=2\n"), 0o600))
	other := filepath.Join(t.TempDir(), "elsewhere.txt")
	must.Do(t, os.WriteFile(other, []byte("x\n"), 0o600))
	attaching(t, 80, 24, tui.Start{New: true}, gate, func(r *harness, script *scripted, _ *folder) {
		r.press("Compare @" + other + " , @.env and @" + outside)
		answer := func(keys ...string) {
			for _, key := range keys {
				r.press(key)
				r.wait(time.Second)
			}
		}
		answer("ctrl+s")
		r.asks("elsewhere.txt is outside this folder. ctrl+s attach · esc back")
		answer("enter")
		r.asks(" .env may hold secrets. ctrl+s attach · esc back")
		answer("enter")
		r.asks("/.env may hold secrets. ctrl+s attach · esc back")
		answer("x")
		r.misses("ctrl+s attach")
		if n := len(script.created.Topic); n != 0 {
			t.Fatal("the debate began although a file was not attached")
		}
		answer("backspace", "ctrl+s", "enter", "enter", "enter")
		if n := len(script.created.Evidence); n != 3 {
			t.Errorf("the debate has %d pieces of evidence", n)
		}
	})
}

// A path that is pasted after an @ of the user's own is meant, as the row Files asks for it.
func TestNew_aPathPastedAfterAnAtIsAttached(t *testing.T) {
	attaching(t, 100, 30, tui.Start{New: true}, gate, func(r *harness, script *scripted, _ *folder) {
		r.press("Compare @")
		r.paste("ledger/ledger.go")
		r.sees("1 file")
		r.press(" with ")
		r.paste("@notes.md") // is literal
		r.press("ctrl+s")
		if got := evidenceNames(script.created.Evidence); got != "F1 ledger/ledger.go" {
			t.Errorf("the debate has %q", got)
		}
	})
}

func TestInterject_anAtPathBecomesEvidence(t *testing.T) {
	open := tui.Start{Session: billing}
	attaching(t, 100, 30, open, round1Done, func(r *harness, script *scripted, _ *folder) {
		r.press("1", "i")
		r.sees("@ attach a file")
		r.press("Read @ledger/l", "tab")
		r.sees("▸ ledger/ledger.go", "ledger/ledger_test.go")
		r.press("enter", ", and tell @all.")
		r.sees("attaches [ledger/ledger.go · 15 B]")
		r.press("enter")
		r.did(`tell "ada" Read [F1], and tell @all.`)
		if got := evidenceNames(script.sessions[billing].Evidence); got != "F1 ledger/ledger.go" {
			t.Errorf("the session has %q", got)
		}
		r.press("f")
		r.paste("What of @notes.md?") // is literal
		r.misses("attaches")
		r.press("enter")
		if script.focus.Text != "What of @notes.md?" {
			t.Errorf("the focus is %q", script.focus)
		}
		r.press("f")
		r.typeText(" @ledger/ledger.go") // the same file keeps its id
		r.press("enter")
		if script.focus.Text != "What of @notes.md? [F1]" {
			t.Errorf("the focus is %q", script.focus)
		}
		r.press("t", "t")
		r.sees("[F1]", "ledger/ledger.go", "not cited")
	})
}

// What was shown as a file is not sent as text, and what cannot be attached is not lost.
func TestInterject_keepsTheTextIfItsFileIsRefused(t *testing.T) {
	open := tui.Start{Session: billing}
	attaching(t, 100, 30, open, round1Done, func(r *harness, script *scripted, disk *folder) {
		r.press("1", "i", "Read @logo.png now", "enter")
		r.sees("logo.png ", "Nothing was sent; your text is kept.")
		r.press("i", "ctrl+u", "Read @notes.md now")
		r.sees("attaches [notes.md · 19 B]")
		must.Do(t, os.Remove(filepath.Join(disk.Dir, "notes.md")))
		r.press("enter")
		r.sees("notes.md does not exist.")
		r.press("i", "ctrl+u", "Read @.env now", "enter")
		r.sees(".env may hold secrets.")
		r.press("esc", "i")
		r.sees("Read @.env now")
		script.fails("the disk is full")
		r.press("enter")
		r.wait(time.Second)
		r.press("enter")
		r.sees("the disk is full")
		for _, call := range script.calls {
			if strings.HasPrefix(call, "tell") {
				t.Errorf("it was sent: %q", call)
			}
		}
	})
}

// A path that is pasted is text, and a file that is refused leaves the answer as it was typed.
func TestForm_aFileIsTheAnswer(t *testing.T) {
	attaching(t, 100, 30, tui.Start{Session: billing}, gate, func(r *harness, script *scripted, _ *folder) {
		r.sees("@ a file")
		r.paste("see @notes.md and ")
		r.misses("notes.md · 19 B")
		r.press("@logo.png")
		r.send()
		r.sees("logo.png ", "see @notes.md and @logo.png")
		for range "logo.png" {
			r.press("backspace")
		}
		r.press("two")
		r.sees("tab completes the path")
		r.press("tab")
		r.sees("answer with [two words.txt · 6 B]")
		r.send()
		r.did("answer C1 see @notes.md and [F1]", "start 3")
		if got := evidenceNames(script.current().session.Evidence); got != "F1 two words.txt" {
			t.Errorf("round 3 starts with %q", got)
		}
	})
}

// Update asks nothing of the disk: finding, completing and reading are commands.
func TestFiles_updateDoesNoIO(t *testing.T) {
	disk := files(t, project())
	script := storing(gate())
	deps := script.deps()
	deps.Files, deps.Evidence, deps.Fixed, deps.Start.New = disk, script, true, true
	m := tui.New(t.Context(), deps)
	drive(m, m.Init())
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	ran := 0
	for _, key := range strings.Split("@ n o t tab ? tab shift+tab space @ n o t right enter ctrl+s", " ") {
		before := disk.asked.Load()
		_, cmd := m.Update(keyOf(key))
		m.View()
		if disk.asked.Load() != before {
			t.Errorf("%s: Update asked the disk", key)
		}
		if key != "ctrl+s" { // that would begin a round
			drive(m, cmd)
		}
		if disk.asked.Load() != before {
			ran++
		}
	}
	if ran < 8 {
		t.Errorf("only %d keys led to commands that ask the disk", ran)
	}
}

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
	say(4, 0, "It is new [F2:5].")
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
		r.press("/", "nowhere", "enter")
		r.sees(`No match for "nowhere" here.`)
		r.press("enter", "G")
		r.sees("212")
		r.press("g", "N")
		r.sees("Nothing is found. Search for words first.")
	})
}

// In the debate, the citations of the seat in focus are marked one by one, and enter opens
// the marked one.
func TestEvidence_enterOpensACitationOfThePane(t *testing.T) {
	bubble(t, cited, func(r *harness, _ *scripted) {
		r.press("esc", "1", ".")
		r.sees("[F2:5] main.diff, main.go:1, 1 of 3. enter: open it")
		r.press(".")
		r.sees("[F1:120-140] billing/ledger.go, 2 of 3.")
		r.press(",")
		r.sees("[F2:5] main.diff, main.go:1, 1 of 3.")
		r.press("2", ",")
		r.sees("[F1:7] billing/ledger.go, 2 of 2.")
		r.press(",")
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
		r.press("3", "z", "G")
		r.sees("[F1:900] names nothing: F1 has 212 lines")
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
		r.hears(debate.TurnEnded{Response: s.History[2].Responses[0]})
		r.press("t", "t")
		r.sees("Ada")
	})
}
