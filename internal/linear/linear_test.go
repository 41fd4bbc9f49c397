package linear_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/internal/app"
	_ "roundtable/internal/e2e/ramdisk"
	"roundtable/internal/linear"
	"roundtable/store"
)

// sessions is the store, without locks.
type sessions struct{ *store.Store }

func (s sessions) Sessions(ctx context.Context) ([]debate.SessionSummary, error) {
	return s.Store.Sessions(ctx, store.Query{})
}

func (s sessions) Open(ctx context.Context, id string) (debate.Session, error) {
	return s.Repair(ctx, id)
}
func (sessions) Close(string) error { return nil }

// setup makes debates of the demo's panel.
type setup struct{ modes []debate.Mode }

func (s setup) Choices(context.Context) (linear.Choices, error) {
	return linear.Choices{
		Modes: s.modes, Panels: []linear.Panel{{Name: "demo", Members: "scripted"}}, Defaults: linear.NewDebate{Plan: debate.Plan{Mode: "collaborative"}},
	}, nil
}

func (s setup) Build(n linear.NewDebate) (debate.Session, error) {
	m, err := modes.Find(s.modes, n.Mode)
	return debate.Session{
		Topic: n.Topic, Mode: m, Rounds: max(n.Rounds, 2), Seats: demo.Panel(3), Fit: debate.FitOptions{Share: debate.DefaultShare},
	}, err
}

// Read knows two files.
func (setup) Read(_ context.Context, path string) ([]debate.Evidence, []string, error) {
	switch path {
	case "notes.md":
		return []debate.Evidence{debate.NewEvidence(path, debate.EvidenceFile, "A week.\n", "")}, nil, nil
	case "keys.env":
		return []debate.Evidence{debate.NewEvidence(path, debate.EvidenceFile, "k\n", "")}, []string{"keys.env looks like it holds secrets."}, nil
	}
	return nil, nil, fs.ErrNotExist
}

// output is what the program has written.
type output struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	more chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.buf.Write(p)
	select {
	case o.more <- struct{}{}:
	default:
	}
	return n, err
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// user is a user of the program, who reads before typing.
type user struct {
	*testing.T
	store sessions
	out   *output
	in    *io.PipeWriter
	ended chan error
	heard int
}

// start runs the program on the demo's panel with a database of its own. Changes change
// what the engine is made of.
func start(t *testing.T, at linear.Start, changes ...func(*engine.Options)) *user {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "roundtable.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	provider := demo.New(0)
	made := engine.Options{
		Recorder: st, Provider: func(agents.Profile) (agents.Provider, error) { return provider, nil },
		Tools: []tools.Tool{tools.RequestContext{}},
	}
	for _, change := range changes {
		change(&made)
	}
	r, w := io.Pipe()
	u := &user{T: t, store: sessions{st}, out: &output{more: make(chan struct{}, 1)}, in: w, ended: make(chan error, 1)}
	go func() {
		u.ended <- linear.Run(t.Context(), linear.Options{
			Author: ledger.ByPerson("line by line"), DropInput: func() { fmt.Fprintln(u.out, "(typed ahead: dropped)") },
			In: r, Out: &linear.Writer{W: u.out}, Interrupts: make(chan struct{}), Store: u.store,
			Player:    app.Player{Engine: engine.New(made), Prepare: func([]agents.Profile) {}},
			Setup:     setup{all},
			Recipient: func(string) (string, bool) { return "", false },
			AddEvidence: func(ctx context.Context, id string, added ...debate.Evidence) (debate.Session, error) {
				return st.AddEvidence(ctx, id, added...)
			},
			Command: func(ctx context.Context, out io.Writer, args ...string) int { return u.command(ctx, out, args) },
			Edit:    func(was string) (string, error) { return was + "\nedited\n", nil },
		}, at)
	}()
	t.Cleanup(func() { w.Close() })
	return u
}

// command is the program's other commands, as far as tests look at what comes of them.
func (u *user) command(ctx context.Context, out io.Writer, args []string) int {
	fmt.Fprintf(out, "ran %q\n", args)
	var err error
	switch args[0] {
	case "fork":
		round, wrong := strconv.Atoi(args[3])
		if err = wrong; err == nil {
			_, err = u.store.Fork(ctx, args[1], debate.ForkPlan{Round: round})
		}
	case "rename":
		err = u.store.Rename(ctx, args[1], args[2])
	case "delete":
		err = u.store.Delete(ctx, args[1])
	}
	if err != nil {
		fmt.Fprintln(out, err)
		return 2
	}
	return 0
}

// hear waits until the texts are written, in order.
func (u *user) hear(texts ...string) {
	u.Helper()
	patience := time.After(30 * time.Second) // only used up by a failing test
	for _, want := range texts {
		for {
			out := u.out.text()
			if i := strings.Index(out[u.heard:], want); i >= 0 {
				u.heard += i + len(want)
				break
			}
			select {
			case <-u.out.more:
			case err := <-u.ended:
				u.Fatalf("it ended (%v) without writing %q:\n%s", err, want, u.out.text())
			case <-patience:
				u.Fatalf("%q was not written:\n%s", want, u.out.text())
			}
		}
	}
}

// types enters text and waits for what is written then.
func (u *user) types(text string, brings ...string) {
	u.Helper()
	if _, err := io.WriteString(u.in, text); err != nil {
		u.Fatal(err)
	}
	u.hear(brings...)
}

// end closes the input and returns how the program ended.
func (u *user) end() error {
	u.in.Close()
	return <-u.ended
}

// A program that the user has left reads its input no longer: nothing of it is left.
func TestQuit_leavesNothingRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := start(t, linear.Start{})
		u.hear("or quit.")
		u.types("/quit\n")
		if err := <-u.ended; err != nil {
			t.Error(err)
		}
	})
}

func TestSetup_asksAgainForWhatItCannotTake(t *testing.T) {
	u := start(t, linear.Start{})
	u.hear("No debates yet.")
	u.types("zzzz\n", "! ", "or quit.")
	u.types("/help\n", "find WORDS", "or quit.")
	u.types("/list\n", "No debates yet.", "or quit.")
	u.types("/answer\n", "! ", "or quit.")
	u.types("/back\n", "or quit.")
	u.types("new\n", "Topic: what should they debate?")
	u.types("\n", "Topic: what should they debate?")
	u.types("/start\n", "Not possible here.", "Topic")
	u.types("\xff\n", "Not taken: the line is not UTF-8.")
	u.types("Should we?\n", "Mode, by number or name; list reads them: [collaborative]")
	u.types("list\n", "2. ", "Mode, by number or name")
	u.types("colaborative\n", "There is no mode \"colaborative\"; did you mean collaborative?")
	u.types("\n", "Panel, by number or name; list reads them: [demo]")
	u.types("7\n", "There is no panel \"7\"")
	u.types("1\n", "Rounds: [2]")
	u.types("0\n", "Rounds must be 1-50.")
	u.types("3\n", "3 rounds", "Start this debate? yes or no [yes]")
	u.types("y\n", "Type yes or no.")
	u.types("no\n", "No debates yet.")
	if err := u.end(); err != nil {
		t.Error(err)
	}
}

func TestGate_savesEachLineAndTakesNothingElseForAnAnswer(t *testing.T) {
	u := start(t, linear.Start{New: &linear.NewDebate{Plan: debate.Plan{Topic: "Should we?"}}, Begin: true})
	u.hear("(typed ahead: dropped)", "Waiting for you", "C1> ")
	u.types("one\n", "C1> ")
	u.types("\n", "C1> ")
	u.types("//two\n", "C1> ")
	u.types("..\n", "C1> ")
	saved := func() string {
		all, err := u.store.Sessions(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatalf("%v %+v", err, all)
		}
		s, err := u.store.Session(t.Context(), all[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		return s.Drafts["C1"].Text
	}
	if got, want := saved(), "one\n\n/two\n."; got != want {
		t.Errorf("the draft is %q, want %q", got, want)
	}
	u.types("/startt\n", "There is no command /startt; did you mean /start?", "1 required left", "> ")
	u.types("text\n", "Commands begin with a slash.", "> ")
	u.types("/answer c1\n", "Your draft", "C1> ")
	u.types("/editor\n", "edited", "C1> ")
	u.types("/discard\n", "dropped", "C1> ")
	if got := saved(); got != "" {
		t.Errorf("the dropped draft is %q", got)
	}
	u.types("again\n", "C1> ")
	u.types("not entered", "")
	if err := u.end(); err != nil {
		t.Error(err)
	}
	if got := saved(); got != "again" {
		t.Errorf("the draft is %q", got)
	}
	if !strings.Contains(u.out.text(), "Continue: roundtable resume ") {
		t.Errorf("no farewell:\n%s", u.out.text())
	}
}

// A line without a slash is never sent without a question, and a command is never text.
func TestVerdict_andWhatCanBeDoneAfterIt(t *testing.T) {
	u := start(t, linear.Start{New: &linear.NewDebate{Plan: debate.Plan{Topic: "Should we?"}}, Begin: true})
	u.hear("C1> ")
	u.types("/unavailable nobody knows\n", "C1 saved.", "C2> ")
	u.types("/skip\n", "C2 is skipped", "/continue starts round 2 with C1 (1 optional left open).", "> ")
	u.types("/tell Be brief.\n", "To all seats: Be brief.", "Send this?")
	u.types("/back\n", "/continue starts round 2", "> ")
	u.types("/tell 2 Be brief.\n", "To 2 Brook only: Be brief.", "Send this?")
	u.types("yes\n", "To Brook in round 2: Be brief.")
	u.types("/start\n", "You to 2 Brook: Be brief.", "Verdict ready", "> ")
	u.types("/tell more\n", "There is no later round: yes adds one and sends this.", "yes or no [no]")
	u.types("no\n", "Not sent.", "> ")
	u.types("/rounds 1\n", "Add round 3?", "yes or no [no]")
	u.types("\n", "> ")
	u.types("/retry ada\n", "! Ada has answered in round 2.", "> ")
	u.types("/budget 50k\n", "Budget set to 50000 tokens.", "> ")
	u.types("/budget\n", "! Give the budget in dollars, in tokens, or in both", "> ")
	u.types("/answer C1\n", "Unavailable, sent with round 2", "C1> ")
	u.types("Two.\n", "C1> ")
	u.types(".\n", "Source")
	u.types("\n", "C1 saved. No later round", "> ")
	u.types("/back\n", "1. Should we?, completed")
	u.types("1\n", "Verdict ready")
	if err := u.end(); err != nil {
		t.Error(err)
	}
}

// What names a file is attached when the user says so; all else stays text.
func TestMention_attachesFilesOfTopicAndAnswers(t *testing.T) {
	u := start(t, linear.Start{})
	u.types("new\n", "Topic")
	u.types("Is @notes.md right, @dataclass?\n", "Attach notes.md, 8 B? Every seat reads it. yes or no [yes]")
	u.types("\n", "Attached notes.md as F1.", "There is no file dataclass; it stays as text.", "Mode")
	u.types("\n", "Panel")
	u.types("\n", "Rounds")
	u.types("\n", "Topic: Is [F1] right, @dataclass?", "Start this debate?")
	u.types("\n", "C1> ")
	u.types("See @keys.env and @notes.md.\n", "C1> ")
	u.types(".\n", "! keys.env looks like it holds secrets.", "Attach keys.env, 2 B? Every seat reads it. yes or no [no]")
	u.types("\n", "Not attached; its path stays as text.", "Attach notes.md, 8 B?")
	u.types("yes\n", "Attached notes.md as F1.", "Source")
	u.types("\n", "C1 saved.", "C2> ")
	u.types("/topic\n", "Is [F1] right", "Evidence [F1] notes.md")
	u.types("/focus What of @notes.md?\n", "Attach notes.md, 8 B?")
	u.types("yes\n", "Focus for round 2: What of [F1]?", "> ")
	u.types("/answer C1\n", "See @keys.env and [F1].", "C1> ")
	if err := u.end(); err != nil {
		t.Error(err)
	}
}

// Other commands of the program run for the open debate, and a fork is opened.
func TestCommands_ofTheProgramRunForTheOpenDebate(t *testing.T) {
	u := start(t, linear.Start{New: &linear.NewDebate{Plan: debate.Plan{Topic: "Should we?"}}, Begin: true})
	u.hear("C1> ")
	u.types("/unavailable nobody knows\n", "C2> ")
	u.types("/skip\n", "> ")
	u.types("/start\n", "/ask QUESTION asks the chair", "> ")
	all, err := u.store.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	id := all[0].ID
	for line, says := range map[string]string{
		"/fork":              "Give the last round to keep, 0 to 2",
		"/fork one":          `ran ["fork" "` + id + `" "--round" "one"]`,
		"/fork 7":            "has no finished round 7",
		"/fork 1 --facts \"": "! ",
		"/export HTML":       `ran ["export" "` + id + `" "--format" "html"]`,
		"/show 1":            `ran ["show" "` + id + `" "1"]`,
		"/prompt 2":          `ran ["show" "` + id + `" "--prompt" "brook"]`,
		"/ask":               "! The question is empty.",
		"/cancel":            "The debate has ended. /add-rounds [N]: add a round.",
		"/last":              "The debate has ended.",
	} {
		u.types(line+"\n", says, "> ")
	}
	u.types("/ask Why?\n", "The answer is written here", "You asked", "> ")
	u.types("/ask brook Why not?\n", "To Brook only: Why not?", "Ask this? yes or no [yes]")
	u.types("no\n", "Not asked.", "> ")
	u.types("/rename Two days\n", "The debate is called Two days now.", "> ")
	u.types("/fork 1 --answer \"C1=Two days.\"\n", `"--answer" "C1=Two days."]`, "Fork of", "C1> ")
	if err := u.end(); err != nil {
		t.Error(err)
	}
}

func TestEnd_hasTheVerdictWritten(t *testing.T) {
	u := start(t, linear.Start{New: &linear.NewDebate{Plan: debate.Plan{Topic: "Should we?", Rounds: 3}}, Begin: true})
	u.hear("C1> ")
	u.types("/unavailable nobody knows\n", "C2> ")
	u.types("/unavailable nobody knows\n", "> ")
	u.types("/end\n", "End now? The chair writes the verdict.")
	u.types("yes\n", "Verdict ready")
	if err := u.end(); err != nil {
		t.Error(err)
	}
}

// What the verdict allows is said before anything is stored, and /help has the command.
func TestOutcome_isSaidLineByLine(t *testing.T) {
	u := start(t, linear.Start{New: &linear.NewDebate{Plan: debate.Plan{Topic: debate.DemoTopic, Rounds: 3}}, Begin: true})
	u.hear("C1> ")
	u.types("/unavailable nobody knows\n", "C2> ")
	u.types("/unavailable nobody knows\n", "> ")
	u.types("/outcome right\n", "The debate has no verdict", "> ")
	u.types("/end\n", "End now? The chair writes the verdict.")
	u.types("yes\n", "Verdict ready", "> ")
	u.types("/help\n", "/outcome OUTCOME: say how the verdict turned out", "> ")
	u.types("/outcome\n", "use right, wrong, mixed or open", "> ")
	u.types("/outcome perhaps\n", "is no outcome", "> ")
	u.types("/outcome mixed: two teams\n", "Outcome: mixed (two teams).", "> ")
	u.types("/verdict\n", "Outcome: mixed (two teams)", "> ")
	if err := u.end(); err != nil {
		t.Error(err)
	}
}

// A list is managed by its numbers.
func TestHome_renamesAndDeletes(t *testing.T) {
	u := start(t, linear.Start{New: &linear.NewDebate{Plan: debate.Plan{Topic: "Should we?"}}, Begin: true})
	u.hear("C1> ")
	u.types("/later\n", "/continue asks for them.", "> ")
	u.types("/back\n", "1. Should we?", "or quit.")
	u.types("help\n", "rename A \"NAME\"", "or quit.")
	u.types("rename\n", "rename A \"NAME\"", "or quit.")
	u.types("rename 1 \"Two days\"\n", "1. Two days", "or quit.")
	u.types("find two\n", `ran ["sessions" "--search" "two"]`, "or quit.")
	u.types("delete 1\n", "Delete ", "yes or no [no]")
	u.types("\n", "or quit.")
	u.types("delete 1\n", "yes or no")
	u.types("yes\n", "--yes", "No debates yet.")
	if err := u.end(); err != nil {
		t.Error(err)
	}
}

// The list, which screen readers read aloud, has the beginning of a long topic, and what a debate is a fork of.
func TestHome_listsTheBeginningOfALongTopicAndForks(t *testing.T) {
	u := start(t, linear.Start{New: &linear.NewDebate{Plan: debate.Plan{Topic: strings.Repeat("long ", 8000)}}, Begin: true})
	u.hear("C1> ")
	u.types("/later\n", "/continue asks for them.", "> ")
	all, err := u.store.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := u.store.Fork(t.Context(), all[0].ID, debate.ForkPlan{}); err != nil {
		t.Fatal(err)
	}
	clipped := strings.Repeat("long ", 19) + "long..."
	u.types("/back\n", "1. "+clipped+" (fork of "+all[0].ID+", from the start), ", "2. "+clipped+", needs you", "or quit.")
	if err := u.end(); err != nil {
		t.Error(err)
	}
}

func TestPlain_hasASCIIForWhatDraws(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n": "plain\n", "\u256d\u2500\u2502\u256f": "+-|+", "\u2588\u2596": "##", "\u2800\u28ff": " .", "a \u2192 b\u2026": "a -> b...",
		"\x1b[1mbold": "[1mbold", "\u009b31m": "31m", "\u25cf caf\u00e9 \u65e5\u672c": "* caf\u00e9 \u65e5\u672c",
	} {
		if got := linear.Plain(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		for _, out := range linear.Plain(string(r)) {
			if out == '\x1b' || out >= 0x80 && out < 0xa0 || out >= 0x2500 && out < 0x2600 || out >= 0x2800 && out < 0x2900 {
				t.Fatalf("%U becomes %U", r, out)
			}
		}
	}
}
