package approvals

import (
	"roundtable/tui/screen"
)

// Commands lists the keys of the screen. No letter and no enter is among them.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	k, bind, do, move := screen.Keys, screen.Bind, screen.Do, screen.Moves
	jumps := screen.JumpKeys(sc.page, func(n int) { sc.page(n * 1 << 10) })
	return append(jumps, []screen.Command{
		{
			Binding: bind(k("down"), "↑ ↓", "choose"), Group: screen.Moving, InField: true,
			Hint: sc.chooseHint, Rank: 2, Run: move(sc.moveChoice, 1),
		},
		{Binding: bind(k("up"), "", ""), Group: screen.Moving, InField: true, Run: move(sc.moveChoice, -1)},
		{Binding: bind(k("right"), "", ""), Group: screen.Moving, Run: move(sc.moveChoice, 1)},
		{Binding: bind(k("left"), "", ""), Group: screen.Moving, Run: move(sc.moveChoice, -1)},
		{
			Binding: bind(k("tab"), "tab", "next command"), Title: "Next command", Group: screen.Moving, InField: true,
			Hint: sc.nextHint, Rank: 4, Run: move(sc.moveItem, 1),
		},
		{Binding: bind(k("shift+tab"), "", ""), Title: "Previous command", Group: screen.Moving, InField: true, Run: move(sc.moveItem, -1)},
		{Binding: bind(k("pgup"), "pgup pgdn", "read a long command"), Group: screen.Moving, InField: true, Run: move(sc.page, -1)},
		{Binding: bind(k("pgdown"), "", ""), Group: screen.Moving, InField: true, Run: move(sc.page, 1)},
		{
			Binding: bind(k("ctrl+s"), "ctrl+s", "send this decision"), Title: "Send this decision", Group: screen.Choosing,
			InField: true, Hint: sc.sendHint, Rank: 1, Run: do(sc.send),
		},
		{Shared: screen.ToolLog},
		{Shared: screen.Sessions},
	}...)
}

// moveChoice moves to another choice for the command in focus.
func (sc *Screen) moveChoice(n int) {
	if it := sc.current(); it != nil && it.open() && !sc.ignoresKeys() {
		it.move(n)
		sc.back = 0
	}
}

// moveItem moves to another command.
func (sc *Screen) moveItem(n int) {
	if k := len(sc.items); k > 0 && !sc.ignoresKeys() {
		sc.focus, sc.back = (sc.focus+n+k)%k, 0
	}
}

// page scrolls in a command that does not fit on the screen.
func (sc *Screen) page(n int) {
	sc.back = max(sc.back-n*max(sc.h-2, 1), 0)
}

// sendHint says what ctrl+s does for the command in focus.
func (sc *Screen) sendHint() string {
	it := sc.current()
	switch {
	case it == nil || !it.open():
		return ""
	case it.choice == deny || it.choice == denyWithReason:
		return "ctrl+s deny"
	default:
		return "ctrl+s run"
	}
}

func (sc *Screen) chooseHint() string {
	if it := sc.current(); it == nil || !it.open() {
		return ""
	}
	return sc.th.Symbols.Up + " " + sc.th.Symbols.Down + " choose"
}

func (sc *Screen) nextHint() string {
	if len(sc.items) < 2 {
		return ""
	}
	return "tab next command"
}
