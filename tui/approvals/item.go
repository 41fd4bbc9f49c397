package approvals

import (
	"errors"
	"slices"

	"charm.land/bubbles/v2/textinput"

	"roundtable/debate"
	"roundtable/internal/text"
)

// choice is what the user can choose for a command, in the order of drawing.
type choice int

const (
	deny choice = iota
	denyWithReason
	allowOnce
	allowInSession
	edit
	choices int = iota
)

// label words a choice.
func (c choice) label() string {
	switch c {
	case denyWithReason:
		return "deny, with a reason for the agent"
	case allowOnce:
		return "run it once"
	case allowInSession:
		return "run it, and again in this session without asking"
	case edit:
		return "edit it, then run it once; no shell reads it"
	default:
		return "deny"
	}
}

// field is a text field of one line.
type field struct{ textinput.Model }

// Limits of what is typed, in characters.
const (
	maxReason  = 500
	maxCommand = 8000
)

func newField(content string, limit int) field {
	f := field{textinput.New()}
	f.Prompt = ""
	f.CharLimit = limit
	f.SetVirtualCursor(false)
	f.SetValue(content)
	f.CursorEnd()
	f.Focus()
	return f
}

// item is a command with what the user is about to decide.
type item struct {
	asked           debate.ApprovalAsked
	choice          choice
	reason, command field
	sent            bool
	outcome         string // how it ended; "" while it waits
}

func newItem(ev debate.ApprovalAsked) *item {
	return &item{asked: ev, reason: newField("", maxReason), command: newField(text.Command(ev.Argv), maxCommand)}
}

// setWidth gives the fields the room of a screen.
func (it *item) setWidth(w int) {
	for _, f := range []*field{&it.reason, &it.command} {
		f.SetWidth(max(w-fieldIndent-3, 8))
	}
}

func (it *item) end(outcome string) { it.outcome = outcome }

// waits reports whether the agent still waits.
func (it *item) waits() bool { return it.outcome == "" }

// open reports whether the user can still decide.
func (it *item) open() bool { return it.waits() && !it.sent }

// move moves to another choice.
func (it *item) move(n int) {
	it.choice = choice(max(0, min(int(it.choice)+n, choices-1)))
}

// field returns the field of the choice; nil if it has none.
func (it *item) field() *field {
	switch it.choice {
	case denyWithReason:
		return &it.reason
	case edit:
		return &it.command
	default:
		return nil
	}
}

// decision returns the decision. It is bound to the command that was shown.
func (it *item) decision() (debate.Approval, error) {
	a := debate.Approval{Choice: debate.ApprovalDenied, Hash: it.asked.Hash}
	switch it.choice {
	case denyWithReason:
		if a.Reason = text.Line(it.reason.Value()); a.Reason == "" {
			return a, errors.New("the reason is empty")
		}
	case allowOnce:
		a.Choice = debate.ApprovalOnce
	case allowInSession:
		a.Choice = debate.ApprovalSession
	case edit:
		argv, err := text.ParseCommand(it.command.Value())
		if err != nil {
			return a, err
		}
		if a.Choice = debate.ApprovalOnce; !slices.Equal(argv, it.asked.Argv) {
			a.Argv = argv
		}
	case deny:
	}
	return a, nil
}
