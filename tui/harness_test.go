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

	"roundtable/internal/testing/viewtest"
	"roundtable/tui"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// harness runs the whole program without a terminal and without the renderer, whose
// output no test here reads, within a synctest bubble, and keeps what it drew last.
type harness struct {
	t     *testing.T
	deps  tui.Deps
	model *tui.Model
	prog  *tea.Program
	last  *atomic.Pointer[tea.View]
	views *atomic.Int64
	done  chan error
	quit  sync.Once
	leave context.CancelFunc
	wrote *output
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

// press types keys by their names, one after the other; "" waits until a question
// takes an answer.
func (r *harness) press(keys ...string) {
	for _, k := range keys {
		if k == "" {
			r.wait(screen.Settle)
			continue
		}
		r.prog.Send(keyOf(k))
		r.wait(time.Millisecond)
	}
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
		if c == ' ' {
			r.press("space")
			continue
		}
		r.press(string(c))
	}
}

// keyOf makes the message of a key such as "ctrl+s", "tab" or "x".
func keyOf(name string) tea.KeyPressMsg {
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		key := keyOf(rest)
		key.Mod, key.Text = tea.ModAlt, ""
		return key
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	codes := map[string]rune{
		"tab": tea.KeyTab, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace,
		"f1": tea.KeyF1, "f5": tea.KeyF5,
	}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	if name == "shift+tab" {
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	}
	c, _ := utf8.DecodeRuneInString(name)
	return tea.KeyPressMsg{Code: c, Text: name}
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

// stop ends the program as a user's quitting does, and drains it.
func (r *harness) stop() {
	r.t.Helper()
	r.quit.Do(func() {
		r.prog.Quit()
		r.ended()
	})
}

// ended waits for the program to end by itself.
func (r *harness) ended() {
	r.t.Helper()
	if err := <-r.done; err != nil {
		r.t.Error(err)
	}
	r.leave()
	lost := r.deps.Check != nil && r.deps.Check() != nil
	if err := r.model.Drain(); (err != nil) != lost {
		r.t.Errorf("the end of the program: %v, and the database is lost: %t", err, lost)
	}
}
