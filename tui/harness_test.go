package tui_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// harness runs the whole program without a terminal and without the renderer, whose
// output no test here reads, within a synctest bubble, and keeps what it drew last.
type harness struct {
	t      *testing.T
	deps   tui.Deps
	script *scripted // nil where the engine plays
	model  *tui.Model
	prog   *tea.Program
	last   *atomic.Pointer[tea.View]
	views  *atomic.Int64
	done   chan error
	quit   sync.Once
	leave  context.CancelFunc
	wrote  *output
}

// output keeps what the program writes to the terminal.
type output struct {
	mu  sync.Mutex
	buf strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// spy keeps every view of the model that it wraps.
type spy struct {
	tea.Model
	last  *atomic.Pointer[tea.View]
	views *atomic.Int64
	blind bool // nothing is drawn, which takes most of the time
}

func (s spy) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := s.Model.Update(msg)
	return s, cmd
}

func (s spy) View() tea.View {
	if s.blind {
		return tea.View{}
	}
	v := s.Model.View()
	s.last.Store(&v)
	s.views.Add(1)
	return v
}

var usual, small = [2]int{140, 40}, [2]int{80, 24} // sizes of a terminal

// bubble runs a test of the whole program on a usual screen. The script knows
// one session, which is opened; nothing is left running afterwards.
func bubble(t *testing.T, session func() debate.Session, test func(r *harness, script *scripted)) {
	bubbleAt(t, usual, session, test)
}

// bubbleAt is bubble in a terminal of a size.
func bubbleAt(t *testing.T, size [2]int, session func() debate.Session, test func(r *harness, script *scripted)) {
	bubbleWith(t, size, session, func(*tui.Deps, *scripted) {}, test)
}

// bubbleWith is bubbleAt after a change of what the program begins with. Where session is nil
// there is none, and the program begins with the list.
func bubbleWith(
	t *testing.T, size [2]int, session func() debate.Session, change func(d *tui.Deps, s *scripted),
	test func(r *harness, script *scripted),
) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		script, open := storing(), ""
		if session != nil {
			s := session()
			script.knows(s)
			open = s.ID
		}
		deps := script.deps()
		deps.Start.Session = open
		change(&deps, script)
		r := start(t, size[0], size[1], deps)
		defer r.stop()
		test(r, script)
	})
}

// onList begins with the list of sessions.
func onList(d *tui.Deps, _ *scripted) { d.Start = tui.Start{} }

// start runs the interface on a screen of the given size.
func start(t *testing.T, w, h int, deps tui.Deps) *harness {
	t.Helper()
	return launch(t, w, h, deps, false)
}

// launch runs the interface on a screen of the given size, which is drawn unless the test
// is blind.
func launch(t *testing.T, w, h int, deps tui.Deps, blind bool) *harness {
	t.Helper()
	if deps.Theme == (theme.Options{}) {
		deps.Theme = theme.Options{Dark: true, Profile: colorprofile.TrueColor}
	}
	deps.Fixed = true
	ctx, cancel := context.WithCancel(t.Context())
	r := &harness{
		t: t, deps: deps, model: tui.New(ctx, deps), last: &atomic.Pointer[tea.View]{}, views: &atomic.Int64{}, done: make(chan error, 1),
		leave: cancel, wrote: &output{},
	}
	r.script, _ = deps.Player.(*scripted)
	r.prog = tea.NewProgram(spy{r.model, r.last, r.views, blind}, tea.WithInput(nil), tea.WithOutput(r.wrote), tea.WithoutSignalHandler(),
		tea.WithoutRenderer(), tea.WithWindowSize(w, h), tea.WithColorProfile(deps.Theme.Profile))
	go func() {
		_, err := r.prog.Run()
		r.done <- err
	}()
	t.Cleanup(cancel)
	r.wait(time.Second)
	return r
}

// wait lets time pass, in which the program does what it has to. What the test
// then reads of the script was written before it returns.
func (r *harness) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// press types keys by their names, and texts, one after the other; "" waits until a
// question takes an answer.
func (r *harness) press(keys ...string) {
	for _, k := range keys {
		msg, known := keyNamed(k)
		switch {
		case k == "":
			r.wait(screen.Settle)
		case known:
			r.sends(msg)
		default:
			r.typeText(k)
		}
	}
}

// sends gives the program a message.
func (r *harness) sends(msg tea.Msg) {
	r.prog.Send(msg)
	r.wait(time.Millisecond)
}

// confirm answers a question, once it takes an answer.
func (r *harness) confirm(key string) {
	r.wait(screen.Settle)
	r.press(key)
}

// asks fails unless all the texts are on the screen once a question takes answers.
func (r *harness) asks(texts ...string) {
	r.t.Helper()
	r.wait(screen.Settle)
	r.sees(texts...)
}

// send goes from the first request to the start row and starts the round, where nothing
// blocks it.
func (r *harness) send() { r.press("ctrl+s", "ctrl+s", "ctrl+s") }

// typeText types a text.
func (r *harness) typeText(s string) {
	for _, c := range s {
		r.sends(keyOf(strings.Replace(string(c), " ", "space", 1)))
	}
}

// paste pastes a text.
func (r *harness) paste(text string) { r.sends(tea.PasteMsg{Content: text}) }

// keyOf makes the message of a key such as "ctrl+s", "tab" or "x".
func keyOf(name string) tea.KeyPressMsg {
	msg, _ := keyNamed(name)
	return msg
}

// keyNamed is keyOf, and whether the name is that of a key.
func keyNamed(name string) (msg tea.KeyPressMsg, known bool) {
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		key := keyOf(rest)
		key.Mod, key.Text = tea.ModAlt, ""
		return key, true
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}, true
	}
	named := map[string]tea.KeyPressMsg{
		"tab": {Code: tea.KeyTab}, "enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
		"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
		"f1": {Code: tea.KeyF1}, "f5": {Code: tea.KeyF5},
		"space": {Code: tea.KeySpace, Text: " "}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
	}
	if msg, ok := named[name]; ok {
		return msg, true
	}
	c, n := utf8.DecodeRuneInString(name)
	return tea.KeyPressMsg{Code: c, Text: name}, n == len(name)
}

// screen is what is on the screen, without colours.
func (r *harness) screen() string { return ansi.Strip(r.last.Load().Content) }

// resized returns what is on the screen in another size, which it must fill exactly.
func (r *harness) resized(w, h int) string {
	r.t.Helper()
	r.prog.Send(tea.WindowSizeMsg{Width: w, Height: h})
	r.wait(61 * time.Millisecond)
	content := r.last.Load().Content
	viewtest.RequireSize(r.t, content, w, h)
	return content
}

// sees fails unless all the texts are on the screen.
func (r *harness) sees(texts ...string) {
	r.t.Helper()
	for _, s := range texts {
		if !strings.Contains(r.screen(), s) {
			r.t.Errorf("%q is not on the screen:\n%s", s, r.screen())
		}
	}
}

// misses fails if one of the texts is on the screen.
func (r *harness) misses(texts ...string) {
	r.t.Helper()
	for _, s := range texts {
		if strings.Contains(r.screen(), s) {
			r.t.Errorf("%q is on the screen:\n%s", s, r.screen())
		}
	}
}

// did fails unless all of this was asked of the script.
func (r *harness) did(calls ...string) {
	r.t.Helper()
	for _, call := range calls {
		if !r.script.did(call) {
			r.t.Errorf("not %q but %q", call, r.script.calls)
		}
	}
}

// didNot fails if one of these was asked of the script.
func (r *harness) didNot(calls ...string) {
	r.t.Helper()
	for _, call := range calls {
		if r.script.did(call) {
			r.t.Errorf("%q, in %q", call, r.script.calls)
		}
	}
}

// asked fails unless exactly this was asked of the newest run.
func (r *harness) asked(want string) {
	r.t.Helper()
	if got := r.script.current().wasAsked(); got != want {
		r.t.Errorf("the run was asked %q, want %q", got, want)
	}
}

// ran fails unless so many runs were begun.
func (r *harness) ran(n int) {
	r.t.Helper()
	if len(r.script.runs) != n {
		r.t.Errorf("%d runs, want %d: %q", len(r.script.runs), n, r.script.calls)
	}
}

// plays begins a round, which comes to its middle, see [run.speaking].
func (r *harness) plays(s debate.Session) *run {
	r.press("space")
	r.script.current().speaking(s)
	r.wait(time.Second)
	return r.script.current()
}

// hears has the newest run tell of events.
func (r *harness) hears(events ...debate.Event) {
	for _, ev := range events {
		r.script.current().events <- ev
	}
	r.wait(time.Second)
}

// over has the newest run end.
func (r *harness) over(s debate.Session, err error) {
	r.script.current().end(s, err)
	r.wait(time.Second)
}

// quits ends the program by a key of the user's.
func (r *harness) quits() {
	r.t.Helper()
	r.press("ctrl+c")
	r.quit.Do(r.ended)
}

// stop ends the program as a user's quitting does, and drains it.
func (r *harness) stop() {
	r.t.Helper()
	r.quit.Do(func() {
		r.prog.Quit()
		r.ended()
	})
}

// ended waits for the program to end by itself. Runs end when it stops them.
func (r *harness) ended() {
	r.t.Helper()
	if r.script != nil {
		for _, run := range r.script.runs {
			finish(run)
		}
	}
	if err := <-r.done; err != nil {
		r.t.Error(err)
	}
	r.leave()
	lost := r.deps.Check != nil && r.deps.Check() != nil
	if err := r.model.Drain(); (err != nil) != lost {
		r.t.Errorf("the end of the program: %v, and the database is lost: %t", err, lost)
	}
}
