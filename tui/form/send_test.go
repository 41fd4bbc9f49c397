package form_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/screen"
)

func TestSend_followsTheRules(t *testing.T) {
	presses := func(keys ...string) func(s *harness) { return func(s *harness) { s.press(keys...) } }
	enterSends := func(keys ...string) func(s *harness) {
		return func(s *harness) {
			s.open(options{EnterSends: true})
			s.press(keys...)
		}
	}
	fromStart := func(key string) func(s *harness) {
		return func(s *harness) {
			s.tabTo("release")
			s.now = s.now.Add(screen.Settle)
			s.press(key)
		}
	}
	bothStored := func(s *harness) { s.record(answers("C1", "Yes.", "C2", "No.")) }
	all := func(steps ...func(s *harness)) func(s *harness) {
		return func(s *harness) {
			for _, step := range steps {
				step(s)
			}
		}
	}
	yes, told := answer{Submissions: answers("C1", "Yes.")}, func(texts ...string) []string { return texts }
	for _, tt := range []struct {
		name  string
		play  func(s *harness)
		want  outcome
		focus string
		says  []string
	}{
		{
			"nothing typed: goes to the next request", presses("ctrl+s"),
			none{},
			"C2 answer",
			told("Round 3 waits for C1 (Ada), C2 (Brook)"),
		},
		{
			"an answer is recorded, and the next request has the focus", presses("Yes.", "ctrl+s"), yes, "C2 answer",
			told("✓ C1 saved · 2 to go", "required 1 of 2 done"),
		},
		{
			"a draft is one of those that are left, as everywhere on the screen", presses("Yes.", "tab", "tab"),
			none{},
			"C2 answer",
			told("Round 3 waits for C1 (draft), C2 (Brook)", "required 0 of 2 done"),
		},
		{
			"required ones come before optional ones", presses("ctrl+s", "ctrl+s", "Maybe.", "ctrl+s"),
			answer{Submissions: answers("C3", "Maybe.")},
			"release", told("✓ C3 saved · 2 to go", "Round 3 waits for C1"),
		},
		{
			"it never goes back", presses("tab", "tab", "No.", "ctrl+s"),
			answer{Submissions: answers("C2", "No.")},
			"C3 answer",
			told("✓ C2 saved · 2 to go"),
		},
		{
			"the start row says what blocks the round, and goes there", fromStart("ctrl+s"),
			none{},
			"C1 answer",
			told("! Not started: C1 and C2 need an answer, or ctrl+x with a reason."),
		},
		{"the start row records the drafts and starts the round", func(s *harness) {
			s.press("Yes.", "tab", "tab", "No.")
			s.tabTo("release")
			s.has("Ready: enter starts round 3 with your drafts for C1, C2, 1 optional open")
			s.press("ctrl+s")
		}, release{Submissions: answers("C1", "Yes.", "C2", "No.")}, "release", nil},
		{
			"from the first answer to the round by one key", presses("Yes.", "ctrl+s", "No.", "ctrl+s", "ctrl+s", "ctrl+s"),
			release{},
			"release", told("Ready: enter starts round 3 with 2 answers, 1 optional open"),
		},
		{
			"enter on the start row does the same", all(bothStored, fromStart("enter")),
			release{},
			"release", told("2 answers, 1 optional open"),
		},
		{
			"a second enter right after an answer starts no round",
			all(enterSends(), bothStored, presses("enter", "enter", "enter", "enter")), // over C3 to the start row
			none{},
			"release", told("2 answers, 1 optional open", "enter start round 3"),
		},
		{
			"while a round runs it only records", all(func(s *harness) { s.SetRunning(true) }, presses("Yes.", "ctrl+s")), yes, "C2 answer",
			told("✓ Saved. Round 3 can start once round 2 is done."),
		},
		{
			"after the last round", all(func(s *harness) { s.open(options{Final: true}) }, presses("Yes.", "ctrl+s")), yes, "C2 answer",
			told("Context · after the last round", "✓ Saved. An answer now waits for another round: + on the verdict."),
		},
		{
			"unavailable needs a reason", presses("ctrl+x", "ctrl+s"),
			none{},
			"C1 answer",
			told("! Say why C1 is unavailable. The seats read it."),
		},
		{
			"another lacks its reason: the round does not start", all(presses("ctrl+x", "tab", "Yes."), fromStart("ctrl+s")),
			none{},
			"C1 answer", told("Say why C1 is unavailable."),
		},
		{"an optional one lacks its reason: it stays open", func(s *harness) {
			bothStored(s)
			s.tabTo("C3 answer")
			s.press("ctrl+x")
			fromStart("ctrl+s")(s)
		}, release{}, "release", told("2 answers, 1 optional open")},
		{
			"unavailable with a reason", presses("ctrl+x", "Nobody knows.", "ctrl+s"),
			answer{Submissions: []ledger.Submission{{Request: "C1", Outcome: ledger.Unavailable, Content: "Nobody knows."}}},
			"C2 answer", told("✓ C1 saved · 2 to go"),
		},
		{"enter sends an answer of one line", func(s *harness) {
			enterSends()(s)
			s.has("enter go to C2")
			s.press("Yes.")
			s.has("enter save C1, go to C2", "alt+enter new line")
			s.press("enter")
		}, yes, "C2 answer", nil},
		{"enter is a line from the second line on", func(s *harness) {
			enterSends("Yes,", "alt+enter", "but")(s)
			s.has("ctrl+s save C1, go to C2", "enter new line")
			s.press("enter", "not now.", "ctrl+s")
		}, answer{Submissions: answers("C1", "Yes,\nbut\nnot now.")}, "C2 answer", nil},
		{"a pasted line is a line", func(s *harness) {
			enterSends()(s)
			s.Paste(paste("Yes,\nbut"))
			s.press("enter")
		}, none{}, "C1 answer", told("ctrl+s save C1")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := threeRequests(t)
			tt.play(s)
			if diff := cmp.Diff(tt.want, s.last); diff != "" {
				t.Error(diff)
			}
			s.at(tt.focus)
			s.has(tt.says...)
		})
	}
}

// While submissions are being recorded nothing is sent twice, and text typed meanwhile
// is a new draft.
func TestSend_waitsForRecording(t *testing.T) {
	s := threeRequests(t)
	s.SetRunning(true)
	s.types("Yes.")
	first := s.HandleKey(ctrlS)
	s.has("sending")
	if again := s.HandleKey(ctrlS); again != (none{}) {
		t.Errorf("the second press is %+v", again)
	}
	s.press("alt+up", "alt+up", " But.")
	s.record(first.(answer).Submissions)
	s.has("Yes. But.█", "1 draft", "saving")
	s.hasNot("Saved.")
	if r, _ := s.session().Request("C1"); r.Answers[0].Content != "Yes." {
		t.Errorf("recorded is %q", r.Answers[0].Content)
	}
}

func TestCorrection_changesAReleasedAnswer(t *testing.T) {
	s := threeRequests(t)
	s.record(answers("C1", "Yes.", "C2", "No."))
	s.apply(s.now, s.ledger.Release(3))
	s.rounds = 3
	s.open(options{})
	s.has("nothing required · 1 optional", "✓ sent      C1", "✓ sent      C2")
	s.press("tab", "tab") // past the source
	s.has("enter changes it")
	s.press("enter", " Mostly.")
	s.has("╭▸correction ─", "your draft for C1")
	want := release{Submissions: answers("C1", "Yes. Mostly.")}
	want.Submissions[0].Correct = true
	s.tabTo("release")
	if diff := cmp.Diff(outcome(want), s.press("ctrl+s")); diff != "" {
		t.Error(diff)
	}
	if a, ok := s.session().Requests[0].Undelivered(); !ok || !a.Correction {
		t.Errorf("the correction is %+v", a)
	}
	s.open(options{})
	s.has("✓ not sent  C1", "Yes. Mostly.", "✓ sent      C2")
	s.apply(s.now, s.ledger.Release(4))
	s.open(options{})
	s.has("✓ sent      C1")
}

func TestRefused_saysWhyAndKeepsTheText(t *testing.T) {
	long := &ledger.SubmissionError{Request: "C2", Err: ledger.ErrTooLong, Text: "The answer to C2 has 70000 characters."}
	for _, tt := range []struct {
		err         error
		focus, says string
	}{
		{&debate.BlockedError{Round: 3, Requests: []ledger.Request{{ID: "C2"}}}, "C2 answer", "! Not started: C2 needs an answer"},
		{long, "C2 answer", "! The answer to C2 has 70000 characters."},
		{errors.New("the disk is full"), "C1 answer", "! The disk is full."},
	} {
		s := threeRequests(t)
		s.types("Yes.")
		s.refusal = tt.err
		s.press("ctrl+s")
		s.at(tt.focus)
		s.has(tt.says, "1 draft", "Yes.")
	}
}

func TestDraft_ofAnAssistantIsCalledThatUntilItIsChanged(t *testing.T) {
	s := twoRequests(t, 93, 40, map[string]debate.Draft{"C1": {Text: "Yes.", ProposedBy: "aide"}})
	s.has("proposed by aide, not sent yet")
	s.types("x")
	s.Saved()
	s.has("draft saved, not sent yet")
}

func TestDraft_isToBeStoredUntilItIs(t *testing.T) {
	s := threeRequests(t)
	s.types("x")
	s.has("saving")
	s.Saved()
	s.has("draft saved, not sent yet")
	if len(s.Unsaved()) > 0 {
		t.Error("a stored draft is offered again")
	}
	s.press("ctrl+s") // recorded, so the draft has to be removed
	if d := s.Unsaved(); len(d) != 1 || d[0].Draft != (debate.Draft{At: s.now}) {
		t.Errorf("after sending the draft is %+v", d)
	}
}

// What is typed is stored within a second of each key, and again after the store refused it.
func TestDraft_isNeverASecondBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := threeRequests(t)
		s.ctx, s.refusal = t.Context(), errors.New("the disk is full")
		s.renew()
		s.open(options{})
		msgs := make(chan tea.Msg, 10)
		do := func(out screen.Outcome) {
			for _, effect := range out {
				if cmd, ok := effect.(tea.Cmd); ok {
					go func() { msgs <- cmd() }()
				}
			}
		}
		pass := func(d time.Duration) {
			for range d / time.Millisecond {
				time.Sleep(time.Millisecond)
				for synctest.Wait(); len(msgs) > 0; synctest.Wait() {
					do((<-msgs).(screen.ThenIn).Then())
				}
			}
		}
		for range 40 {
			do(s.Screen.HandleKey(tea.KeyPressMsg{Code: 'x', Text: "x"}))
			pass(100 * time.Millisecond)
			if len(s.saved) == 1 {
				s.refusal = nil
			}
		}
		pass(time.Second)
		if n := len(s.saved); n < 4 || n > 12 || s.saved[n-1] != strings.Repeat("x", 40) {
			t.Errorf("%d drafts of 40 keys: %q", n, s.saved)
		}
		for i, draft := range s.saved[2:] {
			if behind := len(draft) - len(s.saved[i+1]); behind > 10 {
				t.Errorf("%d keys between two drafts", behind)
			}
		}
	})
}

// Answers saved while a round ran can be released once it has ended.
func TestSetRunning_offersToReleaseSavedAnswers(t *testing.T) {
	s := threeRequests(t)
	s.SetRunning(true)
	s.press("Yes.", "ctrl+s", "No.", "ctrl+s")
	s.has("Saved. Round 3 can start once round 2 is done.")
	s.SetRunning(false)
	s.has("Start round 3 with 2 answers, 1 optional open")
	s.hasNot("Saved.")
}
