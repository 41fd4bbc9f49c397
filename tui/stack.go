package tui

import (
	"slices"

	"roundtable/tui/screen"
)

// stack is the stack of screens, with the session that is open. The screen on top
// is shown; the context form lies over it where that is the debate or the verdict.
type stack struct {
	screens []screen.Screen
	open    *openSession // nil: none
}

// base returns the screen on top of the stack, under the context form.
func (s *stack) base() screen.Screen { return s.screens[len(s.screens)-1] }

// top returns the screen that is shown and has the keys.
func (s *stack) top() screen.Screen {
	if s.onForm() {
		return s.open.debate.Form
	}
	return s.base()
}

// onSession reports whether the debate or the verdict is on top of the stack.
func (s *stack) onSession() bool { return s.open != nil && s.open.owns(s.base()) }

// onForm reports whether the context form is shown.
func (s *stack) onForm() bool { return s.onSession() && s.open.debate.Form.IsOpen() }

// show replaces all screens, but for the debate that is open, over which they lie.
func (s *stack) show(screens ...screen.Screen) {
	s.screens = nil
	if s.open != nil {
		s.screens = append(s.screens, s.open.debate.Screen)
	}
	s.screens = append(s.screens, screens...)
}

// push shows a screen over the others.
func (s *stack) push(over screen.Screen) {
	if s.base() != over {
		s.screens = append(s.screens, over)
	}
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

// drop removes the session that is open, and its screens; home is shown where
// nothing else is left.
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

// prompting returns the prompt that has the keys; nil if there is none.
func (s *stack) prompting() *lineInput {
	if s.onSession() && !s.onForm() {
		return s.open.prompt
	}
	return nil
}

// typing reports whether keys are text at the moment.
func (s *stack) typing() bool { return s.prompting() != nil || s.top().Typing() }

// running reports whether a run of the open session is under way.
func (s *stack) running() bool { return s.open != nil && s.open.debate.Running() }

// openedID returns the id of the open session; "" if there is none.
func (s *stack) openedID() string {
	if s.open == nil {
		return ""
	}
	return s.open.debate.Session().ID
}
