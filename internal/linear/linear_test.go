package linear_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
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
	"roundtable/debate/budget"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/internal/app"
	_ "roundtable/internal/e2e/ramdisk"
	"roundtable/internal/linear"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
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

func (setup) Set(p *debate.Plan, field, value string) (err error) {
	switch field {
	case "mode":
		p.Mode = value
	case "rounds":
		p.Rounds, err = strconv.Atoi(value)
	}
	return err
}

func (s setup) Build(_ context.Context, p debate.Plan) (debate.Session, []string, error) {
	m, err := modes.Find(s.modes, cmp.Or(p.Mode, "collaborative"))
	if err == nil && p.Rounds > debate.MaxRounds {
		err = errors.New("rounds must be 1-50")
	}
	return debate.Session{
		Topic: p.Topic, Mode: m, Rounds: cmp.Or(p.Rounds, 2), Seats: demo.Panel(3), Fit: debate.FitOptions{Share: debate.DefaultShare},
	}, []string{"Ada retires."}, err
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

// begun starts with a debate of so many rounds, without asking.
func begun(rounds int) linear.Start {
	return linear.Start{New: &linear.NewDebate{Plan: debate.Plan{Topic: "Should we?", Rounds: rounds}}, Begin: true}
}

// start runs the program on the demo's panel with a database of its own. Changes change
// what the engine is made of.
func start(t *testing.T, at linear.Start, changes ...func(*engine.Options)) *user {
	t.Helper()
	st := must.Get(store.Open(t.Context(), filepath.Join(t.TempDir(), "roundtable.db"), store.Options{}))(t)
	t.Cleanup(func() { st.Close() })
	all := must.Get(modes.Builtin())(t)
	provider := demo.New(0)
	made := engine.Options{
		Recorder: st, Provider: func(agents.Profile) (agents.Provider, error) { return provider, nil },
		Tools: []tools.Tool{tools.RequestContext()},
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
			Player:     app.Player{Engine: engine.New(made)},
			Setup:      setup{all},
			Recipients: func(debate.Session) string { return "nobody" }, Estimate: budget.Estimate,
			Command: func(ctx context.Context, out io.Writer, args ...string) int { return u.command(ctx, out, args) },
		}, at)
	}()
	t.Cleanup(func() { w.Close() })
	return u
}

// command is the program's other commands, as far as tests look at what comes of them.
func (u *user) command(ctx context.Context, out io.Writer, args []string) int {
	fmt.Fprintf(out, "ran %q\n", args)
	if args[0] != "fork" {
		return 0
	}
	if len(args) < 4 {
		return 2
	}
	round, err := strconv.Atoi(args[3])
	if err == nil {
		_, err = u.store.Fork(ctx, args[1], debate.ForkPlan{Round: round})
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
	_ = must.Get(io.WriteString(u.in, text))(u)
	u.hear(brings...)
}

// end closes the input, which ends the program.
func (u *user) end() {
	u.Helper()
	u.in.Close()
	if err := <-u.ended; err != nil {
		u.Error(err)
	}
}

// A program that the user has left reads its input no longer: nothing of it is left.
func TestQuit_leavesNothingRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := start(t, linear.Start{})
		u.hear("help lists commands.")
		u.types("/quit\n")
		must.Do(t, <-u.ended)
	})
}

func TestSetup_asksAgainForWhatItCannotTake(t *testing.T) {
	u := start(t, linear.Start{})
	u.hear(`ran ["sessions"]`, "help lists commands.")
	u.types("rename abc \"Two days\"\n", `ran ["rename" "abc" "Two days"]`, "help lists commands.")
	u.types("7\n", "! There is no such number.", "help lists commands.")
	u.types("sessions --search \"\n", "! ", "help lists commands.")
	u.types("new\n", "! Ada retires.", "Topic: what should they debate?")
	u.types("\n", "Topic: what should they debate?")
	u.types("/continue\n", "Not possible here;", "Topic")
	u.types("\xff\n", "Not taken: the line is not UTF-8.")
	u.types("Should we?\n", "Mode collaborative, 2 rounds.", "Forecast: ", "Start this debate?", "[yes]")
	u.types("colour blue\n", "rounds N: number of rounds", "Start this debate?")
	u.types("modes\n", `ran ["modes"]`, "Start this debate?")
	u.types("mode delphy\n", "there is no mode", "A change")
	u.types("yes\n", "there is no mode", "A change")
	u.types("--mode delphi\n", "Mode delphi", "Start this debate?")
	u.types("rounds x\n", "! ", "Start this debate?")
	u.types("rounds 3\n", "3 rounds", "Start this debate?")
	u.types("file keys.env\n", "! keys.env looks like it holds secrets.", "Attach 1 file, 2 B? Every seat reads it. yes or no [no]")
	u.types("y\n", "Not done.", "Start this debate?")
	u.types("file nothere.md\n", "! ", "Start this debate?")
	u.types("no\n", `ran ["sessions"]`)
	u.end()
}

func TestGate_savesEachLineAndTakesNothingElseForAnAnswer(t *testing.T) {
	u := start(t, begun(2))
	u.hear("(typed ahead: dropped)", "Round 2 waits for C1", "C1> ")
	u.types("one\n", "C1> ")
	u.types("\n", "C1> ")
	u.types("//two\n", "C1> ")
	u.types("..\n", "C1> ")
	saved := func() string {
		all := must.Get(u.store.Sessions(t.Context()))(t)
		return must.Get(u.store.Session(t.Context(), all[0].ID))(t).Drafts["C1"].Text
	}
	if got, want := saved(), "one\n\n/two\n."; got != want {
		t.Errorf("the draft is %q, want %q", got, want)
	}
	u.types("/contnue\n", "There is no command /contnue; did you mean /continue?", "The answer to C1 goes on.", "C1> ")
	u.types("/topic\n", "/continue asks for them.", "> ")
	u.types("text\n", "Commands begin with a slash.", "> ")
	u.types("/answer c1\n", "A draft", "C1> ")
	u.types("/discard\n", "dropped", "C1> ")
	if got := saved(); got != "" {
		t.Errorf("the dropped draft is %q", got)
	}
	u.types("again\n", "C1> ")
	u.types("not entered", "")
	u.end()
	if got := saved(); got != "again" {
		t.Errorf("the draft is %q", got)
	}
	if !strings.Contains(u.out.text(), "Continue: roundtable --linear resume ") {
		t.Errorf("no farewell:\n%s", u.out.text())
	}
}

// What costs something is done once the user agrees.
func TestVerdict_andWhatCanBeDoneAfterIt(t *testing.T) {
	u := start(t, begun(2))
	u.hear("C1> ")
	u.types("/unavailable nobody knows\n", "C1 saved.", "C2> ")
	u.types("/skip\n", "C2 is left open, and its draft is kept. /answer C2 asks again.", "/continue: start round 2.", "> ")
	u.types("/tell Bruk: Be brief.\n", "! Give a seat by number or name: ", "> ")
	u.types("/tell 2 Be brief.\n", "To Brook in round 2: Be brief.")
	u.types("/continue\n", "To 2 Brook: Be brief.", "Verdict ready", "> ")
	u.types("/tell more\n", "To all, if you add round 3: more. /add-rounds [N]: add it.", "> ")
	u.types("/add-rounds 1\n", "Add round 3?", "yes or no [no]")
	u.types("no\n", "Not done.", "> ")
	u.types("/add-rounds 1\n", "Add round 3?", "yes or no [no]")
	u.types("\n", "> ")
	u.types("/retry-seat ada\n", "! Ada has answered in round 2.", "> ")
	u.types("/set-budget 50k\n", "Budget set to 50000 tokens.", "> ")
	u.types("/set-budget\n", "! Give the budget in dollars, in tokens, or in both", "> ")
	u.types("/answer C1\n", "Unavailable, sent with round 2", "C1> ")
	u.types("Two.\n", "C1> ")
	u.types(".\n", "Source")
	u.types("\n", "C1 saved. One more round uses it.", "> ")
	u.types("/back\n", "help lists commands.")
	u.types("1\n", "Verdict ready")
	u.end()
}

// A file is attached when the user says so, before a debate and in it.
func TestAttach_addsFilesToTheEvidence(t *testing.T) {
	u := start(t, linear.Start{New: &linear.NewDebate{Plan: debate.Plan{Topic: "Should we?"}}})
	u.types("file notes.md\n", "Attach 1 file, 8 B? Every seat reads it. yes or no [no]")
	u.types("yes\n", "Evidence notes.md.", "Start this debate?")
	u.types("\n", "Evidence [F1] notes.md", "C1> ")
	u.types("See F2.\n", "C1> ")
	u.types("/attach keys.env\n", "! keys.env looks like it holds secrets.", "yes or no [no]")
	u.types("yes\n", "Evidence keys.env. Texts cite it as [F2].", "> ")
	u.types("/answer\n", "A draft", "See F2.", "C1> ")
	u.types(".\n", "Source")
	u.types("\n", "C1 saved.", "> ")
	u.types("/topic\n", "Evidence [F1] notes.md", "Evidence [F2] keys.env", "  Should we?", "> ")
	u.end()
}

// Other commands of the program run for the open debate, and a fork is in the list.
func TestCommands_ofTheProgramRunForTheOpenDebate(t *testing.T) {
	u := start(t, begun(2))
	u.hear("C1> ")
	u.types("/unavailable nobody knows\n", "C2> ")
	u.types("/skip\n", "> ")
	u.types("/continue\n", "/ask QUESTION asks the chair", "> ")
	all := must.Get(u.store.Sessions(t.Context()))(t)
	id := all[0].ID
	for line, says := range map[string]string{
		"/fork":               `ran ["fork" "` + id + `"]`,
		"/fork --help":        `ran ["fork" "` + id + `" "--help"]`,
		"/fork --round 7":     "has no finished round 7",
		"/fork --facts \"":    "! ",
		"/export --format md": `ran ["export" "` + id + `" "--format" "md"]`,
		"/show 1":             `ran ["show" "` + id + `" "1"]`,
		"/requests":           `ran ["requests" "` + id + `"]`,
		"/ask":                "! The question is empty.",
		"/cancel-seat":        "The debate has ended. /add-rounds [N]: add a round.",
	} {
		u.types(line+"\n", says, "> ")
	}
	u.types("/ask Why?\n", "The answer is written here", "You asked", "> ")
	u.types("/ask brook Why not?\n", "Asked Brook.", "You asked 2 Brook", "> ")
	u.types("/fork --round 1 --answer \"C1=Two days.\"\n", `"--answer" "C1=Two days."]`, `ran ["sessions"]`, "help lists commands.")
	u.types("1\n", "Fork of", "C1> ")
	u.end()
}

func TestPlain_hasASCIIForWhatDraws(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n": "plain\n", "\u256d\u2500\u2502\u256f": "+-|+", "\u2588\u2596": "++", "\u2800\u28ff": "**", "a \u2192 b\u2026": "a -> b...",
		"\x1b[1mbold": "bold", "\u009b31mred": "red", "\u25cf caf\u00e9 \u65e5\u672c": "* caf\u00e9 \u65e5\u672c",
	} {
		if got := linear.Plain(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	for from := rune(0); from <= utf8.MaxRune; from += 256 {
		var block strings.Builder
		for r := from; r < from+256; r++ {
			block.WriteRune(r)
		}
		for _, out := range linear.Plain(block.String()) {
			if out == '\x1b' || out >= 0x80 && out < 0xa0 || out >= 0x2500 && out < 0x2600 || out >= 0x2800 && out < 0x2900 {
				t.Fatalf("of the characters from %U one becomes %U", from, out)
			}
		}
	}
}

// The verdict of a review is printed as a list, with those that were refuted in a line each.
func TestReview_isPrintedAsAList(t *testing.T) {
	s := debatetest.Reviewed()
	u := start(t, linear.Start{Session: s.ID}, func(o *engine.Options) { debatetest.Record(t, o.Recorder.(*store.Store), s) })
	u.hear(
		"5 findings: 2 agreed, 1 disputed, 2 by one seat; 1 high.", "Findings:",
		"H1 - high - agreed - tui/form.go:41-42 - The loop reads one row too many", "Cy: true, worth fixing.", "41|", "Fix:",
		"H2 - medium - agreed, by one model", "H3 - medium - disputed - old:tui/form.go:41-42", "Cy: not true.",
		"H4 - low - by one seat - no place stated", "H5 - low - by one seat - F1:900 (absent)",
		"1 refuted finding:", "H7 - low - refuted", "Verdict ready", "> ",
	)
	u.end()
}
