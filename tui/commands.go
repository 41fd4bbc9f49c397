package tui

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/tui/screen"
)

// commands is what can be done on the screen that is shown: its own commands,
// those that the shell shares among screens, and those that work everywhere.
type commands struct {
	stack    *stack
	readOnly string // why nothing can be saved; "": it can
	replay   bool
	common   []commonCommand
	shared   map[screen.Shared]screen.Command
	recent   []string // titles of those run from the palette, the last one first
}

// commonCommand is a command of the shell itself.
type commonCommand struct {
	screen.Command
	on func() bool // nil: on all
}

// list returns the commands in the order of help, palette and bottom line.
func (c *commands) list() []screen.Command {
	own := c.stack.top().Commands()
	all := make([]screen.Command, 0, len(own)+len(c.common))
	for _, one := range own {
		if one.Shared != 0 {
			var ok bool
			if one, ok = c.shared[one.Shared]; !ok {
				continue
			}
		}
		all = append(all, one)
	}
	for _, one := range c.common {
		if one.on == nil || one.on() {
			all = append(all, one.Command)
		}
	}
	return all
}

// of returns the command of a key, whether it can run or not. While text is
// typed, only commands that work in fields have keys.
func (c *commands) of(pressed string) (screen.Command, bool) {
	all, typing := c.list(), c.stack.typing()
	i := slices.IndexFunc(all, func(one screen.Command) bool {
		return (one.InField || !typing) && slices.Contains(one.Keys(), pressed)
	})
	if i < 0 {
		return screen.Command{}, false
	}
	return all[i], true
}

// run runs a command, or says why it cannot run.
func (c *commands) run(one screen.Command, pressed string) screen.Outcome {
	why := c.reason(one)
	switch {
	case why == "":
		return one.Run(pressed)
	case one.Opens:
		return refusedPrompt(one.Run(pressed), why)
	}
	return screen.Tell(screen.Info, why)
}

// refusedPrompt opens a prompt that says why nothing comes of what is typed, which is
// kept.
func refusedPrompt(out screen.Outcome, why string) screen.Outcome {
	for i, effect := range out {
		if p, ok := effect.(screen.Prompt); ok {
			p.Note, p.Done = why, p.Closed
			p.Hints = slices.DeleteFunc(p.Hints, func(hint string) bool { return strings.HasPrefix(hint, "enter ") })
			out[i] = p
		}
	}
	return out
}

// press runs the command of a key, if there is one.
func (c *commands) press(key string) screen.Outcome {
	one, ok := c.of(key)
	if !ok {
		return nil
	}
	return c.run(one, key)
}

// reason says why a command cannot run now; "" when it can.
func (c *commands) reason(one screen.Command) string {
	if c.replay && (one.Writes || one.Group == screen.Steering || one.Group == screen.Answering) {
		return replayRefusal
	}
	if c.readOnly != "" && (one.Writes || one.Group == screen.Steering) {
		return "Read-only, nothing can be saved: " + c.readOnly + "."
	}
	if one.Why == nil {
		return ""
	}
	return one.Why()
}

// replayRefusal answers a key that would change a debate.
const replayRefusal = "This is a replay: nothing is asked or saved. q ends it."

// refuseInReplay has the commands refused that a replay does not have.
func (c *commands) refuseInReplay() {
	c.replay = true
	for _, name := range []screen.Shared{screen.Export, screen.Sessions, screen.NewDebate} {
		if one, ok := c.shared[name]; ok {
			one.Why, one.Hint = screen.Say(replayRefusal), nil
			c.shared[name] = one
		}
	}
}

// newDebateHint shows after the demo's verdict what to do next.
func (s *stack) newDebateHint() string {
	if s.open == nil || s.top() != s.open.verdict() || !s.open.debate.Session().Demo() || s.open.debate.Session().Verdict == nil {
		return ""
	}
	return "n your own question"
}

// exportHint shows the key on the verdict only.
func (s *stack) exportHint() string {
	if s.open != nil && s.top() == s.open.verdict() {
		return "e export"
	}
	return ""
}

// openLog shows the tool log at its newest call.
func (s *stack) openLog() screen.Outcome {
	s.open.log().Follow()
	s.push(s.open.log())
	return nil
}

// openApprovals shows the commands that wait for the user.
func (s *stack) openApprovals() screen.Outcome {
	s.open.approvals().Opened()
	s.push(s.open.approvals())
	return nil
}

// commandsWait reports whether a command waits for the user.
func (s *stack) commandsWait() bool { return s.open != nil && s.open.approvals().Waiting() > 0 }

func (s *stack) approvalsHint() string {
	if !s.commandsWait() {
		return ""
	}
	return fmt.Sprintf("A approve (%d)", s.open.approvals().Waiting())
}

func (s *stack) noTools() string {
	if s.open.log().Empty() {
		return "No tool calls or notices yet."
	}
	return ""
}

// openEvidence shows the list of evidence.
func (s *stack) openEvidence() screen.Outcome {
	s.open.evidence().List()
	s.push(s.open.evidence())
	return nil
}

// hasQuestion reports whether a screen of the open session is shown.
func (s *stack) hasQuestion() bool {
	_, ofSession := s.base().(screen.OfSession)
	return s.open != nil && (ofSession || s.base() == s.open.debate.Screen)
}

// openQuestion shows the whole question.
func (s *stack) openQuestion() screen.Outcome {
	s.push(s.open.question())
	return nil
}

func (s *stack) noEvidence() string {
	if s.open.evidence().Empty() {
		return "This debate has no evidence. @path in a message attaches a file."
	}
	return ""
}

// hasUndo reports whether the screen can have text with a history.
func (s *stack) hasUndo() bool {
	_, ok := s.top().(screen.Undoer)
	return ok || s.onSession()
}

func (s *stack) noUndo() string {
	p := s.prompting()
	u, ok := s.top().(screen.Undoer)
	if ok && u.CanUndo() || p != nil && !p.NoHistory {
		return ""
	}
	return "There is no text here to undo."
}

// undo takes back the last change of the text that has the focus.
func (s *stack) undo() screen.Outcome {
	var out screen.Outcome
	undone := false
	if p := s.prompting(); p != nil {
		undone = p.undo()
	} else if u, ok := s.top().(screen.Undoer); ok {
		out, undone = u.Undo()
	}
	if !undone {
		return screen.Tell(screen.Info, "Nothing more to undo in this text.")
	}
	return out
}
