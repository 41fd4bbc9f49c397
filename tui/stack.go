package tui

import (
	"slices"
	"time"

	"roundtable/tui/screen"
)

// stack is the stack of screens, with the open session. The context form is not on the stack: it
// lies over the debate and the verdict.
type stack struct {
	screens []screen.Screen
	open    *openSession  // nil: none
	homeRow promptRow     // over the list and the form of a new debate
	menu    screen.Screen // takes all keys while it is on top
	aside   bool          // a key is meant for what was there before the form opened by itself
}

// base returns the screen on top of the stack, under the context form.
func (s *stack) base() screen.Screen { return s.screens[len(s.screens)-1] }

func (s *stack) top() screen.Screen {
	if s.onForm() {
		return s.open.debate.Form
	}
	return s.base()
}

// onSession reports whether the debate or the verdict is on top of the stack.
func (s *stack) onSession() bool { return s.open != nil && s.open.owns(s.base()) }

// onForm reports whether the context form is shown and has the keys. A prompt lies over it.
func (s *stack) onForm() bool {
	return s.onSession() && s.open.debate.Form.IsOpen() && s.open.prompt == nil && !s.aside
}

// show replaces the stack. The debate screen of an open session stays at the bottom.
func (s *stack) show(screens ...screen.Screen) {
	s.screens = nil
	if s.open != nil {
		s.screens = append(s.screens, s.open.debate.Screen)
	}
	s.screens = append(s.screens, screens...)
}

// insertBelow shows a screen of the open session below one that is being read.
func (s *stack) insertBelow(one screen.Screen) {
	if s.onSession() || s.screens[0] != s.open.debate.Screen {
		s.show(one)
		return
	}
	s.remove(one)
	s.screens = slices.Insert(s.screens, 1, one)
}

func (s *stack) remove(one screen.Screen) {
	s.screens = slices.DeleteFunc(s.screens, func(other screen.Screen) bool { return other == one })
}

func (s *stack) push(over screen.Screen) {
	if at := slices.Index(s.screens, over); at >= 0 {
		s.screens = s.screens[:at+1]
		return
	}
	s.screens = append(s.screens, over)
}

// pop leaves the screen for the one below it. It reports whether there is one.
func (s *stack) pop() bool {
	last := len(s.screens) - 1
	if last == 0 {
		return false
	}
	s.screens = s.screens[:last]
	return true
}

// drop closes the open session's screens. If none is left, home is shown.
func (s *stack) drop(home screen.Screen) {
	s.screens = slices.DeleteFunc(s.screens, func(one screen.Screen) bool {
		_, ofSession := one.(screen.OfSession)
		return ofSession || one == s.open.debate.Screen
	})
	s.open = nil
	if len(s.screens) == 0 {
		s.show(home)
	}
}

// row returns where the screen on top of the stack is asked for a text.
func (s *stack) row() *promptRow {
	if s.showsSession() {
		return &s.open.promptRow
	}
	return &s.homeRow
}

// prompting returns the prompt that has the keys; nil if there is none.
func (s *stack) prompting() *prompt {
	if s.base() == s.menu {
		return nil
	}
	return s.row().prompt
}

func (s *stack) typing() bool { return s.prompting() != nil || s.top().Typing() }

func (s *stack) running() bool { return s.open != nil && s.open.debate.Running() }

func (s *stack) blocked() bool { return s.open != nil && len(s.open.debate.Session().Unanswered()) > 0 }

func (s *stack) openID() string {
	if s.open == nil {
		return ""
	}
	return s.open.debate.Session().ID
}

func (s *stack) typingHints() []string {
	if p := s.prompting(); p != nil {
		return p.hints()
	}
	return s.top().TypingHints()
}

func (s *stack) backHint() string {
	if s.prompting() != nil {
		return ""
	}
	return s.top().BackHint()
}

func (s *stack) quitHint() string {
	switch {
	case !s.onForm():
		return ""
	case s.open.unsaved != 0 || s.open.debate.NotSaved() || s.open.reads != "":
		return "ctrl+c quit"
	}
	return "ctrl+c quit, all is saved"
}

// layOutEvery is the time for keys and events between two parts of a long text.
const layOutEvery = 10 * time.Millisecond

// agesEvery is how often the ages on a screen are drawn again.
const agesEvery = 20 * time.Second

// redrawEvery returns how often the screen changes by time alone.
func (s *stack) redrawEvery() time.Duration {
	if l, ok := s.top().(screen.LayingOut); ok && l.LayingOut() {
		return layOutEvery
	}
	if s.running() || s.onSession() {
		if every := s.open.debate.RedrawEvery(spinEvery); every != 0 {
			return min(every, agesEvery)
		}
	}
	return agesEvery
}
