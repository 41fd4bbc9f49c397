package screen

import (
	"charm.land/bubbles/v2/key"

	"roundtable/internal/keymap"
	"roundtable/internal/text"
)

// Group orders the list of keys.
type Group string

// The groups, in their order.
const (
	Moving    Group = "Move"
	Choosing  Group = "This screen"
	Answering Group = "Answer the seats"
	Looking   Group = "Look closer"
	Steering  Group = "Steer"
	Always    Group = "Everywhere"
)

// Groups lists all groups in their order.
func Groups() []Group { return []Group{Moving, Choosing, Answering, Looking, Steering, Always} }

// Binding is the keys of a command.
type Binding struct {
	key.Binding        // and how help shows them; without help text a neighbour speaks for it
	ID          string // of the command in package keymap, by which the user gives it other keys
}

// Command is something the user can do. Help, palette and bottom line are made
// of commands alike.
type Command struct {
	Binding
	Title   string // in the palette; "" is not listed there
	Also    string // more words that find it in the palette
	Group   Group
	InField bool // works while text is typed, too
	Writes  bool // changes what is stored, as everything in the group Steering does
	Opens   bool // opens a prompt, also when it cannot run: the prompt says why

	Hint   func() string // for the bottom line; nil or "" is none
	Rank   int           // of the hint: 1 is cut last
	AtEnd  bool          // the hint stands at the right end of every screen
	Urgent func() bool   // the hint is what is to be done next; nil: it is not

	Why func() string            // why it cannot run now; nil or "" when it can
	Run func(key string) Outcome // with the default key, whichever the user gave it

	Shared string // the shell provides all the rest; see Shared
}

// Shared returns places for commands that several screens offer and the shell provides, by name: the
// id in package keymap, if it is theirs alone. A screen lists them where they belong among its own.
func Shared(names ...string) []Command {
	return text.Each(names, func(name string) Command { return Command{Shared: name} })
}

// Bind makes a binding of the default keys of a command, and of how help shows them.
func Bind(id, shown, desc string) Binding {
	return Binding{key.NewBinding(key.WithKeys(keymap.Default(id)...), key.WithHelp(shown, desc)), id}
}

// Say returns a hint or a reason that is always the same.
func Say(hint string) func() string { return func() string { return hint } }

// NoneSelected is the reason why nothing can be done with a debate of the list.
const NoneSelected = "No debate is selected."

// When returns a hint or a reason that is given while something holds.
func When(holds func() bool, words string) func() string {
	return func() string {
		if holds() {
			return words
		}
		return ""
	}
}

// Do makes the action of a command of a function.
func Do(f func() Outcome) func(string) Outcome {
	return func(string) Outcome { return f() }
}

// With makes the action of a command of a function and its argument.
func With[T any](f func(T) Outcome, arg T) func(string) Outcome {
	return func(string) Outcome { return f(arg) }
}

// Moves makes the action of a command of a function that only moves something.
func Moves(f func(int), n int) func(string) Outcome {
	return func(string) Outcome {
		f(n)
		return nil
	}
}

// MoveKeys returns the commands that move the cursor of a list by rows and, unless
// page is nil, by pages.
func MoveKeys(move, page func(int)) []Command {
	all := []Command{
		{Binding: Bind("down", "j k", "move"), Group: Moving, Hint: Say("j k move"), Rank: 2, Run: Moves(move, 1)},
		{Binding: Bind("up", "", ""), Group: Moving, Run: Moves(move, -1)},
	}
	if page == nil {
		return all
	}
	all = append(
		all,
		Command{Binding: Bind("list-page-down", "pgup pgdn", "page"), Group: Moving, Run: Moves(page, 1)},
		Command{Binding: Bind("list-page-up", "", ""), Group: Moving, Run: Moves(page, -1)},
	)
	return append(all, JumpKeys(page, func(n int) { move(n * 1 << 20) })...)
}

// SearchKeys returns the commands of a search in texts: find takes the words, "" to end it, and next
// moves by a number of matches.
func SearchKeys(title string, hint func() string, found func() bool, find func(string) Outcome, next func(int) Outcome) []Command {
	ask := Prompt{Label: "/", Limit: 200, Hints: []string{"enter search", "esc close"}, Done: find}
	none := When(func() bool { return !found() }, "Nothing is found. Search for words first.")
	return []Command{
		{
			Binding: Bind("search", "/  n N", "search, next, previous"), Title: title, Group: Looking, Hint: hint, Rank: 5,
			Run: func(string) Outcome { return Outcome{ask} },
		},
		{Binding: Bind("next-match", "", ""), Title: "Next match", Group: Looking, Why: none, Run: With(next, 1)},
		{Binding: Bind("previous-match", "", ""), Title: "Previous match", Group: Looking, Why: none, Run: With(next, -1)},
	}
}

// JumpKeys returns the commands that work wherever something is longer than the screen
// and nothing is typed: those that move by half a page, and to an end.
func JumpKeys(half, end func(int)) []Command {
	return []Command{
		{Binding: Bind("half-down", "ctrl+d ctrl+u", "half a page"), Group: Moving, Run: Moves(half, 1)},
		{Binding: Bind("half-up", "", ""), Group: Moving, Run: Moves(half, -1)},
		{Binding: Bind("top", "g G", "first, last line"), Title: "Go to the top", Group: Moving, Run: Moves(end, -1)},
		{Binding: Bind("bottom", "", ""), Title: "Go to the end", Group: Moving, Run: Moves(end, 1)},
	}
}
