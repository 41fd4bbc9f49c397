package screen

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// Outcome is what the shell is asked to do after a key or a message, in order;
// nil asks for nothing. It is a list, since a key often both starts something
// and shows a notice.
type Outcome []Effect

// Effect is one thing the shell is asked to do: a value of this package, a
// tea.Cmd to run, or a value of the screen's own package that its doc names.
type Effect any

// Run asks for a command of Bubble Tea to be run.
func Run(cmd tea.Cmd) Outcome {
	if cmd == nil {
		return nil
	}
	return Outcome{cmd}
}

// Tell shows a notice until the next key.
func Tell(t Tone, text string) Outcome { return Advise(t, text, "") }

// Advise shows a notice until the next key, with the keys that help.
func Advise(t Tone, text, keys string) Outcome {
	return Outcome{Notice{Text: text, Keys: keys, Tone: t, Transient: true}}
}

// Refused tells why something was not done; nil if it was.
func Refused(err error) Outcome {
	if err == nil {
		return nil
	}
	return Tell(Warning, text.Sentence(err.Error()))
}

// Effects of several screens.
type (
	// Close leaves the screen for the one below it.
	Close struct{}
	// ClearNotice takes the notice away, and an error that is shown with it.
	ClearNotice struct{}
	// OpenReceipt shows what was last sent to a seat; "": to the chair.
	OpenReceipt struct{ Seat agents.ID }
	// OpenCitation shows the place of the evidence that a citation names.
	OpenCitation struct{ debate.Citation }
	// Found says which match of a search is shown.
	Found struct{ Words, Place string }
	// RestoreError shows the pending error, if there is one, in place of the notice.
	RestoreError struct{}
)

// Saving is something that the user entered and that is saved.
type Saving int

// What is saved.
const (
	Answers Saving = iota + 1 // and what steers the debate
	Drafts
)

type (
	// SaveFailed says that the store refused; what was typed is still there.
	SaveFailed struct {
		What Saving
		Err  error
	}
	// Saved takes away the error that was shown when this could not be saved.
	Saved struct{ What Saving }
	// RunBegan says that a run of the session has begun, whose events are to be read.
	RunBegan struct{}
)

// Press runs the command of a key, if it can run now.
type Press string

// Copy puts text into the terminal's clipboard.
type Copy struct {
	Text string // "": there is nothing to copy
	What string // its name in the notice
	// Shown has the notice show the text itself.
	Shown bool
}

// Tone says how a notice is meant.
type Tone int

// The tones.
const (
	Info Tone = iota
	Success
	Warning // the user is asked for something
	Error   // stands until its cause is gone, or esc
)

// Style returns the style of a tone.
func (t Tone) Style(th *theme.Theme) lipgloss.Style {
	switch t {
	case Success:
		return th.Success
	case Warning:
		return th.Warning
	case Error:
		return th.Danger
	case Info:
	}
	return th.Muted
}

// Notice is one line above the bottom line.
type Notice struct {
	Text      string
	Keys      string // what can be done about it; never cut
	Tone      Tone
	At        time.Time // when it happened, if that is shown
	Transient bool      // cleared by the next key: it answers one
	Seat      agents.ID // whose trouble it is; cleared when that seat goes on
	Live      bool      // what it tells goes on; cleared when the run ends
	Elsewhere bool      // it is of a debate in the background
	Required  bool      // it is a question that must be answered, which no optional one replaces
	Optional  bool      // it is a question that need not be answered
}

// Prompt lets the user type a text on the notice row. Of the hints, the first names what
// enter does.
type Prompt struct {
	Label string // what stands before the field
	Note  string // what stands above it: what the line will do, or why it cannot; "" is nothing
	Help  string // stands below the note, if all of it has room
	Text  string // to begin with
	Limit int    // of characters
	Lines bool   // it may have several lines
	Hints []string

	Kept *string                   // what was typed and not sent, to begin with the next time; nil: that is dropped
	Done func(text string) Outcome // it is sent; nil: it cannot be

	// Turn chooses another subject of the line and returns its label; nil: there is
	// no choice.
	Turn func(n int) (label string)
	// Files says that an @path in the line attaches a file.
	Files bool
}

// Then is a message: what follows in Update once a command has done its work. As an effect it
// follows the effects before it.
type Then func() Outcome

// ThenIn is the same message for an open session. It is dropped once the session was left.
type ThenIn struct {
	Session any // its controller
	Then    Then
}

// Await returns a command that does what may block. Then says what follows; an error is told.
func Await[T any](do func() (T, error), then func(T) Outcome) tea.Cmd {
	return Later(do, func(v T, err error) Outcome {
		if err != nil {
			return Refused(err)
		}
		return then(v)
	})
}

// Later returns a command that does what may block. Then says what follows.
func Later[T any](do func() (T, error), then func(T, error) Outcome) tea.Cmd {
	return func() tea.Msg {
		v, err := do()
		return Then(func() Outcome { return then(v, err) })
	}
}

// After returns a command that sends a message later, or nothing if the context ends before.
func After(ctx context.Context, d time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return msg
		case <-ctx.Done():
			return nil
		}
	}
}

// Settle is how long no key must be pressed before what costs, ends or allows something is
// confirmed. A key that repeats, or that was meant for what was shown before, confirms nothing.
const Settle = 300 * time.Millisecond

// Matter is what a question is about. A choice takes the next key, all others a key after Settle.
type Matter int

// The matters.
const (
	Choice   Matter = iota // nothing is lost, or it can be taken back
	Start                  // it costs
	End                    // of the debate, or of a turn
	Quit                   // of the program
	Approval               // of what is sent, read or run
)

// Question asks on the notice row, before something is done or for a choice. Every
// confirmation of the interface is one. Any key that is not an answer drops it, and
// esc says no.
type Question struct {
	Text  string
	About Matter

	Do   func() Outcome // what is asked about; nil: nothing, or one of Others
	Verb string         // what Do does, such as "cancel"
	Key  string         // the key that asked; it answers Do, as enter does; "": enter alone

	Others []Answer

	// Dropped, if set, is called when the question goes without an answer.
	Dropped func() Outcome
	// Renew, if set, returns the question updated for new events.
	Renew func() Question
}

// Menu asks for one entry of a list, which what is typed filters.
type Menu struct {
	Title   string
	All     []Entry
	Most    int    // how many are listed before anything is typed; 0: all
	Present string // the name under the cursor at first
	Problem string // why it could not be read; "" if it could
	Over    Screen // the screen that it is for, which may have been left meanwhile; nil: any

	Free func(typed string) Outcome // is called with a typed name that no entry has; nil: only entries can be chosen
}

// Entry is a line of a Menu.
type Entry struct {
	Name, Text string // with its explanation
	Also       string // other words by which it is found
	Key        string // that does the same
	Off        string // why it cannot be chosen now; "": it can

	Do func() Outcome // follows once it is chosen and the menu is closed
}

// Answer is a key that answers a question.
type Answer struct {
	Key, Verb string
	Do        func() Outcome
}

// Answer returns what a key answers. It reports false for a key that is no answer.
func (q Question) Answer(pressed string) (do func() Outcome, ok bool) {
	if pressed == "enter" && (q.Do != nil || q.Key == "enter") || pressed == q.Key && q.Key != "" {
		return q.Do, true
	}
	i := slices.IndexFunc(q.Others, func(a Answer) bool { return a.Key == pressed })
	if i < 0 {
		return nil, false
	}
	return q.Others[i].Do, true
}

// Keys says what each answer does, such as "x cancel · esc back".
func (q Question) Keys() string {
	var words []string
	if q.Do != nil {
		key := q.Key
		if key == "" {
			key = "enter"
		}
		words = append(words, key+" "+q.Verb)
	}
	words = append(words, text.Each(q.Others, func(a Answer) string { return a.Key + " " + a.Verb })...)
	return strings.Join(append(words, "esc back"), " · ")
}

// SideStyle returns the colour of a side: those of yes and no, or one of four by its place
// among the sides of a result.
func SideStyle(th *theme.Theme, side debate.Side, result debate.PanelResult) lipgloss.Style {
	switch side {
	case debate.SideYes:
		return th.Success
	case debate.SideNo:
		return th.Danger
	case debate.Undecided:
		return th.Muted
	}
	at := slices.IndexFunc(result.Sides, func(c debate.SideCount) bool { return c.Side == side })
	return []lipgloss.Style{th.Accent, th.Success, th.Warning, th.Text}[max(at, 0)%4]
}
