// Package screen defines what a full view of the interface is to the shell that
// shows it: its keys, its drawing, and what it can ask the shell to do.
//
// It imports debate and agents for their values, textview and theme to draw, and Bubble
// Tea. It must not know any screen, nor the shell.
package screen

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/theme"
)

// Screen is one full view. The shell owns the stack of screens; a screen owns
// its state and its keys, and never knows another screen.
type Screen interface {
	// Name is what the screen is called, as in the title of help.
	Name() string
	// SetSize sets the room between the top line and the notice row.
	SetSize(w, h int)
	// SetTheme changes colours and symbols.
	SetTheme(th *theme.Theme)

	// Commands lists what the user can do here, in the order of help, palette and
	// bottom line. It returns the same commands every time; what changes is behind
	// their functions.
	Commands() []Command
	// HandleKey takes a key that is not a command, while text is typed.
	HandleKey(msg tea.KeyPressMsg) Outcome
	// Paste inserts text into the field that has the focus, if there is one.
	Paste(text string) Outcome
	// Back handles esc: it closes what lies on top, at last the screen itself.
	Back() Outcome
	// BackHint says what esc does, for the bottom line; "" shows nothing.
	BackHint() string

	// Title returns the two ends of the top line; nil leaves it to the open session.
	Title(f Frame) (left, right []theme.Part)
	// View draws exactly the room that SetSize gave.
	View(f Frame) string
	// Cursor is where text is typed, relative to the screen; nil hides it.
	Cursor() *tea.Cursor
	// Typing reports whether keys are text at the moment.
	Typing() bool
	// TypingHints says how to finish what is typed, the most important key first.
	TypingHints() []string
}

// OfSession is a screen that shows the open session.
type OfSession interface {
	Screen
	// SetSession replaces the session, for example after it was read back.
	SetSession(s debate.Session)
	// Apply shows an event; events that the screen does not show change nothing.
	Apply(ev debate.Event)
}

// NoInput is embedded by screens on which no text is typed.
type NoInput struct{}

// HandleKey does nothing.
func (NoInput) HandleKey(tea.KeyPressMsg) Outcome { return nil }

// Paste does nothing.
func (NoInput) Paste(string) Outcome { return nil }

// Cursor returns nil.
func (NoInput) Cursor() *tea.Cursor { return nil }

// Typing returns false.
func (NoInput) Typing() bool { return false }

// TypingHints returns nil.
func (NoInput) TypingHints() []string { return nil }

// Scroller is a screen that the mouse wheel moves. The position is relative to
// the screen, step is 1 down or -1 up; lists move by that and texts by lines.
type Scroller interface {
	Wheel(x, y, step, lines int)
}

// Lowerer is a screen that keeps its arrangement when a notice takes rows of its room.
type Lowerer interface {
	// Lower takes so many of its last rows; 0 gives them back.
	Lower(rows int)
}

// Clicker is a screen on which a click chooses something.
type Clicker interface {
	Click(x, y int) Outcome
}

// Undoer is a screen whose typed text has a history.
type Undoer interface {
	// Undo takes back the last change; ok is false if there is none.
	Undo() (out Outcome, ok bool)
}

// LayingOut is a screen that lays out long texts one part at a time.
type LayingOut interface {
	// LayingOut reports whether the next view shows more of a text.
	LayingOut() bool
}

// Frame is the moment that a view is drawn at: the time on the clock, and the
// step of the spinner. Screens keep no clock of their own.
type Frame struct {
	Now  time.Time
	Spin int
}

// Sizes below which the shell draws only a sentence.
const (
	MinWidth  = 40
	MinHeight = 10
)

// Wide is the width from which the top line has room for more than one thing.
const Wide = 100

// TooSmall reports whether a terminal has no room for any screen.
func TooSmall(w, h int) bool { return w < MinWidth || h < MinHeight }

// Offset moves a cursor that is relative to a part of the screen; nil stays nil.
func Offset(c *tea.Cursor, x, y int) *tea.Cursor {
	if c != nil {
		c.X += x
		c.Y += y
	}
	return c
}

// SaveQueue runs the saves of drafts and answers one at a time, in the order in
// which Update added them. Bubble Tea runs commands concurrently: without the
// queue a draft could be stored after the answer that replaces it.
type SaveQueue struct {
	mu      sync.Mutex
	pending []*save
	running chan struct{} // has room for the one that runs pending saves
}

type save struct {
	run  func() tea.Msg
	done bool
	msg  tea.Msg
}

// NewSaveQueue returns an empty queue.
func NewSaveQueue() *SaveQueue { return &SaveQueue{running: make(chan struct{}, 1)} }

// Add appends a save and returns the command that runs it, after all that were
// added before it, even if their own commands never run.
func (q *SaveQueue) Add(run func() tea.Msg) tea.Cmd {
	s := &save{run: run}
	q.mu.Lock()
	q.pending = append(q.pending, s)
	q.mu.Unlock()
	return func() tea.Msg {
		q.running <- struct{}{}
		defer func() { <-q.running }()
		for !s.done {
			next := q.next()
			next.msg, next.done = next.run(), true
		}
		return s.msg
	}
}

func (q *SaveQueue) next() *save {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.pending[0]
	q.pending = q.pending[1:]
	return s
}

// Do adds a save and runs it at once.
func (q *SaveQueue) Do(run func() error) error {
	var err error
	q.Add(func() tea.Msg {
		err = run()
		return nil
	})()
	return err
}
